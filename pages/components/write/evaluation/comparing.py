"""The text against others: which is the better, as a judge says, with intervals and what they rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from graph_flow.views import SideState
from graph_flow.workbench.beside.pairing import (
    MOST_TEXTS,
    PASSAGES,
    Contestant,
    place_of,
)
from pages.components.frame.frame import OpenStory
from pages.components.notices import act
from pages.components.runs.panel import look_again
from pages.components.words import clock, plain
from pages.components.write.evaluation import charts, strings
from pages.components.write.evaluation.tables import NONE, table
from pages.serving.services import workbench
from store.errors import StoreError
from store.models.desk.pairs import PairTrial

_SECONDS_BETWEEN_LOOKS = 0.8


def show(opened: OpenStory) -> list[Contestant]:
    """Let the writer choose other texts and have a judge compare them; return this text and the chosen ones."""
    st.caption(strings.COMPARE_ABOUT)
    others = _others(opened)
    if not others:
        st.caption(strings.BLIND_NONE)
        return []
    chosen = st.multiselect(
        strings.BLIND_OTHER,
        list(others),
        format_func=lambda key: others[key],
        max_selections=MOST_TEXTS - 1,
        key="compared-others",
    )
    if not chosen:
        return []
    own = workbench().pairs.of_story(opened.branch.id)._replace(name=strings.THIS_TEXT)
    texts = [own, *(_text(key)._replace(name=others[key]) for key in chosen)]
    if len({one.fingerprint for one in texts}) < len(texts):
        st.caption(strings.COMPARE_SAME)
        return []
    _by_judge(texts)
    return texts


def _others(opened: OpenStory) -> dict[str, str]:
    """Return what the text can be compared with: this story's branches and tellings, and other stories."""
    pairs = workbench().pairs
    found = {
        f"branch {one.id}": strings.branch_named(one.name)
        for one in opened.branches
        if one.id != opened.branch.id
    }
    for telling in workbench().tellings.of(opened.branch.id):
        found[f"telling {opened.branch.id} {telling.id}"] = strings.telling_named(telling.name)
    for card in workbench().library.stories():
        if card.story.id != opened.story.id:
            found[f"story {card.story.id}"] = card.story.title or strings.UNNAMED
    there = {key: name for key, name in found.items() if pairs.has_text(*_place(key))}
    return _told_apart(there)


def _told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """Return names of which no two are the same: a browser knows a choice by its name alone."""
    known: Counter[str] = Counter()
    found: dict[str, str] = {}
    for key, name in names.items():
        known[name] += 1
        found[key] = name if known[name] == 1 else f"{name} ({known[name]})"
    return found


def _place(chosen: str) -> tuple[str, str | None]:
    """Return the branch, and the telling if it is one, that a choice stands for."""
    match chosen.split():
        case ["branch", branch]:
            return branch, None
        case ["telling", branch, telling]:
            return branch, telling
        case [_, story]:
            return workbench().library.main_branch(story).id, None
    raise StoreError(chosen)


def _text(chosen: str) -> Contestant:
    return workbench().pairs.of_story(*_place(chosen))


def _by_judge(texts: Sequence[Contestant]) -> None:
    """Show what is compared so far, and offer to compare what is not."""
    pairs, place = workbench().pairs, place_of(texts)
    seen = pairs.seen(place)
    if seen is not None and seen.state is SideState.WORKING:
        look_again(lambda: _look_at(texts), "evaluate", _SECONDS_BETWEEN_LOOKS)
        return
    if seen is not None and seen.message:
        st.warning(plain(seen.message), icon=":material/info:")
    trials = pairs.trials(texts)
    missing = pairs.missing(texts, pairs.judges())
    if missing:
        if st.button(strings.COMPARE, icon=":material/balance:", key="compare-texts"):
            act(lambda: pairs.begin(texts, pairs.judges()))
        st.caption(strings.compare_calls(2 * missing, plain(pairs.judges()[0].model)))
    if trials:
        _found(texts, trials)


def _look_at(texts: Sequence[Contestant]) -> None:
    pairs, place = workbench().pairs, place_of(texts)
    seen = pairs.seen(place)
    if seen is None or seen.state is not SideState.WORKING:
        st.rerun()
    st.progress(min(1.0, _done(texts)), strings.COMPARING)
    st.caption(clock(seen.seconds))
    if st.button(strings.STOP, key="stop-comparing", icon=":material/stop_circle:"):
        pairs.stop(place)


def _done(texts: Sequence[Contestant]) -> float:
    pairs = workbench().pairs
    whole = PASSAGES * len(texts) * (len(texts) - 1) // 2
    return 1 - pairs.missing(texts, pairs.judges()) / whole


def _found(texts: Sequence[Contestant], trials: Sequence[PairTrial]) -> None:
    pairs = workbench().pairs
    with st.spinner(strings.RANKING):
        placed = pairs.standings(texts)
    charts.standings(placed)
    head = [strings.SYSTEM, strings.STRENGTH, strings.INTERVAL]
    head += [strings.PREFERRED, strings.EVEN, strings.NOT_PREFERRED]
    rows = []
    for one in placed:
        found = one.standing
        is_known = found.low is not None and found.high is not None
        interval = strings.between(found.low or 0, found.high or 0) if is_known else NONE
        counts = [f"{it:,}" for it in (found.wins, found.draws, found.losses)]
        rows.append([plain(one.name), strings.signed(found.strength), interval, *counts])
    table("standings", head, rows)
    st.caption(strings.STANDINGS_NOTE)
    _judges(texts)
    names = {one.fingerprint: one.name for one in texts}
    with st.expander(strings.trials(len(trials))):
        _trials(trials, names)


def _judges(texts: Sequence[Contestant]) -> None:
    """Show who has compared, each beside how far readers agree."""
    rows = [
        [
            strings.reader_named(plain(one.judge)) if one.is_reader else plain(one.judge),
            f"{one.trials:,}",
            NONE if one.consistent is None else f"{one.consistent:.0%}",
            NONE if one.with_readers is None else f"{one.with_readers:.0%}",
        ]
        for one in workbench().pairs.judged_by(texts)
    ]
    head = [strings.WHO, strings.PASSAGES, strings.CONSISTENT, strings.LIKE_READERS]
    table("judges", head, rows)
    st.caption(strings.CEILING_OF_PAIRS)


def _trials(trials: Sequence[PairTrial], names: Mapping[str, str]) -> None:
    """Show each trial: which passage, who preferred what, and why."""
    for one in sorted(trials, key=lambda it: (it.first, it.second, it.at, it.judge)):
        if one.margin:
            better = plain(names[one.first if one.margin > 0 else one.second])
            verdict = strings.preferred(better)
        else:
            verdict = strings.EVEN_HERE if one.is_consistent else strings.TURNED
        why = f" — {plain(one.reason)}" if one.reason else ""
        where = strings.passage(one.at + 1, one.of)
        if len(names) > 2:
            where += f", {strings.versus(plain(names[one.first]), plain(names[one.second]))}"
        st.markdown(f"- {where} ({plain(one.judge)}): {verdict}{why}")
