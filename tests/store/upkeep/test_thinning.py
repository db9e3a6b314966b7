"""Backups become fewer as they age, and the newest is always there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from store.upkeep.thinning import ALL_FOR, DAILY_FOR, to_keep

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
moments = st.lists(st.integers(-48, 24 * 800).map(lambda hours: NOW - hours * HOUR), max_size=60)


def test_all_of_the_last_day_are_kept() -> None:
    made = {NOW - count * HOUR for count in range(25)}
    assert to_keep(made, NOW) == made


def test_one_a_day_is_kept_for_a_month_the_newest_of_each() -> None:
    made = [NOW - 3 * DAY - count * HOUR for count in range(24 * 5)]
    kept = sorted(to_keep(made, NOW))
    assert len({one.date() for one in kept}) == len(kept) == 6
    assert all(one == max(m for m in made if m.date() == one.date()) for one in kept)


def test_one_a_month_is_kept_after_that() -> None:
    made = [NOW - 40 * DAY - count * DAY for count in range(365)]
    kept = to_keep(made, NOW)
    assert len({(one.year, one.month) for one in kept}) == len(kept) == 13


def test_only_backup_is_kept_however_old() -> None:
    assert to_keep([NOW - 3_000 * DAY], NOW) == {NOW - 3_000 * DAY}
    assert to_keep([], NOW) == set()


@given(moments)
def test_every_period_that_had_a_backup_keeps_one(made: list[datetime]) -> None:
    kept = to_keep(made, NOW)
    assert kept <= set(made)
    assert {one for one in made if NOW - one <= ALL_FOR} <= kept
    old = [one for one in made if NOW - one > DAILY_FOR]
    assert {(one.year, one.month) for one in old} <= {(one.year, one.month) for one in kept}
    recent = [one for one in made if ALL_FOR < NOW - one <= DAILY_FOR]
    assert {one.date() for one in recent} <= {one.date() for one in kept}


@given(moments)
def test_thinning_out_again_takes_nothing_more(made: list[datetime]) -> None:
    kept = to_keep(made, NOW)
    assert to_keep(kept, NOW) == kept
