"""What a role says of its move: what does not count is not looked at."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from graph_flow.llm.schema import NOTHING
from graph_flow.plot.answers import (
    NEW_PLACE,
    SOMEBODY_NEW,
    PlotOptions,
    RoleAnswer,
    RoleOptions,
    goals_schema,
    plot_schema,
    role_schema,
)
from store.models.cast import Character
from store.models.fields import shown_fields

OPENING = RoleOptions(
    others=["Hale"],
    toward=["Hale"],
    places=["Quay"],
    events=["E1"],
    is_opening=True,
    is_closing=True,
    has_room=True,
)
NOT_TEXT = "[{ }] {{ [ }]"


def said(**more: Any) -> dict[str, Any]:
    return {
        "title": "The key turns",
        "action": "Mara turns the key and listens. Nobody answers her.",
        "place": "Quay",
        "together_with": ["Hale"],
        "emotion": "uneasy",
        "consequence": "the door stays shut for the whole night",
        "changed": "nothing",
        "change": "nothing",
        "relationship": {"toward": "nothing", "tie": "debt", "strength": 3},
        "because_of": "E1",
        "new_place": "nothing",
        "newcomer": "nothing",
        "newcomer_is": "nothing",
        "opens": "nothing",
        **more,
    }


def answered(**more: Any) -> RoleAnswer:
    return role_schema(OPENING).validate(said(**more))


def test_what_does_not_count_is_not_looked_at() -> None:
    answer = answered(change=NOT_TEXT, new_place="!", newcomer=NOT_TEXT, newcomer_is=", ")

    assert (answer.change, answer.new_place) == ("nothing", NEW_PLACE)
    assert (answer.newcomer, answer.newcomer_is) == ("nothing", "nothing")


@pytest.mark.parametrize(
    "counting",
    [
        {"changed": "health", "change": NOT_TEXT},
        {"place": NEW_PLACE, "new_place": "!"},
        {"together_with": [SOMEBODY_NEW], "newcomer": NOT_TEXT},
        {"opens": ", "},
        {"together_with": 5},
        {"together_with": SOMEBODY_NEW},
    ],
)
def test_what_counts_has_to_be_as_asked(counting: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        answered(**counting)


def test_what_counts_is_kept() -> None:
    answer = answered(
        together_with=["Hale", SOMEBODY_NEW],
        place=NEW_PLACE,
        new_place="The night boat",
        newcomer="Osk Tallis",
        newcomer_is="ferryman with a limp",
        changed="status",
        change="locked out",
    )

    assert (answer.new_place, answer.change) == ("The night boat", "locked out")
    assert (answer.newcomer, answer.newcomer_is) == ("Osk Tallis", "ferryman with a limp")


def test_goal_that_moves_what_nobody_offered_costs_no_other() -> None:
    path = {"title": "The vault", "goal": "Mara opens the vault and finds the second ledger."}
    answer = {"goals": [path | {"moves": "T9"}, path | {"moves": "T1"}]}

    assert [goal.moves for goal in goals_schema(2, ["T1"]).validate(answer).goals] == ["T1"]


def test_goal_says_what_it_moves_only_where_it_is_asked() -> None:
    path = {"title": "The vault", "goal": "Mara opens the vault and finds the second ledger."}

    with pytest.raises(ValidationError, match="required"):
        goals_schema(1, ["T1"]).validate({"goals": [path]})
    assert goals_schema(1).validate({"goals": [path]}).goals[0].moves == NOTHING


def test_question_that_only_repeats_what_came_of_it_is_none() -> None:
    same = "the door stays shut for the whole night"

    assert answered(opens=same).opens == "nothing"
    with pytest.raises(ValidationError, match="say the same"):
        answered(emotion=same)


def test_new_place_of_a_plot_is_no_title_of_its_moves() -> None:
    schema = plot_schema(
        PlotOptions(
            people=["Mara"], others=["Hale"], toward=["Hale"], places=["Quay"], events=["E1"]
        )
    )
    there = "The lighthouse at the northern edge"
    move = said(who="Mara", place=NEW_PLACE, title=there)
    answer = {"moves": [move] * 3, "new_place": "The night boat", "opens": "nothing"}

    assert schema.validate(answer).new_place == "The night boat"
    with pytest.raises(ValidationError, match="say the same"):
        schema.validate(answer | {"new_place": there})


def test_answers_that_change_people_offer_every_attribute_that_agents_may_change() -> None:
    plotting = PlotOptions(
        people=["Mara"], others=["Hale"], toward=["Hale"], places=["Quay"], events=["E1"]
    )
    open_to_agents = {
        name for name, known in shown_fields(Character).items() if known.is_changed_by_agents
    }
    move: Any = role_schema(OPENING).json_schema["properties"]
    plot: Any = plot_schema(plotting).json_schema["properties"]

    for offered in (move["changed"], plot["moves"]["items"]["properties"]["changed"]):
        assert set(offered["enum"]) == {*open_to_agents, NOTHING}
