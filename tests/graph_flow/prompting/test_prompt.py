"""Prompts: every file is whole, nothing in it can be forgotten, and a writer's words stay words."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from pydantic import BaseModel

from graph_flow.founding import answers as founding
from graph_flow.llm.parsing import leaked_phrase
from graph_flow.llm.request import CallScope, Request
from graph_flow.outline import answers as outline
from graph_flow.plot import answers as plot
from graph_flow.prompting.prompt import Prompt, PromptInvalid, load_prompt, parse_prompt
from graph_flow.scoring import answers as scoring
from graph_flow.telling import answers as telling
from tests.graph_flow.scripting import agents

SMALL = """---
max_tokens: 50
temperature: 0.5
examples:
  - given: {place: a quay}
    answer: {mood: as grey as the old harbour wall}
    leaks: [harbour]
  - given: {place: a moor}
    answer: A lark over the heather at noon.
    leaks: [lark]
---
You tell the mood of a place in {{ language }}.

## Request
The place: {{ place }}
"""


def small() -> Prompt:
    return parse_prompt("small", SMALL)


def test_prompt_becomes_instructions_example_and_request() -> None:
    messages = small().messages({"language": "French", "place": "a cellar"})

    assert [(message.role, message.content) for message in messages] == [
        ("system", "You tell the mood of a place in French."),
        ("user", "The place: a quay"),
        ("assistant", '{"mood": "as grey as the old harbour wall"}'),
        ("user", "The place: a cellar"),
    ]


def test_turn_chooses_the_example() -> None:
    said = [
        small().messages({"language": "French", "place": "x"}, turn)[2].content for turn in range(4)
    ]

    assert said[0] == said[2] != said[1] == said[3] == "A lark over the heather at noon."


def test_missing_variable_is_an_error() -> None:
    with pytest.raises(PromptInvalid, match="place"):
        small().messages({"language": "French"})


def test_unused_variable_is_an_error() -> None:
    with pytest.raises(PromptInvalid, match="weather is not used"):
        small().messages({"language": "French", "place": "x", "weather": "rain"})


@pytest.mark.parametrize("hostile", ["{{ 7 * 7 }}", "{% for x in y %}", "## Request", "---\na: 1"])
def test_writer_s_words_are_never_read_as_a_template(hostile: str) -> None:
    request = small().messages({"language": "French", "place": hostile})[-1].content

    assert request == f"The place: {hostile}"


@pytest.mark.parametrize(
    ("was", "becomes", "problem"),
    [
        ("\n## Request\n", "\n", "no part '## Request'"),
        ("max_tokens: 50", "max_tokens: many", "max_tokens"),
        ("temperature: 0.5", "temperature: 0.5\nmodel: large", "model"),
        ("{place: a quay}", "{}", "does not give place"),
        ("{place: a quay}", "{place: a quay, hour: noon}", "gives hour for nothing"),
    ],
)
def test_file_that_is_not_whole_is_refused(was: str, becomes: str, problem: str) -> None:
    with pytest.raises(PromptInvalid, match=problem):
        parse_prompt("small", SMALL.replace(was, becomes))


def test_agent_without_a_file_has_no_prompt() -> None:
    with pytest.raises(PromptInvalid, match="juggler"):
        load_prompt("juggler")


# What is in our own files


EXAMPLES = [
    pytest.param(agent, number, id=f"{agent}-{number}")
    for agent in agents()
    for number in range(len(load_prompt(agent).examples))
]

TOLD = [one for one in EXAMPLES if one.values[0] not in {"scorer", "links"}]
"""Those whose words become part of the story; a scorer's few words never do, and a link has none."""

Given = Mapping[str, Any]

