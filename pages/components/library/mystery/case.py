"""What the writer decides: the crime, whose deed it is, who is played, the rounds, and how and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from graph_flow.telling.mystery.case import crimes
from graph_flow.telling.mystery.kit import Kit
from pages.components.fields import autosave
from pages.components.fields.autosave import Box, bind, saver
from pages.components.fields.editing import with_fields, with_text
from pages.components.fields.keeping import show_problem
from pages.components.fields.two_texts import SharedText
from pages.components.library.mystery import strings
from pages.serving.services import workbench
from store.models.cast import Life
from store.models.desk.mystery import FEWEST_ROUNDS, MOST_ROUNDS, Mystery

_LIKELY = 3
_LEAST_HEIGHT = 90


def show(branch: str, kit: Kit, newest: int) -> None:
    """Show the fields of the case."""
    with st.container(border=True, height="stretch", key="mystery-case"):
        st.subheader(strings.CASE, anchor=False)
        _crime(branch, kit)
        _people(branch, kit)
        with st.container(horizontal=True):
            _rounds(branch, kit)
            _until(branch, kit, newest)
        with st.expander(strings.ACCOUNT, key="mystery-account"):
            _account(branch, kit)


def people_box(
    key: str, label: str, names: Mapping[str, str], chosen: Sequence[str],
    save: Callable[[Sequence[str]], object],
) -> None:  # fmt: skip
    """Show a field for several people or events, by id."""
    bound = bind(key, [one for one in chosen if one in names])
    st.multiselect(
        label,
        list(names),
        bound.value,
        format_func=lambda id_: names.get(id_, "?"),
        key=bound.key,
        placeholder="",
        on_change=saver(key, bound, save),
    )
    show_problem(key)


def _change(branch: str, **values: object) -> Mystery:
    return workbench().mysteries.change(branch, lambda it: with_fields(it, **values))


def _crime(branch: str, kit: Kit) -> None:
    story = kit.case.story
    likely = [one.id for one in crimes(story)]
    listed = [*likely, *(one.id for one in story.events if one.id not in likely)]
    events = {one.id: one for one in story.events}
    options = {
        id_: strings.crime_option(
            events[id_].title, story.first_chapter_of(id_), is_likely=id_ in likely[:_LIKELY]
        )
        for id_ in listed
    }
    if not options:
        return
    stored = kit.case.crime.id if kit.case.crime else listed[0]

    def decide(id_: str) -> None:
        _change(branch, crime=id_, victim=None, culprits=())

    autosave.choice_box(Box(f"mystery-{branch}-crime", strings.CRIME), options, stored, decide)


def _people(branch: str, kit: Kit) -> None:
    case = kit.case
    everybody = {one.id: one.name for one in case.beginning.characters}
    if case.crime is None:
        return
    people_box(
        f"mystery-{branch}-culprits",
        strings.CULPRITS,
        everybody,
        [one.id for one in case.culprits],
        lambda ids: _change(branch, culprits=tuple(ids)),
    )
    victim = case.victim.id if case.victim else ""
    autosave.choice_box(
        Box(f"mystery-{branch}-victim", strings.VICTIM),
        {"": strings.AS_STORY, **everybody} if not victim else everybody,
        victim,
        lambda id_: _change(branch, victim=id_ or None),
    )
    playable = {
        one.id: one.name
        for one in case.beginning.characters
        if one.life is not Life.DEAD and one.id != victim
    }
    people_box(
        f"mystery-{branch}-players",
        strings.PLAYERS,
        playable,
        [one.id for one in case.players],
        lambda ids: _change(branch, left_out=tuple(one for one in playable if one not in ids)),
    )


def _rounds(branch: str, kit: Kit) -> None:
    key = f"mystery-{branch}-rounds"
    bound = bind(key, len(kit.case.rounds))
    st.segmented_control(
        strings.ROUNDS,
        list(range(FEWEST_ROUNDS, MOST_ROUNDS + 1)),
        default=bound.value,
        required=True,
        key=bound.key,
        on_change=saver(key, bound, lambda rounds: _change(branch, rounds=rounds)),
    )


def _until(branch: str, kit: Kit, newest: int) -> None:
    if not newest:
        return
    key = f"mystery-{branch}-until"
    bound = bind(key, kit.case.story.chapter)

    def decide(chapter: int) -> None:
        _change(branch, until=None if chapter == newest else chapter)

    st.number_input(
        strings.UNTIL,
        0,
        newest,
        bound.value,
        key=bound.key,
        width=220,
        on_change=saver(key, bound, decide),
    )


def _account(branch: str, kit: Kit) -> None:
    labels = {
        "means": strings.MEANS,
        "motive": strings.MOTIVE,
        "opportunity": strings.OPPORTUNITY,
    }
    st.caption(strings.ACCOUNT_HELP)
    for field, label in labels.items():
        stored = str(getattr(kit.kept, field)) if kit.kept else ""

        def replace(found: str, typed: str, field: str = field) -> None:
            workbench().mysteries.change(branch, lambda it: with_text(it, field, found, typed))

        box = Box(f"mystery-{branch}-{field}", label, height=_LEAST_HEIGHT)
        autosave.shared_text_box(box, stored, SharedText(replace))
