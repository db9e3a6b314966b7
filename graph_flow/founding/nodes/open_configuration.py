"""Stage 1: a new configuration, with what is kept of the one before it."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.founding.agents import CAST, SHARE_OF_SKETCHES, SKETCH_READER, SKETCHES
from graph_flow.founding.cast import held
from graph_flow.founding.earlier import idea_taken
from graph_flow.founding.plan import book_begun
from graph_flow.founding.ranking import pairs
from graph_flow.prompting.length import is_short, sketch_length
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply, diff
from store.models.base import new_id
from store.models.endpoint import ModelStrength
from store.models.proposals import Configuration
from store.models.prototype import Snapshot

_CALLS = {ModelStrength.ABLE: 4, ModelStrength.SMALL: 7}
"""Calls in the whole stage: foundation, cast, spine and their reader; or one for each part of a cast
of three."""
_TOKENS_PER_WORD = 1.8
"""Tokens of a word of a sketch."""


def open_configuration(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save a new configuration, and say which sketches are to be told before it is drafted.

    What the writer has locked or changed in an earlier configuration is kept, and so are the stories that
    the premise could become, unless others were asked for.
    """
    context = runtime.context
    earlier = context.store.proposals.configuration(context.branch)
    # Whoever begins anew after a draft that failed takes its place, and leaves those before it as they are.
    round_ = max(state["round"], earlier.round if earlier else 1)
    state = {**state, "round": round_}
    is_open = earlier is not None and earlier.round == round_
    if not (is_open and state.get("goes_on", False)):
        context.store.proposals.save_configuration(_opened(context, state, earlier))
    to_sketch = _to_sketch(context, state)
    # A story that is told whole has its readers then, and none of its plan.
    readers_of_plan = 1 if is_short(context.settings) else 0
    more = _calls_of_sketches() - readers_of_plan if to_sketch else 0
    calls = _CALLS[context.strength(CAST)] + more
    context.progress.begin_step("Drafting the world and the cast", calls)
    return {"round": round_, "to_sketch": to_sketch}


def _calls_of_sketches() -> int:
    """Return how many calls sketches take, with the readings of each two of them."""
    return SKETCHES + len(pairs(SKETCHES))


def _opened(
    context: StoryContext, state: StoryState, earlier: Configuration | None
) -> Configuration:
    opened = Configuration(
        id=new_id(), branch=context.branch, round=state["round"], title=context.story.title
    )
    if earlier is None:
        return opened
    kept = held(apply(Snapshot(), earlier.delta, 0), context.brief.premise)
    taken, is_changed = idea_taken(context, state, earlier), bool(context.note(state))
    opened = opened.model_copy(
        update={
            "delta": diff(Snapshot(), kept),
            "title": earlier.title if earlier.is_titled else opened.title,
            "is_titled": earlier.is_titled,
        }
    )
    if taken:
        return opened.model_copy(
            update={"ideas": earlier.ideas, "idea": taken, "sketches": earlier.sketches}
        )
    if is_changed:
        # It is no longer the story of its sketch.
        sketches = tuple(one for one in earlier.sketches if one.idea != earlier.idea)
        return opened.model_copy(
            update={"ideas": earlier.ideas, "idea": earlier.idea, "sketches": sketches}
        )
    return opened


def _to_sketch(context: StoryContext, state: StoryState) -> list[int]:
    """Return the places of the sketches that are to be told.

    There is none if the story has a text already, if the writer has said what it is to be, or if no reader
    has room for them.
    """
    is_wanted = (
        context.settings.is_sketched
        and not context.configuration.ideas
        and not context.note(state)
        and context.strength(SKETCH_READER) is ModelStrength.ABLE
        and _can_read_sketches(context)
        and not book_begun(context)["book"]
    )
    return list(range(1, SKETCHES + 1)) if is_wanted else []


def _can_read_sketches(context: StoryContext) -> bool:
    """Return whether their reader's model has room for two of them."""
    tokens = 2 * sketch_length(context.settings, context.unit) * _TOKENS_PER_WORD
    return tokens <= context.window(SKETCH_READER) * SHARE_OF_SKETCHES
