"""Fields of one entity that is being edited, saved at once or kept in a draft; and their locks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

import streamlit as st

from pages.components.fields import autosave, strings
from pages.components.fields.autosave import Box, bind, saver
from pages.components.fields.keeping import show_problem
from pages.components.notices import attempt
from pages.components.words.messages import said
from store.deltas.locks import is_locked
from store.models.base import WHOLE, Record
from store.models.fields import shown
from store.models.prototype import AnyEntity

T = TypeVar("T")


class Keeper(Protocol):
    """Where what is typed goes: a draft, or straight to the store."""

    @property
    def key(self) -> str:
        """What the keys of widgets begin with."""
        ...

    @property
    def is_lasting(self) -> bool:
        """Whether what is kept outlasts the window in which it was typed."""
        ...

    def change(self, entity_id: str, /, **values: object) -> None:
        """Keep new values for fields of one entity."""
        ...


@dataclass(frozen=True)
class Fields:
    """The fields of `entity` as it is kept. Rows of a larger entity have no locks."""

    status: Keeper
    entity: AnyEntity
    has_locks: bool = True

    def key(self, name: str) -> str:
        """Return the key of a widget."""
        return f"{self.status.key}-{self.entity.id}-{name}"

    def save(self, **values: object) -> None:
        """Keep new values for fields."""
        self.status.change(self.entity.id, **values)

    def text(self, field: str) -> None:
        """Show a text field."""
        with self.with_lock(field):
            autosave.text_box(
                text_field(self.entity, field, self.key(field), self._mark(field)),
                getattr(self.entity, field),
                lambda text: self.save(**{field: text}),
                is_lasting=self.status.is_lasting,
            )

    def names(self, field: str) -> None:
        """Show a field for several names, separated by commas."""
        with self.with_lock(field):
            autosave.text_box(
                names_field(self.entity, field, self.key(field), self._mark(field)),
                ", ".join(getattr(self.entity, field)),
                lambda text: self.save(**{field: names_in(text)}),
                is_lasting=self.status.is_lasting,
            )

    def choice(self, field: str, options: Mapping[T, str]) -> None:
        """Show a field with labelled options."""
        stored: T = getattr(self.entity, field)
        box = Box(self.key(field), self.label(field))
        with self.with_lock(field):
            autosave.choice_box(box, options, stored, lambda value: self.save(**{field: value}))

    def slider(self, field: str, lowest: int, highest: int) -> None:
        """Show a slider for a number."""
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
        """Show a field for a chapter number, which may be left open."""
        bound = bind(self.key(field), getattr(self.entity, field))
        with self.with_lock(field):
            st.number_input(
                self.label(field),
                min_value=0,
                value=bound.value,
                step=1,
                placeholder=strings.CHAPTER_OPEN,
                key=bound.key,
                on_change=saver(self.key(field), bound, lambda value: self.save(**{field: value})),
            )
            show_problem(self.key(field))

    def label(self, field: str) -> str:
        """Return the label of a field, marked if an agent invented its value."""
        return f"{said(shown(self.entity, field).label)}{self._mark(field)}"

    def _mark(self, field: str) -> str:
        is_invented = field in self.entity.invented and bool(getattr(self.entity, field))
        return f" :orange-badge[{strings.INVENTED}]" if is_invented else ""

    @contextmanager
    def with_lock(self, field: str) -> Iterator[None]:
        """Show the lock of a field beside what is shown inside."""
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
    """Return the text box of a field, whose placeholder says what belongs there.

    `note` is Markdown that follows the label.
    """
    known = shown(record, field)
    height: Literal["content"] | None = "content" if known.is_long else None
    return Box(key, f"{said(known.label)}{note}", height, said(known.meaning))


def names_field(record: Record, field: str, key: str, note: str = "") -> Box:
    """Return the text box of a field for several names, whose label says how they are separated.

    `note` is Markdown that follows the label.
    """
    box = text_field(record, field, key)
    return box._replace(label=f"{strings.separated_by_commas(box.label)}{note}")


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a text that separates them by commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


_SHUT = ":primary[:material/lock:]"
_OPEN = ":gray[:material/lock_open_right:]"

OnChange = Callable[[tuple[str, ...]], object]
"""Takes the new value of `Entity.locked`."""


def toggled(locked: tuple[str, ...], field: str) -> tuple[str, ...]:
    """Return `Entity.locked` with a field (or `WHOLE`) switched between locked and unlocked."""
    return tuple(sorted(set(locked) ^ {field}))


def lock_toggle(entity: AnyEntity, field: str, on_change: OnChange, *, key: str = "lock") -> None:
    """Show a button that locks or unlocks a field of an entity; `WHOLE` is all of it.

    `key` distinguishes two locks of the same entity on one page. If `on_change` fails, a notice
    says why.
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
    """Show the lock of a field beside what is shown inside."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container():
            yield
        lock_toggle(entity, field, on_change, key=key)


def _turn(on_change: OnChange, locked: tuple[str, ...]) -> None:
    attempt(lambda: on_change(locked))


def _help(*, is_shut: bool, is_by_whole: bool, is_whole: bool) -> str:
    if is_by_whole:
        return strings.LOCKED_AS_A_WHOLE_HELP
    if is_shut:
        return strings.LOCKED_HELP
    return strings.LOCK_WHOLE_HELP if is_whole else strings.LOCK_HELP
