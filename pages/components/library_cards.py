"""The library's cards: stories to open, premises to start from, and the way back from deleting."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from pages.components import frame, places
from pages.components.notices import act
from pages.components.samples import Sample, load_samples
from pages.components.services import workbench
from pages.components.text import plain
from pages.components.wording import FORMS, card_facts, first_line
from store.models.story import Story, StoryCard

_IN_A_ROW = 3
_DELETED = "deleted story"
_UNTITLED = "Untitled story"


def show(cards: Sequence[StoryCard]) -> None:
    """Show the stories, the last touched first."""
    now = datetime.now(UTC)
    for start in range(0, len(cards), _IN_A_ROW):
        for column, card in zip(st.columns(_IN_A_ROW), cards[start:], strict=False):
            with column, st.container(border=True, height="stretch", key=f"card-{card.story.id}"):
                _story(card, now)


def first_visit() -> None:
    """Show what to start from where the library is empty."""
    st.markdown("Begin with an idea of your own, or start from one of these.")
    if workbench().model_chip().is_embedded:
        st.caption(
            "Fabula comes with a sample model: it is real, works offline, and is very small. A larger "
            "model writes far better; connect one in Settings whenever you like."
        )
    for column, sample in zip(st.columns(_IN_A_ROW), load_samples(), strict=False):
        with column, st.container(border=True, height="stretch"):
            _sample(sample)


def offer_undo() -> None:
    """Offer to bring back the story that was deleted last, in this session."""
    deleted: tuple[str, str] | None = st.session_state.get(_DELETED)
    if deleted is None:
        return
    story_id, title = deleted
    with st.container(horizontal=True, vertical_alignment="center", key="undo-delete"):
        st.markdown(f"“{plain(title)}” was deleted.")
        if st.button("Bring it back", icon=":material/undo:", key="restore"):
            st.session_state.pop(_DELETED)
            act(lambda: workbench().restore_story(story_id), done=f"“{title}” is back.")


def _story(card: StoryCard, now: datetime) -> None:
    story = card.story
    st.subheader(plain(story.title or _UNTITLED), anchor=False)
    st.markdown(plain(first_line(story.brief.premise)) or ":gray[No premise yet]")
    with st.container(height="stretch"):
        st.caption(card_facts(card, now))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Open", key=f"open-{story.id}", icon=":material/menu_book:"):
            places.go(_where_to_go_on(card), story.id)
        with st.popover("", icon=":material/delete:", type="tertiary", help="Delete this story"):
            _delete(story)


def _where_to_go_on(card: StoryCard) -> places.PageName:
    return "plot" if card.chapters else "premise"


def _delete(story: Story) -> None:
    title = story.title or _UNTITLED
    st.markdown(f"Delete “{plain(title)}”? You can bring it back right after.")
    if st.button("Delete", key=f"delete-{story.id}", icon=":material/delete:"):
        st.session_state[_DELETED] = (story.id, title)
        if places.open_story_id() == story.id:
            places.forget_story()
        act(lambda: workbench().delete_story(story.id))


def _sample(sample: Sample) -> None:
    st.subheader(plain(sample.name), anchor=False)
    st.markdown(plain(first_line(sample.premise, longest=220)))
    with st.container(height="stretch"):
        st.caption(f"{FORMS[sample.form]} · {plain(sample.about)}")
    if st.button("Start from this one", key=f"sample-{sample.name}"):
        with frame.telling_errors():
            places.go("premise", workbench().create_story(sample.brief).id)
