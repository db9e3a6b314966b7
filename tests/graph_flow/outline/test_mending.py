"""What an able model says should change in an outline, and what stays as it was."""

from __future__ import annotations

from typing import Any

import pytest

from graph_flow.outline.answers import MendedOutline
from graph_flow.outline.mending import mended
from store.models.outline import Outline
from store.models.plot import LinkKind
from tests.graph_flow.outline.outlines import event, link, outline

THEFT, LEAK, TRIAL, FLOOD = "theft", "leak", "trial", "flood"
DRAWN = outline(
    events=tuple(
        event(id_, action=f"{id_.title()} happens, {more}.")
        for id_, more in (
            (THEFT, "and the bell is gone by the morning"),
            (LEAK, "while everybody is at the fair"),
            (TRIAL, "where nobody will swear to what was seen"),
            (FLOOD, "and takes the square with it"),
        )
    ),
    links=(link(THEFT, LinkKind.CAUSES, TRIAL), link(LEAK, LinkKind.ENABLES, FLOOD)),
    sub_events=(),
)
OATH: dict[str, Any] = {
    "title": "The oath",
    "line": "The bell",
    "who": ["Mara Lenz"],
    "action": "Mara puts her hand on the book and names herself.",
}


def changed(**answer: Any) -> tuple[list[str], Outline]:
    """Return the titles of the events, or the ids of those that stay, and the mended outline."""
    events, links = mended(DRAWN, MendedOutline.model_validate(answer))
    whole = DRAWN.model_copy(update={"events": events, "links": links})
    old = {one.id: one for one in DRAWN.events}
    return [one.id if old.get(one.id) == one else one.title for one in events], whole


def test_what_is_not_named_stays_as_it_was() -> None:
    told, whole = changed(order=["E1", "E2", "E3", "E4"])

    assert told == [THEFT, LEAK, TRIAL, FLOOD]
    assert whole == DRAWN


def test_event_is_replaced_and_stays_the_same_one() -> None:
    told, whole = changed(order=["E1", "E2", "E3", "E4"], events=[OATH | {"event": "E3"}], links=[])

    assert told == [THEFT, LEAK, "The oath", FLOOD]
    assert whole.events[2].id == TRIAL
    assert whole.links == DRAWN.links


def test_new_event_stands_where_the_order_says_and_is_joined_to_others() -> None:
    told, whole = changed(
        order=["E1", "E2", "N1", "E3. trial", "E4"],
        events=[OATH | {"event": "N1"}],
        links=[{"source": "N1", "link": "causes", "target": "E3"}],
    )

    assert told == [THEFT, LEAK, "The oath", TRIAL, FLOOD]
    new = whole.events[2].id
    assert [(one.source, one.target) for one in whole.links] == [
        (THEFT, TRIAL),
        (LEAK, FLOOD),
        (new, TRIAL),
    ]


def test_event_that_is_left_out_of_the_order_falls_away_with_its_links() -> None:
    told, whole = changed(order=["E2", "E1", "E4"])

    assert told == [LEAK, THEFT, FLOOD]
    assert [(one.source, one.target) for one in whole.links] == [(LEAK, FLOOD)]


@pytest.mark.parametrize("order", [[], ["E4"], ["N1"], ["nothing of the kind"]])
def test_order_of_hardly_anything_takes_nothing_away(order: list[str]) -> None:
    told, whole = changed(order=order, events=[OATH | {"event": "E1"}])

    assert told == ["The oath", LEAK, TRIAL, FLOOD]
    assert whole.links == DRAWN.links


def test_new_event_that_the_order_forgets_comes_last() -> None:
    told, _ = changed(order=["E1", "E2", "E3", "E4"], events=[OATH])

    assert told == [THEFT, LEAK, TRIAL, FLOOD, "The oath"]


def test_event_without_a_label_is_the_one_of_its_title() -> None:
    told, whole = changed(events=[OATH | {"title": "Trial"}])

    assert told == [THEFT, LEAK, "Trial", FLOOD]
    assert whole.events[2].action == OATH["action"]


def test_whole_outline_without_labels_takes_the_place_of_the_last() -> None:
    more = OATH | {"title": "The rope", "action": "The rope is cut in the night by two hands."}
    told, whole = changed(
        events=[OATH, more], links=[{"source": "E1", "link": "causes", "target": "E2"}]
    )

    assert told == ["The oath", "The rope"]
    assert [(one.source, one.target) for one in whole.links] == [
        (whole.events[0].id, whole.events[1].id)
    ]


def test_event_that_only_repeats_another_is_not_added() -> None:
    told, _ = changed(
        order=["E1", "E2", "E3", "E4", "N1"],
        events=[OATH | {"event": "N1", "action": DRAWN.events[0].action}],
    )

    assert told == [THEFT, LEAK, TRIAL, FLOOD]
