"""The words of the Write page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_flow.views import ChapterCard
from pages.components import words as wording
from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.manuscript import (
    DraftState,
    RemarkKind,
    ReviewRemark,
    SceneMode,
    Structure,
    ThreadMove,
)
from store.text import Unit

TITLE = "Write"
WATCH_TELLING = "Go to the telling that is being written"


# A story without chapters

NOTHING_TO_WRITE = "Nothing to write yet"
NOTHING_TO_WRITE_ADVICE = (
    "Plot a chapter, and have it written or write it yourself. Or begin with an empty page."
)
GO_TO_PREMISE = "Have the story read from it"
TYPED_BY_HAND = "You are typing this chapter by hand. The plot knows nothing of it yet."


def type_chapter(chapter: int) -> str:
    """Return the button that begins a chapter without a plot."""
    return f"Type chapter {chapter} by hand"


GO_TO_PLOT = "Go to the plot"


# The list of chapters

CHAPTERS = "Chapters"
EARLIER_CHAPTER = "Previous chapter"
LATER_CHAPTER = "Next chapter"


def of_the_plot(card: ChapterCard) -> list[str]:
    """Say which chapter of the plot it is, if that is not its place in the book."""
    is_other = card.is_plotted and card.number != card.place
    return [f"chapter {card.number:,} of the plot"] if is_other else []


def chapter_of(place: int, count: int, title: str) -> str:
    """Return the label of the list of chapters. `title` is Markdown."""
    return f"{place} of {count:,} · {title}"


# What can be done with them

ARRANGE = "Chapters"
CHAPTER_TITLE = "Title of this chapter"
ADD_CHAPTER = "Add a chapter after this one"
SPLIT_CHAPTER = "Split here"
SPLIT_WHERE = "First put the cursor in the paragraph that is to begin the new chapter."
MERGE_CHAPTER = "Merge with the next chapter"
APART_ABOUT = "The merged text becomes a chapter of its own again, as it is now."
BACK_ABOUT = "Its text is no longer found here. It comes back with the text that it had."
MOVE_UP = "Move up"
MOVE_DOWN = "Move down"
MOVE_ABOUT = "This changes the order of the book, not the plot."
REMOVE_CHAPTER = "Remove this empty chapter"
CHAPTER_GONE = (
    "The chapter that was open here has been merged into another or removed, in another window. What was "
    "typed since is kept among its versions, and comes back when the chapters are taken apart."
)


def split_about(beginning: str) -> str:
    """Say what splitting does. `beginning` is that of the first paragraph behind it, Markdown."""
    return f"From “{beginning}” on, the text becomes a chapter of its own behind this one. Your notes go along."


def merge_about(title: str) -> str:
    """Say what merging does. `title` is Markdown."""
    return (
        f"The text of “{title}” is added to the end of this chapter, after a scene break. You can take them "
        "apart again."
    )


def take_apart(title: str) -> str:
    """Return the button that takes two merged chapters apart. `title` is Markdown."""
    return f"Take apart: “{title}”"


def bring_back(title: str) -> str:
    """Return the button that brings a merged chapter back. `title` is Markdown."""
    return f"Bring back “{title}”"


def go_to_chapter(last: int) -> str:
    """Return the label of the field for a chapter number."""
    return f"Go to chapter (1 to {last:,})"


def chapter_state(state: DraftState | None, words: int, unit: Unit) -> str:
    """Say how far a chapter is, and how long if it has text."""
    length = f" · {wording.length_counted(words, unit)}" if words else ""
    return f"{wording.DRAFT_STATES[state]}{length}"


# A chapter

FORM = "Form"
WRITE_CHAPTER = "Write this chapter"
REWRITE_CHAPTER = "Rewrite this chapter"
OVER_OWN_WORDS = (
    "You have typed in this text. If the chapter is rewritten, your text stays under *Versions*, and you can "
    "restore it at any time."
)
DO_REWRITE = "Rewrite it"
KEEP_MY_TEXT = "Keep my text"
EXPORT_STORY = "Export the story"
PLOT_NEXT = "Plot the next chapter"
FEEDBACK = "What should be different?"


def go_on_to(chapter: int) -> str:
    """Return the button that leads on to the next chapter without text."""
    return f"Go on to chapter {chapter}"


def chapter_waits(chapter: int) -> str:
    """Return the button that leads to a chapter with a question for the writer."""
    return f"Chapter {chapter} is waiting for you"


# Several chapters

WRITE_SEVERAL = "Write several chapters"
WRITE_SEVERAL_ABOUT = (
    "The chapters that have no text yet are planned and written one after the other without asking you. "
    "You can read and edit each as soon as it is done, and stop at any time."
)
UP_TO = "Up to chapter"


def write_chapters(chapters: Sequence[int]) -> str:
    """Return the button that writes some chapters."""
    first, last = chapters[0], chapters[-1]
    if last - first + 1 == len(chapters):
        return f"Write chapters {first:,} to {last:,}"
    return f"Write {counted(len(chapters), 'chapter', 'chapters')}, from {first:,} to {last:,}"


def watch_chapter(chapter: int) -> str:
    """Return the button that leads to the chapter that is being written."""
    return f"Watch chapter {chapter:,}"


# Its text

TEXT = "Text"
TEXT_PLACEHOLDER = "Begin to write."
TEXT_EMPTY = "The page is still empty."
APPROVE_TEXT = "Approve"
APPROVE_TEXT_QUESTION = (
    "Are you happy with this chapter? You can edit it first; your changes are kept."
)
WRITE_AGAIN = "Write it again"


# What agents suggest for it

OF_SUGGESTIONS: Mapping[str, str] = {
    "rewrite": "Rewrite",
    "expand": "Expand",
    "shorten": "Shorten",
    "dialogue": "More dialogue",
    "show": "Show, don’t tell",
    "voice": "Another voice",
    "as asked": "Say what you want",
    "as planned": "By the plan as it is now",
    "go on": "Go on",
    "options": "What next?",
    "whose_voice": "Whose voice, or how it should sound",
    "ask": "Ask",
    "take": "Take",
    "leave": "Leave",
    "copy": "Copy",
    "stop": "Stop",
    "again": "Again",
    "again_note": "What should be different? (optional)",
    "write_this": "Write this",
    "changed": "You have changed this passage since you asked. If you take the suggestion, it replaces the passage as it is now.",
    "lost": "The passage that this was meant for is no longer in the text.",
    "not_saved": "Your text is not saved yet. Ask again in a moment.",
}
SUGGESTION_READING = "reading your text"
SUGGESTION_WRITING = "writing"
SUGGESTION_UNANSWERED = "There is no answer to this yet. Ask again."


# Its review

REVIEW_HEADING = "What the reviewer says"
REVISION_HEADING = "Revised after the review"
REVISION_ABOUT = (
    "The reviewer’s remarks have changed the text here. The previous text is kept as a version."
)
REFUSE_REVISION = "Undo the revision"
REVISION_REFUSED = "The text is as it was before; the revision is kept as a version."
REMARK_KINDS: Mapping[RemarkKind, str] = {
    RemarkKind.MISSING: "Missing",
    RemarkKind.CONTRADICTS: "Contradiction",
    RemarkKind.UNCLEAR: "Unclear",
    RemarkKind.UNLIKELY: "Unlikely",
    RemarkKind.REPEATED: "Repeated",
    RemarkKind.FLAT: "Flat",
}


def quoted(words: str) -> str:
    """Return words of the text in quotation marks."""
    return f"“{words}”"


def remark_words(remark: ReviewRemark) -> str:
    """Return what the reviewer remarks, with the words it is about."""
    quoted = f" — “{remark.quote}”" if remark.quote else ""
    return f"{REMARK_KINDS[remark.kind]}{quoted}: {remark.remark} {remark.remedy}".rstrip()


# The story as a whole

READ_STORY_HEADING = "Have the whole story read"
READ_STORY = "Have it read"
READ_STORY_ABOUT = (
    "All chapters are written. A reader who knows nothing but their text can now read them one after "
    "the other and say where they stumble; the chapters are revised there. A short story is written anew "
    "as a whole, in a second draft; what a reader remarks on that is shown beside it, for you to decide. What "
    "you have written or changed yourself is read too, and left as it is. You can undo each revision."
)
READING_STORY = (
    "This takes a few minutes. The chapters stay as they are until the revision is done."
)


# A story that is made directly

DIRECT_ABOUT = (
    "This story is made directly: each chapter is written at once from the premise, your wishes and "
    "the text so far. You can change that in Settings, under *Leave out*."
)
DIRECT_READ = "Read and edit the chapters"
DIRECT_WATCH = "A chapter is being written"


def direct_next(number: int) -> str:
    """Return the label of the button that writes a chapter."""
    return "Write the first chapter" if number == 1 else f"Write chapter {number:,}"


def direct_ended(chapters: int) -> str:
    """Say that the story has all the chapters it can have."""
    if chapters == 1:
        return "The only chapter of the story is written."
    return f"All {chapters:,} chapters of the story are written."


# How it is to be written

STYLE_NOTES = "How it should sound"


# Its plan, beside it

TEXT_CHANGED = "You have changed the text of this scene by hand."


# Its versions

NO_DIFFERENCE = "The two texts are the same."
SHOW_MORE_CHANGES = "Show more changes"
LINE_BREAK = "¶"
SPACE = "·"


def paragraphs_changed(count: int) -> str:
    """Say how much of a text has changed."""
    return f"{counted(count, 'paragraph', 'paragraphs')} changed"


def paragraphs_unchanged(count: int) -> str:
    """Say how much between two changes has not changed."""
    return f"{counted(count, 'paragraph', 'paragraphs')} unchanged"


# Its plan

APPROVE_PLAN = "Write it like this"
PLAN_AGAIN = "Plan it again"
PLAN_BACK = "Back to the previous plan"
PLAN_GOAL = "What this chapter is for"
PLAN_STRUCTURE = "Structure"
PLAN_WORDS = "About how many words"
PLAN_REVEAL = "What the reader learns"
PLAN_RECALL_HEADING = "To recall"
PLAN_THREADS_HEADING = "Threads to touch"
PLAN_REVEAL_HEADING = "The reader learns"
PLAN_LEAVE_OUT = "Leave out"
PLAN_WITHHELD = "What the reader must not know yet"
PLAN_WITHHELD_HEADING = "The reader must not know yet"
UNTOLD_HEADING = "What the reader does not know yet"
UNTOLD_ABOUT = "When this chapter begins, no text has told these. Each plan chooses among them."
STRUCTURES: Mapping[Structure, str] = {
    Structure.LINEAR: "linear",
    Structure.FLASHBACK: "flashback",
    Structure.FLASH_FORWARD: "flash-forward",
    Structure.FRAME: "frame",
    Structure.PARALLEL: "parallel lines",
}
THREAD_MOVES: Mapping[ThreadMove, str] = {
    ThreadMove.PLANT: "Plant",
    ThreadMove.KEEP: "Keep alive",
    ThreadMove.PAY_OFF: "Pay off",
}


def plan_facts(structure: Structure, words: int) -> str:
    """Return the structure and length of a plan in one line."""
    return f"{STRUCTURES[structure]} · about {counted(words, 'word', 'words')}"


def recollection(event: str, why: str) -> str:
    """Return an event to recall, and why."""
    return f"{event}: {why}" if why else event


def thread_cue(move: ThreadMove, thread: str, how: str) -> str:
    """Return what the chapter does with a thread, and how if it is said."""
    cue = f"{THREAD_MOVES[move]}: {thread}"
    return f"{cue} — {how}" if how else cue


# A scene of the plan

SCENE_SOMEWHERE = "Somewhere"
SCENE_EYES = "Through whose eyes"
SCENE_NO_EYES = "Nobody in particular"
SCENE_BEAT = "What this scene does"
SCENE_MODE = "How it is told"
SCENE_MODES: Mapping[SceneMode, str] = {
    SceneMode.SCENE: "as a scene",
    SceneMode.SUMMARY: "as a summary",
}
SCENE_WORDS = "About how many words here"
SCENE_EARLIER = "Tell earlier"
SCENE_LATER = "Tell later"
REMOVED = "something since removed"


def scene_length(mode: SceneMode, words: int) -> str:
    """Say how a scene is told, and at what length."""
    return f"{SCENE_MODES[mode]} of about {counted(words, 'word', 'words')}"


def learned(fact: str, people: Sequence[str] = ()) -> str:
    """Return what the reader learns in a scene, and who learns it with them."""
    together = f", with {', '.join(people)}" if people else ""
    return f"The reader learns{together}: {fact}"


def seen_by(place: str, person: str) -> str:
    """Say where a scene happens, and through whose eyes it is seen."""
    return f"{place}, through the eyes of {person}"


speaks(__name__)
