"""The words of the Outline page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages.components import words
from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.plot import LinkKind
from store.models.story import OutlineUse

# The page

TITLE = "Outline"
NOT_BEGUN = "The story has not begun"
NOT_BEGUN_ADVICE = "Approve the cast and the foundation first."
OUTLINE_GONE = "This outline no longer exists; perhaps it was discarded in another window."

# Before there is an outline, and while it is drafted

EMPTY = "Do you plan before you write?"
EMPTY_ADVICE = (
    "An outline lays out the storylines and their events, and spreads them over the chapters. "
    "Without one, the story grows chapter by chapter."
)
DRAFT = "Draft an outline"
DRAFT_ANEW = "Start the outline over"
WRITE_OWN = "Write my own"


def draft_extent(chapters: int) -> str:
    """Say how much of the story a drafted outline covers."""
    return (
        f"It covers the remaining {counted(chapters, 'chapter', 'chapters')} of the story. "
        "You can change their number on Premise."
    )


# Approving, using and discarding an outline

APPROVE = "Approve the outline"
ASK_AGAIN = "Draft it again"
ASK_AGAIN_PROMPT = "What should be different?"
PLOT_FIRST = "Plot the first chapter"
PLOT_NEXT = "Plot the next chapter"
ACCEPT = "Use this outline"
ACCEPT_HELP = "Chapters will then be plotted from it, and changes made here take effect at once."
DISCARD_OFFER = "Discard the outline …"
DISCARD_HELP = "The outline will be discarded. The story and its chapters stay as they are."
DISCARD = "Discard"
DISCARD_CANCEL = "Keep it"
DISCARDED = "The outline was discarded."
RESTORE = "Restore"


def review(remarks: str) -> str:
    """Return the reviewer's remarks under their heading."""
    return f"**Review.** {remarks}"


def not_usable(problems: Sequence[str]) -> str:
    """Say why an outline cannot be used yet."""
    return f"This outline cannot be used yet. {' '.join(problems)}"


# How the outline is used

USE = "The outline, when a chapter is plotted"
USES: Mapping[OutlineUse, str] = {
    OutlineUse.IGNORE: "Ignore it",
    OutlineUse.GUIDE: "Use it as a guide",
    OutlineUse.FOLLOW: "Follow it",
}
USES_HELP: Mapping[OutlineUse, str] = {
    OutlineUse.IGNORE: "The story goes where its people take it; the outline is ignored.",
    OutlineUse.GUIDE: "A chapter’s goals take into account what the outline has planned for it.",
    OutlineUse.FOLLOW: "A chapter’s goal is what the outline has planned; its people find the way.",
}

# The two views

VIEW = "View"
VIEW_LINES = "Storylines"
VIEW_BOARD = "Board"

# What is added to an outline until the writer words it

NEW_LINE = "New storyline"
NEW_EVENT = "Something happens"
NEW_PART = "A part of it happens"

# Storylines

LINE_ADD = "Add a storyline"
LINE_NAME = "Storyline"
LINE_DONE = "Done"
LINE_REMOVE_OFFER = "Remove the storyline …"
LINE_REMOVE = "Remove"
LINE_REMOVE_CANCEL = "Keep"


def line_change(line: str) -> str:
    """Return the label of the button that changes a storyline."""
    return f"Change {line}"


def line_add_event(line: str) -> str:
    """Return the label of the button that adds an event to a storyline."""
    return f"Add an event to {line}"


def line_more_events(count: int) -> str:
    """Return the label of the button that shows more events of a storyline."""
    return f"Show {counted(count, 'more event', 'more events')}"


def line_remove_help(line: str, events: int) -> str:
    """Say what goes when a storyline is removed."""
    gone = counted(events, "event goes", "events go")
    return f"{line} will be removed from the outline; {gone} with it."


# Events

