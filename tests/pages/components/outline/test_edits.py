"""Edits of an outline: whatever is done, it holds together, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pages.components.outline import strings
from pages.components.outline.edits import (
    add_event,
    add_link,
    add_part,
    change_event,
    change_link,
    change_part,
    lines_of,
    remove_events,
    remove_link,
    remove_part,
    rename_line,
    shift_event,
    unparted,
)
from store.models.outline import Outline, OutlineLink
from store.models.plot import LinkKind
from tests.pages.planned_story import outline_for

PLAN = outline_for("branch")
EVENTS = [event.id for event in PLAN.events]

Edit = Callable[[Outline], Outline]


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    """Draw an edit of whatever there is, also of what is gone by now."""
    event, other = draw(st.sampled_from(EVENTS)), draw(st.sampled_from(EVENTS))
    part = f"p{draw(st.integers(1, 16))}"
    number, by = draw(st.integers(1, 10**6)), draw(st.sampled_from([-1, 1]))
    line = draw(st.sampled_from(lines_of(PLAN)))
    offered: list[Edit] = [
        lambda now: add_event(now, f"new-{number}-{len(now.events)}", line),
        lambda now: remove_events(now, [event]),
        lambda now: shift_event(now, event, by),
        lambda now: rename_line(now, line, "Another line"),
        lambda now: change_event(now, event, title="Another title"),
        lambda now: add_link(now, event, other) if {event, other} <= ids(now) else now,
        lambda now: remove_link(now, now.links[0]) if now.links else now,
        lambda now: add_part(now, f"part-{number}-{len(now.sub_events)}", now.events[0].id),
        lambda now: change_part(now, part, "Another text."),
        lambda now: remove_part(now, part),
    ]
    return draw(st.sampled_from(offered))


def ids(outline: Outline) -> set[str]:
    return {event.id for event in outline.events}


@given(st.lists(edits(), max_size=12))
def test_outline_holds_together_whatever_is_edited(several: list[Edit]) -> None:
    outline = PLAN
    for edit in several:
        try:
            outline = edit(outline)
        except (ValidationError, IndexError):
            continue  # Refused, or there was no event left to give a part to.
        assert Outline.model_validate(outline.model_dump()) == outline
        assert (outline.id, outline.version) == (PLAN.id, PLAN.version)


def test_removed_event_takes_its_parts_links_and_remarks_along() -> None:
    left = remove_events(PLAN, ["flood", "letters"])

    assert ids(left) == set(EVENTS) - {"flood", "letters"}
    assert {part.event for part in left.sub_events} == ids(left)
    assert [link.source for link in left.links] == ["strike"]
    assert left.remarks == ()


@pytest.mark.parametrize(("event", "by"), [("flood", -1), ("inquest", 1), ("gone", 1)])
def test_event_at_an_end_of_its_line_stays(event: str, by: int) -> None:
    assert shift_event(PLAN, event, by) == PLAN


def test_events_of_other_lines_keep_their_places_when_one_moves() -> None:
    moved = shift_event(PLAN, "letters", -1)

    assert [event.id for event in moved.events] == [
        *("flood", "inquest", "letters", "auction"),
        *("apprentice", "strike"),
    ]


def test_new_lines_are_told_apart() -> None:
    outline = add_event(add_event(PLAN, "one"), "two")

    assert lines_of(outline)[-2:] == (strings.NEW_LINE, f"{strings.NEW_LINE} 2")
    assert [event.id for event in unparted(outline)] == ["one", "two"]


def test_line_with_the_name_of_another_joins_it() -> None:
    assert lines_of(rename_line(PLAN, "Tobin", "The harbour")) == (
        *("The harbour", "The house of Lenz", "The lamp keepers"),
    )


def test_links_that_become_alike_are_one() -> None:
    link = PLAN.links[0]
    turned = OutlineLink(source="flood", target="inquest", link=LinkKind.CAUSES)

    assert change_link(PLAN, link, turned).links == PLAN.links[1:]


def test_part_is_added_after_the_others_of_its_event() -> None:
    parts = [part.id for part in add_part(PLAN, "more", "flood").sub_events]

    assert parts[parts.index("more") - 1] == "p6"


def test_event_needs_a_title() -> None:
    with pytest.raises(ValidationError):
        change_event(PLAN, "flood", title=" ")
