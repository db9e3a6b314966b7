"""Booklets: what each player knows before the evening and learns in each round, and nothing else. Pure.

All that stands in one comes from `knowledge_of` its person as of that part, from what anybody can see
of those who are there, and from fixed words; so no booklet can hold what another person hides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph_flow.cognition.knowledge import Knowledge, Memory, Outward, knowledge_of
from graph_flow.cognition.memory import PromptBudget, own_ties
from graph_flow.cognition.omniscient import years_words
from graph_flow.telling.mystery.case import Case
from store.models.cast import Character, Life
from store.models.plot import Part
from store.models.prototype import Snapshot
from store.text import capital

_ALL = PromptBudget(1_000_000, 10_000)
_ENDS = ".!?…。！？”\"'’)"

BEGINNING = "Before the evening"
WHO, PAST, WANTS, FEARS, HIDES, SURE = (
    "Who you are",
    "What lies behind you",
    "What you want",
    "What you fear",
    "What you hide",
    "What you are sure of",
)
TIES, KNOWS, LEARNS, NOW, HERE, RULES = (
    "What others are to you",
    "What you know of what happened",
    "What you learn now",
    "How you are now",
    "Who is here, and of whom everybody speaks",
    "What you may say",
)
_NOTHING_NEW = (
    "Nothing new. Look at the clues of this round, ask the others, and think about who gains by what "
    "you are told."
)
_OPEN = "You may say whatever you like of what stands here, and leave out what you like."
_KEPT_BACK = (
    "What you hide is yours to keep. You may evade questions about it, and lie; if a clue proves it, "
    "admit it."
)
_HONEST = "What you saw and heard you do not make up: ask yourself whom you tell it, and when."
_DID_IT = (
    "You did it, and need not say so. You may lie about everything, but not about what a clue on the "
    "table proves."
)


@dataclass(frozen=True)
class Section:
    """Lines under a heading; none of them is empty."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class BookletPart:
    """What a player reads at a time: before the evening, or as a round begins."""

    title: str
    sections: tuple[Section, ...]
    knows: Knowledge
    """What the person can know by then."""
    has_news: bool = True
    """Whether there is anything in it that is this person's own."""


@dataclass(frozen=True)
class Booklet:
    """The booklet of one player; the first part is before the evening, then comes one for each round."""

    person: Character
    parts: tuple[BookletPart, ...]


def round_title(number: int) -> str:
    """Return what a round is called."""
    return f"Round {number}"


def booklet_of(case: Case, person: Character) -> Booklet:
    """Return the booklet of somebody who plays."""
    known = [knowledge_of(state, person.id) for state in case.states]
    there = public_people(case)
    parts = [_first(case, known[0], there)]
    for number, (before, now) in enumerate(pairwise(known), start=1):
        parts.append(_round(number, before, now, case.states[number]))
    return Booklet(known[0].character, tuple(parts))


def public_people(case: Case) -> tuple[Outward, ...]:
    """Return what everybody sees of those who play, and of the victim."""
    there = [*case.players, *([case.victim] if case.victim else [])]
    return tuple(
        Outward(id=one.id, name=one.name, gender=one.gender, age=one.age, occupation=one.occupation)
        for one in there
    )


def _first(case: Case, known: Knowledge, there: Sequence[Outward]) -> BookletPart:
    me = known.character
    told = {
        WHO: _who(me, known.world),
        PAST: [me.history],
        WANTS: [me.motivation],
        FEARS: [me.fear],
        HIDES: [me.secrets],
        SURE: [me.misbelief],
        TIES: list(own_ties(known, case.beginning, (), _ALL)),
        KNOWS: [memory_words(one) for one in known.memories],
        HERE: [_seen(one) for one in there if one.id != me.id],
        RULES: list(_rules(case, known)),
    }
    return BookletPart(BEGINNING, _sections(told), known)


