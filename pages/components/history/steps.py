"""The steps on a branch, newest first, with undo and redo, and what each changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import streamlit as st

from graph_flow.views import ChangeLine, History, Step
from pages.components import words
from pages.components.frame import branch_switcher
from pages.components.frame.frame import OpenStory
from pages.components.history import begin, strings
from pages.components.notices import attempt, keep
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.story import Commit

_LINES = 3
_FIRST = 8
_ICONS: Mapping[strings.Direction, str] = {"undo": ":material/undo:", "redo": ":material/redo:"}


def undo_and_redo(opened: OpenStory, history: History) -> None:
    """Show what can be undone and redone, with a button for each."""
    branch = opened.branch.id
    with st.container(key="undo-redo"):
        _offer("undo", history.undo, lambda: workbench().branches.undo(branch))
        _offer("redo", history.redo, lambda: workbench().branches.redo(branch))
    st.caption(strings.NOTHING_IS_LOST)


def show(opened: OpenStory, history: History) -> None:
    """Show the steps of the branch, and for each plotted chapter what can begin there."""
    if not history.entries:
        st.markdown(_nothing_yet(opened))
        return
    now = datetime.now(UTC)
    newest_plotted: set[int] = set()
    key = f"all steps of {opened.branch.id}"
    is_whole = bool(st.session_state.get(key)) or len(history.entries) <= _FIRST + 1
    for step in history.entries if is_whole else history.entries[:_FIRST]:
        is_newest = step.is_chapter and not step.is_undone and step.chapter not in newest_plotted
        if is_newest:
            newest_plotted.add(step.chapter)
        with st.container(border=True, key=f"step-{step.commit}"):
            _step(step, now)
            if is_newest:
                begin.offer(opened, step.chapter, "step")
    if not is_whole:
        earlier = strings.show_earlier_steps(len(history.entries) - _FIRST)
        st.button(earlier, key="earlier-steps", on_click=_show_all, args=(key,))


def _show_all(key: str) -> None:
    st.session_state[key] = True


def _offer(direction: strings.Direction, what: str | None, action: Callable[[], Commit]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            strings.STEP_BUTTONS[direction],
            icon=_ICONS[direction],
            key=direction,
            disabled=what is None,
            on_click=_do,
            args=(direction, what, action),
        )
        if what is not None:
            st.markdown(plain(said(what)), width="stretch")
        else:
            st.markdown(f":gray[{strings.NO_STEP[direction]}]", width="stretch")


def _do(direction: strings.Direction, what: str, action: Callable[[], Commit]) -> None:
    # In a callback: if another window was faster, the button may be gone.
    if attempt(action):
        keep("done", strings.step_done(direction, said(what)))


def _step(step: Step, now: datetime) -> None:
    title = f" · {plain(step.title)}" if step.title else ""
    undone = f" :gray-badge[{strings.STEP_UNDONE}]" if step.is_undone else ""
    if step.is_chapter:
        heading = f"**{strings.chapter(step.chapter)}**{title}"
    else:
        heading = f"**{plain(said(step.kind))}** · {strings.starting_point(step.chapter)}"
    st.markdown(f"{heading}{undone} :gray[:small[· {words.touched(step.when, now)}]]")
    show_changes(step.changes, _LINES, key=f"step-{step.commit}")


def _nothing_yet(opened: OpenStory) -> str:
    if opened.branch.parent is None:
        return strings.NO_STEPS
    return strings.no_steps_on_branch(plain(branch_switcher.name_of(opened.branch)))


def show_changes(changes: Sequence[ChangeLine], most: int, key: str) -> None:
    """Show changes, with those beyond `most` folded; `key` identifies this list on the page."""
    if not changes:
        return
    st.markdown(_lines(changes[:most]))
    rest = changes[most:]
    if rest:
        folded = st.expander(
            strings.more_changes(len(rest)),
            type="compact",
            on_change="rerun",
            key=f"more-of-{key}",
        )
        with folded:
            if folded.open:
                st.markdown(_lines(rest[:_MOST_AT_ALL]))
                if len(rest) > _MOST_AT_ALL:
                    st.caption(strings.changes_left_out(len(rest) - _MOST_AT_ALL))


_MOST_AT_ALL = 200


def _lines(changes: Sequence[ChangeLine]) -> str:
    return "  \n".join(f"{plain(line.mark)} {plain(said(line.text))}" for line in changes)
