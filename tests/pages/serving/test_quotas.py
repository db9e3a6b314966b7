"""What a site grants each writer: calls a day, money a month, and none of it to one shut out."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from graph_flow.llm.budget import Use as Used
from graph_flow.llm.errors import ModelError, NotOffered, QuotaUsedUp
from graph_flow.llm.transport.offer import KeyRing, SiteModels
from pages.serving.quotas import Quota
from pages.serving.settings import SiteSettings
from store.hosting.records import Identity, Use
from store.hosting.registry import Registry
from store.models.endpoint import Endpoint

ANN = Identity(issuer="https://id.example", subject="1")
OURS = Endpoint(name="Ours", base_url="https://m.example/v1", model="m")
MINE = Endpoint(name="Mine", base_url="https://api.openai.com/v1", model="o")
MONTH, TOMORROW = date(2026, 3, 30), date(2026, 3, 31)


class Desk:
    def __init__(self, folder: Path, **limits: float) -> None:
        self.registry = Registry(folder)
        self.registry.arrived(ANN, "a")
        self.day = MONTH
        offer = SiteModels((OURS,), (MINE.base_url,), True, lambda _name: None, KeyRing())
        settings = SiteSettings.model_validate({"writers": ["*"], **limits})
        self.quota = Quota(self.registry, settings, offer, ANN.writer, lambda: self.day)

    def call(self, endpoint: Endpoint = OURS, cost: float = 0.0, *, is_made: bool = True) -> None:
        with self.quota.attempt(endpoint, Used(100, cost)) as booking:
            if is_made:
                booking.actual = Used(100, cost)

    @property
    def used(self) -> Use:
        return self.registry.use(ANN.writer, self.day, self.day)


def test_calls_of_a_day_are_counted_and_begin_anew_with_the_next(tmp_path: Path) -> None:
    desk = Desk(tmp_path, calls_a_day=2)
    desk.call(is_made=False)  # turned away: it does not count
    desk.call()
    desk.call(MINE)

    with pytest.raises(QuotaUsedUp, match="2 calls"):
        desk.call()
    assert desk.used == Use(calls=2, tokens=200)
    desk.day = TOMORROW
    desk.call()


def test_money_counts_for_the_site_s_models_only(tmp_path: Path) -> None:
    desk = Desk(tmp_path, money_a_month=1.0)
    desk.call(cost=0.6)
    desk.call(MINE, cost=50.0)
    desk.day = TOMORROW

    with pytest.raises(QuotaUsedUp, match="key of your own"):
        desk.call(cost=0.5)
    desk.call(cost=0.4)
    desk.call(MINE, cost=50.0)
    desk.day = date(2026, 4, 1)
    desk.call(cost=0.5)


def test_call_that_fails_is_charged_for_what_it_used(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    attempt = desk.quota.attempt(OURS, Used(100, 0.1))
    booking = attempt.__enter__()
    booking.actual = Used(40, 0.04)
    broken = ModelError("It broke off.")
    attempt.__exit__(ModelError, broken, None)

    assert desk.used == Use(calls=1, tokens=40, cost=0.04)


def test_writer_who_is_shut_out_makes_no_call(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.registry.shut_out(ANN.writer, True)

    with pytest.raises(NotOffered):
        desk.call()
    assert desk.used == Use()
