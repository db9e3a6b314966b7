"""What a click on a lock makes of what is locked."""

from __future__ import annotations

from pages.components.fields.fields import toggled
from store.models.base import WHOLE


def test_a_field_is_locked_beside_the_others_in_order() -> None:
    assert toggled(("status",), "age") == ("age", "status")


def test_a_locked_field_is_unlocked() -> None:
    assert toggled(("age", "status"), "age") == ("status",)


def test_fields_stay_locked_when_the_whole_is_unlocked() -> None:
    assert toggled(toggled(("age",), WHOLE), WHOLE) == ("age",)
