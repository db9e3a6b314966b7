"""From the answers of stage 1 to entities, marked as invented or the writer's own; what a redraft keeps. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from graph_flow.founding.answers import (
    CastAnswer,
    CharacterAnswer,
    FoundationAnswer,
    PersonAnswer,
    RelationshipsAnswer,
    ScenesAnswer,
    pairs_of,
)
from store.deltas.locks import is_locked
from store.deltas.names import references
from store.models.base import WHOLE, new_id
from store.models.cast import Character, Relationship
from store.models.plot import Foundation, Scene
from store.models.prototype import FOUNDATION_ID, Snapshot
from store.text import name_key

_WORD = re.compile(r"\w+")
_BIG = "A-ZÀ-ÖØ-ÞŁŚŠŞŻŹŽČĆĐŐŰİĞА-ЯЁΑ-Ω"
_SMALL = r"[^\W\d_A-ZÀ-ÖØ-ÞА-ЯЁΑ-Ω]"
_NAME_WORD = rf"[{_BIG}](?:['’][{_BIG}])?{_SMALL}+(?:-[{_BIG}]?{_SMALL}+|['’][{_BIG}]{_SMALL}+)*"
_NAME = re.compile(rf"\b{_NAME_WORD}(?:\s+{_NAME_WORD})*\b")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n\"“”]\s*)$")
_PLACE_WORD = re.compile(
    r"\b(?:in|at|near|on|of|into|across|through|around|from \w+ to|to the|from the)\s+(?:the\s+)?$"
    r"|\b(?:sails?|goes|travels?|rides?|comes?|home) (?:from|to)\s+$",
    re.IGNORECASE,
)
_ARTICLES = frozenset({"The", "A", "An", "This", "That", "Every", "Each", "No"})
_OPENERS = frozenset(
    "After Also And As Before But Every For Here However If Later Meanwhile Now Once One Only Or Since"
    " So Soon Still Then There Today Tomorrow Tonight Until When Where While With Years".split()
)
"""English words that begin a sentence without being part of a name that follows."""
_LOOK_BACK = 80
"""How many characters before a name show whether it begins a sentence, or is a place."""
_MOST_NAMES = 6
_CAST = 4
"""People in a first cast, unless the premise names more; the writer can add others."""

_MOST_WORDS = 4
"""More capitalized words in a row than this are a heading, or a sentence in title case."""
_KEPT_SHARE = 0.6
"""A field counts as the writer's own if this share of its longer words is in the premise."""


def names_in(premise: str) -> list[str]:
    """Return what look like people's names in a premise.

    Capitalized words count inside a sentence. At its beginning they count only if there are
    several, if a comma or an apostrophe follows, or if the word occurs again. After a word that
    indicates a place they do not count. Scripts without capitals yield no names: the agent then
    finds them on its own.
    """
    found = list(_NAME.finditer(premise))
    said = Counter(match.group() for match in found)
    told = (_name_of(match, premise, said) for match in found)
    names = list(dict.fromkeys(name for name in told if name))
    whole = [name for name in names if not any(_is_part_of(name, other) for other in names)]
    return whole[:_MOST_NAMES]


def _name_of(match: re.Match[str], premise: str, said: Mapping[str, int]) -> str:
    """Return the name that capitalized words form, or an empty text if they form none."""
    before = premise[max(0, match.start() - _LOOK_BACK) : match.start()]
    after = premise[match.end() : match.end() + 2]
    words = match.group().split()
    if _PLACE_WORD.search(before) or len(words) > _MOST_WORDS:
        return ""
    if not _SENTENCE_START.search(before):
        return match.group()
    if len(words) > 1:
        return (
            "" if words[0] in _ARTICLES | {"At", "In"} else " ".join(words[words[0] in _OPENERS :])
        )
    is_name = after.startswith((",", "'s", "’s")) or said[match.group()] > 1
    return match.group() if is_name and words[0] not in _ARTICLES | _OPENERS else ""


def roster(answer: CastAnswer, named: Sequence[str]) -> list[PersonAnswer]:
    """Return the cast: everybody named in the premise, then the people that the agent adds."""
    people = {name_key(person.name): person for person in answer.people}
    for name in named:
        if not any(is_same_person(name, other) for other in people):
            # The writer's names are taken as they are: the rules for a model's names do not apply.
            people[name_key(name)] = PersonAnswer.model_construct(
                name=name, part="named in the premise"
            )
    ordered = sorted(
        people.values(),
        key=lambda person: not any(is_same_person(name, person.name) for name in named),
    )
    return ordered[: max(_CAST, len(named))]


def is_same_person(one: str, other: str) -> bool:
    """Return whether one name may be short for the other; a shared family name is not enough."""
    some, others = set(_WORD.findall(one.casefold())), set(_WORD.findall(other.casefold()))
    return some <= others or others <= some


