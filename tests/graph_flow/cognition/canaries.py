"""Random stories in which every text is a word of its own, and who may know which of them.

`may_know` is written apart from the code under test, and naively: it looks at everything, and
lists every word that a character can know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from store.deltas.delta import apply, diff
from store.models.cast import Awareness, Character, Relationship, RelationshipKind, Trait
from store.models.delta import Delta
from store.models.fields import shown_fields
from store.models.plot import (
    Event,
    EventLink,
    Foundation,
    LinkKind,
    Occurrence,
    Part,
    Participation,
    Scene,
    Spine,
    Thread,
    ThreadState,
)
from store.models.prototype import FOUNDATION_ID, SPINE_ID, AnyEntity, Snapshot

CANARY = re.compile(r"zq\d{5}canary", re.IGNORECASE)


@dataclass
class Story:
    """A story chapter by chapter, with every word that was ever put into it."""

    deltas: list[Delta] = field(default_factory=list)
    snapshot: Snapshot = field(default_factory=Snapshot)
    words: int = 0

    def word(self) -> str:
        """Return a word that stands nowhere else."""
        self.words += 1
        return f"zq{self.words:05}canary"

    def tell(self, entities: dict[str, AnyEntity]) -> None:
        """Tell the next chapter: the story is so afterwards."""
        chapter = len(self.deltas)
        delta = diff(self.snapshot, Snapshot(entities=entities))
        self.deltas.append(delta)
        self.snapshot = apply(self.snapshot, delta, chapter)


def canaries_in(text: str) -> set[str]:
    """Return the words of a story that stand in a text."""
    return {word.lower() for word in CANARY.findall(text)}


@st.composite
def stories(draw: st.DrawFn, most_people: int = 5, most_chapters: int = 3) -> Story:
    """Draw a story: people with secrets, ties of every awareness, events with every kind of part."""
    story = Story()
    entities: dict[str, AnyEntity] = {}
    for entity in _beginning(draw, story, draw(st.integers(2, most_people))):
        entities[entity.id] = entity
    _add_ties(draw, story, entities)
    story.tell(dict(entities))
    for _ in range(draw(st.integers(0, most_chapters))):
        _add_chapter(draw, story, entities)
        story.tell(dict(entities))
    return story


def _beginning(draw: st.DrawFn, story: Story, people: int) -> Iterator[AnyEntity]:
    yield Foundation(
        id=FOUNDATION_ID,
        background=story.word(),
        idea=story.word(),
        truth=story.word(),
        long_term_goal=story.word(),
        themes=story.word(),
        tone=story.word(),
    )
    yield Spine(id=SPINE_ID, **{name: story.word() for name in shown_fields(Spine)})
    yield from (_scene(story, f"s{number}") for number in range(draw(st.integers(0, 2))))
    for number in range(people):
        yield Character(
            id=f"p{number}",
            name=story.word(),
            aliases=(story.word(),),
            traits=(Trait(name=story.word(), value=story.word()),),
            **{
                name: story.word()
                for name in (
                    *("gender", "age", "occupation", "affiliations", "personality", "motivation"),
                    *("health", "status", "secrets", "history", "fear", "misbelief"),
                    *("voice", "arc"),
                )
            },
        )


def _scene(story: Story, id_: str) -> Scene:
    return Scene(
        id=id_, name=story.word(), place=story.word(), time=story.word(), atmosphere=story.word()
    )


def _of(entities: dict[str, AnyEntity], kind: str) -> list[str]:
    return [entity.id for entity in entities.values() if entity.kind == kind]


def _add_ties(draw: st.DrawFn, story: Story, entities: dict[str, AnyEntity]) -> None:
    people = _of(entities, "character")
    for _ in range(draw(st.integers(0, 3))):
        source, target = draw(st.permutations(people))[:2]
        relationship = Relationship(
            id=f"t{story.words}",
            source=source,
            target=target,
            tie=draw(st.sampled_from(list(RelationshipKind))),
            strength=draw(st.integers(1, 10)),
            is_mutual=draw(st.booleans()),
            awareness=draw(st.sampled_from(list(Awareness))),
            reason=story.word(),
        )
        entities[relationship.id] = relationship


def _add_chapter(draw: st.DrawFn, story: Story, entities: dict[str, AnyEntity]) -> None:
    if draw(st.booleans()):
        scene = _scene(story, f"s{story.words}")
        entities[scene.id] = scene
    for position in range(draw(st.integers(0, 3))):
        for entity in _event(draw, story, entities, position):
            entities[entity.id] = entity
    _add_ties(draw, story, entities)
    person = entities[draw(st.sampled_from(_of(entities, "character")))]
    entities[person.id] = person.model_copy(update={"status": story.word()})
    thread = Thread(
        id=f"th{story.words}",
        title=story.word(),
        description=story.word(),
        state=draw(st.sampled_from(list(ThreadState))),
    )
    entities[thread.id] = thread


def _event(
    draw: st.DrawFn, story: Story, entities: dict[str, AnyEntity], position: int
) -> Iterator[AnyEntity]:
    earlier = _of(entities, "event")
    event = Event(
        id=f"e{story.words}",
        title=story.word(),
        summary=story.word(),
        consequences=story.word(),
        spoken=story.word(),
        position=position,
        story_order=draw(st.sampled_from([None, None, None, 0.5, 50.0])),
        story_date=story.word(),
    )
    yield event
    scenes = _of(entities, "scene")
    if scenes:
        scene = draw(st.sampled_from(scenes))
        yield Occurrence(id=f"o{event.id}", event=event.id, scene=scene)
    present = draw(st.lists(st.sampled_from(_of(entities, "character")), max_size=3, unique=True))
    for person in present:
        yield Participation(
            id=f"i{person}{event.id}",
            character=person,
            event=event.id,
            part=draw(st.sampled_from(list(Part))),
            emotion=story.word(),
            impact=story.word(),
            inner=story.word(),
            learned=draw(st.sampled_from([story.word(), ""])),
        )
    if earlier:
        source = draw(st.sampled_from(earlier))
        yield EventLink(id=f"l{event.id}", source=source, target=event.id, link=LinkKind.CAUSES)


def may_know(snapshot: Snapshot, person: str, relay: Sequence[str]) -> set[str]:
    """Return every word of a story that one of its people can know at the snapshot's chapter."""
    people = {one.id: one for one in snapshot.characters}
    known = [snapshot.foundation.background, people[person].model_dump_json(exclude={"arc"})]
    known += [people[other].name for other in relay]
    known += [scene.name for scene in snapshot.scenes if snapshot.first_chapter_of(scene.id) == 0]
    acquaintances = set()
    for relationship in snapshot.relationships:
        if relationship.source == person:
            known.append(relationship.reason)
            acquaintances.add(relationship.target)
        if relationship.target == person and (
            relationship.is_mutual or relationship.awareness == "mutual"
        ):
            acquaintances.add(relationship.source)
    for event in snapshot.events:
        told, company = _may_know_of(snapshot, event, person)
        known += told
        acquaintances |= company
    for other in acquaintances:
        one = people[other]
        known += [one.name, one.gender, one.age, one.occupation]
    return canaries_in(" ".join(known))


