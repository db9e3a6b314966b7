"""Contradictions in a text: how many, where in the book, and each with the words on both sides."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.telling.evaluation.consistency.results import PER, Errors, FoundAt, Stretch
from graph_flow.telling.revising import places_of
from pages.components import places
from pages.components.notices import act
from pages.components.words import plain
from pages.components.write import chapters
from pages.components.write.evaluation.consistency import strings
from pages.components.write.evaluation.findings import with_marks
from pages.serving.services import workbench
from store.models.desk.consistency import Standing
from store.models.desk.evaluation import Evaluation
from store.models.manuscript import PARAGRAPH_BREAK

_AT_ONCE = 4
"""Findings that are shown before more are asked for."""
_MOST_REFUSED = 20
_HEIGHT = 240
_IN_A_ROW = 3
"""Kinds in a row of the legend: more of them are wider than a phone."""


def offer(chapters: int) -> bool:
    """Let the writer leave the search for contradictions out of an evaluation; return whether it is wanted."""
    if not workbench().consistency.is_able:
        st.caption(strings.SMALL)
        return False
    return st.checkbox(
        strings.ALSO, value=True, help=strings.more_calls(chapters), key="with-contradictions"
    )


def show(evaluation: Evaluation, *, is_current: bool) -> None:
    """Show what contradicts itself in a text, and offer to look for it if nobody has."""
    st.subheader(strings.TITLE, anchor=False)
    st.caption(strings.ABOUT)
    found = workbench().consistency.errors(evaluation.id)
    if found is not None:
        _numbers(evaluation, found)
        _list(evaluation, found.counted)
        _refused(found)
    if is_current:
        _look(evaluation, has_begun=found is not None)


def _look(evaluation: Evaluation, *, has_begun: bool) -> None:
    service = workbench().consistency
    if not service.is_able:
        if not has_begun:
            st.caption(strings.SMALL)
        return
    left = evaluation.chapters - service.done(evaluation)
    if not left or workbench().evaluation.is_open(evaluation, with_contradictions=False):
        return
    label = strings.GO_ON if has_begun else strings.LOOK
    if st.button(label, icon=":material/rule:", key="look-for-contradictions"):
        act(lambda: workbench().evaluation.begin(evaluation))
    st.caption(strings.more_calls(left))


def _numbers(evaluation: Evaluation, found: Errors) -> None:
    number, picture = st.columns([1, 3], gap="medium")
    with number:
        st.metric(strings.FOUND, f"{len(found.counted):,}")
        if found.per_10k is not None:
            st.markdown(strings.density(found.per_10k))
        st.caption(
            strings.read(found.words, found.chapters, evaluation.chapters, plain(found.judge))
        )
        if found.unread:
            st.caption(f":orange[:material/warning:] {strings.unread(found.unread)}")
    with picture:
        if not found.counted:
            st.markdown(strings.NONE)
            return
        st.markdown(f"**{strings.ALONG}**")
        _chart(workbench().consistency.along(evaluation.id))


def _chart(along: Sequence[Stretch]) -> None:
    rows = [
        {
            strings.CHAPTERS: strings.chapters(one.first, one.last),
            strings.KIND: strings.KINDS[kind],
            strings.ERRORS: round(PER * count / one.words, 2),
        }
        for one in along
        if one.words
        for kind, count in one.kinds.items()
    ]
    every = [strings.chapters(one.first, one.last) for one in along]
    spec = {
        "data": {"values": rows},
        "mark": {"type": "bar"},
        "encoding": {
            "x": {
                "field": strings.CHAPTERS,
                "type": "ordinal",
                "scale": {"domain": every},
                "axis": {"labelAngle": 0, "labelOverlap": True},
            },
            "y": {
                "field": strings.ERRORS,
                "type": "quantitative",
                "stack": True,
                "axis": {"tickCount": 4},
            },
            "color": {
                "field": strings.KIND,
                "type": "nominal",
                "sort": list(strings.KINDS.values()),
                "legend": {"title": "", "orient": "bottom", "columns": _IN_A_ROW},
            },
            "tooltip": [{"field": one} for one in (strings.CHAPTERS, strings.KIND, strings.ERRORS)],
        },
    }
    st.vega_lite_chart(spec, height=_HEIGHT)


def _list(evaluation: Evaluation, found: Sequence[FoundAt]) -> None:
    memory = f"contradictions-{evaluation.id}"
    shown = st.session_state.get(memory, _AT_ONCE)
    for at, one in enumerate(found[:shown]):
        it = one.found
        where = strings.between(it.before, one.place)
        head = strings.heading(strings.KINDS[it.kind], where, plain(it.why))
        with st.container(border=True, key=f"contradiction-{at}"):
            st.markdown(head)
            _both(evaluation, one, str(at))
    if len(found) > shown:
        st.caption(strings.shown_of(shown, len(found)))
        if st.button(strings.MORE, key="more-contradictions", type="tertiary"):
            st.session_state[memory] = shown + _AT_ONCE
            st.rerun()


def _both(evaluation: Evaluation, one: FoundAt, key: str) -> None:
    """Show both passages side by side, or once if one paragraph holds them both."""
    it, service = one.found, workbench().evaluation
    here = _around(service.text(evaluation.id, one.place).text, it.quote)
    earlier = _around(service.text(evaluation.id, it.before).text, it.earlier)
    if it.before == one.place and earlier == here:
        _passage(evaluation, one.place, here, [it.earlier, it.quote], f"{key}-here")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _passage(evaluation, it.before, earlier, [it.earlier], f"{key}-before")
    with right:
        _passage(evaluation, one.place, here, [it.quote], f"{key}-here")


def _passage(
    evaluation: Evaluation, place: int, paragraph: str, quotes: Sequence[str], key: str
) -> None:
    """Show where quotes stand: their paragraph as it was judged, and the way to the chapter."""
    service = workbench().evaluation
    st.caption(strings.in_chapter(place))
    with st.container(key=f"story-contradiction-{key}"):
        st.markdown(with_marks(paragraph, quotes))
    if st.button(strings.OPEN, icon=":material/edit_note:", type="tertiary", key=f"open-{key}"):
        chapters.turn_to(evaluation.branch, service.key_of(evaluation, place))
        places.go("write")


def _around(text: str, quote: str) -> str:
    """Return the paragraphs in which a quote stands, on one line each."""
    found = places_of(quote, text)
    if not found:
        return quote
    first, last = found[0]
    start = text.rfind(PARAGRAPH_BREAK, 0, first)
    end = text.find(PARAGRAPH_BREAK, last)
    return text[0 if start < 0 else start : len(text) if end < 0 else end].strip()


def _refused(found: Errors) -> None:
    """Show what the judge has said and could not show."""
    unfound, same = found.number_of(Standing.UNFOUND), found.number_of(Standing.SAME)
    if not unfound + same:
        return
    st.caption(strings.not_counted(unfound, same))
    refused = [one for one in found.found if not one.found.counts]
    with st.expander(strings.NOT_COUNTED):
        for one in refused[:_MOST_REFUSED]:
            it = one.found
            why = strings.SAME if it.standing is Standing.SAME else strings.UNFOUND
            quotes = " · ".join(
                f"“{plain(quote)}”" if quote else strings.NO_QUOTE
                for quote in (it.earlier, it.quote)
            )
            st.markdown(f"- {strings.line(one.place, plain(it.why), f'{why} {quotes}')}")
        if len(refused) > _MOST_REFUSED:
            st.caption(strings.shown_of(_MOST_REFUSED, len(refused)))
