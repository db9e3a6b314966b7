"""The pieces of the panel beside a picture, and the words for what stands in a story. Pure."""

from __future__ import annotations

from graph_flow.views import View
from pages.components.wording import link_words
from store.models.cast import Character, Relationship
from store.models.plot import Event, EventLink, Participation, Scene, Thread
from store.models.prototype import AnyEntity, Snapshot


class Fact(View):
    """One thing that is so now."""

    label: str
    text: str


class Mention(View):
    """Something else that has to do with it, and can be looked at."""

    id: str
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

    id: str
    sort: str
    title: str
    lead: str = ""
    facts: tuple[Fact, ...] = ()
    mentions: tuple[Mention, ...] = ()
    mentions_heading: str = ""
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
    "story_date": "Date",
    "reason": "Why",
    "emotion": "What they feel",
    "impact": "What it does to them",
}


def name_of(entity: AnyEntity, snapshot: Snapshot) -> str:
    """Return what a thing is called where one is chosen from several."""
    match entity:
        case Character() | Scene():
            return entity.name
        case Event() | Thread():
            return entity.title
        case Relationship():
            source = snapshot.get(Character, entity.source).name
            target = snapshot.get(Character, entity.target).name
            joint = "and" if entity.is_mutual else "→"
            return f"{source} {joint} {target}: {entity.tie}"
        case Participation():
            person = snapshot.get(Character, entity.character).name
            return f"{person} in “{snapshot.get(Event, entity.event).title}”"
        case EventLink():
            source, target = (
                snapshot.get(Event, end).title for end in (entity.source, entity.target)
            )
            return f"“{source}” {link_words(entity.link)} “{target}”"
    return ""


def fact(label: str, text: str) -> Fact:
    """Return something that is so now."""
    return Fact(label=label, text=text)


def facts(entity: AnyEntity) -> tuple[Fact, ...]:
    """Return what is known of a thing, field by field."""
    found = []
    for field, label in _FIELDS.items():
        value = getattr(entity, field, None)
        text = ", ".join(value) if isinstance(value, tuple) else str(value or "")
        if text:
            found.append(fact(label, text))
    return tuple(found)


def part_words(part: Participation) -> str:
    """Say how somebody takes part in an event."""
    return "; ".join(text for text in (str(part.part), part.emotion, part.impact) if text)


def place_words(scene: Scene) -> str:
    """Say where and when a scene is."""
    return " · ".join(text for text in (scene.name, scene.place, scene.time) if text)


def by_chapter(told: Lines) -> tuple[Occasion, ...]:
    """Gather what happened by its chapter."""
    chapters: dict[int, list[str]] = {}
    for chapter, line in told:
        chapters.setdefault(chapter, []).append(line)
    return tuple(
        Occasion(chapter=chapter, lines=tuple(lines)) for chapter, lines in sorted(chapters.items())
    )
