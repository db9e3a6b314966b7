"""What each writer of a site may use, counted over all the processes of the site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime

from graph_flow.llm.budget import Booking
from graph_flow.llm.budget import Use as Expected
from graph_flow.llm.errors import NotOffered, QuotaUsedUp
from graph_flow.llm.transport.offer import SiteModels
from pages.serving.settings import SiteSettings
from store.hosting.records import Use
from store.hosting.registry import Registry
from store.models.endpoint import Endpoint


def today() -> date:
    """Return the day in UTC, by which a site counts."""
    return datetime.now(UTC).date()


class Quota:
    """Allows a writer's calls to models within what the site grants. Thread-safe.

    Each call counts for the day on which it begins. Money counts for calls to the site's own models
    only; several under way at once can together go beyond the limit by what one of them costs.
    """

    def __init__(
        self,
        registry: Registry,
        settings: SiteSettings,
        models: SiteModels,
        writer: str,
        day: Callable[[], date] = today,
    ) -> None:
        self._registry = registry
        self._settings = settings
        self._models = models
        self._writer = writer
        self._day = day

    @contextmanager
    def attempt(self, endpoint: Endpoint, expected: Expected) -> Iterator[Booking]:
        """Allow one attempt for the duration of a block.

        Raises:
            QuotaUsedUp: if the site grants no more for now.
            NotOffered: if the writer has been shut out.
        """
        if self._registry.writer(self._writer).is_shut_out:
            raise NotOffered("Whoever runs this site has closed it to you. Your stories are kept.")
        is_of_site = self._models.of_site(endpoint) is not None
        day = self._day()
        if is_of_site:
            self._check_money(day, expected.cost)
        if not self._registry.begin_call(self._writer, day, self._settings.calls_a_day):
            raise QuotaUsedUp(
                f"You have made the {self._settings.calls_a_day:,} calls to models that this site allows a "
                "day. Nothing is lost: continue tomorrow (the day ends at midnight, UTC)."
            )
        booking = Booking(expected)
        try:
            yield booking
        finally:
            self._registry.end_call(self._writer, day, _used(booking, is_of_site))

    def _check_money(self, day: date, more: float) -> None:
        most = self._settings.money_a_month
        if most is None:
            return
        spent = self._registry.use(self._writer, day.replace(day=1), day).cost
        if spent + more > most:
            raise QuotaUsedUp(
                f"You have used {spent:,.2f} of the {most:,.2f} that this site spends on models for you in "
                "a month, and the next step would go beyond. Nothing is lost: continue next month"
                + (", or with a key of your own (Settings)." if self._models.addresses else ".")
            )


def _used(booking: Booking, is_of_site: bool) -> Use | None:
    """Return what a call used; None if it was never made."""
    if booking.actual is None:
        return None
    return Use(
        calls=1, tokens=booking.actual.tokens, cost=booking.actual.cost if is_of_site else 0.0
    )
