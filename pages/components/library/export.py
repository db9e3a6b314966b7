"""What can be taken away, each form as a card that says what it is for."""

from __future__ import annotations

import re
from collections.abc import Mapping

import streamlit as st

from pages.components import places
from pages.components.frame import time_cursor
from pages.components.frame.frame import OpenStory
from pages.components.services import workbench
from pages.components.words import counted, plain
from store.formats.data import FILE_KINDS, DataForm

_UNSAFE = re.compile(r"[^\w\- ]+")
_LONGEST = 60

_DATA: Mapping[DataForm, tuple[str, str]] = {
    DataForm.TABLES: (
        "Tables for a spreadsheet",
        "A zip of CSV files, one for each kind of thing: people, ties, scenes, events, threads …",
    ),
    DataForm.ROLE_GRAPH: (
        "Role Graph for a network program",
        "GraphML: who is what to whom, to draw and measure in Gephi, yEd or Cytoscape.",
    ),
    DataForm.PLOT_GRAPH: (
        "Plot Graph for a network program",
        "GraphML: events, who is in them, where they happen, and what leads to what.",
    ),
    DataForm.TURTLE: (
        "Facts for a knowledge base",
        "Turtle: every fact as subject, predicate and object, to ask questions of.",
    ),
    DataForm.JSON_LD: ("Facts for a program", "JSON-LD: the same facts as JSON."),
}
"""What each form is called, and what it is good for."""


def markdown(opened: OpenStory) -> None:
    """Show the card of the manuscript."""
    desk = opened.desk
    with st.container(border=True, height="stretch", key="export-markdown"):
        st.subheader("Manuscript", anchor=False)
        st.markdown("The chapters as one Markdown file, to read, print or take to another editor.")
        if not desk.written:
            st.caption("No chapter is written yet, so there is nothing to take.")
            if st.button("Write a chapter", type="primary", icon=":material/edit_note:"):
                places.go("write" if desk.plotted else "plot" if desk.is_founded else "premise")
            return
        missing = desk.plotted - desk.written
        rest = f"; {counted(missing, 'is', 'are')} not written yet" if missing else ""
        st.caption(f"{counted(desk.written, 'chapter', 'chapters')}{rest}.")
        st.download_button(
            "Download the manuscript",
            data=lambda: workbench().files.export_markdown(opened.branch.id),
            file_name=f"{file_stem(opened.title)}.md",
            mime="text/markdown",
            type="primary",
            icon=":material/download:",
            on_click="ignore",
            key="download-markdown",
        )


def bundle(opened: OpenStory) -> None:
    """Show the card of the whole story."""
    with st.container(border=True, height="stretch", key="export-bundle"):
        st.subheader("Whole story", anchor=False)
        st.markdown(
            "Everything in one JSON file: premise, cast, plot, candidates, every version of the text. For "
            "a backup or another machine; Import in the library takes it in again. It holds no keys."
        )
        is_begun = opened.desk.is_founded
        st.caption("Always up to date." if is_begun else "So far it holds the premise.")
        st.download_button(
            "Download the whole story",
            data=lambda: workbench().files.export_bundle(opened.story.id),
            file_name=f"{file_stem(opened.title)}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            key="download-bundle",
        )


def data(opened: OpenStory) -> None:
    """Show the card of the story as data."""
    with st.container(border=True, key="export-data"):
        st.subheader("The story as data", anchor=False)
        st.markdown(
            "For those who count, draw or ask: people, ties, events and threads without the text, "
            "as they stood at the chapter that the time cursor shows."
        )
        if not opened.desk.is_founded:
            st.caption("The story has no cast yet, so there is nothing to take.")
            return
        data_choice(opened, place="export")


def data_popover(opened: OpenStory) -> None:
    """Offer the story as data on a page that shows it otherwise."""
    with st.popover("Save as data", icon=":material/download:", type="tertiary"):
        data_choice(opened, place="popover")


def data_choice(opened: OpenStory, *, place: str) -> None:
    """Offer the forms of the story as data, and the one that is chosen to take.

    `place` tells the choices of several pages apart.
    """
    form = st.radio(
        "What for",
        list(_DATA),
        format_func=lambda one: _DATA[one][0],
        captions=[about for _, about in _DATA.values()],
        label_visibility="collapsed",
        key=f"data-form-{place}",
    )
    if form is None:
        return
    when = time_cursor.words(opened.chapter, opened.desk.plotted)
    st.caption(f"{when}, on “{plain(opened.branch.name)}”.")
    kind = FILE_KINDS[form]
    # Made when it is asked for: of a long story it takes seconds.
    st.download_button(
        "Download the data",
        data=lambda: workbench().files.export_data(opened.branch.id, form, opened.chapter),
        file_name=f"{file_stem(opened.title)}{kind.suffix}",
        mime=kind.mime,
        icon=":material/download:",
        on_click="ignore",
        key=f"download-data-{place}",
    )


def file_stem(title: str) -> str:
    """Return a title as the name of a file, without what some systems do not allow."""
    safe = " ".join(_UNSAFE.sub(" ", title).split())[:_LONGEST].strip()
    return safe or "story"
