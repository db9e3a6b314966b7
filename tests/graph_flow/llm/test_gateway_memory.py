"""What a call leaves behind: nothing, however it ended. Frames hold prompts, snapshots and answers."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ValidationError, ValidatorFunctionWrapHandler, field_validator

from graph_flow.llm.errors import ModelError
from graph_flow.llm.schema import AnswerSchema
from graph_flow.prompting.whole import usable
from tests.fakes import scripted_server as fake
from tests.fakes.scripted_server import Reply, ScriptedServer, say, say_json
from tests.graph_flow.llm.desk import ASKED, DINNER, Desk, Dinner, Guest

MakeDesk = Callable[..., Desk]
Ask = Callable[[Desk], object]


class Memory:
    """Something in a caller's frame."""


class Dish(BaseModel):
    name: str

    @field_validator("name")
    @classmethod
    def _is_no_soup(cls, name: str) -> str:
        if "soup" in name.lower():
            raise ValueError("no soup again")
        return name


class Menu(BaseModel):
    """Validators within validators, as in the answers of agents."""

    dishes: Annotated[tuple[Dish, ...], usable(3, least=1)]
    guests: list[Guest] = []

    @field_validator("guests", mode="wrap")
    @classmethod
    def _keeps_some(cls, said: Any, validate: ValidatorFunctionWrapHandler) -> list[Guest]:
        try:
            guests: list[Guest] = validate(said)
        except ValidationError:
            guests = validate(said[:1])
        return guests


def has_no_odile(dinner: Dinner) -> None:
    try:
        raise LookupError("on the way to it")
    except LookupError:
        if dinner.guests[0].name == "Odile":
            raise ValueError("Odile never comes") from None


OTHER = {"guests": [{"name": "Ute", "mood": "calm", "age": 40}]}
HUNGRY = {"guests": [{"name": "Odile", "mood": "hungry", "age": 40}]}
MENU = {"dishes": [{"name": "Bread"}]}
SOUP = {"dishes": [{"name": "Soup"}], "guests": [*HUNGRY["guests"], *OTHER["guests"]]}


def text(desk: Desk) -> object:
    return desk.gateway.text(desk.request())


def dinner(desk: Desk) -> object:
    return desk.gateway.structured(desk.request(), ASKED)


def other_dinner(desk: Desk) -> object:
    return desk.gateway.structured(desk.request(), AnswerSchema(Dinner, check=has_no_odile))


def menu(desk: Desk) -> object:
    return desk.gateway.structured(desk.request(), AnswerSchema(Menu))


ENDINGS: dict[str, tuple[Ask, list[Reply]]] = {
    "a text": (text, [say("Soup.")]),
    "an object": (dinner, [say_json(DINNER)]),
    "nonsense, then an object": (dinner, [say("No."), say_json(DINNER)]),
    "nonsense": (dinner, [say("No.")] * 3),
    "a refused value, then an object": (dinner, [say_json(HUNGRY), say_json(DINNER)]),
    "refused values": (dinner, [say_json(HUNGRY)] * 3),
    "what a check refuses, then an object": (other_dinner, [say_json(DINNER), say_json(OTHER)]),
    "what a check refuses": (other_dinner, [say_json(DINNER)] * 3),
    "what a validator refuses, then an object": (menu, [say_json(SOUP), say_json(MENU)]),
    "what a validator refuses": (menu, [say_json(SOUP)] * 3),
    "a cut object": (dinner, [fake.truncated('{"guests": ['), say_json(DINNER)]),
    "a busy endpoint, then a text": (text, [fake.too_many(), say("Soup.")]),
    "a broken endpoint": (text, [fake.refuse(500, "oops")] * 7),
    "a refused key": (text, [fake.refuse(401, "no")]),
    "a refused parameter": (text, [fake.refuse(400, "temperature"), say("Soup.")]),
    "a broken stream, then a text": (text, [fake.cut("So"), say("Soup.")]),
    "a web page": (text, [fake.page()] * 7),
    "silence": (text, [fake.hang()] * 2),
}


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nothing is freed but what nobody refers to: the collector comes by rarely in a large process."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize(("ask", "replies"), ENDINGS.values(), ids=ENDINGS)
def test_the_frames_of_its_callers_are_gone_after_a_call(
    ask: Ask, replies: list[Reply], server: ScriptedServer, make_desk: MakeDesk
) -> None:
    desk = make_desk(server, timeout=20.0 if not replies[0].hangs else 0.2)
    server.queue(*replies)
    held: list[weakref.ref[Memory]] = []

    def call() -> None:
        memory = Memory()
        held.append(weakref.ref(memory))
        try:
            ask(desk)
        except ModelError:
            return

    call()

    assert len(server.history) == len(replies)
    assert held[0]() is None
