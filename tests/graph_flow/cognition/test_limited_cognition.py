"""Limited cognition in what is really sent: no role agent is told what its character cannot know."""

from __future__ import annotations

from contextlib import closing
from typing import Any, NamedTuple

import pytest

from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.plot import Event
from store.models.prototype import AnyEntity, Snapshot
from store.models.run import PlotChapters
from store.models.story import Story
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, say_json
from tests.graph_flow.scripting import asked, enumerated, request_of, saying

ROLES = {"goals": 3, "roles": 3}


def canary(person: Character, word: str) -> str:
    """Return a word that stands nowhere but where it was put, and names whom it is of."""
    return f"ZZ{word}{person.id}ZZ"


def with_canaries(snapshot: Snapshot) -> Snapshot:
    """Return a cast whose secrets, inner states and hidden ties can be told from all other words."""
    people = snapshot.characters
    entities: dict[str, AnyEntity] = {
        id_: entity
        for id_, entity in snapshot.entities.items()
        if not isinstance(entity, Relationship)
    }
    for person in people:
        entities[person.id] = person.model_copy(
            update={
                "secrets": canary(person, "secret"),
                "personality": canary(person, "nature"),
                "motivation": canary(person, "wish"),
                "health": canary(person, "health"),
                "status": canary(person, "state"),
            }
        )
    for source in people:
        for target, awareness in zip(
            (one for one in people if one is not source),
            (Awareness.HIDDEN, Awareness.ONE_SIDED, Awareness.HIDDEN, Awareness.ONE_SIDED),
            strict=False,
        ):
            relationship = Relationship(
                id=f"{source.id}-{target.id}",
                source=source.id,
                target=target.id,
                tie=RelationshipKind.ENMITY,
                awareness=awareness,
                reason=canary(source, "tie"),
            )
            entities[relationship.id] = relationship
    return Snapshot(entities=entities)


def in_prompt_of(person: Character, sent: Sent) -> bool:
    return request_of(sent).startswith(f"You are {person.name} ") or (
        f"What does {person.name} do?" in request_of(sent)
    )


def whose(sent: Sent, people: list[Character]) -> Character:
    """Return which character a role agent plays."""
    [role] = [person for person in people if in_prompt_of(person, sent)]
    return role


def begin(desk: Desk) -> Story:
    """Return a story whose approved cast has canaries in all that is secret."""
    story = desk.drafted(ROLES)
    branch = desk.branch(story)
    snapshot = with_canaries(desk.workbench.story.proposed_snapshot(branch))
    desk.workbench.story.save_configuration(branch, "A title", snapshot)
    desk.answer(story)
    return story


