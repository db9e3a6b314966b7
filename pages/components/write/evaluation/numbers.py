"""The numbers of an evaluation, what each rests on, and by which weights they are made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from graph_flow.telling.evaluation.formulas import mean_of
from graph_flow.telling.evaluation.readers.fitting import FittedWeights
from graph_flow.telling.evaluation.reports import PUBLISHED
from pages.components.notices import act
from pages.components.words import plain
from pages.components.write.evaluation import files, strings
from pages.components.write.evaluation.tables import NONE, table
from pages.serving.services import workbench
from store.models.desk.evaluation import (
    EvaluatedChapter,
    EvaluatedInterval,
    Evaluation,
    EvaluationResult,
    EvaluationSettings,
    Indicator,
    LengthReading,
    QualityWeights,
)


def headline(result: EvaluationResult) -> None:
    """Show the three scores of a text, and save them as files."""
    quality = result.quality
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate-headline"):
        for label, value, meaning in (
            (strings.S_Q, quality.s_q, strings.S_Q_HELP),
            (strings.S_L, quality.s_l, strings.S_L_HELP),
            (strings.QLS, quality.qls, strings.QLS_HELP),
        ):
            st.metric(label, f"{value:.2f}", help=meaning, width="content")
        service, evaluation = workbench().evaluation, result.evaluation
        files.offer(
            evaluation.name,
            partial(service.report, evaluation.id),
            f"evaluation {evaluation.id}",
        )


def show(evaluation: Evaluation, result: EvaluationResult) -> None:
    """Show how the scores come about, and let the writer change what counts in them."""
    service = workbench().evaluation
    chapters, looks = service.chapters(evaluation.id), service.intervals(evaluation.id)
    st.subheader(strings.MADE_OF, anchor=False)
    _indicators(result, chapters, looks)
    st.markdown(strings.quality_is(result.quality.s_q))
    st.markdown(_length(evaluation, result, chapters))
    st.markdown(strings.together_is(result.quality.qls))
    with st.expander(strings.BY_CHAPTER):
        _by_chapter(chapters)
    if looks:
        with st.expander(strings.LOOKS):
            _look(evaluation, looks)
    st.subheader(strings.WEIGHTS, anchor=False)
    _weights(evaluation)
    st.subheader(strings.BESIDE, anchor=False)
    _beside_published(result)


def _indicators(
    result: EvaluationResult,
    chapters: Sequence[EvaluatedChapter],
    looks: Sequence[EvaluatedInterval],
) -> None:
    """Show each indicator: what it is made of, what it counts, and what that adds to the quality.

    Without readers, what counts is what the judge gave, so neither column says anything new.
    """
    has_readers = result.human is not None
    of_chapters = mean_of(one.scores for one in chapters)
    of_looks = mean_of(one.scores for one in looks) if looks else None
    weights = result.evaluation.settings.weights
    whole = sum(weights.of(one) for one in Indicator)
    head = [strings.INDICATOR, strings.CHAPTERS, strings.THE_WHOLE, strings.OF_JUDGE]
    head += [strings.OF_READERS, strings.COUNTED_AS] if has_readers else []
    head += [strings.WEIGHT, strings.ADDS]
    rows = []
    for one in Indicator:
        share = weights.of(one) / whole
        cells = [of_chapters.of(one), of_looks.of(one) if of_looks else None]
        cells += [result.automated.scores.of(one)]
        counted = result.quality.scores.of(one)
        cells += [result.human.scores.of(one), counted] if result.human else []
        shown = [NONE if it is None else f"{it:.2f}" for it in cells]
        rows.append([strings.NAMES[one], *shown, f"{share:.0%}", f"{share * counted:.2f}"])
    table("made-of", head, rows)


def _length(
    evaluation: Evaluation, result: EvaluationResult, chapters: Sequence[EvaluatedChapter]
) -> str:
    settings = evaluation.settings
    words = sum(one.words for one in chapters)
    is_total = settings.length is LengthReading.TOTAL
    counted = words if is_total else round(words / max(1, len(chapters)))
    return strings.length_is(
        result.quality.s_l, counted, len(chapters), settings.usual_chapters, is_total=is_total
    )


def _by_chapter(chapters: Sequence[EvaluatedChapter]) -> None:
    columns: dict[str, list[object]] = {
        strings.CHAPTER: [strings.numbered(one.place, one.title) for one in chapters],
        strings.WORDS: [one.words for one in chapters],
    }
    score = st.column_config.NumberColumn(format="%.1f")
    config = dict.fromkeys(map(strings.NAMES.__getitem__, Indicator), score)
    config[strings.WORDS] = st.column_config.NumberColumn(format="localized")
    for it in Indicator:
        columns[strings.NAMES[it]] = [round(one.scores.of(it), 2) for one in chapters]
    st.dataframe(columns, hide_index=True, column_config=config)
    st.caption(strings.BY_CHAPTER_NOTE)


def _look(evaluation: Evaluation, looks: Sequence[EvaluatedInterval]) -> None:
    """Show a look at the whole: what was known of the book, and what was given."""
    by_place = {one.place: one for one in looks}
    place = st.selectbox(
        strings.UP_TO,
        list(by_place),
        index=len(looks) - 1,
        format_func=strings.up_to,
        key=f"look-{evaluation.id}",
    )
    one = by_place.get(place, looks[-1])
    st.markdown(plain(one.info.synopsis))
    for line in (*one.info.people, one.info.state):
        if line:
            st.markdown(f"- {plain(line)}")
    table(
        "look",
        [strings.INDICATOR, strings.SCORE],
        [[strings.NAMES[it], f"{one.scores.of(it):.2f}"] for it in Indicator],
    )
    st.caption(strings.LOOK_NOTE)


def _weights(evaluation: Evaluation) -> None:
    """Let the writer change what each indicator counts, and by which words length goes."""
    now, published = evaluation.settings, QualityWeights()
    st.caption(strings.WEIGHTS_PUBLISHED if now.weights == published else strings.WEIGHTS_CHANGED)
    key = f"{evaluation.id}-{now.weights.model_dump_json()}-{now.length}"
    with st.form(f"weights-{key}", border=True):
        with st.container(horizontal=True, key="evaluate-weights"):
            given = {
                one.value: st.number_input(
                    strings.NAMES[one],
                    0.0,
                    100.0,
                    100 * now.weights.of(one),
                    1.0,
                    format="%.0f",
                    help=strings.published_weight(100 * published.of(one)),
                    width=106,
                    key=f"weight-{one.value}-{key}",
                )
                for one in Indicator
            }
        readings = list(LengthReading)
        length = st.radio(
            strings.LENGTH_BY,
            readings,
            index=readings.index(now.length),
            format_func=lambda one: strings.LENGTHS[one],
            help=strings.LENGTH_BY_HELP,
            horizontal=True,
            key=f"length-{key}",
        )
        is_sent = st.form_submit_button(strings.USE_WEIGHTS, icon=":material/balance:")
    if is_sent:
        _use_typed(evaluation, given, length or now.length)
    if now.weights != published and st.button(
        strings.USE_PUBLISHED, icon=":material/undo:", type="tertiary"
    ):
        _use(evaluation, now.model_copy(update={"weights": published}))
    _fitted(evaluation)


def _use_typed(evaluation: Evaluation, given: dict[str, float], length: LengthReading) -> None:
    def use() -> None:
        shares = {name: round(value / 100, 4) for name, value in given.items()}
        weights = QualityWeights.model_validate(shares)
        settings = evaluation.settings.model_copy(update={"weights": weights, "length": length})
        workbench().evaluation.weigh(evaluation.id, settings)

    if not any(given.values()):
        st.warning(strings.WEIGHTS_NONE, icon=":material/info:")
        return
    act(use, strings.WEIGHTS_USED)


def _use(evaluation: Evaluation, settings: EvaluationSettings) -> None:
    act(lambda: workbench().evaluation.weigh(evaluation.id, settings), strings.WEIGHTS_USED)


def _fitted(evaluation: Evaluation) -> None:
    """Offer weights that follow the ratings of a reader of this text."""
    names = list(dict.fromkeys(one.reader for one in workbench().evaluation.readers(evaluation.id)))
    if not names:
        st.caption(strings.FITTED_NONE)
        return
    with st.expander(strings.FITTED):
        reader = st.selectbox(strings.FITTED_TO, names, key=f"fitted-{evaluation.id}")
        if reader is None:
            return
        with st.spinner(strings.FITTING):
            found = workbench().evaluation.fitted(reader)
        if found is None:
            st.markdown(strings.too_few(workbench().evaluation.rated(reader)))
            return
        _offer_fitted(evaluation, found)


def _offer_fitted(evaluation: Evaluation, found: FittedWeights) -> None:
    published = QualityWeights()
    table(
        "fitted",
        [strings.INDICATOR, strings.PUBLISHED, strings.FITTED_HEAD],
        [
            [strings.NAMES[one], f"{published.of(one):.0%}", f"{found.weights.of(one):.0%}"]
            for one in Indicator
        ],
    )
    st.markdown(strings.fits(found.ratings, found.error, found.published_error))
    st.caption(strings.FITS_BETTER if found.is_better else strings.FITS_WORSE)
    if found.weights == evaluation.settings.weights:
        st.caption(strings.FITTED_USED)
    elif st.button(strings.USE_FITTED, icon=":material/tune:", key="use-fitted"):
        _use(evaluation, evaluation.settings.model_copy(update={"weights": found.weights}))


def _beside_published(result: EvaluationResult) -> None:
    """Show the text's scores beside those of published systems."""
    evaluation, quality = result.evaluation, result.quality
    head = [strings.SYSTEM, strings.WORDS_PER_CHAPTER, strings.CHAPTERS]
    head += [strings.S_Q, strings.S_L, strings.QLS]
    rows = [
        [
            f"**{strings.THIS_TEXT}**",
            f"{round(evaluation.words / evaluation.chapters):,}",
            f"{evaluation.chapters:,}",
            f"**{quality.s_q:.2f}**",
            f"**{quality.s_l:.2f}**",
            f"**{quality.qls:.2f}**",
        ]
    ]
    for one in PUBLISHED:
        together = f"{(one.s_q + one.s_l) / 2:.2f}" if one.s_q else NONE
        s_q = f"{one.s_q:.2f}" if one.s_q else NONE
        length = [f"{one.words:,}", f"{one.chapters:,}"]
        rows.append([plain(one.name), *length, s_q, f"{one.s_l:.2f}", together])
    table("published", head, rows)
    st.caption(strings.BESIDE_NOTE)
