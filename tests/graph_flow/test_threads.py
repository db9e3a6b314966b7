"""Threads are planted in one chapter and paid off in another."""

from __future__ import annotations

import pytest

from graph_flow.threads import pay_off, plant
from store.delta import apply
from store.models.plot import EventLink, LinkKind, Thread, ThreadState
from store.models.prototype import Snapshot
from tests.store.builders import AFTER, LOCKED, adding


def test_a_thread_is_planted_where_it_is_opened_and_paid_off_by_an_event() -> None:
    thread = plant("the locked room", 1)
    first = apply(Snapshot(), adding(LOCKED, thread), 1)
    second = apply(first, adding(AFTER), 4)

    done = apply(second, pay_off(second, thread.id, AFTER.id, [LOCKED.id]), 4)

    kept = done.get(Thread, thread.id)
    assert (kept.state, kept.planted_in, kept.paid_off_in) == (ThreadState.PAID_OFF, 1, 4)
    [link] = done.of(EventLink)
    assert (link.source, link.target, link.link) == (AFTER.id, LOCKED.id, LinkKind.PAYS_OFF)


def test_what_is_not_in_the_story_pays_off_nothing() -> None:
    thread = plant("the locked room", 1)
    with pytest.raises(KeyError):
        pay_off(apply(Snapshot(), adding(thread), 1), thread.id, "nothing")
