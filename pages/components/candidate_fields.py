"""The fields of one line of a candidate, to be put otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from graph_flow.plot.rewording import REWORDABLE
from pages.components.wording import LIVES
from store.models.cast import Life
from store.models.delta import Change
from store.models.prototype import AnyEntity

_LABELS = {
    "title": "Title",
    "summary": "What happens",
    "strength": "How strong, 1 to 10",
    "reason": "Why",
    "description": "What it is about",
    "life": "Whether they live",
}
_LONG = frozenset({"summary", "reason", "motivation", "personality", "secrets", "status"})


def show_field(entity: AnyEntity, field: str, key: str) -> None:
    """Show a field with what an agent wrote in it; what is typed stays as long as the key does."""
    value = getattr(entity, field)
    label = label_of(field)
    if isinstance(value, Life):
        lives = list(Life)
        st.selectbox(
            label,
            lives,
            index=lives.index(value),
            key=key,
            format_func=lambda life: LIVES[life],
            persist_state="session",
        )
    elif isinstance(value, int):
        st.number_input(label, 1, 10, value, key=key, persist_state="session")
    elif field in _LONG:
        st.text_area(label, value, key=key, height="content", persist_state="session")
    else:
        st.text_input(label, value, key=key, persist_state="session")


def is_long(field: str) -> bool:
    """Return whether a field holds sentences."""
    return field in _LONG


def label_of(field: str) -> str:
    """Return what a writer calls a field."""
    return _LABELS.get(field, field.replace("_", " ").capitalize())


def fields_of(change: Change | None) -> Iterator[tuple[AnyEntity, str]]:
    """Yield what of a change can be put otherwise: of a change what it changes, else what it says."""
    if change is None or change.after is None:
        return
    allowed = REWORDABLE.get(change.kind, frozenset())
    for field in type(change.after).model_fields:
        is_told = field in change.fields if change.before else bool(getattr(change.after, field))
        if field in allowed and (is_told or field in {"strength", "reason"}):
            yield change.after, field
