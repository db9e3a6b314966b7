"""Deltas as values: what one does is what its inverse undoes, and two snapshots make one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.deltas.canonical import chain_hash, delta_json, parse_delta
from store.deltas.delta import apply, canonical, diff, invert
from store.errors import DeltaInvalid
from store.models.delta import Change, Delta
from tests.store.builders import (
    CAST,
    CHAPTER_ONE,
    DISTRUST,
    GROUND,
    LOCKED,
    MARA,
    adding,
    altered,
    changing,
    deltas_on,
    fold,
    histories,
    removing,
    snapshot_of,
)


@given(st.data())
def test_apply_then_invert_gives_the_same_state(data: st.DataObject) -> None:
    before = fold(data.draw(histories()))
    delta = data.draw(deltas_on(before, 9))
    undone = apply(apply(before, delta, 9), invert(delta), 9)
    assert undone.entities == before.entities
    assert list(undone.entities) == list(before.entities)
    assert all(
        undone.first_chapter_of(id_) == before.first_chapter_of(id_) for id_ in before.entities
    )


@given(histories(), st.data())
def test_the_difference_leads_from_the_old_to_the_new(
    deltas: list[Delta], data: st.DataObject
) -> None:
    old = fold(deltas[: data.draw(st.integers(0, len(deltas)))])
    new = fold(deltas)
    assert apply(old, diff(old, new), new.chapter).entities == new.entities
    assert apply(new, diff(new, old), old.chapter).entities == old.entities
    assert diff(new, new).is_empty


@given(histories())
def test_a_delta_survives_being_written_down(deltas: list[Delta]) -> None:
    for delta in deltas:
        assert parse_delta(delta_json(delta)) == delta
        assert canonical(canonical(delta)) == canonical(delta)
        assert invert(invert(delta)) == canonical(delta)


def test_defaults_are_not_written_down() -> None:
    """A field that a later version adds must not change the hash of an earlier Delta."""
    assert "awareness" not in delta_json(adding(DISTRUST))
    assert parse_delta(delta_json(adding(DISTRUST))).changes[0].after == DISTRUST


def test_what_is_referred_to_stands_first_and_goes_last() -> None:
    added = canonical(adding(*reversed(CHAPTER_ONE)))
    kinds = [change.kind for change in added.changes]
    assert kinds.index("event") < kinds.index("participation") < kinds.index("event_link")
    removed = [change.kind for change in invert(added).changes]
    assert removed.index("event_link") < removed.index("participation") < removed.index("event")


def test_what_comes_back_stands_where_it_was() -> None:
    start = snapshot_of(*CAST)
    without = apply(start, removing(DISTRUST), 3)
    back = apply(without, adding(DISTRUST), 5)
    assert back.first_chapter_of(DISTRUST.id) == 0
    assert list(back.entities) == list(start.entities)


def test_applying_leaves_the_old_snapshot_alone() -> None:
    start = snapshot_of(*CAST)
    apply(start, changing(MARA, status="away"), 1)
    assert start.entities["mara"] == MARA


def test_a_delta_that_does_not_fit_is_refused_with_reasons() -> None:
    with pytest.raises(DeltaInvalid) as refused:
        apply(snapshot_of(GROUND), adding(DISTRUST), 1)
    assert len(refused.value.problems) == 2
    assert "does not exist" in str(refused.value)


@pytest.mark.parametrize("content", [(2, "chapter", "One"), (1, "edit", "One"), (1, "chapter", "")])
def test_the_hash_speaks_of_everything(content: tuple[int, str, str]) -> None:
    text = delta_json(adding(LOCKED))
    base = chain_hash("p", (1, "chapter", "One"), text)
    assert base == chain_hash("p", (1, "chapter", "One"), text)
    assert base != chain_hash("p", content, text)
    assert base != chain_hash("q", (1, "chapter", "One"), text)
    assert base != chain_hash("p", (1, "chapter", "One"), delta_json(adding(MARA)))


def test_a_change_speaks_of_one_entity() -> None:
    with pytest.raises(ValueError, match="same entity"):
        Change(before=MARA, after=altered(MARA, id="other"))
