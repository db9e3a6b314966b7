"""What is counted in the text as it is now, without a model, and what each number rests on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from graph_flow.telling.evaluation.counts.counted import Counted, CountedChapter
from graph_flow.telling.evaluation.counts.own_pages import LEAST_OWN
from graph_flow.telling.evaluation.reports import Report
from graph_flow.telling.revising import places_of
from graph_flow.workbench.beside.counting import CountedBook
from pages.components.frame.frame import OpenStory
from pages.components.words import plain
from pages.components.write.evaluation import charts, files, strings
from pages.components.write.evaluation.tables import table
from pages.serving.services import workbench
from store.models.desk.evaluation import Evaluation

Value = Callable[[Counted, CountedChapter], float | None]

_VALUES: Mapping[str, Value] = {
    "words": lambda _, one: one.measures.words,
    "to_target": lambda _, one: one.measures.to_target,
    "repeated_within": lambda _, one: one.measures.repeated_within,
    "repeated_before": lambda _, one: one.measures.repeated_before,
    "distinct": lambda _, one: one.measures.distinct,
    "variety": lambda _, one: one.measures.variety,
    "worn": lambda _, one: one.measures.worn,
    "overused": lambda all_, one: all_.overused(one.measures.place),
    "dialogue": lambda _, one: one.measures.dialogue,
    "pace": lambda _, one: one.measures.pace,
    "naming": lambda _, one: one.naming.share if one.naming else None,
    "open_threads": lambda _, one: one.threads.count if one.threads else None,
    "thread_age": lambda _, one: one.threads.mean_age if one.threads else None,
}
_SHARES = frozenset(
    {"to_target", "repeated_within", "repeated_before", "distinct", "variety", "dialogue", "naming"}
)
_DECIMALS = frozenset({"worn", "overused", "pace", "thread_age"})
_FIRST_DRAWN = "pace"


def show(opened: OpenStory, evaluation: Evaluation | None) -> None:
    """Show what can be counted in a branch's text; `evaluation` is the one whose files hold it already."""
    st.caption(strings.COUNTS_ABOUT)
    service = workbench().counting
    with st.spinner(strings.COUNTING):
        book = service.of_branch(opened.branch.id)
        counted = service.count(book)
    known = {
        name: [value(counted, one) for one in counted.chapters] for name, value in _VALUES.items()
    }
    known = {name: values for name, values in known.items() if any(it is not None for it in values)}
    _along(known)
    _all(counted, known)
    if evaluation is None:
        files.offer(
            opened.title,
            lambda: Report(opened.title, service.count(book)),
            f"counts {opened.branch.id}",
        )
    _own(counted)
    st.subheader(strings.OF_ONE, anchor=False)
    _one(book, counted)


def _along(known: Mapping[str, Sequence[float | None]]) -> None:
    """Show one of the numbers along the chapters."""
    names = list(known)
    drawn = st.selectbox(
        strings.ALONG,
        names,
        index=names.index(_FIRST_DRAWN),
        format_func=lambda name: strings.MEASURES[name],
        key="counted-along",
    )
    name = drawn if drawn in known else _FIRST_DRAWN
    charts.line(strings.MEASURES[name], known[name], is_share=name in _SHARES)
    st.caption(strings.MEANT[name])


def _all(counted: Counted, known: Mapping[str, Sequence[float | None]]) -> None:
    columns: dict[str, Sequence[object]] = {
        strings.CHAPTER: [one.measures.place for one in counted.chapters]
    }
    for name, values in known.items():
        columns[strings.MEASURES[name]] = _percent(values) if name in _SHARES else values
    config = {
        strings.MEASURES[name]: st.column_config.NumberColumn(
            help=strings.MEANT[name],
            format="%.0f%%" if name in _SHARES else "%.1f" if name in _DECIMALS else "localized",
        )
        for name in known
    }
    st.dataframe(columns, hide_index=True, column_config=config)


def _percent(values: Sequence[float | None]) -> list[float | None]:
    return [None if value is None else 100 * value for value in values]


