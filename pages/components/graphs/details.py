"""The facts about one story element and its history, in words. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from graph_flow.views import Moment, View
from pages.components import words
from pages.components.editor.event import when_words
from pages.components.graphs import strings
from pages.components.pictures.roles import relationship_sentence
from pages.components.words.messages import said
from store.deltas.names import references
from store.models.cast import Character, Life, Relationship
from store.models.fields import shown, shown_fields
from store.models.plot import (
    Event,
    EventLink,
    Occurrence,
    Participation,
    Scene,
    Thread,
    ThreadState,
)
from store.models.prototype import AnyEntity, Snapshot


def choices(snapshot: Snapshot, ids: list[str]) -> dict[str, str]:
    """Return the entities that can be selected, each with its label."""
    return {
        id_: name_of(snapshot.entities[id_], snapshot) for id_ in ids if id_ in snapshot.entities
    }


def subject_of(snapshot: Snapshot, id_: str) -> str | None:
    """Return the id of the entity whose details a click shows; None if there is none.

    The place of an event is a detail of the event.
    """
    entity = snapshot.entities.get(id_)
    match entity:
        case Occurrence():
            return entity.event
        case (
            Character()
            | Relationship()
            | Event()
            | Scene()
            | Participation()
            | EventLink()
            | Thread()
        ):
            return id_
    return None


def details_of(snapshot: Snapshot, id_: str, moments: Iterable[Moment] = ()) -> Details | None:
    """Return the details of one entity; None if it is not in the snapshot.

    `moments` are the changes that later chapters made to it.
    """
    changed = [
        (moment.chapter, f"{change.mark} {change.text}")
        for moment in moments
        for change in moment.changes
    ]
    match snapshot.entities.get(id_):
        case Character() as person:
            return _person(person, snapshot, changed)
        case Relationship() as relationship:
            return _relationship(relationship, snapshot, changed)
        case Event() as event:
            return _event(event, snapshot, changed)
        case Scene() as scene:
            return _scene(scene, snapshot, changed)
        case Participation() as part:
            return _part(part, snapshot, changed)
        case EventLink() as link:
            return _link(link, snapshot, changed)
        case Thread() as thread:
            return _thread(thread, snapshot, changed)
    return None


def _person(person: Character, snapshot: Snapshot, changed: Lines) -> Details:
    relationships = [
        relationship
        for relationship in snapshot.relationships
        if person.id in {relationship.source, relationship.target}
    ]
    parts = [part for part in snapshot.of(Participation) if part.character == person.id]
    parts.sort(key=lambda part: _when(part.event, snapshot))
    told = [(snapshot.first_chapter_of(part.event), _part_in(part, snapshot)) for part in parts]
    first = (snapshot.first_chapter_of(person.id), strings.PERSON_ENTERS)
    life = (
        ()
        if person.life is Life.LIVING
        else (fact(said(shown(person, "life").label), words.LIVES[person.life]),)
    )
    traits = (fact(trait.name, trait.value) for trait in person.traits)
    return Details(
        id=person.id,
        sort=strings.PERSON,
        title=person.name,
        facts=(*life, *facts(person), *traits),
        mentions=tuple(
            Mention(id=relationship.id, text=relationship_sentence(relationship, snapshot))
            for relationship in relationships
        ),
        mentions_heading=strings.PERSON_RELATIONSHIPS,
        history=by_chapter([first, *told, *changed]),
    )


def _relationship(relationship: Relationship, snapshot: Snapshot, changed: Lines) -> Details:
    both = {relationship.source, relationship.target}
    people = (snapshot.get(Character, id_) for id_ in (relationship.source, relationship.target))
    others = [
        Mention(id=other.id, text=relationship_sentence(other, snapshot))
        for other in snapshot.relationships
        if {other.source, other.target} == both and other.id != relationship.id
    ]
    return Details(
        id=relationship.id,
        sort=strings.RELATIONSHIP,
        title=name_of(relationship, snapshot),
        lead=relationship_sentence(relationship, snapshot),
        facts=facts(relationship),
        mentions=(*(Mention(id=person.id, text=person.name) for person in people), *others),
        mentions_heading=strings.ENDS,
        history=by_chapter(
            [(snapshot.first_chapter_of(relationship.id), strings.BEGINS), *changed]
        ),
    )


def _event(event: Event, snapshot: Snapshot, changed: Lines) -> Details:
    scene = snapshot.scene_of(event.id)
    where = (fact(said(shown(Occurrence, "scene").label), place_words(scene)),) if scene else ()
    time = fact(said(shown(event, "story_order").label), when_words(event, snapshot))
    when = () if event.story_order is None else (time,)
    people = tuple(
        fact(snapshot.get(Character, part.character).name, part_words(part))
        for part in snapshot.participations_in(event.id)
    )
    links = [link for link in snapshot.of(EventLink) if event.id in {link.source, link.target}]
    return Details(
        id=event.id,
        sort=strings.event_sort(snapshot.first_chapter_of(event.id)),
        title=event.title,
        lead=event.summary,
        facts=(*where, *when, *facts(event), *people),
        mentions=tuple(Mention(id=link.id, text=name_of(link, snapshot)) for link in links),
        mentions_heading=strings.EVENT_LINKS,
        history=by_chapter(changed),
    )


def _scene(scene: Scene, snapshot: Snapshot, changed: Lines) -> Details:
    events = [
        snapshot.get(Event, one.event) for one in snapshot.of(Occurrence) if one.scene == scene.id
    ]
    events.sort(key=lambda event: _when(event.id, snapshot))
    told = [(snapshot.first_chapter_of(event.id), event.title) for event in events]
    return Details(
        id=scene.id,
        sort=strings.PLACE,
        title=scene.name,
        facts=facts(scene),
        history=by_chapter([*told, *changed]),
    )


def _part(part: Participation, snapshot: Snapshot, changed: Lines) -> Details:
    person, event = snapshot.get(Character, part.character), snapshot.get(Event, part.event)
    return Details(
        id=part.id,
        sort=strings.part_sort(snapshot.first_chapter_of(part.event)),
        title=name_of(part, snapshot),
        lead=strings.part_sentence(person.name, part.part),
        facts=facts(part),
        mentions=(Mention(id=person.id, text=person.name), Mention(id=event.id, text=event.title)),
        mentions_heading=strings.PART_MENTIONS,
        history=by_chapter(changed),
    )


def _link(link: EventLink, snapshot: Snapshot, changed: Lines) -> Details:
    events = (snapshot.get(Event, end) for end in (link.source, link.target))
    return Details(
        id=link.id,
        sort=strings.LINK,
        title=name_of(link, snapshot),
        mentions=tuple(
            Mention(
                id=one.id, text=strings.in_chapter(one.title, snapshot.first_chapter_of(one.id))
            )
            for one in events
        ),
        mentions_heading=strings.ENDS,
        history=by_chapter([(snapshot.first_chapter_of(link.id), strings.LINK_TOLD), *changed]),
    )


def _thread(thread: Thread, snapshot: Snapshot, changed: Lines) -> Details:
    is_planned = thread.state is ThreadState.PLANNED
    planted = strings.THREAD_TO_PLANT if is_planned else strings.THREAD_PLANTED
    paid_off = strings.THREAD_PAYOFFS.get(thread.state, strings.THREAD_TO_PAY_OFF)
    chapters = ((planted, thread.planted_in), (paid_off, thread.paid_off_in))
    return Details(
        id=thread.id,
        sort=strings.THREAD,
        title=thread.title,
        lead=thread.description,
        facts=(
            fact(said(shown(thread, "state").label), words.THREAD_STATES[thread.state]),
            *(
                fact(label, strings.told_in(number))
                for label, number in chapters
                if number is not None
            ),
        ),
        history=by_chapter([(snapshot.first_chapter_of(thread.id), strings.BEGINS), *changed]),
    )


def _part_in(part: Participation, snapshot: Snapshot) -> str:
    return strings.part_in(snapshot.get(Event, part.event).title, part_words(part))


def _when(event_id: str, snapshot: Snapshot) -> tuple[int, int]:
    return snapshot.first_chapter_of(event_id), snapshot.get(Event, event_id).position


class Fact(View):
    """One thing that is true now."""

    label: str
    text: str


class Mention(View):
    """A related entity, which can be selected."""

    id: str
    text: str


class Occasion(View):
    """What one chapter changed; chapter 0 is the beginning."""

    chapter: int
    lines: tuple[str, ...]

    @property
    def when(self) -> str:
        """The chapter, in words."""
        return strings.occasion(self.chapter)


class Details(View):
    """All that the panel beside a picture shows. Every text is plain text, not Markdown."""

    id: str
    sort: str
    title: str
    lead: str = ""
    facts: tuple[Fact, ...] = ()
    mentions: tuple[Mention, ...] = ()
    mentions_heading: str = ""
    history: tuple[Occasion, ...] = ()


Lines = list[tuple[int, str]]
"""Lines of a history, each with its chapter."""

_IN_THE_HEAD = frozenset({"name", "title", "summary", "description"})
"""Fields that head the details and are not repeated below."""


def name_of(entity: AnyEntity, snapshot: Snapshot) -> str:
    """Return the name of an entity, as shown in a list to choose from."""
    match entity:
        case Character() | Scene():
            return entity.name
        case Event() | Thread():
            return entity.title
        case Relationship():
            source = snapshot.get(Character, entity.source).name
            target = snapshot.get(Character, entity.target).name
            return strings.relationship_name(entity, source, target)
        case Participation():
            person = snapshot.get(Character, entity.character).name
            return strings.part_name(person, snapshot.get(Event, entity.event).title)
        case EventLink():
            source, target = (
                snapshot.get(Event, end).title for end in (entity.source, entity.target)
            )
            return strings.link_name(entity.link, source, target)
    return ""


def fact(label: str, text: str) -> Fact:
    """Return a fact."""
    return Fact(label=label, text=text)


def facts(entity: AnyEntity) -> tuple[Fact, ...]:
    """Return the text fields of an entity that are filled, in order."""
    apart = _IN_THE_HEAD | references(entity).keys()
    found = []
    for field, known in shown_fields(type(entity)).items():
        text = "" if field in apart else _text(getattr(entity, field))
        if text:
            found.append(fact(said(known.label), text))
    return tuple(found)


def _text(value: object) -> str:
    """Return the text of a field; empty for choices and numbers, which are put into words."""
    match value:
        case StrEnum():
            return ""
        case str():
            return value
        case tuple():
            return ", ".join(one for one in value if isinstance(one, str))
    return ""


def part_words(part: Participation) -> str:
    """Return how somebody takes part in an event, in words."""
    return "; ".join(text for text in (words.PARTS[part.part], part.emotion, part.impact) if text)


def place_words(scene: Scene) -> str:
    """Return where and when a scene is, in words."""
    return " · ".join(text for text in (scene.name, scene.place, scene.time) if text)


def by_chapter(told: Lines) -> tuple[Occasion, ...]:
    """Group the lines of a history by chapter."""
    chapters: dict[int, list[str]] = {}
    for chapter, line in told:
        chapters.setdefault(chapter, []).append(line)
    return tuple(
        Occasion(chapter=chapter, lines=tuple(lines)) for chapter, lines in sorted(chapters.items())
    )
