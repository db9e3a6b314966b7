"""The agents of stage 3, which plan and write the text of a chapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import ceil
from typing import Any

from graph_flow.founding.agents import SKETCHES, is_sketched
from graph_flow.prompting.agent import (
    NO_CALLS,
    ONE_CALL,
    Agent,
    Calls,
    Work,
    line_labels,
    of_sketch,
    of_story,
)
from graph_flow.prompting.length import is_short
from graph_flow.telling.answers import (
    READING_SCHEMA,
    REVIEW_SCHEMA,
    REVISION_SCHEMA,
    plan_schema,
    recall_schema,
    story_plan_schema,
    threads_schema,
)
from store.models.endpoint import ModelStrength
from store.models.form import FORMS, Form, FormSpec
from store.models.run import ReadStory, WriteChapter
from store.models.story import Gate


def _plans(work: Work) -> bool:
    """Whether a chapter is planned; one of another telling is not, for the story's own plans hold for it."""
    return isinstance(work.task, WriteChapter) and not work.task.is_of_telling


def _recalls(work: Work) -> bool:
    """Whether a small model looks for what to recall; the plan of an able one says it."""
    is_asked = _plans(work) and work.settings.recalls
    return is_asked and work.strength is ModelStrength.SMALL


def _recalling(work: Work) -> Calls:
    return ONE_CALL if _recalls(work) else NO_CALLS


def _beside_recalling(work: Work) -> Calls:
    return Calls(1, 0) if _recalls(work) else NO_CALLS


def _reviewing(work: Work) -> Calls:
    is_small = work.strength is ModelStrength.SMALL
    is_read = _is_told(work) and is_short(work.settings)
    if not isinstance(work.task, WriteChapter) or is_small or is_read:
        return NO_CALLS
    return Calls(work.settings.reviews, work.settings.reviews)


def _revising(work: Work) -> Calls:
    """Expect a revision after each review, but none of what was told before: it has had its readers."""
    return NO_CALLS if _is_told(work) else _reviewing(work)


def _is_told(work: Work) -> bool:
    """Whether the sketch that a story follows is expected to be its text."""
    return work.follows_sketch and work.written_form is work.form


def _reading(work: Work) -> Calls:
    """Expect one reader of a story, and of a short one another, who reads its second draft."""
    return _after_reading(work).times(2 if is_short(work.settings) else 1)


def _after_reading(work: Work) -> Calls:
    is_asked = isinstance(work.task, ReadStory) and work.strength is ModelStrength.ABLE
    return ONE_CALL if is_asked else NO_CALLS


def _drafting_again(work: Work) -> Calls:
    return _after_reading(work) if is_short(work.settings) else NO_CALLS


def _revising_last(work: Work) -> Calls:
    """Expect a revision of a story that is too long to be written anew."""
    return NO_CALLS if is_short(work.settings) else _after_reading(work)


def _sketching(work: Work) -> Calls:
    if not is_sketched(work):
        return NO_CALLS
    return Calls(SKETCHES, ceil(SKETCHES / work.at_once))


def _in_one_piece(work: Work) -> bool:
    """Whether a story is expected to be planned and written as a whole."""
    settings = work.settings
    return (
        _plans(work)
        and isinstance(work.task, WriteChapter)
        and work.strength is ModelStrength.ABLE
        and is_short(settings)
        and 1 < len(work.task.chapters) == settings.planned == work.told
        and (work.task.is_autopilot or not settings.asks(Gate.PLAN))
    )


def _planning(work: Work) -> Calls:
    return ONE_CALL if _plans(work) and not _in_one_piece(work) else NO_CALLS


def _planning_all(work: Work) -> Calls:
    return ONE_CALL if _in_one_piece(work) else NO_CALLS


def _writing(work: Work, *, form: Form) -> Calls:
    """Expect a whole chapter at once, from a small model about one scene for each person in a plot."""
    if work.written_form is not form or _is_told(work):
        return NO_CALLS
    if work.strength is ModelStrength.ABLE:
        return ONE_CALL
    return Calls(work.settings.roles, work.settings.roles)


def _for_each_chapter(calls: Callable[[Work], Calls], work: Work) -> Calls:
    """Expect as many calls for each of several chapters as for one; for those in one piece, as for one."""
    if _in_one_piece(work) and calls not in (_reviewing, _revising):
        return calls(work)
    chapters = len(work.task.chapters) if isinstance(work.task, WriteChapter) else 1
    return calls(work).times(chapters)


def _agent(*, calls: Callable[[Work], Calls], **others: Any) -> Agent:
    return Agent(stage="telling", calls=partial(_for_each_chapter, calls), **others)


_SCENE = "The plan of the scene"
_PLAN_OF_CHAPTER = "The plan of the chapter"
_BEFORE = "The text so far"
_PLACE = "The place in the story"
_ENDING = "How the story ends"
_STYLE = "The style that you asked for"
_UNTOLD = "What the reader does not know yet"

