"""Pieces of an answer that arrive together are one piece; nothing but text is joined."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.llm.transport.wire import Chunk, events, joined


def chunk(text: str, finish: str | None = None) -> Chunk:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


def text_of(piece: Chunk) -> str:
    content = piece["choices"][0]["delta"]["content"]
    assert isinstance(content, str)
    return content


@given(st.lists(st.text(max_size=20)))
def test_texts_in_a_row_are_one(texts: list[str]) -> None:
    found = list(joined(chunk(text) for text in texts))

    assert len(found) == min(len(texts), 1)
    assert [text_of(piece) for piece in found] == (["".join(texts)] if texts else [])


def test_what_is_more_than_text_stays_for_itself() -> None:
    ending, usage = chunk("c", "stop"), {"choices": [], "usage": {"prompt_tokens": 1}}
    thought = {"choices": [{"delta": {"content": "", "reasoning_content": "Hm."}}]}

    found = list(joined([chunk("a"), chunk("b"), thought, ending, usage]))

    assert [text_of(found[0]), *found[1:]] == ["ab", thought, ending, usage]


def test_what_came_before_a_failure_is_not_lost() -> None:
    def broken() -> Iterator[Chunk]:
        yield chunk("a")
        yield chunk("b")
        raise ValueError("no more")

    found = joined(broken())

    assert text_of(next(found)) == "ab"
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
