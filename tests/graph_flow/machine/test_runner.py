"""What a stopped run leaves in the log."""

from __future__ import annotations

import logging
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from graph_flow.machine.runner import is_worth_logging


def test_end_of_a_task_that_comes_after_its_run_was_stopped_is_no_news(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert is_worth_logging in logging.getLogger("concurrent.futures").filters
    pool = ThreadPoolExecutor(1)
    pool.shutdown()

    def too_late(_: Future[None]) -> None:
        pool.submit(int)

    def at_fault(_: Future[None]) -> None:
        raise RuntimeError("a real fault")

    task: Future[None] = Future()
    task.add_done_callback(too_late)
    task.add_done_callback(at_fault)
    with caplog.at_level(logging.ERROR):
        task.set_result(None)

    [logged] = caplog.records
    assert logged.exc_info
    assert str(logged.exc_info[1]) == "a real fault"
