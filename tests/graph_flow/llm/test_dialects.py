from __future__ import annotations

import json
import random
from enum import StrEnum
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, create_model

from graph_flow.llm.dialects import (
    describe,
    first_dialect,
    full_schema,
    response_format,
    speaks_of_schema,
    step_down,
    strict_schema,
    with_schema,
)
from graph_flow.llm.request import Message
from graph_flow.llm.schema import AnswerSchema
from store.models.endpoint import Dialect
from tests.fakes.invention import invent, schema_in
from tests.fakes.scripted_server import strict_problem


class Kind(StrEnum):
    OAK = "oak"
    ELM = "elm"


class Leaf(BaseModel):
    kind: Literal["leaf"] = "leaf"
    title: Annotated[str, Field(min_length=2, max_length=12, pattern="^[A-Z]")]
    pattern: str = "a field named like a keyword"
    """Fields whose names are also keywords of JSON Schema."""


class Root(BaseModel):
    kind: Literal["root"] = "root"
    depth: Annotated[int, Field(ge=1, le=9)] = 3


class Tree(BaseModel):
    """A tree."""

    model_config = ConfigDict(extra="forbid")

    sort: Kind = Kind.OAK
    default: str = "a field named like a keyword"
    height: Annotated[float, Field(gt=0)] = 2.0
    parts: Annotated[
        list[Annotated[Leaf | Root, Field(discriminator="kind")]], Field(min_length=1, max_length=4)
    ]
    note: Annotated[str, Field(max_length=50, description="A remark.")] | None = None


TREE = AnswerSchema(Tree)


def test_a_full_schema_keeps_its_limits_and_has_no_references() -> None:
    schema = full_schema(TREE)
    written = json.dumps(schema)

    assert "$ref" not in written
    assert "discriminator" not in written
    assert schema["additionalProperties"] is False
    for limit in ('"maxLength": 12', '"minLength": 2', '"maxItems": 4', '"maximum": 9'):
        assert limit in written


def test_fields_that_are_named_like_keywords_survive() -> None:
    for schema in (full_schema(TREE), strict_schema(TREE)):
        properties = schema["properties"]
        assert isinstance(properties, dict)
        assert "default" in properties
        assert '"title": {' in json.dumps(properties["parts"])
        assert '"pattern": {' in json.dumps(properties["parts"])


def test_a_strict_schema_is_one_that_strict_endpoints_take() -> None:
    schema = strict_schema(TREE)

    assert strict_problem(schema) == ""
    assert strict_problem(full_schema(TREE)) != ""
    assert schema["required"] == full_schema(TREE)["required"]
    assert schema["required"] == ["sort", "default", "height", "parts", "note"]


def test_partial_answer_may_leave_out_its_own_fields_unless_the_endpoint_is_strict() -> None:
    class Change(BaseModel):
        note: str = ""
        leaves: tuple[Leaf, ...] = ()

    partial, whole = AnswerSchema(Change, is_partial=True), AnswerSchema(Change)

    assert full_schema(partial) | {"required": ["note", "leaves"]} == full_schema(whole)
    assert "required" not in full_schema(partial)
    assert strict_problem(strict_schema(partial)) == ""
    assert '"required":["note","leaves"]' not in describe(partial)


def test_limits_that_cannot_be_enforced_are_said() -> None:
    written = json.dumps(strict_schema(TREE))

    assert "A remark. Limits: at most 50 characters." in written
    assert "Limits: at least 2 characters, at most 12 characters." in written
    assert "Limits: at least 1 items, at most 4 items." in written


@pytest.mark.parametrize("dialect", list(Dialect))
def test_enumerations_survive_in_every_dialect(dialect: Dialect) -> None:
    messages = with_schema((Message("user", "A tree, please."),), TREE, dialect)
    sent = json.dumps(response_format(TREE, dialect)) + messages[0].content

    assert json.dumps(["oak", "elm"]) in sent.replace('","', '", "')


def test_what_is_sent_depends_on_the_dialect() -> None:
    kinds = [(response_format(TREE, dialect) or {}).get("type") for dialect in Dialect]

    assert kinds == ["json_schema", "json_schema", "json_object", None]


