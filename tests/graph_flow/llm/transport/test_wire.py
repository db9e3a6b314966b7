"""Pieces of an answer that arrive together are one piece; nothing but text is joined."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.llm.errors import NotAModel
from graph_flow.llm.request import Message
from graph_flow.llm.transport.endpoints import Connection
from graph_flow.llm.transport.wire import Chunk, Piece, Wire, events, joined
from store.models.endpoint import Endpoint
from tests.fakes.scripted_server import Reply, ScriptedServer


def chunk(text: str, finish: str | None = None) -> Chunk:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


@given(st.lists(st.text(max_size=20)))
def test_texts_in_a_row_are_one(texts: list[str]) -> None:
    assert list(joined(map(Piece, texts))) == ([Piece("".join(texts))] if texts else [])


def test_what_is_more_than_text_stays_for_itself() -> None:
    ending, usage = Piece("c", "stop"), Piece(tokens_in=1)

    found = list(joined([Piece("a"), Piece("b"), Piece(), ending, usage]))

    assert found == [Piece("ab"), ending, usage]


def test_what_came_before_a_failure_is_not_lost() -> None:
    def broken() -> Iterator[Piece]:
        yield Piece("a")
        yield Piece("b")
        raise ValueError("no more")

    found = joined(broken())

    assert next(found) == Piece("ab")
    with pytest.raises(ValueError, match="no more"):
        next(found)


@given(st.lists(st.text(max_size=9), max_size=6), st.data())
def test_events_are_the_same_wherever_the_stream_is_cut(
    texts: list[str], data: st.DataObject
) -> None:
    stream = "".join(f"data: {json.dumps(text)}\n\n" for text in texts).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    parts = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]

    found = [json.loads(event) for together in events(parts) for event in together]

    assert found == texts


def pieces_of(*chunks: object) -> list[Piece]:
    """Return what comes of the chunks that an endpoint sends."""
    sent = "".join(f"data: {json.dumps(one)}\n\n" for one in chunks)
    with ScriptedServer() as server:
        server.queue(Reply(headers={"Content-Type": "text/event-stream"}, whole_body=sent))
        wire = Wire(Connection(Endpoint(name="x", base_url=server.url, model="m"), "no-key"))
        call = wire.call([Message("user", "Hello")], {}, takes_usage=True)
        return [piece for piece in call.read() if piece is not None]


def delta(content: object) -> Chunk:
    return {"choices": [{"index": 0, "delta": content, "finish_reason": None}]}


def test_a_text_may_come_in_blocks_and_thoughts_are_left_out() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    found = pieces_of(delta({"content": [thought, {"type": "text", "text": "Snow"}]}))

    assert "".join(piece.text for piece in found) == "Snow"


def test_a_chunk_without_content_is_no_piece_of_text() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": None}}
    found = pieces_of(delta(None), delta({"content": None}), delta({}), chunk("a", "stop"), usage)

    assert "".join(piece.text for piece in found) == "a"
    assert [piece.finish for piece in found if piece.finish] == ["stop"]
    assert [piece.tokens_in for piece in found if piece.tokens_in] == [7]


def signs_of(stream: str) -> list[bool]:
    """Return what each part that comes of a stream is: content, or only a sign of life."""
    with ScriptedServer() as server:
        server.queue(Reply(headers={"Content-Type": "text/event-stream"}, whole_body=stream))
        wire = Wire(Connection(Endpoint(name="x", base_url=server.url, model="m"), "no-key"))
        call = wire.call([Message("user", "Hello")], {}, takes_usage=True)
        return [piece is not None for piece in call.read()]


END = f"data: {json.dumps(chunk('', 'stop'))}\n\n"


@pytest.mark.parametrize(
    "filler",
    [
        ": OPENROUTER PROCESSING",
        f"data: {json.dumps(delta({}))}",
        f"data: {json.dumps(delta({'role': 'assistant', 'content': ''}))}",
        f"data: {json.dumps(delta({'content': None, 'reasoning_content': ''}))}",
        f"data: {json.dumps({'choices': []})}",
    ],
)
def test_comments_and_empty_chunks_are_signs_of_life(filler: str) -> None:
    with_filler, without = signs_of(f"{filler}\n\n" * 3 + END), signs_of(END)

    assert with_filler.count(True) == without.count(True) == 1
    assert False in with_filler


@pytest.mark.parametrize(
    "thought",
    [
        {"reasoning_content": "Hm."},
        {"reasoning": "Hm.", "content": ""},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]},
        {"reasoning_details": [{"type": "reasoning.text", "text": "Hm."}]},
    ],
)
def test_thoughts_are_content_but_no_text(thought: Chunk) -> None:
    [thinking, end] = pieces_of(delta(thought), chunk("", "stop"))

    assert thinking.is_thought
    assert not thinking.is_empty
    assert thinking.text == ""
    assert end.finish == "stop"


@pytest.mark.parametrize(
    "chunks",
    [[], [delta(None)], [{"choices": [{}]}], [delta({"content": 3})], [["a"]], [delta(["a"])]],
)
def test_what_is_no_answer_of_a_model_is_said_to_be_none(chunks: list[object]) -> None:
    with pytest.raises(NotAModel):
        pieces_of(*chunks)
