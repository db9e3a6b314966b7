"""Why a Delta does not fit, in a writer's words."""

from __future__ import annotations

import pytest

from store.deltas.checks import validate
from store.models.delta import Change, Delta
from store.models.plot import EventLink, Foundation, LinkKind, Occurrence, Participation
from store.models.prototype import Snapshot
from tests.store.builders import (
    AFTER,
    CAST,
    CAUSE,
    CHAPTER_ONE,
    DISTRUST,
    HALE,
    LAMP_ROOM,
    LOCKED,
    MARA,
    MARA_LOCKED,
    adding,
    altered,
    changing,
    removing,
    snapshot_of,
)
from tests.wording import says

STORY = snapshot_of(*CAST, *CHAPTER_ONE)

BACK = EventLink(id="back", source="after", target="locked", link=LinkKind.BEFORE)


@pytest.mark.parametrize(
    ("delta", "words"),
    [
        (adding(altered(DISTRUST, id="new", target="nobody")), ("person", "exist")),
        (
            adding(altered(MARA_LOCKED, id="new", event="hale")),
            ("person", "event"),
        ),
        (adding(MARA), ("Mara", "already")),
        (changing(altered(MARA, name="Ann", id="ann"), status="ill"), ("Ann", "not")),
        (removing(altered(MARA, name="Ann", id="ann")), ("Ann", "removed")),
        (changing(altered(MARA, status="old"), status="ill"), ("Mara", "not")),
        (removing(HALE), ("Hale", "removed", "distrust", "Mara")),
        (adding(altered(MARA, id="second", name="  MARA ")), ("two", "MARA")),
        (changing(HALE, name="mara"), ("two", "mara")),
        (adding(BACK), ("The lamp dies", "before", "The door is locked")),
        (adding(Foundation(id="other")), ("foundation",)),
    ],
)
def test_a_problem_is_said_in_words(delta: Delta, words: tuple[str, ...]) -> None:
    problems = validate(delta, STORY)
    assert len(problems) == 1
    assert says(problems[0], *words)
    assert "second" not in problems[0]


def test_what_fits_has_no_problems() -> None:
    assert validate(adding(*CAST, *CHAPTER_ONE), Snapshot()) == []
    assert validate(changing(MARA, name="Mara Voss"), STORY) == []
    assert validate(changing(MARA, name="MARA"), STORY) == []


def test_names_may_be_swapped_in_one_delta() -> None:
    swap = Delta(
        changes=(
            Change(before=MARA, after=altered(MARA, name="Hale")),
            Change(before=HALE, after=altered(HALE, name="Mara")),
        )
    )
    assert validate(swap, STORY) == []


def test_a_name_is_free_again_when_its_owner_goes() -> None:
    new = altered(HALE, id="new")
    gone = Delta(changes=(Change(before=DISTRUST), Change(before=HALE), Change(after=new)))
    assert validate(gone, STORY) == []


def test_two_new_people_of_one_name_are_one_too_many() -> None:
    twins = adding(altered(HALE, id="one", name="Ida"), altered(HALE, id="two", name="ida"))
    assert len(validate(twins, STORY)) == 1


def test_referring_to_what_the_same_delta_removes() -> None:
    delta = Delta(
        changes=(
            Change(before=LAMP_ROOM),
            *adding(Occurrence(id="o", event="after", scene="lamp-room")).changes,
        )
    )
    problems = validate(delta, STORY)
    assert any("has been removed" in problem for problem in problems)


def test_referring_to_what_was_removed_before() -> None:
    gone = Snapshot(entities=snapshot_of(*CAST).entities, first_chapter={"locked": 1})
    part = Participation(id="p", character="mara", event="locked")
    assert "has been removed" in validate(adding(part), gone)[0]


def test_a_circle_through_several_links_is_found() -> None:
    third = altered(AFTER, id="third", title="Dawn")
    onward = altered(CAUSE, id="onward", source="after", target="third")
    closing = altered(CAUSE, id="closing", source="third", target="locked")
    assert validate(adding(third, onward, closing), STORY) == [
        "“Dawn” cannot come before “The door is locked”: the events would run in a circle."
    ]
    assert validate(adding(third, onward), STORY) == []
    harmless = altered(closing, link=LinkKind.PARALLELS)
    assert validate(adding(third, onward, harmless), STORY) == []


def test_a_circle_is_broken_by_removing_a_link() -> None:
    turned = Delta(changes=(Change(before=CAUSE), Change(after=BACK)))
    assert validate(turned, STORY) == []


def test_removing_an_event_with_all_that_refers_to_it() -> None:
    referring = [e for e in CHAPTER_ONE if e.kind in {"participation", "occurrence", "event_link"}]
    assert validate(removing(*referring, LOCKED), STORY) == []
