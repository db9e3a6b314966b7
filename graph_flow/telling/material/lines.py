"""What the agents of a chapter's text are told of it when their model is able, line by line. Pure.

They know what the author knows. Whoever writes through somebody's eyes is told that person's
thoughts, and nobody else's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from graph_flow.cognition.knowledge import named_in
from graph_flow.cognition.memory import (
    BudgetedLines,
    PromptBudget,
    Retrieved,
    relationship_line,
    within,
)
from graph_flow.cognition.omniscient import author_line
from graph_flow.prompting.length import StoryLength, scaled
from graph_flow.prompting.spine import turns_near
from graph_flow.prompting.text import cut_inside, end_whole
from graph_flow.telling.material.facts import Fact, learners_of
from graph_flow.telling.scenes import people_in
from store.deltas.names import Names
from store.deltas.sentences import describe
from store.models.base import WHOLE
from store.models.cast import Character, Relationship
from store.models.delta import Delta
from store.models.fields import shown_fields
from store.models.manuscript import FactKey, PartTime, PlannedScene, SceneMode, WritingPlan
from store.models.plot import Event, Part, Participation, Scene, Thread
from store.models.prototype import Snapshot

PREMISE, WORLD, WHOLE_PREMISE = 700, 800, 4_000
"""Characters of the premise and of the world that the prompts hold; of a premise that is told at once."""
_SPINE = {StoryLength.SHORT: 2_800, StoryLength.MIDDLE: 650, StoryLength.LONG: 310}
_TURNING = {StoryLength.SHORT: 2_800, StoryLength.MIDDLE: 1_700, StoryLength.LONG: 1_000}
_LAST, _HOLDING = 2_400, 1_000
"""Characters of each part of the spine; of its turns on the way, of its ending in the last chapter, and of what
must hold; in a short story, of any."""
_LOOSE_NUMBER = re.compile(r"\s+\d+[.)]$")
_FACT, _LEAST_FACT, _FACTS, _TOLD_FACT = 900, 140, 3_200, 900
"""Characters of a fact, at least of one, of all together, and of one that a scene tells."""
_KNOWN = 240
"""Characters in which it is said who knows one."""
_EVENTS, _LEAST_EVENT, _BRIEF_EVENT = 5_000, 160, 160
"""Characters of all events of a chapter together and, at least, of one; and of one in brief."""
_SEEN = 0.65
"""What is seen of an event has this share of the room that what is said leaves, at most."""
_LINE = 170
_SAID = {
    "voice": 320,
    "history": 320,
    "secrets": 300,
    "motivation": 240,
    "arc": 240,
    "personality": 160,
    "status": 160,
    "fear": 140,
    "misbelief": 140,
}
"""Characters of each thing that is said of a person, if there is room for all."""
_LEAST_SAID = 60
_PLACE, _MOST_PLACES = 240, 10
_ABSENT, _MOST_ABSENT = 420, 4
_NOT_OF_ABSENT = ("arc", "fear", "misbelief", "secrets")
"""Characters in which somebody absent is described, how many are, and what is not said of them."""
_NOT_ON_PAGE = ("arc", "fear", "misbelief", "motivation", "voice")
"""What is not said of somebody where only what a text could contradict matters."""
_TIES = PromptBudget(tokens=320, lines=9)
_LOCKED = PromptBudget(tokens=200, lines=10)
_CHANGES = PromptBudget(tokens=220, lines=8)

_TIMES: Mapping[PartTime, str] = {
    PartTime.FLASHBACK: "It is a flashback: it happened earlier, and the people in it know only what they "
    "knew then.",
    PartTime.FLASH_FORWARD: "It is a flash-forward: a glimpse of what is still to come, which shows "
    "something and does not explain it.",
    PartTime.FRAME: "It is the frame of the story, from which somebody looks back on it.",
}
"""What a scene is told as, where it is not in the present of its telling."""
_PARTS = {
    Part.ACTS: "acts",
    Part.IS_AFFECTED: "is affected",
    Part.WITNESSES: "watches",
    Part.IS_TOLD: "hears of it later",
}


def cut(text: str, most: int) -> str:
    """Return a text up to its last whole sentence or word within a number of characters."""
    return end_whole(text[:most], most)


def labelled(letter: str, lines: Iterable[str], budget: PromptBudget) -> BudgetedLines:
    """Return the first lines that fit, each with a label: "F1. …"."""
    return within((f"{letter}{at}. {line}" for at, line in enumerate(lines, start=1)), budget)


def fact_lines(facts: Sequence[Fact], together: int = _FACTS) -> list[str]:
    """Return facts on a line each: the more there are, the shorter, so that none is left out."""
    most = max(_LEAST_FACT, min(_FACT, together // max(1, len(facts))))
    return [cut_inside(fact.text, most) for fact in facts]


def known_fact_lines(facts: Sequence[Fact], together: int = _FACTS) -> list[str]:
    """Return facts on a line each, with who knows them, for whoever decides how they come out."""
    known = [f" ({cut(fact.known, _KNOWN)})" if fact.known else "" for fact in facts]
    lines = fact_lines(facts, together - sum(map(len, known)))
    return [line + who for line, who in zip(lines, known, strict=True)]


def spine_lines(
    snapshot: Snapshot, chapter: int, *, is_last: bool, length: StoryLength
) -> list[str]:
    """Return what lies behind the story and where it goes; nothing if it has no spine.

    How it ends has most room in the last chapter, and where it turns in the others, of which those
    that are near the chapter stay; a short story has room for all of it.
    """
    spine, room = snapshot.spine, max(_SPINE[length], 0 if is_last else _TURNING[length])
    parts = {
        "What is really the case": snapshot.foundation.truth,
        "Where the story turns": turns_near(spine.turns, chapter, lambda text: len(text) <= room),
        "What must hold until its time": spine.holds,
        "What nobody can put off in the end": spine.crisis,
        "What the end costs": spine.cost,
        "How it ends": spine.ending or snapshot.foundation.long_term_goal,
        "What the reader sees last": spine.last_image,
    }
    most = {
        "What must hold until its time": _HOLDING,
        **({"How it ends": _LAST} if is_last else {"Where the story turns": _TURNING[length]}),
    }
    usual = _SPINE[length]
    return [
        f"{name}: {_LOOSE_NUMBER.sub('', cut(text, max(usual, most.get(name, 0))))}"
        for name, text in parts.items()
        if text
    ]


def event_lines(
    snapshot: Snapshot, events: Sequence[Event], first: int = 1, together: int = _EVENTS
) -> list[str]:
    """Return the events of a chapter with everything that is known of them, thoughts included.

    `first` is the number in the label of the first of them; `together` bounds their characters.
    """
    most = max(_LEAST_EVENT, together // max(1, len(events)))
    everybody = {person.id for person in snapshot.characters}
    return [
        f"C{at} ({where_and_who(snapshot, event)}): {_told(snapshot, event, everybody, most)}"
        for at, event in enumerate(events, start=first)
    ]


def place_lines(snapshot: Snapshot, events: Iterable[Event]) -> list[str]:
    """Return the places of some events, each once, with what is known of them."""
    places = (snapshot.scene_of(event.id) for event in events)
    said = (
        ". ".join(filter(None, (f"{one.name}: {one.place}".rstrip(": "), one.atmosphere)))
        for one in places
        if one is not None
    )
    return [cut(text, _PLACE) for text in list(dict.fromkeys(said))[:_MOST_PLACES]]


def where_and_who(snapshot: Snapshot, event: Event) -> str:
    """Return where an event happens and who has which part in it: "The quay; Mara acts"."""
    place = snapshot.scene_of(event.id)
    return "; ".join(filter(None, (place.name if place else "", _who(snapshot, event))))


def _who(snapshot: Snapshot, event: Event) -> str:
    return ", ".join(
        f"{snapshot.get(Character, part.character).name} {_PARTS[part.part]}"
        for part in snapshot.participations_in(event.id)
    )


def _told(snapshot: Snapshot, event: Event, minds: Collection[str], most: int) -> str:
    """Return what happens in an event, with the thoughts of the people whose minds are open.

    If that is too long, what is said stays whole: a scene turns on it more often than on a gesture.
    """
    felt = filter(
        None, (_felt(snapshot, part, minds) for part in snapshot.participations_in(event.id))
    )
    more = [*felt, *([f"It leads to: {event.consequences}"] if event.consequences else [])]
    said = f"Said: {event.spoken}" if event.spoken else ""
    room = max(_LEAST_EVENT, most - len(said))
    seen = cut(event.summary, int(room * _SEEN) if more else room)
    rest = cut(" | ".join(more), max(_LEAST_SAID, room - len(seen)))
    return " | ".join(filter(None, (seen, said, rest)))


def _felt(snapshot: Snapshot, part: Participation, minds: Collection[str]) -> str:
    is_open = part.character in minds
    said = {
        "feels": part.emotion,
        "thinks:": part.inner if is_open else "",
        "comes to believe:": part.learned if is_open else "",
        "is left with:": part.impact,
    }
    felt = "; ".join(f"{verb} {text}" for verb, text in said.items() if text)
    return f"{snapshot.get(Character, part.character).name} {felt}" if felt else ""


def change_lines(delta: Delta, snapshot: Snapshot) -> BudgetedLines:
    """Return what a chapter changes of people and of what lies between them."""
    changed = {change.id for change in delta.changes if change.before is not None}
    kinds = {"character", "relationship"}
    said = [
        one.text
        for one in describe(delta, snapshot)
        if one.kind in kinds and set(one.ids) & changed
    ]
    return within((cut(text, 2 * _LINE) for text in said), _CHANGES)


def people_lines(people: Sequence[Character], seeing: Collection[str], most: int) -> list[str]:
    """Return who is in a chapter, in the author's words, within a number of characters.

    Nobody is left out: the more people there are, the less is said of each, and most of those who
    see what happens, whose ids are given.
    """
    shares = sum(_share(one, seeing) for one in people)
    return [_shortened(one, most * _share(one, seeing) // shares) for one in people]


def _share(person: Character, seeing: Collection[str]) -> int:
    return 2 if person.id in seeing else 1


def _shortened(person: Character, most: int) -> str:
    """Return a person on one line; if it is too long, each thing said of them is shortened alike."""
    said = {field: cut(getattr(person, field), room) for field, room in _SAID.items()}
    left = most - len(author_line(person.model_copy(update=dict.fromkeys(_SAID, ""))))
    share = min(1.0, left / max(1, sum(map(len, said.values()))))
    if share < 1:
        said = {
            field: cut(text, max(_LEAST_SAID, int(len(text) * share)))
            for field, text in said.items()
        }
    return author_line(person.model_copy(update=said))


def absent_lines(snapshot: Snapshot, plan: WritingPlan, there: Collection[str]) -> Iterator[str]:
    """Yield who is spoken or thought of in a plan without being there: in a sentence or two each."""
    events = _events_told(plan, snapshot)
    texts = [plan.withheld, *(scene.beat for scene in plan.scenes)]
    texts += [f"{event.summary} {event.spoken} {event.consequences}" for event in events]
    absent = [person for person in snapshot.characters if person.id not in there]
    named = named_in(" ".join(texts), absent)
    for person in [one for one in absent if one.id in named][:_MOST_ABSENT]:
        short = person.model_copy(update=dict.fromkeys(_NOT_OF_ABSENT, ""))
        yield cut(author_line(short), _ABSENT)


def known_of(people: Iterable[Character], untold: Iterable[FactKey]) -> Iterator[Character]:
    """Yield people with what a text must not contradict: who they are, and what the reader knows of them."""
    hidden = set(untold)
    for person in people:
        kept = dict.fromkeys(_NOT_ON_PAGE, "")
        if f"secret:{person.id}" in hidden:
            kept["secrets"] = ""
        if f"history:{person.id}" in hidden:
            kept["history"] = ""
        yield person.model_copy(update=kept)


def locked_lines(snapshot: Snapshot) -> BudgetedLines:
    """Return what the writer has locked of whatever is in a snapshot, a line each."""
    return within(_locked(snapshot), _LOCKED)


def _locked(snapshot: Snapshot) -> Iterator[str]:
    names = Names(snapshot, Delta())
    for one in snapshot.entities.values():
        fields = shown_fields(type(one))
        for name in fields if WHOLE in one.locked else one.locked:
            text = getattr(one, name, "")
            if name in fields and type(text) is str and text:
                yield f"{names.label(one)}: {fields[name].label}: {cut(text, _LINE)}"


def without_told(people: Iterable[Character], plan: WritingPlan) -> list[Character]:
    """Return people without what the plan's scenes say of them, and without arcs, which no text states."""
    told = set(plan.reveals)
    return [
        person.model_copy(
            update={
                "arc": "",
                "secrets": "" if f"secret:{person.id}" in told else person.secrets,
                "history": "" if f"history:{person.id}" in told else person.history,
            }
        )
        for person in people
    ]


