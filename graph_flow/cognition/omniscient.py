"""People and their past in lines for agents that know everything, as no role does. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from typing import TypeVar

from graph_flow.llm.tokens import estimate_tokens
from store.models.cast import Character, Life
from store.models.fields import shown_fields
from store.models.plot import Event, Part, Spine
from store.models.prototype import Snapshot
from store.text import clip

AimLine = Callable[[Character], str]
"""How a person is told of on one line."""
L = TypeVar("L", bound=Sequence[str])

BETWEEN = " || "
"""What stands between two turns that are told on one line."""
_LISTED = frozenset({"turns", "holds"})

_LEARNED = 160
"""Characters that are shown of what somebody was told."""
_LESS, _LEAST = frozenset({"fears", "history"}), frozenset({"fears", "history", "arc"})
_TELLINGS: tuple[tuple[int, Set[str]], ...] = (
    *((most, frozenset()) for most in (400, 300, 220, 170, 130, 100)),
    *((most, _LESS) for most in (130, 110, 90)),
    *((most, _LEAST) for most in (110, 90, 70, 50)),
)
"""Characters of each thing that drives a person, and what is left out of them, tried one after the other until
all people fit: a few things that can be understood are better than the beginnings of many."""


def author_line(person: Character) -> str:
    """Return all that an author needs of a person, on one line; what is empty is left out."""
    who = ", ".join(filter(None, (person.age, person.gender, person.occupation)))
    life = "" if person.life is Life.LIVING else person.life.value
    facts = {
        "": person.personality,
        "now": ", ".join(filter(None, (life, person.health, person.status))),
        "history": person.history,
        "wants": person.motivation,
        "fears": person.fear,
        "wrongly believes": person.misbelief,
        "hides": person.secrets,
        "speaks": person.voice,
        "arc": person.arc,
    }
    said = [f"{name}: {text}" if name else text for name, text in facts.items() if text]
    return (
        f"{person.name} ({who}). {' | '.join(said)}"
        if who
        else f"{person.name}. {' | '.join(said)}"
    )


def aim_line(person: Character, most: int = 170, without: Set[str] = frozenset()) -> str:
    """Return what drives a person, on one line, for an author who decides what happens next.

    Of each thing that is said of them, `most` characters are shown; some things can be left out.
    """
    life = "" if person.life is Life.LIVING else person.life.value
    facts = {
        "": ", ".join(filter(None, (person.occupation, person.personality))),
        "now": ", ".join(filter(None, (life, person.health, person.status))),
        "wants": person.motivation,
        "fears": person.fear,
        "hides": person.secrets,
        "history": person.history,
        "arc": person.arc,
    }
    said = [
        clip(f"{name}: {text}" if name else text, most)
        for name, text in facts.items()
        if text and name not in without
    ]
    return f"{person.name}: {' | '.join(said)}"


def aim_lines(tell: Callable[[AimLine], L], tokens: int) -> L:
    """Return what drives some people, with as much of it as fits into so many tokens.

    `tell` returns their lines, given how one is told.
    """
    for most, without in _TELLINGS:
        lines = tell(partial(aim_line, most=most, without=without))
        if sum(map(estimate_tokens, lines)) <= tokens:
            break
    return lines


def spine_lines(spine: Spine) -> dict[str, str]:
    """Return where a story goes, a line for each thing that is decided, by field.

    Turns, and what must hold, stay apart from one another, so that whoever writes them anew keeps them so.
    """
    return {
        name: f"{field.label}: {text}"
        for name, field in shown_fields(Spine).items()
        if (text := _on_one_line(str(getattr(spine, name)), BETWEEN if name in _LISTED else " "))
    }


def _on_one_line(text: str, between: str) -> str:
    return between.join(filter(None, (" ".join(line.split()) for line in text.splitlines())))


def past_lines(snapshot: Snapshot) -> dict[str, str]:
    """Return what happened before the story, the oldest first, each with who knows of it, by id."""
    return {event.id: past_line(snapshot, event) for event in past_events(snapshot)}


def past_events(snapshot: Snapshot) -> list[Event]:
    """Return what happened before the story, the oldest first."""
    return sorted(snapshot.events_of(0), key=lambda event: (event.story_order or 0, event.position))


def past_line(snapshot: Snapshot, event: Event) -> str:
    """Return an event of the past on one line: when, what, and who knows of it."""
    return f"{past_words(event)} ({known_by(snapshot, event)})"


def past_words(event: Event) -> str:
    """Return when an event of the past was, and what happened."""
    when = f"{years_words(-event.story_order)} before: " if event.story_order else ""
    return f"{when}{event.title}: {event.summary}"


def known_by(snapshot: Snapshot, event: Event) -> str:
    """Say who knows the whole of an event, and what others were told instead of it."""
    return "; ".join(_known_by(snapshot, event)) or "nobody here knows"


def _known_by(snapshot: Snapshot, event: Event) -> Iterator[str]:
    """Yield who knows the whole of an event, and what others were told instead of it."""
    whole: list[str] = []
    told: list[str] = []
    for one in snapshot.participations_in(event.id):
        if one.character not in snapshot.entities:
            continue
        name = snapshot.get(Character, one.character).name
        if one.part is Part.IS_TOLD and one.learned:
            told.append(f"{name} was told: {clip(one.learned, _LEARNED).rstrip('.')}")
        else:
            whole.append(name)
    if whole:
        yield f"known to {', '.join(whole)}"
    yield from told


def years_words(years: float) -> str:
    """Return a number of years in words: "19 years", "some months", "some days".

    Eleven years and a half are eleven, as people say it.
    """
    if years >= 1:
        whole = int(years + 0.25)
        return "a year" if whole == 1 else f"{whole} years"
    return "some months" if years > 0.1 else "some days"
