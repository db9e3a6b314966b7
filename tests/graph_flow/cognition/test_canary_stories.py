"""No word that a character cannot know is ever in a prompt of that character's agent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_flow.agents import AGENTS
from graph_flow.cognition.knowledge import Quotes, mentionable
from graph_flow.cognition.memory import PromptBudget
from graph_flow.llm.schema import NOTHING
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.plot.answers import NEW_PLACE, SOMEBODY_NEW, RoleAnswer, RoleOptions, role_schema
from graph_flow.plot.beats import Beat, BeatsAsked, RoleBeats, widened
from graph_flow.plot.casting import speakers
from graph_flow.plot.moves import add_beat
from graph_flow.plot.role_prompt import RoleInput, RolePrompt, role_prompt
from graph_flow.workbench.assembly import Terms, assemble
from store.models.cast import Character
from store.models.endpoint import ModelStrength
from store.models.outline import SubEvent
from store.models.plot import Part, Thread, ThreadState
from store.models.prototype import Snapshot
from store.models.run import PlotChapters
from store.models.story import Brief, StorySettings
from store.open import Store
from store.prototype.excerpts import joined
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, say_json
from tests.graph_flow.cognition.canaries import (
    Story,
    author_texts,
    canaries_in,
    may_be_led_to,
    may_know,
    stories,
)
from tests.graph_flow.scripting import asked, enumerated, request_of, saying

PLENTY = PromptBudget(100_000, 1_000)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One library for all examples, each a story of its own."""
    store = Store.open(tmp_path_factory.mktemp("canaries") / "library.db")
    yield store
    store.close()


def commit(store: Store, story: Story) -> str:
    """Tell a story into a library; return its branch."""
    branch = store.library.main_branch(store.library.create_story(Brief(premise="Any.")).id).id
    for chapter, delta in enumerate(story.deltas):
        kind = "chapter" if chapter else "configuration"
        store.prototype.commit(branch, delta, chapter=chapter, kind=kind, origin=f"c{chapter}")  # type: ignore[arg-type] # one of two
    return branch


def sent_to(briefing: RolePrompt) -> str:
    """Return all that is sent for a role: the prompt, and what its answer may name."""
    choices = briefing.choices
    schema = role_schema(
        RoleOptions(
            others=list(choices.others),
            toward=list(choices.toward),
            places=list(choices.scenes),
            events=list(choices.events),
            threads=list(choices.threads),
            parts=list(choices.parts),
            is_opening=True,
            is_closing=True,
            has_room=True,
        )
    )
    messages = AGENTS["role"].prompt(ModelStrength.SMALL).messages(briefing.variables)
    prompt = "\n".join(message.content for message in messages)
    return prompt + json.dumps(schema.json_schema)


_ALL_ASKED = BeatsAsked(has_parts=True, has_threads=True, may_plant=True, may_bring=True)


def sent_whole(briefing: RolePrompt) -> str:
    """Return all that is sent for a role of an able model."""
    asked_of: dict[str, str | int] = {
        "is_closing": True,
        "may_plant": True,
        "may_bring": True,
        "finds": "",
        "following": "",
        "most_beats": 2,
    }
    messages = (
        AGENTS["role"].prompt(ModelStrength.ABLE).messages({**briefing.variables, **asked_of})
    )
    prompt = "\n".join(message.content for message in messages)
    return prompt + json.dumps(_ALL_ASKED.answer(RoleBeats).json_schema)


def beat_of(story: Story, briefing: RolePrompt, company: Sequence[str], part: Part) -> Beat:
    """Return a beat in which everything is a word of its own."""
    present = [{"name": one, "part": part, "learns": story.word()} for one in company]
    newcomer = {"name": story.word(), "newcomer": story.word(), "learns": story.word()}
    words = ("title", "inner", "said", "place", "emotion", "consequence", "outcome", "plants")
    return Beat.model_validate(
        {
            **{name: story.word() for name in words},
            "observed": f"{story.word()} {story.word()}.",
            "present": [*present, newcomer],
            "changes": [{"field": "status", "value": story.word()}],
            "feelings": [
                {"toward": one, "tie": "debt", "strength": 3, "reason": story.word()}
                for one in list(briefing.choices.toward)[:1]
            ],
            "pays_off": next(iter(briefing.choices.threads), ""),
        }
    )


