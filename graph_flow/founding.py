"""From answers of stage 1 to entities, with a mark on what the agents invented. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graph_flow.answers.founding import CastAnswer, CharacterAnswer, FoundationAnswer, TiesAnswer
from store.ids import new_id
from store.models.cast import Character, Relationship
from store.models.plot import Foundation, Scene
from store.models.prototype import FOUNDATION_ID

_WORD = re.compile(r"\w+")
_NAME = re.compile(r"\b[A-Z][a-z'’-]+(?:\s+[A-Z][a-z'’-]+)*\b")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n\"“”]\s*)$")
_KEPT_SHARE = 0.6
"""A field counts as the writer's own where this share of its longer words is in the premise."""


def names_in(premise: str) -> list[str]:
    """Return what look like names in a premise: capitalized words within a sentence.

    Scripts without capitals give none; the agent then finds the names by itself.
    """
    found = [
        match.group()
        for match in _NAME.finditer(premise)
        if not _SENTENCE_START.search(premise[: match.start()]) or " " in match.group()
    ]
    return list(dict.fromkeys(found))[:8]


def foundation_from(answer: FoundationAnswer, premise: str) -> Foundation:
    """Return the foundation that an answer describes."""
    fields = {
        "background": answer.background,
        "long_term_goal": answer.long_term_goal,
        "themes": answer.themes,
        "tone": answer.tone,
    }
    return Foundation(id=FOUNDATION_ID, **fields, invented=_invented(fields.items(), premise))


def cast_from(answer: CastAnswer, premise: str) -> list[Character]:
    """Return the people that an answer describes, each name once."""
    by_name: dict[str, Character] = {}
    for person in answer.characters:
        by_name.setdefault(person.name.casefold(), _character(person, premise))
    return list(by_name.values())


def ties_from(answer: TiesAnswer, cast: Sequence[Character]) -> list[Relationship]:
    """Return the relationships that an answer describes between people of the cast.

    Nobody is tied to themselves, and of two equal ties the first counts.
    """
    ids = {person.name: person.id for person in cast}
    ties: dict[tuple[str, str, str], Relationship] = {}
    for tie in answer.relationships:
        if tie.source == tie.target:
            continue
        ties.setdefault(
            (tie.source, tie.target, tie.tie),
            Relationship(
                id=new_id(),
                source=ids[tie.source],
                target=ids[tie.target],
                tie=tie.tie,
                strength=tie.strength,
                awareness=tie.awareness,
                reason=tie.reason,
                invented=("awareness", "reason", "strength", "tie"),
            ),
        )
    return list(ties.values())


def scenes_from(answer: TiesAnswer) -> list[Scene]:
    """Return the first scenes that an answer describes, each name once."""
    scenes: dict[str, Scene] = {}
    for scene in answer.scenes:
        scenes.setdefault(
            scene.name.casefold(),
            Scene(
                id=new_id(),
                name=scene.name,
                place=scene.place,
                time=scene.time,
                atmosphere=scene.atmosphere,
                invented=("atmosphere", "name", "place", "time"),
            ),
        )
    return list(scenes.values())


def _character(person: CharacterAnswer, premise: str) -> Character:
    fields = {
        "name": person.name,
        "gender": person.gender,
        "age": person.age,
        "occupation": person.occupation,
        "personality": person.personality,
        "motivation": person.motivation,
        "secrets": person.secret,
    }
    return Character(id=new_id(), **fields, invented=_invented(fields.items(), premise))


def _invented(fields: Iterable[tuple[str, str]], premise: str) -> tuple[str, ...]:
    return tuple(sorted(name for name, text in fields if not is_from(text, premise)))


def is_from(text: str, premise: str) -> bool:
    """Return whether a text says mostly what the premise says, in the premise's own words."""
    folded = premise.casefold()
    if text.casefold() in folded:
        return True
    words = [word for word in _WORD.findall(text.casefold()) if len(word) > 3]
    if not words:
        return False
    return sum(word in folded for word in words) / len(words) >= _KEPT_SHARE
