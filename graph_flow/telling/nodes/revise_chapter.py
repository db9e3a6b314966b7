"""Stage 3: a text is changed where its reviewer says so; the one before stays as a version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import PromptBudget
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.style import style_for
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import REVISE
from graph_flow.telling.answers import REVISION_SCHEMA, REVISION_WITHOUT_FACTS
from graph_flow.telling.discourse.standing import standing
from graph_flow.telling.material.chapter import told_from
from graph_flow.telling.material.facts import Fact, facts_of
from graph_flow.telling.material.lines import cut, fact_lines, labelled, people_told
from graph_flow.telling.planning import meant_facts
from graph_flow.telling.revising import parts_of, remark_line, remarks_by_part, revised_part
from store.models.manuscript import FactKey, ReviewRemark, WritingPlan
from store.models.prototype import Snapshot
from store.text import count_words

_MISSING = PromptBudget(tokens=400, lines=12)
_VOICE, _VOICES, _TRUTH = 200, 6, 900


_LEAST_ANSWER, _ANSWER = 2_600, 1.3
"""Tokens of an answer: at least, and for each token of the text."""


def revise_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save a revised text as a new version; if nothing can be used of it, the text stays.

    A chapter that takes more than a third of the model's window is revised in parts.
    """
    context, chapter = runtime.context, state["chapter"]
    draft = context.store.manuscript.draft(context.branch, chapter)
    if draft is None or not draft.remarks:
        return {}  # It was revised before the run was interrupted, or the writer has changed it.
    plan = context.plan(chapter)
    step = f"revise/{state.get('reviews', 1)}"
    revision = _Revision(plan, told_from(context, plan), draft.text, step)
    missing = [
        fact
        for fact in facts_of(revision.snapshot)
        if fact.key in plan.reveals and fact.key not in draft.told
    ]
    parts = parts_of(draft.text, context.window(REVISE) // 3, plan.form.spec.scene_break)
    after = [_revise(context, revision, part) for part in _parts(parts, draft.remarks, missing)]
    told = [key for one in after for key in one.told]
    context.store.manuscript.save_revision(draft, "".join(one.text for one in after), told)
    return {}


@dataclass(frozen=True)
class _Revision:
    """What is revised, told from what, and what its step is called."""

    plan: WritingPlan
    snapshot: Snapshot
    text: str
    step: str


class _Part(NamedTuple):
    """A part of a chapter, and what is to change in it; `place` is empty for a whole chapter."""

    text: str
    remarks: Sequence[ReviewRemark]
    missing: Sequence[Fact]
    place: str


class _Revised(NamedTuple):
    """A part of a chapter as it is now, and what it tells besides."""

    text: str
    told: tuple[FactKey, ...] = ()


def _parts(
    texts: Sequence[str], remarks: Sequence[ReviewRemark], missing: Sequence[Fact]
) -> list[_Part]:
    """Return the parts of a chapter; what is missing is asked for once, with the last."""
    count, by_part = len(texts), remarks_by_part(texts, remarks)
    return [
        _Part(text, some, missing if at == count else (), f"{at} of {count}" if count > 1 else "")
        for at, (text, some) in enumerate(zip(texts, by_part, strict=True), start=1)
    ]


def _revise(context: StoryContext, revision: _Revision, part: _Part) -> _Revised:
    """Return a part as it is revised; as it was, if nothing is to change or can be used."""
    if not (part.remarks or part.missing):
        return _Revised(part.text)
    if estimate_tokens(part.text) > context.window(REVISE) // 3:
        context.store.runs.add_note(
            context.run, _unrevised(standing(context, revision.plan.chapter).words, part.place)
        )
        return _Revised(part.text)
    schema = REVISION_SCHEMA if part.missing else REVISION_WITHOUT_FACTS
    answer = context.ask_whole(_job(context, revision, part), schema)
    if answer is None:
        return _Revised(part.text)
    told = meant_facts(answer.told, part.missing)
    return _Revised(revised_part(part.text, answer.passages), told)


def _unrevised(chapter: str, place: str) -> str:
    what = f"Part {place} of {chapter}" if place else f"{chapter[0].upper()}{chapter[1:]}"
    return f"{what} was not revised: it is too long for the model that revises."


def _job(context: StoryContext, revision: _Revision, part: _Part) -> Job:
    plan, snapshot = revision.plan, revision.snapshot
    voices = [one for one in people_told(plan, snapshot) if one.voice][:_VOICES]
    piece = f"part {part.place} of " if part.place else ""
    step = f"{plan.chapter}/text/{plan.attempt}/{revision.step}"
    most = max(_LEAST_ANSWER, context.window(REVISE) // 3)
    return Job(
        agent=REVISE,
        step=f"{step}/{part.place.partition(' ')[0]}" if part.place else step,
        words=f"Revising {piece}{standing(context, plan.chapter).words}",
        variables={
            "tone": snapshot.foundation.tone,
            "voices": [f"{one.name}: {cut(one.voice, _VOICE)}" for one in voices],
            "missing": labelled("F", fact_lines(part.missing), _MISSING),
            "withheld": plan.withheld,
            "truth": cut(snapshot.foundation.truth, _TRUTH),
            "planned": plan.words,
            "words": count_words(revision.text),
            "style": style_for(context.settings, plan.form),
            "remarks": [remark_line(remark) for remark in part.remarks],
            "text": part.text.strip(),
            "part": part.place,
        },
        turn=plan.chapter,
        tokens=min(most, max(_LEAST_ANSWER, int(estimate_tokens(part.text) * _ANSWER))),
    )