def test_a_described_schema_joins_the_first_system_message() -> None:
    asked = Message("user", "A tree, please.")
    told = Message("system", "You plant trees.")

    assert with_schema((told, asked), TREE, Dialect.STRICT) == (told, asked)
    first, *rest = with_schema((told, asked), TREE, Dialect.NONE)
    assert first.content == f"You plant trees.\n\n{describe(TREE)}"
    assert rest == [asked]
    assert with_schema((asked,), TREE, Dialect.NONE)[0].role == "system"


def test_a_described_schema_can_be_read_back() -> None:
    class Bush(BaseModel):
        name: Annotated[str, Field(min_length=3, max_length=20)]
        tags: list[Kind]

    assert schema_in(f"You plant bushes.\n\n{describe(AnswerSchema(Bush))}") == full_schema(
        AnswerSchema(Bush)
    )


def test_a_pattern_is_only_for_whoever_can_be_held_to_it() -> None:
    written = {dialect: json.dumps(response_format(TREE, dialect)) for dialect in Dialect}

    assert [dialect for dialect in Dialect if "^[A-Z]" in written[dialect]] == [Dialect.FULL]
    assert "^[A-Z]" not in describe(TREE)
    assert '"pattern":{' in describe(TREE), "a field of that name is no pattern"


@pytest.mark.parametrize("seed", range(20))
def test_what_the_scripted_server_makes_up_follows_the_schema(seed: int) -> None:
    class Bush(BaseModel):
        name: Annotated[str, Field(min_length=3, max_length=20)]
        tags: Annotated[list[Kind], Field(max_length=2)] = []
        size: Annotated[int, Field(ge=3, le=5)]
        near: Annotated[str, Field(max_length=8)] | None

    for schema in (full_schema(AnswerSchema(Bush)), strict_schema(AnswerSchema(Bush))):
        bush = Bush.model_validate(invent(schema, random.Random(seed)))
        assert 3 <= bush.size <= 5


def test_names_that_are_only_known_at_run_time() -> None:
    who = StrEnum("who", [("A", "Odile"), ("B", "Ба́бушка"), ("C", '"; DROP TABLE people')])
    cast = create_model("Cast", who=(who, ...))

    for dialect in (Dialect.FULL, Dialect.STRICT):
        assert "DROP TABLE" in json.dumps(response_format(AnswerSchema(cast), dialect))


def test_a_mapping_is_refused_before_it_is_sent() -> None:
    class Ledger(BaseModel):
        debts: dict[str, int]

    with pytest.raises(ValueError, match="mappings"):
        strict_schema(AnswerSchema(Ledger))


def test_a_schema_that_holds_itself_is_refused() -> None:
    class Box(BaseModel):
        inside: list[Box] = []

    with pytest.raises(ValueError, match="contains itself"):
        full_schema(AnswerSchema(Box))


@pytest.mark.parametrize(
    ("address", "dialect"),
    [
        ("http://localhost:11434/v1", Dialect.FULL),
        ("http://127.0.0.1:8000/v1", Dialect.FULL),
        ("http://[::1]:8000/v1", Dialect.FULL),
        ("http://192.168.1.20:1234/v1", Dialect.FULL),
        ("http://ollama:11434/v1", Dialect.FULL),
        ("http://studio.local:1234/v1", Dialect.FULL),
        ("https://api.openai.com/v1", Dialect.STRICT),
        ("https://openrouter.ai/api/v1", Dialect.STRICT),
        ("https://api.deepseek.com", Dialect.JSON_ONLY),
        ("https://api.deepseek.com.example.org/v1", Dialect.STRICT),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", Dialect.JSON_ONLY),
        ("nonsense", Dialect.FULL),
    ],
)
def test_the_first_guess_suits_most(address: str, dialect: Dialect) -> None:
    assert first_dialect(address) is dialect


def test_the_ladder_ends() -> None:
    steps = [Dialect.FULL]
    for _ in range(4):
        steps.append(step_down(steps[-1]))

    assert steps == [*Dialect, Dialect.NONE]


@pytest.mark.parametrize(
    ("refusal", "is_about_it"),
    [
        ("Invalid schema for response_format 'Tree'", True),
        ("'response_format.type' must be 'json_schema' or 'text'", True),
        ("failed to parse grammar", True),
        ("Unsupported pattern: look-around is not supported", True),
        ("Could not compile regex", True),
        ("model overloaded", False),
    ],
)
def test_refusals_of_the_schema_are_told_from_others(refusal: str, is_about_it: bool) -> None:
    assert speaks_of_schema(refusal) is is_about_it
