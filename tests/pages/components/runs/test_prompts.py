"""What an agent was told and what it said, as a writer reads it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.llm.request import Message, as_text
from graph_flow.prompting.sources import EXAMPLE
from pages.components.runs.prompts import as_paragraphs, as_said, asked
from store.models.run import PromptSource
from tests.pages.desk import HOSTILE

SYSTEM = Message("system", "You plan the next chapter.")
SHOWN = (Message("user", "World: two villages."), Message("assistant", "{}"))
TASK = Message("user", "World: a rock in the sea.\nWhat does Mara do?")
REFUSED = (Message("assistant", "Hm."), Message("user", "That answer cannot be used."))
ONE_EXAMPLE = [PromptSource(name=EXAMPLE, lines=1)]

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        pytest.param((SYSTEM, *SHOWN, TASK), [TASK], id="with an example"),
        pytest.param((SYSTEM, TASK), [TASK], id="asked again without it"),
        pytest.param((SYSTEM, *SHOWN, TASK, *REFUSED), [TASK, *REFUSED], id="asked again"),
    ],
)
def test_what_was_told_of_the_story_is_neither_instruction_nor_example(
    messages: tuple[Message, ...], told: list[Message]
) -> None:
    assert asked(as_text(messages), ONE_EXAMPLE) == "\n".join(one.content for one in told)


def test_prompt_of_another_form_is_told_whole() -> None:
    assert asked(" Tell me. ", ONE_EXAMPLE) == "Tell me."


def test_line_begins_with_what_it_is_about() -> None:
    said = as_paragraphs("You want: to leave\nPeople:\n- Mara: keeper\n- Hale\nWhat now?")

    assert said.split("\n\n") == [
        "**You want:** to leave",
        "**People:**",
        "- **Mara:** keeper\n- Hale",
        "What now?",
    ]


def test_form_is_told_line_by_line() -> None:
    said = {
        "together_with": ["Mara", "Hale"],
        "relationship": {"toward": "Mara", "strength": 3, "because": []},
        "is_reached": False,
        "goals": [{"title": "Low Water"}, {"title": "Ebb"}],
        "A": {"conflict": {"score": 4}},
        "parts": [],
    }

    assert as_said(json.dumps(said)).splitlines() == [
        "- **Together with:** Mara, Hale",
        "- **Relationship:** Toward: Mara · Strength: 3",
        "- **Is reached:** no",
        "- **Goals:**",
        "  - Title: Low Water",
        "  - Title: Ebb",
        "- **A:**",
        "  - **Conflict:** Score: 4",
        "- **Parts:** –",
    ]


@pytest.mark.parametrize("answer", ["The lamp goes out", "[1, 2", "{}", "[" * 5_000])
def test_answer_that_fills_in_no_form_is_told_as_it_is(answer: str) -> None:
    assert as_said(answer) == as_paragraphs(answer)


@given(ANYTHING)
def test_any_answer_can_be_read(said: object) -> None:
    assert as_said(json.dumps({"title": said}))


@pytest.mark.parametrize("shape", [{"a": HOSTILE}, {HOSTILE: 1}, {"a": [{HOSTILE: HOSTILE}]}])
def test_answer_is_shown_as_text(shape: dict[str, object]) -> None:
    assert HOSTILE not in as_said(json.dumps(shape))
    assert HOSTILE not in as_paragraphs(f"{HOSTILE}: {HOSTILE}")