def _own(counted: Counted) -> None:
    """Show what the text uses more than the writer's own pages do, or that it can't be told."""
    st.subheader(strings.OWN, anchor=False)
    own = counted.own
    if not own.is_known:
        st.caption(strings.own_unknown(own.own_words, LEAST_OWN))
        return
    st.caption(strings.own_about(own.own_words))
    if not own.phrases:
        st.markdown(strings.OWN_NONE)
        return
    table(
        "phrases",
        [strings.PHRASE, strings.TIMES, strings.HERE, strings.IN_OWN],
        [
            [plain(one.words), f"{one.count:,}", f"{one.rate:.1f}", f"{one.own_rate:.1f}"]
            for one in own.phrases
        ],
    )


def _one(book: CountedBook, counted: Counted) -> None:
    """Show what the numbers of one chapter rest on."""
    titles = [one.title for one in counted.chapters]
    place = st.selectbox(
        strings.WHICH,
        list(range(1, len(titles) + 1)),
        format_func=lambda at: strings.numbered(at, titles[at - 1]),
        key="counted-chapter",
    )
    one = counted.chapters[min(place or 1, len(titles)) - 1]
    text = book.chapters[one.measures.place - 1].text
    _repeated(book, one, text)
    worn = [(phrase, len(places_of(phrase, text))) for phrase in one.measures.worn_phrases]
    _phrases(strings.WORN_HERE, worn, text)
    if counted.own.is_known:
        _phrases(strings.OVERUSED_HERE, counted.own.in_chapter(one.measures.place), text)
    _story(one)


def _repeated(book: CountedBook, one: CountedChapter, text: str) -> None:
    with st.expander(strings.REPEATED_HERE):
        found = workbench().counting.repeated(book, one.measures.place)
        if not found:
            st.markdown(strings.NOTHING_HERE)
        for it in found:
            shown = _in_sentence(it.words, text)
            st.markdown(f"- {shown} ({strings.repeated(it.count, it.earlier)})")


def _phrases(label: str, found: Sequence[tuple[str, int]], text: str) -> None:
    with st.expander(label):
        if not found:
            st.markdown(strings.NOTHING_HERE)
        for phrase, count in found:
            times = f" ({strings.times(count)})" if count else ""
            st.markdown(f"- {plain(phrase)}{times}: {_in_sentence(phrase, text)}")


def _in_sentence(words: str, text: str) -> str:
    """Return where some words stand first in a text, marked, as Markdown."""
    found = places_of(words.replace("*", ""), text) or _loosely(words, text)
    if not found:
        return f"“{plain(words)}”"
    first, last = found[0]
    before, after = _line_before(text, first), _line_after(text, last)
    space = " " if before[-1:].isspace() else ""
    behind = " " if after[:1].isspace() else ""
    marked = f":orange-background[{plain(text[first:last])}]"
    return f"“{plain(before)}{space}{marked}{behind}{plain(after)}”"


_NEAR = 60
"""Characters that are shown around words."""


def _line_before(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if len(line) <= _NEAR else f"…{line[-_NEAR:]}"


def _line_after(text: str, at: int) -> str:
    end = text.find("\n", at)
    line = text[at : end if end >= 0 else len(text)]
    return line if len(line) <= _NEAR else f"{line[:_NEAR]}…"


def _loosely(words: str, text: str) -> list[tuple[int, int]]:
    """Return where words stand with marks between them."""
    parts = [re.escape(one).replace(r"\*", r"\w*") for one in words.split()]
    found = re.search(r"\W+".join(parts), text, re.IGNORECASE) if parts else None
    return [found.span()] if found else []


def _story(one: CountedChapter) -> None:
    """Show what a chapter names of its story, and which threads are open at its end."""
    if one.naming is not None:
        with st.expander(strings.NAMED_HERE):
            lists = (
                (strings.NAMED, one.naming.named),
                (strings.MISSING, one.naming.missing),
                (strings.BESIDES, one.naming.besides),
            )
            for label, names in lists:
                shown = ", ".join(map(plain, names)) or strings.NOBODY
                st.markdown(f"- {label} {shown}")
    if one.threads is not None:
        with st.expander(strings.THREADS_HERE):
            if not one.threads.oldest:
                st.markdown(strings.NOTHING_HERE)
            for thread in one.threads.oldest:
                st.markdown(f"- {plain(thread.title)} {strings.age(thread.age)}")
            more = one.threads.count - len(one.threads.oldest)
            if more > 0:
                st.caption(strings.and_more(more))