def tie_lines(snapshot: Snapshot, people: Collection[str]) -> BudgetedLines:
    """Return what some people feel for others, the absent among them, the strongest first."""
    ties: list[Relationship] = [
        tie
        for tie in snapshot.relationships
        if tie.source in people and {tie.source, tie.target} <= snapshot.entities.keys()
    ]
    ties.sort(key=lambda tie: (tie.target not in people, -tie.strength))
    return within((cut(relationship_line(snapshot, tie), 2 * _LINE) for tie in ties), _TIES)


def then_lines(then: Snapshot, now: Snapshot, scene: PlannedScene) -> Iterator[str]:
    """Yield how the people in a scene are at its time, and what they feel, where that is otherwise."""
    events = [then.get(Event, one) for one in scene.events if one in then.entities]
    people = people_in(then, events)
    for person in people:
        if now.entities.get(person.id) != person:
            short = person.model_copy(update=dict.fromkeys(_NOT_OF_ABSENT, ""))
            yield f"As they are then: {cut(author_line(short), _ABSENT)}"
    ids = {person.id for person in people}
    for tie in then.relationships:
        if {tie.source, tie.target} <= ids and now.entities.get(tie.id) != tie:
            yield f"What they feel then: {cut(relationship_line(then, tie), 2 * _LINE)}"


