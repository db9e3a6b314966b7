"""Evaluate: how good the text is, as a judge and its readers say, what that rests on, and what can be counted."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import frame
from pages.components.write.evaluation import (
    blind,
    charts,
    comparing,
    counts,
    findings,
    judge,
    numbers,
    readers,
    strings,
)
from pages.components.write.evaluation.consistency import beside_story, errors
from pages.serving.services import workbench
from store.models.desk.evaluation import Evaluation, EvaluationResult

WITHOUT_JUDGE = [strings.Part.COUNTS, strings.Part.OTHERS]
"""What there is to look at before anything is judged."""

opened = frame.show_story(strings.TITLE, "evaluate")
branch = opened.branch.id
st.title(strings.TITLE, anchor=False)
notices.show()


def show_pictures(evaluation: Evaluation, result: EvaluationResult) -> None:
    """Show how quality goes, the seven indicators, and what all of it comes to."""
    judge.worth(workbench().evaluation.card_of(evaluation.judge))
    curve, radar = st.columns([3, 2], gap="medium")
    with curve:
        st.subheader(strings.CURVE, anchor=False)
        charts.curve(workbench().evaluation.curve(evaluation.id))
    with radar:
        st.subheader(strings.INDICATORS, anchor=False)
        human = {strings.OF_READERS: result.human.scores} if result.human else {}
        charts.radar({strings.OF_JUDGE: result.automated.scores, **human})
    numbers.headline(result)
    st.caption(strings.NOISE)


def choose_part(*, is_judged: bool) -> strings.Part:
    """Let the writer choose which part of the page to look at; once it is judged, that comes first."""
    offered = list(strings.Part) if is_judged else WITHOUT_JUDGE
    chosen = st.segmented_control(
        strings.PARTS_LABEL,
        offered,
        default=offered[0],
        required=True,
        format_func=lambda one: strings.PARTS[one],
        label_visibility="collapsed",
        key="part-of-evaluate" if is_judged else "part-of-unjudged",
        persist_state="session",
    )
    return chosen or offered[0]


def show_part(part: strings.Part, evaluation: Evaluation, result: EvaluationResult) -> None:
    """Show a part that rests on what was judged."""
    match part:
        case strings.Part.NUMBERS:
            numbers.show(evaluation, result)
        case strings.Part.READERS:
            readers.show(evaluation)
        case strings.Part.CONTRADICTIONS:
            errors.show(evaluation, is_current=workbench().evaluation.is_current(evaluation))
            beside_story.show(evaluation)
        case _:
            findings.show(branch, evaluation)


with frame.showing_errors():
    service = workbench().evaluation
    if not service.has_text(branch):
        frame.empty_state(strings.NO_TEXT, strings.NO_TEXT_ADVICE)
        if st.button(strings.TO_WRITE, type="primary", icon=":material/edit_note:"):
            places.go("write")
        st.stop()
    evaluations = service.of_branch(branch)
    judge.show(branch, next(iter(evaluations), None))
    # One that has just begun hides nothing that is known already.
    shown = next((one for one in evaluations if service.done(one.id)), None)
    result = service.result(shown.id) if shown is not None else None
    if shown is not None and result is not None:
        show_pictures(shown, result)
    part = choose_part(is_judged=result is not None)
    if part is strings.Part.COUNTS:
        counts.show(opened, shown)
    elif part is strings.Part.OTHERS:
        chosen = comparing.show(opened)
        blind.show(opened, chosen)
    elif shown is not None and result is not None:
        show_part(part, shown, result)
