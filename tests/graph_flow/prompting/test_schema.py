"""What is made for one prompt holds to its choices, and is otherwise as pydantic would make it."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, ValidationError, create_model

from graph_flow.llm.dialects import full_schema, strict_schema
from graph_flow.prompting.schema import Patterns, checked, list_of, narrowed, one_of, reduced


class Guest(BaseModel):
    name: str
    seat: str


class Dinner(BaseModel):
    host: str
    guests: list[Guest]
    dishes: list[str] = []


SEATS: Patterns = {("guests", "seat"): "^near .*$"}


class PlainGuest(BaseModel):
    name: Literal["Odile", "Piet"]
    seat: str


def dinner(*people: str, dishes: tuple[str, ...] = ("soup", "bread")) -> type[Dinner]:
    return narrowed(
        Dinner,
        host=one_of(people),
        guests=list_of(narrowed(Guest, name=one_of(people)), 1, 3),
        dishes=list_of(one_of(dishes), 0, 2),
    )


def fields_of(model: type[BaseModel], *, strict: bool = False) -> dict[str, Any]:
    schema: Any = strict_schema(model) if strict else full_schema(model)
    fields: dict[str, Any] = schema["properties"]
    return fields


def said(name: str = "Piet", dish: str = "soup") -> dict[str, object]:
    return {"host": "Odile", "guests": [{"name": name, "seat": "left"}], "dishes": [dish]}


def test_what_may_be_chosen_is_taken() -> None:
    found = dinner("Odile", "Piet").model_validate(said())

    assert found.guests[0].name == "Piet"
    assert found.dishes == ["soup"]


@pytest.mark.parametrize(
    ("answer", "place"),
    [(said(name="Hale"), ("guests", 0, "name")), (said(dish="wine"), ("dishes", 0))],
)
def test_what_may_not_be_chosen_is_refused_where_it_stands(
    answer: dict[str, object], place: tuple[object, ...]
) -> None:
    with pytest.raises(ValidationError) as refused:
        dinner("Odile", "Piet").model_validate(answer)

    [error] = refused.value.errors()
    assert error["loc"] == place


def test_refusal_reads_like_pydantics_own() -> None:
    thin = narrowed(Guest, name=one_of(["Odile", "Piet"]))
    messages = []
    for model in (thin, PlainGuest):
        with pytest.raises(ValidationError) as refused:
            model.model_validate_json('{"name": "Hale", "seat": "left"}')
        messages += [
            (error["type"], error["msg"], error["loc"]) for error in refused.value.errors()
        ]

    assert messages[0] == messages[1]


def test_schema_says_the_choices_everywhere() -> None:
    model = dinner("Odile", "Piet")

    for properties in (fields_of(model), fields_of(model, strict=True)):
        assert properties["host"]["enum"] == ["Odile", "Piet"]
        assert properties["guests"]["items"]["properties"]["name"]["enum"] == ["Odile", "Piet"]
        assert properties["dishes"]["items"]["enum"] == ["soup", "bread"]
        assert "enum" not in properties["guests"]["items"]["properties"]["seat"]
    assert fields_of(model)["guests"]["maxItems"] == 3


def test_schemas_of_two_prompts_do_not_mix() -> None:
    first, second = dinner("Odile"), dinner("Piet", "Hale")

    assert fields_of(first)["host"]["enum"] == ["Odile"]
    assert fields_of(second)["host"]["enum"] == ["Piet", "Hale"]
    with pytest.raises(ValidationError):
        second.model_validate(said())
    assert first.model_fields.keys() == second.model_fields.keys() == Dinner.model_fields.keys()


def test_choices_hold_within_a_model_made_in_another_way() -> None:
    guest = narrowed(Guest, name=one_of(["Odile"]))
    table = create_model("Table", guest=(guest, ...), others=(list[guest], ...))  # type: ignore[valid-type]  # found at run time

    schema = fields_of(table)
    assert schema["guest"]["properties"]["name"]["enum"] == ["Odile"]
    assert schema["others"]["items"]["properties"]["name"]["enum"] == ["Odile"]
    with pytest.raises(ValidationError):
        table.model_validate({"guest": {"name": "Hale", "seat": ""}, "others": []})


def test_fields_that_are_left_out_are_not_asked_for() -> None:
    model = reduced(Dinner, {"host": one_of(["Odile"])}, {"dishes"})

    assert list(fields_of(model)) == ["host", "guests"]
    assert model.model_validate({"host": "Odile", "guests": []})


def test_a_check_comes_after_the_choices() -> None:
    seen: list[str] = []

    def check(guest: Guest) -> Guest:
        seen.append(guest.name)
        if guest.seat == "left":
            raise ValueError("that seat is taken")
        return guest

    model = checked(narrowed(Guest, name=one_of(["Odile"])), check)

    assert model.model_validate({"name": "Odile", "seat": "right"}).name == "Odile"
    with pytest.raises(ValidationError, match="that seat is taken"):
        model.model_validate({"name": "Odile", "seat": "left"})
    with pytest.raises(ValidationError, match="Odile"):
        model.model_validate({"name": "Hale", "seat": "right"})
    assert seen == ["Odile", "Odile"]
    assert fields_of(model)["name"]["enum"] == ["Odile"]


def test_a_pattern_is_written_and_not_checked() -> None:
    model = checked(dinner("Odile"), lambda found: found, SEATS)
    nested = create_model("Evening", dinner=(checked(Dinner, lambda found: found, SEATS), ...))
    sample = said(name="Odile")

    for fields in (fields_of(model), fields_of(nested)["dinner"]["properties"]):
        assert fields["guests"]["items"]["properties"]["seat"]["pattern"] == "^near .*$"
    assert fields_of(model)["host"]["enum"] == ["Odile"]
    assert model.model_validate(sample).guests[0].seat == "left"
    assert "pattern" not in str(fields_of(dinner("Odile")))


def test_a_thin_model_cannot_be_inherited_without_its_choices() -> None:
    model = narrowed(Guest, name=one_of(["Odile"]))

    with pytest.raises(TypeError, match="cannot be subclassed"):
        create_model("Other", __base__=model)
