"""Cards of a draft's people or events, of which one at a time is open for editing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st

from pages.components import notices
from pages.components.fields.fields import lock_toggle
from pages.components.premise.draft import PremiseDraft
from store.models.base import WHOLE
from store.models.cast import Character
from store.models.plot import Event

E = TypeVar("E", Character, Event)


@dataclass(frozen=True)
class Cards(Generic[E]):
    """What the cards of one kind are made of; `kind` names them in widgets' keys."""

    draft: PremiseDraft
    kind: str
    read: Callable[[E], None]
    edit: Callable[[E], None]
    edit_label: Callable[[E], str]

    def show(self, entity: E) -> None:
        """Show a card with ways to edit and lock it, or its fields if it is the open one."""
        with st.container(border=True, key=f"{self.kind}-{entity.id}"):
            if st.session_state.get(_open(self.draft, self.kind)) == entity.id:
                self.edit(entity)
                return
            self.read(entity)
            with st.container(horizontal=True, horizontal_alignment="distribute"):
                st.button(
                    self.edit_label(entity),
                    key=f"{self.draft.key}-edit-{entity.id}",
                    icon=":material/edit:",
                    type="tertiary",
                    on_click=turn_to,
                    args=(self.draft, self.kind, entity.id),
                )
                lock_toggle(
                    entity,
                    WHOLE,
                    lambda locked: self.draft.change(entity.id, locked=locked),
                    key=f"{self.draft.key}-lock",
                )


def done_button(draft: PremiseDraft, kind: str, entity: Character | Event, label: str) -> None:
    """Show the button that closes the open card."""
    st.button(
        label, key=f"{draft.key}-done-{entity.id}", on_click=turn_to, args=(draft, kind, None)
    )


def turn_to(draft: PremiseDraft, kind: str, entity: str | None) -> None:
    """Open the card of the entity with this id, or none."""
    notices.stop_asking()
    st.session_state[_open(draft, kind)] = entity


def _open(draft: PremiseDraft, kind: str) -> str:
    return f"open {kind} of {draft.key}"
