"""The forms that a story can be told in, and what sets each apart.

A new form needs a member of `Form`, an entry in `FORMS`, and a prompt for its writer. Only a form
whose text is laid out in a new way needs more: a `Layout` and its function in
`store.formats.layout`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """What the plot is told as. The values are stored, and used as they are in prompts."""

    NOVEL = "novel"
    SCREENPLAY = "screenplay"

    @property
    def spec(self) -> FormSpec:
        """What sets the form apart."""
        return FORMS[self]


class Tense(StrEnum):
    """The tense in which prose is told."""

    ANY = "any"
    """As whoever writes it likes."""
    PAST = "past"
    PRESENT = "present"


class Narration(StrEnum):
    """Who tells prose: its grammatical person, and what the narrator knows."""

    ANY = "any"
    """As whoever writes it likes."""
    FIRST = "first"
    CLOSE = "close"
    DISTANT = "distant"
    OMNISCIENT = "omniscient"
    SECOND = "second"


DEFAULT_FORM = Form.NOVEL
"""The form of a story until the writer chooses another."""


class Layout(StrEnum):
    """How the text of a chapter is laid out."""

    PROSE = "prose"
    """In paragraphs; a line break inside a paragraph means nothing."""
    LINES = "lines"
    """In lines; every line break is kept."""


@dataclass(frozen=True)
class FormSpec:
    """What sets a form apart from the others."""

    label: str
    """What the writer sees when choosing a form."""
    writer: str
    """The agent that writes the text, and the name of its prompt."""
    writer_label: str
    """What that agent is called in the UI."""
    scene_break: str
    """The text between two scenes of a chapter."""
    layout: Layout
    scene_words: int
    """The usual length of a scene in words, and the default of a new story."""


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
