"""Taking in a story that was taken away as a JSON file."""

from __future__ import annotations

import streamlit as st

from graph_flow.errors import WorkbenchError
from pages.components import places
from pages.components.services import workbench
from pages.components.text import plain
from store.errors import StoreError

_REFUSED = "refused import"
_LARGEST = 200
"""Megabytes; a story of a thousand chapters takes about twenty."""


def show() -> None:
    """Show a field for the file; a good one opens as a new story, a bad one is explained."""
    st.markdown("A story that was exported from Fabula as a JSON file comes in as a new story.")
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
            "This is not a text file, so it cannot be a story from Fabula. Nothing was changed."
        )
        st.session_state[_REFUSED] = (file_id, problem)
    except (StoreError, WorkbenchError) as error:
        st.session_state[_REFUSED] = (file_id, str(error))
    else:
        places.go("premise", story.id)
