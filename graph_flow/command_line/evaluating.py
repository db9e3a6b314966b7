"""`tellwright evaluate`: say how good a text is, by a judge that goes on where it was interrupted.

Exit codes: 0 done; 2 wrong usage, or there is no text; 3 the model failed, a limit was reached or the disk
was full; 130 interrupted. After 3 and 130 the same command goes on, and nothing is asked again.
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
from graph_flow.command_line.reporting import check_reports, read_weights, write_reports
from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from graph_flow.views import SideState
from store.errors import LibraryUnavailable, NotFound, StoreError
from store.formats.reading.files import read_files
from store.formats.reading.parts import ReadBook
from store.models.desk.consistency import Standing
from store.models.desk.evaluation import (
    Evaluation,
    EvaluationResult,
    EvaluationSettings,
    JudgeName,
    LengthReading,
    QualityWeights,
)
from store.models.run import Caps, Totals
from store.models.story import Story

if TYPE_CHECKING:  # it takes a second to import, and whoever asks for help need not wait
    from graph_flow.telling.evaluation.consistency.results import Errors
    from graph_flow.workbench.workbench import Workbench

ABOUT: Mapping[str, str] = {"evaluate": "say how good a story, or any text in files, is"}
"""The command, with what it does."""

_NOT_TESTED = "The judge was not tested, so nobody knows what these scores are worth."
_WORTH_NOTHING = "The judge fails its test, so these scores are worth nothing."
_LOOK_EVERY = 0.2
"""Seconds between two looks at how far it is."""


class EvaluationReport(BaseModel):
    """The last line of `tellwright evaluate --json`.

    `errors_per_10k` are the contradictions that the judge could show, in 10,000 words; null if it was not asked
    for any. `chapters` counts those that are judged, and `judge` is what its card says; what was used is that of
    this run of the command.
    """

    s_q: float
    s_l: float
    qls: float
    errors_per_10k: float | None
    chapters: int
    judge: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float


class _Ended(Exception):
    """It ended early; the message says why."""


def run(arguments: Sequence[str]) -> int:
    """Evaluate a text and return the exit code."""
    given = _read(arguments)
    from graph_flow.workbench.assembly import assemble

    try:
        with closing(assemble()) as workbench:
            return _count(workbench, given) if given.counts else _run(workbench, given)
    except LibraryUnavailable as problem:
        say(str(problem))
        return FAILED
    except (WorkbenchError, StoreError, ModelError, Impossible) as problem:
        say(str(problem))
        return WRONG_USE


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tellwright")
    commands = parser.add_subparsers(dest="command", required=True)
    evaluate = commands.add_parser("evaluate", help=ABOUT["evaluate"])
    evaluate.add_argument(
        "text",
        metavar="STORY-OR-FOLDER",
        help="a story by its id or title, or a file or folder with chapters",
    )
    evaluate.add_argument(
        "--interval",
        type=int,
        choices=range(1, 101),
        default=EvaluationSettings().interval,
        metavar="N",
        help="chapters from one look at the whole to the next: 1 to 100, 10 if not given",
    )
    evaluate.add_argument(
        "--total-words",
        action="store_true",
        help="score the length by words in all, not by words per chapter",
    )
    limits = {"--max-calls": int, "--max-tokens": int, "--max-cost": float}
    for name, kind in limits.items():
        evaluate.add_argument(name, type=kind, help="a limit, as of tellwright run")
    evaluate.add_argument(
        "--skip-card",
        action="store_true",
        help="score without testing the judge first, if it was not tested yet",
    )
    evaluate.add_argument(
        "--skip-contradictions",
        action="store_true",
        help="do not look for contradictions: about one call a chapter fewer (a small model never does)",
    )
    weights = evaluate.add_mutually_exclusive_group()
    weights.add_argument(
        "--weights",
        metavar="CH=0.2,CR=0.2,…",
        help="what indicators count in the quality; those left out count as published",
    )
    weights.add_argument(
        "--fitted-to",
        metavar="READER",
        help="weights fitted to a reader's own ratings instead of the published ones",
    )
    evaluate.add_argument(
        "--counts",
        action="store_true",
        help="only count, without any model: repetition, worn-out phrases, open threads and the like",
    )
    evaluate.add_argument(
        "--report",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="write all of it as a file: .csv, .json or .md; several can be given",
    )
    evaluate.add_argument("--json", action="store_true", help="print a report as the last line")
    given = parser.parse_args(arguments)
    try:
        check_reports(given.report)
        given.weights = read_weights(given.weights) if given.weights else None
    except Impossible as problem:
        evaluate.error(str(problem))
    for name in ("max_calls", "max_tokens", "max_cost"):
        if (most := getattr(given, name)) is not None and most <= 0:
            evaluate.error(f"--{name.replace('_', '-')} takes a number of more than 0.")
    return given


def _count(workbench: Workbench, given: argparse.Namespace) -> int:
    """Count what can be counted without a model."""
    from graph_flow.telling.evaluation.reports import Report, as_markdown

    found = _text_of(workbench, given.text)
    if isinstance(found, ReadBook):
        name, text = found.title, workbench.counting.of_book(found)
    else:
        name, text = (
            found.title or "Untitled",
            workbench.counting.of_branch(_branch(workbench, found)),
        )
    if not text.chapters:
        raise WorkbenchError("There is no text to count in yet.")
    counted = workbench.counting.count(text)
    report = Report(name, counted)
    if not given.report and not given.json:
        sys.stdout.write(as_markdown(report))
    if given.json:
        sys.stdout.write(f"{counted.model_dump_json()}\n")
    return write_reports(given.report, report)


def _run(workbench: Workbench, given: argparse.Namespace) -> int:
    evaluation = _begun(workbench, given)
    before = _used(workbench, evaluation)
    code = DONE
    try:
        say(f"Judged by {evaluation.judge.model}.")
        if not given.skip_card:
            _test_judge(workbench, evaluation, _caps(given))
        wanted = not given.skip_contradictions
        if workbench.evaluation.is_open(evaluation, with_contradictions=wanted):
            used = _since(before, _used(workbench, evaluation))
            workbench.evaluation.begin(evaluation, _caps(given, used), with_contradictions=wanted)
            _watch(workbench, evaluation)
    except _Ended as problem:
        code = FAILED
        say(str(problem))
    except KeyboardInterrupt:
        _stop(workbench, evaluation)
        code = INTERRUPTED
    if code != DONE:
        say("What is judged is kept. To continue, run the same command again.")
    return _tell(workbench, evaluation, given, before) or code


def _tell(
    workbench: Workbench, evaluation: Evaluation, given: argparse.Namespace, before: Totals
) -> int:
    """Say what came of it so far, and write what is asked for; return the exit code of that."""
    result = workbench.evaluation.result(evaluation.id, evaluation.settings)
    if result is None:
        return DONE
    _say_result(workbench, result)
    _say_errors(workbench.consistency.errors(evaluation.id))
    _say_ceiling(workbench, evaluation)
    code = DONE
    if given.report:
        report = workbench.evaluation.report(evaluation.id, evaluation.settings)
        code = write_reports(given.report, report)
    if given.json:
        used = _since(before, _used(workbench, evaluation))
        sys.stdout.write(f"{_report(workbench, result, used).model_dump_json()}\n")
    return code


def _used(workbench: Workbench, evaluation: Evaluation) -> Totals:
    """Return what the text and its judge's card have used so far."""
    from graph_flow.workbench.beside.evaluating import card_branch

    parts = [
        workbench.ledger.totals(branch=branch)
        for branch in (evaluation.branch, card_branch(evaluation.judge))
    ]
    return Totals(
        calls=sum(one.calls for one in parts),
        tokens_in=sum(one.tokens_in for one in parts),
        tokens_out=sum(one.tokens_out for one in parts),
        cost=sum(one.cost for one in parts),
    )


