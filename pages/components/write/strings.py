"""The words of the Write page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from graph_flow.views import PersonHere, SceneTie, ThreadHere
from pages.components.words import DRAFT_STATES, counted
from store.models.form import Narration, Tense
from store.models.story import SAMPLE_LIMIT
from store.models.telling import (
    DraftState,
    RemarkKind,
    ReviewRemark,
    SceneMode,
    Structure,
    ThreadMove,
)

TITLE = "Write"

# A story without chapters

NOTHING_TO_WRITE = "Nothing to write yet"
NOTHING_TO_WRITE_ADVICE = (
    "Plot a chapter, and have it written or write it yourself. Or begin with an empty page."
)
TYPED_BY_HAND = "You are typing this chapter by hand. The plot knows nothing of it yet."


def type_chapter(chapter: int) -> str:
    """Return the button that begins a chapter without a plot."""
    return f"Type chapter {chapter} by hand"


GO_TO_PLOT = "Go to the plot"

# The list of chapters

CHAPTERS = "Chapters"
EARLIER_CHAPTER = "The chapter before"
LATER_CHAPTER = "The next chapter"


def chapter_of(number: int, count: int, title: str) -> str:
    """Return the label of the list of chapters. `title` is Markdown."""
    return f"{number} of {count:,} · {title}"


def go_to_chapter(last: int) -> str:
    """Return the label of the field for a chapter number."""
    return f"Go to chapter (1 to {last:,})"


def chapter_state(state: DraftState | None, words: int) -> str:
    """Say how far a chapter is, and how long if it has text."""
    length = f" · {counted(words, 'word', 'words')}" if words else ""
    return f"{DRAFT_STATES[state]}{length}"


# A chapter

TAB_HERE = "Here"
TAB_PLAN = "Plan"
TAB_VERSIONS = "Versions"
TAB_STYLE = "Style"
FORM = "Form"
WRITE_CHAPTER = "Write this chapter"
REWRITE_CHAPTER = "Rewrite this chapter"
EXPORT_STORY = "Export the story"
PLOT_NEXT = "Plot the next chapter"
FEEDBACK = "What should be different?"


def go_on_to(chapter: int) -> str:
    """Return the button that leads on to the next chapter without text."""
    return f"Go on to chapter {chapter}"


def chapter_waits(chapter: int) -> str:
    """Return the button that leads to a chapter with a question for the writer."""
    return f"Chapter {chapter} is waiting for you"


# Its text

TEXT = "Text"
TEXT_PLACEHOLDER = "Begin to write."
TEXT_EMPTY = "The page is still empty."
APPROVE_TEXT = "Approve"
APPROVE_TEXT_QUESTION = (
    "Are you happy with this chapter? You can edit it first; your changes are kept."
)
WRITE_AGAIN = "Write it again"


# What belongs to a paragraph

NOTHING_HERE = (
    "What the story knows about the passage you are in appears here: what happens in it, who is there, "
    "and which threads are open. This passage has no part in the plot yet."
)
HERE_HAPPENS = "What happens here"
HERE_PEOPLE = "Who is here"
HERE_THREADS = "Open threads"
SHOW_IN_GRAPHS = "Show it in the graphs"


def person_here(person: PersonHere) -> list[str]:
    """Return what a writer wants to know of somebody in a passage, a line each."""
    return [
        f"{label}: {words}"
        for label, words in (
            ("Wants", person.wants),
            ("Hides", person.hides),
            ("Speaks", person.voice),
            ("Remembers", "; ".join(person.remembers)),
        )
        if words
    ]


def thread_here(thread: ThreadHere) -> list[str]:
    """Return what the plan does with a thread in a passage, if anything."""
    if thread.move is None:
        return []
    return [": ".join(filter(None, (THREAD_MOVES[thread.move], thread.how)))]


# Its review

REVIEW_HEADING = "What the reviewer says"
REVISION_HEADING = "Revised after the review"
REVISION_ABOUT = (
    "The reviewer’s remarks have changed the text here. The previous text is kept as a version."
)
REVISION_BEFORE = "Before"
REVISION_NOW = "Now"
REFUSE_REVISION = "Undo the revision"
REVISION_REFUSED = "The text is as it was before; the revision is kept as a version."
NOTHING_THERE = "(nothing)"
REMARK_KINDS: Mapping[RemarkKind, str] = {
    RemarkKind.MISSING: "Missing",
    RemarkKind.CONTRADICTS: "Contradiction",
    RemarkKind.UNCLEAR: "Unclear",
    RemarkKind.UNLIKELY: "Unlikely",
    RemarkKind.REPEATED: "Repeated",
    RemarkKind.FLAT: "Flat",
}


def remark_words(remark: ReviewRemark) -> str:
    """Return what the reviewer remarks, with the words it is about."""
    quoted = f" — “{remark.quote}”" if remark.quote else ""
    return f"{REMARK_KINDS[remark.kind]}{quoted}: {remark.remark} {remark.remedy}".rstrip()


# The story as a whole

READ_STORY_HEADING = "Have the whole story read"
READ_STORY = "Have it read"
READ_STORY_ABOUT = (
    "All chapters are written. A reader who knows nothing but their text can now read them one after "
    "the other and say where they stumble; the chapters are revised there. What you have written or "
    "changed yourself is read too, and left as it is. You can undo each revision."
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

WORDS_A_DAY = "Words a day"
WORDS_A_DAY_ABOUT = "Your own target, shown below the text. 0 sets none."
STYLE_NOTES = "How it should sound"
STYLE_NOTES_EXAMPLE = "Short sentences. No similes. Past tense."
STYLE_SAMPLE = "A piece of your own prose"
STYLE_SAMPLE_ABOUT = (
    "Chapters that an able model writes take on its manner, and nothing of what happens in it."
)
STYLE_SAMPLE_CUT = f"Only the first {SAMPLE_LIMIT:,} characters are kept."
TENSE = "Tense"
TENSES: Mapping[Tense, str] = {
    Tense.ANY: "As it comes",
    Tense.PAST: "Past",
    Tense.PRESENT: "Present",
}
NARRATION = "Told in the"
NARRATIONS: Mapping[Narration, str] = {
    Narration.ANY: "Person that fits",
    Narration.FIRST: "First person",
    Narration.CLOSE: "Third person, close",
    Narration.DISTANT: "Third person, from outside",
    Narration.OMNISCIENT: "Third person, all-knowing",
    Narration.SECOND: "Second person",
}
WORDS_TO_AVOID = "Words to avoid"
WORDS_TO_AVOID_EXAMPLE = "One a line. An asterisk stands for any ending: whisper*"
AVOIDS_WORN = "Worn-out phrases of language models"
VOICES = "Voices"
VOICE_OF = "Whose voice"
VOICE = "How they speak, with a line of theirs"
VOICE_EXAMPLE = "Short sentences, never a please. “Ask the tide.”"
VOICE_ABOUT = "As of this chapter. It is part of the story, as in Graphs."


def avoids_worn_about(phrases: Sequence[str]) -> str:
    """Say what is avoided besides the writer's own words."""
    some = ", ".join(f"“{one}”" for one in phrases[:3])
    return f"Avoid these {len(phrases)} English phrases, too: {some} …"


