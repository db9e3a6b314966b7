"""The clue cards, by round: to read, edit, add and remove."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from graph_flow.telling.mystery.clues import resting
from graph_flow.telling.mystery.kit import Kit
from graph_flow.workbench.beside.mysteries import MysteryWork
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.editing import with_fields
from pages.components.library.mystery import strings, work
from pages.components.library.mystery.case import people_box
from pages.components.notices import act
from pages.components.words import plain
from pages.serving.services import workbench
from store.models.desk.mystery import Clue

_EDITING = "clue that is edited"
_TEXT_HEIGHT = 110


def show(branch: str, kit: Kit) -> None:
    """Show the clues."""
    mysteries = workbench().mysteries
    work.offer(branch, strings.MAKE_CASE, MysteryWork.CASE, lambda: mysteries.make_case(branch))
    _ways(branch, kit)
    if not kit.clues:
        st.info(strings.NO_CLUES)
    for number in range(1, len(kit.case.rounds) + 1):
        there = [one for one in kit.clues if _round(one, kit) == number]
        if there:
            st.markdown(f"#### {strings.clue_round(number)}")
        for clue in there:
            _card(branch, kit, clue)


def _round(clue: Clue, kit: Kit) -> int:
    return min(clue.round, len(kit.case.rounds))


def _ways(branch: str, kit: Kit) -> None:
    mysteries = workbench().mysteries
    with st.container(horizontal=True, gap="small", key="mystery-clue-ways"):
        if st.button(strings.ADD_CLUE, key="add-clue", icon=":material/add:"):
            act(lambda: _edit(mysteries.add_clue(branch, strings.NEW_CLUE, strings.NEW_CLUE_TEXT)))
        if kit.kept is None:
            return
        if kit.kept.clues is not None and st.button(
            strings.STORY_S_CLUES, key="own-clues", icon=":material/restart_alt:", type="tertiary"
        ):
            act(lambda: mysteries.use_story_s_clues(branch))
        if kit.kept.former_clues is not None and st.button(
            strings.CLUES_BACK, key="clues-back", icon=":material/undo:", type="tertiary"
        ):
            act(lambda: mysteries.bring_clues_back(branch))


def _edit(clue: Clue | None) -> None:
    st.session_state[_EDITING] = clue.id if clue else ""


def _card(branch: str, kit: Kit, clue: Clue) -> None:
    is_open = st.session_state.get(_EDITING) == clue.id
    with st.container(border=True, key=f"clue-{clue.id}"):
        if is_open:
            _fields(branch, kit, clue)
            _close(branch, clue)
            return
        row = st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="top"
        )
        names = {one.id: one.name for one in kit.case.story.characters}
        cleared = [names[one] for one in clue.clears if one in names]
        with row.container():
            st.markdown(f"**{plain(clue.title)}**  \n{plain(clue.text)}")
            st.caption(plain(strings.clue_shows(clue.supports, cleared)))
            if not resting(clue, kit.case.story):
                st.markdown(f":orange[:material/error:] {strings.RESTS_ON_NOTHING}")
        if row.button(
            strings.EDIT_CLUE, key=f"edit-{clue.id}", icon=":material/edit:", type="tertiary"
        ):
            _edit(clue)
            st.rerun()


def _close(branch: str, clue: Clue) -> None:
    with st.container(horizontal=True, gap="small"):
        if st.button(strings.CLOSE_CLUE, key=f"close-{clue.id}", icon=":material/check:"):
            _edit(None)
            st.rerun()
        if st.button(
            strings.REMOVE_CLUE, key=f"remove-{clue.id}", icon=":material/delete:", type="tertiary"
        ):
            act(lambda: workbench().mysteries.remove_clue(branch, clue.id))


def _fields(branch: str, kit: Kit, clue: Clue) -> None:
    def saving(field: str) -> Callable[[object], None]:
        def save(value: object) -> None:
            found = tuple(value) if isinstance(value, list) else value
            workbench().mysteries.change_clue(
                branch, clue.id, lambda one: with_fields(one, **{field: found})
            )

        return save

    def box(field: str, label: str, height: int | None = None) -> Box:
        return Box(f"clue-{clue.id}-{field}", label, height=height)

    autosave.text_box(box("title", strings.CLUE_TITLE), clue.title, saving("title"))
    autosave.text_box(box("text", strings.CLUE_TEXT, _TEXT_HEIGHT), clue.text, saving("text"))
    rounds = {one: strings.clue_round(one) for one in range(1, len(kit.case.rounds) + 1)}
    autosave.choice_box(
        box("round", strings.CLUE_ROUND), rounds, _round(clue, kit), saving("round")
    )
    people = {one.id: one.name for one in kit.case.players}

    def found_by(id_: str) -> None:
        saving("finder")(id_ or None)

    autosave.choice_box(
        box("finder", strings.CLUE_FINDER),
        {"": strings.ON_THE_TABLE, **people},
        clue.finder if clue.finder in people else "",
        found_by,
    )
    people_box(
        f"clue-{clue.id}-supports",
        strings.CLUE_SHOWS,
        {point.value: words for point, words in strings.POINTS.items()},
        [point.value for point in clue.supports],
        saving("supports"),
    )
    suspects = {one.id: one.name for one in kit.case.suspects}
    people_box(
        f"clue-{clue.id}-clears", strings.CLUE_CLEARS, suspects, clue.clears, saving("clears")
    )
    events = {one.id: one.title for one in kit.case.story.events}
    people_box(f"clue-{clue.id}-events", strings.CLUE_EVENTS, events, clue.events, saving("events"))
    autosave.text_box(
        box("deduction", strings.CLUE_DEDUCTION, _TEXT_HEIGHT), clue.deduction, saving("deduction")
    )
