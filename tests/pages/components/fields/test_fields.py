"""What a click on a lock makes of what is locked."""

from __future__ import annotations

from pages.components.fields.fields import names_field, text_field, toggled
from store.models.base import WHOLE
from store.models.cast import Character


def test_a_field_is_locked_beside_the_others_in_order() -> None:
    assert toggled(("status",), "age") == ("age", "status")


def test_a_locked_field_is_unlocked() -> None:
    assert toggled(("age", "status"), "age") == ("status",)


def test_fields_stay_locked_when_the_whole_is_unlocked() -> None:
    assert toggled(toggled(("age",), WHOLE), WHOLE) == ("age",)


def test_label_of_a_field_for_names_says_how_they_are_separated() -> None:
    mara = Character(id="m", name="Mara")

    plain, names = text_field(mara, "aliases", "k"), names_field(mara, "aliases", "k", " *")

    assert names.label == f"{plain.label} (separated by commas) *"
    assert names._replace(label=plain.label) == plain
