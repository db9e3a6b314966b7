"""The gates: the nodes that ask the writer, and do nothing else."""

from __future__ import annotations

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, ConfigDict

from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.state import StoryState, is_over
from store.models.run import Action
from store.models.story import Gate


class Answer(BaseModel):
    """What a gate is resumed with: ids and a short word; a note stays in the store."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str = ""
    action: Action = Action.APPROVE
    choice: str | None = None


def ask_writer(gate: Gate, state: StoryState, runtime: Runtime[StoryContext]) -> Answer:
    """Return the writer's answer at a gate, or approval if the gate does not ask.

    The node that calls this runs again from its first line when resumed, so it must do nothing
    else.
    """
    if not runtime.context.asks(gate, state):
        return Answer()
    payload = {
        "gate": gate.value,
        "chapter": state.get("chapter", 0),
        "round": state.get("round", 1),
    }
    return Answer.model_validate(interrupt(payload))


def answered(gate: Gate, state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask at a gate; return the state update: the same step in a new round, or the next step."""
    return _update(gate, ask_writer(gate, state, runtime), state)


def _update(gate: Gate, answer: Answer, state: StoryState) -> StoryState:
    if answer.action is Action.ASK_AGAIN:
        return {
            "is_again": True,
            "round": state.get("round", 1) + 1,
            "asked_by": answer.question,
            "asked_at": gate.value,
        }
    return {"is_again": False}


def approve_configuration(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the configuration, or to have it drafted again."""
    return answered(Gate.CONFIGURATION, state, runtime)


def approve_draft(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the text, or to have the chapter written again."""
    return answered(Gate.DRAFT, state, runtime)


def approve_goals(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the goals, or to have others set, unless the run is over."""
    if is_over(state):
        return {"is_again": False}
    return answered(Gate.GOALS, state, runtime)


def approve_outline(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the outline, or to have another drafted."""
    return {**answered(Gate.OUTLINE, state, runtime), "draft": 1}


def approve_plan(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to approve the writing plan, or to have another made."""
    return answered(Gate.PLAN, state, runtime)


def choose_candidate(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Ask the writer to choose a candidate, or to have new ones made.

    If the choice is empty, the scores decide when the chapter is committed.
    """
    answer = ask_writer(Gate.CANDIDATES, state, runtime)
    update = _update(Gate.CANDIDATES, answer, state)
    update["choice"] = answer.choice or ""
    return update
