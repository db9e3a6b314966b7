"""The words around every page: the sidebar, branches, the run chip and the time cursor."""

from __future__ import annotations

from collections.abc import Mapping

from pages.components.words.speaking import speaks
from store.models.run import RunState

PRODUCT = "Tellwright"


def damaged(problem: str) -> str:
    """Say that a story is damaged, and where help is: after a whole sentence that says how."""
    return f"{problem} The Library tells you what you can do, under “Health and backups”."


def window_title(page: str) -> str:
    """Return what the browser calls the window."""
    return f"{page} · {PRODUCT}"


# Signing in, on a site for several writers

SIGN_IN = "Sign in"
SIGN_IN_ABOUT = (
    "Write long stories together with agents. Your stories are in a library of your own, which no other "
    "writer on this site can see."
)
SIGN_OUT = "Sign out"
WRITERS = "Writers"

# The open story

GO_TO_PREMISE = "Go to the premise"
STORY_UNKNOWN = "The story in this address is not in this library."
STORY_NOT_OPEN = "No story is open"
STORY_NOT_OPEN_ADVICE = "Open one in the library, or begin a new one."
GO_TO_LIBRARY = "Go to the library"


def story_deleted(title: str) -> str:
    """Say that the story in the address is deleted."""
    return f"“{title}” was deleted. You can restore it in the library."


# Links to the pages

LIBRARY = "Library"
PREMISE = "Premise"
OUTLINE = "Outline"
GRAPHS = "Graphs"
HISTORY = "History"
TALK = "Talk"
ASK = "Ask"
ASK_HELP = "Ask the story about this, or say what should change"
TELLINGS = "Tellings"
EVALUATE = "Evaluate"
EXPORT = "Export"
COST = "Cost"
SETTINGS = "Settings"


def plot(plotted: int, most: int | None) -> str:
    """Return the link to the Plot page; None for `most` if no number of chapters is planned."""
    if most is not None:
        return f"Plot {plotted}/{most}"
    return f"Plot {plotted}" if plotted else "Plot"


def write(written: int, plotted: int) -> str:
    """Return the link to the Write page, with how many of the plotted chapters are written."""
    return f"Write {written}/{plotted}" if plotted else "Write"


# Branches

BRANCH = "Branch"
BRANCH_UNKNOWN = "The branch in this address is not in this story; its open branch is shown."
BRANCH_PARENT_UNKNOWN = "another branch"


def branch_start(chapter: int | None, parent: str) -> str:
    """Say where a branch leaves its parent; 0 and None are the beginning."""
    return f"from chapter {chapter} of {parent}" if chapter else f"from the beginning of {parent}"


# The run chip

RUN_AT_WORK = "At work"
RUN_ON_THIS_PAGE = "At work; this page shows the progress."
RUN_STOP = "Stop"
RUN_CONTINUE = "Continue"
RUN_ALLOW_MORE = "Allow as much again"
RUN_CAPPED = "Limit reached"
RUN_HALTED: Mapping[RunState, str] = {
    RunState.STOPPED: "Stopped",
    RunState.FAILED: "Something went wrong",
    RunState.INTERRUPTED: "The app was closed while this was running",
}
CHOICE_WAITS = "A choice is waiting for you"
CHOICE_WAITS_HERE = "A choice is waiting for you on this page."

# The time cursor

PLAYER = "Steps through the chapters"
PLAYER_EARLIER = "Earlier"
PLAYER_PLAY = "Play"
PLAYER_PAUSE = "Pause"
PLAYER_LATER = "Later"


def as_of(chapter: int, plotted: int) -> str:
    """Say where the time cursor is."""
    return f"As of chapter {chapter} of {plotted}" if chapter else "As of the beginning"


# What Streamlit says by itself in a field for files

CHOOSE_FILE = "Upload"

# The language of the pages

LANGUAGE = "Language of the pages"

speaks(__name__)
