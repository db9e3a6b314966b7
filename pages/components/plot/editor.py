"""Edit a candidate line by line before it is chosen; the agents' original is kept beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.plot.rewording import REWORDABLE, CandidateEdit, Value
from graph_flow.views import CandidateView, CardLine
from pages.components import words
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.editing import with_fields
from pages.components.fields.keeping import warn_not_saved
from pages.components.plot import strings
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.errors import StoreError
from store.models.cast import Life
from store.models.delta import Change
from store.models.fields import shown
from store.models.prototype import AnyEntity

_OPEN = "candidate being edited"
_IN_A_ROW = 3


def is_open(candidate_id: str) -> bool:
    """Return whether the writer is editing this candidate."""
    return bool(st.session_state.get(_OPEN) == candidate_id)


def offer(candidate_id: str) -> None:
    """Show the button that opens the editor."""
    st.button(
        strings.EDIT,
        key=f"edit-{candidate_id}",
        icon=":material/edit:",
        on_click=_turn_to,
        args=(candidate_id,),
    )


def show(view: CandidateView) -> None:
    """Show each line to reword or strike out; what is typed is kept until it is saved."""
    editor = _Editor(view)
    autosave.session_text_box(Box(editor.key("title"), strings.EDIT_TITLE), view.candidate.title)
    sections = (
        (strings.HAPPENINGS, view.happenings),
        (strings.PEOPLE, view.people),
        (strings.THREADS, view.threads),
        (strings.EDIT_REST, view.rest),
    )
    for title, lines in sections:
        if lines:
            st.markdown(f"**{title}**")
        for line in lines:
            editor.edit(line)
    editor.show_problem()
    with st.container(horizontal=True, key="editor-foot"):
        candidate_id = view.candidate.id
        st.button(
            strings.EDIT_SAVE,
            key=f"save-{candidate_id}",
            icon=":material/save:",
            on_click=editor.save,
        )
        st.button(strings.EDIT_CANCEL, key=f"cancel-{candidate_id}", on_click=editor.close)


class _Editor:
    """One candidate that is being edited in this window."""

    def __init__(self, view: CandidateView) -> None:
        self._candidate = view.candidate
        self._lines: Sequence[CardLine] = (
            *(*view.happenings, *view.people),
            *(*view.threads, *view.rest),
        )
        self._changes = {change.id: change for change in view.candidate.delta.changes}
        self._struck_key = f"lines struck out of {view.candidate.id}"
        self._problem_key = f"problems with edits of {view.candidate.id}"
        self._edition_key = f"edition of edits of {view.candidate.id}"

    def key(self, *parts: str) -> str:
        """Return the key of a field, which changes each time the editor is closed."""
        edition = st.session_state.get(self._edition_key, 0)
        return "-".join(("rework", self._candidate.id, str(edition), *parts))

    def edit(self, line: CardLine) -> None:
        """Show a line with its fields, or struck out."""
        if line.id in self._struck:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f":gray[~~{plain(line.title or said(line.text))}~~]")
                self._button(strings.PUT_BACK, ":material/undo:", line)
            return
        change = self._changes.get(line.id)
        with st.container(border=True, gap="xsmall"):
            if not line.title:
                st.caption(f"{plain(line.mark)} {plain(said(line.text))}".strip())
            fields = list(fields_of(change))
            for start in range(0, len(fields), _IN_A_ROW):
                row = fields[start : start + _IN_A_ROW]
                # Sentences get more room than a name or a number.
                widths = [2 if shown(entity, field).is_long else 1 for entity, field in row]
                for column, (entity, field) in zip(st.columns(widths), row, strict=True):
                    with column:
                        show_field(entity, field, self.key(entity.id, field))
            self.show_problem(line.id)
            self._button(strings.STRIKE_OUT, ":material/format_strikethrough:", line)

    def save(self) -> None:
        """Save the result as the writer's own candidate; if it is invalid, keep what was typed."""
        values = {line.id: dict(self._values(line.id)) for line in self._lines}
        problems = dict(self._problems(values))
        if not problems:
            rework = CandidateEdit(
                title=str(st.session_state[self.key("title")]),
                values=values,
                struck=frozenset(self._struck),
            )
            try:
                workbench().plot.edit_candidate(self._candidate.id, rework)
            except ValidationError as error:
                problems = {"": strings.title_problem(words.problem_of(error))}
            except (StoreError, WorkbenchError) as error:
                problems = {"": str(error)}
        if problems:
            st.session_state[self._problem_key] = problems
        else:
            self.close()

    def show_problem(self, entity_id: str = "") -> None:
        """Say why a line, or the whole candidate, could not be saved."""
        problem = st.session_state.get(self._problem_key, {}).get(entity_id)
        if problem:
            warn_not_saved(problem)

    def close(self) -> None:
        """Close the editor and discard what was typed."""
        st.session_state.pop(self._struck_key, None)
        st.session_state.pop(self._problem_key, None)
        autosave.discard(self.key())
        st.session_state[self._edition_key] = st.session_state.get(self._edition_key, 0) + 1
        _turn_to(None)

    @property
    def _struck(self) -> set[str]:
        return set(st.session_state.get(self._struck_key, ()))

    def _strike(self, entity_id: str) -> None:
        st.session_state[self._struck_key] = sorted(self._struck ^ {entity_id})

    def _button(self, label: str, icon: str, line: CardLine) -> None:
        st.button(
            label,
            key=f"strike-{self._candidate.id}-{line.id}",
            icon=icon,
            type="tertiary",
            on_click=self._strike,
            args=(line.id,),
        )

    def _problems(self, values: Mapping[str, Mapping[str, Value]]) -> Iterator[tuple[str, str]]:
        """Yield the ids of lines with an invalid value, each with the reason."""
        for id_, given in values.items():
            entity = self._changes[id_].after if id_ in self._changes else None
            if entity is None or id_ in self._struck:
                continue
            try:
                with_fields(entity, **given)
            except ValidationError as error:
                field = str(error.errors()[0]["loc"][0])
                yield (
                    id_,
                    strings.field_problem(
                        said(shown(entity, field).label), words.problem_of(error)
                    ),
                )

    def _values(self, entity_id: str) -> Iterator[tuple[str, Value]]:
        """Yield the fields of a line that the writer has changed."""
        for entity, field in fields_of(self._changes.get(entity_id)):
            typed = st.session_state.get(self.key(entity.id, field))
            if typed is not None and typed != getattr(entity, field):
                yield field, typed


def _turn_to(candidate_id: str | None) -> None:
    st.session_state[_OPEN] = candidate_id


def show_field(entity: AnyEntity, field: str, key: str) -> None:
    """Show a field filled with the agent's value; what is typed lasts as long as the key."""
    value = getattr(entity, field)
    known = shown(entity, field)
    label = said(known.label)
    if isinstance(value, Life):
        lives = list(Life)
        st.selectbox(
            label,
            lives,
            index=lives.index(value),
            key=key,
            format_func=lambda life: words.LIVES[life],
            persist_state="session",
        )
    elif isinstance(value, int):
        st.number_input(label, 1, 10, value, key=key, persist_state="session")
    else:
        height: Literal["content"] | None = "content" if known.is_long else None
        autosave.session_text_box(Box(key, label, height), str(value))


def fields_of(change: Change | None) -> Iterator[tuple[AnyEntity, str]]:
    """Yield the editable fields of a change: those it changes, or those filled in a new entity."""
    if change is None or change.after is None:
        return
    allowed = REWORDABLE[change.kind]
    for field in type(change.after).model_fields:
        is_given = field in change.fields if change.before else bool(getattr(change.after, field))
        if field in allowed and (is_given or field in {"strength", "reason"}):
            yield change.after, field
