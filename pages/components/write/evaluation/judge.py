"""Who judges, what its card says, and the work that is under way."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import SideState, SideWorkSeen
from pages.components.notices import act
from pages.components.runs.panel import look_again
from pages.components.words import clock, plain
from pages.components.write.evaluation import strings
from pages.components.write.evaluation.consistency import errors
from pages.components.write.evaluation.tables import NONE, table
from pages.serving.services import workbench
from store.models.desk.evaluation import Evaluation, EvaluationSettings, EvaluationState
from store.models.desk.judge import CardTest, JudgeCard

_SECONDS_BETWEEN_LOOKS = 0.8
_IN_POINTS = frozenset(
    {
        "shift by what must not matter",
        "shift on a second reading",
        "spread of scores",
        "pull of length",
    }
)
"""Tests whose figures are points of a score; those of the others are shares."""


def card(found: JudgeCard | None) -> None:
    """Say what is known of a judge: grey, with why, if it fails."""
    if found is None:
        st.caption(strings.NOT_TESTED)
    elif found.is_passed:
        st.caption(f":green[:material/check:] {strings.PASSED}")
    else:
        st.caption(f":material/block: {strings.FAILED}")
        why = [_missed(one) for one in found.tests if not one.is_passed]
        st.caption("\n".join(f"- {plain(one)}" for one in why))
    if found is not None:
        with st.expander(strings.TESTED):
            _table(found)


def worth(found: JudgeCard | None) -> None:
    """Say above the scores of a judge what these are worth, unless it has passed."""
    if found is None:
        st.warning(strings.WORTH_UNKNOWN, icon=":material/help:")
    elif not found.is_passed:
        st.warning(strings.WORTH_NOTHING, icon=":material/block:")


def _missed(test: CardTest) -> str:
    return strings.missed(_label(test), _figure(test, test.value), _needed(test))


def _figure(test: CardTest, value: float | None) -> str:
    """Return a figure of a test as it is shown, or nothing."""
    if value is None:
        return ""
    return f"{value:.2f}" if test.name in _IN_POINTS else f"{value:.0%}"


def _needed(test: CardTest) -> str:
    return strings.bounds(_figure(test, test.least), _figure(test, test.most))


def _label(test: CardTest) -> str:
    return strings.TESTS.get(test.name, test.name)


def _table(found: JudgeCard) -> None:
    """Show what a judge was found to do, beside what is needed."""
    head = [strings.TEST_COLUMN, strings.FOUND, strings.NEEDED, strings.TRIALS]
    rows = [
        [
            plain(_label(one)),
            _figure(one, one.value) if one.of else NONE,
            _needed(one) or NONE,
            f"{one.of:,}",
        ]
        for one in (*found.tests, *found.spoiled)
    ]
    table("tested", head, rows)
    st.caption(strings.TESTED_NOTE)


def show(branch: str, newest: Evaluation | None) -> None:
    """Show who judges, and offer what can be done now; one button is the main one."""
    service = workbench().evaluation
    judge = service.judge
    st.markdown(strings.judged_by(plain(judge.model)))
    if _is_working(service.testing(judge)):
        look_again(lambda: _look_at_test(), "evaluate", _SECONDS_BETWEEN_LOOKS)
        return
    if newest is not None and _is_working(service.seen(newest)):
        look_again(lambda: _look_at(newest), "evaluate", _SECONDS_BETWEEN_LOOKS)
        return
    known = service.card
    card(known)
    if newest is not None:
        _ceiling(newest)
    for seen in (service.testing(judge), service.seen(newest) if newest else None):
        if seen is not None and seen.message:
            st.warning(plain(seen.message), icon=":material/info:")
    if known is None:
        if st.button(strings.TEST, icon=":material/science:", type="primary", key="test-judge"):
            act(service.test_judge)
        st.caption(strings.TEST_HELP)
    _offer(branch, newest, is_main=known is not None and known.is_passed)


def _ceiling(evaluation: Evaluation) -> None:
    """Say how far readers agree, and the judge with them, where anybody has read the text."""
    if evaluation.judge != workbench().evaluation.judge:
        st.caption(strings.scored_by(plain(evaluation.judge.model)))
    if not workbench().evaluation.readers(evaluation.id):
        return
    with st.spinner(strings.AGREEING):
        ceiling = workbench().evaluation.ceiling(evaluation.id)
    if ceiling is not None:
        st.caption(strings.ceiling(ceiling.readers, ceiling.among, ceiling.with_judge))


def _offer(branch: str, newest: Evaluation | None, *, is_main: bool) -> None:
    service = workbench().evaluation
    is_current = newest is not None and service.is_current(newest)
    is_same_judge = newest is not None and newest.judge == service.judge
    is_open = newest is not None and newest.state is not EvaluationState.DONE
    is_done = newest is not None and is_current and is_same_judge and not is_open
    settings = newest.settings if newest is not None else EvaluationSettings()
    interval = settings.interval
    if is_done or not is_open:
        interval = _interval(settings.interval)
    if is_done and interval == settings.interval:
        return
    wanted = settings.model_copy(update={"interval": interval})
    if newest is not None and not is_current:
        st.caption(f":orange[:material/history:] {strings.CHANGED}")
    length = service.length(branch)
    with_contradictions = errors.offer(length)
    label = strings.EVALUATE if newest is None else strings.EVALUATE_AGAIN
    if is_done or (is_current and not is_same_judge):
        label = strings.EVALUATE_ANEW
    if is_open and is_current and is_same_judge:
        label = strings.GO_ON
    if st.button(
        label,
        icon=":material/analytics:",
        type="primary" if is_main else "secondary",
        key="evaluate",
    ):
        act(
            lambda: service.begin(
                service.of_story(branch, wanted), with_contradictions=with_contradictions
            )
        )
    st.caption(strings.calls(length, interval, with_contradictions=with_contradictions))


def _interval(now: int) -> int:
    """Let the writer say how often the judge looks at the whole."""
    with st.popover(strings.HOW, icon=":material/tune:", type="tertiary"):
        chosen = st.number_input(
            strings.EVERY,
            1,
            100,
            now,
            help=strings.EVERY_HELP,
            key=f"evaluate-interval-{now}",
        )
    return int(chosen)


def _is_working(seen: SideWorkSeen | None) -> bool:
    return seen is not None and seen.state is SideState.WORKING


def _look_at_test() -> None:
    service = workbench().evaluation
    judge = service.judge
    seen = service.testing(judge)
    if seen is None or seen.state is not SideState.WORKING:
        st.rerun()
    _working(seen)
    if st.button(strings.STOP, key="stop-test", icon=":material/stop_circle:"):
        service.stop_testing(judge)


def _look_at(evaluation: Evaluation) -> None:
    service = workbench().evaluation
    seen = service.seen(evaluation)
    if seen is None or seen.state is not SideState.WORKING:
        st.rerun()
    done = service.done(evaluation.id)
    if done == evaluation.chapters:  # what is still done is the search for contradictions
        done = workbench().consistency.done(evaluation) or done
    st.progress(min(1.0, done / evaluation.chapters), strings.progress(done, evaluation.chapters))
    _working(seen)
    if st.button(strings.STOP, key="stop-evaluation", icon=":material/stop_circle:"):
        service.stop(evaluation)


def _working(seen: SideWorkSeen) -> None:
    st.caption(f"{plain(seen.words)} · {clock(seen.seconds)}")
    if seen.trouble:
        st.markdown(f":orange[:material/hourglass_empty: {plain(seen.trouble)}]")
