"""From the answers of stage 1 to entities, marked as invented or the writer's own; what a redraft keeps. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from graph_flow.cognition.omniscient import BETWEEN
from graph_flow.founding.answers import (
    CastAnswer,
    CharacterAnswer,
    FoundingReview,
    PastEvent,
    PersonAnswer,
    PersonArc,
    PersonMended,
    PersonNow,
    PersonUpdate,
    RelationshipsAnswer,
    SceneAnswer,
    SpineAnswer,
    SpineUpdate,
    WholeFoundation,
    WholePerson,
    WholePlace,
    WholeTie,
    pairs_of,
)
from store.deltas.locks import is_locked
from store.deltas.names import references
from store.models.base import WHOLE, new_id
from store.models.cast import Character, Relationship
from store.models.fields import shown_fields
from store.models.plot import Event, Foundation, Part, Participation, Scene, Spine
from store.models.prototype import FOUNDATION_ID, SPINE_ID, AnyEntity, Snapshot
from store.text import name_key

_FIELDS_OVER = {"hides": "secrets", "fear": "fear", "misbelief": "misbelief"}
_WORD = re.compile(r"\w+")
_BETWEEN_NAMES = re.compile(r"[,;/&]| and ")
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
_AGE = re.compile(r"(\d+(?:[.,’']\d{3})*)(['’]?[^\W\d_])?")
"""A number, perhaps with separators of thousands, and whether letters follow, as in "30s"."""


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


def whole_cast_from(
    answer: Iterable[WholePerson], kept: Sequence[Character], premise: str
) -> list[Character]:
    """Return the people that a whole answer describes, each name once, and those that are kept.

    An able model tells the people of a premise from its places and planets itself.
    """
    cast: dict[str, Character] = {}
    for person in answer:
        drafted = whole_character_from(person, premise)
        same = find_person(kept, person.name)
        one = redrafted(drafted, same) if same else drafted
        if not any(name_key(one.name) == name_key(other.name) for other in cast.values()):
            cast.setdefault(one.id, one)
    cast |= {one.id: one for one in kept if one.id not in cast}
    return list(cast.values())


def foundation_from(answer: WholeFoundation, premise: str) -> Foundation:
    """Return the foundation that an answer describes."""
    fields = answer.model_dump(include={*shown_fields(Foundation)})
    return Foundation(id=FOUNDATION_ID, **fields, invented=_invented(fields.items(), premise))


def character_from(person: PersonAnswer, answer: CharacterAnswer, premise: str) -> Character:
    """Return the person that an answer describes."""
    said = answer.model_dump(exclude={"secret"})
    fields = {"name": person.name, **said, "secrets": answer.secret}
    return Character(id=new_id(), **fields, invented=_invented(fields.items(), premise))


def whole_character_from(answer: WholePerson, premise: str) -> Character:
    """Return the person that a whole answer describes."""
    fields = answer.model_dump(exclude={"part", "want", "secret"})
    fields |= {
        "occupation": answer.occupation or answer.part,
        "motivation": answer.want,
        "secrets": answer.secret,
    }
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


def ties_from(answer: Sequence[WholeTie], cast: Sequence[Character]) -> list[Relationship]:
    """Return the relationships among a cast that a whole answer describes by name.

    Those with somebody unknown are left out; the first of two equal ones counts.
    """
    found: dict[tuple[str, str, str], Relationship] = {}
    for tie in answer:
        source, target = find_person(cast, tie.person), find_person(cast, tie.toward)
        if source is None or target is None or source is target:
            continue
        relationship = Relationship(
            id=new_id(),
            source=source.id,
            target=target.id,
            tie=tie.tie,
            strength=tie.strength,
            awareness=tie.awareness,
            reason=tie.reason,
            invented=("awareness", "reason", "strength", "tie"),
        )
        found.setdefault(_relationship_key(relationship), relationship)
    return list(found.values())


def past_from(
    answer: Sequence[PastEvent], cast: Sequence[Character]
) -> list[Event | Participation]:
    """Return what happened before the story, the oldest first, with who knows of it.

    An event stands at minus its years on the scale of `Event.story_order`.
    """
    past: list[Event | Participation] = []
    for position, told in enumerate(sorted(answer, key=lambda one: -one.years_before)):
        event = Event(
            id=new_id(),
            title=told.title,
            summary=told.happened,
            position=position,
            story_order=-told.years_before,
            invented=("story_order", "summary", "title"),
        )
        past += [event, *_parts_in(event, told, cast)]
    return past


def _parts_in(event: Event, told: PastEvent, cast: Sequence[Character]) -> Iterator[Participation]:
    """Yield the parts in an event; who is named several times has the first of them.

    But whoever it affected without their doing or seeing it knows no more than they learned, if
    the answer says what that was.
    """
    learned = {person.id: one.learned for one in told.told for person in _people(cast, [one.name])}
    there: set[str] = set()
    for part, person in _lived(told, cast):
        is_unaware = part is Part.IS_AFFECTED and learned.get(person.id)
        if person.id not in there and not is_unaware:
            there.add(person.id)
            yield _part(event, person.id, part)
    for id_, what in learned.items():
        if id_ not in there:
            yield _part(event, id_, Part.IS_TOLD, what)


def _lived(told: PastEvent, cast: Sequence[Character]) -> Iterator[tuple[Part, Character]]:
    """Yield who was there, leaving out people who had not been born."""
    by_part = {
        Part.ACTS: told.acted,
        Part.IS_AFFECTED: told.affected,
        Part.WITNESSES: told.saw,
    }
    for part, names in by_part.items():
        for person in _people(cast, names):
            if not is_unborn(person.age, told.years_before):
                yield part, person


def _part(event: Event, character: str, part: Part, learned: str = "") -> Participation:
    invented = ("learned", "part") if learned else ("part",)
    return Participation(
        id=new_id(),
        character=character,
        event=event.id,
        part=part,
        learned=learned,
        invented=invented,
    )


def is_unborn(age: str, years_before: float) -> bool:
    """Return whether somebody was certainly not born yet, so many years before the age given.

    Of several numbers in an age, the highest counts; "30s" may be up to 39. Where there is none,
    nobody is.
    """
    most = [
        int("".join(filter(str.isdigit, number))) + (10 if is_decade else 1)
        for number, is_decade in _AGE.findall(age)
    ]
    return bool(most) and years_before >= max(most)


def _people(cast: Sequence[Character], names: Iterable[str]) -> Iterator[Character]:
    """Yield the people of these names; one that is unknown may be several in a row."""
    for name in names:
        person = find_person(cast, name)
        several = [name] if person else _BETWEEN_NAMES.split(name)
        yield from filter(None, [person] if person else (find_person(cast, one) for one in several))


def find_person(cast: Sequence[Character], name: str) -> Character | None:
    """Return the person of this name, or the only one whose name it may be short for."""
    exact = next((one for one in cast if name_key(one.name) == name_key(name)), None)
    if exact or not _WORD.search(name):
        return exact
    alike = [one for one in cast if is_same_person(one.name, name)]
    return alike[0] if len(alike) == 1 else None


def _parts_of(text: str) -> list[str]:
    """Return the paragraphs of a text, also where an agent has put them on one line as it was shown them."""
    lines = text.replace(BETWEEN.strip(), "\n").splitlines()
    return [line.strip() for line in lines if line.strip()]


def spine_from(answer: SpineAnswer | SpineUpdate | FoundingReview) -> Spine:
    """Return the spine that an answer describes."""
    said = answer.model_dump(include=set(shown_fields(Spine)))
    fields = {name: "\n\n".join(_parts_of(text)) for name, text in said.items()}
    filled = tuple(sorted(name for name, text in fields.items() if text))
    return Spine(id=SPINE_ID, **fields, invented=filled)


def with_arcs(cast: Sequence[Character], answer: Iterable[PersonArc]) -> list[Character]:
    """Return a cast with the arcs that the spine gives its people; the writer's own stay."""
    return with_updates(cast, [PersonUpdate(person=one.person, arc=one.arc) for one in answer])


