"""Stories from files: those that the app exported, and books that were written elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from graph_flow.errors import WorkbenchError
from pages.components import places
from pages.components.library import strings
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import note, workbench
from store.errors import StoreError
from store.formats.reading.files import SUFFIXES, NamedFile
from store.hosting.records import AuditEvent
from store.models.story import Story

_REFUSED = "refused import"
_LARGEST = 200
"""Megabytes; a story of a thousand chapters takes about twenty."""
_STORY = ".json"


class _Refused(NamedTuple):
    """Files that could not be imported, by their ids, and why."""

    files: tuple[str, ...]
    reason: str


def show_import() -> None:
    """Show a field for files; open what is good as a new story, explain what is not."""
    st.markdown(strings.IMPORT_ABOUT)
    files = st.file_uploader(
        strings.IMPORT_FILE,
        type=["json", *SUFFIXES],
        accept_multiple_files=True,
        key="import-file",
        max_upload_size=_LARGEST,
    )
    if not files:
        return
    refused = st.session_state.get(_REFUSED)
    if isinstance(refused, _Refused) and refused.files == _ids(files):
        st.error(plain(said(refused.reason)))
    elif len(files) == 1 and files[0].name.lower().endswith(_STORY):
        _import_story(files[0])
    elif any(one.name.lower().endswith(_STORY) for one in files):
        st.error(strings.IMPORT_MIXED)
    else:
        _offer_book(files)


def move(bar: DeltaGenerator, part: int, whole: int, words: str) -> None:
    """Move a bar of progress to a part of a whole."""
    bar.progress(min(1.0, part / max(1, whole)), words)


def _import_story(file: UploadedFile) -> None:
    bar = st.progress(0.0, strings.IMPORTING)

    def import_it() -> Story:
        return workbench().files.import_bundle(
            file.getvalue().decode("utf-8"),
            lambda part, whole: move(bar, part, whole, strings.IMPORTING),
        )

    _attempt([file], import_it, "premise")


def _offer_book(files: Sequence[UploadedFile]) -> None:
    """Offer to import files as one book: several may still be on their way, so nothing begins by itself."""
    if st.button(strings.import_book(len(files)), icon=":material/menu_book:"):
        named = [NamedFile(one.name, one.getvalue()) for one in files]
        with st.spinner(strings.IMPORTING_BOOK):
            _attempt(files, lambda: workbench().files.import_book(named), "write")


def _attempt(
    files: Sequence[UploadedFile], import_it: Callable[[], Story], page: places.PageName
) -> None:
    try:
        story = import_it()
    except UnicodeDecodeError:
        reason = strings.IMPORT_NOT_TEXT
    except (StoreError, WorkbenchError) as error:
        reason = str(error)
    else:
        note(AuditEvent.IMPORT, story.id)
        places.go(page, story.id)
        return
    st.session_state[_REFUSED] = _Refused(_ids(files), reason)
    st.error(plain(said(reason)))


def _ids(files: Sequence[UploadedFile]) -> tuple[str, ...]:
    return tuple(one.file_id for one in files)
