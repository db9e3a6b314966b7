"""Fields that save what is typed, when it is typed, and keep what cannot be saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from pages.components.editing import problem_of
from pages.components.text import plain
from store.errors import StoreError


class Box(NamedTuple):
    """A field to type in. `label` is Markdown; `height` is in pixels, or as high as the text."""

    key: str
    label: str
    height: int | Literal["content"] | None = None
    """None: a field of one line."""
    placeholder: str = ""
    is_label_hidden: bool = False


class _Unsaved(NamedTuple):
    value: object
    problem: str


def text_box(box: Box, stored: str, save: Callable[[str], object]) -> None:
    """Show a field that holds `stored`, and save what the writer makes of it.

    What `save` refuses stays in the field, also when the page is left, with the reason beneath.
    """
    follow(box.key, stored)
    visibility: Literal["collapsed", "visible"] = "collapsed" if box.is_label_hidden else "visible"
    on_change = saver(box.key, lambda typed: save(str(typed)))
    if box.height is None:
        st.text_input(
            box.label,
            key=box.key,
            placeholder=box.placeholder,
            label_visibility=visibility,
            on_change=on_change,
        )
    else:
        st.text_area(
            box.label,
            key=box.key,
            height=box.height,
            placeholder=box.placeholder,
            label_visibility=visibility,
            on_change=on_change,
        )
    tell_problem(box.key)


def follow(key: str, stored: object) -> None:
    """Let the widget `key` show what is stored, unless it holds something that was not saved.

    Streamlit forgets a widget's value when the page is left, and would otherwise not see that
    another window, or an agent, changed what is stored.
    """
    base = f"stored in {key}"
    unsaved: _Unsaved | None = st.session_state.get(_unsaved(key))
    if key not in st.session_state:
        st.session_state[key] = stored if unsaved is None else unsaved.value
    elif unsaved is None and st.session_state.get(base) != stored:
        st.session_state[key] = stored
    st.session_state[base] = stored


def saver(key: str, save: Callable[[object], object]) -> Callable[[], None]:
    """Return the `on_change` of a widget that is not a text field: it saves the new value."""

    def on_change() -> None:
        _save_typed(key, save)

    return on_change


def tell_problem(key: str) -> None:
    """Say why what stands in a widget was not saved, if it was not."""
    unsaved: _Unsaved | None = st.session_state.get(_unsaved(key))
    if unsaved is not None:
        st.warning(f"Not saved yet. {plain(unsaved.problem)}", icon=":material/edit_off:")


def _save_typed(key: str, save: Callable[..., object]) -> None:
    value = st.session_state[key]
    try:
        save(value)
    except ValidationError as error:
        st.session_state[_unsaved(key)] = _Unsaved(value, problem_of(error))
    except (WorkbenchError, StoreError, ModelError) as error:
        st.session_state[_unsaved(key)] = _Unsaved(value, str(error))
    else:
        st.session_state.pop(_unsaved(key), None)
        # Even where the stored value is the same as before (blanks at its ends, say), show it.
        st.session_state.pop(f"stored in {key}", None)


def _unsaved(key: str) -> str:
    return f"unsaved in {key}"
