"""Bring one branch into another: what would change, and what the writer has to decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from graph_flow.views import MergeQuestion, MergeView
from pages.components import notices
from pages.components.fields.autosave import bind
from pages.components.frame import branch_switcher
from pages.components.frame.frame import OpenStory
from pages.components.history import steps, strings
from pages.components.notices import attempt, keep
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.story import Branch

BRING = "bring branch into another"
_LINES = 10

Side = Literal["ours", "theirs"]


def show(opened: OpenStory) -> None:
    """Show the panel if the writer asked for it."""
    asked = notices.subject(BRING)
    source = next((one for one in opened.branches if one.id == asked), None)
    if source is None or len(opened.branches) == 1:
        return
    with st.container(border=True, key="merge"):
        st.subheader(strings.merge_heading(plain(branch_switcher.name_of(source))), anchor=False)
        target = _choose_target(opened, source)
        view = workbench().branches.merge_preview(source.id, target.id)
        if not (view.changes or view.questions or view.is_straight):
            st.markdown(
                strings.merge_brings_nothing(
                    plain(branch_switcher.name_of(source)), plain(branch_switcher.name_of(target))
                )
            )
            st.button(strings.MERGE_OK, key="merge-nothing", on_click=notices.stop_asking)
            return
        _preview(view, source, target)
        answers = {
            question.key: answer
            for question in view.questions
            if (answer := _ask(question, source, target)) is not None
        }
        _finish(view.questions, answers, source, target)


def _choose_target(opened: OpenStory, source: Branch) -> Branch:
    others = {branch.id: branch for branch in opened.branches if branch.id != source.id}
    first = opened.branch.id if opened.branch.id in others else source.parent
    choice = bind(f"merge-into-{source.id}-{len(others)}", first or next(iter(others)))
    chosen = st.selectbox(
        strings.MERGE_INTO,
        list(others),
        index=list(others).index(choice.value),
        format_func=lambda id_: branch_switcher.label(others[id_], opened.branches),
        key=choice.key,
    )
    return others[chosen or choice.value]


def _preview(view: MergeView, source: Branch, target: Branch) -> None:
    into = plain(branch_switcher.name_of(target))
    if view.is_straight:
        st.markdown(strings.merge_is_straight(into))
    st.markdown(f"**{strings.merge_changes(into)}**")
    steps.show_changes(view.changes, _LINES, key="merge")
    if not view.changes:
        st.markdown(f":gray[{strings.MERGE_ONLY_DECISIONS}]")
    for line in view.kept:
        st.markdown(f":orange[:material/lock:] {plain(said(line))}")
    st.caption(strings.merge_can_be_undone(plain(branch_switcher.name_of(source)), into))


def _ask(question: MergeQuestion, source: Branch, target: Branch) -> Side | None:
    sides: Mapping[Side, str] = {
        "ours": f"{plain(said(question.ours))} :gray[{strings.merge_as_on(plain(branch_switcher.name_of(target)))}]",
        "theirs": f"{plain(said(question.theirs))} :gray[{strings.merge_as_on(plain(branch_switcher.name_of(source)))}]",
    }
    return st.radio(
        f"**{plain(said(question.text))}**  \n:gray[{strings.merge_before(plain(said(question.base)))}]",
        list(sides),
        index=None,
        format_func=sides.__getitem__,
        key=f"merge-{source.id}-{target.id}-{question.key}",
        persist_state="session",
    )


def _finish(
    questions: Sequence[MergeQuestion], answers: Mapping[str, Side], source: Branch, target: Branch
) -> None:
    left = len(questions) - len(answers)
    if questions:
        st.caption(strings.merge_questions_left(left))
    with st.container(horizontal=True):
        st.button(
            strings.merge_do(plain(branch_switcher.name_of(target))),
            type="primary",
            icon=":material/merge:",
            key="do-merge",
            disabled=bool(left),
            on_click=_merge,
            args=(source, target, dict(answers)),
        )
        st.button(strings.NEVER_MIND, type="tertiary", key="no-merge", on_click=notices.stop_asking)


def _merge(source: Branch, target: Branch, answers: Mapping[str, Side]) -> None:
    if attempt(lambda: workbench().branches.merge(source.id, target.id, answers)):
        notices.stop_asking()
        branch_switcher.turn_to(target.story, target.id)
        keep(
            "done", strings.merged(branch_switcher.name_of(source), branch_switcher.name_of(target))
        )
