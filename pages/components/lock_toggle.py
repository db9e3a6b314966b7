"""A lock on a field or on the whole of something: what is locked, agents leave as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from pages.components.notices import attempt
from store.deltas.locks import is_locked
from store.models.base import WHOLE
from store.models.prototype import AnyEntity

_SHUT = ":primary[:material/lock:]"
_OPEN = ":gray[:material/lock_open_right:]"

OnChange = Callable[[tuple[str, ...]], object]
"""Takes what `Entity.locked` is to be."""


def toggled(locked: tuple[str, ...], field: str) -> tuple[str, ...]:
    """Return `Entity.locked` with a field (or `WHOLE`) locked where it was not, and the reverse."""
    return tuple(sorted(set(locked) ^ {field}))


def lock_toggle(entity: AnyEntity, field: str, on_change: OnChange, *, key: str = "lock") -> None:
    """Show a button that locks or unlocks a field of an entity; `WHOLE` stands for all of it.

    `key` tells apart two locks of the same thing on one page. What `on_change` cannot do is told
    as a notice.
    """
    is_shut = is_locked(entity, field)
    is_by_whole = field != WHOLE and WHOLE in entity.locked
    st.button(
        _SHUT if is_shut else _OPEN,
        key=f"{key}-{entity.id}-{field}",
        type="tertiary",
        disabled=is_by_whole,
        help=_help(is_shut=is_shut, is_by_whole=is_by_whole, is_whole=field == WHOLE),
        on_click=_turn,
        args=(on_change, toggled(entity.locked, field)),
    )


@contextmanager
def with_lock(
    entity: AnyEntity, field: str, on_change: OnChange, *, key: str = "lock"
) -> Iterator[None]:
    """Show what is shown inside with the lock of its field beside it."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container():
            yield
        lock_toggle(entity, field, on_change, key=key)


def _turn(on_change: OnChange, locked: tuple[str, ...]) -> None:
    attempt(lambda: on_change(locked))


def _help(*, is_shut: bool, is_by_whole: bool, is_whole: bool) -> str:
    if is_by_whole:
        return "All of it is locked: agents leave it as it is."
    if is_shut:
        return "Locked: agents leave it as it is. Click to unlock."
    words = "all of this" if is_whole else "this"
    return f"Lock {words}, so that agents leave it as it is."
