"""The forms that a story can be told in, and what sets each apart.

A new form needs a member of `Form`, an entry in `FORMS`, and two prompts for its writer: for able models
and for small ones. Only a form whose text is laid out in a new way needs more: a `Layout`, its function in
`store.formats.book.layout`, and its reader in `store.formats.book.composing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """What the plot is told as. The values are stored, and are what `--form` takes."""

    NOVEL = "novel"
    SHORT_STORY = "short_story"
    WEB_SERIAL = "web_serial"
    SCREENPLAY = "screenplay"
    STAGE_PLAY = "stage_play"
    AUDIO_DRAMA = "audio_drama"
    SHORT_DRAMA = "short_drama"

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
    layout: Layout
    scene_words: int
    """The usual length of a scene in words, and the default of a new story."""
    asks: str = ""
    """What it asks of a plot, for the agents that plan one."""

    @property
    def described(self) -> str:
        """The form as prompts name it."""
        name = self.label.lower()
        return f"{name} ({self.asks})" if self.asks else name

    @property
    def scene_break(self) -> str:
        """The text between two scenes of a chapter; what is played has a heading at each instead."""
        return "\n\n* * *\n\n" if self.is_prose else "\n\n"

    @property
    def is_prose(self) -> bool:
        """Whether it is told by a narrator, and not played."""
        return self.layout is Layout.PROSE


FORMS: Mapping[Form, FormSpec] = {
    Form.NOVEL: FormSpec(
        label="Novel",
        writer="writer_novel",
        writer_label="Writer",
        layout=Layout.PROSE,
        scene_words=200,
    ),
    Form.SHORT_STORY: FormSpec(
        label="Short story",
        writer="writer_short_story",
        writer_label="Writer, short story",
        layout=Layout.PROSE,
        scene_words=200,
        asks="few people, one change, and nothing that its end does not need",
    ),
    Form.WEB_SERIAL: FormSpec(
        label="Web serial",
        writer="writer_web_serial",
        writer_label="Writer, web serial",
        layout=Layout.PROSE,
        scene_words=200,
        asks="each chapter gives its readers something that they waited for, and its last scene ends on a "
        "hook: a question, a danger or a discovery that the next chapter takes up",
    ),
    Form.SCREENPLAY: FormSpec(
        label="Screenplay",
        writer="writer_screenplay",
        writer_label="Writer, screenplay",
        layout=Layout.LINES,
        scene_words=200,
    ),
    Form.STAGE_PLAY: FormSpec(
        label="Stage play",
        writer="writer_stage_play",
        writer_label="Writer, stage play",
        layout=Layout.LINES,
        scene_words=250,
        asks="on one stage: long scenes in few places, with few people at a time, and nothing that an "
        "audience could not see from its seats",
    ),
    Form.AUDIO_DRAMA: FormSpec(
        label="Audio drama",
        writer="writer_audio_drama",
        writer_label="Writer, audio drama",
        layout=Layout.LINES,
        scene_words=200,
        asks="heard and never seen: what matters can be told by voices and sounds, and each place has its own",
    ),
    Form.SHORT_DRAMA: FormSpec(
        label="Short drama",
        writer="writer_short_drama",
        writer_label="Writer, short drama",
        layout=Layout.LINES,
        scene_words=120,
        asks="filmed episodes of a minute or two, each a chapter: a conflict from its first line, one turn, "
        "and an end at the worst moment, which the next episode takes up",
    ),
}
