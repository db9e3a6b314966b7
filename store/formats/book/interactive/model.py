"""An interactive fiction: passages, and the choices that lead from one to another. No markup.

Every writer of a file gets this and nothing else, as the writers of a book get its blocks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from store.formats.book.blocks import Block

_ID = re.compile(r"[a-z][a-z0-9_]*")


class PassageKind(StrEnum):
    """What a passage is."""

    TITLE = "title"
    CHAPTER = "chapter"
    """Of the story as it was chosen."""
    WAY = "way"
    """Of a way that was not taken."""
    CROSSROADS = "crossroads"
    """The choice alone, for a reader who comes back to it."""
    ENDING = "ending"


@dataclass(frozen=True)
class Choice:
    """What a reader can choose, in words on one line, and the id of the passage that follows."""

    label: str
    target: str


@dataclass(frozen=True)
class Passage:
    """What is read between two choices.

    `id` begins with a letter and holds only small letters, digits and underlines. `number` is where
    the passage stands: "3", "3b" on a way not taken, "3.2" for the second part of a chapter. `heading`
    and `closing`, the line before the choices, are on one line, and may be empty. A passage without
    choices is an end.
    """

    id: str
    number: str
    kind: PassageKind
    heading: str
    blocks: tuple[Block, ...]
    closing: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class InteractiveFiction:
    """Passages, of which the first is the start.

    Title and author are on one line; `language` is a BCP 47 tag. `identifier` is the same for every
    file of one story.

    Raises:
        ValueError: if a choice leads nowhere, or a passage cannot be reached.
    """

    identifier: str
    title: str
    author: str
    language: str
    passages: tuple[Passage, ...]

    def __post_init__(self) -> None:
        wrong = [one.id for one in self.passages if not _ID.fullmatch(one.id)]
        if wrong or len(self.by_id) < len(self.passages):
            raise ValueError("every passage needs an id of its own, in small letters and digits")
        lost = self.by_id.keys() - self.depths.keys()
        if lost:
            raise ValueError(f"no choice leads to {', '.join(sorted(lost))}")

    @cached_property
    def by_id(self) -> Mapping[str, Passage]:
        """The passages by their ids."""
        return {one.id: one for one in self.passages}

    @cached_property
    def depths(self) -> Mapping[str, int]:
        """How many choices lead from the start to each passage that can be reached, at the least."""
        found: dict[str, int] = {}
        layer = [self.start.id]
        depth = 0
        while layer:
            found |= dict.fromkeys(layer, depth)
            ahead = (choice.target for id_ in layer for choice in self._passage(id_).choices)
            layer = [id_ for id_ in dict.fromkeys(ahead) if id_ not in found]
            depth += 1
        return found

    @property
    def start(self) -> Passage:
        """The passage that the reader begins with."""
        if not self.passages:
            raise ValueError("there are no passages")
        return self.passages[0]

    def _passage(self, id_: str) -> Passage:
        if id_ not in self.by_id:
            raise ValueError(f"a choice leads to {id_}, which is no passage")
        return self.by_id[id_]
