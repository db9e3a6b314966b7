"""What a window remembers of a field in which somebody types.

As soon as the browser asks for something else, Streamlit ends what runs at its next touch of the
session's state; a callback is no exception. So what callbacks change is kept in plain objects, which they
are handed when the page runs: whatever is saved is also remembered as saved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

_MEMORIES = "what is remembered of fields"
_NOT_SEEN = object()


class Held(NamedTuple):
    """A value that could not be saved."""

    value: Any
    """Of the type that the widget returns."""
    problem: str


@dataclass
class _Kept:
    """What was typed, and saved in whatever form."""

    typed: Any
    stored: Any = _NOT_SEEN
    """What was stored for it, as the page saw when it was next shown."""


@dataclass
class Memory:
    """What is remembered of one field."""

    edition: int = 0
    """How often its widget was drawn anew."""
    held: Held | None = None
    base: str | None = None
    """The text that the writer goes on from, if it is not the one that the page found: what this
    window has saved since, or what there was before something that could not be saved."""
    theirs: str | None = None
    """What another window has made of that text."""
    _kept: _Kept | None = None

    def keep(self, value: Any) -> None:
        """Remember that a value was saved."""
        self.held = None
        self._kept = _Kept(value)

    def let_go(self) -> None:
        """Forget what could not be saved."""
        self.held = self.base = self.theirs = None

    def shown(self, stored: Any, *, is_new: bool) -> Any:
        """Return what the field shows: what was typed, or what is stored.

        `is_new` says that the page has no such widget yet.
        """
        if self.held is not None:
            return self.held.value
        if self.base is not None and stored not in (self.base, self.base.strip()):
            self.base = None
        if self._kept is None:
            return stored
        if self._kept.stored is _NOT_SEEN:
            self._kept.stored = stored
        if is_new or self._kept.stored != stored:
            self._kept = None
            return stored
        return self._kept.typed


def memory_of(key: str) -> Memory:
    """Return what this window remembers of a field, by the key of its widget without an edition."""
    memories: dict[str, Memory] = st.session_state.setdefault(_MEMORIES, {})
    return memories.setdefault(key, Memory())


def memories_of(prefix: str) -> Iterator[Memory]:
    """Return what is remembered of each field whose key starts with `prefix`."""
    memories: dict[str, Memory] = st.session_state.get(_MEMORIES, {})
    return (memory for key, memory in memories.items() if key.startswith(prefix))


def values() -> dict[str, Any]:
    """Return all values of the session, as a callback can read them without being ended by that."""
    found: dict[str, Any] = st.session_state.to_dict()
    return found