def answer_of(story: Story, briefing: RolePrompt, company: Sequence[str]) -> RoleAnswer:
    """Return a move in which everything is a word of its own."""
    return RoleAnswer.model_validate(
        {
            "title": story.word(),
            "action": f"{story.word()} {story.word()}.",
            "place": NEW_PLACE,
            "new_place": story.word(),
            "together_with": [*company, SOMEBODY_NEW],
            "newcomer": story.word(),
            "newcomer_is": story.word(),
            "emotion": story.word(),
            "consequence": story.word(),
            "changed": "status",
            "change": story.word(),
            "relationship": {
                "toward": next(iter(briefing.choices.toward), NOTHING),
                "tie": "debt",
                "strength": 3,
            },
            "closes": next(iter(briefing.choices.threads), NOTHING),
            "opens": story.word(),
        }
    )


class Led(NamedTuple):
    """What an author says of the next chapter, in any words of the story."""

    goal: str
    aims: dict[str, str]
    """By the id of whom it is said to."""
    threads: tuple[Thread, ...]
    parts: tuple[SubEvent, ...]

    @property
    def texts(self) -> list[str]:
        """All that is said to everybody."""
        return [
            self.goal,
            *(one.title for one in self.threads),
            *(one.text for one in self.parts),
        ]

    def may_tell(self, whole: Snapshot, role: str) -> set[str]:
        """Return the words by which somebody may be led, though nothing has told them."""
        to_all = canaries_in(" ".join(self.texts)) & may_be_led_to(whole)
        plans = canaries_in(whole.spine.model_dump_json()) | may_be_led_to(whole)
        return to_all | (canaries_in(self.aims.get(role, "")) & plans)


class Relay:
    """A relay over a random story, read from the library as the node reads it.

    Everybody brings somebody new, and is asked which of an author's questions it answers.
    """

    def __init__(self, library: Store, story: Story, people: Sequence[Character], led: Led) -> None:
        branch = commit(library, story)
        texts = [*led.texts, *led.aims.values()]
        quotes, chapter = Quotes(texts), len(story.deltas)
        head = library.excerpts.of_people(branch, None, [one.id for one in people], led.goal)
        head = joined(head, Snapshot(entities={one.id: one for one in led.threads}))
        self.story, self.people, self.led, self.head = story, people, led, head
        self.draft = head.model_copy(update={"chapter": chapter})
        self.whole = story.snapshot.model_copy(update={"chapter": chapter})
        self._hidden = mentionable(quotes, library.excerpts.of_words(branch, None, " ".join(texts)))
        self._of_draft = mentionable(quotes, self.draft)

    @property
    def company(self) -> list[Character]:
        """The people of the relay, and those whom it has brought in so far."""
        told = [one for one in self.draft.characters if self._is_new(one)]
        return [*self.people, *told]

    def briefing(self, role: str, *, is_able: bool) -> RolePrompt:
        """Return what a role is told before its turn."""
        role_input = RoleInput(
            draft=self.draft,
            mentionable=(self._of_draft, self._hidden),
            company=tuple(self.company),
            goal=self.led.goal,
            aim=self.led.aims.get(role, ""),
            language="English",
            threads=self.led.threads,
            parts=self.led.parts,
            is_whole=is_able,
        )
        return role_prompt(role_input, role, PLENTY)

    def add(self, role: Character, beat: Beat, briefing: RolePrompt) -> None:
        """Add what a role does."""
        earlier = self.draft
        self.draft, *_ = add_beat(earlier, earlier.get(Character, role.id), beat, briefing.choices)
        self._of_draft = self._of_draft.after(earlier, self.draft)
        self.whole = with_move(self.whole, self.head, self.draft)

    def _is_new(self, person: Character) -> bool:
        return self.draft.first_chapter_of(person.id) == self.draft.chapter