SCHEMAS: Mapping[str, Callable[[Given], type[BaseModel]]] = {
    "foundation": lambda _given: founding.FoundationAnswer,
    "cast": lambda given: founding.cast_schema(len(given["named"])),
    "character": lambda _given: founding.CharacterAnswer,
    "ties": lambda given: founding.ties_schema(
        [line.partition(":")[0] for line in given["people"]]
    ),
    "scenes": lambda _given: founding.ScenesAnswer,
    "goals": lambda given: plot.goals_schema(
        given["count"], labels([*given["threads"], *given["ties"]])
    ),
    "role": lambda given: plot.role_schema(
        plot.RoleOptions(
            others=given["others"],
            toward=given["others"],
            places=given["places"],
            events=labels(given["memories"]),
            threads=given["threads"],
            parts=labels(given["parts"]),
            is_opening="new_place" in given["answer"],
            is_closing="opens" in given["answer"],
            has_room="newcomer" in given["answer"],
        )
    ),
    "plot": lambda given: plot.plot_schema(
        plot.PlotOptions(
            people=[line.partition(":")[0] for line in given["people"]],
            others=given["others"],
            toward=given["others"],
            places=given["places"],
            events=labels(given["history"]),
            threads=given["threads"],
            parts=labels(given["parts"]),
            has_room="newcomer" in given["answer"],
        )
    ),
    "scorer": lambda given: scoring.scores_schema(
        scoring.Asked(
            events={
                told.split(".")[0]: labels(told.splitlines()[1:]) for told in given["candidates"]
            },
            tops={rule.split()[0].rstrip(":"): top_of(rule) for rule in given["rules"]},
            with_reasons=given["with_reasons"],
        )
    ),
    "exit": lambda given: plot.exit_schema(labels(given["events"])),
    "recall": lambda given: telling.recall_schema(labels(given["past"])),
    "thread": lambda given: telling.threads_schema(labels(given["threads"])),
    "storylines": lambda given: outline.storylines_schema(
        given["count"], [line.partition(":")[0] for line in given["people"]]
    ),
    "outline": lambda given: outline.events_schema(
        given["count"], [line.partition(":")[0] for line in given["people"]]
    ),
    "links": lambda given: outline.links_schema(labels(given["outline"]), given["most"]),
    "reviewer": lambda given: outline.review_schema(labels(given["outline"])),
    "planner": lambda given: outline.parts_schema(
        labels(given["outline"]), range(given["first"], given["last"] + 1), given["count"]
    ),
    "plan": lambda given: telling.plan_schema(labels(given["scenes"]), given["people"]),
}
"""The schema that an agent's example, `answer` and all, would have been asked with."""


def labels(lines: Sequence[str]) -> list[str]:
    """Return the labels with which lines begin: "E1. ..." or "S1 (...)"."""
    return [line.split()[0].rstrip(".") for line in lines]


def top_of(rule: str) -> int:
    """Return the top of the scale that a line for a rule names: "... (from 1 = calm to 10 = war)"."""
    named = re.search(r"\(from 1.* to (\d+)", rule)
    return int(named.group(1)) if named else 5


@pytest.mark.parametrize(("agent", "number"), EXAMPLES)
def test_example_is_an_answer_that_its_agent_could_give(agent: str, number: int) -> None:
    example = load_prompt(agent).examples[number]

    if agent.startswith("writer_"):
        assert isinstance(example.answer, str)
        assert len(example.text.split()) > 30
    else:
        schema = SCHEMAS[agent]({**example.given, "answer": example.answer})
        schema.model_validate(example.answer)


@pytest.mark.parametrize(("agent", "number"), TOLD)
def test_example_repeated_as_an_answer_is_noticed(agent: str, number: int) -> None:
    prompt = load_prompt(agent)
    example = prompt.examples[number]
    blank = dict.fromkeys(prompt.variables, "")

    request = Request(
        agent=agent,
        messages=prompt.messages(blank, number),
        scope=CallScope(branch=None, run=None, step="", stop=threading.Event()),
        max_tokens=1,
        forbidden=example.forbidden,
    )

    assert leaked_phrase(example.text, request) is not None


@pytest.mark.parametrize(("agent", "number"), EXAMPLES)
def test_words_that_must_not_leak_stand_in_the_example(agent: str, number: int) -> None:
    example = load_prompt(agent).examples[number]
    said = f"{example.given} {example.text}".casefold()

    assert example.leaks
    assert [leak for leak in example.leaks if leak.casefold() not in said] == []


@pytest.mark.parametrize(("place", "leak"), [("the harbour", None), ("a cellar", "harbour")])
def test_name_of_the_example_is_a_leak_unless_the_story_has_it(
    place: str, leak: str | None
) -> None:
    prompt = small()
    messages = prompt.messages({"language": "French", "place": place}, 0)
    scope = CallScope(branch=None, run=None, step="", stop=threading.Event())
    request = Request("small", messages, scope, 1, forbidden=prompt.example(0).forbidden)

    assert leaked_phrase("A harbour at night", request) == leak


@pytest.mark.parametrize("agent", agents())
def test_every_prompt_says_in_which_language_to_answer(agent: str) -> None:
    assert "language" in load_prompt(agent).variables
