"""What to do when no chapter is under way: the next one, several at once, or the writing."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import Desk
from pages.components import going_on, places
from pages.components.editing import with_fields
from pages.components.notices import act
from pages.components.services import workbench
from pages.components.text import plain
from pages.components.wording import counted
from store.models.run import PlotChapters


def show(desk: Desk) -> None:
    """Offer the next step of the plot, or the writing where the story has come to its end."""
    cap = desk.story.settings.chapter_cap
    if desk.is_reached:
        _ended(desk, _why_reached(desk))
    elif desk.plotted >= cap:
        _ended(desk, f"The story has all of its {counted(cap, 'chapter', 'chapters')}.")
    else:
        _primary(desk)
    if desk.plotted < cap:
        going_on.show(desk)


def start_anew(desk: Desk) -> None:
    """Offer to plot the chapter from new goals instead of going on with what was begun."""
    if st.button("Plot this chapter anew", icon=":material/restart_alt:", key="plot-anew"):
        act(lambda: workbench().start(desk.branch.id, PlotChapters()))


def _primary(desk: Desk) -> None:
    if desk.plotted == 0:
        st.markdown(
            "For each chapter you get several ways it could go, with what each would change. You choose."
        )
    label = "Plot the next chapter" if desk.plotted else "Plot the first chapter"
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(label, type="primary", icon=":material/account_tree:", key="plot-next"):
            act(lambda: workbench().start(desk.branch.id, PlotChapters()))
        if desk.plotted == 0 and workbench().outline(desk.branch.id) is None:
            places.link("outline", "Outline first", icon=":material/route:")


def _ended(desk: Desk, why: str) -> None:
    with st.container(border=True, key="ended"):
        st.markdown(f"**{why}**")
        if desk.is_reached:
            _evidence(desk)
        with st.container(horizontal=True):
            if st.button("Write the chapters", type="primary", icon=":material/edit_note:"):
                places.go("write")
            if st.button("Plot one more all the same", key="plot-more"):
                act(lambda: _one_more(desk))


def _one_more(desk: Desk) -> None:
    settings = desk.story.settings
    if desk.plotted >= settings.chapter_cap:
        workbench().save_story_settings(
            desk.story.id, with_fields(settings, chapter_cap=desk.plotted + 1)
        )
    workbench().start(desk.branch.id, PlotChapters())


def _evidence(desk: Desk) -> None:
    """Show the events in which the story reached its goal, as the exit agent named them."""
    titles = workbench().evidence(desk.branch.id, desk.plotted)
    if titles:
        st.markdown("What shows it:\n" + "\n".join(f"- {plain(title)}" for title in titles))


def _why_reached(desk: Desk) -> str:
    verdict = workbench().verdict(desk.branch.id, desk.plotted)
    reason = f" {plain(verdict.reason)}" if verdict and verdict.is_reached else ""
    return f"The story has reached its goal.{reason}"
