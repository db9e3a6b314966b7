"""What is pure and small: continuing a text, leaks of the example, guesses at tokens."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.llm.parsing import leaked_phrase
from graph_flow.llm.request import CallScope, Message, Request
from graph_flow.llm.texts import at_last_word, continuation, joined
from graph_flow.llm.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("so_far", "more", "whole"),
    [
        ("", "The sea.", "The sea."),
        ("The sea was ", "calm.", "The sea was calm."),
        ("The sea was ", " calm.", "The sea was calm."),
        ("The sea was calm.\n\n", "\nOdile slept.", "The sea was calm.\n\nOdile slept."),
        ("The sea was calm. ", "\n\nOdile slept.", "The sea was calm. \n\nOdile slept."),
        ("The sea was calm ", "The sea was calm and cold.", "The sea was calm and cold."),
        ("Das Meer war still, und ", "war still, und kalt.", "Das Meer war still, und kalt."),
        ("老灯塔看守默默", "地望着大海。", "老灯塔看守默默地望着大海。"),
    ],
)
def test_a_text_is_joined_with_its_continuation(so_far: str, more: str, whole: str) -> None:
    assert joined(so_far, more) == whole


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The sea was ca", "The sea was "),
        ("The sea.", "The "),
        ("The sea. ", "The sea. "),
        ("老灯塔看守默默", "老灯塔看守默默"),
        ("", ""),
    ],
)
def test_a_text_is_cut_back_to_its_last_whole_word(text: str, kept: str) -> None:
    assert at_last_word(text) == kept


@given(st.text())
def test_cutting_back_only_ever_shortens(text: str) -> None:
    assert text.startswith(at_last_word(text))


def test_the_last_continuation_asks_for_an_end() -> None:
    asked = (Message("user", "A scene."),)

    first = continuation(asked, "The sea was ", is_last=False)
    last = continuation(asked, "The sea was ", is_last=True)

    assert first[:2] == last[:2] == (*asked, Message("assistant", "The sea was"))
    assert "end" not in first[2].content
    assert "to its end" in last[2].content


def _request(prompt: str, *forbidden: str) -> Request:
    scope = CallScope(None, None, "step", threading.Event())
    return Request("a", (Message("user", prompt),), scope, 10, forbidden=forbidden)


@pytest.mark.parametrize(
    ("answer", "leak"),
    [
        ("Then quillon came.", "Quillon"),
        ("Quillonella came.", None),
        ("It was a Bell of Moss.", "bell of moss"),
        ("Nothing of the kind.", None),
        ("Odile came.", None),
    ],
)
def test_words_of_the_example_are_noticed(answer: str, leak: str | None) -> None:
    request = _request("What does Odile do?", "Quillon", "bell of moss", "Odile", "")

    assert leaked_phrase(answer, request) == leak


MEASURED = {
    "The soup was cold, and nobody said so. Odile looked at the window.": 17,
    "老灯塔看守默默地望着大海,想着那封他从未寄出的信。": 53,
    "Старый смотритель маяка молча смотрел на море.": 32,
    "늙은 등대지기는 말없이 바다를 바라보며": 47,
    '{"name": "Odile Bertin", "mood": "calm", "age": 40}': 25,
}
"""Counts of SmolLM2's tokenizer."""


@pytest.mark.parametrize("text", MEASURED)
def test_a_guess_is_near_the_count_and_rather_above_it(text: str) -> None:
    assert 0.9 * MEASURED[text] <= estimate_tokens(text) <= 2 * MEASURED[text] + 2


@given(st.text(), st.text())
def test_a_longer_text_has_no_fewer_tokens(text: str, more: str) -> None:
    assert estimate_tokens(text) <= estimate_tokens(text + more)
    assert estimate_tokens("") == 0