def _since(before: Totals, now: Totals) -> Totals:
    return Totals(
        calls=now.calls - before.calls,
        tokens_in=now.tokens_in - before.tokens_in,
        tokens_out=now.tokens_out - before.tokens_out,
        cost=now.cost - before.cost,
    )


def _caps(given: argparse.Namespace, used: Totals | None = None) -> Caps:
    """Return what may still be used.

    Raises:
        _Ended: if nothing is left.
    """
    spent = used or Totals()
    left = {
        "calls": given.max_calls and given.max_calls - spent.calls,
        "tokens": given.max_tokens and given.max_tokens - spent.tokens_in - spent.tokens_out,
        "cost": given.max_cost and given.max_cost - spent.cost,
    }
    if any(most is not None and most <= 0 for most in left.values()):
        raise _Ended("The judge's test has used all that you allowed.")
    return Caps.model_validate(left)


def _test_judge(workbench: Workbench, evaluation: Evaluation, caps: Caps) -> None:
    """Make the judge's card if it has none, and say what it says.

    Raises:
        _Ended: if that ended early.
    """
    service = workbench.evaluation
    if service.card_of(evaluation.judge) is None:
        say("Testing the judge first, with texts of which the answer is known …")
        judge = service.test_judge(caps)
        _watch_test(workbench, judge)
        seen = service.testing(judge)
        if seen is not None and seen.state is not SideState.DONE:
            raise _Ended(seen.message)
    card = service.card_of(evaluation.judge)
    if card is not None:
        say(f"The judge's card: {card.says}.")


def _watch_test(workbench: Workbench, judge: JudgeName) -> None:
    from graph_flow.telling.evaluation.card.making import CALLS
    from graph_flow.workbench.beside.evaluating import card_branch

    service, place = workbench.evaluation, card_branch(judge)
    display = Counted("call", CALLS, workbench.ledger.totals(branch=place).calls)
    with closing(display):
        while not service.wait_for_card(judge, _LOOK_EVERY):
            seen = service.testing(judge)
            words = (seen.trouble or seen.words) if seen else ""
            display.show(workbench.ledger.totals(branch=place).calls, words)