@st.composite
def led_by(draw: st.DrawFn, story: Story, people: Sequence[Character]) -> Led:
    """Draw what an author says of the next chapter, and to some of its people."""
    return Led(
        goal=draw(author_texts(story)),
        aims={one.id: draw(author_texts(story)) for one in people if draw(st.booleans())},
        threads=draw(questions(story)),
        parts=draw(plans(story)),
    )


@settings(max_examples=200)
@given(data=st.data())
def test_no_role_is_told_what_its_character_cannot_know(
    library: Store, data: st.DataObject
) -> None:
    """What somebody knew before their own move, their former state for one, they know after it."""
    story = data.draw(stories())
    one_of_all = st.sampled_from(story.snapshot.characters)
    people = data.draw(st.lists(one_of_all, min_size=1, max_size=3, unique=True))
    led, is_able = data.draw(led_by(story, people)), data.draw(st.booleans())
    relay = Relay(library, story, people, led)
    before: dict[str, set[str]] = {role.id: set() for role in people}

    for _, role in speakers(people, 2):
        briefing = relay.briefing(role.id, is_able=is_able)
        told = canaries_in(sent_whole(briefing) if is_able else sent_to(briefing))
        company = [one.id for one in relay.company]
        before[role.id] |= may_know(relay.whole, role.id, company)
        known = before[role.id] | led.may_tell(relay.whole, role.id)
        before[role.id] = known
        assert told <= known, f"{role.id} is told {sorted(told - known)}"
        if not is_able:  # there is not room for everything
            expect_told_of_itself(told, relay.whole, role.id)
        others = list(briefing.choices.others)
        met = data.draw(st.lists(st.sampled_from(others), max_size=2)) if others else []
        part = data.draw(st.sampled_from(list(Part)))
        beat = beat_of(story, briefing, met, part)
        relay.add(role, beat if is_able else widened(answer_of(story, briefing, met)), briefing)


def questions(story: Story) -> st.SearchStrategy[tuple[Thread, ...]]:
    """Draw open threads whose titles say anything of the story."""
    titles = st.lists(author_texts(story).filter(bool), max_size=2, unique=True)
    return titles.map(
        lambda said: tuple(
            Thread(id=f"question{at}", title=one[:80], state=ThreadState.PLANTED)
            for at, one in enumerate(said)
        )
    )


def plans(story: Story) -> st.SearchStrategy[tuple[SubEvent, ...]]:
    """Draw what an outline has for the chapter, in any words of the story."""
    texts = st.lists(author_texts(story), max_size=2)
    return texts.map(
        lambda said: tuple(
            SubEvent(id=f"part{at}", event="event", text=one[:400]) for at, one in enumerate(said)
        )
    )


def with_move(whole: Snapshot, head: Snapshot, draft: Snapshot) -> Snapshot:
    """Return the whole story with what a draft, made on a part of it, adds to it."""
    changed = {
        id_: entity for id_, entity in draft.entities.items() if head.entities.get(id_) != entity
    }
    return whole.model_copy(
        update={
            "entities": {**whole.entities, **changed},
            "first_chapter": {**draft.first_chapter, **whole.first_chapter},
        }
    )


def expect_told_of_itself(told: set[str], whole: Snapshot, role: str) -> None:
    """A role that is told nothing would keep every secret: it knows itself and what it did."""
    me = whole.get(Character, role)
    wanted = [me.name, me.secrets, me.motivation, me.personality, me.status, me.traits[0].value]
    wanted += [
        event.summary
        for event in whole.events
        for part in whole.participations_in(event.id)
        if part.character == role and part.part is Part.ACTS and event.story_order is None
    ]
    assert canaries_in(" ".join(wanted)) <= told


@settings(max_examples=60)
@given(data=st.data())
def test_part_that_is_read_tells_the_same_as_the_whole_story(
    library: Store, data: st.DataObject
) -> None:
    """A short story is read whole: nothing that a role can know is lost on the way."""
    story = data.draw(stories())
    branch = commit(library, story)
    relay = data.draw(
        st.lists(st.sampled_from(story.snapshot.characters), min_size=1, max_size=3, unique=True)
    )
    part = library.excerpts.of_people(branch, None, [person.id for person in relay])

    for role in relay:
        of_part, of_whole = (
            role_prompt(
                RoleInput(
                    draft=snapshot.model_copy(update={"chapter": len(story.deltas)}),
                    mentionable=(),
                    company=tuple(relay),
                    goal="",
                    language="English",
                ),
                role.id,
                PLENTY,
            )
            for snapshot in (part, story.snapshot)
        )
        assert canaries_in(sent_to(of_part)) == canaries_in(sent_to(of_whole))


