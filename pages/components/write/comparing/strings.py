"""The words around the comparison of a text with its story."""

from __future__ import annotations

from collections.abc import Sequence

from pages.components.words import counted

COMPARE = "Compare with the story"
READ_IN = "Read the chapter into the story"
READ_IN_ABOUT = (
    "The plot knows nothing of this chapter yet. It can be read into the story: who is in it, and what "
    "happens. You choose what is kept, and the next chapter can then be plotted."
)
COMPARE_AGAIN = "Compare again"
STOP = "Stop"
INTERRUPTED = "The comparison was interrupted. What was finished is not paid for again."

FOUND = "What your changes mean for the story"
FOUND_PLOT = "What happens in this chapter"
FOUND_ABOUT = "Choose what becomes part of the story. The text stays as it is."
NOTHING_FOUND = "Nothing in the story itself is different. Only the words have changed."
NOTHING_TO_READ = "Nothing was found in this text that could become the plot of its chapter."
OUTDATED = "You have changed the text since it was compared."
TAKE = "Put into the story"
REFUSE = "Leave the story as it is"
DONE = "All right"


def changed(passages: int) -> str:
    """Say that the story may not know of what was typed."""
    return (
        f"You have changed {counted(passages, 'passage', 'passages')} by hand. "
        "The story may not know of it yet."
    )


def quoted(quote: str, lacking: Sequence[int]) -> str:
    """Return the words of the text that a line rests on, and which lines it cannot do without.

    `quote` is Markdown; lines are counted from 1.
    """
    words = f"“{quote}”"
    if not lacking:
        return words
    listed = " and ".join(map(str, lacking))
    return f"{words} · only together with {'line' if len(lacking) == 1 else 'lines'} {listed}"


def numbered(number: int, words: str) -> str:
    """Return a line with its number. `words` is Markdown."""
    return f"{number}\\. {words}"


def kept(names: Sequence[str]) -> str:
    """Say what stays as it is, because the writer has locked it."""
    return f"Locked, and left as it is: {'; '.join(names)}."


def unknown(names: Sequence[str]) -> str:
    """Say which names mean nobody and nothing in the story."""
    return f"Left out, because nobody and nothing in the story is called that: {', '.join(names)}."


def unsupported(count: int) -> str:
    """Say how many lines were left out, because the text does not say so."""
    lines = counted(count, "line was", "lines were")
    return f"{lines} left out, because the words they rest on are not in the text."


def taken(count: int) -> str:
    """Say how much was put into the story."""
    return f"{counted(count, 'line is', 'lines are')} part of the story now."


LEFT = "The story is as it was."

READ_BOOK = "Read the book into the story"
READ_BOOK_ABOUT = (
    "Who is in each chapter, what happens, and what lies between them, chapter by chapter. Nothing becomes "
    "part of the story before you have seen all of it; what contradicts itself waits for your decision. "
    "You can stop at any time, and go on later."
)
READ_BOOK_LIMITS = "Limit what it may use"
BOOK_READING = "What is found waits here for you. The text can be read and changed meanwhile."
BOOK_FOUND_ABOUT = (
    "Untick what is not to become part of the story. The text stays as it is, and everything can be changed "
    "afterwards on the Premise and Graphs pages."
)


def read_book_heading(chapters: int) -> str:
    """Say how many chapters the plot does not know."""
    return f"The plot knows nothing of {counted(chapters, 'chapter', 'chapters')} yet"


def book_found(chapters: int) -> str:
    """Say in how many chapters something was found."""
    return f"What happens in {counted(chapters, 'chapter', 'chapters')}"


def to_decide(lines: int) -> str:
    """Say how many lines are not taken unless the writer ticks them."""
    if lines == 1:
        return "One line is for you to decide: it is left out unless you tick it."
    return f"{lines} lines are for you to decide: they are left out unless you tick them."


def chapter_found(chapter: int, lines: int, doubtful: int) -> str:
    """Say how much was found in a chapter."""
    words = f"Chapter {chapter} · {counted(lines, 'line', 'lines')}"
    return f"{words} · {doubtful} to decide" if doubtful else words


def take_book(chapters: int) -> str:
    """Return the label of the button that takes all that is ticked."""
    return f"Put {counted(chapters, 'chapter', 'chapters')} into the story"


def book_taken(chapters: int, lines: int, lost: int) -> str:
    """Say how much of a book is part of the story now."""
    words = (
        f"{counted(chapters, 'chapter', 'chapters')} with {counted(lines, 'line', 'lines')} "
        "are part of the story now."
    )
    if not lost:
        return words
    left = counted(lost, "line was", "lines were")
    return f"{words} {left} left out, because they need what you did not take."
