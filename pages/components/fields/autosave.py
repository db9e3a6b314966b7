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
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from pages.components.fields import strings, unsaved
from pages.components.fields.unsaved import EDITION, Outcome
from pages.components.words import plain, problem_of, prose
from store.errors import ChangedElsewhere, LibraryUnavailable, StoreError

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


class _Problem(NamedTuple):
    words: str
    is_passing: bool = False
    """Whether the same may be saved later, as it is."""


class _Unsaved(NamedTuple):
    value: Any
    """Of the type that the widget returns."""
    problem: str


class _Conflict(NamedTuple):
    found: str
    """What was stored when the writer began to type."""
    theirs: str


class _Kept(NamedTuple):
    typed: Any
    stored: Any
    """What was stored for it; `_NOT_SEEN` until the page is next shown."""


_NOT_SEEN = object()


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


def shared_text_box(
    box: Box,
    stored: str,
    replace: Callable[[str, str], object],
    set_aside: Callable[[str], object] | None = None,
) -> None:
    """Show a field for a text that another window may be changing at the same time.

    `replace` is given the text that the writer began from and what it has become. If it raises
    `ChangedElsewhere`, the writer is shown both texts and chooses; nothing is saved before. A text
    that they give up is handed to `set_aside`.
    """
    bound = bind(box.key, stored)

    def save(typed: str) -> None:
        conflict: _Conflict | None = st.session_state.get(_conflict(box.key))
        kept: _Kept | None = st.session_state.get(_kept(box.key))
        is_own = kept is not None and kept.stored is _NOT_SEEN
        found = conflict.found if conflict else kept.typed if kept and is_own else bound.stored
        try:
            replace(found, typed)
        except ChangedElsewhere as moved:
            st.session_state[_conflict(box.key)] = _Conflict(found, moved.theirs)
            raise
        st.session_state.pop(_conflict(box.key), None)

    _text_field(box, bound, _keeper(box.key, bound, save, is_text=True))
    conflict: _Conflict | None = st.session_state.get(_conflict(box.key))
    if conflict is None:
        show_problem(box.key)
    else:
        _offer_both(box, conflict, replace, set_aside)


def session_text_box(box: Box, given: str = "") -> None:
    """Show a field whose text this session keeps under `box.key` until the page has used it.

    It begins with what is `given`.
    """

    def keep(text: str) -> None:
        st.session_state[box.key] = text
        unsaved.answer(box.key, text, "held")

    _field(box, given, box.key, lambda: keep(str(st.session_state.get(box.key) or "")), "session")
    unsaved.register(box.key, keep)


def _text_field(box: Box, bound: Bound[str], keep: Callable[[str], None]) -> None:
    def on_change() -> None:
        # A page that was left at once no longer has its fields; then the browser sends the text.
        if bound.key in st.session_state:
            keep(st.session_state[bound.key])

    _field(box, bound.value, bound.key, on_change)
    unsaved.register(bound.key, keep)


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


def _offer_both(
    box: Box,
    conflict: _Conflict,
    replace: Callable[[str, str], object],
    set_aside: Callable[[str], object] | None,
) -> None:
    mine = str(st.session_state[_unsaved(box.key)].value)

    def settle(save: Callable[[], object]) -> None:
        st.session_state.pop(_conflict(box.key), None)
        try:
            save()
        except ChangedElsewhere as moved:
            st.session_state[_conflict(box.key)] = _Conflict(conflict.theirs, moved.theirs)
            return
        st.session_state.pop(_unsaved(box.key), None)
        unsaved.answer(box.key, "", "dropped")

    with st.container(border=True, key=f"{box.key}-both"):
        st.markdown(f":orange[:material/call_split:] {strings.CHANGED_ELSEWHERE}")
        with st.expander(strings.THEIRS):
            st.markdown(prose(conflict.theirs) or f":gray[{strings.EMPTY}]")
        with st.container(horizontal=True):
            st.button(
                strings.KEEP_MINE,
                key=f"{box.key}-mine",
                on_click=lambda: settle(lambda: replace(conflict.theirs, mine)),
            )
            st.button(
                strings.TAKE_THEIRS,
                key=f"{box.key}-theirs",
                on_click=lambda: settle(lambda: set_aside and set_aside(mine)),
            )
        if set_aside is not None:
            st.caption(strings.NOTHING_IS_LOST)


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
    current = _current_key(key)
    shown = _shown(key, current, stored)
    if st.session_state.get(current, shown) != shown:
        st.session_state[_counter(key)] = int(st.session_state.get(_counter(key), 0)) + 1
        current = _current_key(key)
    return Bound(current, shown, stored)