EVENT_PARTS = "Its parts, each told in one chapter"
EVENT_PARTS_NONE = "It has no parts yet for a chapter to tell."
EVENT_ADD_PART = "Add a part"
EVENT_DONE = "Done"
EVENT_EARLIER = "Earlier"
EVENT_LATER = "Later"
EVENT_REMOVE_OFFER = "Remove this event …"
EVENT_REMOVE = "Remove"
EVENT_REMOVE_CANCEL = "Keep"


def event_edit(title: str) -> str:
    """Return the label of the button that edits an event."""
    return f"Edit {title}"


def event_people(names: Sequence[str]) -> str:
    """Say who is in an event."""
    return f":gray[With] {', '.join(names)}"


def event_chapters(numbers: Sequence[int]) -> str:
    """Name the chapters that tell an event."""
    noun = "Chapter" if len(numbers) == 1 else "Chapters"
    return f"{noun} {', '.join(str(number) for number in numbers)}"


def event_parts_unplaced(count: int) -> str:
    """Say how many parts of an event have no chapter."""
    return f"{counted(count, 'part', 'parts')} not placed"


def event_remove_help(title: str, parts: int) -> str:
    """Say what goes when an event is removed."""
    along = f" {counted(parts, 'part goes', 'parts go')} with it." if parts else ""
    return f"{title} will be removed from the outline.{along}"


# Links between events

LINKS = "What leads to what"
LINKS_NONE = "Add another event to say what leads to what."
LINK_ADD = "Add a link"
LINK_REMOVE = "Remove this link"


def link(source: str, kind: LinkKind, target: str) -> str:
    """Return a link as a sentence: "The flood causes The auction"."""
    return f"{source} *{words.link_words(kind)}* {target}"


# Parts

PART_CHAPTER_NONE = "not placed"
PART_POSITION = "Position in the chapter"
PART_REMOVE = "Remove this part"


def part_told(chapter: int) -> str:
    """Say which chapter told a part."""
    return f"Told in chapter {chapter}."


def part_late(chapter: int) -> str:
    """Say that the chapter of a part did not tell it, and what to do."""
    return f"Chapter {chapter} did not tell this. Give it a later chapter."


def part_chapter(number: int) -> str:
    """Name a chapter that could tell a part."""
    return f"Chapter {number:,}"


def part_position(place: int, following: str) -> str:
    """Name the position in a chapter before another part."""
    return f"{place}. before: {following}"


def part_position_last(place: int) -> str:
    """Name the last position in a chapter."""
    return f"{place}. at the end"


# The board

BOARD_EARLIER = "Earlier chapters"
BOARD_LATER = "Later chapters"
BOARD_FROM = "From chapter"
BOARD_BEYOND_LAST = "after the last chapter"
BOARD: Mapping[str, str] = {
    "by_mouse": "Drag a card, or use the arrow keys; a click opens it.",
    "by_finger": "Drag a card by its dots; a tap opens it.",
    "unplaced": "Not placed",
    "chapter": "Chapter {chapter}",
    "position": "Chapter {chapter}, {place} of {count}",
    "late": "Left over from chapter {chapter}",
    "told": "Told",
}
"""What the board says in the browser, which fills in what is in braces."""


def board_chapters(first: int, final: int, last: int) -> str:
    """Say which chapters of the story the board shows."""
    return f"Chapters {first:,} to {final:,} of {last:,}"


def board_hidden(count: int) -> str:
    """Say how many unplaced parts are too many to show."""
    return f"{counted(count, 'more part is', 'more parts are')} not placed."


# Beside the board

CARD_DONE = "Done"
CARD_OPEN_EVENT = "Open the event"


def events_off_board(count: int, titles: Sequence[str]) -> str:
    """Say how many events are not on the board, and name the first of them."""
    more = f" and {count - len(titles):,} more" if count > len(titles) else ""
    return (
        f"{counted(count, 'event is', 'events are')} not on the board: {', '.join(titles)}{more}."
    )


def put_on_board(count: int) -> str:
    """Return the label of the button that puts those events on the board."""
    return "Put it on the board" if count == 1 else "Put them on the board"


speaks(__name__)
