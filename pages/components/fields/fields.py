"""Fields of one thing that is being edited, saved at once or kept in a draft; and their locks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box, bind, saver, tell_problem
from pages.components.notices import attempt
from store.deltas.locks import is_locked
from store.models.base import WHOLE, Record
from store.models.fields import shown
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

    status: Keeper
    entity: AnyEntity
    has_locks: bool = True

    def key(self, name: str) -> str:
        """Return the key of a widget."""
        return f"{self.status.key}-{self.entity.id}-{name}"

    def save(self, **values: object) -> None:
        """Keep fields."""
        self.status.change(self.entity.id, **values)

    def text(self, field: str) -> None:
        """Show a field to write in."""
        with self.with_lock(field):
            autosave.text_box(
                text_field(self.entity, field, self.key(field), self._mark(field)),
                getattr(self.entity, field),
                lambda text: self.save(**{field: text}),
            )

    def names(self, field: str) -> None:
        """Show a field for several names, with commas between."""
        with self.with_lock(field):
            autosave.text_box(
                text_field(self.entity, field, self.key(field), COMMAS + self._mark(field)),
                ", ".join(getattr(self.entity, field)),
                lambda text: self.save(**{field: names_in(text)}),
            )

    def choice(self, field: str, options: Mapping[T, str]) -> None:
        """Show a field to choose in, with what each option is called."""
        stored: T = getattr(self.entity, field)
        box = Box(self.key(field), self.label(field))
        with self.with_lock(field):
            autosave.choice_box(box, options, stored, lambda value: self.save(**{field: value}))

    def slider(self, field: str, lowest: int, highest: int) -> None:
        """Show a number to slide."""
        bound = bind(self.key(field), getattr(self.entity, field))
        with self.with_lock(field):
            st.slider(
                self.label(field),
                lowest,
                highest,
                bound.value,
                key=bound.key,
                on_change=saver(self.key(field), bound, lambda value: self.save(**{field: value})),
            )

    def toggle(self, field: str) -> None:
        """Show a switch."""
        bound = bind(self.key(field), getattr(self.entity, field))
        with self.with_lock(field):
            st.toggle(
                self.label(field),
                bound.value,
                key=bound.key,
                on_change=saver(self.key(field), bound, lambda value: self.save(**{field: value})),
            )

    def chapter(self, field: str) -> None:
        """Show the number of a chapter, which may be open."""
        bound = bind(self.key(field), getattr(self.entity, field))
        with self.with_lock(field):
            st.number_input(
                self.label(field),
                min_value=0,
                value=bound.value,
                step=1,
                placeholder="open",
                key=bound.key,
                on_change=saver(self.key(field), bound, lambda value: self.save(**{field: value})),
            )
            tell_problem(self.key(field))

    def label(self, field: str) -> str:
        """Return the label of a field, with a mark where an agent made it up."""
        return f"{shown(self.entity, field).label}{self._mark(field)}"

    def _mark(self, field: str) -> str:
        is_made_up = field in self.entity.invented and bool(getattr(self.entity, field))
        return " :orange-badge[invented]" if is_made_up else ""

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
            key=f"{self.status.key}-lock",
        ):
            yield


def text_field(record: Record, field: str, key: str, note: str = "") -> Box:
    """Return the widget that a field is written in; while it is empty it says what belongs there.

    `note` is Markdown that follows the label.
    """
    known = shown(record, field)
    height: Literal["content"] | None = "content" if known.is_long else None
    return Box(key, f"{known.label}{note}", height, known.meaning)


def names_in(text: str) -> tuple[str, ...]:
    """Return the names that a writer typed with commas between."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


COMMAS = " (with commas between)"
"""Follows the label of a field that takes several names."""

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
