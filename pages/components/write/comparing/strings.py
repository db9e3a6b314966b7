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
