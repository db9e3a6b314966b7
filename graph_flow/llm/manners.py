"""What has been found out about an endpoint: which schemas and parameters it takes.

Each refusal teaches one thing, which is remembered for the endpoint; so an endpoint is tried
once, and not at every call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from graph_flow.llm.addresses import is_openai
from graph_flow.llm.dialects import first_dialect, speaks_of_schema, step_down
from store.models.endpoint import Dialect, Endpoint

OnDialect = Callable[[Endpoint, Dialect], None]

HEADROOM_STEP = 2_048
HEADROOM_LIMIT = 16_384


@dataclass(frozen=True)
class Manners:
    """How an endpoint wants to be asked.

    `headroom` is how many tokens more than the answer needs are allowed, for models that think
    before they answer and have it counted.
    """

    dialect: Dialect
    takes_temperature: bool = True
    takes_usage: bool = True
    limit_name: str = "max_tokens"
    is_limit_settled: bool = False
    headroom: int = 0

    def after(self, refusal: str, *, had_schema: bool) -> Manners:
        """Return what a refusal teaches; the same manners where it teaches nothing."""
        words = refusal.lower()
        if "temperature" in words and self.takes_temperature:
            return replace(self, takes_temperature=False)
        if "stream_options" in words and self.takes_usage:
            return replace(self, takes_usage=False)
        if not self.is_limit_settled and ("max_tokens" in words or "max_completion_t" in words):
            other = "max_tokens" if self.limit_name != "max_tokens" else "max_completion_tokens"
            return replace(self, limit_name=other, is_limit_settled=True)
        if had_schema and speaks_of_schema(words):
            return replace(self, dialect=step_down(self.dialect))
        return self

    def with_headroom(self) -> Manners:
        """Return these manners with more room for a model's thoughts."""
        more = max(HEADROOM_STEP, 2 * self.headroom)
        return replace(self, headroom=min(more, HEADROOM_LIMIT))


class MannersBook:
    """Remember the manners of every endpoint; threads share it.

    `on_dialect` is told of a dialect that was found out, so that it can be kept.
    """

    def __init__(self, on_dialect: OnDialect) -> None:
        self._on_dialect = on_dialect
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Manners] = {}

    def of(self, endpoint: Endpoint) -> Manners:
        """Return what is known of an endpoint, or what is likely."""
        with self._lock:
            return self._of(endpoint)

    def forget(self, endpoint: Endpoint) -> None:
        """Forget what was found out: the endpoint may have changed."""
        with self._lock:
            self._known.pop(_identity(endpoint), None)

    def learn(self, endpoint: Endpoint, tried: Manners, refusal: str, *, had_schema: bool) -> bool:
        """Take in a refusal of what was tried; return whether there is something else to try."""
        return self._change(endpoint, tried, tried.after(refusal, had_schema=had_schema))

    def unenforced(self, endpoint: Endpoint, tried: Manners) -> None:
        """Take in that an endpoint took a schema, and then did not keep to it."""
        self._change(endpoint, tried, replace(tried, dialect=Dialect.JSON_ONLY))

    def starved(self, endpoint: Endpoint, tried: Manners) -> None:
        """Take in that a model spent all its tokens before it began to answer."""
        self._change(endpoint, tried, tried.with_headroom())

    def _change(self, endpoint: Endpoint, tried: Manners, now: Manners) -> bool:
        with self._lock:
            known = self._of(endpoint)
            if known != tried:
                return True  # another thread has learnt in the meantime
            self._known[_identity(endpoint)] = now
        if now.dialect is not tried.dialect:
            self._on_dialect(endpoint, now.dialect)
        return now != tried

    def _of(self, endpoint: Endpoint) -> Manners:
        return self._known.get(_identity(endpoint)) or Manners(
            dialect=endpoint.dialect or first_dialect(endpoint.base_url),
            limit_name="max_completion_tokens" if is_openai(endpoint.base_url) else "max_tokens",
        )


def _identity(endpoint: Endpoint) -> tuple[str, str]:
    return endpoint.base_url, endpoint.model
