"""A new telling: its name, its order and its form."""

from __future__ import annotations

import streamlit as st

from pages.components import notices
from pages.components.frame.frame import OpenStory
from pages.components.notices import attempt, keep
from pages.components.words.messages import said
from pages.components.write.tellings import chosen, strings
from pages.serving.services import workbench
from store.models.desk.telling import Arrangement
from store.models.form import Form

_LONGEST = 80


def offer(opened: OpenStory, *, is_first: bool) -> None:
    """Let the writer make a telling; open at once if the story has none yet."""
    branch = opened.branch.id
    with st.expander(strings.NEW, icon=":material/add:", expanded=is_first):
        name, order, form = st.columns([2, 2, 1], vertical_alignment="bottom")
        name.text_input(
            strings.NAME,
            key=_key("name", branch),
            max_chars=_LONGEST,
            placeholder=strings.NAME_EXAMPLE,
            persist_state="session",
        )
        order.selectbox(
            strings.ORDER,
            workbench().tellings.possible(branch),
            format_func=lambda one: strings.ORDERS[one],
            key=_key("order", branch),
        )
        forms = list(Form)
        form.selectbox(
            strings.FORM,
            forms,
            forms.index(opened.story.brief.form),
            format_func=lambda one: said(one.spec.label),
            key=_key("form", branch),
        )
        st.caption(strings.MAKE_ABOUT)
        st.button(
            strings.MAKE,
            type="primary" if is_first else "secondary",
            key="make-telling",
            on_click=_make,
            args=(branch,),
        )


def _key(field: str, branch: str) -> str:
    return f"telling-{field}-{branch}"


def _make(branch: str) -> None:
    # As the fields are now: what was chosen just before may not have been drawn yet.
    chosen_order: Arrangement = st.session_state[_key("order", branch)]
    form: Form = st.session_state[_key("form", branch)]
    typed = str(st.session_state.get(_key("name", branch)) or "").strip()

    def make() -> None:
        name = typed or strings.ORDERS[chosen_order]
        made = workbench().tellings.make(branch, name, form, chosen_order)
        chosen.turn_to(branch, made.id)
        keep("done", strings.made(made.name))

    if attempt(make):
        st.session_state.pop(_key("name", branch), None)
        notices.stop_asking()
