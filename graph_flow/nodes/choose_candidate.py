"""Gate: which candidate becomes the chapter?"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.context import StoryContext
from graph_flow.gates import answered, ask_writer
from graph_flow.state import StoryState
from store.models.story import Gate


def choose_candidate(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to choose, or to have new candidates woven.

    An empty choice lets the scores decide when the chapter is committed.
    """
    answer = ask_writer(Gate.CANDIDATES, state, runtime)
    update = answered(answer, state)
    update["choice"] = answer.choice or ""
    return update
