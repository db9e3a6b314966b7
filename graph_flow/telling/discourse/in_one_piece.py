"""A short story that is planned and written in one piece.

Whoever writes chapter by chapter plants nothing for an end that they do not see. Where an able model can
hold the whole story in one answer, it plans and writes all of it at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_flow.founding.following import told_text
from graph_flow.prompting.headings import heading
from graph_flow.prompting.length import is_short, words_together
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import STORY_PLAN, WRITERS
from graph_flow.telling.answers import MOST_TOGETHER
from graph_flow.telling.scenes import TOKENS_PER_WORD, with_breaks
from store.models.desk.contents import FIRST_OF_TELLING
from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.manuscript import DraftState, WritingPlan
from store.models.run import WriteChapter
from store.models.story import Gate

LONGEST_ANSWER = 16_000
"""Tokens that an able model writes in one go, if they are at most a third of its window."""


def is_written_in_one_piece(context: StoryContext, state: StoryState) -> bool:
    """Return whether a run that writes a whole story plans and writes it at once.

    It does if the story is short, all of it is plotted and nothing of it written, its planner and its
    writer are able, and the writer does not want to see the plan of each chapter before it is written.
    """
    form, task = Form(state["form"]), context.store.runs.run(context.run).task
    agents = (STORY_PLAN, WRITERS[form])
    return (
        isinstance(task, WriteChapter)
        and not task.is_of_telling
        and _is_whole(context, task.chapters)
        and all(context.strength(one) is ModelStrength.ABLE for one in agents)
        and tokens_of(context, task.chapters) <= _room(context, form)
        and not context.asks(Gate.PLAN, state)
        and _is_untouched(context, task.chapters)
    )


def is_waiting_for_review(context: StoryContext, chapter: int) -> bool:
    """Return whether a chapter was written in this run, together with others, and not looked at since."""
    run = context.store.runs.run(context.run)
    if context.settings.is_direct or not isinstance(run.task, WriteChapter):
        return False
    draft = context.store.manuscript.draft(context.branch, chapter)
    is_open = draft is not None and draft.state in {DraftState.DRAFTED, DraftState.REVISED}
    return is_open and draft is not None and draft.created >= run.started


def told_before(context: StoryContext, plan: WritingPlan) -> str:
    """Return the text of a plan's chapter as it was told before its plot was worked out; empty if it was not.

    Whoever has a plan of their own, or asks for another form or another telling, wants it told in another way.
    """
    is_own = plan.is_edited or plan.chapter >= FIRST_OF_TELLING
    if is_own or plan.form is not context.brief.form:
        return ""
    told = told_text(context.store, context.branch, plan.chapter)
    return with_breaks(told.text, plan.form) if told else ""


def tokens_of(context: StoryContext, chapters: Sequence[int]) -> int:
    """Return how many tokens the text of some chapters may take."""
    return int(words_together(chapters, context.settings, context.unit) * TOKENS_PER_WORD)


def _is_whole(context: StoryContext, chapters: Sequence[int]) -> bool:
    settings = context.settings
    planned = settings.planned or 0
    head = context.store.prototype.head(context.branch)
    return (
        is_short(settings)
        and not settings.is_direct
        and 1 < planned <= MOST_TOGETHER
        and tuple(chapters) == tuple(range(1, planned + 1))
        and head is not None
        and head.chapter == planned
        and all(
            context.store.excerpts.of_chapter(context.branch, one).events_of(one)
            for one in chapters
        )
    )


def _room(context: StoryContext, form: Form) -> int:
    return min(LONGEST_ANSWER, context.window(WRITERS[form]) // 3)


def _is_untouched(context: StoryContext, chapters: Sequence[int]) -> bool:
    """Return whether nothing of the story is written, and no plan of it changed by hand."""
    manuscript = context.store.manuscript
    plans = (manuscript.plan(context.branch, one) for one in chapters)
    return len(manuscript.unwritten(context.branch, chapters)) == len(chapters) and not any(
        plan is not None and plan.is_edited for plan in plans
    )


def in_one(plans: Sequence[WritingPlan]) -> WritingPlan:
    """Return the plans of a story's chapters as one, in which each scene has its place in time.

    What is withheld is so only until the end of a chapter: it stands with that (`with_headings`).
    """
    return plans[0].model_copy(
        update={
            "scenes": tuple(
                scene.model_copy(update={"story_chapter": plan.chapter})
                for plan in plans
                for scene in plan.scenes
            ),
            "words": sum(plan.words for plan in plans),
            "withheld": "",
        }
    )


def with_headings(
    blocks: Sequence[str],
    plans: Sequence[WritingPlan],
    titles: Mapping[int, str],
    changes: Mapping[int, Sequence[str]],
) -> list[str]:
    """Return the scenes of all chapters, the first of each under the chapter's heading.

    `changes` says in lines what is different after each.
    """
    found, at = list(blocks), 0
    for plan in plans:
        if at < len(found) and plan.scenes:
            lines = [heading(plan.chapter, titles[plan.chapter]), f"About {plan.words} words."]
            if changes.get(plan.chapter):
                lines.append(f"What it changes: {'; '.join(changes[plan.chapter])}")
            if plan.withheld:
                lines.append(f"What the reader must not know yet at its end: {plan.withheld}")
            found[at] = "\n".join([*lines, "", found[at]])
        at += len(plan.scenes)
    return found
