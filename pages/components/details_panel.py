"""The panel beside a picture: one person, event, scene or tie, or what the chapter changed."""

from __future__ import annotations

import streamlit as st

from pages.components.details import Details, Occasion
from pages.components.text import plain
from store.description import Sentence


def show(details: Details) -> None:
    """Show what is so of one thing, and how it came to be."""
    st.caption(plain(details.sort))
    st.subheader(plain(details.title), anchor=False)
    if details.lead:
        with st.container(key="story-lead"):
            st.markdown(plain(details.lead))
    st.markdown(
        "\n\n".join(f"**{plain(fact.label)}**  \n{plain(fact.text)}" for fact in details.facts)
    )
    if details.ties:
        st.markdown(f"**{plain(details.ties_heading)}**\n\n{_items(details.ties)}")
    if details.history:
        st.markdown("**How it came to be**")
        st.markdown("\n\n".join(_occasion(one) for one in details.history))


def show_changes(chapter: int, changes: list[Sentence]) -> None:
    """Show what a chapter changed, as long as nothing is chosen."""
    st.subheader(f"What chapter {chapter} changed" if chapter else "The beginning", anchor=False)
    if not changes:
        st.caption("Nothing.")
    st.markdown("\n\n".join(f"{plain(change.mark)} {plain(change.text)}" for change in changes))


def _occasion(occasion: Occasion) -> str:
    return f"*{plain(occasion.when)}*\n\n{_items(occasion.lines)}"


def _items(lines: tuple[str, ...]) -> str:
    return "\n".join(f"- {plain(line)}" for line in lines)