SKETCH = _agent(
    name="sketch",
    label="Sketches",
    calls=_sketching,
    size=of_sketch(written=1),
    labels={
        "chapters": "The task",
        "count": "The task",
        "is_prose": "The task",
        "kept": "What you have settled",
        "place": "The task",
        "planned": "The task",
        "sample": _STYLE,
        "seen": "What you have seen",
    },
)
RECALL = _agent(
    name="recall",
    label="What to recall",
    calls=_recalling,
    answer=lambda example: recall_schema(line_labels(example.given["past"])),
    labels={"past": "What happened before"},
)
THREAD = _agent(
    name="thread",
    label="What to prepare",
    calls=_beside_recalling,
    answer=lambda example: threads_schema(line_labels(example.given["threads"])),
    labels={"later": "What happens later"},
)
PLAN = _agent(
    name="plan",
    label="Writing plan",
    calls=_planning,
    answer=lambda example: plan_schema(
        line_labels(example.given["scenes"]), example.given["people"]
    ),
    labels={
        "beat_words": "The task",
        "before": _BEFORE,
        "changes": "What happens",
        "earlier": "What happened before",
        "echoes": _BEFORE,
        "events": "What happens",
        "fact_count": "The task",
        "facts": _UNTOLD,
        "is_last": _PLACE,
        "later": "What happens later",
        "lead": _BEFORE,
        "recall": "What to recall",
        "scene_count": "The task",
        "scenes": "The scenes",
        "spine": _ENDING,
        "title": "The task",
        "words": "The task",
    },
)


STORY_PLAN = _agent(
    name="story_plan",
    label="Plan of the whole story",
    calls=_planning_all,
    answer=story_plan_schema(has_threads=True),
    labels={
        "chapter_count": "The task",
        "chapters": "What happens",
        "fact_count": "The task",
        "facts": _UNTOLD,
        "sketch": "The sketch",
        "spine": _ENDING,
    },
)


def _writer(form: Form, spec: FormSpec) -> Agent:
    return _agent(
        name=spec.writer,
        label=spec.writer_label,
        calls=partial(_writing, form=form),
        labels={
            "absent": "The people",
            "beat": _SCENE,
            "before": _BEFORE,
            "echoes": _BEFORE,
            "ending": _ENDING,
            "is_last": _PLACE,
            "is_whole": "The task",
            "eyes": _SCENE,
            "facts": "People, place and relationships",
            "happens": "What happens",
            "lead": _BEFORE,
            "newcomers": "The people",
            "part": "The task",
            "sample": _STYLE,
            "scenes": _PLAN_OF_CHAPTER,
            "sketch": "The sketch",
            "withheld": _PLAN_OF_CHAPTER,
            "words": "The task",
        },
    )


WRITERS: Mapping[Form, Agent] = {form: _writer(form, spec) for form, spec in FORMS.items()}
"""The agent that writes the text, by form."""

REVIEW = _agent(
    name="review",
    label="Reviewer of the text",
    calls=_reviewing,
    answer=REVIEW_SCHEMA,
    labels={
        "after": "What happens later",
        "avoided": _STYLE,
        "before": _BEFORE,
        "endings": _BEFORE,
        "facts": _UNTOLD,
        "findings": "What the check found",
        "is_last": _PLACE,
        "kept": "What you have settled",
        "most_remarks": "The task",
        "part": "The task",
        "phrases": "Phrases that come again",
        "planned": _PLAN_OF_CHAPTER,
        "promised": _PLAN_OF_CHAPTER,
        "scenes": _PLAN_OF_CHAPTER,
        "text": "The chapter",
        "withheld": _PLAN_OF_CHAPTER,
        "words": "The chapter",
    },
)
REVISE = _agent(
    name="revise",
    label="Revision of the text",
    calls=_revising,
    answer=REVISION_SCHEMA,
    labels={
        "missing": _UNTOLD,
        "part": "The task",
        "planned": _PLAN_OF_CHAPTER,
        "words": "The task",
        "text": "The chapter",
        "voices": "The people",
        "withheld": _PLAN_OF_CHAPTER,
    },
)

_WHOLE_STORY = "The whole story"

FIRST_READER = _agent(
    name="first_reader",
    label="First reader",
    calls=_reading,
    size=of_story(read=1),
    answer=READING_SCHEMA,
    labels={
        "most_remarks": "The task",
        "planned": "The task",
        "text": _WHOLE_STORY,
        "words": _WHOLE_STORY,
    },
)
LAST_REVISION = _agent(
    name="last_revision",
    label="Last revision",
    calls=_revising_last,
    answer=REVISION_SCHEMA,
    labels={
        "best": "What the first reader says",
        "kept": "The task",
        "planned": "The task",
        "remarks": "What the first reader says",
        "text": _WHOLE_STORY,
        "understood": "What the first reader says",
        "voices": "The people",
        "words": _WHOLE_STORY,
    },
)

SECOND_DRAFT = _agent(
    name="second_draft",
    label="Second draft",
    calls=_drafting_again,
    size=of_story(read=1, written=1),
    labels={
        "best": "What the first reader says",
        "chapters": "The task",
        "cost": _ENDING,
        "ending": _ENDING,
        "is_prose": "The task",
        "last_image": _ENDING,
        "planned": "The task",
        "sample": _STYLE,
        "text": _WHOLE_STORY,
        "understood": "What the first reader says",
        "words": "The task",
    },
)

AGENTS = (
    RECALL,
    THREAD,
    PLAN,
    STORY_PLAN,
    *WRITERS.values(),
    REVIEW,
    REVISE,
    FIRST_READER,
    LAST_REVISION,
    SECOND_DRAFT,
)
