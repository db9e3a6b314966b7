"""When a failed attempt is worth another, and after how long. Pure."""

from __future__ import annotations

from tenacity import RetryCallState

from graph_flow.llm.errors import EndpointTimeout, ModelError

TRIES = 4
TRIES_AFTER_SILENCE = 2
LONGEST_WAIT = 90.0
"""Seconds; an endpoint that wants to be left alone for longer is left alone."""


def is_worth_a_retry(error: BaseException) -> bool:
    """Return whether the same call may well succeed soon."""
    if not isinstance(error, ModelError) or not error.is_passing:
        return False
    return error.wait is None or error.wait <= LONGEST_WAIT


def has_tried_enough(state: RetryCallState) -> bool:
    """Return whether it is time to give up; silence is waited for once more only."""
    error = state.outcome.exception() if state.outcome else None
    tries = TRIES_AFTER_SILENCE if isinstance(error, EndpointTimeout) else TRIES
    return state.attempt_number >= tries


def waiting_time(state: RetryCallState) -> float:
    """Return the seconds that the endpoint asked for, or 1, 2, 4."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.wait if isinstance(error, ModelError) else None
    return asked if asked is not None else float(2 ** (state.attempt_number - 1))
