"""Answers of stage 3: what to recall, which threads to touch, how to tell a chapter, what to revise.

The whole answers are those of able models.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, StringConstraints

from graph_flow.llm.schema import AnswerSchema, OneOf, Size, Sized
from graph_flow.prompting.text import Phrase, Sentence
from graph_flow.prompting.whole import (
    Required,
    WholeAnswer,
    WholeLine,
    WholeName,
    WholeParagraph,
    WholePassage,
    WholeStrength,
    usable,
)
from store.models.manuscript import RemarkKind, SceneMode, Structure, ThreadMove

_MOST_RECALLED = 3
_MOST_TOUCHED = 3


_MOST_SCENES, _MOST_LABELS, MOST_REMARKS, _MOST_PASSAGES, MOST_ECHOES = 16, 40, 24, 48, 5
_MOST_LIKED, _MOST_TO = 4, 6
"""What is kept of a whole answer."""
MOST_TOGETHER = 12
"""Chapters of a story that is planned and written in one piece, at most."""


def _known(kind: type[StrEnum], otherwise: StrEnum) -> BeforeValidator:
    """Annotate a choice; what is not among those offered becomes the usual one."""
    values = {member.value for member in kind}

    def read(said: Any) -> Any:
        word = said.strip().casefold() if isinstance(said, str) else said
        return word if isinstance(word, str) and word in values else otherwise.value

    return BeforeValidator(read)


Labels = Annotated[tuple[WholeName, ...], usable(_MOST_LABELS)]
"""Labels of what the prompt lists; those that it does not list mean nothing."""


class WholeCue(WholeAnswer):
    """A thread that a scene touches, and how."""

    thread: Annotated[WholeName, Required]
    move: Annotated[ThreadMove, _known(ThreadMove, ThreadMove.KEEP)] = ThreadMove.KEEP
    how: WholeLine = ""


def _with_fact(said: Any) -> Any:
    return said if isinstance(said, dict) else {"fact": said}


class WholeReveal(WholeAnswer):
    """What the reader learns in a scene, and who of the story learns it there too. A label alone will do."""

    fact: Annotated[WholeName, Required]
    to: Annotated[tuple[WholeName, ...], usable(_MOST_TO)] = ()


class WholeScene(WholeAnswer):
    """One scene of a whole plan, with all that belongs to it."""

    events: Labels = ()
    mode: Annotated[SceneMode, _known(SceneMode, SceneMode.SCENE)] = SceneMode.SCENE
    where: WholeLine = ""
    point_of_view: WholeName = ""
    beat: WholePassage = ""
    reveals: Annotated[
        tuple[Annotated[WholeReveal, BeforeValidator(_with_fact)], ...], usable(_MOST_LABELS)
    ] = ()
    recalls: Labels = ()
    threads: Annotated[tuple[WholeCue, ...], usable(_MOST_TOUCHED)] = ()
    weight: WholeStrength = 5


class WholePlan(WholeAnswer):
    """How a chapter is told: scenes in the order of the telling, which may join or split events."""

    structure: Annotated[Structure, _known(Structure, Structure.LINEAR)] = Structure.LINEAR
    scenes: Annotated[tuple[WholeScene, ...], usable(_MOST_SCENES, least=1)]
    withheld: WholeParagraph = ""


class StoryPlan(WholeAnswer):
    """How a whole story is told: a plan for each of its chapters, in order."""

    chapters: Annotated[tuple[WholePlan, ...], usable(MOST_TOGETHER, least=1)]


class WholeRemark(WholeAnswer):
    """What a reviewer would change, and where."""

    kind: Annotated[RemarkKind, _known(RemarkKind, RemarkKind.UNCLEAR)] = RemarkKind.UNCLEAR
    quote: WholeLine = ""
    remark: Annotated[WholeLine, Required]
    remedy: WholeLine = ""


class ReviewAnswer(WholeAnswer):
    """What a chapter has told its reader, and what should change in it."""

    told: Labels = ()
    echoes: Annotated[tuple[WholeLine, ...], usable(MOST_ECHOES)] = ()
    remarks: Annotated[tuple[WholeRemark, ...], usable(MOST_REMARKS)] = ()


Words = Annotated[str, StringConstraints(max_length=20_000)]
"""Words of a chapter, letter for letter."""


class Replacement(WholeAnswer):
    """Words of a chapter, and what stands there instead."""

    old: Annotated[Words, Required]
    new: Words = ""


class RevisionAnswer(WholeAnswer):
    """What changes in a chapter, and which facts it tells besides."""

    passages: Annotated[tuple[Replacement, ...], usable(_MOST_PASSAGES)] = ()
    told: Labels = ()


REVISION_SCHEMA = AnswerSchema(RevisionAnswer)
REVISION_WITHOUT_FACTS = AnswerSchema(RevisionAnswer, without=frozenset({"told"}))
"""The same where no fact is missing."""
REVIEW_SCHEMA = AnswerSchema(ReviewAnswer)
REVIEW_OF_THE_END = AnswerSchema(ReviewAnswer, without=frozenset({"echoes"}))
"""The same for the last chapter, after which there is nothing to come back in."""


class ReadingAnswer(WholeAnswer):
    """What somebody who has only read a story has understood of it, liked, and stumbled over."""

    understood: WholePassage = ""
    best: Annotated[tuple[WholeLine, ...], usable(_MOST_LIKED)] = ()
    remarks: Annotated[tuple[WholeRemark, ...], usable(MOST_REMARKS)] = ()


READING_SCHEMA = AnswerSchema(ReadingAnswer)


class RecollectionAnswer(BaseModel):
    """A past event that matters now."""

    event: Annotated[str, OneOf("events")]
    why: Phrase


class RecallAnswer(BaseModel):
    """The past events that matter to the people of a chapter."""

    recall: Annotated[list[RecollectionAnswer], Sized("recall")]


class CueAnswer(BaseModel):
    """A thread to touch, and how."""

    thread: Annotated[str, OneOf("threads")]
    move: ThreadMove
    how: Phrase


class ThreadsAnswer(BaseModel):
    """The threads that a chapter should touch."""

    threads: Annotated[list[CueAnswer], Sized("threads")]


class PlannedSceneAnswer(BaseModel):
    """One scene of a writing plan."""

    scene: Annotated[str, OneOf("scenes")]
    point_of_view: Annotated[str, OneOf("people")]
    beat: Sentence


class PlanAnswer(BaseModel):
    """How a chapter is told: the scenes in the order of the telling."""

    structure: Structure
    scenes: Annotated[list[PlannedSceneAnswer], Sized("scenes")]
    reveal: Phrase


def whole_plan_schema(*, has_earlier: bool, has_threads: bool) -> AnswerSchema[WholePlan]:
    """Return the plan of an able model, which is asked only for what there is to name."""
    asked = {"recalls": has_earlier, "threads": has_threads}
    return AnswerSchema(
        WholePlan, without={name for name, is_asked in asked.items() if not is_asked}
    )


def story_plan_schema(*, has_threads: bool) -> AnswerSchema[StoryPlan]:
    """Return the plan of a whole story, which recalls nothing that it does not tell itself."""
    without = {"recalls"} if has_threads else {"recalls", "threads"}
    return AnswerSchema(StoryPlan, without=without)


def recall_schema(events: Sequence[str]) -> AnswerSchema[RecallAnswer]:
    """Return the answer that can recall only the labelled events."""
    most = min(_MOST_RECALLED, len(events))
    return AnswerSchema(RecallAnswer, choices={"events": events}, sizes={"recall": Size(0, most)})


def threads_schema(threads: Sequence[str]) -> AnswerSchema[ThreadsAnswer]:
    """Return the answer that can touch only the labelled threads."""
    most = min(_MOST_TOUCHED, len(threads))
    return AnswerSchema(
        ThreadsAnswer, choices={"threads": threads}, sizes={"threads": Size(0, most)}
    )


def plan_schema(scenes: Sequence[str], people: Sequence[str]) -> AnswerSchema[PlanAnswer]:
    """Return the answer that tells the labelled scenes from these people's points of view."""
    return AnswerSchema(
        PlanAnswer,
        choices={"scenes": scenes, "people": people},
        sizes={"scenes": Size(len(scenes), len(scenes))},
    )