def _stop(workbench: Workbench, evaluation: Evaluation) -> None:
    service = workbench.evaluation
    service.stop_testing(evaluation.judge)
    service.stop(evaluation)
    service.wait_for_card(evaluation.judge)
    service.wait(evaluation)


def _begun(workbench: Workbench, given: argparse.Namespace) -> Evaluation:
    length = LengthReading.TOTAL if given.total_words else LengthReading.PER_CHAPTER
    settings = EvaluationSettings(
        interval=given.interval, length=length, weights=_weights(workbench, given)
    )
    found = _text_of(workbench, given.text)
    if isinstance(found, ReadBook):
        say(f"“{found.title}”: {len(found.chapters):,} chapters.")
        return workbench.evaluation.of_book(found, settings)
    return workbench.evaluation.of_story(_branch(workbench, found), settings)


def _weights(workbench: Workbench, given: argparse.Namespace) -> QualityWeights:
    """Return what indicators count: as published, as given, or as a reader's ratings say.

    Raises:
        Impossible: if that reader has given too few.
    """
    if given.fitted_to is None:
        return given.weights or QualityWeights()
    from graph_flow.telling.evaluation.readers.fitting import LEAST_RATINGS

    fitted = workbench.evaluation.fitted(given.fitted_to)
    if fitted is None:
        rated = workbench.evaluation.rated(given.fitted_to)
        raise Impossible(
            f"“{given.fitted_to}” has given {rated} overall scores; it takes {LEAST_RATINGS} to fit weights."
        )
    say(
        f"Weights fitted to {fitted.ratings} ratings. They miss a rating that they do not know by "
        f"{fitted.error:.2f} points on average, the published ones by {fitted.published_error:.2f}."
    )
    return fitted.weights


def _text_of(workbench: Workbench, asked: str) -> Story | ReadBook:
    """Return the story of an id or a title, or else the book in a file or folder.

    Raises:
        Impossible: if there is neither.
    """
    path = Path(asked)
    if path.exists():
        return read_files(files_at(path), path.resolve().name if path.is_dir() else "")
    try:
        return workbench.library.story(story_named(workbench.library, asked))
    except NotFound:
        raise Impossible(
            f"There is no story “{asked}” in the library, and no file or folder of that name."
        ) from None


def _branch(workbench: Workbench, story: Story) -> str:
    return workbench.library.main_branch(story.id).id


def _watch(workbench: Workbench, evaluation: Evaluation) -> None:
    """Show how far it is until it ends.

    Raises:
        _Ended: if it ended early.
    """
    service = workbench.evaluation
    display = Counted("chapter", evaluation.chapters, service.done(evaluation.id))
    with closing(display):
        while not service.wait(evaluation, _LOOK_EVERY):
            seen = service.seen(evaluation)
            words = (seen.trouble or seen.words) if seen else ""
            display.show(service.done(evaluation.id), words)
        display.show(service.done(evaluation.id), "")
    seen = service.seen(evaluation)
    if seen is not None and seen.state is not SideState.DONE:
        raise _Ended(seen.message)


def _say_result(workbench: Workbench, result: EvaluationResult) -> None:
    quality = result.quality
    card = workbench.evaluation.card_of(result.evaluation.judge)
    say(
        f"Quality {quality.s_q:.2f} of 10, length {quality.s_l:.2f}, together {quality.qls:.2f}. "
        "The score of a single text is mostly noise: see docs/EVALUATION.md."
    )
    if card is None or not card.is_passed:
        say(_NOT_TESTED if card is None else _WORTH_NOTHING)


def _say_errors(errors: Errors | None) -> None:
    if errors is None or errors.per_10k is None:
        return
    unfound = errors.number_of(Standing.UNFOUND)
    say(
        f"Contradictions: {errors.per_10k:.2f} in 10,000 words ({len(errors.counted):,} in {errors.words:,} words)"
        + (
            f"; {unfound:,} more do not count, as their quotes are not in the text."
            if unfound
            else "."
        )
    )


def _say_ceiling(workbench: Workbench, evaluation: Evaluation) -> None:
    """Say what readers agree on, and the judge with them, if anybody has read the text."""
    from graph_flow.telling.evaluation.reports import ceiling_line

    ceiling = workbench.evaluation.ceiling(evaluation.id)
    if ceiling is not None:
        say(ceiling_line(ceiling))


def _report(workbench: Workbench, result: EvaluationResult, used: Totals) -> EvaluationReport:
    quality, evaluation = result.quality, result.evaluation
    card = workbench.evaluation.card_of(evaluation.judge)
    errors = workbench.consistency.errors(evaluation.id)
    density = errors.per_10k if errors is not None else None
    return EvaluationReport(
        s_q=round(quality.s_q, 4),
        s_l=round(quality.s_l, 4),
        qls=round(quality.qls, 4),
        errors_per_10k=None if density is None else round(density, 4),
        chapters=workbench.evaluation.done(evaluation.id),
        judge=card.says if card else "not tested",
        calls=used.calls,
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        cost=used.cost,
    )
