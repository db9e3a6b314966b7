"""The reviewer of the outline, who sends it back a bounded number of times (StoryWriter)."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from graph_flow.llm.errors import UnusableAnswer
from graph_flow.outline.agents import OUTLINE, REVIEWER
from graph_flow.outline.answers import WHOLE_REVIEW, review_schema, widened_review
from graph_flow.outline.current import own_draft
from graph_flow.outline.drafting import step_of
from graph_flow.outline.entities import (
    DRAFTS,
    WHOLE_DRAFTS,
    full_line,
    labelled,
    remark_line,
    remarks_from,
    review_line,
    whole_line,
)
from graph_flow.outline.structure import event_problems, link_problems, without_circles
from graph_flow.outline.whole_story import link_lines, whole_story
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.endpoint import ModelStrength
from store.models.outline import Outline, Remark

_MOST = 20
_SILENT = "The reviewer gave no usable answer."


def review_outline(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save the review; if the reviewer objects, another draft follows, up to the limit.

    Problems that can be found without a call go straight into a small model's next draft; an able
    reviewer is told of them. The last draft is kept whatever is said of it: the writer decides.
    """
    context, draft = runtime.context, state["draft"]
    outlines, round_ = context.store.outlines, f"{context.run}/{state['round']}"
    outline = own_draft(context.store, context.branch, context.run)
    if not outlines.is_drafted(context.branch, round_, f"review/{draft}"):
        outline = _reviewed(outline, state, context)
        if draft >= _drafts(context) or not outline.remarks:
            outline = without_circles(outline)
        outline = outlines.save_draft(outline, round_, f"review/{draft}")
    is_again = bool(outline.remarks) and draft < _drafts(context)
    return {"is_again": is_again, "draft": draft + is_again}


def _drafts(context: StoryContext) -> int:
    """Return how many drafts there are at most; an able model mends all at once what it is told of."""
    is_whole = context.strength(OUTLINE) is ModelStrength.ABLE
    return WHOLE_DRAFTS if is_whole else DRAFTS


def _reviewed(outline: Outline, state: StoryState, context: StoryContext) -> Outline:
    found = [*link_problems(outline), *event_problems(outline)][:_MOST]
    step = step_of(state, context, "review")
    is_whole = context.strength(REVIEWER, step) is ModelStrength.ABLE
    if found and not is_whole and state["draft"] < _drafts(context):
        return outline.model_copy(update={"remarks": tuple(found)})
    labels = labelled(outline.events)
    forms = AnswerForms(WHOLE_REVIEW, review_schema(list(labels)), widened_review)
    try:
        answer = context.ask_in_form(_job(outline, found, state, context, step), forms)
    except UnusableAnswer:
        return outline.model_copy(update={"remarks": tuple(found), "review": _SILENT})
    # An able reviewer has judged what was found: a storyline of one event may be just right.
    remarks = (*remarks_from(answer, labels), *([] if is_whole else found))[:_MOST]
    review = review_line(answer, remarks, labels)
    return outline.model_copy(update={"remarks": remarks, "review": review})


def _job(
    outline: Outline,
    found: Sequence[Remark],
    state: StoryState,
    context: StoryContext,
    step: str,
) -> Job:
    titles = {event.id: event.title for event in outline.events}
    is_whole = context.strength(REVIEWER, step) is ModelStrength.ABLE
    tell = whole_line if is_whole else full_line
    foundation = context.store.excerpts.foundation(context.branch).foundation
    known: Variables = {"long_term_goal": foundation.long_term_goal}
    return Job(
        agent=REVIEWER,
        step=step,
        words="Reviewing the outline",
        variables={
            **(whole_story(context, state, REVIEWER) if is_whole else known),
            "outline": [tell(label, event) for label, event in labelled(outline.events).items()],
            "links": link_lines(outline),
            "found": [remark_line(remark, titles) for remark in found],
        },
        turn=state["draft"],
    )
