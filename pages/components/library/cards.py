"""The library: stories to open, sample premises, import, and the way back from deleting."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from graph_flow.errors import WorkbenchError
from pages.components import places
from pages.components.frame import frame
from pages.components.notices import act
from pages.components.services import workbench
from pages.components.words import FORMS, card_facts, first_line, plain
from store.errors import StoreError
from store.models.base import Line, Name, Record
from store.models.story import Brief, Form, Story, StoryCard

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
            "Tellwright comes with a sample model: it is real, works offline, and is very small. A larger "
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


FOLDER = Path(__file__).parents[3] / "assets" / "premises"


class Sample(Record):
    """A premise to start from, with what a card says of it."""

    name: Name
    about: Line
    form: Form
    premise: str

    @property
    def brief(self) -> Brief:
        """The brief of a story that starts from this sample."""
        return Brief(premise=self.premise.strip(), form=self.form)


def load_samples(folder: Path = FOLDER) -> list[Sample]:
    """Return the samples of a folder, by the names of their files.

    Raises:
        ValidationError: if a file is not a sample.
    """
    files = sorted(folder.glob("*.toml"))
    return [Sample.model_validate(tomllib.loads(file.read_text("utf-8"))) for file in files]


_REFUSED = "refused import"
_LARGEST = 200
"""Megabytes; a story of a thousand chapters takes about twenty."""


def show_import() -> None:
    """Show a field for the file; a good one opens as a new story, a bad one is explained."""
    st.markdown("A story that was exported from Tellwright as a JSON file comes in as a new story.")
    file = st.file_uploader("Story file", type="json", key="import-file", max_upload_size=_LARGEST)
    if file is None:
        return
    refused: tuple[str, str] | None = st.session_state.get(_REFUSED)
    if refused is None or refused[0] != file.file_id:
        _take_in(file.file_id, file.getvalue())
    st.error(plain(st.session_state[_REFUSED][1]))


def _take_in(file_id: str, content: bytes) -> None:
    try:
        story = workbench().import_bundle(content.decode("utf-8"))
    except UnicodeDecodeError:
        problem = (
            "This is not a text file, so it cannot be a story from Tellwright. Nothing was changed."
        )
        st.session_state[_REFUSED] = (file_id, problem)
    except (StoreError, WorkbenchError) as error:
        st.session_state[_REFUSED] = (file_id, str(error))
    else:
        places.go("premise", story.id)
