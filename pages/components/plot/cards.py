"""Candidates side by side: compare what each would change; choose, edit, combine or branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from graph_flow.plot.candidates import best_of
from graph_flow.views import CandidateView, CardLine
from pages.components import notices
from pages.components.fields.gate_buttons import Look, ask_again, decide
from pages.components.graphs import findings
from pages.components.notices import attempt, keep
from pages.components.pictures.network import theme_colors
from pages.components.plot import editor, picture, strings
from pages.components.plot.parts_picker import PartsPicker
from pages.components.words import plain, prose
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.plot import Event
from store.models.proposals import Candidate, CandidateState, Score
from store.models.run import Question
from store.text import name_key

_IN_A_ROW = 3


def show(question: Question) -> None:
    """Show the newest round of candidates to choose from, and fold the earlier ones."""
    candidates = workbench().proposals.candidates(question.branch, question.chapter)
    picker = PartsPicker(question)
    with st.container(horizontal=True, vertical_alignment="center"):
        ask_again(question, strings.ASK_AGAIN, strings.ASK_AGAIN_PROMPT)
        if len(candidates) > 1:
            picker.offer()
    views = _views(question, candidates, question.round)
    standing = [view for view in views if not is_given_up(view.candidate)]
    _rows(question, standing, picker, preferred(standing))
    for view in views:
        if is_given_up(view.candidate):
            given_up(view)
    _earlier(question, candidates, picker)
    picker.show([one.id for one in sorted(candidates, key=lambda one: -one.round)], _preview)


def _views(question: Question, woven: Sequence[Candidate], round_: int) -> list[CandidateView]:
    """Return the cards of those candidates that are of one round."""
    of_round = [one for one in woven if one.round == round_]
    return workbench().plot.cards(question.branch, question.chapter, of_round)


def preferred(views: Sequence[CandidateView]) -> str | None:
    """Return the id of the candidate to highlight: the one that autopilot would choose."""
    best = best_of([view.candidate for view in views])
    return best.id if best else None


def is_given_up(candidate: Candidate) -> bool:
    """Return whether a candidate could not be finished."""
    return candidate.state is CandidateState.GIVEN_UP


def given_up(view: CandidateView) -> None:
    """Show, folded, a candidate that could not be finished, and why."""
    label = strings.unfinished(plain(view.candidate.title))
    with st.expander(label, key=f"given-up-{view.candidate.id}"):
        st.caption(plain(view.goal.text))
        for sentence in view.skipped:
            st.markdown(plain(said(sentence)))
        for line in view.happenings:
            st.caption(plain(said(line.text)))


def _earlier(question: Question, candidates: Sequence[Candidate], picker: PartsPicker) -> None:
    """Show the candidates of earlier rounds, loaded only when the fold is opened."""
    rounds = [one.round for one in candidates if one.round != question.round]
    if not rounds:
        return
    folded = st.expander(
        strings.earlier_candidates(len(rounds)), key="earlier-candidates", on_change="rerun"
    )
    with folded:
        for round_ in sorted(set(rounds), reverse=True) if folded.open else ():
            views = _views(question, candidates, round_)
            standing = [view for view in views if not is_given_up(view.candidate)]
            _rows(question, standing, picker, None)


def _rows(
    question: Question, views: Sequence[CandidateView], picker: PartsPicker, first: str | None
) -> None:
    for view in views:
        if editor.is_open(view.candidate.id):
            with st.container(border=True, key=f"candidate-{view.candidate.id}"):
                editor.show(view)
    read = [view for view in views if not editor.is_open(view.candidate.id)]
    for start in range(0, len(read), _IN_A_ROW):
        row = read[start : start + _IN_A_ROW]
        for column, view in zip(st.columns(max(2, len(row))), row, strict=False):
            key = f"candidate-{view.candidate.id}"
            with column, st.container(border=True, height="stretch", key=key):
                _card(question, view, picker, is_first=view.candidate.id == first)


def _card(question: Question, view: CandidateView, picker: PartsPicker, *, is_first: bool) -> None:
    candidate = view.candidate
    heading(view)
    show_score(candidate)
    with st.container(horizontal=True):
        look = Look(strings.CHOOSE, f"choose-{candidate.id}", is_primary=is_first)
        decide(question, look, choice=candidate.id)
        editor.offer(candidate.id)
    show_warnings(view)
    lines(view, partial(_tick, picker, candidate.id) if picker.is_open else None)
    if is_open(candidate):
        ask_name(candidate, question.branch)
    else:
        offer(candidate)


def _tick(picker: PartsPicker, candidate_id: str, line: CardLine, words: str) -> None:
    picker.tick(candidate_id, line.id, words)


def _preview(view: CandidateView) -> None:
    show_warnings(view)
    lines(view)


Show = Callable[[CardLine, str], None]
"""Shows a line; its text is Markdown."""

_MOST_HAPPENINGS = 6
_MOST_CHANGES = 5
_PICTURE = 380
"""The maximum width in pixels; in a narrower card the picture shrinks to fit."""


def heading(view: CandidateView) -> None:
    """Show the title, the goal or the chapter as it was told, and whose candidate it is."""
    marks = f" :green-badge[{strings.BADGE_BEST}]" if view.is_best else ""
    if view.candidate.is_by_writer:
        marks += f" :gray-badge[{strings.BADGE_BY_WRITER}]"
    if view.candidate.is_sketched:
        badge = strings.BADGE_TOLD if view.goal.sketch else strings.BADGE_SKETCHED
        marks += f" :gray-badge[{badge}]"
    st.markdown(f"##### {plain(view.candidate.title)}{marks}")
    if view.candidate.is_sketched and view.goal.sketch:
        label, key = strings.READ_TOLD, f"told-{view.candidate.id}"
        with st.expander(label, icon=":material/menu_book:", key=key):
            st.markdown(prose(view.goal.sketch.text))
    else:
        st.caption(plain(view.goal.text))


def show_score(candidate: Candidate) -> None:
    """Show the score of a candidate, and the reasons on demand."""
    if candidate.total is None or not candidate.is_judged:
        st.caption(plain(candidate.comment) or strings.NOT_SCORED)
        return
    st.progress(candidate.total / 5, text=strings.total_score(candidate.total))
    titles = {one.id: one.title for one in candidate.delta.additions() if isinstance(one, Event)}
    with st.expander(strings.SCORE_REASONS, type="compact"):
        if candidate.comment:
            st.markdown(plain(candidate.comment))
        for score in candidate.scores:
            _score(score, [titles[id_] for id_ in score.evidence if id_ in titles])


def show_warnings(view: CandidateView) -> None:
    """Show the warnings about a candidate, and who contributed nothing to it."""
    for warning in (*view.warnings, *view.notes):
        st.markdown(f":orange[:material/warning: {plain(said(warning))}]")
    for finding in view.findings:
        findings.card(finding, f"finding-{view.candidate.id}")
    for sentence in view.skipped:
        st.caption(f":material/person_off: {plain(said(sentence))}")


def lines(view: CandidateView, show: Show | None = None) -> None:
    """Show what happens and what changes; `show` draws each line that can be taken on its own."""
    key = view.candidate.id
    _section(strings.HAPPENINGS, view.happenings, _MOST_HAPPENINGS, show, f"{key}-happens")
    _section(strings.PEOPLE, view.people, _MOST_CHANGES, show, f"{key}-people")
    _picture(view)
    _section(strings.THREADS, view.threads, _MOST_CHANGES, show, f"{key}-threads")
    if view.rest:
        with st.expander(strings.more_changes(len(view.rest)), type="compact", key=f"rest-{key}"):
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
            with st.expander(strings.more_lines(len(rest)), type="compact", key=f"more-{key}"):
                for line in rest:
                    (show or _as_text)(line, _words(line))


def _as_text(_: CardLine, words: str) -> None:
    st.markdown(words)


def _words(line: CardLine) -> str:
    before = f"{plain(line.mark)} " if line.mark else ""
    title = f"**{plain(line.title)}** · " if line.title else ""
    return f"{before}{title}{plain(said(line.text))}"


def _picture(view: CandidateView) -> None:
    circle = view.circle
    if circle is None:
        return
    st.image(
        picture.draw(circle, theme_colors()),
        width=_PICTURE,
        alt=picture.words(circle),
    )
    if circle.others:
        st.caption(strings.others_involved(circle.others))


def _score(score: Score, shown_by: Sequence[str]) -> None:
    st.markdown(
        strings.rule_score(plain(said(score.rule)), score.value, score.top, plain(score.reason))
    )
    if shown_by:
        st.caption(strings.score_evidence([plain(title) for title in shown_by]))


_QUESTION = "keep as a branch"
_LONGEST = 80


def is_open(candidate: Candidate) -> bool:
    """Return whether the writer is being asked for a name."""
    return notices.is_asked(_QUESTION, candidate.id)


def offer(candidate: Candidate) -> None:
    """Show the button that keeps a candidate as a branch."""
    st.button(
        strings.KEEP,
        key=f"keep-{candidate.id}",
        icon=":material/alt_route:",
        type="tertiary",
        on_click=notices.ask,
        args=(_QUESTION, candidate.id),
    )


def ask_name(candidate: Candidate, branch_id: str) -> None:
    """Ask for a name for the branch, and keep the candidate on it."""
    key = f"keep-name-{candidate.id}"
    with st.form(f"keep-form-{candidate.id}"):
        st.text_input(strings.KEEP_NAME, _free_name(candidate, branch_id), key=key)
        st.caption(strings.keep_help(plain(candidate.title), candidate.chapter))
        with st.container(horizontal=True):
            st.form_submit_button(
                strings.KEEP_SUBMIT, on_click=_keep, args=(candidate, branch_id, key)
            )
            st.form_submit_button(
                strings.KEEP_CANCEL, type="tertiary", on_click=notices.stop_asking
            )


def _free_name(candidate: Candidate, branch_id: str) -> str:
    story = workbench().branches.status(branch_id).story.id
    taken = {name_key(branch.name) for branch in workbench().library.branches(story)}
    wanted = " ".join(candidate.title.split())[:_LONGEST]
    names = [wanted, *(f"{wanted[: _LONGEST - 6]} ({count})" for count in range(2, len(taken) + 3))]
    return next(name for name in names if name_key(name) not in taken)


def _keep(candidate: Candidate, branch_id: str, key: str) -> None:
    name = str(st.session_state.get(key) or "")
    if attempt(lambda: workbench().plot.keep_as_branch(candidate.id, name, branch_id)):
        notices.stop_asking()
        keep("done", strings.kept(" ".join(name.split())))
