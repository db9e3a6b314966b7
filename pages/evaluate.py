"""Evaluate: how good the text is, as a judge and its readers say, and what that rests on."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import frame
from pages.components.write import chapters
from pages.components.write.evaluation import blind, charts, findings, judge, readers, strings
from pages.serving.services import workbench
from store.models.desk.evaluation import Evaluation, EvaluationResult

opened = frame.show_story(strings.TITLE, "evaluate")
branch = opened.branch.id
st.title(strings.TITLE, anchor=False)
notices.show()


def show_numbers(evaluation: Evaluation, result: EvaluationResult) -> None:
    """Show the pictures first, and beneath them what they rest on."""
    service = workbench().evaluation
    judge.worth(service.card_of(evaluation.judge))
    curve, radar = st.columns([3, 2], gap="medium")
    with curve:
        st.subheader(strings.CURVE, anchor=False)
        charts.curve(service.curve(evaluation.id))
    with radar:
        st.subheader(strings.INDICATORS, anchor=False)
        human = {strings.OF_READERS: result.human.scores} if result.human else {}
        charts.radar({strings.OF_JUDGE: result.automated.scores, **human})
    st.caption(strings.NOISE)
    findings.files(evaluation.id, opened.title)
    st.subheader(strings.FINDINGS, anchor=False)
    read = findings.chapter(evaluation.id, service.chapters(evaluation.id))
    if st.button(strings.TO_CHAPTER, icon=":material/edit_note:", type="tertiary"):
        chapters.turn_to(branch, service.key_of(evaluation, read.place))
        places.go("write")
    st.subheader(strings.BESIDE, anchor=False)
    findings.beside_published(result)
    st.subheader(strings.MEASURED, anchor=False)
    if st.toggle(strings.COUNT, key="count"):
        with st.spinner(strings.RANKING):
            counted = service.measures(evaluation.id, opened.story.settings.words)
        findings.measures(counted)
    st.subheader(strings.READERS, anchor=False)
    readers.show(evaluation)


with frame.showing_errors():
    service = workbench().evaluation
    if not service.has_text(branch):
        frame.empty_state(strings.NO_TEXT, strings.NO_TEXT_ADVICE)
        if st.button(strings.TO_WRITE, type="primary", icon=":material/edit_note:"):
            places.go("write")
        st.stop()
    newest = next(iter(service.of_branch(branch)), None)
    judge.show(branch, newest)
    result = service.result(newest.id) if newest is not None else None
    if newest is not None and result is not None:
        show_numbers(newest, result)
    st.subheader(strings.BLIND, anchor=False)
    blind.show(opened)
