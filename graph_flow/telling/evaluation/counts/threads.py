"""How many threads are open along the chapters, and for how long they have been. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from store.models.base import Record
from store.models.plot import Thread, ThreadState
from store.prototype.states import Version

_NAMED = 12
"""Open threads that are named at a chapter: the oldest."""


class OpenThread(Record):
    """A thread that is planted and neither paid off nor dropped; `age` is in chapters."""

    title: str
    age: int


class OpenThreads(Record):
    """The threads that are open at the end of a chapter; ages are in chapters since the planting."""

    count: int = 0
    mean_age: float = 0.0
    oldest_age: int = 0
    oldest: tuple[OpenThread, ...] = ()


def open_threads(
    timelines: Mapping[str, Sequence[Version]], chapters: Iterable[int]
) -> Iterator[OpenThreads]:
    """Yield the threads that are open at the end of some chapters of the plot, which rise.

    `timelines` are those of the story's threads, by id.
    """
    changes = sorted(
        ((one.chapter, id_, one.entity) for id_, line in timelines.items() for one in line),
        key=lambda change: change[0],
    )
    still: dict[str, Thread] = {}
    at = 0
    for chapter in chapters:
        while at < len(changes) and changes[at][0] <= chapter:
            _, id_, entity = changes[at]
            still.pop(id_, None)
            if isinstance(entity, Thread) and entity.state is ThreadState.PLANTED:
                still[id_] = (
                    entity
                    if entity.planted_in is not None
                    else entity.model_copy(update={"planted_in": changes[at][0]})
                )
            at += 1
        yield _at(chapter, still.values())


def _at(chapter: int, threads: Iterable[Thread]) -> OpenThreads:
    found = [
        OpenThread(title=one.title, age=max(0, chapter - (one.planted_in or 0)))
        for one in threads
        if (one.planted_in or 0) <= chapter
    ]
    if not found:
        return OpenThreads()
    found.sort(key=lambda one: (-one.age, one.title))
    return OpenThreads(
        count=len(found),
        mean_age=sum(one.age for one in found) / len(found),
        oldest_age=found[0].age,
        oldest=tuple(found[:_NAMED]),
    )