def avoided_word(word: str, count: int) -> str:
    """Return a word that stands in the text though it is to be avoided. `word` is Markdown."""
    return f"“{word}”" if count == 1 else f"“{word}” {count:,}×"


def avoided_words(listed: Sequence[str], more: int) -> str:
    """Return those that stand in the text, as Markdown."""
    rest = f" and {more:,} more" if more > 0 else ""
    return f"Words to avoid, in this text: {', '.join(listed)}{rest}"


REVIEWS = "How often a chapter is reviewed and revised"
REVIEWS_ABOUT = "By an able model, before you see it as finished. You can undo each revision."
REVIEW_COUNTS: Mapping[int, str] = {0: "Never", 1: "Once", 2: "Twice"}


def style_sample_read(read: int, given: int) -> str:
    """Say how much of the writer's prose is read, in characters."""
    if read >= given:
        return "All of it is read for each chapter."
    return (
        f"About {read:,} of its {given:,} characters are read for each chapter: paragraphs from its "
        "beginning, middle and end."
    )


# Its plan, beside it

TEXT_CHANGED = "You have changed the text of this scene by hand."
NO_PASSAGE = "This scene has changed since the text was written, and no paragraph tells it."
REWRITE_PASSAGE = "Rewrite this passage"
PASSAGE_FITS = "The text still fits"


def passage_changed(tie: SceneTie) -> str:
    """Say which paragraphs were written before their scene of the plan changed."""
    if tie.first == tie.last:
        return f"The plan of paragraph {tie.first:,} has changed since it was written."
    return (
        f"The plan of paragraphs {tie.first:,} to {tie.last:,} has changed since they were written."
    )


def passage_begins(sentence: str) -> str:
    """Return how a passage begins. `sentence` is Markdown."""
    return f"It begins: “{sentence}”"


# Its versions

VERSION = "Version"
NO_VERSIONS = "There is no text yet."
RESTORE_VERSION = "Restore this version"


def version_facts(version: int, state: DraftState | None, words: int, created: datetime) -> str:
    """Return what tells a version from the others in one line; None is the current text."""
    now = DRAFT_STATES[state] if state else "now"
    return f"{version} · {now} · {counted(words, 'word', 'words')} · {created:%d %b, %H:%M}"


def version_restored(version: int) -> str:
    """Say that an older version is the current text again."""
    return f"Version {version} is restored; the text it replaces is kept as a version."


# Its plan

NO_PLAN = "The plan is made when the chapter is written."
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


def learned(fact: str) -> str:
    """Return what the reader learns in a scene."""
    return f"The reader learns: {fact}"


def seen_by(place: str, person: str) -> str:
    """Say where a scene happens, and through whose eyes it is seen."""
    return f"{place}, through the eyes of {person}"