def _is_part_of(name: str, other: str) -> bool:
    return set(name.split()) < set(other.split())


def foundation_from(answer: FoundationAnswer, premise: str) -> Foundation:
    """Return the foundation that an answer describes."""
    fields = answer.model_dump(exclude={"title"})
    return Foundation(id=FOUNDATION_ID, **fields, invented=_invented(fields.items(), premise))


def character_from(person: PersonAnswer, answer: CharacterAnswer, premise: str) -> Character:
    """Return the person that an answer describes."""
    said = answer.model_dump(exclude={"secret"})
    fields = {"name": person.name, **said, "secrets": answer.secret}
    return Character(id=new_id(), **fields, invented=_invented(fields.items(), premise))


def bare_character(person: PersonAnswer, premise: str) -> Character:
    """Return a person with only what the cast says about them, for the writer to fill in."""
    fields = {"name": person.name, "occupation": person.part}
    return Character(id=new_id(), **fields, invented=_invented(fields.items(), premise))


def relationships_from(
    answer: RelationshipsAnswer, cast: Sequence[Character]
) -> list[Relationship]:
    """Return the relationships that an answer describes; the first of two equal ones counts."""
    ids = {person.name: person.id for person in cast}
    pairs = pairs_of(list(ids))
    relationships: dict[tuple[str, str], Relationship] = {}
    for relationship in answer.relationships:
        source, target = pairs[relationship.who]
        relationships.setdefault(
            (relationship.who, relationship.tie),
            Relationship(
                id=new_id(),
                source=ids[source],
                target=ids[target],
                tie=relationship.tie,
                strength=relationship.strength,
                awareness=relationship.awareness,
                reason=relationship.reason,
                invented=("awareness", "reason", "strength", "tie"),
            ),
        )
    return list(relationships.values())


def scenes_from(answer: ScenesAnswer) -> list[Scene]:
    """Return the scenes that an answer describes, each name once."""
    scenes: dict[str, Scene] = {}
    for scene in answer.scenes:
        scenes.setdefault(
            name_key(scene.name),
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


def _invented(fields: Iterable[tuple[str, str]], premise: str) -> tuple[str, ...]:
    return tuple(sorted(name for name, text in fields if not is_from(text, premise)))


def is_from(text: str, premise: str) -> bool:
    """Return whether a text mostly uses the premise's own words."""
    folded = premise.casefold()
    if text.casefold() in folded:
        return True
    words = [word for word in _WORD.findall(text.casefold()) if len(word) > 3]
    if not words:
        return False
    return sum(word in folded for word in words) / len(words) >= _KEPT_SHARE


E = TypeVar("E", Foundation, Character, Relationship, Scene)


def held(proposed: Snapshot) -> Snapshot:
    """Return what a redraft keeps of a proposal: anything with a locked field, and what it refers to."""
    kept = {id_ for id_, entity in proposed.entities.items() if entity.locked}
    for id_ in list(kept):
        kept.update(references(proposed.entities[id_]).values())
    entities = {id_: entity for id_, entity in proposed.entities.items() if id_ in kept}
    return Snapshot(entities=entities)


def redrafted(drafted: E, kept: E) -> E:
    """Return a redrafted entity that replaces `kept`, with its id and its locked fields.

    Fields that the draft leaves empty stay as they were. A person keeps their name.
    """
    if WHOLE in kept.locked:
        return kept
    names = set(type(kept).model_fields)
    stays = {name for name in names if is_locked(kept, name) or not getattr(drafted, name)}
    stays |= {"id", "locked"} | ({"name"} if isinstance(kept, Character) else set())
    values = {name: getattr(drafted, name) for name in names - stays}
    marks = {one for one in drafted.invented if one not in stays}
    marks |= {one for one in kept.invented if one in stays}
    return kept.model_copy(update=values | {"invented": tuple(sorted(marks))})


def relationships_among(
    drafted: Iterable[Relationship], kept: Sequence[Relationship]
) -> list[Relationship]:
    """Return the drafted and the kept relationships, merging those that are alike."""
    relationships = {_relationship_key(relationship): relationship for relationship in kept}
    for relationship in drafted:
        same = relationships.get(_relationship_key(relationship))
        relationships[_relationship_key(relationship)] = (
            redrafted(relationship, same) if same else relationship
        )
    return list(relationships.values())


def scenes_among(drafted: Iterable[Scene], kept: Sequence[Scene]) -> list[Scene]:
    """Return the drafted and the kept scenes, merging those with the same name."""
    scenes = {name_key(scene.name): scene for scene in kept}
    for scene in drafted:
        same = scenes.get(name_key(scene.name))
        scenes[name_key(scene.name)] = redrafted(scene, same) if same else scene
    return list(scenes.values())


def _relationship_key(relationship: Relationship) -> tuple[str, str, str]:
    return relationship.source, relationship.target, relationship.tie
