"""Stage 1: from the premise to a title, a world and a goal."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.founding.agents import CAST, SKETCH_READER, SKETCHES
from graph_flow.founding.answers import WholeFoundation
from graph_flow.founding.cast import held
from graph_flow.founding.foundation import ask_foundation, founded
from graph_flow.founding.plan import book_begun
from graph_flow.prompting.length import is_short, story_length
from graph_flow.prompting.prompt import Variables
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState
from store.deltas.delta import apply
from store.models.base import new_id
from store.models.endpoint import ModelStrength
from store.models.proposals import Configuration, Sketch
from store.models.prototype import Snapshot

_CALLS = {ModelStrength.ABLE: 4, ModelStrength.SMALL: 7}
"""Calls in the whole stage: foundation, cast, spine and their reader; or one for each part of a cast
of three."""
_TOKENS_PER_WORD, _SHARE_READ = 1.8, 0.75
"""Tokens of a word of a sketch, and how much of a model's window all of them may fill."""


def draft_foundation(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Draft the foundation as the beginning of a new configuration; say which of its ideas to sketch.

    What the writer has locked or changed in an earlier configuration is kept, and so are the stories that
    the premise could become, unless others were asked for.
    """
    context, brief = runtime.context, runtime.context.brief
    context.progress.begin_step("Drafting the world and the cast", _CALLS[context.strength(CAST)])
    earlier = context.store.proposals.configuration(context.branch)
    kept = held(apply(Snapshot(), earlier.delta, 0), brief.premise) if earlier else Snapshot()
    taken = _taken(context, state, earlier)
    given = _seen_before(context, state, earlier, taken)
    answer = ask_foundation(context, state, kept, "foundation", given)
    ideas, place = _ideas(answer, earlier, taken)
    configuration = Configuration(
        id=new_id(),
        branch=context.branch,
        round=state["round"],
        title=earlier.title
        if earlier and earlier.is_titled
        else context.story.title or answer.title,
        is_titled=bool(earlier and earlier.is_titled),
        delta=founded(answer, kept, brief.premise),
        ideas=ideas,
        idea=place,
        sketches=_sketches_kept(context, state, earlier, taken),
    )
    context.store.proposals.save_configuration(configuration)
    to_sketch = _to_sketch(context, answer, configuration, taken)
    # Several have a reader, and the foundation is drafted once more from the one that is chosen.
    more = len(to_sketch) + min(len(to_sketch), 2)
    context.progress.expect(_CALLS[context.strength(CAST)] + more)
    return {"to_sketch": to_sketch}


def _taken(context: StoryContext, state: StoryState, earlier: Configuration | None) -> int:
    """Return which of the earlier ideas the writer wants to have drafted, from 1; 0 if none."""
    decision = context.decision(state)
    choice = decision.choice if decision else None
    place = int(choice) if choice and choice.isdecimal() else 0
    return place if earlier and place <= len(earlier.ideas) else 0


def _seen_before(
    context: StoryContext, state: StoryState, earlier: Configuration | None, taken: int
) -> Variables:
    """Return what the writer has seen of the story, as variables of a prompt.

    Whoever takes an idea gets that, with its sketch if there is one; whoever says what should be different,
    the last attempt with it; whoever only asks again, another story than they have seen. Whoever begins
    anew has turned nothing down.
    """
    if earlier is None or context.decision(state) is None:
        return {}
    if taken:
        sketch = earlier.sketch_of(taken)
        return {"idea": earlier.ideas[taken - 1], "sketch": sketch.text if sketch else ""}
    last = apply(Snapshot(), earlier.delta, 0).foundation.idea
    if context.note(state):
        return {"last": last}
    return {"seen": list(filter(None, earlier.ideas or [last]))}


def _ideas(
    answer: WholeFoundation, earlier: Configuration | None, taken: int
) -> tuple[tuple[str, ...], int]:
    """Return the stories that the premise could become, and which of them is drafted."""
    found = tuple(filter(None, answer.considered))
    if earlier is not None and (taken or not found):
        return earlier.ideas, taken or earlier.idea
    return found, answer.number if answer.number <= len(found) else 0


def _sketches_kept(
    context: StoryContext, state: StoryState, earlier: Configuration | None, taken: int
) -> tuple[Sketch, ...]:
    """Return the earlier sketches, but for the one of a story that the writer wants changed.

    Whoever asks for other stories has turned these down; whoever begins anew has them told as before.
    """
    if earlier is None or context.decision(state) is None:
        return ()
    if taken:
        return earlier.sketches
    if context.note(state):
        return tuple(one for one in earlier.sketches if one.idea != earlier.idea)
    return ()


def _can_read_sketches(context: StoryContext) -> bool:
    """Return whether their reader's model has room for all of them."""
    tokens = SKETCHES * story_length(context.settings, context.unit) * _TOKENS_PER_WORD
    return tokens <= context.window(SKETCH_READER) * _SHARE_READ


def _to_sketch(
    context: StoryContext, answer: WholeFoundation, configuration: Configuration, taken: int
) -> list[int]:
    """Return the ideas to sketch, by their places: those that the agent prefers, or the one taken.

    There is none if the story is too long for that, if it has a text already, or if the writer wants the
    one changed that they have seen.
    """
    is_wanted = (
        context.settings.is_sketched
        and is_short(context.settings)
        and context.strength(SKETCH_READER) is ModelStrength.ABLE
        and _can_read_sketches(context)
        and not book_begun(context)["book"]
    )
    if not is_wanted:
        return []
    if taken:
        return [] if configuration.sketch_of(taken) else [taken]
    places = range(1, len(configuration.ideas) + 1)
    if len(places) < 2 or not answer.considered:
        return []
    preferred = dict.fromkeys([configuration.idea, *answer.next_best, *places])
    return [one for one in preferred if one in places][:SKETCHES]
