"""What one call asks for holds in its answer, and is otherwise as pydantic would have it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from graph_flow.llm.dialects import full_schema, strict_schema
from graph_flow.llm.schema import (
    NOTHING,
    AnswerModel,
    AnswerSchema,
    IfNotAsked,
    OneOf,
    Size,
    Sized,
    or_nothing,
)

Guests = Annotated[str, OneOf("people")]


class Guest(BaseModel):
    name: Guests
    seat: str


class Dinner(AnswerModel):
    host: Guests
    guests: Annotated[list[Guest], Sized("guests")]
    dishes: Annotated[list[Annotated[str, OneOf("dishes")]], Sized("dishes")]
    toast: Annotated[str, Field(min_length=3), IfNotAsked(NOTHING)]


class PlainGuest(BaseModel):
    name: Literal["Odile", "Piet"]
    seat: str


class PlainDinner(BaseModel):
    host: Literal["Odile", "Piet"]
    guests: Annotated[list[PlainGuest], Field(min_length=1, max_length=3)]
    dishes: Annotated[list[Literal["soup", "bread"]], Field(min_length=0, max_length=2)]
    toast: Annotated[str, Field(min_length=3)]


def dinner(*people: str, **more: Any) -> AnswerSchema[Dinner]:
    return AnswerSchema(
        Dinner,
        choices={"people": people, "dishes": ["soup", "bread"]},
        sizes={"guests": Size(1, 3), "dishes": Size(0, 2)},
        **more,
    )


def fields_of(schema: AnswerSchema[Any], *, strict: bool = False) -> dict[str, Any]:
    written: Any = strict_schema(schema) if strict else full_schema(schema)
    fields: dict[str, Any] = written["properties"]
    return fields


def said(**more: object) -> dict[str, object]:
    guest = {"name": "Piet", "seat": "left"}
    return {"host": "Odile", "guests": [guest], "dishes": ["soup"], "toast": "To us!", **more}


def test_what_may_be_chosen_is_taken() -> None:
    found = dinner("Odile", "Piet").validate(said())

    assert found.guests[0].name == "Piet"
    assert found.dishes == ["soup"]


SEATED = {"name": "Odile", "seat": "left"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"host": "Hale"},
        {"guests": [SEATED, SEATED | {"name": "Hale"}]},
        {"guests": []},
        {"guests": [SEATED] * 4},
        {"guests": [{}] * 4},
        {"guests": "Odile"},
        {"guests": None},
        {"dishes": ["wine", "soup"]},
        {"dishes": ["wine"], "host": "Hale", "guests": []},
        {"dishes": ["soup"] * 3},
        {"toast": ""},
    ],
)
def test_refusal_reads_like_pydantics_own(wrong: dict[str, object]) -> None:
    refusals = []
    for schema in (dinner("Odile", "Piet"), AnswerSchema(PlainDinner)):
        with pytest.raises(ValidationError) as refused:
            schema.validate(said(**wrong))
        refusals.append(
            [(error["type"], error["msg"], error["loc"]) for error in refused.value.errors()]
        )

    assert refusals[0] == refusals[1]


def test_single_choice_is_named_in_the_refusal() -> None:
    with pytest.raises(ValidationError, match="Input should be 'Odile'"):
        dinner("Odile").validate(said(host="Piet"))


def test_schema_is_what_pydantic_would_write() -> None:
    for strict in (False, True):
        written = fields_of(dinner("Odile", "Piet"), strict=strict)

        assert written == fields_of(AnswerSchema(PlainDinner), strict=strict)
        assert list(written) == ["host", "guests", "dishes", "toast"]


def test_schemas_of_two_calls_do_not_mix() -> None:
    first, second = dinner("Odile"), dinner("Piet", "Hale")

    assert fields_of(first)["host"]["enum"] == ["Odile"]
    assert fields_of(second)["host"]["enum"] == ["Piet", "Hale"]
    with pytest.raises(ValidationError):
        second.validate(said())


def test_choices_are_offered_once_and_none_stand_for_nothing() -> None:
    assert fields_of(dinner("Odile", "Piet", "Odile"))["host"]["enum"] == ["Odile", "Piet"]
    assert fields_of(dinner(*or_nothing(["Odile"])))["host"]["enum"] == ["Odile", NOTHING]
    assert fields_of(dinner())["host"]["enum"] == [NOTHING]
    assert dinner().validate(said(host=NOTHING, guests=[{"name": NOTHING, "seat": "left"}]))


def test_more_may_be_asked_for_than_has_to_come() -> None:
    class Cast(BaseModel):
        names: Annotated[list[str], Sized("names")]

    schema = AnswerSchema(Cast, sizes={"names": Size(1, 4, asked=3)})

    assert fields_of(schema)["names"]["minItems"] == 3
    assert schema.validate({"names": ["Odile"]}).names == ["Odile"]


@pytest.mark.parametrize("toast", [{}, {"toast": "To us!"}, {"toast": 5}])
def test_field_that_is_not_asked_for_has_its_own_value_whatever_comes(
    toast: dict[str, object],
) -> None:
    schema = dinner("Odile", "Piet", without={"toast"})
    answer = {name: value for name, value in said().items() if name != "toast"}

    assert list(fields_of(schema)) == ["host", "guests", "dishes"]
    assert schema.json_schema["required"] == ["host", "guests", "dishes"]
    assert schema.validate(answer | toast).toast == NOTHING


def test_field_that_is_asked_for_has_to_come() -> None:
    answer = {name: value for name, value in said().items() if name != "toast"}

    with pytest.raises(ValidationError) as refused:
        dinner("Odile", "Piet").validate(answer)

    assert [(error["type"], error["loc"]) for error in refused.value.errors()] == [
        ("missing", ("toast",))
    ]


def test_answer_made_in_code_may_hold_anything() -> None:
    made = Dinner.model_validate({"host": "Anybody", "guests": [], "dishes": ["wine"] * 9})

    assert made.toast == NOTHING


def test_check_comes_after_the_rest() -> None:
    seen: list[str] = []

    def check(found: Dinner) -> None:
        seen.append(found.host)
        if found.guests[0].seat == "left":
            raise ValueError("that seat is taken")

    schema = dinner("Odile", check=check)

    assert schema.validate(said(guests=[SEATED | {"seat": "right"}])).host == "Odile"
    with pytest.raises(ValidationError) as refused:
        schema.validate(said(guests=[SEATED]))
    assert [(error["loc"], error["msg"]) for error in refused.value.errors()] == [
        ((), "Value error, that seat is taken")
    ]
    with pytest.raises(ValidationError, match="Odile"):
        schema.validate(said(host="Hale", guests=[SEATED]))
    assert seen == ["Odile", "Odile"]


def test_pattern_is_written_and_not_checked() -> None:
    schema = dinner("Odile", patterns={"seat": "^near .*$"})

    seat = fields_of(schema)["guests"]["items"]["properties"]["seat"]
    assert seat["pattern"] == "^near .*$"
    assert schema.validate(said(guests=[SEATED])).guests[0].seat == "left"
    assert "pattern" not in str(fields_of(dinner("Odile")))
