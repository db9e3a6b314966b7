"""What a model and a key are: a step at the first start, and again in Settings."""

from __future__ import annotations

import streamlit as st

from pages.components import places
from pages.components.library import strings
from pages.components.notices import act
from pages.serving.services import workbench
from store.models.base import Record

_SETTING = "first start"


class FirstStart(Record):
    """What a writer has seen of the first start."""

    is_over: bool = False


def offer() -> None:
    """Show the step once: at the first start, if the writer has no model but the sample model.

    It is left out where a site provides the models.
    """
    models, library = workbench().models, workbench().library
    if models.of_site is not None or not library.is_untouched or not models.chip().is_embedded:
        return
    if (library.read_setting(_SETTING, FirstStart) or FirstStart()).is_over:
        return
    with st.container(border=True, key="setup"):
        st.subheader(strings.SETUP, anchor=False)
        explain()
        with st.container(horizontal=True):
            if st.button(strings.SETUP_CONNECT, icon=":material/cable:", key="setup-connect"):
                _end()
                places.go("settings")
            if st.button(strings.SETUP_SKIP, icon=":material/arrow_forward:", key="setup-skip"):
                act(_end)


def explain_again() -> None:
    """Show, folded, what the step said."""
    with st.expander(strings.SETUP_AGAIN, icon=":material/help:", key="setup-again"):
        explain(columns=1)


def explain(columns: int = 2) -> None:
    """Say what models, keys and costs are, in so many columns."""
    st.markdown(strings.SETUP_ABOUT)
    parts = strings.SETUP_PARTS
    for start in range(0, len(parts), columns):
        for column, part in zip(st.columns(columns, gap="large"), parts[start:], strict=False):
            icon, headline, words = part
            with column:
                st.markdown(f"{icon} **{headline}**  \n{words}")


def _end() -> None:
    workbench().library.change_setting(_SETTING, FirstStart(), lambda _: FirstStart(is_over=True))
