"""`tellwright dataset`: stories as a data set, with its card and recipes to train with.

Only the stories that are named, or those of one experiment, are in it. Exit codes: 0 done; 2 wrong usage, or
nothing is left to write; 3 it could not be written or read; 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeVar

from pydantic import BaseModel
from tqdm import tqdm

from graph_flow.command_line.datasets.examples import Example, Gathered, Kind, Pair
from graph_flow.command_line.datasets.filtering import Sieve, Wanted, split_by_story
from graph_flow.command_line.datasets.gathering import gather
from graph_flow.command_line.datasets.recipes import recipes
from graph_flow.command_line.datasets.writing import Card, Format, Split, write_dataset
from graph_flow.command_line.ending import DONE, FAILED, WRONG_USE, say
from graph_flow.command_line.experiments.errors import ExperimentError
from graph_flow.command_line.experiments.shared.results import Results
from graph_flow.command_line.experiments.version import this_version
from store.database.troubles import cause_of
from store.errors import LibraryUnavailable, NotFound, StoreError
from store.models.story import Story
from store.open import Store
from store.upkeep.files import write_whole

T = TypeVar("T")


class DatasetReport(BaseModel):
    """The last line of `tellwright dataset --json`; `left_out` counts examples and pairs by why."""

    folder: str
    format: str
    stories: int
    examples: int
    pairs: int
    validation: int
    left_out: dict[str, int]
    files: list[str]


class _Impossible(Exception):
    """There is nothing to make a data set of; the message says why."""


class _Taken(NamedTuple):
    """What was taken from all stories."""

    titles: list[str]
    languages: list[str]
    found: list[Gathered]


def run(arguments: Sequence[str], library: Path) -> int:
    """Run the command on a library, or on the results of an experiment, and return its exit code."""
    given = _read(arguments)
    try:
        taken = _take(given, library)
        report = _write(given, taken)
    except (_Impossible, NotFound) as problem:
        say(str(problem))
        return WRONG_USE
    except (LibraryUnavailable, ExperimentError) as problem:
        say(str(problem))
        return FAILED
    except StoreError as problem:
        say(str(problem))
        return WRONG_USE
    except OSError as problem:
        say(f"The data set could not be written to {given.out}: {cause_of(problem)}.")
        return FAILED
    if given.json:
        sys.stdout.write(f"{report.model_dump_json()}\n")
    return DONE


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tellwright dataset", description=__doc__)
    parser.add_argument("command", choices=["dataset"], help=argparse.SUPPRESS)
    parser.add_argument(
        "stories", nargs="*", metavar="STORY", help="the id of a story, or its title"
    )
    parser.add_argument("--experiment", metavar="PLACE", help="all done stories of an experiment")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="a folder")
    parser.add_argument("--format", type=Format, choices=list(Format), default=Format.JSONL)
    parser.add_argument(
        "--kinds", nargs="+", type=Kind, choices=list(Kind), default=list(Kind), metavar="KIND"
    )
    parser.add_argument("--min-words", type=int, help="of an answer")
    parser.add_argument("--max-words", type=int, help="of an answer")
    parser.add_argument("--min-quality", type=float, help="the least score of a story by its judge")
    parser.add_argument(
        "--without-contradictions", action="store_true", help="found by a reviewer, and not mended"
    )
    parser.add_argument("--alike", type=float, default=0.8, help="0 to 1: when two are the same")
    parser.add_argument("--validation", type=float, default=0.1, help="0 to 1: a share of stories")
    parser.add_argument("--json", action="store_true", help="print a report as the last line")
    given = parser.parse_args(arguments)
    if bool(given.stories) == bool(given.experiment):
        parser.error("name the stories, or give --experiment.")
    if not (0 < given.alike <= 1 and 0 <= given.validation < 1):
        parser.error("--alike is more than 0 and at most 1, and --validation less than 1.")
    return given


def _take(given: argparse.Namespace, library: Path) -> _Taken:
    if given.experiment:
        return _of_experiment(Results.open(given.experiment))
    if not library.exists():
        raise _Impossible(f"There is no library {library}.")
    with closing(Store.open(library)) as store:
        stories = list(dict.fromkeys(_named(store, one) for one in given.stories))
        every = [store.library.story(one) for one in stories]
        return _taken((one, gather(store, one)) for one in _shown(every))


def _of_experiment(results: Results) -> _Taken:
    experiment = results.experiment()
    if experiment is None:
        raise _Impossible(f"There is no experiment at {results.place}.")
    names = sorted(results.done())
    return _taken(_each(results, name) for name in _shown(names))


def _shown(every: Sequence[T]) -> Iterator[T]:
    """Yield some things while a terminal shows how many are done; a log gets a line for all."""
    say(f"Reading {len(every):,} {'story' if len(every) == 1 else 'stories'} …")
    yield from tqdm(every, unit="story", file=sys.stderr, dynamic_ncols=True, disable=None)


def _each(results: Results, name: str) -> tuple[Story, Gathered]:
    """Return a story of an experiment, from a copy of its library, and what it holds."""
    report = results.report(name)
    content = results.get(report.library) if report else None
    if report is None or content is None:
        raise _Impossible(f"The library of {name} is gone from {results.place}.")
    quality = report.scores.s_q if report.scores else None
    with TemporaryDirectory(prefix="tellwright-") as folder:
        path = Path(folder, "library.db")
        path.write_bytes(content)
        with closing(Store.open(path)) as store:
            story = store.library.story(store.library.story_ids()[0])
            return story.model_copy(update={"title": name}), gather(
                store, story.model_copy(update={"title": name}), quality
            )


def _taken(every: Iterator[tuple[Story, Gathered]]) -> _Taken:
    taken = _Taken([], [], [])
    for story, found in every:
        taken.titles.append(story.title or story.id)
        taken.languages.append(story.brief.language)
        taken.found.append(found)
    return taken


def _named(store: Store, asked: str) -> str:
    """Return the id of a story by its id, or by its title if no other story has the same."""
    try:
        return store.library.story(asked).id
    except NotFound:
        named = [one.story.id for one in store.library.stories() if one.story.title == asked]
    if len(named) != 1:
        several = f"{len(named)} stories are" if named else "No story is"
        raise _Impossible(f"{several} called “{asked}”.")
    return named[0]


def _write(given: argparse.Namespace, taken: _Taken) -> DatasetReport:
    sieve = Sieve(
        Wanted(
            kinds=frozenset(given.kinds),
            least_words=given.min_words,
            most_words=given.max_words,
            least_quality=given.min_quality,
            is_without_contradictions=given.without_contradictions,
            alike=given.alike,
            validation=given.validation,
        )
    )
    examples = sieve.examples([one for some in taken.found for one in some.examples])
    pairs = sieve.pairs([one for some in taken.found for one in some.pairs])
    if not examples and not pairs:
        raise _Impossible("Nothing is left of these stories: " + _in_words(sieve.left_out) + ".")
    splits = _splits(examples, pairs, given.validation)
    told = [words for some in taken.found for words in some.left_out]
    told += [f"{count:,} {why}" for why, count in sieve.left_out.items() if why]
    languages = {one for one in taken.languages if one}
    card = Card(taken.titles, this_version(), told, languages.pop() if len(languages) == 1 else "")
    files = write_dataset(given.out, given.format, splits, card)
    train = splits[0]
    made = recipes(given.format, has_examples=bool(train.examples), has_pairs=bool(train.pairs))
    for name, content in made:
        write_whole(given.out / name, content.encode())
        files.append(given.out / name)
    for words in told:
        say(f"Left out: {words}")
    say(f"{len(examples):,} examples and {len(pairs):,} pairs are in {given.out}.")
    return DatasetReport(
        folder=str(given.out),
        format=given.format.value,
        stories=len(taken.titles),
        examples=len(examples),
        pairs=len(pairs),
        validation=len(splits[1].examples) + len(splits[1].pairs),
        left_out={why: count for why, count in sieve.left_out.items() if why},
        files=sorted(path.name for path in files),
    )


def _splits(examples: Sequence[Example], pairs: Sequence[Pair], share: float) -> list[Split]:
    origins = [one.provenance for one in examples] + [one.provenance for one in pairs]
    is_apart = split_by_story([one.group for one in origins], share)
    return [
        Split(
            name,
            [one for one in examples if is_apart(one.provenance.group) is apart],
            [one for one in pairs if is_apart(one.provenance.group) is apart],
        )
        for name, apart in (("train", False), ("validation", True))
    ]


def _in_words(left_out: Counter[str]) -> str:
    counted = [f"{count:,} {why}" for why, count in left_out.items() if why]
    return ", ".join(counted) or "they have no text and no plots"
