"""An agent: everything there is to know about one, in one definition.

Each stage declares its agents in its own `agents.py` and keeps their prompts in its folder
`prompts`. Whatever is shown, estimated or set for each agent is derived from these definitions,
which `graph_flow.agents` collects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from graph_flow.llm.schema import AnswerSchema
from graph_flow.prompting.length import is_last, sketch_length, story_length
from graph_flow.prompting.prompt import Example, Prompt, load_prompt
from graph_flow.views import PlotStep
from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.run import Initialize, PlotChapters, Task, WriteChapter
from store.models.story import StorySettings

SHARED_LABELS: Mapping[str, str] = {
    "background": "The world",
    "breadth": "The task",
    "count": "The task",
    "form": "The task",
    "goal": "The goal",
    "history": "What happened before",
    "idea": "The story in short",
    "length": "The task",
    "language": "The task",
    "unit": "The task",
    "long_term_goal": "How the story ends",
    "note": "Your note",
    "now": "What happens",
    "others": "People they may meet",
    "outline": "The outline so far",
    "parts": "The chapter's part of the outline",
    "people": "The people",
    "place": "The place in the story",
    "places": "Places",
    "premise": "The premise",
    "questions": "Open threads",
    "remarks": "What the reviewer said",
    "scope": "The task",
    "style": "The style that you asked for",
    "themes": "The world",
    "threads": "Open threads",
    "ties": "Their relationships",
    "tone": "The tone",
    "truth": "The world",
    "wishes": "What you asked for",
}
"""The writer's names for variables that mean the same in the prompts of several agents."""


@dataclass(frozen=True)
class Work:
    """What is needed to predict the number of calls for a task that is about to begin.

    A story that `follows_sketch` is expected to go on doing so; of one that does not, each chapter is told in so
    many `sketches` before it is plotted. `form` is the story's, and `told` how
    many of its chapters are plotted. `at_once` is how many calls the agent's endpoint takes at a time,
    and `strength` how much its model is asked for at once.
    """

    task: Task
    settings: StorySettings
    form: Form = Form.NOVEL
    told: int = 0
    follows_sketch: bool = False
    sketches: int = 0
    at_once: int = 1
    strength: ModelStrength = ModelStrength.ABLE

    @property
    def is_as_told(self) -> bool:
        """Whether each chapter that is plotted can only be the sketch's, as there is no other candidate."""
        match self.task:
            case PlotChapters(is_autopilot=is_autopilot):
                return self.follows_sketch and (is_autopilot or self.settings.goals == 1)
        return False

    @property
    def told_goals(self) -> int:
        """How many goals of each chapter that is plotted have been told before."""
        return 1 if self.follows_sketch else self.sketches

    @property
    def reaches_end(self) -> bool:
        """Whether the last chapter of the story is among those that are plotted."""
        match self.task:
            case PlotChapters(chapters=chapters):
                return is_last(self.told + chapters, self.settings)
        return False

    @property
    def written_form(self) -> Form | None:
        """The form in which a chapter is written; None if the task writes none."""
        return (self.task.form or self.form) if isinstance(self.task, WriteChapter) else None


@dataclass(frozen=True)
class Calls:
    """How many calls an agent gets; `in_a_row` of them have to wait for one another."""

    count: int
    in_a_row: int

    def times(self, number: int) -> Calls:
        """Return the calls of a number of chapters, one after the other, that get as many each."""
        return Calls(self.count * number, self.in_a_row * number)


@dataclass(frozen=True)
class CallSize:
    """How many tokens a call reads and writes."""

    tokens_in: float
    tokens_out: float


_TOKENS_PER_WORD = 1.5
_INSTRUCTIONS, _ANSWER = 2_000, 600
"""Tokens that a call with a whole story reads and writes besides its text."""


def of_story(*, read: float = 0, written: float = 0) -> Callable[[Work], CallSize]:
    """Expect a call that reads and writes the text of a whole story so many times."""
    return partial(_size, story_length, read, written)


def of_sketch(*, read: float = 0, written: float = 0) -> Callable[[Work], CallSize]:
    """Expect a call that reads and writes a sketch so many times: a short story, or how a longer one begins."""
    return partial(_size, sketch_length, read, written)


def _size(
    length: Callable[[StorySettings], int], read: float, written: float, work: Work
) -> CallSize:
    tokens = length(work.settings) * _TOKENS_PER_WORD
    return CallSize(_INSTRUCTIONS + read * tokens, _ANSWER + written * tokens)


NO_CALLS = Calls(0, 0)
ONE_CALL = Calls(1, 1)


def once_at_the_beginning(work: Work) -> Calls:
    """Expect one call when the premise becomes a configuration."""
    return ONE_CALL if isinstance(work.task, Initialize) else NO_CALLS


def only_if(strength: ModelStrength, calls: Callable[[Work], Calls]) -> Callable[[Work], Calls]:
    """Expect calls only from an agent whose model has a certain strength."""
    return lambda work: calls(work) if work.strength is strength else NO_CALLS


def _as_others(_work: Work) -> CallSize | None:
    return None


@dataclass(frozen=True, eq=False)
class Agent:
    """An agent.

    `name` identifies it in its prompt file, the ledger and the settings, and never changes; `stage`
    is the folder of `graph_flow` that holds its prompt. `label` is its name in the UI. `calls`
    predicts how many calls a task makes to it if no answer has to be asked for twice. `answer` is
    the schema of its answers, or returns the one that a worked example follows; None means that
    it answers with text. `labels` are the writer's names for the variables of its prompt, in
    addition to `SHARED_LABELS`. `step` is the step in plotting a chapter to which it belongs. `size` is
    what a call is expected to take before any has been made; None if that is what others take.
    """

    name: str
    stage: str
    label: str
    calls: Callable[[Work], Calls]
    answer: AnswerSchema[Any] | Callable[[Example], AnswerSchema[Any]] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    step: PlotStep | None = None
    size: Callable[[Work], CallSize | None] = _as_others

    @property
    def prompts(self) -> Mapping[ModelStrength, Prompt]:
        """Its prompt for each strength of model, read from its file once; often one for both.

        Raises:
            PromptInvalid: if there is no such file, or it is not in the right format.
        """
        return {strength: self.prompt(strength) for strength in ModelStrength}

    def prompt(self, strength: ModelStrength) -> Prompt:
        """Return its prompt for a model.

        Raises:
            PromptInvalid: if there is no such file, or it is not in the right format.
        """
        return load_prompt(self.stage, self.name, strength)

    def label_of(self, variable: str) -> str:
        """Return the writer's name for a variable; without a label, its own name as words."""
        label = self.labels.get(variable) or SHARED_LABELS.get(variable)
        return label or humanised(variable)

    def schema_of(self, example: Example) -> AnswerSchema[Any] | None:
        """Return the schema that a worked example follows; None if the answer is text."""
        if self.answer is None or isinstance(self.answer, AnswerSchema):
            return self.answer
        return self.answer(example)


def humanised(name: str) -> str:
    """Return the name of a variable or an agent as words."""
    return name.replace("_", " ").strip().capitalize()


def line_labels(lines: list[str]) -> list[str]:
    """Return the labels at the start of an example's lines: "E1. ..." or "S1 (...)"."""
    return [line.split()[0].rstrip(".") for line in lines]


def line_names(lines: list[str]) -> list[str]:
    """Return the names at the start of an example's lines: "Mara: keeper"."""
    return [line.partition(":")[0] for line in lines]
