"""An attribute is called the same wherever a writer meets it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.graphs.details import details_of
from pages.components.words import plain
from store.deltas.sentences import describe
from store.models.cast import Character
from store.models.fields import shown, shown_fields
from store.models.plot import Foundation
from store.models.prototype import Snapshot
from tests.pages.desk import Desk, button, expect_whole
from tests.pages.graphs.test_editor import edit
from tests.pages.told_story import tell_into
from tests.store.builders import changing

TEXTS = {
    name
    for name in shown_fields(Character)
    if Character.model_fields[name].annotation is str and name != "name"
}
"""The attributes of a person that are written as one text."""

Screen = Callable[[Desk, Path], dict[str, str]]


def in_the_premise(desk: Desk, _: Path) -> dict[str, str]:
    story = desk.drafted()
    window = desk.window("premise", story)
    person = desk.workbench.story.proposed_snapshot(desk.branch(story)).characters[0]
    return _labels(button(window, f"Edit {plain(person.name)}").click().run(), person.id)


def beside_a_picture(desk: Desk, library: Path) -> dict[str, str]:
    story = desk.workbench.library.story(tell_into(library))
    return _labels(edit(desk.window("graphs", story), "mara"), "mara")


def _labels(window: AppTest, person: str) -> dict[str, str]:
    """Return the labels of the fields of a person, by attribute, without marks."""
    expect_whole(window)
    found = [*window.main.text_input, *window.main.text_area]
    keys = {name: f"-{person}-{name}" for name in TEXTS}
    return {
        name: one.label.split(" :")[0]
        for one in found
        for name, key in keys.items()
        if key in str(one.key)
    }


@pytest.mark.parametrize("screen", [in_the_premise, beside_a_picture])
def test_forms_show_every_attribute_by_its_label(
    desk: Desk, library_path: Path, screen: Screen
) -> None:
    labels = screen(desk, library_path)

    assert labels == {name: shown(Character, name).label for name in TEXTS}


def test_details_and_sentences_call_them_as_the_forms_do() -> None:
    mara = Character(id="mara", name="Mara")
    full = mara.model_copy(update={name: f"{name} of hers" for name in TEXTS})
    story = Snapshot(entities={"mara": full})

    details = details_of(story, "mara")
    told = [one.text for one in describe(changing(mara, **dict(full)), story)]

    assert details is not None
    assert {fact.label for fact in details.facts} == {
        shown(Character, name).label for name in TEXTS
    }
    assert {text.split("’s ")[1].split(":")[0] for text in told} == {
        shown(Character, name).words for name in TEXTS
    }


def test_field_that_is_empty_says_what_belongs_in_it(desk: Desk, library_path: Path) -> None:
    story = desk.workbench.library.story(tell_into(library_path))
    window = edit(desk.window("graphs", story), "mara")

    [age] = [one for one in window.main.text_input if one.label == shown(Character, "age").label]

    assert age.placeholder == shown(Character, "age").meaning


def test_ground_of_the_story_is_called_as_its_fields_are(desk: Desk) -> None:
    window = desk.window("premise", desk.drafted())

    labels = [one.label.split(" :")[0] for one in window.main.text_area]

    for known in shown_fields(Foundation).values():
        assert known.label in labels