def with_updates(cast: Sequence[Character], answer: Iterable[PersonUpdate]) -> list[Character]:
    """Return a cast with what an agent says of its people now; the writer's own stays."""
    found = ((find_person(cast, one.person), one) for one in answer)
    updates = {person.id: one for person, one in found if person is not None}
    return [
        _updated(person, updates[person.id]) if person.id in updates else person for person in cast
    ]


def _updated(person: Character, update: PersonUpdate) -> Character:
    said = {
        "arc": update.arc,
        "motivation": update.want,
        "secrets": update.hides,
        "fear": update.fear,
        "misbelief": update.misbelief,
    }
    if isinstance(update, PersonMended):
        said["history"] = update.history
    over = {_FIELDS_OVER[one] for one in update.over} if isinstance(update, PersonNow) else set()
    values = {
        field: text
        for field, text in said.items()
        if (text or field in over) and not _is_kept(person, field)
    }
    invented = tuple(sorted({*person.invented, *values}))
    return person.model_copy(update={**values, "invented": invented})


def mended(proposed: Snapshot, answer: FoundingReview) -> Snapshot:
    """Return a proposal with what a reader of the plan changes in it; the writer's own stays."""
    foundation = redrafted(
        _filled(Foundation(id=FOUNDATION_ID), answer, ("background", "truth", "long_term_goal")),
        proposed.foundation,
    )
    spine = redrafted(spine_from(answer), proposed.spine)
    happened = {name_key(one.title): one.happened for one in answer.past}
    past = [
        redrafted(
            event.model_copy(
                update={
                    "summary": happened[name_key(event.title)],
                    "invented": tuple(sorted({*event.invented, "summary"})),
                }
            ),
            event,
        )
        for event in proposed.events_of(0)
        if name_key(event.title) in happened
    ]
    changed = (foundation, spine, *past, *with_updates(proposed.characters, answer.people))
    return proposed.model_copy(
        update={"entities": {**proposed.entities, **{one.id: one for one in changed}}}
    )


