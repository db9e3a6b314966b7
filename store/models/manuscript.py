"""The manuscript: how a chapter is to be told, and every version of its text (CreAgentive, stage 3)."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from store.models.base import Id, Line, Name, Paragraph, Passage, Record, dump_json
from store.models.form import Form
from store.text import count_words

PARAGRAPH_BREAK = "\n\n"
"""What stands between two paragraphs of a text."""

TEXT_LIMIT = 1_000_000
"""Characters that a chapter's text can have."""


class Structure(StrEnum):
    """The order in which a chapter tells its events."""

    LINEAR = "linear"
    FLASHBACK = "flashback"
    FLASH_FORWARD = "flash-forward"
    FRAME = "frame"
    PARALLEL = "parallel lines"


class Recollection(Record):
    """A past event that matters to the people of this chapter, and why."""

    event: Id
    why: Line = ""


class ThreadMove(StrEnum):
    """What a chapter does with a thread."""

    PLANT = "plant"
    KEEP = "keep alive"
    PAY_OFF = "pay off"


class ThreadCue(Record):
    """A thread that this chapter should touch."""

    thread: Id
    move: ThreadMove
    how: Line = ""


class WritingNotes(Record):
    """What Recall and Thread found for one attempt at a chapter."""

    branch: Id
    chapter: int
    attempt: int
    recall: tuple[Recollection, ...] = ()
    threads: tuple[ThreadCue, ...] = ()


FactKey = Annotated[
    str, StringConstraints(pattern=r"^(event|secret|history):[A-Za-z0-9_-]+$", max_length=80)
]
"""Something that the reader is to learn: what somebody hides, or lived through, before the story."""


class Learner(Record):
    """Somebody of the story who learns something together with the reader."""

    fact: FactKey
    person: Id


class SceneMode(StrEnum):
    """Whether a part of a chapter is played out moment by moment, or passed over quickly."""

    SCENE = "scene"
    SUMMARY = "summary"


class PartTime(StrEnum):
    """When what a part of a chapter shows happens, beside the rest of the telling."""

    PRESENT = "present"
    FLASHBACK = "flashback"
    FLASH_FORWARD = "flash-forward"
    FRAME = "frame"


class PlannedScene(Record):
    """One scene of the telling: which events, where, through whose eyes."""

    scene: Id | None = None
    events: tuple[Id, ...] = ()
    point_of_view: Id | None = None
    beat: Passage = ""
    """What this scene does, in a sentence or two."""
    where: Line = ""
    """Where it is told, if that is not the place of its events."""
    mode: SceneMode = SceneMode.SCENE
    story_chapter: Annotated[int, Field(ge=0)] | None = None
    """The chapter of the story in which it happens; None: the one that is told."""
    time: PartTime = PartTime.PRESENT
    """When that is, beside the rest of the telling."""
    words: Annotated[int, Field(ge=0)] = 0
    """About how many words; 0: an equal share of the chapter's."""
    reveals: tuple[FactKey, ...] = ()
    """What the reader learns here."""
    learners: tuple[Learner, ...] = ()
    """Who of the story learns it here too."""
    recall: tuple[Recollection, ...] = ()
    threads: tuple[ThreadCue, ...] = ()


class WritingPlan(Record):
    """How a chapter is to be told. `attempt` counts the plans of a chapter, from 1.

    `recall` and `threads` hold for the whole chapter; what belongs to one scene stands with it.
    """

    id: Id
    branch: Id
    chapter: int
    attempt: int
    form: Form
    goal: Passage = ""
    structure: Structure = Structure.LINEAR
    scenes: tuple[PlannedScene, ...] = ()
    recall: tuple[Recollection, ...] = ()
    threads: tuple[ThreadCue, ...] = ()
    reveal: Line = ""
    withheld: Paragraph = ""
    """What the reader must not know yet at the end of the chapter."""
    words: Annotated[int, Field(ge=50)] = 750
    is_edited: bool = False
    """Whether the writer has changed it."""

    @property
    def is_whole(self) -> bool:
        """Whether an able model made it, which decides what the reader learns, and where."""
        return any(scene.words for scene in self.scenes)

    @property
    def reveals(self) -> tuple[FactKey, ...]:
        """What the reader is to learn in this chapter, each once."""
        return tuple(dict.fromkeys(key for scene in self.scenes for key in scene.reveals))

    def words_of(self, scene: PlannedScene) -> int:
        """Return about how many words a scene is to have."""
        return scene.words or self.words // max(1, len(self.scenes))


