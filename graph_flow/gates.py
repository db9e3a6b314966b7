"""Asking the writer: one way for every gate."""

from __future__ import annotations

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, ConfigDict

from graph_flow.context import StoryContext
from graph_flow.state import StoryState
from store.models.run import Action
from store.models.story import Gate


class Answer(BaseModel):
    """What a gate is resumed with: ids and a short word; a note stays in the store."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str = ""
    action: Action = Action.APPROVE
    choice: str | None = None


def ask_writer(gate: Gate, state: StoryState, runtime: Runtime[StoryContext]) -> Answer:
    """Return the writer's answer at a gate; approval where the gate goes on by itself.

    The node that calls this runs again from its first line when it is resumed, so it must do
    nothing else.
    """
    if not runtime.context.asks(gate, state):
        return Answer()
    payload = {
        "gate": gate.value,
        "chapter": state.get("chapter", 0),
        "round": state.get("round", 1),
    }
    return Answer.model_validate(interrupt(payload))


def answered(answer: Answer, state: StoryState) -> StoryState:
    """Return the update after an answer: the same step in a new round, or on."""
    if answer.action is Action.ASK_AGAIN:
        return {
            "is_again": True,
            "round": state.get("round", 1) + 1,
            "asked_by": answer.question,
        }
    return {"is_again": False}
