"""What can go wrong between the app and a model, in words for the writer.

`str()` of each error says what happened and what to do next. `detail` is what the endpoint said,
for a log or an expander; it never contains a key.
"""

from __future__ import annotations

import httpx2
import openai

from store.models.endpoint import Endpoint

DETAIL_LIMIT = 600


class RunStopped(Exception):
    """The writer stopped the run."""


class ModelError(Exception):
    """A call to a model that failed.

    `partial` is the text that had arrived, `wait` the seconds that the endpoint asked us to
    wait, and `is_passing` says whether the same call may well succeed when repeated.
    """

    is_passing = False

    def __init__(
        self, message: str, *, detail: str = "", partial: str = "", wait: float | None = None
    ) -> None:
        super().__init__(message)
        self.detail = detail[:DETAIL_LIMIT]
        self.partial = partial
        self.wait = wait

    @property
    def reason(self) -> str:
        """What happened, without what to do about it: the first sentence of the message."""
        return f"{str(self).partition('. ')[0].rstrip('.')}."


class EndpointUnreachable(ModelError):
    """Nothing answers at the endpoint's address."""

    is_passing = True


class EndpointFailing(ModelError):
    """The endpoint has a problem of its own."""

    is_passing = True


class AnswerBrokenOff(EndpointFailing):
    """The endpoint broke off in the middle of an answer."""


class EndpointTimeout(ModelError):
    """The endpoint sent no content for longer than its timeout allows; it took `seconds`."""

    is_passing = True

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


class AnswerNeverDone(EndpointTimeout):
    """The endpoint was still sending when a whole answer should long have been there.

    Another attempt would take as long, and cost as much.
    """

    is_passing = False


class TooManyRequests(ModelError):
    """The endpoint asks us to come back later."""

    is_passing = True


class CreditUsedUp(TooManyRequests):
    """The account at the endpoint has nothing left; waiting does not help."""

    is_passing = False


class KeyMissing(ModelError):
    """The endpoint's key variable is not set."""


class KeyRefused(ModelError):
    """The endpoint does not accept the key."""


class NotOffered(ModelError):
    """The site does not offer this model."""


class QuotaUsedUp(ModelError):
    """The writer has used what the site allows; it says when there will be more."""


class KeyGiven(ModelError):
    """A key was given where the name or the address of a model is asked for; it is not used."""

    def __init__(self) -> None:
        super().__init__(
            "A key was given for the name or the address of a model, in Settings or in the variables "
            "TELLWRIGHT_MODEL and OPENAI_BASE_URL. It was not sent anywhere. Give the model's name "
            "there, and the key in a variable of its own, such as OPENAI_API_KEY."
        )


class RequestRefused(ModelError):
    """The endpoint does not accept the request."""


class NotAModel(EndpointFailing):
    """Something other than a model answers at this address, such as a web page.

    Where a model answered before, that is mostly the page of a gateway whose model is down.
    """


class PromptTooLong(ModelError):
    """The prompt does not fit in the model's context window."""


class UnusableAnswer(ModelError):
    """The model answered several times, but never in a usable form."""


class EmbeddedModelUnavailable(ModelError):
    """The embedded model cannot be started."""


class LikelihoodUntold(ModelError):
    """The endpoint writes texts, and does not say how likely it finds a given one."""


def was_turned_away(error: BaseException) -> bool:
    """Return whether an endpoint rejected a request before starting to work on it."""
    has_begun = AnswerBrokenOff | EndpointTimeout | UnusableAnswer
    return isinstance(error, ModelError) and not isinstance(error, has_begun)


def unusable(endpoint: Endpoint, problem: str, partial: str) -> UnusableAnswer:
    """Return the error for answers that stayed unusable after all retries."""
    return UnusableAnswer(
        f"{endpoint.name} answered several times, but never in a usable form. "
        "Continue to try again, or choose a larger model in Settings.",
        detail=problem,
        partial=partial,
    )


