"""What is so of one person, event, scene or tie, and how it came to be; as words. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from graph_flow.views import Moment, View
from pages.components.role_graph import tie_sentence
from store.models.cast import Character, Relationship
from store.models.plot import Event, EventLink, Occurrence, Participation, Scene
from store.models.prototype import AnyEntity, Snapshot


class Fact(View):
    """One thing that is so now."""

    label: str
    text: str


class Occasion(View):
    """What one chapter brought; chapter 0 is the beginning."""

    chapter: int
    lines: tuple[str, ...]

    @property
    def when(self) -> str:
        """The chapter in words."""
        return f"Chapter {self.chapter}" if self.chapter else "At the beginning"


class Details(View):
    """All that the panel beside a picture shows. Every text is plain text, not Markdown."""

    sort: str
    title: str
    lead: str = ""
    facts: tuple[Fact, ...] = ()
    ties: tuple[str, ...] = ()
    ties_heading: str = "Ties"
    history: tuple[Occasion, ...] = ()


Lines = list[tuple[int, str]]
"""What happened, each with its chapter."""

_FIELDS = {
    "aliases": "Also called",
    "gender": "Gender",
    "age": "Age",
    "occupation": "What they do",
    "affiliations": "Belongs to",
    "personality": "What they are like",
    "motivation": "What they want",
    "health": "Health",
    "status": "How things stand",
    "secrets": "What they hide",
    "place": "Place",
    "time": "Time",
    "atmosphere": "Mood",
    "consequences": "What comes of it",
    "reason": "Why",
}


def choices(snapshot: Snapshot, ids: list[str]) -> dict[str, str]:
    """Return what can be looked at, by id, with the words to choose it by."""
    return {id_: _name(snapshot.entities[id_], snapshot) for id_ in ids if id_ in snapshot.entities}


def subject_of(snapshot: Snapshot, id_: str) -> str | None:
    """Return whose details a click asks for: of a line in the Plot Graph those of its event.

    None if it stands for nothing in this snapshot.
    """
    entity = snapshot.entities.get(id_)
    match entity:
        case Character() | Relationship() | Event() | Scene():
            return id_
        case Participation() | Occurrence():
            return entity.event
        case EventLink():
            return entity.source
    return None


def details_of(snapshot: Snapshot, id_: str, moments: Iterable[Moment] = ()) -> Details | None:
    """Return the details of a person, tie, event or scene; None if it does not stand here.

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
        case Relationship() as tie:
            return _tie(tie, snapshot, changed)
        case Event() as event:
            return _event(event, snapshot, changed)
        case Scene() as scene:
            return _scene(scene, snapshot, changed)
    return None


def _person(person: Character, snapshot: Snapshot, changed: Lines) -> Details:
    ties = [tie for tie in snapshot.relationships if person.id in {tie.source, tie.target}]
    parts = [part for part in snapshot.of(Participation) if part.character == person.id]
    parts.sort(key=lambda part: _when(part.event, snapshot))
    told = [(snapshot.told_in(part.event), _part_in(part, snapshot)) for part in parts]
    first = (snapshot.told_in(person.id), "Enters the story")
    return Details(
        sort="Person",
        title=person.name,
        facts=_facts(person),
        ties=tuple(tie_sentence(tie, snapshot) for tie in ties),
        history=_by_chapter([first, *told, *changed]),
    )


def _tie(tie: Relationship, snapshot: Snapshot, changed: Lines) -> Details:
    return Details(
        sort="Tie",
        title=_name(tie, snapshot),
        lead=tie_sentence(tie, snapshot),
        facts=_facts(tie),
        history=_by_chapter([(snapshot.told_in(tie.id), "Begins"), *changed]),
    )


def _event(event: Event, snapshot: Snapshot, changed: Lines) -> Details:
    scene = snapshot.scene_of(event.id)
    where = (Fact(label="Where", text=_place(scene)),) if scene else ()
    people = tuple(
        Fact(label=snapshot.get(Character, part.character).name, text=_part(part))
        for part in snapshot.participations_in(event.id)
    )
    return Details(
        sort=f"Event · chapter {snapshot.told_in(event.id)}",
        title=event.title,
        lead=event.summary,
        facts=(*where, *_facts(event), *people),
        ties=tuple(_links(event, snapshot)),
        ties_heading="What leads to what",
        history=_by_chapter(changed),
    )


def _scene(scene: Scene, snapshot: Snapshot, changed: Lines) -> Details:
    events = [
        snapshot.get(Event, one.event) for one in snapshot.of(Occurrence) if one.scene == scene.id
    ]
    events.sort(key=lambda event: _when(event.id, snapshot))
    told = [(snapshot.told_in(event.id), event.title) for event in events]
    return Details(
        sort="Scene",
        title=scene.name,
        facts=_facts(scene),
        history=_by_chapter([*told, *changed]),
    )


def _facts(entity: AnyEntity) -> tuple[Fact, ...]:
    found = []
    for field, label in _FIELDS.items():
        value = getattr(entity, field, None)
        text = ", ".join(value) if isinstance(value, tuple) else str(value or "")
        if text:
            found.append(Fact(label=label, text=text))
    return tuple(found)


def _name(entity: AnyEntity, snapshot: Snapshot) -> str:
    match entity:
        case Character() | Scene():
            return entity.name
        case Event():
            return entity.title
        case Relationship():
            source = snapshot.get(Character, entity.source).name
            target = snapshot.get(Character, entity.target).name
            joint = "and" if entity.is_mutual else "→"
            return f"{source} {joint} {target}: {entity.tie}"
    return ""


def _part(part: Participation) -> str:
    return "; ".join(text for text in (str(part.part), part.emotion, part.impact) if text)


def _part_in(part: Participation, snapshot: Snapshot) -> str:
    return f"{snapshot.get(Event, part.event).title}: {_part(part)}"


def _place(scene: Scene) -> str:
    return " · ".join(text for text in (scene.name, scene.place, scene.time) if text)


def _links(event: Event, snapshot: Snapshot) -> list[str]:
    links = [link for link in snapshot.of(EventLink) if event.id in {link.source, link.target}]
    return [
        f"“{snapshot.get(Event, link.source).title}” {_LINK_WORDS.get(link.link, link.link)} "
        f"“{snapshot.get(Event, link.target).title}”"
        for link in links
    ]


_LINK_WORDS = {"before": "comes before"}


def _when(event_id: str, snapshot: Snapshot) -> tuple[int, int]:
    return snapshot.told_in(event_id), snapshot.get(Event, event_id).position


def _by_chapter(told: Lines) -> tuple[Occasion, ...]:
    chapters: dict[int, list[str]] = {}
    for chapter, line in told:
        chapters.setdefault(chapter, []).append(line)
    return tuple(
        Occasion(chapter=chapter, lines=tuple(lines)) for chapter, lines in sorted(chapters.items())
    )
