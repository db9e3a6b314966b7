"""Stretches of a text, with what is known of their paragraphs: parted and joined. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from store.models.base import new_id
from store.models.manuscript import PARAGRAPH_BREAK, Draft, TextParagraph
from store.records.paragraphs import begun

SCENE_BREAK = "* * *"
"""The paragraph that stands between two texts that were joined."""


class Stretch(NamedTuple):
    """Paragraphs of a text, with what is known of each."""

    paragraphs: Sequence[str]
    known: Sequence[TextParagraph]

    @property
    def text(self) -> str:
        """What they say."""
        return PARAGRAPH_BREAK.join(self.paragraphs)

    @property
    def values(self) -> dict[str, object]:
        """What they are in a draft; no paragraphs are an empty text."""
        return {
            "text": self.text,
            "paragraphs": tuple(self.known) if self.paragraphs else begun(""),
        }

    def part(self, start: int, end: int | None = None) -> Self:
        """Return those from a place on, up to another."""
        return self._replace(paragraphs=self.paragraphs[start:end], known=self.known[start:end])

    def before(self, at: int) -> Self:
        """Return those before a place, without the scene break that leads there."""
        is_break = at > 0 and self.paragraphs[at - 1].strip() == SCENE_BREAK
        return self.part(0, at - is_break)


def stretch_of(draft: Draft) -> Stretch:
    """Return a whole text; paragraphs of which nothing is known get ids."""
    paragraphs = draft.text.split(PARAGRAPH_BREAK)
    if len(draft.paragraphs) == len(paragraphs):
        return Stretch(paragraphs, draft.paragraphs)
    return Stretch(paragraphs, [TextParagraph(id=new_id()) for _ in paragraphs])


def coming_to(first: Draft, second: Draft) -> Stretch:
    """Return the text that comes to another one, each paragraph under an id that it has alone."""
    if not second.text.strip():
        return Stretch([], [])
    text = stretch_of(second)
    there = {one.id for one in first.paragraphs}
    known = [
        one.model_copy(update={"id": new_id()}) if one.id in there else one for one in text.known
    ]
    return Stretch(text.paragraphs, known)


def joined(first: Stretch, second: Stretch) -> Stretch:
    """Return two texts as one, with a scene break between them unless the first is empty."""
    if not first.text.strip():
        return second
    return Stretch(
        [*first.paragraphs, SCENE_BREAK, *second.paragraphs],
        [*first.known, TextParagraph(id=new_id()), *second.known],
    )


def place_of(draft: Draft | None, paragraph: str | None) -> int | None:
    """Return where a paragraph stands in a text, from 0; None: nowhere."""
    ids = [one.id for one in draft.paragraphs] if draft is not None else []
    return ids.index(paragraph) if paragraph in ids else None