def _shown(key: str, current: str, stored: T) -> T:
    held: _Unsaved | None = st.session_state.get(_unsaved(key))
    if held is not None:
        value: T = held.value
        return value
    kept: _Kept | None = st.session_state.get(_kept(key))
    if kept is None:
        return stored
    if kept.stored is _NOT_SEEN:
        kept = _Kept(kept.typed, stored)
    if current not in st.session_state or kept.stored != stored:
        del st.session_state[_kept(key)]
        return stored
    st.session_state[_kept(key)] = kept
    typed: T = kept.typed
    return typed


def saver(key: str, bound: Bound[T], save: Callable[[T], object]) -> Callable[[], None]:
    """Return the `on_change` of a bound widget, which saves the new value or keeps it unsaved."""
    keep = _keeper(key, bound, save)

    def on_change() -> None:
        if bound.key in st.session_state:
            keep(st.session_state[bound.key])

    return on_change


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

    def keep(value: T) -> None:
        if value == bound.value and bound.key != _current_key(key):
            # A browser that has not yet seen the new widget sends the old value along with
            # whatever was clicked: nobody typed it.
            return
        problem = _problem(lambda: save(value), is_text=is_text)
        if problem is None:
            st.session_state.pop(_unsaved(key), None)
            st.session_state[_kept(key)] = _Kept(value, _NOT_SEEN)
        else:
            st.session_state[_unsaved(key)] = _Unsaved(value, problem.words)
        if isinstance(value, str):
            unsaved.answer(bound.key, value, _outcome(problem, is_lasting=is_lasting))

    return keep


def _outcome(problem: _Problem | None, *, is_lasting: bool) -> Outcome:
    if problem is None:
        return "saved" if is_lasting else "held"
    return "later" if problem.is_passing else "held"


def _problem(save: Callable[[], object], *, is_text: bool) -> _Problem | None:
    try:
        save()
    except ValidationError as error:
        return _Problem(problem_of(error))
    except LibraryUnavailable as error:
        if is_text and error.is_passing:
            return _Problem(strings.saved_later(error.reason), is_passing=True)
        return _Problem(str(error))
    except (WorkbenchError, StoreError, ModelError) as error:
        return _Problem(str(error))
    return None


def changing(bound: Bound[T], act: Callable[[T], object]) -> Callable[[], None]:
    """Return the `on_change` of a bound widget, which calls `act` with its new value.

    A browser that lags behind may send what a widget showed before it was replaced, and Streamlit
    reports that as a change. The value that the widget was shown with is therefore ignored.
    """

    def on_change() -> None:
        value = st.session_state.get(bound.key, bound.value)
        if value != bound.value:
            act(value)

    return on_change


def show_problem(key: str) -> None:
    """Say why the value of a widget was not saved, if it was not."""
    held: _Unsaved | None = st.session_state.get(_unsaved(key))
    if held is not None:
        warn_not_saved(held.problem)


def warn_not_saved(problem: str) -> None:
    """Say why something was not saved. Plain text."""
    st.warning(strings.not_saved(plain(problem)), icon=":material/edit_off:")


def has_unsaved(prefix: str) -> bool:
    """Return whether a widget whose key starts with `prefix` holds an unsaved value."""
    return any(str(key).startswith(_unsaved(prefix)) for key in st.session_state)


def discard(prefix: str) -> None:
    """Discard what was typed into the session's fields whose keys start with `prefix`."""
    unsaved.answer(prefix, "", "dropped")


def forget_unsaved(prefix: str) -> None:
    """Discard the unsaved values of the widgets whose keys start with `prefix`."""
    for key in [key for key in st.session_state if str(key).startswith(_unsaved(prefix))]:
        del st.session_state[key]
    unsaved.answer(prefix, "", "dropped")


def _unsaved(key: str) -> str:
    return f"unsaved in {key}"


def _kept(key: str) -> str:
    return f"kept of {key}"


def _conflict(key: str) -> str:
    return f"two versions of {key}"


def _current_key(key: str) -> str:
    edition = int(st.session_state.get(_counter(key), 0))
    return f"{key}{EDITION}{edition}" if edition else key


def _counter(key: str) -> str:
    return f"edition of {key}"
