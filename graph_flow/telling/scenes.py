"""From a chapter's events to the scenes of its text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graph_flow.cognition.memory import relationship_line
from graph_flow.telling.answers import PlanAnswer, PlannedSceneAnswer
from store.models.cast import Character
from store.models.form import Form
from store.models.manuscript import PartTime, PlannedScene, WritingPlan
from store.models.plot import Event, Scene
from store.models.prototype import Snapshot

TOKENS_PER_WORD = 1.8
"""Bounds an answer: a scene may come out a third longer than planned."""
_BREAK = re.compile(r"\n\s*(?:(?:\*[ \t]*){3,}|-{3,}|#)[ \t]*\n\s*")
"""A line between two scenes, in any of the ways in which models draw it."""
_MOST_RELATIONSHIPS = 4
"""The most relationships that a scene's writer is given: the strongest between its people."""


@dataclass(frozen=True)
class SceneGroup:
    """The events of one scene of the text, in story order, with the people in them."""

    label: str
    scene: Scene | None
    events: tuple[Event, ...]
    people: tuple[Character, ...]

    @property
    def line(self) -> str:
        """The group in one line, as the planner's prompt lists it."""
        place = self.scene.name if self.scene else "somewhere"
        return f"{self.label} ({place}): " + " ".join(event.summary for event in self.events)


def scene_groups(snapshot: Snapshot, chapter: int) -> list[SceneGroup]:
    """Return a chapter's events in groups: successive events in the same place go together."""
    runs: list[tuple[Scene | None, list[Event]]] = []
    for event in snapshot.events_of(chapter):
        scene = snapshot.scene_of(event.id)
        if runs and scene and runs[-1][0] and runs[-1][0].id == scene.id:
            runs[-1][1].append(event)
        else:
            runs.append((scene, [event]))
    return [
        SceneGroup(f"S{at}", scene, tuple(events), people_in(snapshot, events))
        for at, (scene, events) in enumerate(runs, start=1)
    ]


def people_in(snapshot: Snapshot, events: Iterable[Event]) -> tuple[Character, ...]:
    """Return the people who take part in some events, each once, in order."""
    ids = [part.character for event in events for part in snapshot.participations_in(event.id)]
    return tuple(snapshot.get(Character, person) for person in dict.fromkeys(ids))


def planned_scenes(
    answer: PlanAnswer, groups: Sequence[SceneGroup], snapshot: Snapshot
) -> tuple[PlannedScene, ...]:
    """Return the scenes in the answer's order; each group occurs exactly once in any case."""
    by_label = {group.label: group for group in groups}
    ids = {person.name: person.id for person in snapshot.characters}
    told: dict[str, PlannedSceneAnswer] = {}
    for answered in answer.scenes:
        told.setdefault(answered.scene, answered)
    order = [*told, *(label for label in by_label if label not in told)]
    scenes = []
    for label in order:
        group, item = by_label[label], told.get(label)
        eyes = ids.get(item.point_of_view) if item else None
        scenes.append(
            PlannedScene(
                scene=group.scene.id if group.scene else None,
                events=tuple(event.id for event in group.events),
                point_of_view=eyes or (group.people[0].id if group.people else None),
                beat=item.beat if item else " ".join(event.summary for event in group.events),
            )
        )
    return tuple(scenes)


def scene_facts(plan: WritingPlan, scene: PlannedScene, snapshot: Snapshot) -> list[str]:
    """Return what the writer of a scene must keep to: place, people, relationships, cues."""
    events = [snapshot.get(Event, event) for event in scene.events if event in snapshot.entities]
    people = people_in(snapshot, events)
    present = {person.id for person in people}
    facts = []
    place = snapshot.entities.get(scene.scene or "")
    if isinstance(place, Scene):
        facts.append(_joined("Place", place.name, place.place, place.time, place.atmosphere))
    if scene.time is not PartTime.PRESENT:
        facts.append(_joined("Told as", f"a {scene.time.value}"))
    facts += [
        _joined(person.name, person.gender, person.occupation, person.personality)
        for person in people
    ]
    relationships = [
        relationship
        for relationship in snapshot.relationships
        if {relationship.source, relationship.target} <= present
    ]
    relationships.sort(key=lambda relationship: -relationship.strength)
    facts += [
        relationship_line(snapshot, relationship)
        for relationship in relationships[:_MOST_RELATIONSHIPS]
    ]
    facts += [_joined("Remember", item.why) for item in (*plan.recall, *scene.recall) if item.why][
        :2
    ]
    facts += [
        _joined("Let the reader wonder", cue.how)
        for cue in (*plan.threads, *scene.threads)
        if cue.how
    ][:2]
    return facts


def joined_scenes(texts: Sequence[str], form: Form) -> str:
    """Return a chapter's text from its scenes, joined by the scene break of its form."""
    return form.spec.scene_break.join(text.strip() for text in texts)


def with_breaks(text: str, form: Form) -> str:
    """Return a text with the scene breaks of its form, however a model has drawn them."""
    return _BREAK.sub(form.spec.scene_break, text.strip()) if form.spec.is_prose else text.strip()


def tail(text: str, words: int) -> str:
    """Return the last words of a text, from which the next scene continues."""
    return " ".join(text.split()[-words:])


def _joined(label: str, *parts: str) -> str:
    return f"{label}: " + ", ".join(part for part in parts if part)
