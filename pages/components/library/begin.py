"""How a library begins: sample premises, and the library from before."""

from __future__ import annotations

import tomllib
from pathlib import Path

import streamlit as st

from pages.components import places
from pages.components.frame import frame
from pages.components.library import setup, strings
from pages.components.notices import act
from pages.components.words import plain
from pages.components.words.messages import said
from pages.components.words.speaking import spoken
from pages.serving.services import workbench
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
    samples = load_samples(_folder())
    for start in range(0, len(samples), _IN_A_ROW):
        for column, sample in zip(st.columns(_IN_A_ROW), samples[start:], strict=False):
            with column, st.container(border=True, height="stretch"):
                _sample(sample)


def _sample(sample: Sample) -> None:
    st.subheader(plain(sample.name), anchor=False)
    st.markdown(plain(first_line(sample.premise, longest=220)))
    with st.container(height="stretch"):
        st.caption(f"{said(sample.form.spec.label)} · {plain(sample.about)}")
    if st.button(strings.SAMPLE_START, key=f"sample-{sample.name}"):
        with frame.showing_errors():
            places.go("premise", workbench().library.create_story(sample.brief).id)


FOLDER = Path(__file__).parents[3] / "assets" / "premises"
"""English ones; those in another language are in a folder within, called as a browser calls the language."""


def _folder() -> Path:
    of_language = FOLDER / spoken().value
    return of_language if of_language.is_dir() else FOLDER


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
