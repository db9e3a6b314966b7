"""How a story gets into the library: sample premises, a file, and the library from before."""

from __future__ import annotations

import tomllib
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from graph_flow.errors import WorkbenchError
from pages.components import places
from pages.components.frame import frame
from pages.components.library import setup, strings
from pages.components.notices import act
from pages.components.services import note, workbench
from pages.components.words import plain
from store.errors import StoreError
from store.hosting.records import AuditEvent
from store.models.base import Line, Name, Record
from store.models.form import Form
from store.models.story import Brief
from store.text import first_line

_IN_A_ROW = 3


def first_visit() -> None:
    """Show what to start from while the library is empty."""
    setup.offer()
    st.markdown(strings.FIRST_VISIT)
    _samples()


def offer_samples() -> None:
    """Offer the samples, folded, to a writer who already has stories."""
    with st.expander(strings.SAMPLES, key="samples"):
        _samples()


def offer_former_library() -> None:
    """Offer to copy the library from before the app was renamed, if there is one."""
    former = workbench().files.former_library()
    if former is None:
        return
    with st.container(border=True, key="former-library"):
        st.markdown(strings.FORMER_LIBRARY)
        st.caption(plain(str(former)))
        if st.button(
            strings.FORMER_LIBRARY_COPY, icon=":material/drive_file_move:", key="take-over"
        ):
            act(workbench().files.take_over_library, done=strings.FORMER_LIBRARY_COPIED)


def _samples() -> None:
    samples = load_samples()
    for start in range(0, len(samples), _IN_A_ROW):
        for column, sample in zip(st.columns(_IN_A_ROW), samples[start:], strict=False):
            with column, st.container(border=True, height="stretch"):
                _sample(sample)


def _sample(sample: Sample) -> None:
    st.subheader(plain(sample.name), anchor=False)
    st.markdown(plain(first_line(sample.premise, longest=220)))
    with st.container(height="stretch"):
        st.caption(f"{sample.form.spec.label} · {plain(sample.about)}")
    if st.button(strings.SAMPLE_START, key=f"sample-{sample.name}"):
        with frame.showing_errors():
            places.go("premise", workbench().library.create_story(sample.brief).id)


FOLDER = Path(__file__).parents[3] / "assets" / "premises"


class Sample(Record):
    """A premise to start from, with what its card says."""

    name: Name
    about: Line
    form: Form
    premise: str

    @property
    def brief(self) -> Brief:
        """The brief of a story that starts from this sample."""
        return Brief(premise=self.premise.strip(), form=self.form)


def load_samples(folder: Path = FOLDER) -> list[Sample]:
    """Return the samples in a folder, sorted by file name.

    Raises:
        ValidationError: if a file is not a sample.
    """
    files = sorted(folder.glob("*.toml"))
    return [Sample.model_validate(tomllib.loads(file.read_text("utf-8"))) for file in files]


_REFUSED = "refused import"
_LARGEST = 200
"""Megabytes; a story of a thousand chapters takes about twenty."""


def show_import() -> None:
    """Show a field for a story file; open a good one as a new story, explain a bad one."""
    st.markdown(strings.IMPORT_ABOUT)
    file = st.file_uploader(
        strings.IMPORT_FILE, type="json", key="import-file", max_upload_size=_LARGEST
    )
    if file is None:
        return
    refused: tuple[str, str] | None = st.session_state.get(_REFUSED)
    if refused is None or refused[0] != file.file_id:
        _import(file.file_id, file.getvalue())
    st.error(plain(st.session_state[_REFUSED][1]))


def move(bar: DeltaGenerator, part: int, whole: int, words: str) -> None:
    """Move a bar of progress to a part of a whole."""
    bar.progress(min(1.0, part / max(1, whole)), words)


def _import(file_id: str, content: bytes) -> None:
    try:
        bar = st.progress(0.0, strings.IMPORTING)
        story = workbench().files.import_bundle(
            content.decode("utf-8"), lambda part, whole: move(bar, part, whole, strings.IMPORTING)
        )
    except UnicodeDecodeError:
        st.session_state[_REFUSED] = (file_id, strings.IMPORT_NOT_TEXT)
    except (StoreError, WorkbenchError) as error:
        st.session_state[_REFUSED] = (file_id, str(error))
    else:
        note(AuditEvent.IMPORT, story.id)
        places.go("premise", story.id)
