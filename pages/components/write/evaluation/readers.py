"""What people give who have read it, and how far they agree."""

from __future__ import annotations

import streamlit as st

from pages.components.notices import act
from pages.components.write.evaluation import strings
from pages.serving.services import workbench
from store.models.desk.evaluation import Evaluation, Indicator, IndicatorScores

_BOOK = 0
_MIDDLE = 6.0


def show(evaluation: Evaluation) -> None:
    """Show the form for a reader's scores, and how far readers agree."""
    st.caption(strings.READERS_ABOUT)
    _agreement(evaluation)
    titles = {one.place: one.title for one in workbench().evaluation.chapters(evaluation.id)}
    with st.form(f"reader-{evaluation.id}", border=True):
        reader = st.text_input(strings.READER, max_chars=80, key="reader-name")
        place = st.selectbox(
            strings.WHAT,
            [_BOOK, *titles],
            format_func=lambda at: strings.numbered(at, titles[at]) if at else strings.WHOLE_BOOK,
            key="reader-place",
        )
        given = _sliders()
        overall = st.number_input(
            strings.OVERALL,
            0.0,
            10.0,
            None,
            0.5,
            format="%.1f",
            help=strings.OVERALL_HELP,
            width=220,
            key="reader-overall",
        )
        is_sent = st.form_submit_button(strings.SAVE, icon=":material/save:")
    if is_sent:
        scores = IndicatorScores.by(given)
        act(
            lambda: workbench().evaluation.keep_reader(
                evaluation.id, reader, place or 0, scores, overall
            ),
            strings.SAVED,
        )
    _given(evaluation)


def _sliders() -> dict[Indicator, float]:
    """Ask for each indicator, with what it means beside its name: two columns, or one on a phone."""
    indicators = list(Indicator)
    half = -(-len(indicators) // 2)
    given: dict[Indicator, float] = {}
    for column, some in zip(
        st.columns(2, gap="medium"), (indicators[:half], indicators[half:]), strict=True
    ):
        for one in some:
            given[one] = column.slider(
                f"**{strings.NAMES[one]}** · {strings.MEANINGS[one]}",
                0.0,
                10.0,
                _MIDDLE,
                0.5,
                format="%.1f",
                key=f"reader-{one.value}",
            )
    return given


def _given(evaluation: Evaluation) -> None:
    """Show what each reader gave so far."""
    found = workbench().evaluation.readers(evaluation.id)
    if not found:
        return
    columns: dict[str, list[object]] = {
        strings.READER_HEAD: [one.reader for one in found],
        strings.WHAT: [one.place if one.place else strings.WHOLE_BOOK for one in found],
        strings.OVERALL_HEAD: [one.overall for one in found],
    }
    for it in Indicator:
        columns[strings.NAMES[it]] = [one.scores.of(it) for one in found]
    columns[strings.WHAT] = [str(one) for one in columns[strings.WHAT]]
    given = [strings.OVERALL_HEAD, *(strings.NAMES[it] for it in Indicator)]
    score = st.column_config.NumberColumn(format="%.1f")
    st.dataframe(columns, hide_index=True, column_config=dict.fromkeys(given, score))


def _agreement(evaluation: Evaluation) -> None:
    with st.spinner(strings.AGREEING):
        ceiling = workbench().evaluation.ceiling(evaluation.id)
    if ceiling is None:
        return
    if ceiling.among is None:
        st.caption(strings.ONE_READER)
    else:
        st.markdown(strings.agree(ceiling.among, ceiling.readers))
