"""What a node may use: the store, the models, the progress, and the stop event."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from graph_flow.cognition.memory import PromptBudget
from graph_flow.errors import WorkbenchError
from graph_flow.llm.budget import Budget
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.llm.gateway import Gateway
from graph_flow.llm.parsing import text_so_far
from graph_flow.llm.request import CallScope, Request
from graph_flow.llm.schema import AnswerSchema
from graph_flow.prompting.agent import Agent
from graph_flow.prompting.prompt import Prompt, Variables
from graph_flow.prompting.sources import sources_of
from graph_flow.runtime.progress import LiveProgress
from graph_flow.runtime.state import StoryState
from store.models.endpoint import Endpoint, ModelStrength
from store.models.manuscript import WritingPlan
from store.models.outline import Outline
from store.models.proposals import Configuration
from store.models.prototype import Snapshot
from store.models.run import Decision, StepDown
from store.models.story import Brief, Gate, OutlineUse, Story, StorySettings
from store.open import Store
from store.text import Unit

T = TypeVar("T", bound=BaseModel)
S = TypeVar("S")

_LARGEST_MEMORY = 6_000
"""Most tokens of history in a prompt, however large the window: more costs money and helps little."""


@dataclass(frozen=True)
class Job:
    """One call to an agent.

    `step` names the call within the branch, the same at every resume; `words` say what is being
    done, for the writer; `turn` chooses among the prompt's examples; `tokens` replaces the prompt's
    own limit on the length of the answer; after `enough` words, a text need not be continued. Of
    an object, the text of the field `shows` is shown as it streams. The story's language goes into
    every prompt, and need not be among the `variables`.
    """

    agent: Agent
    step: str
    words: str
    variables: Variables
    turn: int = 0
    tokens: int | None = None
    enough: int | None = None
    shows: str = ""


@dataclass(frozen=True)
class AnswerForms(Generic[T]):
    """The two forms of an agent's answer: the whole one, and the part that a small model gives.

    `widened` makes a whole answer of such a part, so that whatever comes after knows only one form.
    """

    whole: AnswerSchema[T]
    part: AnswerSchema[Any]
    widened: Callable[[Any], T]


class _StepDowns(dict[tuple[str, str], StepDown]):
    """The agents of this run that are asked for less, each with the model that made it so."""


class _StepReads:
    """What the writer may change during a run, each part read when it is first needed."""

    def __init__(
        self, store: Store, gateway: Gateway, branch: str, asked: Endpoint | None = None
    ) -> None:
        self._store = store
        self._gateway = gateway
        self._branch = branch
        self.asked = asked
        self._endpoints: dict[str, Endpoint] = {}

    @cached_property
    def story(self) -> Story:
        """The story that the branch belongs to."""
        return self._store.library.story_of(self._branch)

    @cached_property
    def outline(self) -> Outline | None:
        """The outline that was accepted last, if any."""
        return self._store.outlines.accepted(self._branch)

    def endpoint(self, agent: str) -> Endpoint:
        """Return the endpoint that an agent uses, unless one is asked in place of any."""
        if self.asked is not None:
            return self.asked
        if agent not in self._endpoints:
            self._endpoints[agent] = self._gateway.endpoint(agent)
        return self._endpoints[agent]


@dataclass(frozen=True)
class StoryContext:
    """The runtime context of a run: everything that a node needs besides the state.

    `run` is empty for work beside runs, in which an agent that is asked for less is so for its duration.
    """

    store: Store
    gateway: Gateway
    progress: LiveProgress
    stop: threading.Event
    branch: str
    run: str
    budget: Budget | None = None
    _of_step: _StepReads | None = None
    _shared: dict[type, object] = field(default_factory=dict)
    _sharing: threading.Lock = field(default_factory=threading.Lock)

    def at_step(self) -> StoryContext:
        """Return the context for one step of the run: what the writer may change is read once in it."""
        return replace(self, _of_step=_StepReads(self.store, self.gateway, self.branch))

    def asking(self, endpoint: Endpoint) -> StoryContext:
        """Return the context in which one endpoint is asked for objects, whatever the agents use."""
        return replace(self, _of_step=_StepReads(self.store, self.gateway, self.branch, endpoint))

    @property
    def _reads(self) -> _StepReads:
        """What the step has read; outside of a step, nothing yet."""
        return self._of_step or _StepReads(self.store, self.gateway, self.branch)

    @property
    def story(self) -> Story:
        """The story that the branch belongs to: as it is now, or was when the step first read it."""
        return self._reads.story

    @property
    def settings(self) -> StorySettings:
        """The story's settings; a change during a run takes effect at its next step."""
        return self.story.settings

    @property
    def brief(self) -> Brief:
        """What the writer asked for."""
        return self.story.brief

    @property
    def language(self) -> str:
        """The language to write in, as worded in a prompt."""
        return self.brief.language or "the language of the premise"

    @property
    def unit(self) -> Unit:
        """What the length of a text counts, as worded in a prompt."""
        return self.brief.unit

    def asks(self, gate: Gate, state: StoryState) -> bool:
        """Return whether a gate waits for the writer in this run."""
        if gate is Gate.CANDIDATES and state.get("task") == "choose":
            return True
        return not state.get("is_autopilot", False) and self.settings.asks(gate)

    def snapshot(self, chapter: int | None = None) -> Snapshot:
        """Return the prototype at the end of a chapter, or as it is now."""
        return self.store.prototype.snapshot(self.branch, chapter)

    @property
    def configuration(self) -> Configuration:
        """The configuration that is being drafted.

        Raises:
            WorkbenchError: if there is none.
        """
        configuration = self.store.proposals.configuration(self.branch)
        if configuration is None:
            raise WorkbenchError("The draft of the cast no longer exists. Draft the cast again.")
        return configuration

    def plan(self, chapter: int) -> WritingPlan:
        """Return the newest writing plan of a chapter.

        Raises:
            WorkbenchError: if there is none.
        """
        plan = self.store.manuscript.plan(self.branch, chapter)
        if plan is None:
            raise WorkbenchError(
                f"The writing plan for chapter {chapter} no longer exists. Write the chapter again."
            )
        return plan

    @property
    def outline(self) -> Outline | None:
        """The outline that the story follows; None if it has none, or ignores it."""
        if self.settings.outline_use is OutlineUse.IGNORE:
            return None
        return self._reads.outline

    def decision(self, state: StoryState) -> Decision | None:
        """Return what the writer decided when asking again; None if they did not."""
        question = state.get("asked_by", "")
        return self.store.runs.decision(question) if question else None

    def note(self, state: StoryState) -> str:
        """Return the writer's note when asking again, or an empty text."""
        decision = self.decision(state)
        return decision.note if decision else ""

    def once(self, kind: type[S], make: Callable[[], S]) -> S:
        """Return the object of a kind that all nodes of this run share, making it on first use."""
        with self._sharing:
            made = self._shared.get(kind)
            if not isinstance(made, kind):
                made = self._shared[kind] = make()
            return made

    def window(self, agent: Agent) -> int:
        """Return the context window, in tokens, of an agent's model."""
        return self._reads.endpoint(agent.name).context_window

    def memory_budget(self, agent: Agent, share: float, lines: int) -> PromptBudget:
        """Return how much of the story's past an agent's prompt may hold: a share of its window."""
        return PromptBudget(min(int(self.window(agent) * share), _LARGEST_MEMORY), lines)

    def variables_of(self, job: Job) -> Variables:
        """Return all variables of a call's prompt; language and unit are the story's unless given."""
        if "language" in job.variables:
            return job.variables
        return {"language": self.language, "unit": self.unit, **job.variables}

    def ask(self, job: Job, schema: AnswerSchema[T]) -> T:
        """Ask an agent for an answer of a given form.

        Raises:
            ModelError: if the endpoint fails, or no usable answer comes within the bound.
            RunStopped: if the run was asked to stop.
        """
        return self._ask(job, schema, self.strength(job.agent))

    def ask_in_form(self, job: Job, forms: AnswerForms[T]) -> T:
        """Ask an agent for the whole of an answer or, if its model is small, for a part of it.

        A model that is said to be able, and gives no usable whole, is asked for the part from then
        on, also when the run is resumed, and a note of the run says so.

        Raises:
            ModelError: if the endpoint fails, or no usable answer comes within the bound.
            RunStopped: if the run was asked to stop.
        """
        whole = self.ask_whole(job, forms.whole)
        if whole is not None:
            return whole
        return forms.widened(self._ask(job, forms.part, ModelStrength.SMALL))

    def ask_whole(self, job: Job, schema: AnswerSchema[T]) -> T | None:
        """Ask an agent for what only an able model can give; return None if its model cannot.

        Raises:
            ModelError: if the endpoint fails.
            RunStopped: if the run was asked to stop.
        """
        try:
            return self.ask_whole_or_fail(job, schema)
        except UnusableAnswer:
            return None

    def ask_whole_or_fail(self, job: Job, schema: AnswerSchema[T]) -> T | None:
        """Ask as `ask_whole` does, for whoever can use a part of an answer that is unusable.

        Raises:
            UnusableAnswer: if the agent has just given none that can be used as a whole; from now
                on, it is asked for less.
            ModelError: if the endpoint fails.
            RunStopped: if the run was asked to stop.
        """
        try:
            return self.ask_one_of_many(job, schema)
        except UnusableAnswer:
            self.ask_for_less(job.agent)
            raise

    def ask_one_of_many(self, job: Job, schema: AnswerSchema[T]) -> T | None:
        """Ask as `ask_whole` does, for whoever weighs many answers and can do without one.

        Raises:
            UnusableAnswer: if this one cannot be used; the agent is still asked for the others.
            ModelError: if the endpoint fails.
            RunStopped: if the run was asked to stop.
        """
        if self.strength(job.agent, job.step) is ModelStrength.SMALL:
            return None
        if self._step_down(job.agent) is not None:
            # A run that is resumed comes by what it was answered before the agent was asked for less.
            return self.answered_whole(job, schema)
        return self._ask(job, schema, ModelStrength.ABLE)

    def answered_whole(self, job: Job, schema: AnswerSchema[T]) -> T | None:
        """Return what an agent has answered to a call for a whole answer; None if nothing that can be used."""
        return self.gateway.finished(self._request(job, ModelStrength.ABLE), schema)

    def ask_if_usable(self, job: Job, schema: AnswerSchema[T]) -> T | None:
        """Ask an agent whose answer is optional; return None if none is usable.

        Raises:
            ModelError: if the endpoint fails.
            RunStopped: if the run was asked to stop.
        """
        try:
            return self.ask(job, schema)
        except UnusableAnswer:
            return None

    def write_text(self, job: Job) -> str:
        """Ask an agent for text, shown as it streams.

        Raises:
            ModelError: if the endpoint fails, or no text comes within the bound.
            RunStopped: if the run was asked to stop.
        """
        with self.progress.at_work(job.step, job.agent.name, job.words):
            request = self._request(job, self.strength(job.agent))
            return self.gateway.text(request, lambda text: self.progress.show_text(job.step, text))

    def strength(self, agent: Agent, step: str = "") -> ModelStrength:
        """Return how much an agent's model is asked for at once.

        For a step that this run had begun before the agent was asked for less, it is as much as it
        was then: a resumed run then asks what it asked before, which the ledger can answer.
        """
        if self._reads.endpoint(agent.name).strength is ModelStrength.SMALL:
            return ModelStrength.SMALL
        known = self._step_down(agent)
        if known is None or (step and self._had_begun(step, known.since)):
            return ModelStrength.ABLE
        return ModelStrength.SMALL

    def scope(self, step: str) -> CallScope:
        """Return where a call of this run belongs, by the step that names it."""
        return CallScope(
            branch=self.branch,
            run=self.run or None,
            step=step,
            stop=self.stop,
            budget=self.budget,
            on_trouble=lambda words: self.progress.show_trouble(step, words),
        )

    def prompt(self, agent: Agent) -> Prompt:
        """Return an agent's prompt for its model."""
        return agent.prompt(self.strength(agent))

    def _step_down(self, agent: Agent) -> StepDown | None:
        """Return since when an agent is asked for less; None if it is not, or has another model."""
        model = self._reads.endpoint(agent.name).model
        return self.once(_StepDowns, self._read_step_downs).get((agent.name, model))

    def _had_begun(self, step: str, by: datetime) -> bool:
        return self.store.calls.has_begun(self.branch, self.run, step, by)

    def _read_step_downs(self) -> _StepDowns:
        kept = self.store.runs.run(self.run).step_downs if self.run else ()
        return _StepDowns({(one.agent, one.model): one for one in kept})

    def ask_for_less(self, agent: Agent) -> None:
        """Ask an agent for less at a time for the rest of this run, as a small model is."""
        model = self._reads.endpoint(agent.name).model
        known = self.once(_StepDowns, self._read_step_downs)
        if not self.run:
            known[agent.name, model] = StepDown(
                agent=agent.name, model=model, since=datetime.now(UTC)
            )
            return
        known[agent.name, model] = self.store.runs.step_down(self.run, agent.name, model)
        self.store.runs.add_note(self.run, _asked_for_less(agent))

    def _ask(self, job: Job, schema: AnswerSchema[T], strength: ModelStrength) -> T:
        """Ask with the prompt that the schema belongs to, whatever another call has found meanwhile."""
        with self.progress.at_work(job.step, job.agent.name, job.words):
            return self.gateway.structured(self._request(job, strength), schema, self._shown(job))

    def _shown(self, job: Job) -> Callable[[str], None] | None:
        """Return what shows a text of an answer as it streams; None if none is to be seen."""
        if not job.shows:
            return None
        return lambda streamed: self.progress.show_text(job.step, text_so_far(streamed, job.shows))

    def _request(self, job: Job, strength: ModelStrength) -> Request:
        prompt, variables = job.agent.prompt(strength), self.variables_of(job)
        messages = prompt.messages(variables, job.turn)
        return Request(
            agent=job.agent.name,
            messages=messages,
            scope=self.scope(job.step),
            max_tokens=job.tokens or prompt.max_tokens,
            temperature=prompt.temperature,
            enough=job.enough,
            forbidden=prompt.forbidden(job.turn),
            words=job.words,
            endpoint=self._reads.asked,
            sources=sources_of(job.agent, messages, variables, prompt.variables),
        )


def _asked_for_less(agent: Agent) -> str:
    return (
        f"{agent.label}: the model gave no full answer that could be used, so it is asked for less "
        "at a time, as a small model is."
    )
