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
from pages.components.history import steps
from pages.components.notices import attempt, keep
from pages.components.services import workbench
from pages.components.words import counted, plain
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
        st.subheader(f"Bring “{plain(source.name)}” into another branch", anchor=False)
        target = _choose_target(opened, source)
        view = workbench().branches.merge_preview(source.id, target.id)
        if not (view.changes or view.questions or view.is_straight):
            st.markdown(
                f"“{plain(source.name)}” has nothing that “{plain(target.name)}” does not have."
            )
            st.button("OK", key="merge-nothing", on_click=notices.stop_asking)
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
        "Into",
        list(others),
        index=list(others).index(choice.value),
        format_func=lambda id_: branch_switcher.label(others[id_], opened.branches),
        key=choice.key,
    )
    return others[chosen or choice.value]


def _preview(view: MergeView, source: Branch, target: Branch) -> None:
    into = plain(target.name)
    if view.is_straight:
        st.markdown(f"“{into}” has not changed since, so the chapters come over unchanged.")
    st.markdown(f"**What changes on “{into}”**")
    steps.show_changes(view.changes, _LINES, key="merge")
    if not view.changes:
        st.markdown(":gray[Only what you decide here.]")
    for line in view.kept:
        st.markdown(f":orange[:material/lock:] {plain(line)}")
    st.caption(f"“{plain(source.name)}” stays as it is, and this can be undone on “{into}”.")


def _ask(question: MergeQuestion, source: Branch, target: Branch) -> Side | None:
    sides: Mapping[Side, str] = {
        "ours": f"{plain(question.ours)} :gray[— as on {plain(target.name)}]",
        "theirs": f"{plain(question.theirs)} :gray[— as on {plain(source.name)}]",
    }
    return st.radio(
        f"**{plain(question.text)}**  \n:gray[it was: {plain(question.base)}]",
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
        rest = f"{counted(left, 'question', 'questions')} left to decide."
        st.caption(rest if left else "Everything is decided.")
    with st.container(horizontal=True):
        st.button(
            f"Bring into “{plain(target.name)}”",
            type="primary",
            icon=":material/merge:",
            key="do-merge",
            disabled=bool(left),
            on_click=_merge,
            args=(source, target, dict(answers)),
        )
        st.button("Never mind", type="tertiary", key="no-merge", on_click=notices.stop_asking)


def _merge(source: Branch, target: Branch, answers: Mapping[str, Side]) -> None:
    if attempt(lambda: workbench().branches.merge(source.id, target.id, answers)):
        notices.stop_asking()
        branch_switcher.turn_to(target.story, target.id)
        keep("done", f"“{target.name}” now has what happens on “{source.name}”. You are on it now.")
