"""`tellwright compare`: say which of several texts is the better, two at a time and in both orders.

Exit codes: 0 done; 2 wrong usage, or there is no text; 3 the model failed or a limit was reached; 130
interrupted. After 3 and 130 the same command goes on, and nothing is asked again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from graph_flow.command_line.counting import Counted
from graph_flow.command_line.ending import DONE, FAILED, INTERRUPTED, WRONG_USE, say
from graph_flow.command_line.files import Impossible, files_at, story_named
from graph_flow.command_line.weighing import weigh_versions
from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from graph_flow.views import SideState
from store.errors import LibraryUnavailable, NotFound, StoreError
from store.formats.reading.files import read_files
from store.models.desk.pairs import PairTrial
from store.models.run import Caps

if TYPE_CHECKING:  # they take a second to import, and whoever asks for help need not wait
    from graph_flow.telling.evaluation.readers.agreement import PairJudge
    from graph_flow.workbench.beside.pairing import Contestant, Placed
    from graph_flow.workbench.workbench import Workbench

ABOUT: Mapping[str, str] = {"compare": "say which of several texts is the better"}
"""The command, with what it does."""

_LOOK_EVERY = 0.2
_MOST_PASSAGES = 12


class ComparedText(BaseModel):
    """A text among others: its strength in log-odds, 0 being the mean, with a 95 % interval if one is known."""

    text: str
    strength: float
    low: float | None
    high: float | None
    wins: int
    draws: int
    losses: int


class ComparisonReport(BaseModel):
    """The last line of `tellwright compare --json`: the strongest text first.

    `consistent` is the share of trials in which a judge chose the same in both orders; what was used is
    that of this run of the command.
    """

    texts: list[ComparedText]
    trials: int
    consistent: float
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float


def run(arguments: Sequence[str]) -> int:
    """Compare texts and return the exit code."""
    given = _read(arguments)
    from graph_flow.workbench.assembly import assemble

    try:
        with closing(assemble()) as workbench:
            return _run(workbench, given)
    except LibraryUnavailable as problem:
        say(str(problem))
        return FAILED
    except (WorkbenchError, StoreError, ModelError, Impossible) as problem:
        say(str(problem))
        return WRONG_USE


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tellwright")
    commands = parser.add_subparsers(dest="command", required=True)
    compare = commands.add_parser("compare", help=ABOUT["compare"])
    compare.add_argument(
        "texts",
        nargs="+",
        metavar="STORY-OR-FOLDER",
        help="two or more: a story by its id or title, or a file or folder with chapters",
    )
    compare.add_argument(
        "--judge",
        action="append",
        default=[],
        metavar="NAME",
        help="a model by its name in Settings; several can be given",
    )
    compare.add_argument(
        "--passages",
        type=int,
        default=4,
        choices=range(1, _MOST_PASSAGES + 1),
        metavar="N",
        help=f"passages by which two texts are compared, 1 to {_MOST_PASSAGES}; 4 if not given",
    )
    compare.add_argument(
        "--likelihood",
        action="store_true",
        help="of versions of one text: by how far the model that judges expects each paragraph where it stands",
    )
    compare.add_argument("--max-calls", type=int, help="limit on calls to the models")
    compare.add_argument("--json", action="store_true", help="print a report as the last line")
    given = parser.parse_args(arguments)
    if given.max_calls is not None and given.max_calls <= 0:
        compare.error("--max-calls takes a number of more than 0.")
    if given.likelihood and given.judge:
        compare.error("--likelihood goes by the model that judges chapters, and takes no --judge.")
    return given


def _run(workbench: Workbench, given: argparse.Namespace) -> int:
    from graph_flow.workbench.beside.pairing import place_of

    texts = [_text(workbench, one) for one in given.texts]
    if given.likelihood:
        return weigh_versions(workbench, texts, given)
    judges = workbench.pairs.judges(given.judge)
    place = place_of(texts)
    before = workbench.ledger.totals(branch=place)
    code = DONE
    try:
        workbench.pairs.begin(texts, judges, given.passages, Caps(calls=given.max_calls))
        code = _watch(workbench, texts, place, given.passages)
    except KeyboardInterrupt:
        workbench.pairs.stop(place)
        workbench.pairs.wait(place)
        code = INTERRUPTED
    if code != DONE:
        say("What was compared is kept. To continue, run the same command again.")
    trials = workbench.pairs.trials(texts, given.passages)
    if not trials:
        return code
    placed = workbench.pairs.standings(texts, given.passages)
    for one in placed:
        say(_line(one))
    for judge in workbench.pairs.judged_by(texts, given.passages):
        say(_judge_line(judge))
    if given.json:
        used = workbench.ledger.totals(branch=place)
        report = ComparisonReport(
            texts=[_compared(one) for one in placed],
            trials=len(trials),
            consistent=_consistent(trials),
            calls=used.calls - before.calls,
            tokens_in=used.tokens_in - before.tokens_in,
            tokens_out=used.tokens_out - before.tokens_out,
            cost=used.cost - before.cost,
        )
        sys.stdout.write(f"{report.model_dump_json()}\n")
    return code


def _text(workbench: Workbench, asked: str) -> Contestant:
    path = Path(asked)
    if path.exists():
        name = path.resolve().name if path.is_dir() else ""
        return workbench.pairs.of_book(read_files(files_at(path), name))
    try:
        story = story_named(workbench.library, asked)
    except NotFound:
        raise Impossible(
            f"There is no story “{asked}” in the library, and no file or folder of that name."
        ) from None
    return workbench.pairs.of_story(workbench.library.main_branch(story).id)


def _watch(workbench: Workbench, texts: Sequence[Contestant], place: str, passages: int) -> int:
    """Show how far it is until it ends; return the exit code."""
    pairs = workbench.pairs
    with closing(Counted("pair")) as display:
        while not pairs.wait(place, _LOOK_EVERY):
            seen = pairs.seen(place)
            words = (seen.trouble or seen.words) if seen else ""
            display.show(len(pairs.trials(texts, passages)), words)
    seen = pairs.seen(place)
    if seen is not None and seen.state is not SideState.DONE:
        say(seen.message)
        return FAILED
    return DONE


def _compared(one: Placed) -> ComparedText:
    standing = one.standing
    return ComparedText(
        text=one.name,
        strength=round(standing.strength, 4),
        low=None if standing.low is None else round(standing.low, 4),
        high=None if standing.high is None else round(standing.high, 4),
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
    )


def _consistent(trials: Sequence[PairTrial]) -> float:
    return round(sum(one.is_consistent for one in trials) / len(trials), 4)


def _judge_line(one: PairJudge) -> str:
    """Say how far a judge is to be relied on, beside what readers among one another come to."""
    parts = [f"{'Reader' if one.is_reader else 'Judge'} {one.judge}: {one.trials} trials"]
    if one.consistent is not None:
        parts.append(f"the same choice in both orders in {one.consistent:.0%}")
    if one.with_readers is not None:
        others = "the other readers" if one.is_reader else "readers"
        parts.append(f"the same text preferred as by {others} in {one.with_readers:.0%}")
    return f"{', '.join(parts)}."


def _line(one: Placed) -> str:
    found = one.standing
    known = (
        f" ({found.low:+.2f} to {found.high:+.2f})"
        if found.low is not None and found.high is not None
        else ""
    )
    counts = f"{found.wins} won, {found.draws} even, {found.losses} lost"
    return f"{found.strength:+.2f}{known}  {one.name}: {counts}"
