"""Which backups are kept as they grow old. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

ALL_FOR = timedelta(days=1)
DAILY_FOR = timedelta(days=31)


def to_keep(made: Iterable[datetime], moment: datetime) -> set[datetime]:
    """Return the backups to keep: all of the last day, one a day for a month, one a month after it.

    Of each day and of each month, it is the newest. The newest of all is always kept, and so is
    one that seems to be made in the future.
    """
    newest_first = sorted(made, reverse=True)
    kept = set(newest_first[:1])
    periods: set[tuple[int, ...]] = set()
    for one in newest_first:
        age = moment - one
        if age <= ALL_FOR:
            kept.add(one)
            continue
        period = (one.year, one.month, one.day) if age <= DAILY_FOR else (one.year, one.month)
        if period not in periods:
            periods.add(period)
            kept.add(one)
    return kept
