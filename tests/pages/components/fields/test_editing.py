"""Edits as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic import ValidationError

from pages.components.fields.editing import free_name, with_entity, with_fields, without_entity
from pages.components.words import problem_of
from store.deltas.delta import apply, diff
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.plot import Event, EventLink, LinkKind, Occurrence, Participation, Scene
from store.models.prototype import AnyEntity, Snapshot
from store.models.story import StorySettings
from tests.wording import says

MARA = Character(id="mara", name="Mara", age="40", invented=("age", "name"))
WHOLE: tuple[AnyEntity, ...] = (
    MARA,
    Character(id="hale", name="Hale"),
    Relationship(id="tie", source="mara", target="hale", tie=RelationshipKind.DEBT),
    Scene(id="quay", name="Quay"),
    Event(id="one", title="One", summary="One."),
    Event(id="two", title="Two", summary="Two."),
    Participation(id="part", character="mara", event="one"),
    Occurrence(id="at", event="one", scene="quay"),
    EventLink(id="link", source="one", target="two", link=LinkKind.CAUSES),
)
SNAPSHOT = Snapshot(entities={one.id: one for one in WHOLE})


def test_changed_field_loses_its_mark_and_others_keep_theirs() -> None:
    edited = with_fields(MARA, age="41", name="Mara")

    assert edited.age == "41"
    assert edited.invented == ("name",)
    assert MARA.invented == ("age", "name")


def test_values_are_checked() -> None:
    with pytest.raises(ValidationError):
        with_fields(MARA, name="")
    with pytest.raises(ValidationError):
        with_fields(MARA, hair="red")


def test_record_without_marks_is_edited_too() -> None:
    assert with_fields(StorySettings(), goals=5).goals == 5


def test_entity_is_added_or_replaced() -> None:
    older = with_fields(MARA, age="50")

    assert with_entity(SNAPSHOT, older).get(Character, "mara") == older
    assert len(with_entity(SNAPSHOT, Character(id="new", name="New")).entities) == len(WHOLE) + 1
    assert SNAPSHOT.get(Character, "mara") == MARA


@given(some.sampled_from([one.id for one in WHOLE]))
def test_what_is_left_after_a_removal_holds_together(gone: str) -> None:
    left = without_entity(SNAPSHOT, gone)

    assert gone not in left.entities
    assert apply(SNAPSHOT, diff(SNAPSHOT, left), 1).entities == left.entities


def test_removal_takes_along_only_what_refers_to_it() -> None:
    left = without_entity(SNAPSHOT, "mara")

    assert set(SNAPSHOT.entities) - set(left.entities) == {"mara", "tie", "part"}


def test_free_name_is_not_taken() -> None:
    assert free_name("Someone", {"Mara"}) == "Someone"
    assert free_name("Someone", {"Someone", "Someone 2"}) == "Someone 3"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"name": " "}, "empty"),
        ({"age": "x" * 401}, "400 characters"),
    ],
)
def test_problem_is_a_sentence_without_what_was_typed(values: dict[str, str], reason: str) -> None:
    with pytest.raises(ValidationError) as caught:
        with_fields(MARA, **values)

    assert says(problem_of(caught.value), reason)
    assert "xx" not in problem_of(caught.value)


def test_problem_of_a_number_says_its_bound() -> None:
    with pytest.raises(ValidationError) as caught:
        with_fields(StorySettings(), goals=9)

    assert says(problem_of(caught.value), 5)
    assert not says(problem_of(caught.value), 9)


def test_problem_of_a_rule_of_ours_is_its_own_words() -> None:
    relationship = Relationship(id="t", source="a", target="b", tie=RelationshipKind.DEBT)
    with pytest.raises(ValidationError) as caught:
        with_fields(relationship, target="a")

    assert says(problem_of(caught.value), "relationship", "two")
