"""The words of the History page, and of what an edit has made stale wherever it is shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.edits.staleness import TargetKind

TITLE = "History"
NEVER_MIND = "Never mind"


def chapter(number: int) -> str:
    """Return how a chapter is called."""
    return f"Chapter {number}"


def starting_point(chapter: int) -> str:
    """Return how the end of a chapter is called in a sentence; 0 is the beginning."""
    return f"chapter {chapter}" if chapter else "the beginning"


# A story that has not begun

NOT_BEGUN = "The story has no history yet"
NOT_BEGUN_ADVICE = "It begins when you approve the cast and the foundation."

# Undo and redo

Direction = Literal["undo", "redo"]

STEP_BUTTONS: Mapping[Direction, str] = {"undo": "Undo", "redo": "Redo"}
NO_STEP: Mapping[Direction, str] = {"undo": "Nothing to undo.", "redo": "Nothing to redo."}
NOTHING_IS_LOST = (
    "Nothing is lost here: what is undone can be redone, an undone chapter keeps its "
    "candidates and text, and what you rewind past stays on its branch."
)


def step_done(direction: Direction, what: str) -> str:
    """Say what was undone or redone."""
    return f"Undone: {what}." if direction == "undo" else f"Redone: {what}."


# The steps of a branch

STEPS = "What was done"
STEP_UNDONE = "undone"
NO_STEPS = "Nothing has been done yet. Chapters and edits will appear here."


def no_steps_on_branch(branch: str) -> str:
    """Say that nothing has been done on a branch since it began."""
    return (
        f"Nothing has been done on “{branch}” yet. It shares everything from before it began; "
        "its own chapters and edits will appear here."
    )


def show_earlier_steps(count: int) -> str:
    """Return the button that shows the older steps too."""
    return f"Show {counted(count, 'earlier step', 'earlier steps')}"


def more_changes(count: int) -> str:
    """Return the label of the changes that are folded."""
    return f"{count:,} more"


def changes_left_out(count: int) -> str:
    """Say how many changes are not shown at all."""
    return f"… and {count:,} more."


# What can begin at a chapter

START = "Start from a chapter"
WHAT_IF = "What if … from here"
REWIND = "Rewind to here"
WHAT_IF_NAME = "What if …?"
WHAT_IF_EXAMPLE = "Mara takes the boat"
WHAT_IF_BEGIN = "Begin the branch"
REWIND_STAY = "Stay here"


def start_chapter(plotted: int) -> str:
    """Return the label of the field for the chapter to start from."""
    return f"From the end of chapter (0 to {plotted:,}; 0 is the beginning)"


def what_if_shares(chapter: int, branch: str) -> str:
    """Say what a new branch shares with the one that it leaves."""
    return (
        f"A new branch begins at {starting_point(chapter)} of “{branch}”. "
        "It shares everything up to that point; what comes after stays here. "
        "The goals of its first chapter are set so that this comes true."
    )


def branch_begun(name: str, chapter: int) -> str:
    """Say that a branch has begun and is open."""
    return f"You are now on “{name}”, which begins at {starting_point(chapter)}."


def rewind_keeps(chapter: int, later: int, branch: str) -> str:
    """Say what rewinding to a chapter does, and what becomes of the later ones."""
    stay = "later chapter stays" if later == 1 else f"{later:,} later chapters stay"
    return (
        f"You continue from {starting_point(chapter)} on a new branch. Nothing is lost: the {stay} "
        f"on “{branch}”, and you can go back there at any time."
    )


def rewind_to(chapter: int) -> str:
    """Return the button that rewinds to a chapter."""
    return f"Rewind to {starting_point(chapter)}"


def rewound(now: str, before: str) -> str:
    """Say which branch is open after rewinding, and that the other is unchanged."""
    return f"You are now on “{now}”. “{before}” is unchanged."


# The branches of the story

BRANCHES = "Branches"
ONLY_BRANCH = (
    f"There is one branch so far. *{WHAT_IF}* begins another at any chapter, "
    "to try something out; the two can be compared and brought together."
)
BRANCH_OPEN = "open"
BRANCH_SWITCH = "Switch"
BRANCH_COMPARE = "Compare"
BRANCH_BRING = "Bring into …"
BRANCH_PUT_AWAY = "Archive"
BRANCHES_PUT_AWAY = "Archived branches"
BRANCH_BRING_BACK = "Restore"


def branch_put_away(name: str) -> str:
    """Say that a branch was put away."""
    return f"“{name}” is archived. Nothing in it is lost; you can restore it below."


def branch_brought_back(name: str) -> str:
    """Say that a branch is listed again."""
    return f"“{name}” is restored."


BRANCH_RENAME = "Rename"
BRANCH_NAME = "Name"
BRANCH_SAVE_NAME = "Save name"

# One branch brought into another

MERGE_INTO = "Into"
MERGE_OK = "OK"
MERGE_ONLY_DECISIONS = "Only what you decide here."
MERGE_DECIDED = "Everything is decided."


def merge_heading(source: str) -> str:
    """Return the heading of the panel in which a branch is brought into another."""
    return f"Bring “{source}” into another branch"


def merge_brings_nothing(source: str, target: str) -> str:
    """Say that there is nothing to bring."""
    return f"“{source}” has nothing that “{target}” does not have."


def merge_is_straight(target: str) -> str:
    """Say that the other branch has not moved on, so nothing has to be decided."""
    return f"“{target}” has not changed since, so the chapters are added unchanged."


def merge_changes(target: str) -> str:
    """Return the heading of what would change."""
    return f"What changes on “{target}”"


def merge_can_be_undone(source: str, target: str) -> str:
    """Say what bringing a branch into another leaves as it is."""
    return f"“{source}” stays as it is, and this can be undone on “{target}”."


def merge_as_on(branch: str) -> str:
    """Say which branch an answer to a question keeps."""
    return f"— as on {branch}"


def merge_before(value: str) -> str:
    """Say what both branches had before they changed it."""
    return f"it was: {value}"


def merge_questions_left(count: int) -> str:
    """Say how much is left to decide."""
    if not count:
        return MERGE_DECIDED
    return f"{counted(count, 'question', 'questions')} left to decide."


def merge_do(target: str) -> str:
    """Return the button that brings the branch into the other."""
    return f"Bring into “{target}”"


def merged(source: str, target: str) -> str:
    """Say that a branch was brought into another, which is now open."""
    return f"You are now on “{target}”, which has everything that happens on “{source}”."


# What is stale

STALE = "To review"
STALE_WHAT = "Your changes may affect these chapters, which stay as they are until you act."
STALE_FITS = "Still fits"
STALE_GO_TO_TEXT = "Go there"
STALE_LOOK_AT_EVENT = "Look at it"
STALE_ALL_FIT = "All of them still fit …"
STALE_DO_ALL_FIT = "They still fit"
STALE_KEEP_MARKS = "Keep the marks"
STALE_PARTS: Mapping[TargetKind, str] = {
    "event": "what happens",
    "plan": "the plan",
    "draft": "the text",
}


def stale_parts(kinds: Collection[TargetKind]) -> str:
    """Say what of a chapter is stale: "what happens, the text"."""
    return ", ".join(STALE_PARTS[kind] for kind in kinds)


def stale_parts_label(kinds: Collection[TargetKind]) -> str:
    """Say the same as the label of an icon, with a capital."""
    return stale_parts(kinds).capitalize()


def stale_reason(reason: str, more: int) -> str:
    """Return the first reason why something is stale, with how many more there are."""
    return f"{reason} … and {more} more" if more else reason


def stale_more_reasons(count: int) -> str:
    """Say how many reasons are not shown."""
    return f"… and {counted(count, 'more reason', 'more reasons')}."


def stale_more_changes(count: int) -> str:
    """Say how many older changes made something stale."""
    return f"… and {counted(count, 'more change', 'more changes')} before these."


def stale_more_chapters(count: int) -> str:
    """Say how many more chapters a change made stale."""
    return f"… and {counted(count, 'later chapter', 'later chapters')}."


def stale_clear_all(chapters: int) -> str:
    """Say what it does to call all chapters fitting."""
    count = counted(chapters, "chapter", "chapters")
    return f"This clears the marks on {count}; the chapters stay as they are."


speaks(__name__)
