"""Fields that save what is typed as it is typed, and keep what cannot be saved.

A field is saved when it is left, and by `unsaved` at each pause; so the widget must not be drawn anew
while the writer types on in it. What was typed stays in the field even if it is kept in another form,
such as without the space at its end.

A stored value is given to a widget as its default, and never set through the session's state: if
two runs of the page follow closely, a browser may see only the second, whose widget would then be
empty, and send the empty value back as if the writer had typed it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Generic, Literal, NamedTuple, TypeVar

import streamlit as st

from pages.components.fields import two_texts, unsaved
from pages.components.fields.keeping import outcome_of, problem_in, show_problem
from pages.components.fields.memory import Held, Memory, memories_of, memory_of, values
from pages.components.fields.two_texts import SharedText
from pages.components.fields.unsaved import EDITION

T = TypeVar("T")


class Box(NamedTuple):
    """A field to type in. `label` is Markdown; `height` is in pixels, or fits the text."""

    key: str
    label: str
    height: int | Literal["content"] | None = None
    """None: a one-line field."""
    placeholder: str = ""
    is_label_hidden: bool = False


class Bound(NamedTuple, Generic[T]):
    """A widget's key, and what it shows: the stored value, or what was typed in this window."""

    key: str
    value: T
    stored: T


def text_box(
    box: Box, stored: str, save: Callable[[str], object], *, is_lasting: bool = True
) -> None:
    """Show a field that holds `stored`, and save what the writer types.

    What `save` refuses stays in the field, even after leaving the page, with the reason below it. What
    the library cannot take now is saved by itself as soon as it can.
    If `is_lasting` is false, `save` keeps the text only as long as this window is open.
    """
    bound = bind(box.key, stored)
    _text_field(box, bound, _keeper(box.key, bound, save, is_text=True, is_lasting=is_lasting))
    show_problem(box.key)


def shared_text_box(box: Box, stored: str, shared: SharedText) -> None:
    """Show a field for a text that another window may be changing at the same time.

    If one has, the writer is shown both texts and chooses; nothing is saved before.
    """
    bound = bind(box.key, stored)
    memory = memory_of(box.key)

    def save(typed: str) -> None:
        two_texts.replace(memory, bound.stored, typed, shared)

    _text_field(box, bound, _keeper(box.key, bound, save, is_text=True))
    if memory.theirs is None:
        show_problem(box.key)
    else:
        two_texts.offer(box.key, memory, shared)


def session_text_box(box: Box, given: str = "") -> None:
    """Show a field whose text this session keeps under `box.key` until the page has used it.

    It begins with what is `given`.
    """

    told = unsaved.ledger()

    def keep(text: str) -> None:
        told.answer(box.key, text, "held")
        st.session_state[box.key] = text

    def on_change() -> None:
        told.answer(box.key, str(values().get(box.key) or ""), "held")

    _field(box, given, box.key, on_change, "session")
    told.register(box.key, keep)


def _text_field(box: Box, bound: Bound[str], keep: Callable[[str], None]) -> None:
    _field(box, bound.value, bound.key, _on_change(bound, keep))
    unsaved.ledger().register(bound.key, keep)


def _on_change(bound: Bound[T], keep: Callable[[T], object]) -> Callable[[], None]:
    def on_change() -> None:
        now = values()
        # A page that was left at once no longer has its fields; then the browser sends the text.
        if bound.key in now:
            keep(now[bound.key])

    return on_change


def _field(
    box: Box,
    value: str,
    key: str,
    on_change: Callable[[], None],
    persist: Literal["session"] | None = None,
) -> None:
    visibility: Literal["collapsed", "visible"] = "collapsed" if box.is_label_hidden else "visible"
    if box.height is None:
        st.text_input(
            box.label,
            value,
            key=key,
            placeholder=box.placeholder,
            label_visibility=visibility,
            on_change=on_change,
            persist_state=persist,
        )
    else:
        st.text_area(
            box.label,
            value,
            key=key,
            height=box.height,
            placeholder=box.placeholder,
            label_visibility=visibility,
            on_change=on_change,
            persist_state=persist,
        )


