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
        given = {
            one: st.slider(
                strings.NAMES[one],
                0.0,
                10.0,
                _MIDDLE,
                0.5,
                help=strings.MEANINGS[one],
                key=f"reader-{one.value}",
            )
            for one in Indicator
        }
        is_sent = st.form_submit_button(strings.SAVE, icon=":material/save:")
    if is_sent:
        scores = IndicatorScores.by(given)
        act(
            lambda: workbench().evaluation.keep_reader(evaluation.id, reader, place or 0, scores),
            strings.SAVED,
        )


def _agreement(evaluation: Evaluation) -> None:
    readers = {one.reader for one in workbench().evaluation.readers(evaluation.id)}
    if len(readers) == 1:
        st.caption(strings.ONE_READER)
    if len(readers) < 2:
        return
    with st.spinner(strings.AGREEING):
        alpha = workbench().evaluation.agreement(evaluation.id)
    st.markdown(strings.ONE_READER if alpha is None else strings.agree(alpha, len(readers)))
