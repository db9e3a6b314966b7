"""What is typed but not saved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic import ValidationError

from pages.components.editor.draft import Draft, Place
from store.deltas.delta import apply, validate
from store.models.base import Entity
from store.models.cast import Character, Relationship
from store.models.plot import Event, Participation
from store.models.prototype import Snapshot
from tests.store.builders import (
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    MARA,
    adding,
    altered,
    changing,
    fold,
)

STORY = fold([adding(*CAST), adding(*CHAPTER_ONE)])
DRAFT = Draft("mara")
IDA = Character(id="ida", name="Ida")


def later(**values: object) -> Snapshot:
    """Return the story after somebody else changed Mara."""
    return apply(STORY, changing(MARA, **values), 1)


def test_draft_changes_only_the_fields_that_were_touched() -> None:
    draft = DRAFT.change(STORY, "mara", age="41").change(STORY, "mara", health="ill")

    delta = draft.delta(later(status="free"))

    assert [change.fields for change in delta.changes] == [("age", "health")]
    assert draft.applied(later(status="free")).get(Character, "mara").status == "free"


def test_nothing_touched_is_nothing_changed() -> None:
    assert DRAFT.delta(STORY).is_empty
    assert DRAFT.change(STORY, "mara", name="Mara").delta(STORY).is_empty


def test_field_that_was_touched_is_no_longer_invented() -> None:
    made_up = altered(MARA, invented=("motivation", "occupation"))
    story = fold([adding(made_up, HALE)])

    mara = DRAFT.change(story, "mara", motivation="to stay").applied(story).get(Character, "mara")

    assert mara.invented == ("occupation",)


def test_value_that_does_not_fit_is_refused_and_the_draft_stays() -> None:
    draft = DRAFT.change(STORY, "mara", age="41")

    with pytest.raises(ValidationError):
        draft.change(STORY, "mara", name="")

    assert draft.applied(STORY).get(Character, "mara").age == "41"


def test_field_that_both_changed_is_told_and_then_ours() -> None:
    draft = DRAFT.change(STORY, "mara", age="41", health="ill")
    now = later(age="50")

    assert draft.moved(now) == [Place("mara", "age")]
    assert draft.renewed(now).moved(now) == []
    assert draft.renewed(now).applied(now).get(Character, "mara").age == "41"


def test_same_change_made_twice_is_no_quarrel() -> None:
    assert DRAFT.change(STORY, "mara", age="50").moved(later(age="50")) == []


def test_what_was_taken_away_meanwhile_is_told() -> None:
    draft = Draft("distrust").change(STORY, "distrust", strength=2)
    left = {id_: one for id_, one in STORY.entities.items() if id_ != "distrust"}
    now = STORY.model_copy(update={"entities": left})

    assert draft.lost(now) == ["distrust"]
    assert draft.applied(now).entities == left


def test_new_thing_is_edited_until_it_is_saved() -> None:
    draft = Draft("ida").add(IDA).change(STORY, "ida", age="30")

    assert draft.is_new
    assert draft.applied(STORY).get(Character, "ida").age == "30"
    assert draft.applied(STORY).first_chapter_of("ida") == 1
    assert draft.remove("ida").delta(STORY).is_empty


def test_removal_takes_along_what_refers_to_it() -> None:
    draft = Draft("locked").remove("locked")

    gone = set(STORY.entities) - set(draft.applied(STORY).entities)

    assert gone == {"locked", "mara-locked", "in-lamp-room", "cause"}
    assert validate(draft.delta(STORY), STORY) == []


def test_what_was_typed_about_a_thing_goes_with_it() -> None:
    draft = Draft("locked").change(STORY, "mara-locked", emotion="calm").remove("mara-locked")

    assert [change.operation for change in draft.delta(STORY).changes] == ["remove"]


def test_event_and_its_people_are_one_change() -> None:
    part = Participation(id="hale-locked", character="hale", event="locked")
    draft = (
        Draft("locked").change(STORY, "locked", title="The bolt").add(part).remove("in-lamp-room")
    )

    after = apply(STORY, draft.delta(STORY), 2)

    assert after.get(Event, "locked").title == "The bolt"
    assert after.scene_of("locked") is None
    assert len(after.participations_in("locked")) == 2


def test_tie_can_be_turned_around() -> None:
    draft = Draft("distrust").change(STORY, "distrust", source="hale", target="mara")

    assert draft.applied(STORY).get(Relationship, "distrust").source == "hale"


@given(
    some.dictionaries(
        some.sampled_from(["age", "health", "status"]), some.text("aé灯 🔦", max_size=9)
    )
)
def test_saving_a_draft_brings_what_was_typed(values: dict[str, str]) -> None:
    draft = DRAFT
    for field, value in values.items():
        draft = draft.change(STORY, "mara", **{field: value})

    after = apply(STORY, draft.delta(STORY), 1).get(Character, "mara")

    assert {field: getattr(after, field) for field in values} == {
        field: value.strip() for field, value in values.items()
    }
    assert isinstance(after, Entity)
    assert after.name == MARA.name
    assert after.motivation == MARA.motivation
    assert STORY.entities["distrust"] == DISTRUST
