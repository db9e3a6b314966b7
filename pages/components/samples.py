"""Sample premises for a first visit; one file each in assets/premises/."""

from __future__ import annotations

import tomllib
from pathlib import Path

from store.models.base import Line, Name, Record
from store.models.story import Brief, Form

FOLDER = Path(__file__).parents[2] / "assets" / "premises"


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
