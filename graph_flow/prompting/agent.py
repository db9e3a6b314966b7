"""An agent: all that there is to know of one, in one definition.

A stage declares its agents in its own `agents.py`, and their prompts are in its folder `prompts`.
What is shown, estimated and set for each agent is read off these definitions, which
`graph_flow.agents` gathers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import BaseModel

from graph_flow.prompting.prompt import Example, Prompt, load_prompt
from graph_flow.views import PlotStep
from store.models.form import Form
from store.models.run import Initialize, Task, WriteChapter
from store.models.story import StorySettings

SHARED_LABELS: Mapping[str, str] = {
    "background": "The world",
    "count": "The task",
    "form": "The task",
    "goal": "The goal",
    "history": "What happened before",
    "language": "The task",
    "long_term_goal": "How the story ends",
    "note": "Your note",
    "now": "What happens",
    "others": "Whom they may meet",
    "outline": "The outline so far",
    "parts": "What the outline has for the chapter",
    "people": "The people",
    "places": "Places",
    "premise": "The premise",
    "remarks": "What the reviewer said",
    "threads": "Open threads",
    "ties": "Their ties",
    "wishes": "What you asked for",
}
"""What a writer calls the variables that mean the same in the prompts of several agents."""


@dataclass(frozen=True)
class Work:
    """A task that is about to begin, as far as the number of its calls depends on it.

    `form` is the story's; `at_once` is how many calls the agent's endpoint takes at a time.
    """

    task: Task
    settings: StorySettings
    form: Form = Form.NOVEL
    at_once: int = 1

    @property
    def written_form(self) -> Form | None:
        """The form in which a chapter is written; None where the task writes none."""
        return (self.task.form or self.form) if isinstance(self.task, WriteChapter) else None


@dataclass(frozen=True)
class Calls:
    """How many calls an agent gets; `in_a_row` of them wait for each other."""

    count: int
    in_a_row: int


NO_CALLS = Calls(0, 0)
ONE_CALL = Calls(1, 1)

AnswerSchema: TypeAlias = "type[BaseModel] | Callable[[Example], type[BaseModel]]"


def once_at_the_beginning(work: Work) -> Calls:
    """Expect one call when the premise becomes a configuration."""
    return ONE_CALL if isinstance(work.task, Initialize) else NO_CALLS


@dataclass(frozen=True, eq=False)
class Agent:
    """An agent.

    `name` is what its prompt file, the ledger and the settings call it, and never changes; `stage`
    is the folder of `graph_flow` that holds its prompt. `label` is what a writer calls it. `calls`
    tells how many calls a task makes to it when no answer has to be asked for twice. `answer` is
    the schema of its answers, or returns the one that a worked example follows; None: it answers
    with text. `labels` are what a writer calls the variables of its prompt, beside
    `SHARED_LABELS`. `step` is where a chapter's plot stands while it is at work.
    """

    name: str
    stage: str
    label: str
    calls: Callable[[Work], Calls]
    answer: AnswerSchema | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    step: PlotStep | None = None

    @property
    def prompt(self) -> Prompt:
        """Its prompt, read from its file once.

        Raises:
            PromptInvalid: if there is none, or it is not of the right form.
        """
        return load_prompt(self.stage, self.name)

    def label_of(self, variable: str) -> str:
        """Return what a writer calls a variable; one without a label goes by its own name."""
        label = self.labels.get(variable) or SHARED_LABELS.get(variable)
        return label or humanised(variable)

    def schema_of(self, example: Example) -> type[BaseModel] | None:
        """Return the schema that a worked example follows; None where the answer is text."""
        if self.answer is None or isinstance(self.answer, type):
            return self.answer
        return self.answer(example)


def humanised(name: str) -> str:
    """Return the name of a variable or an agent as words."""
    return name.replace("_", " ").strip().capitalize()


def line_labels(lines: list[str]) -> list[str]:
    """Return the labels with which lines of an example begin: "E1. ..." or "S1 (...)"."""
    return [line.split()[0].rstrip(".") for line in lines]


def line_names(lines: list[str]) -> list[str]:
    """Return the names with which lines of an example begin: "Mara: keeper"."""
    return [line.partition(":")[0] for line in lines]
