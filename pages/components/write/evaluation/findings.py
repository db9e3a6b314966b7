"""What was said of each chapter, with what it rests on, and the numbers beneath."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from graph_flow.telling.evaluation.measures import ChapterMeasures
from graph_flow.telling.evaluation.reports import PUBLISHED, Report, as_csv, as_json, as_markdown
from graph_flow.telling.revising import places_of
from graph_flow.workbench.beside.evaluating import EvaluationService
from pages.components.fields import downloads
from pages.components.fields.downloads import Download
from pages.components.words import plain, prose
from pages.components.write.evaluation import strings
from pages.serving.services import workbench
from store.models.desk.evaluation import EvaluatedChapter, EvaluationResult, Indicator

_NONE = "–"


def beside_published(result: EvaluationResult) -> None:
    """Show the text's scores beside those of published systems."""
    evaluation, quality = result.evaluation, result.quality
    head = [strings.SYSTEM, strings.WORDS_PER_CHAPTER, strings.CHAPTERS]
    head += [strings.S_Q, strings.S_L, strings.QLS]
    rows = [
        [
            f"**{strings.THIS_TEXT}**",
            f"{evaluation.words // evaluation.chapters:,}",
            f"{evaluation.chapters:,}",
            f"**{quality.s_q:.2f}**",
            f"**{quality.s_l:.2f}**",
            f"**{quality.qls:.2f}**",
        ]
    ]
    for one in PUBLISHED:
        together = f"{(one.s_q + one.s_l) / 2:.2f}" if one.s_q else _NONE
        s_q = f"{one.s_q:.2f}" if one.s_q else _NONE
        length = [f"{one.words:,}", f"{one.chapters:,}"]
        rows.append([plain(one.name), *length, s_q, f"{one.s_l:.2f}", together])
    _table(head, rows)
    st.caption(strings.BESIDE_NOTE)


def measures(found: Sequence[ChapterMeasures]) -> None:
    """Show what was counted in each chapter."""
    shares = {"repeated_within", "repeated_before", "variety", "dialogue"}
    columns = {
        label: [_value(one, name, is_share=name in shares) for one in found]
        for name, label in strings.MEASURES.items()
    }
    st.dataframe({strings.CHAPTER: [one.place for one in found], **columns}, hide_index=True)


def _value(one: ChapterMeasures, name: str, *, is_share: bool) -> str:
    value = getattr(one, name)
    return (
        f"{value:.0%}" if is_share else f"{value:,}" if isinstance(value, int) else f"{value:.1f}"
    )


def chapter(evaluation: str, chapters: Sequence[EvaluatedChapter]) -> EvaluatedChapter:
    """Show what was said of the chapter that the writer chooses, and return it."""
    by_place = {one.place: one for one in chapters}
    place = st.selectbox(
        strings.WHICH,
        list(by_place),
        format_func=lambda at: strings.numbered(at, by_place[at].title),
        key=f"evaluated-{evaluation}",
    )
    one = by_place.get(place, chapters[0])
    st.markdown(plain(one.features.summary))
    _table(
        [strings.INDICATOR, strings.SCORE],
        [[strings.NAMES[it], f"{one.scores.of(it):.2f}"] for it in Indicator],
    )
    if one.held:
        names = ", ".join(strings.NAMES[it] for it in one.held)
        st.caption(f"{strings.HELD} {names}.")
    if one.unfound:
        st.caption(f"{strings.UNFOUND} {one.unfound}.")
    for passage in one.addressed:
        st.markdown(f":orange[:material/warning:] {strings.ADDRESSED} “{plain(passage)}”")
    if one.highlights:
        st.markdown(f"**{strings.HIGHLIGHTS}**")
    for mark in one.highlights:
        st.markdown(f"- {strings.NAMES[mark.indicator]}: “{plain(mark.quote)}”")
    with st.expander(strings.SHOW_TEXT):
        _marked(evaluation, one)
    return one


def _marked(evaluation: str, one: EvaluatedChapter) -> None:
    """Show a chapter as it was judged, with what was quoted from it marked."""
    text = workbench().evaluation.text(evaluation, one.place).text
    quotes = [*(mark.quote for mark in one.highlights), *one.addressed]
    with st.container(key=f"story-evaluated-{one.place}"):
        for paragraph in filter(str.strip, text.split("\n\n")):
            st.markdown(with_marks(paragraph, quotes))


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


def files(evaluation: str, name: str) -> None:
    """Offer an evaluation as files, each made when it is asked for."""
    service = workbench().evaluation
    kinds = (
        (strings.AS_CSV, ".csv", "text/csv", as_csv),
        (strings.AS_JSON, ".json", "application/json", as_json),
        (strings.AS_MARKDOWN, ".md", "text/markdown", as_markdown),
    )
    with st.popover(strings.SAVE_AS, icon=":material/download:", type="tertiary"):
        for label, suffix, media_type, write in kinds:
            file = Download(
                partial(_file, service, evaluation, write),
                f"{downloads.file_stem(name)} evaluation{suffix}",
                media_type,
                about=f"evaluation {evaluation}",
            )
            downloads.button(label, file, key=f"evaluation{suffix}", kind="tertiary")


def _file(service: EvaluationService, evaluation: str, write: Callable[[Report], str]) -> str:
    return write(service.report(evaluation))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
