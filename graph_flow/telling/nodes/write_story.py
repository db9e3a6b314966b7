"""Stage 3: a whole short story is written in one stream, and kept as the text of its chapters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from langgraph.runtime import Runtime

from graph_flow.prompting.headings import divided, heading
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import WRITERS
from graph_flow.telling.discourse.in_one_piece import (
    in_one,
    tokens_of,
    told_before,
    with_headings,
)
from graph_flow.telling.discourse.standing import standing
from graph_flow.telling.material.chapter import began, story_s_material, whole_chapter
from graph_flow.telling.material.facts import facts_of
from graph_flow.telling.material.lines import SceneMaterial, change_lines, scene_blocks
from graph_flow.telling.material.planned import delta_of
from graph_flow.telling.passages import events_by_paragraph
from graph_flow.telling.scenes import with_breaks
from store.models.manuscript import WritingPlan
from store.prototype.excerpts import joined


def write_story(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Write all chapters at once, by their plans, into a draft of each.

    Where the plot is what the sketch tells, nobody is asked: the sketch is the text.
    """
    context = runtime.context
    plans = [context.plan(chapter) for chapter in range(1, state["last_chapter"] + 1)]
    titles = {plan.chapter: standing(context, plan.chapter).title for plan in plans}
    parts = [told_before(context, plan) for plan in plans]
    if not all(parts):
        text = context.write_text(_job(context, plans, titles))
        parts = divided(text, [plan.words for plan in plans])
    manuscript = context.store.manuscript
    with context.store.database.write():
        for plan, part in zip(plans, parts, strict=True):
            if not part:
                continue  # It is written by itself.
            draft = manuscript.start_draft(plan, titles[plan.chapter])
            told = with_breaks(part, plan.form)
            manuscript.update_draft_text(draft.id, told)
            events = events_by_paragraph(told, plan, whole_chapter(context, plan))
            manuscript.finish_draft(draft.id, plan.reveals, events)
    return {}


def _job(context: StoryContext, plans: Sequence[WritingPlan], titles: dict[int, str]) -> Job:
    whole = in_one(plans)
    # Whoever comes in only later is as they are then; the others, as the story finds them.
    snapshot = reduce(joined, (began(context, plan.chapter) for plan in plans))
    material = story_s_material(context, whole, snapshot)
    blocks = scene_blocks(whole, SceneMaterial(snapshot, facts_of(snapshot)))
    changes = {
        plan.chapter: change_lines(delta_of(context, plan.chapter), snapshot) for plan in plans
    }
    return Job(
        agent=WRITERS[whole.form],
        step=f"{whole.chapter}/text/{whole.attempt}/story",
        words="Writing the whole story",
        variables={
            **material,
            "scenes": with_headings(blocks, plans, titles, changes),
            "part": _task(plans, titles, is_sketched=bool(material["sketch"])),
            "is_whole": True,
            "words": whole.words,
        },
        tokens=tokens_of(context, [plan.chapter for plan in plans]),
        enough=whole.words,
    )


_FROM_SKETCH = (
    "You have told this story once, as the sketch above, and it was chosen among others: it is your text. "
    "Whatever you cannot better stays word for word; where the plan says something else, the plan goes first, "
    "and you tell it as the sketch would have told it. "
)


def _task(plans: Sequence[WritingPlan], titles: dict[int, str], *, is_sketched: bool) -> str:
    headings = "\n".join(heading(plan.chapter, titles[plan.chapter]) for plan in plans)
    before = _FROM_SKETCH if is_sketched else ""
    return (
        f"{before}Write the whole story in one go, all {len(plans)} chapters of it, from its first line to its "
        "last. You know how it ends: let the beginning know it too, by what it shows and passes over, "
        "and let nothing be told twice. You have more material than the story needs: what a reader could "
        "do without in order to feel the end, leave out, even where the plan names it. Every chapter has "
        "about the length that its plan gives it. Above each stands its heading, alone on a line, and there is no "
        f"other heading:\n{headings}"
    )
