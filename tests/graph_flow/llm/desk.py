"""What the gateway's tests share: a gateway to a scripted server, and ways to ask it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from graph_flow.llm.errors import EmbeddedModelUnavailable
from graph_flow.llm.exchange import Pause
from graph_flow.llm.gateway import CallScope, Gateway, Message, Request
from graph_flow.llm.schema import AnswerSchema
from graph_flow.llm.transport.endpoints import Connection, EndpointBook, LocalFile, LocalModel
from graph_flow.llm.transport.offer import OwnModels
from store.models.endpoint import Dialect, Endpoint, ModelSettings
from tests.fakes.ledgers import MemoryLedger
from tests.fakes.scripted_server import ScriptedServer

KEY = "sk-a-secret-of-the-writer-0123456789"


class Guest(BaseModel):
    """A schema with every kind of limit that dialects differ in."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    mood: Literal["calm", "angry"]
    age: Annotated[int, Field(ge=18, le=99)] = 30


class Dinner(BaseModel):
    guests: Annotated[list[Guest], Field(min_length=1, max_length=3)]
    host: Guest | None = None


ASKED = AnswerSchema(Dinner)
DINNER = {"guests": [{"name": "Odile", "mood": "calm", "age": 40}], "host": None}


class NoLocalModel:
    """Stands where the embedded model would, in tests that must not reach it."""

    def ensure(self) -> Connection:
        raise EmbeddedModelUnavailable("there is none in this test")

    def revive(self, failed: Connection) -> None:
        raise EmbeddedModelUnavailable(f"there is no {failed.endpoint.name} in this test")

    def stop(self) -> None:
        """Nothing runs."""


def no_local_model(_file: LocalFile | None) -> LocalModel:
    return NoLocalModel()


class Desk:
    """A gateway to a scripted server, with all that a test looks at afterwards."""

    def __init__(self, server: ScriptedServer, **endpoint: object) -> None:
        given: dict[str, object] = {
            "name": "Scripted",
            "base_url": server.url,
            "model": "scripted",
            "timeout": 20.0,
        }
        self.server = server
        self.ledger = MemoryLedger()
        self.variables: Mapping[str, str] = {"TEST_KEY": KEY}
        self.endpoint = Endpoint.model_validate(given | endpoint)
        self.pauses: list[float] = []
        self.pause: Pause = lambda seconds, _stop: self.pauses.append(seconds)
        self.dialects: list[Dialect] = []
        self.stop = threading.Event()
        self.gateway = Gateway(
            EndpointBook(
                self.settings, OwnModels(lambda name: self.variables.get(name)), no_local_model
            ),
            self.ledger,
            on_dialect=lambda _endpoint, dialect: self.dialects.append(dialect),
            pause=lambda seconds, stop: self.pause(seconds, stop),
        )

    def settings(self) -> ModelSettings:
        return ModelSettings(endpoint=self.endpoint)

    def request(self, prompt: str = "Who comes to dinner?", **changes: object) -> Request:
        given: dict[str, object] = {
            "agent": "host",
            "messages": (Message("system", "You plan dinners."), Message("user", prompt)),
            "scope": CallScope(branch="b1", run="r1", step="dinner", stop=self.stop),
            "max_tokens": 200,
        }
        return Request(**(given | changes))  # type: ignore[arg-type] # any field may be changed

    def close(self) -> None:
        self.gateway.close()