def _may_know_of(snapshot: Snapshot, event: Event, person: str) -> tuple[list[str], set[str]]:
    """Return the texts of one event that somebody can know, and whom they saw there."""
    parts = {part.character: part for part in snapshot.participations_in(event.id)}
    is_future = event.story_order is not None and event.story_order > snapshot.chapter + 0.999
    if person not in parts or is_future:
        return [], set()
    own = parts[person]
    told = [event.story_date, own.emotion, own.impact, own.inner, own.learned]
    if own.part == "is told":
        return [*told, *(() if own.learned else (event.title, event.summary))], set()
    told += [event.title, event.summary, event.spoken]
    scene = snapshot.scene_of(event.id)
    place = scene.model_dump_json() if scene else ""
    company = {other for other, part in parts.items() if part.part != "is told"}
    return [*told, event.consequences, place], company


def may_be_led_to(snapshot: Snapshot) -> set[str]:
    """Return the words by which an author may lead: ground, places, threads, and how people look."""
    led = [snapshot.foundation.model_dump_json()]
    led += [one.model_dump_json() for one in (*snapshot.scenes, *snapshot.threads)]
    for one in snapshot.characters:
        led += [one.gender, one.age, one.occupation, *(trait.name for trait in one.traits)]
    return canaries_in(" ".join(led))


def author_texts(story: Story) -> st.SearchStrategy[str]:
    """Draw what an author may say of the next chapter: sentences with any words of the story as it is."""
    words = st.sampled_from(sorted(canaries_in(story.snapshot.model_dump_json())))
    sentence = st.lists(words, min_size=1, max_size=3).map(
        lambda said: f"There {' meets '.join(said)} at dusk."
    )
    return st.lists(sentence, max_size=4).map(" ".join)
