"""The agents of stage 3, which plan and write the text of a chapter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from graph_flow.prompting.agent import (
    NO_CALLS,
    ONE_CALL,
    Agent,
    Calls,
    Work,
    line_labels,
)
from graph_flow.telling.answers import plan_schema, recall_schema, threads_schema
from store.models.form import FORMS, Form, FormSpec
from store.models.run import WriteChapter


def _recalling(work: Work) -> Calls:
    is_asked = isinstance(work.task, WriteChapter) and work.settings.recalls
    return ONE_CALL if is_asked else NO_CALLS


def _beside_recalling(work: Work) -> Calls:
    is_asked = isinstance(work.task, WriteChapter) and work.settings.recalls
    return Calls(1, 0) if is_asked else NO_CALLS


def _planning(work: Work) -> Calls:
    return ONE_CALL if isinstance(work.task, WriteChapter) else NO_CALLS


def _writing(work: Work, *, form: Form) -> Calls:
    """Expect about one scene for each person in a plot."""
    if work.written_form is not form:
        return NO_CALLS
    return Calls(work.settings.roles, work.settings.roles)


_agent = partial(Agent, stage="telling")
_SCENE = "The plan of the scene"

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
    labels={"recall": "What to recall", "scenes": "The scenes", "title": "The task"},
)


def _writer(form: Form, spec: FormSpec) -> Agent:
    return _agent(
        name=spec.writer,
        label=spec.writer_label,
        calls=partial(_writing, form=form),
        labels={
            "beat": _SCENE,
            "before": "The text so far",
            "eyes": _SCENE,
            "facts": "People, place and relationships",
            "happens": "What happens",
            "tone": "The tone",
            "words": "The task",
        },
    )


WRITERS: Mapping[Form, Agent] = {form: _writer(form, spec) for form, spec in FORMS.items()}
"""The agent that writes the text, by form."""

AGENTS = (RECALL, THREAD, PLAN, *WRITERS.values())
