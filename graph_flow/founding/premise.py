"""Whether a premise fits the models of the agents that begin a story."""

from __future__ import annotations

from collections.abc import Callable

from graph_flow.errors import PremiseUnusable
from graph_flow.founding.agents import AGENTS
from graph_flow.llm.tokens import estimate_tokens
from store.models.endpoint import Endpoint, ModelStrength

_ROOM_FOR_THE_REST = 1_800
"""Tokens that the instructions, the example and the answer take besides the premise."""


_ROOM_FOR_WHOLE_ANSWERS = 7_000
"""Tokens that the answers of an able model, and what they build on, take in addition."""


def founding_window(endpoint_of: Callable[[str], Endpoint]) -> int:
    """Return the smallest window among the models that read the premise.

    `endpoint_of` returns an agent's endpoint by the agent's name. Of an able model's window, what
    its whole answers take is left out, up to half of it.
    """
    return min(_window_of(endpoint_of(agent.name)) for agent in AGENTS)


def _window_of(endpoint: Endpoint) -> int:
    window = endpoint.context_window
    if endpoint.strength is ModelStrength.SMALL:
        return window
    return max(window // 2, window - _ROOM_FOR_WHOLE_ANSWERS)


def tokens_that_fit(context_window: int) -> int:
    """Return how many tokens of a premise fit in a model's window."""
    return max(200, context_window - _ROOM_FOR_THE_REST)


def characters_that_fit(premise: str, context_window: int) -> int:
    """Return how many characters of a premise, from its beginning, fit in a model's window.

    That depends on the script, so the premise itself has to be measured.
    """
    room = tokens_that_fit(context_window)
    return len(premise) if estimate_tokens(premise) <= room else _longest_start(premise, room)


def check_premise(premise: str, context_window: int) -> None:
    """Check that a premise says something and fits.

    Raises:
        PremiseUnusable: if it does not; its `fits` is how many characters would.
    """
    if not premise.strip():
        raise PremiseUnusable("Say in a line or two what your story is about.")
    fits = characters_that_fit(premise, context_window)
    if fits == len(premise):
        return
    raise PremiseUnusable(
        f"Your premise has {len(premise):,} characters, and the model in use can read about "
        f"{fits:,} of them. Shorten it, use only its beginning, or connect a larger model in "
        "Settings. Your text has not been changed.",
        fits,
    )


def _longest_start(premise: str, room: int) -> int:
    low, high = 0, len(premise)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(premise[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return low