def choice_box(box: Box, options: Mapping[T, str], stored: T, save: Callable[[T], object]) -> None:
    """Show a field with labelled options, and save the choice."""
    # Browsers remember a choice by its label, so changed labels need a new widget.
    names = zlib.crc32("\n".join(options.values()).encode())
    key = f"{box.key}-{names:x}"
    bound = bind(key, stored)
    listed = list(options)
    st.selectbox(
        box.label,
        listed,
        index=listed.index(bound.value) if bound.value in options else None,
        key=bound.key,
        format_func=lambda option: options.get(option, "?"),
        on_change=saver(key, bound, save),
    )
    show_problem(key)


def toggle_box(
    box: Box, is_on: bool, save: Callable[[bool], object], about: str | None = None
) -> None:
    """Show a switch with an explanation, and save what it is turned to."""
    bound = bind(box.key, is_on)
    on_change = saver(box.key, bound, save)
    st.toggle(box.label, bound.value, key=bound.key, help=about, on_change=on_change)
    show_problem(box.key)


def bind(key: str, stored: T) -> Bound[T]:
    """Return the key and value with which Streamlit must show the widget `key`.

    If the stored value was changed elsewhere, by an agent or in another window, the widget gets a
    new key and starts again from what is stored now.
    """
    memory = memory_of(key)
    current = _key(key, memory)
    shown: T = memory.shown(stored, is_new=current not in st.session_state)
    if st.session_state.get(current, shown) != shown:
        memory.edition += 1
    return Bound(_key(key, memory), shown, stored)


def saver(key: str, bound: Bound[T], save: Callable[[T], object]) -> Callable[[], None]:
    """Return the `on_change` of a bound widget, which saves the new value or keeps it unsaved."""
    return _on_change(bound, _keeper(key, bound, save))


def _keeper(
    key: str,
    bound: Bound[T],
    save: Callable[[T], object],
    *,
    is_text: bool = False,
    is_lasting: bool = True,
) -> Callable[[T], None]:
    """Return what saves a value of a bound widget, or keeps it unsaved.

    The browser sends a text again that could not be saved for a while.
    """
    memory, told = memory_of(key), unsaved.ledger()

    def keep(value: T) -> None:
        if value == bound.value and bound.key != _key(key, memory):
            # A browser that has not yet seen the new widget sends the old value along with
            # whatever was clicked: nobody typed it.
            return
        problem = problem_in(lambda: save(value), is_text=is_text)
        if problem is None:
            memory.keep(value)
        else:
            memory.held = Held(value, problem.words)
        if isinstance(value, str):
            told.answer(bound.key, value, outcome_of(problem, is_lasting=is_lasting))

    return keep


def changing(bound: Bound[T], act: Callable[[T], object]) -> Callable[[], None]:
    """Return the `on_change` of a bound widget, which calls `act` with its new value.

    A browser that lags behind may send what a widget showed before it was replaced, and Streamlit
    reports that as a change. The value that the widget was shown with is therefore ignored.
    """

    def on_change() -> None:
        value = values().get(bound.key, bound.value)
        if value != bound.value:
            act(value)

    return on_change


def has_unsaved(prefix: str) -> bool:
    """Return whether a widget whose key starts with `prefix` holds an unsaved value."""
    return any(memory.held for memory in memories_of(prefix))


def discard(prefix: str) -> None:
    """Discard what was typed into the session's fields whose keys start with `prefix`."""
    unsaved.ledger().answer(prefix, "", "dropped")


def forget_unsaved(prefix: str) -> None:
    """Discard the unsaved values of the widgets whose keys start with `prefix`."""
    for memory in memories_of(prefix):
        memory.let_go()
    discard(prefix)


def _key(key: str, memory: Memory) -> str:
    return f"{key}{EDITION}{memory.edition}" if memory.edition else key
