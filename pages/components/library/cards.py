"""The stories of the library, each on a card: open, find, rename, duplicate, delete and back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from pages.components import notices, places, words
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.library import safety, strings
from pages.components.library.import_files import move
from pages.components.notices import act
from pages.components.words import plain
from pages.serving.services import note, workbench
from store.hosting.records import AuditEvent
from store.models.desk.contents import BookLength
from store.models.story import Story, StoryCard
from store.text import clip, first_line

_IN_A_ROW = 3
_A_FEW = 6
"""Stories that are found without a search."""
_LONGEST_TITLE = 390
_DELETED = "deleted story"
_RENAME = "rename a story"
_ORDER = "order of the stories"


def find(cards: Sequence[StoryCard]) -> Sequence[StoryCard]:
    """Show a search field if there are more than a few stories; return those that it finds."""
    if len(cards) <= _A_FEW:
        return cards
    text = st.text_input(
        strings.SEARCH,
        key="library-search",
        placeholder=strings.SEARCH_PLACEHOLDER,
        icon=":material/search:",
        label_visibility="collapsed",
        persist_state="session",
    )
    if not text.strip():
        return cards
    found = workbench().library.find_stories(text)
    if not found:
        st.markdown(strings.SEARCH_NOTHING)
    return found


def show(cards: Sequence[StoryCard]) -> None:
    """Show the stories in the given order; while one is renamed, all stay where they are."""
    now = datetime.now(UTC)
    ordered = _in_order(cards)
    for start in range(0, len(ordered), _IN_A_ROW):
        for column, card in zip(st.columns(_IN_A_ROW), ordered[start:], strict=False):
            with column, st.container(border=True, height="stretch", key=f"card-{card.story.id}"):
                _story(card, now)


def _in_order(cards: Sequence[StoryCard]) -> list[StoryCard]:
    """Return the stories; in the order in which they stood when the writer began to rename one."""
    if notices.subject(_RENAME) is None:
        st.session_state[_ORDER] = {card.story.id: place for place, card in enumerate(cards)}
    places_before: dict[str, int] = st.session_state.get(_ORDER, {})
    return sorted(cards, key=lambda card: places_before.get(card.story.id, -1))


def offer_undo() -> None:
    """Offer to bring back the story that was last deleted in this session."""
    deleted: tuple[str, str] | None = st.session_state.get(_DELETED)
    if deleted is None:
        return
    story_id, title = deleted
    with st.container(horizontal=True, vertical_alignment="center", key="undo-delete"):
        st.markdown(strings.story_deleted(plain(title)))
        if st.button(strings.STORY_RESTORE, icon=":material/undo:", key="restore"):
            st.session_state.pop(_DELETED)
            act(lambda: workbench().library.restore(story_id), done=strings.story_restored(title))


def _story(card: StoryCard, now: datetime) -> None:
    story, length = card.story, workbench().desk.length(card.branch)
    if notices.is_asked(_RENAME, story.id):
        _rename(story)
    else:
        st.subheader(plain(story.title or words.UNTITLED), anchor=False)
    st.markdown(plain(first_line(story.brief.premise)) or f":gray[{strings.PREMISE_MISSING}]")
    with st.container(height="stretch"):
        st.caption(words.card_facts(card, length, now))
        safety.of_story(story)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(strings.STORY_OPEN, key=f"open-{story.id}", icon=":material/menu_book:"):
            places.go(_where_to_go_on(card, length), story.id)
        st.button(
            "",
            icon=":material/edit:",
            type="tertiary",
            help=strings.STORY_RENAME_HELP,
            key=f"rename-{story.id}",
            on_click=notices.ask,
            args=(_RENAME, story.id),
        )
        is_copied = st.button(
            "",
            icon=":material/content_copy:",
            type="tertiary",
            help=strings.STORY_DUPLICATE_HELP,
            key=f"duplicate-{story.id}",
        )
        with st.popover(
            "", icon=":material/delete:", type="tertiary", help=strings.STORY_DELETE_HELP
        ):
            _delete(story)
    if is_copied:
        _duplicate(story)


def _rename(story: Story) -> None:
    """Show the title as a field; it is the writer's from then on."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container():
            box = Box(f"title-{story.id}", strings.STORY_TITLE)
            autosave.text_box(box, story.title, partial(workbench().story.rename, story.id))
        st.button(
            strings.STORY_RENAMED,
            icon=":material/check:",
            key=f"renamed-{story.id}",
            on_click=notices.stop_asking,
        )


def _duplicate(story: Story) -> None:
    title = strings.copy_title(clip(story.title or words.UNTITLED, _LONGEST_TITLE))
    bar = st.progress(0.0, strings.STORY_DUPLICATING)

    def copy() -> None:
        made = workbench().files.duplicate(
            story.id,
            title,
            lambda part, whole: move(bar, part, whole, strings.STORY_DUPLICATING),
        )
        note(AuditEvent.IMPORT, made.id)

    act(copy, done=strings.story_duplicated(title))


def _where_to_go_on(card: StoryCard, length: BookLength) -> places.PageName:
    if card.chapters:
        return "plot"
    return "write" if length.words else "premise"


def _delete(story: Story) -> None:
    title = story.title or words.UNTITLED
    st.markdown(strings.story_delete_asked(plain(title)))
    if st.button(strings.STORY_DELETE, key=f"delete-{story.id}", icon=":material/delete:"):
        st.session_state[_DELETED] = (story.id, title)
        if places.open_story_id() == story.id:
            places.forget_story()
        act(lambda: workbench().library.delete(story.id))
