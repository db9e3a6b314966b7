"""When a failed attempt is worth another, after how long, and what the writer is told of it. Pure."""

from __future__ import annotations

from tenacity import RetryCallState

from graph_flow.llm.errors import (
    AnswerBrokenOff,
    EndpointTimeout,
    EndpointUnreachable,
    ModelError,
    TooManyRequests,
)

TRIES = 7
"""With 1, 2, 4, 8, 16 and 32 seconds between them: an endpoint may be in trouble for a minute."""
TRIES_AT_ONCE = 4
"""Where waiting for long helps less: nobody is there, or answers are begun and paid for in vain."""
TRIES_AFTER_SILENCE = 3
"""Each costs the endpoint's whole timeout; with fewer, one silent call in twenty would pause a long run
again and again."""
LONGEST_WAIT = 90.0
"""Seconds; an endpoint that wants to be left alone for longer is left alone."""
LONGEST_ALTOGETHER = 120.0
"""Seconds of waiting after which a call is given up, whatever the endpoint asks for."""


def is_worth_a_retry(error: BaseException) -> bool:
    """Return whether the same call may well succeed soon."""
    if not isinstance(error, ModelError) or not error.is_passing:
        return False
    return error.wait is None or error.wait <= LONGEST_WAIT


def has_tried_enough(state: RetryCallState) -> bool:
    """Return whether it is time to give up; silence is waited for less often."""
    return (
        state.attempt_number >= _tries_after(_error_of(state))
        or state.idle_for >= LONGEST_ALTOGETHER
    )


def waiting_time(state: RetryCallState) -> float:
    """Return the seconds that the endpoint asked for, or 1, 2, 4 and so on."""
    error = _error_of(state)
    asked = error.wait if isinstance(error, ModelError) else None
    return asked if asked is not None else float(2 ** (state.attempt_number - 1))


def trouble_of(state: RetryCallState) -> str:
    """Return in a writer's words why a call waits, and for how long."""
    match _error_of(state):
        case EndpointUnreachable():
            reason = "The model cannot be reached"
        case TooManyRequests():
            reason = "The model is being asked too often"
        case AnswerBrokenOff():
            reason = "The answer broke off"
        case _:
            reason = "The model does not answer"
    return f"{reason}; trying again in {state.upcoming_sleep:.0f} s."


def _tries_after(error: BaseException | None) -> int:
    match error:
        case EndpointTimeout():
            return TRIES_AFTER_SILENCE
        case EndpointUnreachable() | AnswerBrokenOff():
            return TRIES_AT_ONCE
        case _:
            return TRIES


def _error_of(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None