def broken_off(endpoint: Endpoint, *, detail: str = "") -> AnswerBrokenOff:
    """Return the error for an answer that ends before it is complete."""
    return AnswerBrokenOff(
        f"The answer from {endpoint.name} broke off in the middle. "
        "Nothing is lost: continue to ask again.",
        detail=detail,
    )


def declined(endpoint: Endpoint) -> RequestRefused:
    """Return the error for an answer that the endpoint's own filter held back."""
    return RequestRefused(
        f"{endpoint.name} will not write this: its own filter held the answer back. "
        "Change what you asked for, or choose another model in Settings."
    )


def silent(endpoint: Endpoint, seconds: float, altogether: float) -> EndpointTimeout:
    """Return the error for an endpoint that sent nothing at all.

    `altogether` counts the attempts at the same question before.
    """
    return EndpointTimeout(
        f"{endpoint.name} said nothing for {_in_all(seconds, altogether)}. {_MORE_TIME}", seconds
    )


def without_content(endpoint: Endpoint, seconds: float, altogether: float) -> EndpointTimeout:
    """Return the error for an endpoint that only showed that it was still there."""
    return EndpointTimeout(
        f"{endpoint.name} was there, but sent no word of an answer for "
        f"{_in_all(seconds, altogether)}. {_MORE_TIME}",
        seconds,
    )


def untold(endpoint: Endpoint, detail: str = "") -> LikelihoodUntold:
    """Return the error for an endpoint that does not give the likelihood of a text."""
    return LikelihoodUntold(
        f"{endpoint.name} does not say how likely it finds a text. "
        "The embedded model does, and so do models that llama.cpp or vLLM serves.",
        detail=detail,
    )


def never_done(endpoint: Endpoint, seconds: float) -> AnswerNeverDone:
    """Return the error for an answer that took too long to finish."""
    return AnswerNeverDone(
        f"{endpoint.name} was still not done after {how_long(seconds)}. {_MORE_TIME}", seconds
    )


_MORE_TIME = "Nothing is lost: continue to ask again, or allow it more time in Settings."


def _in_all(seconds: float, altogether: float) -> str:
    more = f", {how_long(altogether)} in all" if altogether > seconds else ""
    return how_long(seconds) + more


def how_long(seconds: float) -> str:
    """Return a length of time in words, as exact as a writer needs it."""
    if seconds >= _IN_MINUTES:
        return f"{seconds / 60:.0f} minutes"
    if seconds >= 1:
        whole = round(seconds)
        return f"{whole} second{'s' if whole > 1 else ''}"
    return f"{seconds:.1f} seconds"


_IN_MINUTES = 119.5
"""Seconds from which on a length of time is said in minutes."""


def not_a_model(endpoint: Endpoint, detail: str = "") -> NotAModel:
    """Return the error for an address at which no model answers."""
    return NotAModel(
        f"What answers at the address of {endpoint.name} is not a model. "
        "If it worked before, wait a little, then continue: nothing is lost. "
        "Otherwise check the address in Settings; most end in /v1.",
        detail=detail,
    )


def explain(error: Exception, endpoint: Endpoint) -> ModelError:
    """Translate an error of openai or httpx, or one in reading an answer, into one of ours.

    Our own errors pass through. The details are as the endpoint gave them: the caller, who has
    the key, removes it from them.

    Raises:
        Exception: the given error, if it has nothing to do with the endpoint.
    """
    match error:
        case ModelError():
            return error
        case httpx2.ReadTimeout() | httpx2.WriteTimeout():
            return silent(endpoint, endpoint.timeout, endpoint.timeout)
        case openai.APIStatusError():
            return _explain_status(error, endpoint)
        case httpx2.HTTPError() | httpx2.InvalidURL():
            return _unreachable(error, endpoint)
        case openai.APIError():
            return _explain_stream(error, endpoint)
        case ValueError() | LookupError() | TypeError() | AttributeError():
            # A body without choices, or one that is not JSON.
            return not_a_model(endpoint, f"{type(error).__name__}: {error}")
        case _:
            raise error


