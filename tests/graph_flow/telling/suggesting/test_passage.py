"""What is read of an answer: the words for a passage, and nothing that a model says beside them."""

from __future__ import annotations

import pytest

from graph_flow.telling.suggesting.passage import (
    LONGER,
    NOTHING,
    OTHER_LANGUAGE,
    UNCHANGED,
    Passage,
    Read,
    read_answer,
)
from store.models.desk.suggestion import SuggestionKind

BEFORE = "The lamp went out at nine, and nobody came down the stairs to see why it had. "
TEXT = "Mara counted the steps in the dark."
AFTER = " There were forty-one of them, as there had been on every night before this one."
PASSAGE = Passage(BEFORE, TEXT, AFTER)
BETTER = "In the dark Mara counted, one hand on the wall."


def read(answer: str, passage: Passage = PASSAGE) -> Read:
    return read_answer(answer, passage, SuggestionKind.REWRITE)


@pytest.mark.parametrize(
    "answer",
    [
        BETTER,
        f"  {BETTER}\n",
        f'"{BETTER}"',
        f"“{BETTER}”",
        f"```text\n{BETTER}\n```",
        f"<passage>{BETTER}</passage>",
        f"Here is the rewritten passage:\n\n{BETTER}",
        f"Sure! Here's a shortened version:\n\n{BETTER}",
        f"{BETTER}\n\n---\n\nNotes: I moved the dark to the front.",
        f"{BETTER}\n\n---\nI've moved the dark to the front.",
        f"{BETTER}\n\n**Changes made:**\n- The dark comes first.",
        f"{BETTER}\n\nNote: the wall is new.",
        f"{BEFORE}{BETTER}{AFTER}",
        f"{BEFORE}\n\n{BETTER}\n\n{AFTER}\n\nAnd so on, to the end of the chapter.",
        f"{BETTER}{AFTER}",
    ],
)
def test_only_the_words_for_the_passage_are_read(answer: str) -> None:
    assert read(answer) == Read(BETTER)


@pytest.mark.parametrize(
    "prose",
    [
        "“Count,” said Hale.\n\n“I am counting,” said Mara.",
        "He said it once, and once more, and then he wrote:\n\nNobody came.",
        "I have kept the lamp for nine years.\n\nI have never counted.",
        "“Forty,” said Mara. “Forty-one.”",
        "One.\n\n* * *\n\nTwo.",
    ],
)
def test_what_belongs_to_the_prose_stays(prose: str) -> None:
    assert read(prose).text == prose


def test_first_line_that_the_writer_s_own_text_has_too_stays() -> None:
    own = Passage("", "Here is the passage:\n\nNobody came.", "")
    answer = "Here is the passage:\n\nNo one came."
    assert read(answer, own) == Read(answer)


@pytest.mark.parametrize("answer", ["", "   \n", "---", "…", "```\n\n```"])
def test_answer_without_words_is_none(answer: str) -> None:
    assert read(answer) == Read("", NOTHING)


@pytest.mark.parametrize(
    "answer", [TEXT, f" {TEXT} ", TEXT.upper(), f"“{TEXT}”", f"{BEFORE}{TEXT}{AFTER}"]
)
def test_passage_that_comes_back_as_it_was_is_no_suggestion(answer: str) -> None:
    assert read(answer) == Read("", UNCHANGED)


def test_answer_that_is_far_too_long_is_shown_with_a_doubt() -> None:
    long = "She counted, and went on counting. " * 60
    assert read(long) == Read(long.strip(), LONGER)
    wanted = read_answer(long[:800], PASSAGE, SuggestionKind.EXPAND)
    assert wanted.doubt == ""


def test_answer_in_another_script_or_language_is_shown_with_a_doubt() -> None:
    english = (
        "The keeper of the lamp had gone down to the water, and the boat was not there. She stood "
        "on the stones and waited until the light was gone, for it was her boat and her father's. "
    ) * 5
    own = Passage(
        english, "She went back up to the house, and in the hall there was a coat.", english
    )
    french = (
        "Elle remonta vers la maison, où un manteau mouillé pendait encore dans le vestibule, et "
        "personne ne répondit quand elle appela son frère depuis le bas des marches."
    )
    other = (
        "Back at the house she found a coat in the hall, wet to the collar, and it was not hers, "
        "and nobody on the stairs would say whose it was or how it had come to be there."
    )
    assert read(french, own) == Read(french, OTHER_LANGUAGE)
    assert read("灯灭了。没有人看见。", own).doubt == OTHER_LANGUAGE
    assert read(other, own) == Read(other)
    assert read("она молчала", Passage("", "Она долго молчала и смотрела.", "")).doubt == ""


def test_going_on_repeats_nothing_of_what_is_there() -> None:
    cursor = Passage(BEFORE, "", AFTER)
    answer = f"…and nobody came down the stairs to see why it had. {BETTER}"
    assert read_answer(answer, cursor, SuggestionKind.GO_ON) == Read(BETTER)
    assert read_answer(f"{BETTER}\n\n{AFTER.strip()}", cursor, SuggestionKind.GO_ON) == Read(BETTER)


def test_full_text_of_a_long_chapter_is_read_quickly_and_right() -> None:
    chapter = " ".join(f"Word{at} came down the stairs." for at in range(20_000))
    middle = chapter.index("Word10000")
    own = Passage(chapter[:middle], "Word10000 came down the stairs.", chapter[middle + 31 :])
    assert read(f"{own.before}{BETTER}{own.after}", own) == Read(BETTER)
