"""What `tellwright evaluate` reads besides a text, and the files that it writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from graph_flow.command_line.ending import DONE, FAILED, say
from graph_flow.command_line.files import Impossible
from store.database.troubles import cause_of
from store.models.desk.evaluation import Indicator, QualityWeights
from store.upkeep.files import write_whole

if TYPE_CHECKING:  # it takes a second to import, and whoever asks for help need not wait
    from graph_flow.telling.evaluation.reports import Report

_SUFFIXES = (".csv", ".json", ".md")


def read_weights(given: str) -> QualityWeights:
    """Return weights from text such as "CH=0.3, empathy=0.2"; indicators left out count as published.

    Raises:
        Impossible: if that is none.
    """
    names = {name.casefold(): one for one in Indicator for name in (one.value, one.short)}
    found: dict[str, float] = {}
    for part in filter(str.strip, given.split(",")):
        name, _, said = part.partition("=")
        indicator = names.get(name.strip().casefold())
        try:
            weight = float(said)
        except ValueError:
            weight = None
        if indicator is None or weight is None:
            known = ", ".join(one.short for one in Indicator)
            raise Impossible(f"“{part.strip()}” is no weight: give such as CH=0.2, of {known}.")
        found[indicator.value] = weight
    try:
        return QualityWeights.model_validate({**QualityWeights().model_dump(), **found})
    except ValidationError:
        raise Impossible("Weights go from 0 to 1,000, and at least one is more than 0.") from None


def check_reports(files: Sequence[Path]) -> None:
    """Check that files are of a kind that can be written.

    Raises:
        Impossible: if one is not.
    """
    for file in files:
        if file.suffix.lower() not in _SUFFIXES:
            raise Impossible(f"{file} is of no kind that can be written: {', '.join(_SUFFIXES)}.")


def write_reports(files: Sequence[Path], report: Report) -> int:
    """Write a report to each file, whole or not at all; return the exit code."""
    from graph_flow.telling.evaluation.reports import as_csv, as_json, as_markdown

    writers = dict(zip(_SUFFIXES, (as_csv, as_json, as_markdown), strict=True))
    for file in files:
        try:
            content = writers[file.suffix.lower()](report)
            write_whole(file, content.encode("utf-8", "surrogatepass"))
        except OSError as problem:
            say(f"{file} cannot be written: {cause_of(problem)}.")
            return FAILED
        say(f"Wrote {file}.")
    return DONE