def _round(number: int, before: Knowledge, now: Knowledge, state: Snapshot) -> BookletPart:
    me = now.character
    old = {one.event.id: one for one in before.memories}
    news = [memory_words(one) for one in now.memories if old.get(one.event.id) != one]
    known_ties = _tie_lines(before, state)
    ties = [one for one in own_ties(now, state, (), _ALL) if one not in known_ties]
    changed = [
        getattr(me, field)
        for field in ("status", "health", "motivation", "secrets", "fear")
        if getattr(me, field) != getattr(before.character, field)
    ]
    told = {LEARNS: news, TIES: ties, NOW: changed}
    has_news = any(map(any, told.values()))
    if not has_news:
        told[LEARNS] = [_NOTHING_NEW]
    return BookletPart(round_title(number), _sections(told), now, has_news)


def _tie_lines(known: Knowledge, state: Snapshot) -> set[str]:
    """Return the lines of the ties that somebody had before, as far as their people are still there."""
    people = {one.id for one in state.characters}
    there = known.model_copy(
        update={
            "toward": tuple(one for one in known.toward if one.target in people),
            "known_of_others": tuple(one for one in known.known_of_others if one.source in people),
        }
    )
    return set(own_ties(there, state, (), _ALL))


def _sections(told: dict[str, list[str]]) -> tuple[Section, ...]:
    kept = {heading: tuple(filter(None, lines)) for heading, lines in told.items()}
    return tuple(Section(heading, lines) for heading, lines in kept.items() if lines)


def _who(me: Character, world: str) -> list[str]:
    who = ", ".join(filter(None, (me.age, me.gender, me.occupation, me.affiliations)))
    life = "" if me.life is Life.LIVING else me.life.value
    return [
        f"You are {me.name}" + (f": {who}." if who else "."),
        me.personality,
        ", ".join(filter(None, (me.health, me.status, life))),
        "; ".join(f"{one.name}: {one.value}" if one.value else one.name for one in me.traits),
        f"How you talk: {me.voice}" if me.voice else "",
        world,
    ]


def _seen(one: Outward) -> str:
    how = ", ".join(filter(None, (one.age, one.gender, one.occupation)))
    return f"{one.name}: {how}" if how else one.name


def _rules(case: Case, known: Knowledge) -> Iterator[str]:
    yield _OPEN
    if known.character.secrets:
        yield _KEPT_BACK
    yield _DID_IT if knows_own_deed(case, known) else _HONEST


def knows_own_deed(case: Case, known: Knowledge) -> bool:
    """Return whether somebody did it, and remembers it."""
    if case.crime is None or known.character.id not in case.culprit_ids:
        return False
    return any(
        one.event.id == case.crime.id and one.part.part is Part.ACTS for one in known.memories
    )


def memory_words(memory: Memory) -> str:
    """Return an event as one person remembers it, in the second person."""
    event, own = memory.event, memory.part
    when = _when(memory)
    if not memory.is_lived:
        return _joined(f"{when}You were told: {event.summary or event.title}")
    place = f"({memory.scene.name})" if memory.scene else ""
    told = {
        "": " ".join(filter(None, (event.summary or event.title, place, event.spoken))),
        "Then:": event.consequences if event.consequences != own.impact else "",
        "You felt:": own.emotion,
        "You thought:": own.inner,
        "For you:": own.impact,
        "You came to believe:": own.learned,
    }
    return _joined(when, *(f"{word} {text}".strip() for word, text in told.items() if text))


def _when(memory: Memory) -> str:
    order, date = memory.event.story_order, memory.event.story_date
    if date:
        return f"{date}: "
    if order is not None and order < 0:
        return f"{capital(years_words(-order))} ago: "
    return ""


def _joined(*parts: str) -> str:
    said = [part.strip() for part in parts if part.strip()]
    return " ".join(part if part[-1] in _ENDS + ":" else f"{part}." for part in said)
