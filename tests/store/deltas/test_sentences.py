"""What a writer reads of a Delta."""

from __future__ import annotations

import pytest
from hypothesis import given

from store.deltas.delta import describe, invert
from store.models.base import WHOLE
from store.models.cast import Trait
from store.models.delta import Change, Delta
from store.models.plot import Part, Participation, ThreadState
from store.models.prototype import Snapshot
from tests.store.builders import (
    AFTER,
    CAST,
    CAUSE,
    CHAPTER_ONE,
    DISTRUST,
    GROUND,
    HALE,
    LOCKED,
    MARA,
    MARA_LOCKED,
    THREAD,
    adding,
    altered,
    changing,
    fold,
    histories,
    removing,
    snapshot_of,
)

STORY = snapshot_of(*CAST, *CHAPTER_ONE)


def part(part: Part, emotion: str = "") -> Participation:
    """Return the part that Hale takes in the event that comes after."""
    return Participation(id="p", character="hale", event="after", part=part, emotion=emotion)


@pytest.mark.parametrize(
    ("delta", "mark", "text"),
    [
        (changing(DISTRUST, strength=4), "±", "Mara: distrust towards Hale, 4 (before: 7)"),
        (
            adding(altered(DISTRUST, id="new", tie="marriage", called="in name only", reason="")),
            "+",
            "Mara: marriage (“in name only”) towards Hale, 7 of 10",
        ),
        (
            changing(MARA, motivation="to stay"),
            "±",
            "Mara’s motivation: to stay (before: to leave)",
        ),
        (
            changing(MARA, motivation="to leave. She has seen the chart."),
            "±",
            "Mara’s motivation: to leave. She has seen the chart (before: to leave)",
        ),
        (changing(MARA, name="Mara Voss"), "±", "Mara’s name: Mara Voss (before: Mara)"),
        (changing(MARA, health="ill"), "±", "Mara’s health: ill"),
        (
            changing(THREAD, state=ThreadState.PLANTED),
            "±",
            "the thread “the locked lamp room”: planted (before: planned)",
        ),
        (
            changing(GROUND, long_term_goal="Mara stays."),
            "±",
            "long-term goal: Mara stays (before: Mara leaves)",
        ),
        (removing(DISTRUST), "−", "removed: the distrust of Mara towards Hale"),
        (changing(MARA, invented=("age",)), "±", "Mara: marked as the writer's own"),
        (changing(MARA, locked=("motivation",)), "±", "Mara: motivation locked"),
        (changing(MARA, locked=(WHOLE,)), "±", "Mara: locked"),
        (
            changing(MARA, traits=(Trait(name="rank", value="mate"),)),
            "±",
            "Mara’s traits: rank: mate",
        ),
        (changing(AFTER, story_order=2.5), "±", "“The lamp dies”’s story time: 2.5"),
        (
            adding(Participation(id="p", character="hale", event="after")),
            "+",
            "Hale acts in “The lamp dies”",
        ),
        (adding(part(Part.IS_AFFECTED)), "+", "Hale is affected by “The lamp dies”"),
        (adding(part(Part.WITNESSES)), "+", "Hale witnesses “The lamp dies”"),
        (adding(part(Part.IS_TOLD, "dread")), "+", "Hale hears of “The lamp dies”, dread"),
    ],
)
def test_one_change_is_one_sentence(delta: Delta, mark: str, text: str) -> None:
    assert [(one.mark, one.text) for one in describe(delta, STORY)] == [(mark, text)]


def test_new_things_are_told_with_what_matters() -> None:
    told = [one.text for one in describe(adding(*CAST), Snapshot())]
    assert told == [
        "world: A rock in the sea",
        "long-term goal: Mara leaves.",
        "new person: Mara: lighthouse keeper; to leave",
        "new person: Hale: inspector",
        "Mara: distrust towards Hale, 7 of 10",
    ]


def test_an_event_tells_who_is_in_it_and_where() -> None:
    sentences = describe(adding(*CHAPTER_ONE), snapshot_of(*CAST))
    event = next(one for one in sentences if one.kind == "event")
    assert event.text == (
        "The door is locked (Lamp room; Mara acts, fear): Mara finds the door locked."
    )
    assert set(event.ids) == {"locked", "mara-locked", "in-lamp-room"}
    assert "“The door is locked” causes “The lamp dies”" in [one.text for one in sentences]
    assert not any(one.kind in {"participation", "occurrence"} for one in sentences)


def test_who_hears_of_an_event_is_told_in_the_same_words_added_and_changed() -> None:
    heard = altered(MARA_LOCKED, part=Part.IS_TOLD)

    [added, *_] = describe(adding(LOCKED, heard), snapshot_of(*CAST))
    [changed] = describe(changing(MARA_LOCKED, part=Part.IS_TOLD), STORY)

    assert added.text.startswith("The door is locked (Mara hears of it, fear)")
    assert changed.text.endswith("hears of it (before: acts)")


def test_a_mutual_tie_names_both() -> None:
    relationship = altered(DISTRUST, id="t", is_mutual=True, reason="the fire")
    assert (
        describe(adding(relationship), STORY)[0].text
        == "Mara and Hale: distrust, 7 of 10: the fire"
    )


def test_a_long_text_is_cut() -> None:
    text = describe(changing(MARA, secrets="x" * 400), STORY)[0].text
    assert len(text) < 250
    assert text.endswith("…")


def test_what_refers_to_nothing_can_still_be_told() -> None:
    assert "unknown" in describe(adding(altered(CAUSE, id="c", target="gone")), STORY)[0].text
    assert describe(adding(AFTER, HALE), Snapshot())


@given(histories())
def test_every_change_is_told(deltas: list[Delta]) -> None:
    """The writer takes parts of a candidate by its sentences: nothing may be out of reach."""
    for chapter, delta in enumerate(deltas):
        before = fold(deltas[:chapter])
        for told, standing in ((delta, before), (invert(delta), fold(deltas[: chapter + 1]))):
            ids = {id_ for one in describe(told, standing) for id_ in one.ids}
            assert ids == {change.id for change in told.changes}
            assert all(one.text for one in describe(told, standing))


def test_unlocking_is_told_beside_what_else_changed() -> None:
    locked = altered(MARA, locked=("age", "motivation"))
    delta = changing(locked, locked=("motivation",), status="wet")
    told = [one.text for one in describe(delta, snapshot_of(locked))]
    assert told == ["Mara’s situation: wet", "Mara: age no longer locked"]


def test_of_a_text_that_was_added_to_only_what_is_new_is_said() -> None:
    long = f"She wants to leave. {'She has packed the trunk again. ' * 8}".strip()
    known = altered(MARA, motivation=long)
    told = altered(MARA, motivation=f"{long} But she has seen the chart!")

    [sentence] = describe(Delta(changes=(Change(before=known, after=told),)), STORY)

    assert sentence.text == "Mara’s motivation, besides: But she has seen the chart!"


def test_of_an_older_text_that_was_cut_for_a_newer_one_that_is_said() -> None:
    known = altered(DISTRUST, reason="He lied. He took the boat.")
    told = altered(DISTRUST, reason="He took the boat. He sank it.")

    [sentence] = describe(Delta(changes=(Change(before=known, after=told),)), STORY)

    assert sentence.text == "Mara: distrust towards Hale: reason, besides: He sank it."
