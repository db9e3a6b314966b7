"""Stage 3: what a reader would stumble over in a text, and what it has told them."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import PromptBudget
from graph_flow.prompting.length import place_words
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import REVIEW
from graph_flow.telling.answers import REVIEW_SCHEMA
from graph_flow.telling.earlier import text_before
from graph_flow.telling.facts import Fact, facts_untold
from graph_flow.telling.lines import fact_lines, labelled, scene_blocks
from graph_flow.telling.material import findings_of, story_so_far, told_from
from graph_flow.telling.planning import meant_facts
from graph_flow.telling.revising import phrases_again, remarks_on
from graph_flow.telling.scenes import tail
from store.models.endpoint import ModelStrength
from store.models.telling import Draft, WritingPlan

_FACTS = PromptBudget(tokens=480, lines=30)
_FACTS_TOGETHER = 1_400
"""Characters of all facts, as far as possible."""
_TEXT_BEFORE = 1_000
"""Tokens of the chapters before one that its reviewer reads again."""
_CHAPTERS_BEFORE = 2
_END_WORDS = 35


def review_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save what the text tells its reader, and what its reviewer would change.

    Only an able model is asked, of a text that an agent has just written.
    """
    context, chapter = runtime.context, state["chapter"]
    number = state.get("reviews", 0) + 1
    draft = context.store.manuscript.draft(context.branch, chapter)
    is_wanted = number <= context.settings.reviews
    if draft is None or not is_wanted or context.strength(REVIEW) is ModelStrength.SMALL:
        return {"reviews": number}
    plan = context.plan(chapter)
    facts = _with_promised_first(plan, facts_untold(context.store, context.branch, chapter))
    job = Job(
        agent=REVIEW,
        step=f"{chapter}/text/{plan.attempt}/review/{number}",
        words=f"Reading chapter {chapter} as its editor",
        variables={**_about_plan(context, plan, facts), **_about_text(context, draft)},
        turn=chapter,
    )
    answer = context.ask_whole(job, REVIEW_SCHEMA)
    if answer is not None:
        told = meant_facts(answer.told, facts)
        remarks, echoes = remarks_on(draft.text, answer.remarks), tuple(filter(None, answer.echoes))
        context.store.manuscript.save_review(draft.id, told, remarks, echoes)
    return {"reviews": number}


def _with_promised_first(plan: WritingPlan, facts: Sequence[Fact]) -> list[Fact]:
    return sorted(facts, key=lambda fact: fact.key not in plan.reveals)


def _about_plan(
    context: StoryContext, plan: WritingPlan, facts: Sequence[Fact]
) -> dict[str, str | int | Sequence[str]]:
    snapshot = told_from(context, plan)
    promised = sum(fact.key in plan.reveals for fact in facts)
    before = text_before(context, plan.chapter, min(_TEXT_BEFORE, context.window(REVIEW) // 8))
    return {
        "place": place_words(plan.chapter, context.settings),
        "history": story_so_far(context, plan, snapshot, before.since),
        "before": before.text,
        "scenes": scene_blocks(plan, snapshot, facts, is_brief=True),
        "withheld": plan.withheld,
        "facts": labelled("F", fact_lines(facts, _FACTS_TOGETHER), _FACTS),
        "promised": [f"F{at}" for at in range(1, promised + 1)],
        "findings": findings_of(context, plan.chapter),
        "style": context.settings.style_notes,
        "planned": plan.words,
    }


def _about_text(context: StoryContext, draft: Draft) -> dict[str, str | int | Sequence[str]]:
    """Return the text, and what it may repeat."""
    first = max(1, draft.chapter - _CHAPTERS_BEFORE)
    numbers = range(first, draft.chapter)
    drafts = [context.store.manuscript.draft(context.branch, number) for number in numbers]
    texts = [one.text for one in drafts if one is not None]
    return {
        "text": draft.text,
        "words": draft.words,
        "phrases": phrases_again(draft.text, texts),
        "endings": [tail(text, _END_WORDS) for text in texts],
    }
