"""What an experiment keeps: the stories to be made, how each came out, and its scores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from graph_flow.command_line.experiments.plan import Plan, Premise, Seed, Way, slug
from store.models.base import Line, dump_json
from store.models.endpoint import Endpoint, ModelStrength
from store.models.form import Form
from store.models.run import Caps

StoryName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]+$", max_length=200)]
"""A story of an experiment: premise, way, model and seed, with dots between them."""


class Kept(BaseModel):
    """A value that is kept among the results; what a later version adds is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class StoryTask(Kept):
    """A story that is to be made, without the texts that it shares with others."""

    name: StoryName
    premise: str
    way: Way
    model: str
    seed: Seed
    fingerprint: str
    """The SHA-256 of all that the story is made from; what it may use does not count."""


class Making(Kept):
    """What all stories of an experiment have in common."""

    chapters: int
    words: int | None
    form: Form
    language: str
    wishes: str
    goals: int
    roles: int
    is_written: bool

    @classmethod
    def of(cls, plan: Plan) -> Making:
        """Return what a plan says of all its stories."""
        return cls(
            chapters=plan.chapters,
            words=plan.words,
            form=plan.form,
            language=plan.language,
            wishes=plan.wishes,
            goals=plan.goals,
            roles=plan.roles,
            is_written=plan.write,
        )


class Experiment(Kept):
    """All that a worker has to know: it is given no more than the name of a story."""

    version: str
    making: Making
    premises: Mapping[str, str]
    models: Mapping[str, Endpoint]
    stories: tuple[StoryTask, ...]
    share: Caps = Caps()
    beat: float = 5.0

    def story(self, name: str) -> StoryTask | None:
        """Return the story of a name."""
        return next((one for one in self.stories if one.name == name), None)


class StoryScores(Kept):
    """What a judge gave a story: where an evaluation hands in its scores, from 0 to 10 or as they are.

    `judge` says who judged, and what that judge is worth.
    """

    judge: Line = ""
    s_q: float | None = None
    s_l: float | None = None
    qls: float | None = None
    indicators: Mapping[str, float] = {}


class StoryReport(Kept):
    """A story that is done. `library` is where its library is among the results.

    `seconds` are those of the worker that finished it; `model_seconds` those that its calls took, one
    after the other. `calls_repeated` had been answered and paid for, and were lost with a worker.
    """

    story: StoryTask
    version: str
    library: str
    chapters: int
    words: int
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    seconds: float
    model_seconds: float
    calls_repeated: int = 0
    workers: int = 1
    """How many workers have worked on it, one after the other."""
    hashes: tuple[str, ...] = ()
    """Those of its chapters."""
    measures: Mapping[str, float] = {}
    scores: StoryScores | None = None


class Outcome(StrEnum):
    """How a worker left a story."""

    DONE = "done"
    BUSY = "busy"
    STOPPED = "stopped"
    FAILED = "failed"
    DIED = "died"
    REFUSED = "refused"


class Ended(Kept):
    """How a worker left a story, with a sentence about it."""

    story: StoryName
    outcome: Outcome
    message: Annotated[str, Field(max_length=4_000)] = ""
    worker: str = ""


def stories_of(
    plan: Plan, premises: Sequence[Premise], models: Sequence[Endpoint]
) -> tuple[StoryTask, ...]:
    """Return the stories of a plan; those of one premise and seed stand together."""
    return tuple(_stories(Making.of(plan), plan, premises, models))


def _stories(
    making: Making, plan: Plan, premises: Sequence[Premise], models: Sequence[Endpoint]
) -> Iterator[StoryTask]:
    for seed in plan.seeds:
        for premise in premises:
            for model in models:
                for way in plan.ways:
                    name = f"{premise.name}.{way}.{slug(model.name)}.{seed}"
                    made_from = [making.model_dump(mode="json"), premise.text, str(way), seed]
                    made_by = [model.base_url, model.model, ModelStrength(model.strength)]
                    content = dump_json([*made_from, *map(str, made_by)])
                    yield StoryTask(
                        name=name,
                        premise=premise.name,
                        way=way,
                        model=slug(model.name),
                        seed=seed,
                        fingerprint=hashlib.sha256(content.encode()).hexdigest(),
                    )
