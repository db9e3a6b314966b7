"""What a role agent is told, and what it may name: never more than its character can know. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_flow.knowledge import Knowledge, knowledge_of, shown_to, wholly_shown_to
from graph_flow.memory import Chosen, Room, known_ties, recollect, within
from graph_flow.moves import Choices, choices_for
from graph_flow.prompting import Variables
from store.models.base import Record
from store.models.cast import Character, Life
from store.models.outline import SubEvent
from store.models.plot import Part, Thread
from store.models.prototype import Snapshot
from store.prototype.excerpts import Query

_MOST_TIES = 8
_MOST_PEOPLE = 8


class Entrance(Record):
    """Where a role comes in: the story with the chapter's draft so far, who is there, and what for.

    `company` are those whom a role may meet in the chapter: who plays, and whom the chapter brought
    in. `goal`, the titles of the `threads` that its move might answer, and the texts of the `parts`
    that the outline has for the chapter are the author's; a role is shown what it may be shown of
    them. `hidden` is the part of the story that they may have their words from.
    """

    draft: Snapshot
    hidden: Snapshot
    company: tuple[Character, ...]
    goal: str
    language: str
    threads: tuple[Thread, ...] = ()
    parts: tuple[SubEvent, ...] = ()


@dataclass(frozen=True)
class Briefing:
    """The variables of a role's prompt, and what its answer may name."""

    variables: Variables
    choices: Choices


def brief_role(entrance: Entrance, role: str, memory: Room) -> Briefing:
    """Return what the character with this id is told, with so much room for what it remembers.

    Raises:
        KeyError: if there is no such character.
    """
    draft = entrance.draft
    known = knowledge_of(draft, role, len(draft.events_of(draft.chapter)))
    company = [person.id for person in entrance.company]
    goal = shown_to(known, entrance.goal, company, draft, entrance.hidden)
    around = Query(text=goal or known.character.motivation, people=tuple(company))
    remembered = recollect(known, draft, around, memory)
    choices = _with_aims(
        choices_for(draft, known, entrance.company, remembered.items), entrance, known
    )
    memories = [
        f"{label} {line}" for label, line in zip(choices.events, remembered.lines, strict=True)
    ]
    texts = {part.id: part.text for part in entrance.parts}
    variables: Variables = {
        **_self(known.character),
        "language": entrance.language,
        "background": draft.foundation.background,
        "ties": known_ties(known, draft, company, Room(memory.tokens, _MOST_TIES)),
        "memories": Chosen(memories, remembered.lines.left_out),
        "people": _people(known, company),
        "others": list(choices.others),
        "places": list(choices.scenes),
        "goal": goal,
        "threads": list(choices.threads),
        "parts": [f"{label}. {texts[part]}" for label, part in choices.parts.items()],
        "has_moved": any(
            memory.chapter == draft.chapter and memory.part.part is Part.ACTS
            for memory in known.memories
        ),
    }
    return Briefing(variables, choices)


def _with_aims(choices: Choices, entrance: Entrance, known: Knowledge) -> Choices:
    """Return the choices with those threads and parts that a role may be shown as a whole."""
    if not (entrance.threads or entrance.parts):
        return choices
    texts = [one.title for one in entrance.threads] + [one.text for one in entrance.parts]
    company = [person.id for person in entrance.company]
    shown = set(wholly_shown_to(known, texts, company, entrance.draft, entrance.hidden))
    parts = [part.id for part in entrance.parts if part.text in shown]
    return replace(
        choices,
        threads={one.title: one.id for one in entrance.threads if one.title in shown},
        parts={f"P{at}": part for at, part in enumerate(parts, start=1)},
    )


def _self(me: Character) -> dict[str, str | Sequence[str]]:
    life = "" if me.life is Life.LIVING else me.life.value
    return {
        "name": me.name,
        "who": _listed(me.age, me.gender, me.occupation, me.affiliations),
        "personality": me.personality,
        "motivation": me.motivation,
        "condition": _listed(me.health, me.status, life),
        "secret": me.secrets,
        "traits": [
            f"{trait.name}: {trait.value}" if trait.value else trait.name for trait in me.traits
        ],
    }


def _people(known: Knowledge, company: Sequence[str]) -> Chosen:
    """Return whom a role knows, those first who are in the relay."""
    ordered = sorted(known.people, key=lambda person: person.id not in company)
    lines = (_listed(person.name, person.occupation) for person in ordered)
    return within(lines, Room(2_000, _MOST_PEOPLE))


def _listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
