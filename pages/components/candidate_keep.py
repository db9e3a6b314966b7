"""Keeping a candidate as a branch: what if the story had gone this way?"""

from __future__ import annotations

import streamlit as st

from pages.components import asking
from pages.components.notices import attempt, keep
from pages.components.services import workbench
from pages.components.text import plain
from store.models.proposals import Candidate

_QUESTION = "keep as a branch"
_LONGEST = 80


def is_open(candidate: Candidate) -> bool:
    """Return whether the writer is asked for a name."""
    return asking.is_asked(_QUESTION, candidate.id)


def offer(candidate: Candidate) -> None:
    """Show the button that asks for a name."""
    st.button(
        "Keep as a branch",
        key=f"keep-{candidate.id}",
        icon=":material/alt_route:",
        type="tertiary",
        on_click=asking.ask,
        args=(_QUESTION, candidate.id),
    )


def ask_name(candidate: Candidate, branch_id: str) -> None:
    """Ask what the branch is to be called, and keep the candidate on it."""
    key = f"keep-name-{candidate.id}"
    with st.form(f"keep-form-{candidate.id}"):
        st.text_input("Name of the branch", _free_name(candidate, branch_id), key=key)
        st.caption(
            f"On a branch of its own, “{plain(candidate.title)}” becomes chapter "
            f"{candidate.chapter}. Here nothing changes."
        )
        with st.container(horizontal=True):
            st.form_submit_button("Keep", on_click=_keep, args=(candidate, branch_id, key))
            st.form_submit_button("Never mind", type="tertiary", on_click=asking.put_away)


def _free_name(candidate: Candidate, branch_id: str) -> str:
    story = workbench().desk(branch_id).story.id
    taken = {branch.name.casefold() for branch in workbench().branches(story)}
    wanted = " ".join(candidate.title.split())[:_LONGEST]
    names = [wanted, *(f"{wanted[: _LONGEST - 6]} ({count})" for count in range(2, len(taken) + 3))]
    return next(name for name in names if name.casefold() not in taken)


def _keep(candidate: Candidate, branch_id: str, key: str) -> None:
    name = str(st.session_state.get(key) or "")
    if attempt(lambda: workbench().keep_as_branch(candidate.id, name, branch_id)):
        asking.put_away()
        keep(
            "done",
            f"“{' '.join(name.split())}” is a branch now. Turn to it at the top of the sidebar.",
        )
