"""Fields that save what is typed as it is typed, and keep what cannot be saved.

A stored value is given to a widget as its default, and never set through the session's state: if
two runs of the page follow closely, a browser may see only the second, whose widget would then be
empty, and send the empty value back as if the writer had typed it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from pages.components.fields import strings
from pages.components.words import plain, problem_of
from store.errors import StoreError

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
    """A widget's key, and what it shows: the stored value, or what could not be stored."""

    key: str
    value: T


class _Unsaved(NamedTuple):
    value: Any
    """Of the type that the widget returns."""
    problem: str


def text_box(box: Box, stored: str, save: Callable[[str], object]) -> None:
    """Show a field that holds `stored`, and save what the writer types.

    What `save` refuses stays in the field, even after leaving the page, with the reason below it.
    """
    bound = bind(box.key, stored)
    visibility: Literal["collapsed", "visible"] = "collapsed" if box.is_label_hidden else "visible"
    on_change = saver(box.key, bound, save)
    if box.height is None:
        st.text_input(
            box.label,
            bound.value,
            key=bound.key,
            placeholder=box.placeholder,
            label_visibility=visibility,
            on_change=on_change,
        )
    else:
        st.text_area(
            box.label,
            bound.value,
            key=bound.key,
            height=box.height,
            placeholder=box.placeholder,
            label_visibility=visibility,
            on_change=on_change,
        )
    show_problem(box.key)


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
    unsaved: _Unsaved | None = st.session_state.get(_unsaved(key))
    shown: T = stored if unsaved is None else unsaved.value
    current = _current_key(key)
    if st.session_state.get(current, shown) != shown:
        st.session_state[_counter(key)] = int(st.session_state.get(_counter(key), 0)) + 1
        current = _current_key(key)
    return Bound(current, shown)


def saver(key: str, bound: Bound[T], save: Callable[[T], object]) -> Callable[[], None]:
    """Return the `on_change` of a bound widget, which saves the new value or keeps it unsaved."""

    def on_change() -> None:
        value = st.session_state[bound.key]
        if value == bound.value and bound.key != _current_key(key):
            # A browser that has not yet seen the new widget sends the old value along with
            # whatever was clicked: nobody typed it.
            return
        try:
            save(value)
        except ValidationError as error:
            st.session_state[_unsaved(key)] = _Unsaved(value, problem_of(error))
        except (WorkbenchError, StoreError, ModelError) as error:
            st.session_state[_unsaved(key)] = _Unsaved(value, str(error))
        else:
            st.session_state.pop(_unsaved(key), None)

    return on_change


def changing(bound: Bound[T], act: Callable[[T], object]) -> Callable[[], None]:
    """Return the `on_change` of a bound widget, which calls `act` with its new value.

    A browser that lags behind may send what a widget showed before it was replaced, and Streamlit
    reports that as a change. The value that the widget was shown with is therefore ignored.
    """

    def on_change() -> None:
        value = st.session_state[bound.key]
        if value != bound.value:
            act(value)

    return on_change


def show_problem(key: str) -> None:
    """Say why the value of a widget was not saved, if it was not."""
    unsaved: _Unsaved | None = st.session_state.get(_unsaved(key))
    if unsaved is not None:
        warn_not_saved(unsaved.problem)


def warn_not_saved(problem: str) -> None:
    """Say why something was not saved. Plain text."""
    st.warning(strings.not_saved(plain(problem)), icon=":material/edit_off:")


def has_unsaved(prefix: str) -> bool:
    """Return whether a widget whose key starts with `prefix` holds an unsaved value."""
    return any(str(key).startswith(_unsaved(prefix)) for key in st.session_state)


def forget_unsaved(prefix: str) -> None:
    """Discard the unsaved values of the widgets whose keys start with `prefix`."""
    for key in [key for key in st.session_state if str(key).startswith(_unsaved(prefix))]:
        del st.session_state[key]


def _unsaved(key: str) -> str:
    return f"unsaved in {key}"


def _current_key(key: str) -> str:
    edition = int(st.session_state.get(_counter(key), 0))
    return f"{key}~{edition}" if edition else key


def _counter(key: str) -> str:
    return f"edition of {key}"
