"""The branch chip: which branch of the story this window is on, and a way to switch."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import streamlit as st

from pages.components import places
from pages.components.fields.autosave import bind, changing
from pages.components.frame import strings
from pages.components.notices import attempt
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.story import Branch


def find(story_id: str, branches: Sequence[Branch]) -> Branch:
    """Return the branch that this window is on; by default, the story's open one."""
    asked = places.open_branch_id(story_id)
    found = next((branch for branch in branches if branch.id == asked), None)
    if asked is not None and found is None:
        places.forget_branch(story_id)
        st.warning(strings.BRANCH_UNKNOWN)
    branch = found or workbench().library.open_branch(story_id)
    places.keep_branch(story_id, branch.id, is_only_one=len(branches) == 1)
    return branch


def show(opened: Branch, branches: Sequence[Branch]) -> None:
    """Show the branch; if there are several, let the writer choose among them."""
    if len(branches) == 1:
        with st.container(horizontal=True, key="branch-chip"):
            # Not a badge element: that one escapes a label once more.
            st.markdown(f":gray-badge[:material/alt_route: {plain(name_of(opened))}]")
        return
    names = {branch.id: label(branch, branches) for branch in branches}
    # Browsers remember a choice by its label, so a changed name needs a new widget.
    called = zlib.crc32("\n".join(names.values()).encode())
    switch = bind(f"branch-{opened.story}-{called:x}", opened.id)
    st.selectbox(
        strings.BRANCH,
        list(names),
        index=list(names).index(switch.value),
        key=switch.key,
        format_func=lambda id_: names.get(id_, "?"),
        icon=":material/alt_route:",
        on_change=changing(switch, lambda branch_id: turn_to(opened.story, branch_id)),
    )


def turn_to(story_id: str, branch_id: str) -> None:
    """Switch to another branch, in this window and in those opened later."""
    if attempt(lambda: workbench().library.switch_branch(story_id, branch_id)):
        places.keep_branch(story_id, branch_id)


def name_of(branch: Branch) -> str:
    """Return what a branch is called; as long as the writer has not named the first one, that is ours."""
    return said(branch.name) if branch.parent is None else branch.name


def label(branch: Branch, branches: Sequence[Branch]) -> str:
    """Return a branch's name and where it starts. Not Markdown."""
    start = started(branch, branches)
    return f"{name_of(branch)} · {start}" if start else name_of(branch)


def started(branch: Branch, branches: Sequence[Branch]) -> str:
    """Say where a branch leaves its parent; empty for the story's first branch."""
    if branch.parent is None:
        return ""
    names = (name_of(one) for one in branches if one.id == branch.parent)
    return strings.branch_start(branch.fork_chapter, next(names, strings.BRANCH_PARENT_UNKNOWN))