def told_lines(past: Retrieved, is_told: Callable[[str, int], bool]) -> BudgetedLines:
    """Return the lines of the past events that are told, by id and chapter, and not from before the story."""
    lines = [
        line
        for event, line in zip(past.events, past.lines, strict=True)
        for chapter in [past.snapshot.first_chapter_of(event.id)]
        if chapter and is_told(event.id, chapter)
    ]
    return BudgetedLines(lines, past.lines.left_out)


class Detail(Enum):
    """How much is told of what happens in a scene: of a longer story, not how each thing is done."""

    WHOLE = "whole"
    MAIN = "main"
    BRIEF = "brief"


_TOGETHER = {Detail.WHOLE: _EVENTS, Detail.MAIN: 1_600}
"""Characters of all events of a chapter of the usual length, as its writer is told them."""


@dataclass(frozen=True)
class SceneMaterial:
    """What scenes are told from, and in how much detail.

    `then` says what is otherwise at the time of a scene, by its position.
    """

    snapshot: Snapshot
    facts: Iterable[Fact]
    then: Mapping[int, Sequence[str]] = field(default_factory=dict)
    detail: Detail = Detail.WHOLE


def scene_blocks(plan: WritingPlan, material: SceneMaterial) -> list[str]:
    """Return each scene of a plan as its writer needs it; in brief, as its reviewer does.

    An event that several scenes share is told whole in the first of them, and so is a place.
    """
    planned = _planned(plan, material)
    before = [
        {one for scene in plan.scenes[:position] for one in (scene.scene, *scene.events)}
        for position in range(len(plan.scenes))
    ]
    return [_block(planned, position, known) for position, known in enumerate(before)]