class TextParagraph(Record):
    """A paragraph of a text, which keeps its id while it is edited, and the events that it tells."""

    id: Id
    events: tuple[Id, ...] = ()


class ToldScene(Record):
    """What a text tells of a scene of its plan, as the plan had it."""

    plan: Id
    events: tuple[Id, ...] = ()
    beat: Passage = ""
    reveals: tuple[FactKey, ...] = ()


def told_scenes(plan: WritingPlan) -> tuple[ToldScene, ...]:
    """Return what a text written from a plan tells."""
    return tuple(
        ToldScene(plan=plan.id, events=one.events, beat=one.beat, reveals=one.reveals)
        for one in plan.scenes
    )


class DraftState(StrEnum):
    """The state of a draft."""

    WRITING = "writing"
    DRAFTED = "drafted"
    REVISED = "revised"
    EDITED = "edited"
    APPROVED = "approved"


class RemarkKind(StrEnum):
    """What a reader would stumble over."""

    MISSING = "missing"
    CONTRADICTS = "contradicts"
    UNCLEAR = "unclear"
    UNLIKELY = "unlikely"
    REPEATED = "repeated"
    FLAT = "flat"


class ReviewRemark(Record):
    """What the reviewer of a chapter would change. `quote` are words of its text, if there are any."""

    kind: RemarkKind
    quote: Passage = ""
    remark: Line
    remedy: Line = ""


class Draft(Record):
    """A version of a chapter's text. Versions count from 1; the newest is the current text.

    `told` is what the reader has learned once they have read it; `remarks` are those of its
    reviewer, and `echoes` what it names for later chapters to return to: images, things, lines.
    `revises` is the number of the version that this one revises by such remarks. `paragraphs` are
    those of the text, in order; there are none where they were not counted. `scenes` are those of its
    plan as the text tells them; none where that is not known. A chapter that was begun `is_by_hand`
    needs no plot. `name` is what the writer calls this version, to find it again.
    """

    id: Id
    branch: Id
    chapter: int
    version: int
    form: Form
    title: Name
    text: str
    state: DraftState
    created: datetime
    told: tuple[FactKey, ...] = ()
    remarks: tuple[ReviewRemark, ...] = ()
    echoes: tuple[Line, ...] = ()
    revises: int | None = None
    paragraphs: tuple[TextParagraph, ...] = ()
    scenes: tuple[ToldScene, ...] = ()
    is_by_hand: bool = False
    name: Name | None = None

    @property
    def words(self) -> int:
        """Count words, and characters in scripts that put no spaces between words."""
        return count_words(self.text)

    @property
    def fingerprint(self) -> str:
        """The SHA-256, in hexadecimal, of what a version of a text consists of."""
        return text_fingerprint(self.chapter, self.version, self.form, self.title, self.text)


class VersionFacts(Record):
    """What tells a version of a chapter's text from the others, without the text."""

    version: int
    state: DraftState
    words: int
    created: datetime
    name: Name | None = None


class MarginNote(Record):
    """What a writer noted beside a paragraph, for themselves: no agent reads it, and no text holds it.

    `key` is the same on each branch that has the note. `paragraph` is that of the text, if it has any;
    `beginning` is what it began with, and `quote` the words of it that the note is about, if the writer
    has chosen some.
    """

    id: Id
    key: Id
    branch: Id
    chapter: int
    paragraph: Id | None = None
    quote: Line = ""
    beginning: Line = ""
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]
    is_done: bool = False
    is_removed: bool = False
    created: datetime


def text_fingerprint(chapter: int, version: int, form: str, title: str, text: str) -> str:
    """Return the SHA-256, in hexadecimal, by which damage to a version of a text shows.

    Branch and id do not count, so a version that is shared or imported has the same one.
    """
    content = dump_json([chapter, version, str(form), title, text])
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
