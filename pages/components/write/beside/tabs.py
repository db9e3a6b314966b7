"""Beside the text: what belongs to the paragraph, the plan, the versions, the style, and the whole book."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.views import ParagraphView, SceneTie
from pages.components import places
from pages.components.notices import attempt
from pages.components.words import plain
from pages.components.write import plan
from pages.components.write.beside import find, notes, strings, style, tied, versions, voices
from pages.serving.services import workbench
from store.models.story import Story


def show(story: Story, branch: str, chapter: int, paragraph: int) -> None:
    """Show, in tabs, all that a writer looks up while they write."""
    ties = workbench().desk.ties(branch, chapter)
    with st.container(key="plan-notes"):
        tied.notice(ties)
    here, planned, former, sound, book = st.tabs(
        [
            strings.TAB_HERE,
            strings.TAB_PLAN,
            strings.TAB_VERSIONS,
            strings.TAB_STYLE,
            strings.TAB_FIND,
        ],
        key="beside-tabs",
        on_change="rerun",
    )
    with here:
        placed = workbench().notes.of(branch, chapter)
        notes.show_here(branch, placed, paragraph)
        _here(workbench().desk.here(branch, chapter, paragraph))
        notes.show_all(branch, chapter, placed)
    with planned:
        _plan(branch, chapter, ties)
    # What a save does not change is drawn where it is looked at only: every pause draws all of this anew.
    if former.open:
        with former:
            versions.show(branch, chapter)
    if sound.open:
        with sound:
            style.show(story, _typed(branch, chapter))
            voices.show(branch, chapter)
    if book.open:
        with book:
            find.show(branch)


def _typed(branch: str, chapter: int) -> str:
    """Return the text of a chapter if the writer has typed all of it."""
    draft = workbench().manuscript.draft(branch, chapter)
    return draft.text if draft is not None and draft.is_by_hand else ""


def _plan(branch: str, chapter: int, ties: Sequence[SceneTie]) -> None:
    found = workbench().manuscript.plan(branch, chapter)
    if found is None:
        st.caption(strings.NO_PLAN)
        return
    snapshot = workbench().prototype.snapshot(branch, chapter)
    if len(ties) == len(found.scenes):

        def rewrite(paragraphs: Sequence[str]) -> None:
            ask = workbench().suggestions.ask_as_planned
            attempt(lambda: ask(branch, chapter, paragraphs))

        tied.show(found, ties, snapshot, branch, rewrite)
    else:
        plan.read(found, snapshot)
    if found.is_whole:
        plan.untold(workbench().story.untold(branch, chapter))


def _here(found: ParagraphView) -> None:
    if not (found.events or found.people or found.threads):
        st.caption(strings.NOTHING_HERE)
        return
    if found.beat:
        st.markdown(plain(found.beat))
    _listed(strings.HERE_HAPPENS, [(one.id, one.title, [one.summary]) for one in found.events])
    people = [(one.id, one.name, strings.person_here(one)) for one in found.people]
    _listed(strings.HERE_PEOPLE, people)
    threads = [(one.id, one.title, strings.thread_here(one)) for one in found.threads]
    _listed(strings.HERE_THREADS, threads)


def _listed(heading: str, shown: Sequence[tuple[str, str, Sequence[str]]]) -> None:
    """Show parts of the story under a heading, by id and name, with some words about each."""
    if shown:
        st.markdown(f"**{heading}**")
    for subject, name, lines in shown:
        _way_to(subject, name)
        for line in lines:
            st.caption(plain(line))


def _way_to(subject: str, name: str) -> None:
    """Show a name that leads to where the graphs show it."""
    if st.button(plain(name), type="tertiary", key=f"here-{subject}", help=strings.SHOW_IN_GRAPHS):
        places.go("graphs", show=subject)
