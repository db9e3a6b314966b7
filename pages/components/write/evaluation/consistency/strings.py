"""What the Evaluate page says of contradictions."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.telling.evaluation.consistency.beside_story import Untellable, Untold
from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.desk.consistency import ContradictionKind

TITLE = "Contradictions"
ABOUT = (
    "Pairs of passages that cannot both be true. A pair counts only if the judge has quoted both passages, word for word, "
    "from the text. Whether they do contradict each other is for you to say."
)
ALSO = "Also look for contradictions"
LOOK = "Look for contradictions"
GO_ON = "Go on looking for contradictions"
SMALL = "The model in use is too small to look for contradictions. Choose a larger one in Settings."
NONE = "The judge found none that it could show in the text."
FOUND = "Found"
ALONG = "Where in the book"
CHAPTERS = "Chapters"
KIND = "Kind"
ERRORS = "In 10,000 words"
OPEN = "Open in Write"
MORE = "Show more"
NOT_COUNTED = "What was not counted"
UNFOUND = "a quote is not in the text:"
SAME = "both quotes are the same words:"
NO_QUOTE = "no quote"

BESIDE = "Text and story"
BESIDE_ABOUT = (
    "What the story has and the text does not seem to tell, and the other way round. No model is asked: only words are "
    "compared, so look before you change anything."
)
SET_BESIDE = "Set the text beside its story"
COMPARING = "Comparing …"
NOT_IN_TEXT = "In the story, and not in the text"
NOT_IN_STORY = "In the text, and not in the story"
CONTINUITY = "What the continuity check finds in the story"
NOTHING = "Nothing."
ALSO_FOUND = "The judge has found something in the text of these chapters too."

KINDS: Mapping[ContradictionKind, str] = {
    ContradictionKind.TIME: "Time",
    ContradictionKind.PLACE: "Place",
    ContradictionKind.PERSON: "Person",
    ContradictionKind.KNOWLEDGE: "Knowledge",
    ContradictionKind.EVENT: "What happened",
    ContradictionKind.OBJECT: "Thing",
    ContradictionKind.RULE: "Rule of the world",
    ContradictionKind.NAME: "Name",
    ContradictionKind.NUMBER: "Number",
    ContradictionKind.OTHER: "Something else",
}
UNTOLD: Mapping[Untold, str] = {
    Untold.NO_PASSAGE: "no passage tells it",
    Untold.FEW_WORDS: "the chapter has hardly a word of it",
    Untold.NOT_REVEALED: "the reader was to learn it here, and does not",
}
UNTELLABLE: Mapping[Untellable, str] = {
    Untellable.COMPARED: "found when text and story were compared",
    Untellable.NOBODY: "about somebody or something that the story does not name",
    Untellable.NEW: "the story says hardly a word of it here",
}


def read(words: int, chapters: int, of: int, model: str) -> str:
    """Say what was read; `model` is Markdown."""
    return f"{counted(words, 'word', 'words')} of {chapters:,} of {counted(of, 'chapter', 'chapters')}, read by {model}"


def density(per_10k: float) -> str:
    """Say how many contradictions that makes in 10,000 words."""
    return f"{per_10k:.2f} in 10,000 words"


def more_calls(chapters: int) -> str:
    """Say how many more calls it takes to look for contradictions."""
    return f"About {counted(chapters, 'more call', 'more calls')}: one a chapter."


def unread(chapters: int) -> str:
    """Say of how many chapters the judge gave no usable answer."""
    return f"{counted(chapters, 'chapter', 'chapters')} could not be read, or not whole: no usable answer came."


def between(before: int, place: int) -> str:
    """Say in which chapters two passages stand."""
    return (
        f"within chapter {place}"
        if before == place
        else f"chapter {before} against chapter {place}"
    )


def heading(kind: str, where: str, why: str) -> str:
    """Head a contradiction with its kind, its chapters and why it is one; `why` is Markdown."""
    return f"**{kind}**, {where}: {why}"


def in_chapter(place: int) -> str:
    """Name a chapter by its place."""
    return f"Chapter {place}"


def chapters(first: int, last: int) -> str:
    """Name a stretch of chapters."""
    return str(first) if first == last else f"{first}–{last}"


def not_counted(unfound: int, same: int) -> str:
    """Say how many findings do not count, and why."""
    parts = [
        f"{unfound:,} because a quote is not in the text" if unfound else "",
        f"{same:,} because both quotes are the same words" if same else "",
    ]
    return f"Not counted: {' and '.join(filter(None, parts))}."


def line(place: int, said: str, why: str) -> str:
    """Say what one side has and the other has not; `said` is Markdown."""
    return f"Chapter {place}: {said} ({why})"


def compared(chapters: int) -> str:
    """Say how many chapters were compared."""
    return f"Compared: {counted(chapters, 'chapter', 'chapters')} whose text is as it was judged."


def shown_of(shown: int, of: int) -> str:
    """Say how many of a list are shown."""
    return f"{shown:,} of {of:,} are shown."


speaks(__name__)
