"""What was said of each chapter, and what it rests on, at its place in the text."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.telling.revising import places_of
from pages.components import places
from pages.components.words import plain, prose
from pages.components.write import chapters as written
from pages.components.write.evaluation import strings
from pages.components.write.evaluation.tables import table
from pages.serving.services import workbench
from store.models.desk.evaluation import EvaluatedChapter, Evaluation, Indicator
from store.text import clip

_WHOLE = 40_000
"""Characters of a chapter that is shown whole; of a longer one, its beginning and what is around its findings."""
_LABEL, _LONG_PARAGRAPH = 90, 1_200
"""Characters of a finding that is folded up, and of a paragraph that is shown whole."""


def show(branch: str, evaluation: Evaluation) -> None:
    """Show what was said of the chapter that the writer chooses."""
    service = workbench().evaluation
    chapters = service.chapters(evaluation.id)
    by_place = {one.place: one for one in chapters}
    place = st.selectbox(
        strings.WHICH,
        list(by_place),
        format_func=lambda at: strings.numbered(at, by_place[at].title),
        key=f"evaluated-{evaluation.id}",
    )
    one = by_place.get(place, chapters[0])
    said, scores = st.columns([3, 2], gap="medium")
    with said:
        _said(evaluation.id, one)
    with scores:
        table(
            "said",
            [strings.INDICATOR, strings.SCORE],
            [[strings.NAMES[it], f"{one.scores.of(it):.2f}"] for it in Indicator],
        )
        if one.held:
            names = ", ".join(strings.NAMES[it] for it in one.held)
            st.caption(f"{strings.HELD} {names}.")
        if one.unfound:
            st.caption(f"{strings.UNFOUND} {one.unfound}.")
    if st.button(strings.TO_CHAPTER, icon=":material/edit_note:", type="tertiary"):
        written.turn_to(branch, service.key_of(evaluation, one.place))
        places.go("write")


def _said(evaluation: str, one: EvaluatedChapter) -> None:
    """Show what a chapter tells, and what its scores rest on, each opening at its place in the text."""
    st.markdown(plain(one.features.summary))
    it = one.features
    ends = zip(strings.FEATURES, (it.things, it.relationships, it.places, it.tasks), strict=True)
    st.markdown("\n".join(f"- **{what}**: {plain(line)}" for what, line in ends if line))
    text = workbench().evaluation.text(evaluation, one.place).text
    if one.addressed:
        st.markdown(f":orange[:material/warning:] **{strings.ADDRESSED}**")
    for passage in one.addressed:
        _passage(clip(passage, _LABEL), passage, text)
    if one.highlights:
        st.markdown(f"**{strings.HIGHLIGHTS}**")
    for mark in one.highlights:
        label = f"{strings.NAMES[mark.indicator]}: “{clip(mark.quote, _LABEL)}”"
        _passage(label, mark.quote, text)
    quotes = [*(mark.quote for mark in one.highlights), *one.addressed]
    label = strings.SHOW_TEXT if len(text) <= _WHOLE else strings.SHOW_PARTS
    with st.expander(label), st.container(key=f"story-evaluated-{one.place}"):
        _marked(text, quotes)


def _passage(label: str, quote: str, text: str) -> None:
    """Show a finding that opens to the paragraphs around it."""
    paragraphs = [one for one in text.split("\n\n") if one.strip()]
    at = next((at for at, one in enumerate(paragraphs) if places_of(quote, one)), None)
    with st.expander(plain(label)):
        if at is None:  # it goes across paragraphs, or is more of one than is shown
            st.markdown(prose(quote))
            return
        for near in range(max(0, at - 1), min(len(paragraphs), at + 2)):
            st.markdown(with_marks(_around(paragraphs[near], quote), [quote]))


def _around(paragraph: str, quote: str) -> str:
    """Return a paragraph, or of a very long one what stands around a quote."""
    if len(paragraph) <= _LONG_PARAGRAPH:
        return paragraph
    found = places_of(quote, paragraph)
    first, last = found[0] if found else (0, 0)
    half = _LONG_PARAGRAPH // 2
    start, end = max(0, first - half), min(len(paragraph), last + half)
    return f"{'… ' if start else ''}{paragraph[start:end]}{' …' if end < len(paragraph) else ''}"


def _marked(text: str, quotes: Sequence[str]) -> None:
    """Show a chapter as it was judged, with what was quoted from it marked; of a very long one, its beginning."""
    for paragraph in filter(str.strip, text[:_WHOLE].split("\n\n")):
        st.markdown(with_marks(paragraph, quotes))
    if len(text) > _WHOLE:
        st.caption(strings.cut_after(_WHOLE))


def with_marks(paragraph: str, quotes: Sequence[str]) -> str:
    """Return a paragraph as Markdown in which some quotes are marked."""
    spans = sorted(span for quote in quotes for span in places_of(quote, paragraph))
    shown, at = "", 0
    for first, last in spans:
        if first < at:
            continue
        quoted = plain(paragraph[first:last])
        before = plain(paragraph[at:first])
        space = " " if paragraph[:first][-1:].isspace() else ""
        after = " " if paragraph[last:][:1].isspace() else ""
        shown += f"{before}{space}:orange-background[{quoted}]{after}"
        at = last
    return shown + plain(paragraph[at:]) if shown else prose(paragraph)
