"""What the command was asked to do; whatever is wrong with it is said in one sentence.

What the system has for no text, such as bytes that are not UTF-8, arrives as surrogates.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from graph_flow.command_line.comparing import ABOUT as COMPARING
from graph_flow.command_line.datasets import ABOUT as DATASET
from graph_flow.command_line.ending import WRONG_USE
from graph_flow.command_line.evaluating import ABOUT as EVALUATING
from graph_flow.command_line.experiments import ABOUT as EXPERIMENT
from graph_flow.command_line.files import ABOUT as FILES
from graph_flow.command_line.serving import ABOUT as SERVING
from graph_flow.command_line.upkeep import ABOUT
from store.models.form import Form
from store.models.run import Caps
from store.models.story import LEAST_WORDS, MOST_CHAPTERS, MOST_WORDS, PREMISE_LIMIT

_NAMED = re.compile(r"^argument [^ ]+: ")


@dataclass(frozen=True)
class RunRequest:
    """What the command was asked to do."""

    premise: str
    story: str
    chapters: int
    words: int | None
    form: Form
    is_written: bool
    until_goal: bool
    is_direct: bool
    is_sketched: bool
    folder: Path | None
    is_json: bool
    caps: Caps


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """End with one sentence: one of this module as it is, one of argparse's with a hint."""
        is_ours = message.endswith(".")
        said = _NAMED.sub("", message) if is_ours else f"{message}. See {self.prog} --help."
        self.exit(WRONG_USE, f"{said}\n")


def read(arguments: Sequence[str] | None) -> RunRequest:
    """Return what the command was asked to do.

    Raises:
        SystemExit: if that cannot be done, after saying why.
    """
    parser = _Parser(
        prog="tellwright", description="Make long stories with versioned story graphs."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="make a story on autopilot, without asking at any gate")
    _describe(run)
    for name, about in {
        **FILES,
        **EVALUATING,
        **COMPARING,
        **ABOUT,
        "serve": SERVING,
        "experiment": EXPERIMENT,
        "dataset": DATASET,
    }.items():
        commands.add_parser(name, help=about)
    given = parser.parse_args(arguments)
    if given.premise is None and given.story is None:
        run.error("Give --premise for a new story, or --story to continue one.")
    return RunRequest(
        premise=given.premise or "",
        story=given.story or "",
        chapters=given.chapters,
        words=given.words,
        form=given.form,
        is_written=given.write,
        until_goal=given.until_goal,
        is_direct=given.direct,
        is_sketched=not given.no_sketches,
        folder=given.out,
        is_json=given.json,
        caps=Caps(calls=given.max_calls, tokens=given.max_tokens, cost=given.max_cost),
    )


def _describe(run: argparse.ArgumentParser) -> None:
    run.add_argument("--premise", type=_premise, help="what the story is about")
    run.add_argument("--story", type=_story, help="the id of a story to continue")
    run.add_argument(
        "--chapters",
        type=_whole("--chapters", 1, MOST_CHAPTERS),
        required=True,
        help="how many chapters the story has in all",
    )
    run.add_argument(
        "--words",
        type=_whole("--words", LEAST_WORDS, MOST_WORDS),
        help=f"words a chapter, {LEAST_WORDS} to {MOST_WORDS:,}",
    )
    run.add_argument("--write", action="store_true", help="write the chapters too")
    forms = ", ".join(form.value for form in Form)
    run.add_argument("--form", type=_form, default=Form.NOVEL, metavar="FORM", help=forms)
    run.add_argument("--until-goal", action="store_true", help="stop when the goal is reached")
    run.add_argument(
        "--direct", action="store_true", help="one prompt a chapter, without cast and graphs"
    )
    run.add_argument(
        "--no-sketches",
        action="store_true",
        help="found the story on an idea and weave every chapter, without first telling several stories or openings",
    )
    limits = {"--max-calls": "calls to the model", "--max-tokens": "tokens, in and out together"}
    for name, limited in limits.items():
        run.add_argument(name, type=_whole(name, 1), help=f"limit on {limited}")
    run.add_argument("--max-cost", type=_cost, help="limit on cost, at the endpoint's prices")
    run.add_argument(
        "--out", type=_folder, help="a folder for the written chapters and the whole story as files"
    )
    run.add_argument("--json", action="store_true", help="print a report in JSON as the last line")


def _premise(text: str) -> str:
    _check_text("--premise", text)
    if not text.strip():
        raise argparse.ArgumentTypeError("--premise is empty: say what the story is about.")
    if len(text) > PREMISE_LIMIT:
        raise argparse.ArgumentTypeError(
            f"--premise takes at most {PREMISE_LIMIT:,} characters, and this one has {len(text):,}."
        )
    return text


def _story(text: str) -> str:
    _check_text("--story", text)
    if not text.strip():
        raise argparse.ArgumentTypeError("--story is empty: give the id of a story.")
    return text


def _check_text(name: str, text: str) -> None:
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise argparse.ArgumentTypeError(f"{name} cannot be read: it is not text in UTF-8.")


def _whole(name: str, least: int, most: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number within limits."""
    limits = f"from {least:,} to {most:,}" if most else f"of {least:,} or more"

    def number(text: str) -> int:
        try:
            read = int(text)
        except ValueError:
            read = least - 1
        if read < least or (most is not None and read > most):
            raise argparse.ArgumentTypeError(f"{name} takes a whole number {limits}.")
        return read

    return number


def _cost(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = 0.0
    if not 0 < amount < float("inf"):
        raise argparse.ArgumentTypeError("--max-cost takes a number of more than 0.")
    return amount


def _form(text: str) -> Form:
    try:
        return Form(text)
    except ValueError:
        known = " or ".join(form.value for form in Form)
        raise argparse.ArgumentTypeError(f"--form is {known}.") from None


def _folder(text: str) -> Path:
    """Return a folder that is there or can be made; nothing is made yet."""
    if not text.strip():
        raise argparse.ArgumentTypeError("--out is empty: give the name of a folder.")
    folder = Path(text)
    there = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    if not there.is_dir():
        raise argparse.ArgumentTypeError(f"--out takes a folder, and {there} is a file.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise argparse.ArgumentTypeError(f"--out cannot be used: nothing can be put into {there}.")
    return folder
