"""Stage 3: a text is changed where its reviewer says so; the one before stays as a version."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import PromptBudget
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import REVISE
from graph_flow.telling.answers import REVISION_SCHEMA, REVISION_WITHOUT_FACTS
from graph_flow.telling.facts import facts_of
from graph_flow.telling.lines import cut, fact_lines, labelled, people_told
from graph_flow.telling.material import told_from
from graph_flow.telling.planning import meant_facts
from graph_flow.telling.revising import remark_line, revised

_MISSING = PromptBudget(tokens=400, lines=12)
_VOICE, _VOICES = 200, 6


def revise_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save a revised text as a new version; if nothing can be used of it, the text stays."""
    context, chapter = runtime.context, state["chapter"]
    draft = context.store.manuscript.draft(context.branch, chapter)
    if draft is None or not draft.remarks:
        return {}  # It was revised before the run was interrupted, or the writer has changed it.
    plan = context.plan(chapter)
    snapshot = told_from(context, plan)
    missing = [
        fact
        for fact in facts_of(snapshot)
        if fact.key in plan.reveals and fact.key not in draft.told
    ]
    voices = [one for one in people_told(plan, snapshot) if one.voice][:_VOICES]
    job = Job(
        agent=REVISE,
        step=f"{chapter}/text/{plan.attempt}/revise/{state.get('reviews', 1)}",
        words=f"Revising chapter {chapter}",
        variables={
            "tone": snapshot.foundation.tone,
            "voices": [f"{one.name}: {cut(one.voice, _VOICE)}" for one in voices],
            "missing": labelled("F", fact_lines(missing), _MISSING),
            "withheld": plan.withheld,
            "style": context.settings.style_notes,
            "remarks": [remark_line(remark) for remark in draft.remarks],
            "text": draft.text,
        },
        turn=chapter,
    )
    answer = context.ask_whole(job, REVISION_SCHEMA if missing else REVISION_WITHOUT_FACTS)
    if answer is not None:
        text = revised(draft.text, answer.passages)
        context.store.manuscript.save_revision(draft, text, meant_facts(answer.told, missing))
    return {}
