"""Relays for tests: a story that waits at its goals, and moves that are made to measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from store.models.cast import Character
from store.models.plot import Thread, ThreadState
from store.models.proposals import Candidate, Goal
from store.models.prototype import AnyEntity
from store.models.run import PlotChapters, Run
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.scripting import Say, asked, enumerated, saying

AT_GOALS = {gate: GateMode.GO_ON for gate in Gate} | {Gate.GOALS: GateMode.ASK}
NONSENSE = say("Once upon a time there was no JSON at all.")
QUESTION = Thread(
    id="question", title="who rang at low water", state=ThreadState.PLANTED, planted_in=0
)


class Weaving:
    """A story that waits at its goals, for a test to set who plays."""

    def __init__(self, desk: Desk, store: Store, **settings: Any) -> None:
        self.desk, self.store = desk, store
        wanted = {"gates": AT_GOALS, "goals": 1, "roles": 3} | settings
        self.story: Story = desk.drafted(wanted)
        self.branch = desk.branch(self.story)

    @property
    def people(self) -> list[Character]:
        return self.desk.workbench.prototype.snapshot(self.branch).characters

    def put(self, *entities: AnyEntity) -> None:
        """Let the writer put something into the story, or change it."""
        head = self.desk.workbench.prototype.snapshot(self.branch)
        standing = {**head.entities, **{one.id: one for one in entities}}
        self.desk.workbench.story.edit(self.branch, head.model_copy(update={"entities": standing}))

    def weave(
        self, *plays: Sequence[Character], role: Reply | Say | None = None, **goal: Any
    ) -> Run:
        """Set goals, each with who plays in it, and weave; `goal` is what else they say."""
        self.desk.do(self.story, PlotChapters())
        for standing, people in zip(self.goals, plays, strict=False):
            roles = tuple(person.id for person in people)
            said = standing.model_copy(update={"roles": roles, **goal})
            self.store.proposals.save_goals([said])
        self.desk.server.answer = saying(role=role) if role else going_on
        return self.desk.answer(self.story)

    @property
    def goals(self) -> list[Goal]:
        return self.store.proposals.goals(self.branch, 1)

    @property
    def candidates(self) -> list[Candidate]:
        return self.store.proposals.candidates(self.branch, 1)

    @property
    def asked(self) -> list[Sent]:
        return asked(self.desk.server, "role")


def speaker(sent: Sent) -> str:
    """Return the name of the character who is asked for a move."""
    return sent.messages[3]["content"].rpartition("What does ")[2].partition(" do?")[0]


def moving(sent: Sent, **said: Any) -> Reply:
    """Make a move that names nobody else, but for what is said."""
    whole: dict[str, Any] = {
        "title": "A slow evening",
        "action": f"{speaker(sent)} walks along the wall for a while and comes back.",
        "place": enumerated(sent, "place")[-1],
        "new_place": "The long wall",
        "newcomer": "nothing",
        "newcomer_is": "nothing",
        "together_with": [],
        "because_of": "nothing",
        "emotion": "calm",
        "consequence": "the evening passes",
        "changed": "nothing",
        "change": "nothing",
        "relationship": {"toward": "nothing", "tie": "debt", "strength": 3},
        "tells": "nothing",
        "closes": "nothing",
        "opens": "nothing",
        **said,
    }
    return say_json({name: whole[name] for name in (sent.schema or {})["properties"]})


def replying(replies: Mapping[str, Reply | Say]) -> Say:
    """Reply so where these people are asked; the others make plain moves."""

    def say_so(sent: Sent) -> Reply | None:
        reply = replies.get(speaker(sent))
        said = reply(sent) if callable(reply) else reply
        return said or moving(sent)

    return say_so
