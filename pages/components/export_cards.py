"""What can be taken away, each form as a card that says what it is for."""

from __future__ import annotations

import re

import streamlit as st

from pages.components import places
from pages.components.frame import OpenStory
from pages.components.services import workbench
from pages.components.wording import counted

_UNSAFE = re.compile(r"[^\w\- ]+")
_LONGEST = 60


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
            data=lambda: workbench().export_markdown(opened.branch.id),
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
            data=lambda: workbench().export_bundle(opened.story.id),
            file_name=f"{file_stem(opened.title)}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            key="download-bundle",
        )


def file_stem(title: str) -> str:
    """Return a title as the name of a file, without what some systems do not allow."""
    safe = " ".join(_UNSAFE.sub(" ", title).split())[:_LONGEST].strip()
    return safe or "story"