def _unreachable(error: Exception, endpoint: Endpoint) -> ModelError:
    if isinstance(error, httpx2.RemoteProtocolError | httpx2.ReadError):
        return broken_off(endpoint)
    return EndpointUnreachable(
        f"{endpoint.name} cannot be reached. "
        "Check that it is running and that its address in Settings is right, then continue.",
        detail=f"{error} {error.__cause__ or ''}",
    )


def _explain_status(error: openai.APIStatusError, endpoint: Endpoint) -> ModelError:
    detail = _detail(error)
    if _speaks_of_length(detail) or error.status_code == 413:
        return _too_long(endpoint, detail)
    match error.status_code:
        case 401 | 403:
            return KeyRefused(
                f"{endpoint.name} does not accept the key"
                + (f" in {endpoint.key_variable}" if endpoint.key_variable else "")
                + ". Check the key, and the name of its variable in Settings.",
                detail=detail,
            )
        case 402:
            return _no_credit(endpoint, detail)
        case 404:
            return RequestRefused(
                f"{endpoint.name} does not know the model “{endpoint.model}”. "
                "Check the model's name and the address in Settings.",
                detail=detail,
            )
        case 429:
            return _limited(error, endpoint, detail)
        case 408 | 409 | 425:
            return _failing(endpoint, detail, _retry_after(error))
        case status if status >= 500:
            return _failing(endpoint, detail, _retry_after(error))
        case _:
            return RequestRefused(
                f"{endpoint.name} did not accept the request. "
                "Try another model in Settings; the details show what it said.",
                detail=detail,
            )


def _limited(error: openai.APIStatusError, endpoint: Endpoint, detail: str) -> ModelError:
    if "insufficient_quota" in detail or "insufficient balance" in detail.lower():
        return _no_credit(endpoint, detail)
    return TooManyRequests(
        f"{endpoint.name} is getting too many requests at the moment. "
        "Wait a minute, then continue; nothing is lost.",
        detail=detail,
        wait=_retry_after(error),
    )


def _no_credit(endpoint: Endpoint, detail: str) -> CreditUsedUp:
    return CreditUsedUp(
        f"The account at {endpoint.name} has no credit left. "
        "Add credit there, or choose another model in Settings; nothing is lost.",
        detail=detail,
    )


def _failing(endpoint: Endpoint, detail: str, wait: float | None = None) -> EndpointFailing:
    return EndpointFailing(
        f"{endpoint.name} has a problem of its own at the moment. "
        "Wait a little, then continue; nothing is lost.",
        detail=detail,
        wait=wait,
    )


def _too_long(endpoint: Endpoint, detail: str) -> PromptTooLong:
    return PromptTooLong(
        f"This step needs more text than {endpoint.name} can read at once. "
        "Choose a model with a larger window in Settings, or shorten what you typed.",
        detail=detail,
    )


def _explain_stream(error: openai.APIError, endpoint: Endpoint) -> ModelError:
    """Explain an error that arrived in the middle of a stream, without a status code."""
    detail = _detail(error)
    if _speaks_of_length(detail):
        return _too_long(endpoint, detail)
    if "rate limit" in detail.lower() or "429" in detail:
        return TooManyRequests(
            f"{endpoint.name} is getting too many requests at the moment. "
            "Wait a minute, then continue; nothing is lost.",
            detail=detail,
        )
    return _failing(endpoint, detail)


def _detail(error: openai.APIError) -> str:
    said = error.body if error.body else error.message
    return f"{said}"[: DETAIL_LIMIT * 4]


def _speaks_of_length(detail: str) -> bool:
    words = detail.lower()
    return any(
        sign in words
        for sign in (
            "context_length_exceeded",
            "exceed_context_size",
            "context size",
            "context window",
            "maximum context length",
            "prompt is too long",
            "too many tokens",
        )
    )


def _retry_after(error: openai.APIStatusError) -> float | None:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:  # absent, or a date: our own waiting times will do
        return None
