"""Rewording a candidate before it is chosen; the agents' own stays beside it."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import CandidateView
from pages.components.notices import attempt
from pages.components.services import workbench
from pages.components.text import plain
from store.models.plot import Event
from store.models.proposals import Candidate

_OPEN = "candidate being edited"


def is_open(candidate_id: str) -> bool:
    """Return whether the writer is editing this candidate."""
    return bool(st.session_state.get(_OPEN) == candidate_id)


def offer(candidate_id: str) -> None:
    """Show the button that opens the editor."""
    st.button(
        "Edit",
        key=f"edit-{candidate_id}",
        icon=":material/edit:",
        on_click=_turn_to,
        args=(candidate_id,),
    )


def show(view: CandidateView) -> None:
    """Show the title and each thing that happens to reword; what is typed stays until it is saved."""
    candidate = view.candidate
    title = f"title-{candidate.id}"
    st.text_input("Title", candidate.title, key=title, persist_state="session")
    for event in events_of(candidate):
        key = _event_key(candidate, event)
        st.text_area(
            plain(event.title), event.summary, key=key, height="content", persist_state="session"
        )
    with st.container(horizontal=True):
        if st.button("Save as a candidate of mine", key=f"save-{candidate.id}"):
            _save(candidate, title)
        st.button("Cancel", key=f"cancel-{candidate.id}", on_click=_turn_to, args=(None,))


def events_of(candidate: Candidate) -> list[Event]:
    """Return what happens in a candidate, in order."""
    events = [entity for entity in candidate.delta.additions() if isinstance(entity, Event)]
    return sorted(events, key=lambda event: event.position)


def _save(candidate: Candidate, title: str) -> None:
    texts = {
        event.id: st.session_state[_event_key(candidate, event)] for event in events_of(candidate)
    }
    if attempt(lambda: workbench().edit_candidate(candidate.id, st.session_state[title], texts)):
        _turn_to(None)
    st.rerun()


def _event_key(candidate: Candidate, event: Event) -> str:
    return f"happens-{candidate.id}-{event.id}"


def _turn_to(candidate_id: str | None) -> None:
    st.session_state[_OPEN] = candidate_id
