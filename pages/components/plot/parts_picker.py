"""Combine parts of several candidates: tick lines, and preview the candidate they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from graph_flow.views import CandidateView
from graph_flow.workbench.plot import Parts
from pages.components.fields import autosave
from pages.components.fields.autosave import Box, bind, changing
from pages.components.notices import attempt, keep
from pages.components.plot import strings
from pages.serving.services import workbench
from store.models.run import Question

Body = Callable[[CandidateView], None]


class PartsPicker:
    """The lines taken from one chapter's candidates in this window."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._memory = f"parts taken of {question.branch} {question.chapter}"
        self._mode = f"taking-parts-{question.branch}-{question.chapter}"

    @property
    def is_open(self) -> bool:
        """Whether the lines have checkboxes."""
        return bool(st.session_state.get(self._mode))

    def offer(self) -> None:
        """Show the switch that turns the checkboxes on and off."""
        st.toggle(
            strings.PARTS_TAKE,
            key=self._mode,
            persist_state="session",
            help=strings.PARTS_TAKE_HELP,
        )

    def tick(self, candidate_id: str, entity_id: str, words: str) -> None:
        """Show a line with a checkbox; `words` are Markdown."""
        is_taken = entity_id in self._taken().get(candidate_id, ())
        bound = bind(f"take-{candidate_id}-{entity_id}", is_taken)

        def take(value: bool) -> None:
            self._take(candidate_id, entity_id, is_taken=value)

        st.checkbox(words, bound.value, key=bound.key, on_change=changing(bound, take))

    def parts(self, order: Sequence[str]) -> Parts:
        """Return the lines taken, by candidate, in the given order."""
        taken = self._taken()
        return {id_: tuple(taken[id_]) for id_ in order if taken.get(id_)}

    def show(self, order: Sequence[str], body: Body) -> None:
        """Show, with `body`, the candidate made of the parts so far, and the bar that saves it."""
        parts = self.parts(order)
        if not self.is_open or not parts:
            return
        question = self._question
        title = f"title-of-parts-{question.branch}-{question.chapter}"
        named = str(st.session_state.get(title) or "")
        view = workbench().plot.preview(question.branch, question.chapter, parts, named)
        with st.container(border=True, key="parts-card"):
            st.markdown(f"##### {strings.PARTS_TAKEN}")
            autosave.session_text_box(
                Box(title, strings.PARTS_TITLE, placeholder=view.candidate.title)
            )
            body(view)
        self._bar(parts, title)

    def _bar(self, parts: Parts, title: str) -> None:
        lines = sum(map(len, parts.values()))
        with st.container(horizontal=True, vertical_alignment="center", key="parts-bar"):
            st.markdown(strings.parts_count(lines, len(parts)), width="content")
            st.button(
                strings.PARTS_COMBINE,
                key="make-of-parts",
                icon=":material/add_notes:",
                on_click=self._make,
                args=(parts, title),
            )
            st.button(strings.PARTS_CLEAR, key="clear-parts", type="tertiary", on_click=self._clear)

    def _make(self, parts: Parts, title: str) -> None:
        question, named = self._question, str(st.session_state.get(title) or "")

        def combine() -> None:
            made = workbench().plot.combine(question.branch, question.chapter, parts, named)
            keep("done", strings.parts_combined(made.title))

        if attempt(combine):
            self._clear()
            st.session_state[self._mode] = False
            st.session_state[title] = ""

    def _clear(self) -> None:
        st.session_state[self._memory] = {}

    def _taken(self) -> dict[str, list[str]]:
        taken: dict[str, list[str]] = st.session_state.get(self._memory, {})
        return taken

    def _take(self, candidate_id: str, entity_id: str, *, is_taken: bool) -> None:
        others = [one for one in self._taken().get(candidate_id, ()) if one != entity_id]
        now = [*others, entity_id] if is_taken else others
        st.session_state[self._memory] = {**self._taken(), candidate_id: now}