class Told(NamedTuple):
    """What role agents were sent, and the story that came of it."""

    roles: list[Sent]
    snapshot: Snapshot

    @property
    def people(self) -> list[Character]:
        return self.snapshot.characters


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Two chapters in which every event carries the canary of who acts in it, all alone."""
    library = tmp_path_factory.mktemp("told") / "library.db"
    with ScriptedServer(answer=saying(role=act_alone)) as server:
        variables = {
            "TELLWRIGHT_MODEL": "scripted",
            "TELLWRIGHT_STRENGTH": "small",
            "OPENAI_BASE_URL": server.url,
        }
        with closing(assemble(library, Terms(OwnModels(variables.get)))) as workbench:
            desk = Desk(workbench, server, library)
            story = begin(desk)
            desk.do(story, PlotChapters(chapters=2, is_autopilot=True))
            return Told(asked(server, "role"), workbench.prototype.snapshot(desk.branch(story)))


def act_alone(sent: Sent) -> Reply:
    """Let a role act by itself: nobody else is there, nobody else can know."""
    return act(sent, [])


def act_in_company(sent: Sent) -> Reply:
    """Let a role act before everybody whom it may meet."""
    return act(sent, enumerated(sent, "together_with", "[]")[:3])


def act(sent: Sent, company: list[str]) -> Reply:
    """Let a role act, with its own canaries in what it does, feels and brings about."""
    name = request_of(sent).partition("What does ")[2].partition(" do?")[0]
    said: dict[str, Any] = {
        "title": f"Deed of {name}",
        "action": f"ZZdeed of {name}ZZ. It happens where nobody else is about.",
        "place": enumerated(sent, "place")[0],
        "new_place": "The hollow hill",
        "together_with": company,
        "because_of": "nothing",
        "emotion": f"ZZfeeling of {name}ZZ",
        "consequence": f"ZZoutcome of {name}ZZ",
        "changed": "nothing",
        "change": "nothing",
        "relationship": {"toward": "nothing", "tie": "debt", "strength": 3},
        "newcomer": "nothing",
        "newcomer_is": "nothing",
        "closes": "nothing",
        "opens": "nothing",
    }
    return say_json({field: said[field] for field in (sent.schema or {})["properties"]})


def test_no_role_is_told_another_s_secrets_state_or_ties(told: Told) -> None:
    assert len(told.roles) == 18
    for sent in told.roles:
        me = whose(sent, told.people)
        for other in told.people:
            for word in ("secret", "nature", "wish", "health", "state", "tie"):
                is_told = canary(other, word) in sent.prompt
                assert not is_told or other is me, f"{me.name} is told the {word} of {other.name}"


def test_every_role_is_told_its_own_secrets_and_ties(told: Told) -> None:
    for sent in told.roles:
        me = whose(sent, told.people)
        for word in ("secret", "nature", "wish", "tie"):
            assert canary(me, word) in request_of(sent)


def test_no_role_is_told_what_happened_elsewhere(told: Told) -> None:
    for sent in told.roles:
        me = whose(sent, told.people)
        for other in told.people:
            if other is not me:
                for word in ("deed", "feeling", "outcome"):
                    assert f"ZZ{word} of {other.name}ZZ" not in sent.prompt
                assert f"Deed of {other.name}" not in sent.prompt


def test_role_remembers_what_it_did_itself(told: Told) -> None:
    parts = [
        part
        for event in told.snapshot.events_of(1)
        for part in told.snapshot.participations_in(event.id)
    ]
    acted = {part.character for part in parts}

    later = [sent for sent in told.roles[9:] if whose(sent, told.people).id in acted]

    assert later
    for sent in later:
        assert f"ZZdeed of {whose(sent, told.people).name}ZZ" in request_of(sent)


def test_role_cannot_name_whom_or_what_it_does_not_know(told: Told) -> None:
    snapshot = told.snapshot
    first_places = {
        scene.name for scene in snapshot.scenes if snapshot.first_chapter_of(scene.id) == 0
    }

    for sent in told.roles:
        me = whose(sent, told.people)
        assert me.name not in enumerated(sent, "together_with", "[]")
        assert set(enumerated(sent, "place")) <= first_places | {"a new place", "The hollow hill"}
        remembered = request_of(sent).count(f"ZZdeed of {me.name}ZZ")
        labels = enumerated(sent, "because_of") if remembered else ["nothing"]
        assert len(labels) == remembered + 1


def test_one_who_is_there_remembers_what_happened(desk: Desk) -> None:
    desk.server.answer = saying(role=act_in_company)
    story = begin(desk)
    desk.do(story, PlotChapters(is_autopilot=True))
    people = desk.workbench.prototype.snapshot(desk.branch(story)).characters

    remembering = [sent for sent in asked(desk.server, "role") if "ZZdeed of" in request_of(sent)]

    assert remembering, "nobody remembers what happened before them in the relay"
    for sent in remembering:
        me = whose(sent, people)
        assert any(
            f"ZZdeed of {other.name}ZZ" in request_of(sent) for other in people if other is not me
        )
        for other in people:
            assert other is me or canary(other, "secret") not in sent.prompt


def test_what_is_not_chosen_is_known_to_nobody(desk: Desk) -> None:
    """What happened in a candidate that was passed over never happened."""
    story = desk.plotted(2, ROLES)
    branch = desk.branch(story)
    passed_over = {
        entity.summary
        for view in desk.workbench.plot.candidates(branch, 1)
        if view.candidate.state.value == "passed over"
        for entity in view.candidate.delta.additions()
        if isinstance(entity, Event)
    }
    told = {event.summary for event in desk.workbench.prototype.snapshot(branch).events}

    in_second_chapter = [sent for sent in asked(desk.server, "role")][9:]

    assert passed_over - told
    for summary in passed_over - told:
        assert not any(summary in sent.prompt for sent in in_second_chapter)
