"""`tellwright experiment PLAN.toml`: say what it will take, ask, make the stories, and compare them.

It is safe to run again: what is done is not done again, and what was paid for is not paid for again.

Exit codes: 0 all stories are done, or only an estimate was wanted; 2 the plan or the command is wrong, the
results are another experiment's, or the answer was no; 3 some stories could not be finished, or the
results could not be written: run it again to go on; 130 interrupted (likewise).
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from pydantic import BaseModel
from tqdm import tqdm

from graph_flow.command_line.ending import DONE, FAILED, INTERRUPTED, WRONG_USE, say
from graph_flow.command_line.experiments.driving import Driven, Driving, Workers
from graph_flow.command_line.experiments.errors import ExperimentError, PlanUnusable
from graph_flow.command_line.experiments.estimating import Estimate, estimate
from graph_flow.command_line.experiments.plan import Plan, Premise, read_plan, slug
from graph_flow.command_line.experiments.processes import Processes
from graph_flow.command_line.experiments.records import (
    Experiment,
    Making,
    StoryReport,
    stories_of,
)
from graph_flow.command_line.experiments.shared.results import HALT, PLAN, Results
from graph_flow.command_line.experiments.table import Table, table_of
from graph_flow.command_line.experiments.version import this_version
from graph_flow.errors import WorkbenchError
from graph_flow.llm.transport.endpoints import embedded_endpoint
from graph_flow.llm.transport.offer import OwnModels

_YES = frozenset({"y", "yes"})


class ExperimentReport(BaseModel):
    """The last line of `tellwright experiment --json`; sums are over the stories that are done."""

    results: str
    status: str
    stories: int
    done: int
    failed: int
    chapters: int
    words: int
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    calls_repeated: int
    seconds: float


class _Asked(NamedTuple):
    """What the command was asked to do."""

    plan: Path
    out: str
    workers: int | None
    scheduler: str
    is_estimate: bool
    is_yes: bool
    is_json: bool


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    asked = _read(arguments)
    began = time.monotonic()
    try:
        plan, premises = read_plan(asked.plan)
        results = Results.open(asked.out)
        experiment = _experiment(plan, premises, results)
        done = results.done()
        missing = [one for one in experiment.stories if one.name not in done]
        expected = estimate(experiment, missing)
    except (ExperimentError, WorkbenchError) as problem:
        say(str(problem))
        return WRONG_USE
    _announce(experiment, expected, plan, results)
    if asked.is_estimate:
        return _printed(asked, expected)
    if missing and not (asked.is_yes or _agreed()):
        return WRONG_USE
    return _carry_out(asked, plan, results, experiment, began)


def _read(arguments: Sequence[str]) -> _Asked:
    parser = argparse.ArgumentParser(prog="tellwright experiment", description=__doc__)
    parser.add_argument("command", choices=["experiment"], help=argparse.SUPPRESS)
    parser.add_argument("plan", type=Path, metavar="PLAN.toml", help="what is to be compared")
    parser.add_argument(
        "--out", help="a folder or a bucket (s3://…) for the results; else beside the plan"
    )
    parser.add_argument("--workers", type=int, help="how many stories at once on this machine")
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="a Dask scheduler, for other machines"
    )
    parser.add_argument("--estimate", action="store_true", help="only say what it will take")
    parser.add_argument("--yes", action="store_true", help="begin without asking")
    parser.add_argument("--json", action="store_true", help="print a report as the last line")
    given = parser.parse_args(arguments)
    if given.workers is not None and given.workers < 1:
        parser.error("--workers takes a whole number of 1 or more.")
    return _Asked(
        plan=given.plan,
        out=given.out or str(given.plan.with_name(f"{given.plan.stem}-results")),
        workers=given.workers,
        scheduler=given.scheduler,
        is_estimate=given.estimate,
        is_yes=given.yes,
        is_json=given.json,
    )


def _experiment(plan: Plan, premises: Sequence[Premise], results: Results) -> Experiment:
    """Return the experiment of a plan, together with what the results have already.

    Raises:
        PlanUnusable: if the results are those of something else.
    """
    models = plan.models or (OwnModels(os.environ.get).usual() or embedded_endpoint(),)
    stories = stories_of(plan, premises, models)
    experiment = Experiment(
        version=this_version(),
        making=Making.of(plan),
        premises={one.name: one.text for one in premises},
        models={slug(one.name): one for one in models},
        stories=stories,
        share=plan.limits.share(len(stories)),
        beat=plan.beat,
    )
    before = results.experiment()
    if before is not None:
        _check_same(before, experiment, results.place)
    return experiment


def _check_same(before: Experiment, now: Experiment, place: str) -> None:
    """Check that results are those of this experiment, which may have more stories by now.

    Raises:
        PlanUnusable: if they are not.
    """
    if before.version != now.version:
        raise PlanUnusable(
            f"{place} was begun with Tellwright {before.version}, and this is {now.version}. Stories "
            "of two versions cannot be compared: go on with that version, or give another --out."
        )
    made = {one.name: one.fingerprint for one in before.stories}
    other = [
        one.name for one in now.stories if made.get(one.name, one.fingerprint) != one.fingerprint
    ]
    if other:
        raise PlanUnusable(
            f"{place} has a story {other[0]} that is made otherwise: another premise, model or length. "
            "Give another --out, or call the premise or the model otherwise."
        )


def _announce(experiment: Experiment, expected: Estimate, plan: Plan, results: Results) -> None:
    whole = len(experiment.stories)
    say(
        f"{whole} stories of {plan.chapters} chapters: {len(plan.premises)} premises × "
        f"{len(plan.ways)} ways × {len(experiment.models)} models × {len(plan.seeds)} seeds."
    )
    say(f"Results: {results.place}. {whole - expected.stories} are done.")
    tokens = expected.tokens_in + expected.tokens_out
    cost = f", {expected.cost:,.2f} at your prices" if expected.is_priced else ""
    say(f"Roughly {expected.calls:,} calls and {tokens:,} tokens{cost}.")
    share = experiment.share
    pairs = (
        ("calls", share.calls, expected.most_calls),
        ("tokens", share.tokens, expected.most_tokens),
        ("cost", share.cost, expected.most_cost),
    )
    for name, allowed, likely in pairs:
        if allowed is not None:
            short = f", and one may need about {likely:,.6g}" if likely > allowed else ""
            say(f"Limit on {name}: {allowed:,.6g} for each story{short}.")


def _printed(asked: _Asked, expected: Estimate) -> int:
    if asked.is_json:
        sys.stdout.write(f"{expected.model_dump_json()}\n")
    return DONE


def _agreed() -> bool:
    if not sys.stdin.isatty():
        say("Nothing was begun: add --yes to begin without being asked.")
        return False
    sys.stderr.write("Begin? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in _YES


def _carry_out(
    asked: _Asked, plan: Plan, results: Results, experiment: Experiment, began: float
) -> int:
    driven, status, code = Driven(), "done", DONE
    try:
        results.put(PLAN, _merged(results, experiment).model_dump_json().encode())
        results.remove(HALT)
        code = _drive(asked, plan, results, experiment, driven)
    except ExperimentError as problem:
        say(str(problem))
        code = FAILED
    except KeyboardInterrupt:
        say("Interrupted. Run the same command again to go on.")
        status, code = "interrupted", INTERRUPTED
    status = "failed" if code == FAILED else status
    for story, why in driven.failed.items():
        say(f"{story}: {why}")
    return _finish(asked, results, experiment, (status, code, driven, began))


def _merged(results: Results, experiment: Experiment) -> Experiment:
    """Return an experiment with the stories that only an earlier plan had: they stay what they are."""
    before = results.experiment()
    if before is None:
        return experiment
    now = {one.name for one in experiment.stories}
    others = [one for one in before.stories if one.name not in now]
    return experiment.model_copy(
        update={
            "premises": {**before.premises, **experiment.premises},
            "models": {**before.models, **experiment.models},
            "stories": (*experiment.stories, *others),
        }
    )


def _drive(
    asked: _Asked, plan: Plan, results: Results, experiment: Experiment, driven: Driven
) -> int:
    stories = [one.name for one in experiment.stories]
    driven.done |= results.done() & set(stories)
    missing = [one for one in stories if one not in driven.done]
    if not missing:
        return DONE
    workers = _workers(asked, plan, results, len(missing))
    # The table at the end needs it, and it takes a second or more to import.
    threading.Thread(target=importlib.import_module, args=("scipy.stats",)).start()
    try:
        with tqdm(
            total=len(stories), initial=len(driven.done), unit="story", disable=not _is_terminal()
        ) as bar:
            Driving(workers, driven, experiment.beat).drive(missing, _Display(bar, driven).show)
    except BaseException:
        workers.stop()
        raise
    workers.close()
    return FAILED if driven.failed else DONE


def _workers(asked: _Asked, plan: Plan, results: Results, missing: int) -> Workers:
    if asked.scheduler:
        from graph_flow.command_line.experiments.cluster import Cluster

        return Cluster(results.place, asked.scheduler)
    return Processes(
        results.place, min(missing, asked.workers or plan.workers or os.cpu_count() or 1)
    )


class _Display:
    """Progress: a bar on a terminal; in a log, a line for each story that is done."""

    def __init__(self, bar: tqdm[NoReturn], driven: Driven) -> None:
        self._bar = bar
        self._seen = set(driven.done)
        self._noted = 0

    def show(self, driven: Driven) -> None:
        """Show how far it is."""
        say_it: Callable[[str], None] = self._bar.write if _is_terminal() else say
        for words in driven.notes[self._noted :]:
            say_it(words)
        self._noted = len(driven.notes)
        for story in sorted(driven.done - self._seen):
            self._bar.update(1)
            if not _is_terminal():
                say(f"{story} is done.")
        self._seen = set(driven.done)
        if driven.failed:
            self._bar.set_postfix_str(f"{len(driven.failed)} failed")


def _is_terminal() -> bool:
    return sys.stderr.isatty()


def _finish(
    asked: _Asked,
    results: Results,
    experiment: Experiment,
    end: tuple[str, int, Driven, float],
) -> int:
    """Write the table of what is done, and the last line."""
    status, code, driven, began = end
    try:
        found = (results.report(one.name) for one in experiment.stories)
        reports = [one for one in found if one is not None]
        if reports:
            _write_table(results, table_of(reports))
    except ExperimentError as problem:
        say(str(problem))
        reports, code = [], FAILED
    if asked.is_json:
        report = _report(results, experiment, reports)
        told = {"status": status, "failed": len(driven.failed)}
        seconds = {"seconds": round(time.monotonic() - began, 3)}
        sys.stdout.write(report.model_copy(update=told | seconds).model_dump_json() + "\n")
    return code


def _write_table(results: Results, table: Table) -> None:
    files = {
        "table.md": table.as_markdown(),
        "table.csv": table.as_csv(),
        "table.json": table.model_dump_json(indent=1),
    }
    for name, content in files.items():
        results.put(name, content.encode())
    say(table.as_markdown())


def _report(
    results: Results, experiment: Experiment, reports: Sequence[StoryReport]
) -> ExperimentReport:
    return ExperimentReport(
        results=results.place,
        status="",
        stories=len(experiment.stories),
        done=len(reports),
        failed=0,
        chapters=sum(one.chapters for one in reports),
        words=sum(one.words for one in reports),
        calls=sum(one.calls for one in reports),
        tokens_in=sum(one.tokens_in for one in reports),
        tokens_out=sum(one.tokens_out for one in reports),
        cost=sum(one.cost for one in reports),
        calls_repeated=sum(one.calls_repeated for one in reports),
        seconds=0.0,
    )
