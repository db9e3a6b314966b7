"""The forms in which a story is told, and what sets each of them apart.

A new form is a member of `Form`, its entry in `FORMS`, and the prompt of its writer. Only a form
whose text is laid out in a new way needs more: a `Layout` and its function in `store.formats.layout`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """What the plot is told as. The values are stored, and stand in prompts as they are."""

    NOVEL = "novel"
    SCREENPLAY = "screenplay"

    @property
    def spec(self) -> FormSpec:
        """What sets the form apart."""
        return FORMS[self]


DEFAULT_FORM = Form.NOVEL
"""The form of a story until the writer chooses another."""


class Layout(StrEnum):
    """How the text of a chapter is laid out."""

    PROSE = "prose"
    """In paragraphs; a line break inside a paragraph means nothing."""
    LINES = "lines"
    """In lines; every line break stays."""


@dataclass(frozen=True)
class FormSpec:
    """What sets a form apart from the others."""

    label: str
    """What the writer reads where a form is chosen."""
    writer: str
    """The agent that writes the text, and the name of its prompt."""
    writer_label: str
    """What that agent is called on a page."""
    scene_break: str
    """What stands between two scenes of a chapter."""
    layout: Layout
    scene_words: int
    """How long a scene usually is, in words; the settings of a new story begin with it."""


FORMS: Mapping[Form, FormSpec] = {
    Form.NOVEL: FormSpec(
        label="Novel",
        writer="writer_novel",
        writer_label="Writer",
        scene_break="\n\n* * *\n\n",
        layout=Layout.PROSE,
        scene_words=200,
    ),
    Form.SCREENPLAY: FormSpec(
        label="Screenplay",
        writer="writer_screenplay",
        writer_label="Writer, screenplay",
        # A scene begins with a heading of its own.
        scene_break="\n\n",
        layout=Layout.LINES,
        scene_words=200,
    ),
}