def _filled(empty: E, answer: FoundingReview, fields: Iterable[str]) -> E:
    """Return an entity with what an answer says of some of its fields."""
    said = {name: text for name in fields if (text := getattr(answer, name))}
    return empty.model_copy(update={**said, "invented": tuple(sorted(said))})


def _is_kept(entity: AnyEntity, field: str) -> bool:
    """Return whether a field stays as it is: locked, or no agent's invention."""
    is_own = bool(getattr(entity, field)) and field not in entity.invented
    return is_own or is_locked(entity, field)


def scenes_from(answer: Iterable[SceneAnswer | WholePlace]) -> list[Scene]:
    """Return the scenes that an answer describes, each name once."""
    scenes: dict[str, Scene] = {}
    for scene in answer:
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
    """Return whether a text has no longer word but the premise's own.

    One word more is an agent's reading, which later chapters may change.
    """
    folded = premise.casefold()
    words = [word for word in _WORD.findall(text.casefold()) if len(word) > 3]
    return text.casefold() in folded or (bool(words) and all(word in folded for word in words))


E = TypeVar("E", Foundation, Spine, Character, Relationship, Scene, Event)


def held(proposed: Snapshot, premise: str) -> Snapshot:
    """Return what a redraft keeps of a proposal, and what that refers to.

    This is anything that the writer has locked, changed or added. An event is kept with those who
    know of it.
    """
    kept = {id_ for id_, one in proposed.entities.items() if one.locked or _is_own(one, premise)}
    for event in [one.id for one in proposed.events if one.id in kept]:
        kept.update(part.id for part in proposed.participations_in(event))
    for id_ in list(kept):
        kept.update(references(proposed.entities[id_]).values())
    entities = {id_: entity for id_, entity in proposed.entities.items() if id_ in kept}
    return Snapshot(entities=entities)


def settled_people(kept: Snapshot) -> list[str]:
    """Return what the writer has settled about the people, each on one line, and who else is in it."""
    about = _settled_about(kept)
    return [about.get(one.id) or f"{one.name} is in it" for one in kept.characters]


def settled_facts(kept: Snapshot) -> list[str]:
    """Return what the writer has settled about the world and the people."""
    return [*settled_fields(kept.foundation), *_settled_about(kept).values()]


def _settled_about(kept: Snapshot) -> dict[str, str]:
    """Return what the writer has settled about people besides their names, by id."""
    return {
        person.id: f"{person.name}: {'; '.join(settled)}"
        for person in kept.characters
        for settled in [[line for line in settled_fields(person) if line != f"name: {person.name}"]]
        if settled
    }


def settled_fields(entity: AnyEntity) -> list[str]:
    """Return the texts of an entity that a redraft keeps, each with its name."""
    return [
        f"{known.words}: {text}"
        for name, known in shown_fields(type(entity)).items()
        if type(text := getattr(entity, name)) is str and text and _is_kept(entity, name)
    ]


def _is_own(entity: AnyEntity, premise: str) -> bool:
    """Return whether the writer gave any of an entity's values, other than in the premise."""
    fields = shown_fields(type(entity)).keys() - entity.invented
    return any(
        _is_given(entity, name) and not _is_of_premise(getattr(entity, name), premise)
        for name in fields - references(entity).keys() - {"position"}
    )


def _is_given(entity: AnyEntity, name: str) -> bool:
    value = getattr(entity, name)
    return bool(value) and value != type(entity).model_fields[name].default


def _is_of_premise(value: object, premise: str) -> bool:
    return isinstance(value, str) and not isinstance(value, StrEnum) and is_from(value, premise)


def redrafted(drafted: E, kept: E) -> E:
    """Return a redrafted entity that replaces `kept`, with its id and its locked fields.

    Fields that the draft leaves empty stay as they were, and so does what no agent invented. A
    person keeps their name.
    """
    if WHOLE in kept.locked:
        return kept
    names = set(type(kept).model_fields)
    stays = {name for name in names if _is_kept(kept, name) or not getattr(drafted, name)}
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


def past_among(
    drafted: Iterable[Event | Participation], kept: Snapshot
) -> list[Event | Participation]:
    """Return the drafted past with what was kept of it, in place of what has the same title."""
    titles = {name_key(event.title) for event in kept.events}
    drafted = list(drafted)
    replaced = {
        one.id for one in drafted if isinstance(one, Event) and name_key(one.title) in titles
    }
    whole = [*kept.events, *kept.of(Participation)]
    whole += [one for one in drafted if _event_of(one) not in replaced]
    events = [one for one in whole if isinstance(one, Event)]
    events.sort(key=lambda event: event.story_order or 0)
    return [
        *(event.model_copy(update={"position": at}) for at, event in enumerate(events)),
        *(one for one in whole if isinstance(one, Participation)),
    ]


def _event_of(one: Event | Participation) -> str:
    return one.event if isinstance(one, Participation) else one.id


def _relationship_key(relationship: Relationship) -> tuple[str, str, str]:
    return relationship.source, relationship.target, relationship.tie
