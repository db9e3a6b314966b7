"""What happened before the story, in lines for agents that know everything."""

from __future__ import annotations

import pytest

from graph_flow.cognition.omniscient import past_line, past_lines, years_words
from store.models.plot import Event, Part, Participation
from store.models.prototype import Snapshot
from tests.store.builders import HALE, MARA

FIRE = Event(id="fire", title="The fire", summary="The mill burns.", story_order=-9.0)


def part(who: str, kind: Part, learned: str = "") -> Participation:
    return Participation(
        id=f"{who}-{kind.name}", character=who, event="fire", part=kind, learned=learned
    )


def line(*parts: Participation) -> str:
    return past_line(snapshot(*parts), FIRE)


def snapshot(*parts: Participation) -> Snapshot:
    return Snapshot(entities={one.id: one for one in (MARA, HALE, FIRE, *parts)})


@pytest.mark.parametrize("kind", Part)
def test_whoever_knows_of_the_past_is_named_without_a_word_on_who_did_it(kind: Part) -> None:
    said = line(part("mara", kind))

    assert said == "9 years before: The fire: The mill burns. (known to Mara)"


def test_what_somebody_was_told_stands_in_place_of_their_knowing() -> None:
    said = line(part("mara", Part.ACTS), part("hale", Part.IS_TOLD, "that it was lightning."))

    assert said.endswith("(known to Mara; Hale was told: that it was lightning)")


def test_what_somebody_who_was_there_came_to_believe_is_left_out() -> None:
    assert line(part("hale", Part.WITNESSES, "that it pays")).endswith("(known to Hale)")


def test_past_of_which_nobody_knows_says_so() -> None:
    assert line().endswith("The mill burns. (nobody here knows)")


def test_long_story_that_somebody_was_told_is_shortened() -> None:
    assert len(line(part("hale", Part.IS_TOLD, "it burned and " * 25))) < 250


def test_past_comes_oldest_first() -> None:
    older = Event(id="older", title="The mill", summary="It is built.", story_order=-90.0)
    whole = Snapshot(entities={FIRE.id: FIRE, older.id: older})

    assert [one.partition(" before")[0] for one in past_lines(whole).values()] == [
        "90 years",
        "9 years",
    ]


@pytest.mark.parametrize(
    ("years", "words"),
    [
        (19, "19 years"),
        (11.55, "11 years"),
        (11.8, "12 years"),
        (1.5, "a year"),
        (1, "a year"),
        (0.5, "some months"),
        (0.01, "some days"),
    ],
)
def test_years_are_counted_as_people_say_them(years: float, words: str) -> None:
    assert years_words(years) == words
