"""Prompts: a Markdown file per agent, with its settings and instructions; for small models, another.

A file has YAML front matter (`max_tokens`, `temperature`, `examples`), then the instructions, then,
after the line `## Request`, the template of the request; or `request_of` in its front matter names the
agent whose request, from the same folder, is its own. An example gives the template's variables
(`given`), the answer, and what must not appear in a real answer (`leaks`). Examples are rendered
with the same template as the real request, so the two cannot drift apart. A small model needs them;
what is asked of an able one usually has none, because an example colours every answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any

import frontmatter
from jinja2 import StrictUndefined, Template, UndefinedError, meta
from jinja2.sandbox import SandboxedEnvironment
from pydantic import BaseModel, ConfigDict, Field

from graph_flow.llm.request import Message
from store.models.endpoint import ModelStrength

Variables = Mapping[str, str | int | bool | Sequence[str]]

_WORD = re.compile(r"[\w'’]+")
_SENTENCE = 8
"""Words. Anybody might write a shorter text."""

_TEMPLATES = 256
"""How many compiled templates are cached; each prompt has two."""

_REQUEST_MARK = "\n## Request\n"


class PromptInvalid(Exception):
    """A prompt file is not in the format that this module describes, or its variables do not match."""


class Example(BaseModel):
    """A worked example: the variables, a good answer, and words that must not leak."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    given: dict[str, Any]
    answer: str | dict[str, Any]
    leaks: tuple[str, ...]

    @cached_property
    def text(self) -> str:
        """The answer as a model would send it."""
        if isinstance(self.answer, str):
            return self.answer.strip()
        return json.dumps(self.answer, ensure_ascii=False)

    @cached_property
    def forbidden(self) -> tuple[str, ...]:
        """What must not appear in an answer: the example's names, and any six words in a row."""
        phrases = [phrase for text in _texts_in(self.answer) for phrase in _six_words_each(text)]
        return tuple(dict.fromkeys([*self.leaks, *phrases]))


class _Head(BaseModel):
    model_config = ConfigDict(extra="forbid")

    max_tokens: int = Field(gt=0)
    temperature: float = Field(ge=0, le=2)
    examples: tuple[Example, ...] = ()
    request_of: str = ""


@dataclass(frozen=True)
class Prompt:
    """One agent's prompt."""

    agent: str
    max_tokens: int
    temperature: float
    instructions: str
    request: str
    examples: tuple[Example, ...]

    @property
    def variables(self) -> frozenset[str]:
        """The names of the prompt's variables."""
        return frozenset().union(*(_names_in(text) for text in (self.instructions, self.request)))

    def messages(self, variables: Variables, turn: int = 0) -> tuple[Message, ...]:
        """Return the instructions, the example's request and answer, and the request, in that order.

        `turn` chooses the example, since a single one would colour every answer. Variables that the
        prompt does not use are left out.

        Raises:
            PromptInvalid: if a variable is missing.
        """
        example = self.example(turn)
        shown = (
            (
                Message("user", _render(self.request, {**variables, **example.given})),
                Message("assistant", example.text),
            )
            if example
            else ()
        )
        return (
            Message("system", _render(self.instructions, variables)),
            *shown,
            Message("user", _render(self.request, variables)),
        )

    def example(self, turn: int) -> Example | None:
        """Return the example for a turn; None if the prompt has none."""
        return self.examples[turn % len(self.examples)] if self.examples else None

    def forbidden(self, turn: int) -> tuple[str, ...]:
        """Return what must not appear in an answer because it is the example's."""
        example = self.example(turn)
        return example.forbidden if example else ()

    def leaks(self, variables: Variables, turn: int = 0) -> tuple[str, ...]:
        """Return the words of the example that must not appear in a real answer.

        A word that the writer's own story uses is no leak.
        """
        example = self.example(turn)
        asked = _render(self.request, variables).casefold()
        return (
            tuple(leak for leak in example.leaks if leak.casefold() not in asked) if example else ()
        )


@cache
def load_prompt(stage: str, agent: str, strength: ModelStrength = ModelStrength.ABLE) -> Prompt:
    """Read an agent's prompt from its file in the folder of its stage.

    For a small model it is the one in the folder `small`. An agent that is asked in one way, or that
    only models of one strength need, has only one of the two.

    Raises:
        PromptInvalid: if there is no such file, or it is not in the right format.
    """
    folder = resources.files("graph_flow") / stage / "prompts"
    files = [folder / f"{agent}.md", folder / "small" / f"{agent}.md"]
    if strength is ModelStrength.SMALL:
        files.reverse()
    source = next((one for one in files if one.is_file()), files[0])
    try:
        text = source.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PromptInvalid(f"there is no prompt for the agent {agent}") from None

    def request_of(other: str) -> str:
        prompt = load_prompt(stage, other, strength)
        return prompt.request

    return parse_prompt(agent, text, request_of)


def _of_nobody(other: str) -> str:
    raise PromptInvalid(f"there is no request of {other} at hand")


def parse_prompt(agent: str, text: str, request_of: Callable[[str], str] = _of_nobody) -> Prompt:
    """Read a prompt from the text of its file; `request_of` returns the request of another agent.

    Raises:
        PromptInvalid: if the front matter or the request is missing or wrong.
    """
    post = frontmatter.loads(text)
    try:
        head = _Head.model_validate(post.metadata)
    except ValueError as problem:
        raise PromptInvalid(f"{agent}: {problem}") from problem
    instructions, mark, request = post.content.partition(_REQUEST_MARK)
    if head.request_of:
        request = request_of(head.request_of)
    elif not mark:
        raise PromptInvalid(f"{agent}: the line '## Request' is missing")
    for example in head.examples:
        _check_example(agent, example, _names_in(request))
    return Prompt(
        agent=agent,
        max_tokens=head.max_tokens,
        temperature=head.temperature,
        instructions=instructions.strip(),
        request=request.strip(),
        examples=head.examples,
    )


def _check_example(agent: str, example: Example, names: Set[str]) -> None:
    """Check that an example gives every variable: the writer's own story would fill any gap.

    Raises:
        PromptInvalid: if a variable is missing or unknown.
    """
    missing, unknown = names - set(example.given), set(example.given) - names
    if missing:
        raise PromptInvalid(f"{agent}: an example does not give {', '.join(sorted(missing))}")
    if unknown:
        raise PromptInvalid(f"{agent}: an example gives the unused {', '.join(sorted(unknown))}")


def _texts_in(answer: object) -> Iterator[str]:
    if isinstance(answer, str):
        yield answer
    elif isinstance(answer, dict):
        for value in answer.values():
            yield from _texts_in(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from _texts_in(value)


def _six_words_each(text: str) -> Iterator[str]:
    words = list(_WORD.finditer(text))
    if len(words) < _SENTENCE:
        return
    for first, last in zip(words, words[5:], strict=False):
        yield text[first.start() : last.end()]


@cache
def _environment() -> SandboxedEnvironment:
    return SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )


@lru_cache(maxsize=_TEMPLATES)
def _names_in(template: str) -> frozenset[str]:
    return frozenset(meta.find_undeclared_variables(_environment().parse(template)))


@lru_cache(maxsize=_TEMPLATES)
def _compiled(template: str) -> Template:
    """Return a compiled template; cached, because compiling takes longer than all the rest."""
    return _environment().from_string(template)


def _render(template: str, variables: Variables) -> str:
    try:
        return _compiled(template).render(variables)
    except UndefinedError as problem:
        raise PromptInvalid(str(problem)) from problem
