"""The reviewer of the outline, who sends it back a bounded number of times (StoryWriter)."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from graph_flow.outline.agents import REVIEWER
from graph_flow.outline.answers import review_schema
from graph_flow.outline.current import own_draft
from graph_flow.outline.drafting import step_of
from graph_flow.outline.entities import (
    DRAFTS,
    full_line,
    labelled,
    link_line,
    remark_line,
    remarks_from,
    review_line,
)
from graph_flow.outline.structure import event_problems, link_problems, without_circles
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.outline import Outline, Remark

_MOST = 20
_SILENT = "The reviewer gave no usable answer."


def review_outline(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save the review; if the reviewer objects, another draft follows, up to the limit.

    Problems that can be found without a call go straight into the next draft. The last draft is
    kept whatever the reviewer says of it: the writer decides.
    """
    context, draft = runtime.context, state["draft"]
    outlines, round_ = context.store.outlines, f"{context.run}/{state['round']}"
    outline = own_draft(context.store, context.branch, context.run)
    if not outlines.is_drafted(context.branch, round_, f"review/{draft}"):
        outline = _reviewed(outline, state, context)
        if draft == DRAFTS or not outline.remarks:
            outline = without_circles(outline)
        outline = outlines.save_draft(outline, round_, f"review/{draft}")
    is_again = bool(outline.remarks) and draft < DRAFTS
    return {"is_again": is_again, "draft": draft + is_again}


def _reviewed(outline: Outline, state: StoryState, context: StoryContext) -> Outline:
    found = [*link_problems(outline), *event_problems(outline)][:_MOST]
    if found and state["draft"] < DRAFTS:
        return outline.model_copy(update={"remarks": tuple(found)})
    labels = labelled(outline.events)
    job = _job(outline, found, state, context)
    answer = context.ask_if_usable(job, review_schema(list(labels)))
    if answer is None:
        return outline.model_copy(update={"remarks": tuple(found), "review": _SILENT})
    remarks = (*remarks_from(answer, labels), *found)[:_MOST]
    review = review_line(answer, remarks, labels)
    return outline.model_copy(update={"remarks": remarks, "review": review})


def _job(
    outline: Outline, found: Sequence[Remark], state: StoryState, context: StoryContext
) -> Job:
    labels = {event.id: label for label, event in labelled(outline.events).items()}
    titles = {event.id: event.title for event in outline.events}
    foundation = context.store.excerpts.foundation(context.branch).foundation
    return Job(
        agent=REVIEWER,
        step=step_of(state, context, "review"),
        words="Reviewing the outline",
        variables={
            "long_term_goal": foundation.long_term_goal,
            "outline": [full_line(labels[event.id], event) for event in outline.events],
            "links": [link_line(link, labels) for link in outline.links],
            "found": [remark_line(remark, titles) for remark in found],
        },
        turn=state["draft"],
    )
