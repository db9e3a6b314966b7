"""The sample premises that ship with the app."""

from __future__ import annotations

from pages.components.library.begin import load_samples
from store.models.form import Form


def test_three_samples_of_both_forms_can_be_read() -> None:
    samples = load_samples()

    assert len({sample.name for sample in samples}) == 3
    assert {sample.form for sample in samples} == {Form.NOVEL, Form.SCREENPLAY}
    for sample in samples:
        paragraphs = sample.brief.premise.split("\n\n")
        assert len(paragraphs) == 2
        assert not any("\n" in paragraph for paragraph in paragraphs)
        assert "ends when" in sample.premise
