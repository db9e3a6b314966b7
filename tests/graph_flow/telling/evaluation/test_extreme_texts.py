"""Texts that nobody would write are counted and judged like any other: one line, millions of characters, many scripts."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Iterator
from random import Random

import pytest

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.telling.evaluation.addressed import LEFT_OUT, without_addressed
from graph_flow.telling.evaluation.judging import chapter_parts
from graph_flow.telling.evaluation.measures import (
    _blocks,
    marks_of,
    measure_book,
    sentences,
    words_of,
)
from graph_flow.workbench.beside.evaluating import EvaluationService
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent
from tests.graph_flow.scripting import agent_of, asked, request_of
from tests.graph_flow.telling.evaluation.conftest import book
from tests.graph_flow.telling.evaluation.test_card import texts_in
from tests.graph_flow.telling.evaluation.test_judging import FLATTERY, chapter, judging, whole

MILLIONS = 5_000_000
LONG = 500_000
BYTES_A_CHARACTER = 24
"""Of memory, beside the text: less than its words as objects would take."""
MIXED = (
    "She said “Komm”, and he: «Attends!» 雨下了一整夜，渡口的灯一直亮着。 Он ждал у воды. ฝนตกทั้งคืน "
    "الباب مغلق. The door was shut."
)


def endless(characters: int, end: str = " ") -> str:
    """Return as much prose as that, in sentences of twelve words."""
    drawn = Random(7)
    words = [
        "".join(drawn.choices("abcdefghijklmnop", k=drawn.randint(2, 9))) for _ in range(9_000)
    ]

    def pieces() -> Iterator[str]:
        length = 0
        while length < characters:
            sentence = f"{' '.join(drawn.choices(words, k=12))}.{end}"
            length += len(sentence)
            yield sentence

    return "".join(pieces())[:characters]


def test_a_long_text_is_counted_in_little_memory() -> None:
    text = endless(LONG)
    tracemalloc.start()
    [measured] = measure_book([text])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert measured.words > 70_000
    assert 0 <= measured.repeated_within < 0.01
    assert 0.9 < measured.variety <= 1
    assert peak < BYTES_A_CHARACTER * len(text), f"{peak / len(text):.0f} bytes a character"


@pytest.mark.parametrize("end", [" ", "\n\n"], ids=["one line", "paragraphs"])
def test_millions_of_characters_are_parted_as_they_stand(end: str) -> None:
    millions = endless(MILLIONS, end)
    parts = chapter_parts(millions, 24_000)

    assert re.sub(r"\s", "", "".join(parts)) == re.sub(r"\s", "", millions)
    assert max(map(estimate_tokens, parts)) <= 24_000 * 1.02
    least = estimate_tokens(millions) / 24_000
    assert least <= len(parts) <= 1.1 * least + 1


def test_millions_of_characters_are_judged_in_parts(service: EvaluationService, able: Desk) -> None:
    text = endless(MILLIONS, "\n\n")
    read = 0

    def reads(sent: Sent) -> Reply:
        nonlocal read
        if agent_of(sent) == "global_evaluation":
            return whole()
        if agent_of(sent) == "chapter_analysis":
            read += len(texts_in(sent)[0])
        return chapter(6)

    able.server.answer = reads
    evaluation = service.of_book(book([text]))

    result = service.finish(evaluation)

    sent = asked(able.server, "chapter_analysis")
    assert len(sent) > 100
    assert read == pytest.approx(MILLIONS, rel=0.01)
    assert max(estimate_tokens(one.prompt) for one in sent[:3] + sent[-3:]) < 24_000
    assert result.quality.s_q == pytest.approx(6)
    assert result.evaluation.words > 700_000
    assert service.counted(evaluation.id).chapters[0].measures.words == result.evaluation.words


@pytest.mark.parametrize(
    "text",
    [
        "." * LONG + "x",
        "“" * LONG,
        "‘a " * LONG,
        "— " * LONG,
        "a" * LONG,
        "雨" * LONG,
        "* * *\n\n" * 20_000,
    ],
    ids=["dots", "marks", "open quotes", "dashes", "one word", "one sign", "breaks"],
)
def test_what_is_hardly_a_text_takes_no_longer(text: str) -> None:
    [measured] = measure_book([text])

    assert 0 <= measured.dialogue <= 1
    assert sentences(text) >= 0
    assert without_addressed(text).text == text
    assert re.sub(r"\s", "", "".join(chapter_parts(text, 24_000))) == re.sub(r"\s", "", text)


def test_a_text_that_begs_ten_thousand_times_is_read_through_once() -> None:
    begging = f"It was dark. {FLATTERY} " * 10_000

    cleaned = without_addressed(begging)

    assert len(cleaned.addressed) == 10_000
    assert cleaned.text.count(LEFT_OUT) == 10_000
    assert "10" not in cleaned.text
    assert cleaned.text.count("It was dark.") == 10_000


def test_one_line_is_judged(service: EvaluationService, able: Desk) -> None:
    able.server.answer = judging()
    evaluation = service.of_book(book(["Nobody came."]))

    assert service.finish(evaluation).quality.s_q == pytest.approx(6)
    [counted] = service.counted(evaluation.id).chapters
    assert counted.measures.words == 2
    assert counted.measures.repeated_within == counted.measures.repeated_before == 0


def test_a_text_in_many_scripts_is_counted_and_judged(
    service: EvaluationService, able: Desk
) -> None:
    shown = [{"indicator": "immersion", "quote": "渡口的灯一直亮着"}]
    able.server.answer = judging(lambda _: chapter(9, highlights=shown))
    evaluation = service.of_book(book([MIXED, f"{MIXED}\n\n{MIXED}"]))

    service.finish(evaluation)

    first, second = service.chapters(evaluation.id)
    assert first.scores.immersion == second.scores.immersion == 9
    assert first.unfound == 0
    assert MIXED in request_of(asked(able.server, "chapter_analysis")[0])
    once, twice = service.counted(evaluation.id).chapters
    assert (once.measures.repeated_within, once.measures.repeated_before) == (0, 0)
    assert twice.measures.repeated_before > 0.7
    assert once.measures.dialogue > 0
    assert sentences(MIXED) >= 4


def test_words_are_whole_wherever_a_long_text_is_taken_apart() -> None:
    text = endless(400_000) + "渡" * 100_000 + endless(200_000)

    assert "".join(_blocks(text)) == text
    assert len(list(_blocks(text))) > 8
    assert len(words_of(text)) == len(marks_of(text)) == len(words_of(text.replace(" ", "\n")))
