"""The branches of a story: where each began, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn

import streamlit as st

from pages.components import notices, places
from pages.components.frame import branch_switcher
from pages.components.frame.frame import OpenStory
from pages.components.graphs import compare, navigation
from pages.components.graphs.compare import Side
from pages.components.graphs.navigation import GraphName
from pages.components.history import merge, strings
from pages.components.notices import attempt
from pages.components.words import plain
from pages.serving.services import workbench
from store.models.story import Branch

_RENAME = "rename branch"
_STEP = "&emsp;"
_FROM = ":gray[:material/subdirectory_arrow_right:]"


def show(opened: OpenStory) -> None:
    """Show the branches as a tree, the open one marked."""
    st.header(strings.BRANCHES, anchor=False)
    if len(opened.branches) == 1:
        st.markdown(strings.ONLY_BRANCH)
    for depth, branch in tree(opened.branches):
        with st.container(border=True, key=f"branch-{branch.id}"):
            _branch(opened, branch, depth)
    _put_away_ones(opened)


def tree(branches: Sequence[Branch]) -> Iterator[tuple[int, Branch]]:
    """Yield the branches, each after its parent, with its depth below the first.

    One whose parent is put away stands among the first.
    """
    listed = {branch.id for branch in branches}
    children: dict[str | None, list[Branch]] = {}
    for branch in branches:
        children.setdefault(branch.parent if branch.parent in listed else None, []).append(branch)
    ahead = [(0, branch) for branch in reversed(children.get(None, []))]
    while ahead:
        depth, branch = ahead.pop()
        yield depth, branch
        ahead += [(depth + 1, child) for child in reversed(children.get(branch.id, []))]


def _branch(opened: OpenStory, branch: Branch, depth: int) -> None:
    is_open = branch.id == opened.branch.id
    mark = f" :blue-badge[{strings.BRANCH_OPEN}]" if is_open else ""
    lead = f"{_STEP * (depth - 1)}{_FROM} " if depth else ""
    st.markdown(f"{lead}**{plain(branch_switcher.name_of(branch))}**{mark}")
    start = branch_switcher.started(branch, opened.branches)
    if start:
        st.caption(f"{_STEP * depth}{plain(start)}")
    if notices.is_asked(_RENAME, branch.id):
        _ask_name(branch)
        return
    with st.container(horizontal=True):
        if not is_open:
            _act(
                strings.BRANCH_SWITCH,
                f"switch-{branch.id}",
                branch_switcher.turn_to,
                opened.story.id,
                branch.id,
            )
            if st.button(strings.BRANCH_COMPARE, key=f"compare-{branch.id}", type="tertiary"):
                _compare(opened, branch)
        if len(opened.branches) > 1:
            _act(strings.BRANCH_BRING, f"bring-{branch.id}", notices.ask, merge.BRING, branch.id)
        _act(strings.BRANCH_RENAME, f"rename-{branch.id}", notices.ask, _RENAME, branch.id)
        if branch.parent is not None:
            _act(
                strings.BRANCH_PUT_AWAY, f"put-away-{branch.id}", _put_away, branch.id, branch.name
            )


def _put_away(branch: str, name: str) -> None:
    if attempt(lambda: workbench().branches.put_away(branch)):
        notices.keep("done", strings.branch_put_away(name))


def _put_away_ones(opened: OpenStory) -> None:
    """Offer to bring branches back that were put away."""
    away = {one.id: one.name for one in workbench().branches.put_away_ones(opened.story.id)}
    if not away:
        return
    with st.container(border=True, key="branches-put-away"):
        st.markdown(f"**{strings.BRANCHES_PUT_AWAY}**")
        chosen = st.selectbox(
            strings.BRANCHES_PUT_AWAY,
            list(away),
            format_func=lambda one: away.get(one, "?"),
            label_visibility="collapsed",
            key="branch-put-away",
        )
        if st.button(strings.BRANCH_BRING_BACK, icon=":material/unarchive:", key="bring-branch"):
            notices.act(
                lambda: workbench().branches.bring_back(chosen),
                done=strings.branch_brought_back(away[chosen]),
            )


def _act(label: str, key: str, action: Callable[[str, str], None], *words: str) -> None:
    """Show an inconspicuous button that does something with a branch."""
    st.button(label, key=key, type="tertiary", on_click=action, args=words)


def _compare(opened: OpenStory, branch: Branch) -> NoReturn:
    plotted = workbench().branches.status(branch.id).plotted
    compare.put_side_by_side(
        Side(branch=opened.branch, chapter=opened.status.plotted),
        Side(branch=branch, chapter=plotted),
    )
    navigation.turn_to(GraphName.COMPARE)
    places.go("graphs")


def _ask_name(branch: Branch) -> None:
    key = f"new-name-{branch.id}"
    with st.form(f"rename-{branch.id}"):
        st.text_input(strings.BRANCH_NAME, branch.name, key=key, max_chars=80)
        with st.container(horizontal=True):
            st.form_submit_button(
                strings.BRANCH_SAVE_NAME, type="primary", on_click=_rename, args=(branch, key)
            )
            st.form_submit_button(strings.NEVER_MIND, type="tertiary", on_click=notices.stop_asking)


def _rename(branch: Branch, key: str) -> None:
    name = str(st.session_state.get(key) or "")
    if attempt(lambda: workbench().library.rename_branch(branch.id, name)):
        notices.stop_asking()
