"""Each field says what it is called, and whatever shows, searches or locks fields goes by that."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import BaseModel

from store.database.word_index import lines_of
from store.deltas.locks import broken_locks
from store.deltas.sentences import describe
from store.formats.linked_data import MEANINGS
from store.models.base import Line
from store.models.cast import Character, Trait
from store.models.delta import Change, Delta
from store.models.fields import BOOKKEEPING, Shown, field_words, shown, shown_fields
from store.models.outline import OutlineEvent, OutlineLink, SubEvent
from store.models.plot import Foundation
from store.models.prototype import ENTITY_TYPES, AnyEntity, Snapshot
from tests.store.builders import (
    AFTER,
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    GROUND,
    MARA,
    MARA_LOCKED,
    THREAD,
    snapshot_of,
)

MODELS: tuple[type[BaseModel], ...] = (
    *ENTITY_TYPES.values(),
    Trait,
    OutlineEvent,
    OutlineLink,
    SubEvent,
)
FIELDS = [
    (model, name) for model in MODELS for name in model.model_fields if name not in BOOKKEEPING
]
STORY = snapshot_of(*CAST, *CHAPTER_ONE)


class Speaker(Character):
    """A character who has an attribute more."""

    speech: Annotated[
        Line, Shown("Speech habits", "How they speak.", is_plural=True, is_searched=True)
    ] = ""


OTTO = Speaker(id="otto", name="Otto", speech="never finishes")


@pytest.mark.parametrize(("model", "name"), FIELDS)
def test_each_field_has_a_label_and_a_meaning(model: type[BaseModel], name: str) -> None:
    known = shown(model, name)

    assert known.label[:1].isupper()
    assert known.label == known.label.strip(" .…")
    assert known.words == known.label[:1].lower() + known.label[1:]
    assert known.meaning.endswith(".")


@pytest.mark.parametrize("model", MODELS)
def test_no_two_fields_of_a_thing_are_called_the_same(model: type[BaseModel]) -> None:
    called = [known.label for known in shown_fields(model).values()]

    assert len(set(called)) == len(called)


def test_what_is_no_field_of_the_story_has_no_label() -> None:
    with pytest.raises(KeyError):
        shown(MARA, "invented")
    assert field_words(MARA, "of_a_later_version") == "of a later version"


@pytest.mark.parametrize("entity", [MARA, DISTRUST, GROUND, AFTER, MARA_LOCKED, THREAD])
def test_sentences_and_locks_call_each_field_by_its_label(entity: AnyEntity) -> None:
    model = type(entity)
    locked = entity.model_copy(update={"locked": tuple(sorted(shown_fields(model)))})
    base = STORY.model_copy(update={"entities": {**STORY.entities, entity.id: locked}})
    values = {
        name: other
        for name in shown_fields(model)
        if (other := _another(getattr(entity, name))) is not None
    }
    assert values
    for name, value in values.items():
        delta = Delta.model_construct(
            changes=(
                Change.model_construct(
                    before=locked, after=locked.model_copy(update={name: value})
                ),
            )
        )
        words = shown(model, name).words
        [told] = describe(delta, base)
        [refused] = broken_locks(delta, base)
        is_named_by_its_value = (entity.kind, name) in {
            ("relationship", "strength"),
            ("thread", "state"),
        }
        assert words in told.text or is_named_by_its_value
        assert words in refused.lower()


def _another(value: object) -> object:
    """Return another text or number; None for what is chosen among a few."""
    if type(value) is str:
        return f"{value} anew"
    return 3 if type(value) is int else None


def test_everything_that_is_exported_as_a_term_has_its_meaning() -> None:
    assert MEANINGS["motivation"] == shown(Character, "motivation").meaning
    assert MEANINGS["longTermGoal"] == shown(Foundation, "long_term_goal").meaning


def test_new_attribute_is_searched_told_and_locked_by_what_it_says_of_itself() -> None:
    base = Snapshot(entities={"otto": OTTO})
    locked = OTTO.model_copy(update={"locked": ("speech",)})

    assert lines_of(OTTO)[-1] == "never finishes"
    assert [one.text for one in describe(_speaking(OTTO), base)] == [
        "Otto’s speech habits: mumbles (before: never finishes)"
    ]
    assert broken_locks(_speaking(locked), Snapshot(entities={"otto": locked})) == [
        "Otto’s speech habits are locked; the plot would have made them “mumbles”."
    ]


def _speaking(speaker: Speaker) -> Delta:
    after = speaker.model_copy(update={"speech": "mumbles"})
    return Delta(changes=(Change(before=speaker, after=after),))
