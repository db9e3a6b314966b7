"""Logs of a site are lines of JSON without texts."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from pages.serving.logs import FORMAT, SafeRecord, _Formatter

TEXT = "Nobody knew that the lamp had been lit by Ida herself."


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, io.StringIO]]:
    before = logging.getLogRecordFactory()
    logging.setLogRecordFactory(SafeRecord)
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(_Formatter())
    logger = logging.getLogger("graph_flow.test")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    yield logger, lines
    logger.removeHandler(handler)
    logging.setLogRecordFactory(before)


def told(lines: io.StringIO) -> dict[str, object]:
    line: dict[str, object] = json.loads(lines.getvalue())
    return line


def test_ids_and_numbers_are_kept_and_texts_are_not(
    log: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, lines = log
    logger.warning("run %s of %s took %.2f s: %s", "01a2-b", TEXT, 1.5, ValueError(TEXT))

    assert told(lines)["message"] == "run 01a2-b of … took 1.5 s: ValueError"
    assert told(lines)["level"] == "warning"


def test_exception_is_told_by_type_and_place(log: tuple[logging.Logger, io.StringIO]) -> None:
    logger, lines = log
    try:
        try:
            raise KeyError(TEXT)
        except KeyError as inner:
            raise ValueError(TEXT) from inner
    except ValueError:
        logger.exception("it failed")

    raised = str(told(lines)["raised"])
    assert "ValueError" in raised
    assert "KeyError" in raised
    assert "test_logs.py" in raised
    assert TEXT not in lines.getvalue()


def test_fields_are_added(log: tuple[logging.Logger, io.StringIO]) -> None:
    logger, lines = log
    logger.info("sign-in", extra={"fields": {"event": "sign-in", "writer": "ab"}})

    assert (told(lines)["event"], told(lines)["writer"]) == ("sign-in", "ab")


def test_template_that_does_not_fit_is_still_a_line(
    log: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, lines = log
    logger.error("100% sure of %s and %s", "one")

    assert told(lines)["message"] == "100% sure of %s and %s"


def test_plain_formatter_shows_the_same_line() -> None:
    record = SafeRecord("a", logging.INFO, "f.py", 1, "said %s", (TEXT,), None)

    assert json.loads(logging.Formatter(FORMAT).format(record))["message"] == "said …"
