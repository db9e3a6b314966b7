"""Small experiments for tests: a plan, its results in a folder, and a model that answers at once."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graph_flow.command_line.experiments.plan import Plan, Premise
from graph_flow.command_line.experiments.records import Experiment, Making, stories_of
from graph_flow.command_line.experiments.shared.results import PLAN, Results
from graph_flow.command_line.experiments.version import this_version
from store.models.endpoint import Endpoint, ModelStrength
from tests.desk import PREMISE
from tests.fakes.scripted_server import Sent

LONG_AGO = 1_000_000_000
BEAT = 0.1
RELAYS = 2
"""Relays of a chapter, one for each goal, and so the calls that one story makes at once."""


def endpoint(url: str, **changes: object) -> Endpoint:
    """Return the scripted model, by default a small one."""
    given: dict[str, object] = {
        "name": "scripted",
        "base_url": url,
        "model": "scripted",
        "strength": ModelStrength.SMALL,
        "price_in": 1.0,
    }
    return Endpoint.model_validate(given | changes)


def plan_of(**changes: object) -> Plan:
    """Return a plan of one story of one written chapter, unless it is to be another."""
    given: dict[str, object] = {
        "premises": ["lamp.txt"],
        "chapters": 1,
        "words": 150,
        "goals": RELAYS,
        "roles": 2,
        "beat": BEAT,
    }
    return Plan.model_validate(given | changes)


def begun(
    place: Path,
    url: str,
    *,
    version: str | None = None,
    strength: ModelStrength = ModelStrength.SMALL,
    **changes: object,
) -> Experiment:
    """Begin an experiment whose results are in a folder, and return it."""
    plan = plan_of(**changes)
    models = [endpoint(url, strength=strength)]
    experiment = Experiment(
        version=version or this_version(),
        making=Making.of(plan),
        premises={"lamp": PREMISE},
        models={"scripted": models[0]},
        stories=stories_of(plan, [Premise(name="lamp", text=PREMISE)], models),
        share=plan.limits.share(1),
        beat=plan.beat,
    )
    Results.open(str(place)).put(PLAN, experiment.model_dump_json().encode())
    return experiment


def as_left_by_the_dead(results: Path, copy: Path) -> Path:
    """Copy results as they are at this moment, with every claim in them long silent."""
    shutil.copytree(results, copy, ignore=shutil.ignore_patterns("*#*"))
    silence_all(copy)
    return copy


def silence_all(results: Path) -> None:
    """Let it be long since anything was heard of all claims."""
    for folder in ("claims", "slots"):
        for path in (results / folder).rglob("*"):
            if path.is_file():
                os.utime(path, (LONG_AGO, LONG_AGO))


def made_again(before: Sequence[Sent], after: Sequence[Sent]) -> list[str]:
    """Return the prompts that were sent after something happened and had been sent before."""
    left = Counter(sent.prompt for sent in before)
    again = []
    for sent in after:
        if left[sent.prompt] > 0:
            left[sent.prompt] -= 1
            again.append(sent.prompt)
    return again


def write_plan(folder: Path, url: str, **changes: Any) -> Path:
    """Write a plan of small stories, and its premise, into a folder; return the plan's path."""
    given: dict[str, object] = {
        "premises": ["lamp.txt"],
        "chapters": 1,
        "words": 150,
        "goals": 2,
        "roles": 2,
        "beat": 0.3,
    }
    limits = changes.pop("limits", {})
    lines = [f"{name} = {json.dumps(value)}" for name, value in (given | changes).items()]
    lines += [f"limits.{name} = {value}" for name, value in dict(limits).items()]
    model = endpoint(url).model_dump(mode="json", exclude_none=True)
    lines += ["[[models]]", *(f"{name} = {json.dumps(value)}" for name, value in model.items())]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lamp.txt").write_text(PREMISE, encoding="utf-8")
    plan = folder / "plan.toml"
    plan.write_text("\n".join(lines), encoding="utf-8")
    return plan
