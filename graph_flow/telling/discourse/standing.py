"""Where the chapter that is written stands: in its telling, and in the time of the story."""

from __future__ import annotations

from typing import NamedTuple

from graph_flow.errors import WorkbenchError
from graph_flow.runtime.context import StoryContext
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.story import StorySettings
from store.texts.tellings import ChapterOfTelling


class Standing(NamedTuple):
    """A chapter's place, from 1, and the settings of the story with the length of its telling.

    It is told as of a chapter of the story; `told` is what another telling shows in it.
    """

    number: int
    settings: StorySettings
    as_of: int
    title: str
    told: ChapterOfTelling | None = None

    @property
    def words(self) -> str:
        """What the chapter is called."""
        here = f"chapter {self.number}"
        return f"{here} of “{self.told.telling.name}”" if self.told else here


def standing(context: StoryContext, chapter: int) -> Standing:
    """Return where a chapter stands, by the number that it is kept by.

    Raises:
        WorkbenchError: if it was the chapter of a telling that is gone.
    """
    title_of = context.store.prototype.title_of
    if chapter < FIRST_OF_TELLING:
        title = title_of(context.branch, chapter)
        return Standing(chapter, context.settings, chapter, title)
    told = context.store.tellings.of_chapter(context.branch, chapter)
    if told is None:
        raise WorkbenchError("This telling no longer exists.")
    head = context.store.prototype.head(context.branch)
    unplotted = max(0, context.settings.chapter_cap - (head.chapter if head else 0))
    length = {"chapter_cap": len(told.telling.chapters) + unplotted}
    as_of = told.chapter.as_of
    return Standing(
        told.place,
        context.settings.model_copy(update=length),
        as_of,
        told.chapter.title or title_of(context.branch, as_of),
        told,
    )


def shown_before(told: ChapterOfTelling) -> set[str]:
    """Return the events that the chapters of a telling before this one show."""
    return {event for one in told.telling.chapters[: told.place - 1] for event in one.events}
