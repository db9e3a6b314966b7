"""The sentences of the Plot page that depend on numbers, or on what is known."""

from __future__ import annotations

import pytest

from graph_flow.agents import AGENTS
from pages.components.plot import strings
from pages.components.plot.progress import STEPS
from store.models.cast import Relationship, RelationshipKind
from store.models.proposals import Chooser


def test_story_of_one_chapter_is_not_spoken_of_in_the_plural() -> None:
    assert strings.last_reached(1) == "The only chapter of the story is plotted."
    assert strings.last_reached(1_200) == "All 1,200 chapters of the story are plotted."


def test_reason_is_given_only_where_there_is_one() -> None:
    assert strings.turn_skipped("Ida", "") == "**Ida** was left out. There was no usable answer."
    assert strings.goal_reached("") == "The story has reached its goal."
    assert strings.goal_reached("They meet.") == "The story has reached its goal. They meet."
    assert strings.rule_score("Wit", 3, 5, "") == "Wit **3** of 5"
    assert strings.rule_score("Wit", 3, 5, "Dry.") == "Wit **3** of 5: Dry."


def test_everything_that_can_be_named_has_a_name() -> None:
    assert set(strings.STEPS) == set(STEPS) >= {one.step for one in AGENTS.values() if one.step}
    assert set(strings.CHOSEN) == {*Chooser, None}


@pytest.mark.parametrize("kind", list(RelationshipKind))
def test_every_relationship_is_described(kind: RelationshipKind) -> None:
    mutual = Relationship(id="r", source="m", target="h", tie=kind, strength=3, is_mutual=True)

    assert strings.picture_relationship("Mara", "Hale", mutual).startswith("Mara and Hale, ")
