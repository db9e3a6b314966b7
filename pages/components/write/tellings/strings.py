"""The words of the Tellings page."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from graph_flow.telling.discourse.coverage import TextOf
from pages.components.words import counted
from store.models.desk.telling import Arrangement
from store.models.manuscript import PartTime

TITLE = "Tellings"
ABOUT = (
    "What happens stays the same. A telling shows it in another order, in another form, or both, and has a "
    "text of its own beside that of the book."
)
NOTHING = "Nothing to tell yet"
NOTHING_ADVICE = "Plot a chapter first. What happens in it can then be told in more than one way."
GO_TO_PLOT = "Go to the plot"

# Making one

NEW = "New telling"
NAME = "Name"
NAME_EXAMPLE = "For the screen"
ORDER = "Order"
FORM = "Form"
MAKE = "Make this telling"
MAKE_ABOUT = (
    "It is only arranged for now. You see what each chapter shows before anything is written."
)
ORDERS: Mapping[Arrangement, str] = {
    Arrangement.LINEAR: "In the order of the story",
    Arrangement.IN_MEDIAS_RES: "From the middle of things",
    Arrangement.FLASHBACKS: "With flashbacks",
    Arrangement.FLASH_FORWARD: "With a glimpse of the end first",
    Arrangement.FRAME: "In a frame: somebody looks back",
    Arrangement.PARALLEL: "In two lines, by turns",
}


def made(name: str) -> str:
    """Say that a telling was made."""
    return f"“{name}” is arranged. Nothing of it is written yet."


# The chosen one

CHOOSE = "Telling"
RENAME = "Rename"
NEW_NAME = "New name"
DO_RENAME = "Use this name"
PUT_AWAY = "Put away"
PUT_BACK = "Put it back"
AWAY = "Tellings that are put away"
STILL_FITS = "All of it still fits"
WHOLE = "All of it is written, as the story is now."
LIMITS = "Limits"
NEVER_MIND = "Never mind"


def put_away(name: str) -> str:
    """Say that a telling is no longer listed."""
    return f"“{name}” is put away, with its texts. You find it at the foot of this page."


def facts(order: str, form: str, chapters: int) -> str:
    """Return what a telling is, in a line."""
    return f"{order} · {form} · {counted(chapters, 'chapter', 'chapters')}"


def write(chapters: int) -> str:
    """Return the button that writes what a telling lacks."""
    return f"Write {counted(chapters, 'chapter', 'chapters')}"


def go_on(chapters: int) -> str:
    """Return the button that adds what was plotted since."""
    return f"Add {counted(chapters, 'chapter', 'chapters')} for what was plotted since"


class Part(StrEnum):
    """The parts of the page, one of which is shown."""

    CHAPTERS = "chapters"
    READER = "reader"
    EVENTS = "events"


PARTS: Mapping[Part, str] = {
    Part.CHAPTERS: "Chapters",
    Part.READER: "What the reader knows",
    Part.EVENTS: "Events and texts",
}
PARTS_LABEL = "What to look at"

# A chapter, and what it shows

CHAPTER = "Chapter"
CHAPTER_TITLE = "Title of the chapter"
CHAPTER_STATES: Mapping[TextOf, str] = {
    TextOf.CURRENT: "written",
    TextOf.STALE: "changed since",
    TextOf.MISSING: "not written yet",
    TextOf.NOT_SHOWN: "shows nothing yet",
}
SHOWS_NOTHING = "This chapter shows nothing yet. Choose what happens in it."
SHOWS = "What it shows, in this order"
SHOWS_ABOUT = (
    "The order in which you choose is the order of telling. To move an event, take it out and choose it "
    "again."
)
CHANGE = "Change what it shows"
KEEP = "Save"
WHEN = "When"
EYES = "Through whose eyes"
EYES_AS_PLANNED = "As in the story’s own plan"
EARLIER, LATER = "Move up", "Move down"
ADD_CHAPTER = "Add a chapter behind it"
TAKE_OUT = "Take it out"
PUT_IN = "Put a chapter back"
NOT_WRITTEN = "This chapter is not written yet."
TIMES: Mapping[PartTime, str] = {
    PartTime.PRESENT: "In its course",
    PartTime.FLASHBACK: "As a flashback",
    PartTime.FLASH_FORWARD: "As a glimpse ahead",
    PartTime.FRAME: "As the frame",
}
_FROM: Mapping[PartTime, str] = {
    PartTime.PRESENT: "From",
    PartTime.FLASHBACK: "Flashback to",
    PartTime.FLASH_FORWARD: "Glimpse of",
    PartTime.FRAME: "Frame, from",
}


def chapter(place: int, title: str, state: str) -> str:
    """Return a chapter of a telling in a list. Not Markdown."""
    return f"{place}. {title} · {state}"


def heading(place: int, title: str) -> str:
    """Return the heading of a chapter. Markdown."""
    return f"{place}\\. {title}"


def part(time: PartTime, number: int, seen_by: str) -> str:
    """Say when a part of a chapter happens, and through whose eyes it is seen if that is set."""
    when = f"chapter {number:,}" if number else "before the story"
    return f"{_FROM[time]} {when}" + (f", seen by {seen_by}" if seen_by else "")


def event(title: str, number: int) -> str:
    """Return an event in a list of all. Not Markdown."""
    return f"{title} ({f'chapter {number:,}' if number else 'before the story'})"


def taken_out(title: str) -> str:
    """Say that a chapter was taken out."""
    return f"“{title}” is taken out. Its text is kept, and you can put it back."


def put_in(title: str) -> str:
    """Return the button that puts a chapter back. Markdown."""
    return f"Put “{title}” back at the end"


# What the reader knows

KNOWLEDGE_ABOUT = (
    "How many events the reader has been shown by the end of each chapter. Where a telling runs ahead of the "
    "book, its reader knows early what others only find out, which makes for suspense; where it stays behind, "
    "for a mystery."
)
THE_BOOK = "The book"
PLACE, KNOWN, AHEAD, BEHIND = "Chapter", "Events shown", "Only the reader", "Not the reader"
AHEAD_HELP = "Shown to the reader, and known to nobody in the last scene of the chapter"
BEHIND_HELP = "Known to somebody in the last scene of the chapter, and not shown to the reader yet"
WHO_FIRST = "Who knows of what first"
WHO_FIRST_ABOUT = (
    "The chapter of this telling in which the reader is shown an event, and the one by which each person "
    "knows of it. A dash: never."
)
READER = "Reader"
EVENT = "Event"
NEVER = "–"

# The table of events

EVENTS_ABOUT = "What each text has of each event. Only chapters with something changed or missing are written anew."
STATES: Mapping[TextOf, str] = {
    TextOf.CURRENT: "written",
    TextOf.STALE: "changed since",
    TextOf.MISSING: "not written",
    TextOf.NOT_SHOWN: "–",
}
IN_CHAPTER = "Chapter"
BEFORE = "before"


def column(name: str, form: str) -> str:
    """Return the heading of a telling in the table."""
    return f"{name or THE_BOOK} ({form.lower()})"
