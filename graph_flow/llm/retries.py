"""When a failed call is made again, after how long, and what the writer is told meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field

from graph_flow.llm.errors import (
    AnswerBrokenOff,
    EndpointTimeout,
    EndpointUnreachable,
    ModelError,
    NotAModel,
    TooManyRequests,
    how_long,
)

TRIES = 7
"""With 1, 2, 4, 8, 16 and 32 seconds between them: an endpoint may be down for a minute."""
TRIES_AT_ONCE = 4
"""Used where a long wait helps less: nothing is there, or unfinished answers cost money."""
TRIES_IN_SILENCE = 2
"""Each one takes the endpoint's whole timeout; with fewer, one silent call in twenty would keep
pausing a long run."""
LONGEST_WAIT = 90.0
"""Seconds; an endpoint that asks for a longer wait is not retried."""
LONGEST_ALTOGETHER = 120.0
"""Seconds of waiting after which a call fails, whatever the endpoint asks for."""


@dataclass
class Tries:
    """The attempts at one question.

    In a trial, a writer sits and waits: a wrong address and a silent endpoint are said at once.
    """

    is_trial: bool = False
    silences: list[float] = field(default_factory=list)
    """How many seconds each attempt that came to nothing took."""

    made: int = 0
    waited: float = 0.0
    """How many seconds passed between attempts."""

    def wait_after(self, error: ModelError) -> float | None:
        """Return how many seconds to wait until the next attempt; None if there is to be none."""
        self.made += 1
        if not self._is_worth_another(error) or self._are_enough(error):
            return None
        seconds = error.wait if error.wait is not None else float(2 ** (self.made - 1))
        self.waited += seconds
        return seconds

    def _is_worth_another(self, error: ModelError) -> bool:
        """Return whether the same call may well succeed soon."""
        if not error.is_passing:
            return False
        if self.is_trial and isinstance(error, NotAModel | EndpointTimeout):
            return False
        return error.wait is None or error.wait <= LONGEST_WAIT

    def _are_enough(self, error: ModelError) -> bool:
        """Return whether it is time to give up; silence gets fewer retries."""
        match error:
            case EndpointTimeout():
                is_last = len(self.silences) >= TRIES_IN_SILENCE
            case EndpointUnreachable() | AnswerBrokenOff():
                is_last = self.made >= TRIES_AT_ONCE
            case _:
                is_last = False
        return is_last or self.made >= TRIES or self.waited >= LONGEST_ALTOGETHER


def trouble_of(error: ModelError, seconds: float) -> str:
    """Return, in a writer's words, why a call is waiting, and for how many seconds."""
    match error:
        case EndpointTimeout():
            reason = f"The model has said nothing for {how_long(error.seconds)}"
        case EndpointUnreachable():
            reason = "The model cannot be reached"
        case TooManyRequests():
            reason = "The model is getting too many requests"
        case AnswerBrokenOff():
            reason = "The answer broke off"
        case NotAModel():
            reason = "Something other than an answer came back"
        case _:
            reason = "The model is not answering"
    return f"{reason}; trying again in {seconds:.0f} s."


def quiet_words(seconds: float, longest: float) -> str:
    """Return what a writer is told of a model that only shows that it is still there."""
    return (
        f"The model has said nothing for {how_long(seconds)}, but it is still there; "
        f"waiting for up to {how_long(longest)}."
    )