def scene_block(plan: WritingPlan, position: int, material: SceneMaterial) -> str:
    """Return one scene of a plan as somebody needs it who writes it without having the others."""
    return _block(_planned(plan, material), position, ())


@dataclass(frozen=True)
class _Planned:
    """A plan, what its facts say, and how many characters an event may take."""

    plan: WritingPlan
    snapshot: Snapshot
    facts: Mapping[FactKey, str]
    then: Mapping[int, Sequence[str]]
    event: int
    is_brief: bool


def _planned(plan: WritingPlan, material: SceneMaterial) -> _Planned:
    is_brief = material.detail is Detail.BRIEF
    room = _FACT if is_brief else _TOLD_FACT
    events = {event for scene in plan.scenes for event in scene.events}
    return _Planned(
        plan=plan,
        snapshot=material.snapshot,
        facts={fact.key: cut(fact.text, room) for fact in material.facts},
        then=material.then,
        event=_BRIEF_EVENT
        if is_brief
        else _room_of_event(plan, len(events), _TOGETHER[material.detail]),
        is_brief=is_brief,
    )


def _room_of_event(plan: WritingPlan, events: int, together: int) -> int:
    """Return the characters that each event of a plan may take: the longer its text, the more."""
    return max(_LEAST_EVENT, scaled(together, plan.words) // max(1, events))


def _block(planned: _Planned, position: int, before: Collection[str | None]) -> str:
    scene, facts = planned.plan.scenes[position], planned.facts
    lines = [
        _heading(position + 1, planned, is_new=scene.scene not in before),
        *([_TIMES[scene.time]] if scene.time in _TIMES else []),
        *planned.then.get(position, ()),
        *_before_events(scene, planned.snapshot),
        *_events_of(planned, scene, before),
        *(
            f"{_learning(planned.snapshot, scene, key)}: {facts[key]}"
            for key in scene.reveals
            if key in facts
        ),
        *_aims(scene, planned.snapshot),
    ]
    return "\n".join(lines)


def _learning(snapshot: Snapshot, scene: PlannedScene, key: FactKey) -> str:
    names = learners_of(snapshot, scene, key)
    return f"The reader learns, with {', '.join(names)}" if names else "The reader learns"


def _heading(number: int, planned: _Planned, *, is_new: bool) -> str:
    plan, scene = planned.plan, planned.plan.scenes[number - 1]
    place = planned.snapshot.entities.get(scene.scene or "")
    where = scene.where
    if isinstance(place, Scene):
        mood = place.atmosphere if is_new else ""
        where = ", ".join(filter(None, (scene.where or place.name, mood)))
    kind = "Summary" if scene.mode is SceneMode.SUMMARY else "Scene"
    return f"{number}. {kind}, about {plan.words_of(scene)} words" + (f". {where}" if where else "")


def _before_events(scene: PlannedScene, snapshot: Snapshot) -> Iterator[str]:
    eyes = snapshot.entities.get(scene.point_of_view or "")
    if isinstance(eyes, Character):
        yield f"Through the eyes of: {eyes.name}"
    if scene.beat:
        yield f"What it does: {scene.beat}"


def _events_of(
    planned: _Planned, scene: PlannedScene, before: Collection[str | None]
) -> Iterator[str]:
    """Yield what happens in a scene, with the thoughts of the one through whose eyes it is seen."""
    snapshot = planned.snapshot
    eyes = scene.point_of_view or ""
    minds = {eyes} if eyes in snapshot.entities else {one.id for one in snapshot.characters}
    for id_ in scene.events:
        if id_ not in snapshot.entities:
            continue
        event = snapshot.get(Event, id_)
        if planned.is_brief:
            yield f"- {cut(event.summary, planned.event)}"
        elif id_ in before:
            yield f"- (it goes on, see above) {cut(event.summary, _BRIEF_EVENT)}"
        else:
            yield f"- ({_who(snapshot, event)}) {_told(snapshot, event, minds, planned.event)}"


def _aims(scene: PlannedScene, snapshot: Snapshot) -> Iterator[str]:
    for item in scene.recall:
        event = snapshot.entities.get(item.event)
        what = item.why or (event.summary if isinstance(event, Event) else "")
        if what:
            yield f"It touches: {cut(what, _LINE)}"
    for cue in scene.threads:
        thread = snapshot.entities.get(cue.thread)
        title = thread.title if isinstance(thread, Thread) else ""
        if title or cue.how:
            yield f"It is to {cue.move.value}: {': '.join(filter(None, (title, cue.how)))}"


def people_told(plan: WritingPlan, snapshot: Snapshot) -> list[Character]:
    """Return everybody in a plan's scenes, those through whose eyes they are seen first."""
    eyes = [scene.point_of_view for scene in plan.scenes]
    there = [person.id for person in people_in(snapshot, _events_told(plan, snapshot))]
    ids = dict.fromkeys(one for one in (*eyes, *there) if one in snapshot.entities)
    return [snapshot.get(Character, one) for one in ids if one]


def _events_told(plan: WritingPlan, snapshot: Snapshot) -> list[Event]:
    told = dict.fromkeys(event for scene in plan.scenes for event in scene.events)
    return [snapshot.get(Event, one) for one in told if one in snapshot.entities]
