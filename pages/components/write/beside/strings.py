"""What the writer reads beside the text of a chapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_flow.views import PersonHere, SceneTie, ThreadHere
from pages.components import words as wording
from pages.components.words import counted
from pages.components.words.speaking import speaks
from pages.components.write.strings import THREAD_MOVES, quoted
from store.models.form import Narration, Tense
from store.models.manuscript import (
    DraftState,
    VersionFacts,
)
from store.models.story import SAMPLE_LIMIT

# A chapter

TAB_HERE = "Here"
TAB_PLAN = "Plan"
TAB_VERSIONS = "Versions"
TAB_STYLE = "Style"
TAB_FIND = "Book"


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


# How it is to be written

WORDS_A_DAY = "Words a day"
WORDS_A_DAY_ABOUT = "Your own target, shown below the text. 0 sets none."
STYLE_NOTES_EXAMPLE = "Short sentences. No similes. Past tense."
STYLE_SAMPLE = "A piece of your own prose"
STYLE_SAMPLE_TAKE = "Take it from this chapter"
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
ONE_VERSION = "This chapter has had only this text."
VERSION_NAME = "Name of this version"
VERSION_NAME_EXAMPLE = "Before the storm was cut"
COMPARED_WITH = "Compared with"
WAY_TO_SEE = "What to see of it"
SEE_CHANGES = "What changed"
SEE_TEXT = "All of it"
READ_ON = "Read on"


def version_facts(version: VersionFacts, state: DraftState | None) -> str:
    """Return what tells a version from the others in one line; None is the current text."""
    now = wording.DRAFT_STATES[state] if state else "now"
    name = f" · {version.name}" if version.name else ""
    words = counted(version.words, "word", "words")
    return f"{version.version}{name} · {now} · {words} · {version.created:%d %b, %H:%M}"


def changes_from(first: int, second: int) -> str:
    """Say which versions are compared."""
    return f"From version {first} to version {second}: ~~taken out~~, :green-background[put in]."


def version_restored(version: int) -> str:
    """Say that an older version is the current text again."""
    return f"Version {version} is restored; the text it replaces is kept as a version."


# Notes in the margin

NOTE = "Note"
NOTES_HERE = "Your notes here"
NO_NOTES = "Choose words of the text and press Ctrl+Alt+M, or *Note* below it, to note something beside them."
NOTE_DONE = "Done"
NOTE_OPEN_AGAIN = "Open again"
NOTE_REMOVE = "Remove"
NOTE_REMOVED = "The note is removed."


def all_notes(count: int, done: int) -> str:
    """Return the heading of the notes of a chapter."""
    closed = f", {done:,} done" if done else ""
    return f"{counted(count, 'open note', 'open notes')} in this chapter{closed}"


def note_place(paragraph: int | None, words: str) -> str:
    """Say where a note stands: beside which paragraph, from 0, or that this is gone."""
    where = "Its paragraph is gone" if paragraph is None else f"Paragraph {paragraph + 1:,}"
    return f"{where}: {quoted(words)}" if words else where


# Words in the whole book

FIND_WORDS = "Find in the whole book"
FIND_ABOUT = "Words are looked for as you type them, in the newest text of every chapter. Ctrl+F looks in this one."
FIND_CASE = "Match case"
FIND_WHOLE = "Whole words"
FIND_PUT = "Replace with"
GO_THERE = "Go to this chapter"


def places_found(count: int, chapters: int) -> str:
    """Say how often words were found, and in how many chapters."""
    if not count:
        return "Not found."
    where = counted(chapters, "chapter", "chapters")
    return f"{counted(count, 'place', 'places')} in {where}"


def places_not_shown(count: int) -> str:
    """Say how many places are not in the list."""
    return f"{counted(count, 'place', 'places')} more are not shown."


def also_hidden(count: int) -> str:
    """Return the label of the box that takes in the places that are not shown."""
    return f"Also the {count:,} that are not shown"


def replace_places(count: int) -> str:
    """Return the button that replaces words in all chosen places."""
    return f"Replace in {counted(count, 'place', 'places')}"


def places_replaced(count: int, chapters: int) -> str:
    """Say what was replaced, and that it can be taken back."""
    where = counted(chapters, "chapter", "chapters")
    return f"Replaced in {counted(count, 'place', 'places')} of {where}. The texts before it are kept as versions."


def changed_meanwhile(chapters: Sequence[int]) -> str:
    """Say which chapters were left as they are."""
    numbers = ", ".join(f"{one:,}" for one in chapters)
    return f"Left as they are, for they have changed meanwhile: {numbers}."


def chapter_found(chapter: int, title: str) -> str:
    """Return the heading of the places in a chapter. `title` is Markdown."""
    return f"{chapter:,}\\. {title}"


# Its plan

NO_PLAN = "The plan is made when the chapter is written."


speaks(__name__)
