"""The plan of an experiment, read from a TOML file: premises × ways × models × seeds."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, StringConstraints, ValidationError, model_validator

from graph_flow.command_line.experiments.errors import PlanUnusable
from store.models.base import Line, Passage, Record
from store.models.endpoint import Endpoint
from store.models.form import DEFAULT_FORM, Form
from store.models.run import Caps
from store.models.story import LEAST_WORDS, MOST_CHAPTERS, MOST_WORDS, PREMISE_LIMIT

MOST_STORIES = 100_000
LEAST_BEAT = 0.1
_NAME_LENGTH = 40
_TABLE = re.compile(r"^\s*(\[{1,2})\s*([\w.\-\" ]+?)\s*\]{1,2}\s*(#.*)?$")


class Way(StrEnum):
    """A way of making a story: the whole method, parts of it left out, or none of it (CreAgentive,
    ablations; the outline first is StoryWriter's).
    """

    FULL = "full"
    WITHOUT_SKETCHES = "without-sketches"
    WITHOUT_GOALS = "without-goals"
    WITHOUT_PLOTWEAVE = "without-plotweave"
    WITHOUT_RECALL = "without-recall-and-thread"
    OUTLINE_FIRST = "outline-first"
    DIRECT = "direct"


Seed = Annotated[int, Field(ge=0, lt=2**31)]


class Limits(Record):
    """What all stories of an experiment may use together; None: no limit.

    Each may use an equal share, so that no story takes from another, and nobody has to count for all.
    """

    calls: Annotated[int, Field(ge=1)] | None = None
    tokens: Annotated[int, Field(ge=1)] | None = None
    cost: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None

    def share(self, stories: int) -> Caps:
        """Return what one of so many stories may use."""
        return Caps(
            calls=self.calls and max(1, self.calls // stories),
            tokens=self.tokens and max(1, self.tokens // stories),
            cost=self.cost and self.cost / stories,
        )


class Plan(Record):
    """What an experiment consists of; `premises` are text files, named relative to the plan.

    `models` without entries: the model that the environment names, or the embedded one. The
    `concurrency` of a model counts for the whole experiment, however many workers there are. `beat`
    is how often a worker says that it is alive, in seconds.
    """

    model_config = ConfigDict(hide_input_in_errors=True)  # a key may have been typed for a name

    premises: Annotated[tuple[Line, ...], Field(min_length=1)]
    chapters: Annotated[int, Field(ge=1, le=MOST_CHAPTERS)]
    ways: Annotated[tuple[Way, ...], Field(min_length=1)] = (Way.FULL,)
    seeds: Annotated[tuple[Seed, ...], Field(min_length=1)] = (1,)
    models: tuple[Endpoint, ...] = ()
    words: Annotated[int, Field(ge=LEAST_WORDS, le=MOST_WORDS)] | None = None
    form: Form = DEFAULT_FORM
    language: Line = ""
    wishes: Passage = ""
    goals: Annotated[int, Field(ge=2, le=5)] = 3
    roles: Annotated[int, Field(ge=1, le=8)] = 3
    write: bool = True
    """Whether the chapters are written, or plotted only."""
    workers: Annotated[int, Field(ge=1, le=256)] | None = None
    beat: Annotated[float, Field(ge=LEAST_BEAT, le=60)] = 5.0
    limits: Limits = Limits()

    @model_validator(mode="after")
    def _names_nothing_twice(self) -> Self:
        named = {
            "premises": [slug(Path(one).stem) for one in self.premises],
            "ways": [str(one) for one in self.ways],
            "seeds": [str(one) for one in self.seeds],
            "models": [slug(one.name) for one in self.models],
        }
        for field, names in named.items():
            twice = next((name for name, count in Counter(names).items() if count > 1), None)
            if twice is not None:
                raise ValueError(f"{field} has “{twice}” twice")
        if Way.DIRECT in self.ways and not self.write:
            raise ValueError("a direct story has no plot, so write = false leaves nothing of it")
        return self


class Premise(Record):
    """A premise and the name by which the results call it."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+$")]
    text: Annotated[str, StringConstraints(max_length=PREMISE_LIMIT)]


def read_plan(path: Path) -> tuple[Plan, tuple[Premise, ...]]:
    """Return a plan and its premises.

    Raises:
        PlanUnusable: if something in it is wrong; the message says what, and in which line.
    """
    text = _read(path)
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanUnusable(f"{path.name} is not TOML: {error}.") from None
    try:
        plan = Plan.model_validate(found)
    except ValidationError as error:
        raise PlanUnusable("\n".join(_said(path.name, text, error))) from None
    premises = tuple(_premise(path, one) for one in plan.premises)
    count = len(premises) * len(plan.ways) * max(1, len(plan.models)) * len(plan.seeds)
    if count > MOST_STORIES:
        raise PlanUnusable(
            f"{path.name} asks for {count:,} stories; one experiment can have {MOST_STORIES:,}."
        )
    return plan, premises


def slug(name: str) -> str:
    """Return a name as part of a file's name: lower case, without anything but letters and digits."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    return plain[:_NAME_LENGTH].strip("-") or "x"


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise PlanUnusable(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise PlanUnusable(f"{path} is not text in UTF-8.") from None


def _premise(plan: Path, name: str) -> Premise:
    path = plan.parent / name
    text = _read(path).strip()
    if not text:
        raise PlanUnusable(f"{path} is empty: a premise says what the story is about.")
    if len(text) > PREMISE_LIMIT:
        raise PlanUnusable(
            f"{path} has {len(text):,} characters; a premise can have {PREMISE_LIMIT:,}."
        )
    return Premise(name=slug(Path(name).stem), text=text)


def _said(name: str, text: str, error: ValidationError) -> Iterator[str]:
    """Yield what is wrong, each with the line and the key; no value is repeated, lest it be a secret."""
    for problem in error.errors(include_input=False, include_url=False, include_context=False):
        where = [one for one in problem["loc"] if one != "function-after"]
        line = line_of(text, where)
        key = ".".join(map(str, where))
        place = f"{name}, line {line}: " if line else f"{name}: "
        yield f"{place}{key + ': ' if key else ''}{_in_words(problem)}."


def _in_words(problem: Any) -> str:
    words = {
        "extra_forbidden": "there is no such setting",
        "missing": "this is missing",
    }
    said = str(problem["msg"]).removeprefix("Value error, ")
    return words.get(str(problem["type"]), said).rstrip(".")


def line_of(text: str, where: Sequence[int | str]) -> int:
    """Return the line, from 1, in which a key of a TOML file stands; 0 if that is not to be seen."""
    names = [one for one in where if isinstance(one, str)]
    number = next((one for one in where if isinstance(one, int)), 0)
    best, table, entry = 0, "", -1
    entries: dict[str, int] = {}
    for line, content in enumerate(text.splitlines(), 1):
        header = _TABLE.match(content)
        if header is not None:
            table = header[2].strip('" ')
            entries[table] = entry = entries.get(table, -1) + 1
            if names[:1] == [table] and entry == number:
                best = line
            continue
        key = content.split("=")[0].strip().strip('"')
        if "=" in content and _is_it(names, table, key) and (not table or entry == number):
            return line
    return best


def _is_it(names: Sequence[str], table: str, key: str) -> bool:
    wanted = [table, key] if table else [key]
    return bool(names) and list(names[: len(wanted)]) == wanted