class Machine(NamedTuple):
    """The real machine with a scripted model, and the library that it works on."""

    desk: Desk
    store: Store


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """One machine for all examples, each a story of its own."""
    path = tmp_path_factory.mktemp("machine") / "library.db"
    with ScriptedServer() as server:
        variables = {
            "TELLWRIGHT_MODEL": "scripted",
            "TELLWRIGHT_STRENGTH": "small",
            "OPENAI_BASE_URL": server.url,
        }
        with closing(assemble(path, Terms(OwnModels(variables.get)))) as workbench:
            store = Store.open(path)
            yield Machine(Desk(workbench, server, path), store)
            store.close()


@settings(max_examples=6)
@given(data=st.data())
def test_no_role_is_sent_what_its_character_cannot_know(
    machine: Machine, data: st.DataObject
) -> None:
    """The same through the real machine: whatever the goals say, nothing leaks into a request.

    Who moves last may answer a question, and is told those that wait for an answer.
    """
    desk, store = machine
    story = data.draw(stories(most_people=4))
    branch = commit(store, story)
    desk.workbench.library.change_settings(
        store.library.story_of(branch).id,
        lambda _: StorySettings(goals=2, roles=3, rounds=2, chapter_cap=100),
    )
    goals = [
        data.draw(author_texts(story)) or "Nothing happens to anybody.",
        "Somebody goes away for long.",
    ]
    desk.server.answer = saying(goals=setting(goals), role=alone)
    desk.server.history.clear()

    desk.settle(desk.workbench.runs.start(branch, PlotChapters(is_autopilot=True)))

    chapter = len(story.deltas)
    whole = story.snapshot.model_copy(update={"chapter": chapter})
    relays = {
        view.goal.title: [turn.character for turn in view.candidate.turns]
        for view in desk.workbench.plot.candidates(branch, chapter)
    }
    speaking = [
        view for view in desk.workbench.story.prompts(branch, chapter, "plot") if view.about
    ]
    sent = {request_of(one): one for one in asked(desk.server, "role")}
    waiting = [one.title for one in whole.threads if one.state is ThreadState.PLANTED]
    assert speaking
    for view in speaking:
        [role] = [one for one in whole.characters if view.words == f"{one.name} speaks"]
        [body] = [json.dumps(one.body) for said, one in sent.items() if said in view.prompt]
        company = relays[view.about]
        led = [*goals, *waiting] if role.id == company[-1] else goals
        known = may_know(whole, role.id, company)
        known |= canaries_in(" ".join(led)) & may_be_led_to(whole)
        assert canaries_in(body) <= known, sorted(canaries_in(body) - known)


def setting(goals: Sequence[str]) -> Reply:
    """Set these goals."""
    titles = ("One way", "Another path")
    return say_json(
        {
            "goals": [
                {"title": title, "goal": goal, "moves": NOTHING}
                for title, goal in zip(titles, goals, strict=True)
            ]
        }
    )


def alone(sent: Sent) -> Reply:
    """Let a role act where nobody else is, toward nobody."""
    said = {
        "title": "A walk",
        "action": "Somebody walks along the wall for a while and comes back.",
        "place": enumerated(sent, "place")[-1],
        "new_place": "The long wall",
        "together_with": [],
        "because_of": NOTHING,
        "emotion": "calm",
        "consequence": "the evening passes",
        "changed": NOTHING,
        "change": NOTHING,
        "relationship": {"toward": NOTHING, "tie": "debt", "strength": 3},
        "newcomer": NOTHING,
        "newcomer_is": NOTHING,
        "closes": NOTHING,
        "opens": NOTHING,
    }
    return say_json({name: said[name] for name in (sent.schema or {})["properties"]})
