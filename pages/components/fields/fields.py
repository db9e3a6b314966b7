"""Fields of one thing that is being edited, saved at once or kept in a draft; and their locks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box, bind, saver, tell_problem
from pages.components.notices import attempt
from store.deltas.locks import is_locked
from store.models.base import WHOLE
from store.models.prototype import AnyEntity

T = TypeVar("T")


class Keeper(Protocol):
    """Where what is typed goes: a desk with a draft, or a sheet that saves it at once."""

    @property
    def key(self) -> str:
        """What the keys of widgets begin with."""
        ...

    def change(self, entity_id: str, /, **values: object) -> None:
        """Keep fields of one thing."""
        ...


@dataclass(frozen=True)
class Fields:
    """The fields of `entity`, as it is kept. Without locks: rows of something greater."""

    desk: Keeper
    entity: AnyEntity
    has_locks: bool = True

    def key(self, name: str) -> str:
        """Return the key of a widget."""
        return f"{self.desk.key}-{self.entity.id}-{name}"

    def save(self, **values: object) -> None:
        """Keep fields."""
        self.desk.change(self.entity.id, **values)

    def text(self, field: str, label: str, *, is_long: bool = False) -> None:
        """Show a field to write in."""
        box = Box(self.key(field), self.label(field, label), height="content" if is_long else None)
        with self.with_lock(field):
            autosave.text_box(
                box, getattr(self.entity, field), lambda text: self.save(**{field: text})
            )

    def choice(self, field: str, label: str, options: Mapping[T, str]) -> None:
        """Show a field to choose in, with what each option is called."""
        stored: T = getattr(self.entity, field)
        box = Box(self.key(field), self.label(field, label))
        with self.with_lock(field):
            autosave.choice_box(box, options, stored, lambda value: self.save(**{field: value}))

    def slider(self, field: str, label: str, lowest: int, highest: int) -> None:
        """Show a number to slide."""
        bound = bind(self.key(field), getattr(self.entity, field))
        with self.with_lock(field):
            st.slider(
                self.label(field, label),
                lowest,
                highest,
                bound.value,
                key=bound.key,
                on_change=saver(self.key(field), bound, lambda value: self.save(**{field: value})),
            )

    def toggle(self, field: str, label: str) -> None:
        """Show a switch."""
        bound = bind(self.key(field), getattr(self.entity, field))
        with self.with_lock(field):
            st.toggle(
                self.label(field, label),
                bound.value,
                key=bound.key,
                on_change=saver(self.key(field), bound, lambda value: self.save(**{field: value})),
            )

    def chapter(self, field: str, label: str) -> None:
        """Show the number of a chapter, which may be open."""
        bound = bind(self.key(field), getattr(self.entity, field))
        with self.with_lock(field):
            st.number_input(
                self.label(field, label),
                min_value=0,
                value=bound.value,
                step=1,
                placeholder="open",
                key=bound.key,
                on_change=saver(self.key(field), bound, lambda value: self.save(**{field: value})),
            )
            tell_problem(self.key(field))

    def label(self, field: str, words: str) -> str:
        """Return the label of a field, with a mark where an agent made it up."""
        is_made_up = field in self.entity.invented and bool(getattr(self.entity, field))
        return f"{words} :orange-badge[invented]" if is_made_up else words

    @contextmanager
    def with_lock(self, field: str) -> Iterator[None]:
        """Show what is shown inside with the lock of its field beside it."""
        if not self.has_locks:
            yield
            return
        with with_lock(
            self.entity,
            field,
            lambda locked: self.save(locked=locked),
            key=f"{self.desk.key}-lock",
        ):
            yield


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
