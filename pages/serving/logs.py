"""Logs for a site, a line of JSON each, in which no text of a writer's can be.

Messages of programs quote what they choke on. So of a log record only its constant part is kept, with
the names and numbers in it; and of an exception only its type and where it was raised.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import TracebackType

FORMAT = "%(json)s"
"""How a formatter shows a record: `SafeRecord` has the whole line in a field of its own."""

_ID = re.compile(r"[\w./:@-]{1,64}")
"""Words that are no text: ids, file names, addresses, numbers."""
_HIDDEN = "…"

ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class SafeRecord(logging.LogRecord):
    """A log record without texts. `json` is the line."""

    def __init__(self, *given: object, **named: object) -> None:
        super().__init__(*given, **named)  # type: ignore[arg-type] # as logging calls its factory
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(self.created, UTC).isoformat(timespec="milliseconds"),
            "level": self.levelname.lower(),
            "logger": self.name,
            "message": _message(self.msg, self.args),
        }
        if self.exc_info and self.exc_info[1] is not None:
            line["raised"] = list(_raised(self.exc_info[1]))
        self.msg, self.args, self.exc_info, self.exc_text = line["message"], (), None, None
        self.line = line
        self.json = json.dumps(line, ensure_ascii=False)


class _Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = dict(getattr(record, "line", {"message": record.getMessage()}))
        return json.dumps(line | dict(getattr(record, "fields", {})), ensure_ascii=False)


def install() -> None:
    """Log the whole process in this way, to standard error."""
    logging.setLogRecordFactory(SafeRecord)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in ("tellwright", "graph_flow", "store", "pages"):
        logging.getLogger(name).setLevel(logging.INFO)


def _message(message: object, given: object) -> str:
    """Return a message with whatever could be a text hidden."""
    template = message if isinstance(message, str) else type(message).__name__
    if isinstance(given, Mapping):
        safe: object = {name: _safe(value) for name, value in given.items()}
    elif isinstance(given, tuple):
        safe = tuple(map(_safe, given))
    else:
        safe = ()
    try:
        # Numbers are shown as text too: a template may ask for digits after the point.
        return re.sub(r"%(\(\w+\))?[-+ #0]*\d*(\.\d+)?[a-zA-Z]", r"%\1s", template) % safe
    except (TypeError, ValueError, KeyError):
        return template


def _safe(value: object) -> str:
    if isinstance(value, BaseException):
        return type(value).__name__
    said = str(value)
    return said if _ID.fullmatch(said) else _HIDDEN


def _raised(error: BaseException) -> Iterator[str]:
    """Yield the type of an exception and where it was raised, then those of what caused it."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        yield type(found).__name__
        for frame in traceback.extract_tb(found.__traceback__):
            yield f"{frame.filename}:{frame.lineno} {frame.name}"
        found = found.__cause__ or found.__context__
