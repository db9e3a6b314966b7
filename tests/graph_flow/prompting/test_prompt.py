"""Prompts: every file is whole, nothing in it can be forgotten, and a writer's words stay words."""

from __future__ import annotations

import threading
from itertools import pairwise
from pathlib import Path

import pytest

import graph_flow
from graph_flow.agents import AGENTS
from graph_flow.llm.parsing import leaked_phrase
from graph_flow.llm.request import CallScope, Request
from graph_flow.prompting.prompt import Prompt, PromptInvalid, load_prompt, parse_prompt
from store.models.endpoint import ModelStrength
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


def test_variable_that_only_another_prompt_of_the_agent_uses_is_left_out() -> None:
    told = {"language": "French", "place": "x"}

    assert small().messages({**told, "weather": "rain"}) == small().messages(told)


@pytest.mark.parametrize("hostile", ["{{ 7 * 7 }}", "{% for x in y %}", "## Request", "---\na: 1"])
def test_writer_s_words_are_never_read_as_a_template(hostile: str) -> None:
    request = small().messages({"language": "French", "place": hostile})[-1].content

    assert request == f"The place: {hostile}"


@pytest.mark.parametrize(
    ("was", "becomes", "problem"),
    [
        ("\n## Request\n", "\n", "the line '## Request' is missing"),
        ("max_tokens: 50", "max_tokens: many", "max_tokens"),
        ("temperature: 0.5", "temperature: 0.5\nmodel: large", "model"),
        ("{place: a quay}", "{}", "does not give place"),
        ("{place: a quay}", "{place: a quay, hour: noon}", "gives the unused hour"),
    ],
)
def test_file_that_is_not_whole_is_refused(was: str, becomes: str, problem: str) -> None:
    with pytest.raises(PromptInvalid, match=problem):
        parse_prompt("small", SMALL.replace(was, becomes))


def test_agent_without_a_file_has_no_prompt() -> None:
    with pytest.raises(PromptInvalid, match="juggler"):
        load_prompt("plot", "juggler")


# What is in our own files


EXAMPLES = [
    pytest.param(agent, number, id=f"{agent}-{number}")
    for agent in agents()
    for number in range(len(AGENTS[agent].prompt(ModelStrength.SMALL).examples))
]

TOLD = [one for one in EXAMPLES if one.values[0] not in {"scorer", "links"}]
"""Those whose words become part of the story; a scorer's few words never do, and a link has none."""


@pytest.mark.parametrize(("agent", "number"), EXAMPLES)
def test_example_is_an_answer_that_its_agent_could_give(agent: str, number: int) -> None:
    example = AGENTS[agent].prompt(ModelStrength.SMALL).examples[number]
    schema = AGENTS[agent].schema_of(example)

    if schema is None:
        assert isinstance(example.answer, str)
        assert len(example.text.split()) > 30
    else:
        assert isinstance(example.answer, dict)
        schema.validate(example.answer)


@pytest.mark.parametrize(("agent", "number"), TOLD)
def test_example_repeated_as_an_answer_is_noticed(agent: str, number: int) -> None:
    prompt = AGENTS[agent].prompt(ModelStrength.SMALL)
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
    example = AGENTS[agent].prompt(ModelStrength.SMALL).examples[number]
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
    request = Request("small", messages, scope, 1, forbidden=prompt.forbidden(0))

    assert leaked_phrase("A harbour at night", request) == leak


@pytest.mark.parametrize("agent", agents())
def test_every_prompt_says_in_which_language_to_answer(agent: str) -> None:
    assert "language" in AGENTS[agent].prompt(ModelStrength.SMALL).variables


def test_no_line_of_a_prompt_runs_into_the_next() -> None:
    """A tag at the end of a line takes the line break with it, unless it says otherwise."""
    prompts = list(Path(graph_flow.__file__).parent.rglob("prompts/**/*.md"))

    assert prompts
    for path in prompts:
        for line, following in pairwise(path.read_text("utf-8").splitlines()):
            runs_on = line.endswith("%}") and not line.endswith("+%}") and not line.startswith("{%")
            assert not (runs_on and following.strip()), f"{path.name}: {line[-60:]}"
