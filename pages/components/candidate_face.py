"""What a candidate's card says: what happens, who changes, what to mind, what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from graph_flow.views import CandidateView, CardLine
from pages.components import candidate_picture, intending
from pages.components.picture_file import theme_colors
from pages.components.text import plain
from pages.components.wording import counted
from store.models.plot import Event
from store.models.proposals import Candidate, Score

Show = Callable[[CardLine, str], None]
"""Shows a line; the words are Markdown."""

_MOST_HAPPENINGS = 6
_MOST_CHANGES = 5
_PICTURE = 380
"""Pixels, at most; in a narrower card it is as wide as that."""


def heading(view: CandidateView) -> None:
    """Show the title, the goal, and whose it is."""
    marks = " :green-badge[best]" if view.is_best else ""
    if view.candidate.is_by_writer:
        marks += " :gray-badge[yours]"
    st.markdown(f"##### {plain(view.candidate.title)}{marks}")
    st.caption(plain(view.goal.text))


def worth(candidate: Candidate) -> None:
    """Show what a candidate is worth, and by which rules on demand."""
    if candidate.total is None or not candidate.is_judged:
        st.caption(plain(candidate.comment) or "Not scored.")
        return
    st.progress(candidate.total / 5, text=f"**{candidate.total:.1f}** of 5")
    titles = {one.id: one.title for one in candidate.delta.additions() if isinstance(one, Event)}
    with st.expander("Why", type="compact"):
        if candidate.comment:
            st.markdown(plain(candidate.comment))
        for score in candidate.scores:
            _score(score, [titles[id_] for id_ in score.evidence if id_ in titles])


def mind(view: CandidateView) -> None:
    """Show what speaks against a candidate, and who gave nothing to it."""
    for warning in (*view.warnings, *view.notes):
        st.markdown(f":orange[:material/warning: {plain(warning)}]")
    for finding in view.findings:
        intending.card(finding, f"finding-{view.candidate.id}")
    for sentence in view.skipped:
        st.caption(f":material/person_off: {plain(sentence)}")


def lines(view: CandidateView, show: Show | None = None) -> None:
    """Show what happens and what changes; `show` shows what can be taken alone, if it is to be."""
    key = view.candidate.id
    _section("What happens", view.happenings, _MOST_HAPPENINGS, show, f"{key}-happens")
    _section("Who changes", view.people, _MOST_CHANGES, show, f"{key}-people")
    _picture(view)
    _section("Threads", view.threads, _MOST_CHANGES, show, f"{key}-threads")
    if view.rest:
        label = f"{counted(len(view.rest), 'more change', 'more changes')}"
        with st.expander(label, type="compact", key=f"rest-{key}"):
            for line in view.rest:
                _as_text(line, _words(line))


def _section(
    title: str, section: Sequence[CardLine], most: int, show: Show | None, key: str
) -> None:
    if not section:
        return
    st.markdown(f"**{title}**")
    with st.container(gap="xsmall"):
        for line in section[:most]:
            (show or _as_text)(line, _words(line))
        rest = section[most:]
        if rest:
            with st.expander(f"{len(rest)} more", type="compact", key=f"more-{key}"):
                for line in rest:
                    (show or _as_text)(line, _words(line))


def _as_text(_: CardLine, words: str) -> None:
    st.markdown(words)


def _words(line: CardLine) -> str:
    before = f"{line.mark} " if line.mark else ""
    title = f"**{plain(line.title)}** · " if line.title else ""
    return f"{before}{title}{plain(line.text)}"


def _picture(view: CandidateView) -> None:
    circle = view.circle
    if circle is None:
        return
    st.image(
        candidate_picture.draw(circle, theme_colors()),
        width=_PICTURE,
        alt=candidate_picture.words(circle),
    )
    if circle.others:
        others = counted(circle.others, "other has", "others have")
        st.caption(f"{others} a part in it.")


def _score(score: Score, shown_by: Sequence[str]) -> None:
    reason = f": {plain(score.reason)}" if score.reason else ""
    st.markdown(f"{plain(score.rule)} **{score.value}** of {score.top}{reason}")
    if shown_by:
        st.caption("Shown by " + ", ".join(f"“{plain(title)}”" for title in shown_by))
