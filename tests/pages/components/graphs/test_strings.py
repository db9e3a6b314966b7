"""Every choice has a label, and sentences agree in number and place."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from pages.components.graphs import strings
from pages.components.graphs.compare import Drawn
from pages.components.graphs.navigation import GraphName
from pages.components.pictures import strings as pictures
from pages.components.pictures.timeline import Order
from store.models.cast import RelationshipKind


@pytest.mark.parametrize(
    ("labels", "choices"),
    [
        (strings.VIEWS, GraphName),
        (strings.ORDERS, Order),
        (strings.COMPARISONS, Drawn),
        (pictures.RELATIONSHIPS, RelationshipKind),
    ],
)
def test_every_choice_has_a_label_of_its_own(
    labels: Mapping[str, str], choices: Collection[str]
) -> None:
    assert set(labels) == set(choices)
    assert len(set(labels.values())) == len(labels)


@pytest.mark.parametrize("order", list(Order))
def test_timeline_is_described_in_the_order_it_has(order: Order) -> None:
    said = strings.timeline_description(1, 2, order)

    assert said.startswith("Timeline: 1 event of 2 people, as ")
    assert said.endswith(strings.ORDERS[order].lower())


def test_removal_says_since_when_and_what_goes_with_it() -> None:
    along = strings.removed_along("character", {"relationship": 1, "participation": 2, "event": 9})

    assert strings.removal("Mara", 0, []) == (
        "Mara will be removed from the story from the beginning."
    )
    assert strings.removal("Mara", 3, along) == (
        "Mara will be removed from the story from chapter 3 on. "
        "This also removes 1 relationship, 2 parts in events."
    )


def test_evidence_names_the_chapter_if_there_is_one() -> None:
    assert strings.evidence([("The key", 4), ("Mara", 0)]) == "The key (chapter 4) · Mara"
