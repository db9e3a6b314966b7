"""How a chapter of another telling is told: by what the story's own plans say of the same events.

Nothing is planned again: no model is asked. Only what the reader of this telling has learned already,
or must not learn yet, is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from graph_flow.runtime.context import StoryContext
from graph_flow.telling.discourse.standing import Standing
from graph_flow.telling.scenes import people_in, scene_groups
from store.models.desk.telling import ToldPart
from store.models.manuscript import PartTime, PlannedScene, Structure
from store.models.plot import Event, Scene
from store.models.prototype import Snapshot
from store.texts.tellings import ChapterOfTelling

_STRUCTURES = {
    PartTime.FRAME: Structure.FRAME,
    PartTime.FLASH_FORWARD: Structure.FLASH_FORWARD,
    PartTime.FLASHBACK: Structure.FLASHBACK,
    PartTime.PRESENT: Structure.LINEAR,
}


def scenes_told(context: StoryContext, told: ChapterOfTelling) -> tuple[PlannedScene, ...]:
    """Return the scenes of a chapter of a telling, in its order; what was removed since is left out."""
    known = context.store.manuscript.told_in(context.branch, told.telling.keys[: told.place - 1])
    scenes: list[PlannedScene] = []
    for part in told.chapter.parts:
        for scene in _scenes_of(context, part):
            seen_by = _seen_by(context, part, scene)
            is_glimpse = _is_shown_again(told, part)
            reveals = () if is_glimpse else tuple(one for one in scene.reveals if one not in known)
            known |= set(reveals)
            scenes.append(
                scene.model_copy(
                    update={
                        "reveals": reveals,
                        "time": part.time,
                        "story_chapter": part.chapter,
                        "recall": (),
                        "point_of_view": seen_by,
                    }
                )
            )
    return tuple(scenes)


def scene_count(context: StoryContext, at: Standing) -> int:
    """Return how many scenes a chapter has, as far as that is known before it is planned."""
    if at.told is not None:
        return len(scenes_told(context, at.told))
    snapshot = context.store.excerpts.of_chapter(context.branch, at.number)
    return len(scene_groups(snapshot, at.number))


def structure_of(scenes: Sequence[PlannedScene]) -> Structure:
    """Return what a chapter is called by the times of its scenes."""
    times = {scene.time for scene in scenes}
    return next(structure for time, structure in _STRUCTURES.items() if time in times)


def with_words(scenes: Sequence[PlannedScene], words: int) -> tuple[PlannedScene, ...]:
    """Return scenes with their shares of a chapter's words, as they had them in the story's own plans."""
    usual = max(1, max((scene.words for scene in scenes), default=0))
    shares = [scene.words or usual for scene in scenes]
    return tuple(
        scene.model_copy(update={"words": max(1, words * share // sum(shares))})
        for scene, share in zip(scenes, shares, strict=True)
    )


def _seen_by(context: StoryContext, part: ToldPart, scene: PlannedScene) -> str | None:
    """Return through whose eyes a scene is seen: the writer's wish holds where that person is there."""
    if part.point_of_view is None:
        return scene.point_of_view
    snapshot = context.store.excerpts.of_chapter(context.branch, part.chapter)
    there = people_in(snapshot, [snapshot.get(Event, one) for one in scene.events])
    wanted = part.point_of_view
    return wanted if any(one.id == wanted for one in there) else scene.point_of_view


def _is_shown_again(told: ChapterOfTelling, part: ToldPart) -> bool:
    """Return whether a part is a first glimpse of what is shown in full later on."""
    later = {event for one in told.telling.chapters[told.place :] for event in one.events}
    return part.time is not PartTime.PRESENT and set(part.events) <= later


def _scenes_of(context: StoryContext, part: ToldPart) -> Iterator[PlannedScene]:
    """Yield the scenes of a part: as the story's own plan has them, and what it does not have.

    Events in the order of the story are told in that of the plan, which may know better; in any other
    order, the writer wants them so.
    """
    snapshot = context.store.excerpts.of_chapter(context.branch, part.chapter)
    there = [event for event in part.events if event in snapshot.entities]
    plan = context.store.manuscript.plan(context.branch, part.chapter)
    planned = plan.scenes if plan else ()
    positions = [snapshot.get(Event, event).position for event in there]
    if positions == sorted(positions):
        told = [event for scene in planned for event in scene.events if event in there]
        there = list(dict.fromkeys([*told, *there]))
    scene_of = {
        event: at for at, scene in reversed([*enumerate(planned)]) for event in scene.events
    }
    begun: set[int] = set()
    for at, run in groupby(there, key=scene_of.get):
        events = tuple(run)
        if at is None:
            yield from _unplanned(snapshot, events)
            continue
        found: dict[str, object] = {"events": events}
        if at in begun:  # it was interrupted: what the plan says of it has been said
            found |= {"beat": _summaries(snapshot, events), "reveals": ()}
        begun.add(at)
        yield planned[at].model_copy(update=found)


def _summaries(snapshot: Snapshot, events: Iterable[str]) -> str:
    return " ".join(snapshot.get(Event, event).summary for event in events)


def _unplanned(snapshot: Snapshot, events: Iterable[str]) -> Iterator[PlannedScene]:
    """Yield a scene for each run of events in the same place."""
    runs: list[tuple[Scene | None, list[Event]]] = []
    for id_ in events:
        place = snapshot.scene_of(id_)
        if not (runs and place and runs[-1][0] == place):
            runs.append((place, []))
        runs[-1][1].append(snapshot.get(Event, id_))
    for place, run in runs:
        people = people_in(snapshot, run)
        yield PlannedScene(
            scene=place.id if place else None,
            events=tuple(event.id for event in run),
            point_of_view=people[0].id if people else None,
            beat=_summaries(snapshot, (event.id for event in run)),
        )
