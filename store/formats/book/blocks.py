"""A book as its readers see it: chapters of typed blocks, without any markup.

Every writer of a file gets this and nothing else, so what a block is gets decided once, and a text
that looks like the markup of some format is still only text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from store.models.form import Form


@dataclass(frozen=True)
class Run:
    """A stretch of text in one style. It may hold line breaks."""

    text: str
    is_emphasized: bool = False
    is_strong: bool = False


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of prose; `Run`s in order."""

    runs: tuple[Run, ...]


@dataclass(frozen=True)
class SceneBreak:
    """The gap between two scenes of prose."""


@dataclass(frozen=True)
class SceneHeading:
    """Where and when a scene of a script takes place."""

    text: str


@dataclass(frozen=True)
class Action:
    """What is seen and heard in a script, or a stage direction; its line breaks count."""

    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Cue:
    """The name of whoever speaks next in a script."""

    name: str


@dataclass(frozen=True)
class Parenthetical:
    """How a line is said; without its brackets."""

    text: str


@dataclass(frozen=True)
class Dialogue:
    """What is said in a script; its line breaks count."""

    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Transition:
    """How a scene of a script passes into the next."""

    text: str


Block = Paragraph | SceneBreak | SceneHeading | Action | Cue | Parenthetical | Dialogue | Transition


@dataclass(frozen=True)
class Chapter:
    """A chapter of a book: its place, from 1, and its title on one line; empty if it has none."""

    place: int
    title: str
    blocks: tuple[Block, ...]

    @property
    def heading(self) -> str:
        """Its number and title."""
        return f"{self.place}. {self.title}" if self.title else str(self.place)


@dataclass(frozen=True)
class Book:
    """A whole book. Its title is on one line and not empty; `language` is a BCP 47 tag.

    `identifier` is the same for every file of one story. `words` are those of the text alone.
    """

    identifier: str
    title: str
    author: str
    language: str
    form: Form
    words: int
    chapters: tuple[Chapter, ...]
    is_handout: bool = False
    """Whether it is for a table of players: its chapters have no numbers, and it has no length."""

    @property
    def is_script(self) -> bool:
        """Whether anybody speaks in it by name, as in what is played."""
        return any(isinstance(one, Cue) for chapter in self.chapters for one in chapter.blocks)


def with_speeches(blocks: Iterable[Block]) -> Iterator[tuple[Block, ...]]:
    """Yield what stands between blank lines: a name with its speech, and any other block alone."""
    held: list[Block] = []
    for block in blocks:
        if held and not (isinstance(held[0], Cue) and isinstance(block, Parenthetical | Dialogue)):
            yield tuple(held)
            held = []
        held.append(block)
    if held:
        yield tuple(held)


def plain_text(runs: tuple[Run, ...]) -> str:
    """Return the text of runs without their styles."""
    return "".join(run.text for run in runs)
