"""The words of the Plot page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_flow.views import PlotStep
from pages.components.pictures import strings as pictures
from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.cast import Relationship
from store.models.proposals import Chooser

# The page

TITLE = "Plot"
NOT_BEGUN = "The story has not begun"
NOT_BEGUN_ADVICE = "Approve the cast and the foundation first."
CHOOSE_AGAIN = (
    "This chapter was undone. Choose again among its candidates, or restore it as it was with "
    "*Redo* on the History page."
)


def chapter_heading(number: int) -> str:
    """Return the heading of the chapter that is being plotted."""
    return f"Chapter {number}"


# The steps of plotting a chapter

STEPS: Mapping[PlotStep, str] = {
    "Goals": "Goals",
    "Weave": "Weave",
    "Score": "Score",
    "Choose": "Choose",
}
CANDIDATE_READ = "Read what happens"
CANDIDATE_GIVEN_UP = "Too few of the cast answered, so this one cannot be finished."
_NO_ANSWER = "There was no usable answer."


def relay_round(number: int) -> str:
    """Return the heading of a round of turns, or of candidates."""
    return f"Round {number}"


def turn_skipped(name: str, why: str) -> str:
    """Say that somebody contributed no turn, and why if that is known."""
    return f"**{name}** was left out. {why or _NO_ANSWER}"


# Goals

GOALS_HELP = (
    "Each goal leads to a candidate for the chapter. Edit, drop or add as you like; "
    "pinned goals stay when you ask for others."
)
GOALS_APPROVE = "Weave these"
GOALS_ASK_AGAIN = "Ask for other goals"
GOALS_BACK = "Restore the previous goals"
ASK_AGAIN_PROMPT = "What should be different?"
GOAL_TITLE = "Title"
GOAL_TEXT = "Where this chapter would go"
GOAL_MOVES = "What it would advance"
GOAL_MOVES_NOTHING = "nothing in particular"
GOAL_ROLES = "Who takes part, in this order"
GOAL_ROLES_ANYONE = "Whoever fits"
GOAL_PIN = "Pin"
GOAL_PIN_HELP = "Keep this goal when you ask for others."
GOAL_PINNED = "Pinned"
GOAL_PINNED_HELP = "Unpin it."
GOAL_DROP = "Drop"
GOAL_RESTORE = "Restore"
GOAL_NEW = "Add a goal of your own"
GOAL_ADD = "Add"


def goal_dropped(title: str) -> str:
    """Name a goal that the writer has dropped."""
    return f"Dropped: {title}"


GOAL_SKETCHED = (
    "The chapter as it was first told. Its plot is read from there, unless you change the words above: then "
    "its people shape it, as they do the others."
)

GOAL_TOLD = "The next chapter, told whole. Its plot is read from this text. If you choose it, this is the chapter’s first draft."
READ_TOLD = "Read the chapter"


def goal_parts(parts: str) -> str:
    """Say what the outline has planned that a goal is to tell."""
    return f"From your outline: {parts}"


# Candidates

ASK_AGAIN = "Ask again"
CHOOSE = "Choose"
BADGE_BEST = "best"
BADGE_BY_WRITER = "yours"
BADGE_SKETCHED = "as first told"
BADGE_TOLD = "told whole"
NOT_SCORED = "Not scored."
SCORE_REASONS = "Why"
HAPPENINGS = "What happens"
PEOPLE = "Who changes"
THREADS = "Threads"


def unfinished(title: str) -> str:
    """Name a candidate that could not be finished."""
    return f"Could not be finished: {title}"


def earlier_candidates(count: int) -> str:
    """Return the label of the candidates of earlier rounds."""
    return f"Earlier candidates ({count})"


def total_score(score: float) -> str:
    """Return the score of a candidate."""
    return f"**{score:.1f}** of 5"


def rule_score(rule: str, value: int, top: int, reason: str) -> str:
    """Return how a candidate does by one rule, with the reason if there is one."""
    because = f": {reason}" if reason else ""
    return f"{rule} **{value}** of {top}{because}"


def score_evidence(titles: Sequence[str]) -> str:
    """Name the events that a score is based on."""
    return f"Evidence: {', '.join(f'“{title}”' for title in titles)}"


def more_lines(count: int) -> str:
    """Return the label of the lines of a section that are folded away."""
    return f"{count} more"


def more_changes(count: int) -> str:
    """Return the label of the changes that belong to no section."""
    return counted(count, "more change", "more changes")


def others_involved(count: int) -> str:
    """Say how many people the picture leaves out."""
    return f"{counted(count, 'other person is', 'other people are')} involved."


# A candidate kept as a branch

KEEP = "Keep as a branch"
KEEP_NAME = "Name of the branch"
KEEP_SUBMIT = "Keep"
KEEP_CANCEL = "Never mind"


def keep_help(title: str, chapter: int) -> str:
    """Say what keeping a candidate as a branch does."""
    return f"“{title}” becomes chapter {chapter} of a new branch. Nothing changes here."


def kept(name: str) -> str:
    """Say that a branch was made, and where to find it."""
    return f"“{name}” is a branch now. Switch to it at the top of the sidebar."


# Before and after, as pictures

BEFORE = "Before"
AFTER = "After"


def picture(people: Sequence[str], before: Sequence[str], after: Sequence[str]) -> str:
    """Describe both pictures: who is in them, and the relationships before and after."""
    return f"{', '.join(people)}. Before: {_listed(before)}. After: {_listed(after)}."


def picture_relationship(source: str, target: str, relationship: Relationship) -> str:
    """Describe one relationship: "Mara towards Hale, distrust 7"."""
    joins = "and" if relationship.is_mutual else "towards"
    kind = pictures.relationship_kind(relationship)
    return f"{source} {joins} {target}, {kind} {relationship.strength}"


def _listed(relationships: Sequence[str]) -> str:
    return "; ".join(relationships) or "no relationships"


# Editing a candidate

EDIT = "Edit"
EDIT_TITLE = "Title of the chapter"
EDIT_REST = "More"
EDIT_SAVE = "Save as my own candidate"
EDIT_CANCEL = "Cancel"
STRIKE_OUT = "Strike out"
PUT_BACK = "Put back"


def field_problem(label: str, problem: str) -> str:
    """Say what is wrong with a field of a line."""
    return f"{label}: {problem}"


def title_problem(problem: str) -> str:
    """Say what is wrong with the title of the chapter."""
    return f"The title of the chapter: {problem}"


# Combining parts of candidates

PARTS_TAKE = "Take parts of several"
PARTS_TAKE_HELP = "Tick lines of different candidates to combine them into a new one."
PARTS_TAKEN = "What you have taken"
PARTS_TITLE = "Title"
PARTS_COMBINE = "Combine into a candidate"
PARTS_CLEAR = "Clear"


def parts_count(lines: int, candidates: int) -> str:
    """Say how much has been taken from the candidates."""
    of = counted(candidates, "candidate", "candidates")
    return f"**{counted(lines, 'line', 'lines')}** taken from **{of}**"


def parts_combined(title: str) -> str:
    """Say that a candidate was made of the parts."""
    return f"“{title}” is now one of the candidates."


# The story so far

CHAPTER_CHANGES = "What each chapter changed"
CHAPTER = "Chapter"


def review_earlier(count: int) -> str:
    """Return the label of the link to the earlier chapters that are stale."""
    return f"Review {counted(count, 'earlier chapter', 'earlier chapters')}"


# Candidates that were not chosen

NOT_CHOSEN = "Other ways a chapter could have gone"
NOT_CHOSEN_NONE = "This chapter never had candidates to choose from."
CHOSEN: Mapping[Chooser | None, str] = {
    Chooser.WRITER: "chosen by you",
    Chooser.SCORES: "chosen by the scores",
    None: "chosen",
}

# The next chapter

PLOT_HELP = "For each chapter you choose among several ways it could go, each with its changes."
PLOT_FIRST = "Plot the first chapter"
PLOT_NEXT = "Plot the next chapter"
PLOT_ANEW = "Start this chapter over"
OUTLINE_FIRST = "Outline first"
ENDED_EVIDENCE = "The evidence:"
ENDED_WRITE = "Write the chapters"
ENDED_PLOT_MORE = "Plot one more anyway"


def write_chapter(chapter: int) -> str:
    """Return the button that has the newest chapter written."""
    return f"Write chapter {chapter:,}"


def goal_reached(reason: str) -> str:
    """Say that the story is at its end, with the reason if there is one."""
    because = f" {reason}" if reason else ""
    return f"The story has reached its goal.{because}"


def last_reached(chapters: int) -> str:
    """Say that the story has all the chapters it can have."""
    if chapters == 1:
        return "The only chapter of the story is plotted."
    return f"All {chapters:,} chapters of the story are plotted."


# Several chapters on autopilot

AUTOPILOT = "Plot several on autopilot"
AUTOPILOT_HELP = (
    "The best candidate is chosen each time without asking you. You can stop at any time."
)
WRITE_SEVERAL = "Write several chapters"
WRITE_SEVERAL_HELP = "They are written one after the other. You can stop at any time."
EXTENT = "How far"
EXTENT_SOME = "Some chapters"
EXTENT_END = "To the end"
CHAPTERS = "Chapters"
STOP_AT_GOAL = "Stop when the story has reached its goal"


def extent_end_help(cap: int) -> str:
    """Say where plotting to the end stops."""
    return (
        f"Until the story has reached its goal, or chapter {cap:,} at the latest. "
        "You can change the number of chapters on Premise."
    )


def write_chapters(count: int) -> str:
    """Return the label of the button that writes some chapters directly."""
    return f"Write {counted(count, 'chapter', 'chapters')}"


def plot_chapters(count: int) -> str:
    """Return the label of the button that plots some chapters."""
    return f"Plot {counted(count, 'chapter', 'chapters')}"


speaks(__name__)
