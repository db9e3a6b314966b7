"""A long book, judged by a scripted model: how large its prompts are, and what we do ourselves."""

from __future__ import annotations

import itertools
import re
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from graph_flow.llm.gateway import Gateway
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.llm.transport.embedded import EmbeddedModel
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.runtime.context import StoryContext
from graph_flow.runtime.progress import LiveProgress
from graph_flow.telling.evaluation.judging import evaluate
from store.models.base import new_id
from store.models.desk.evaluation import Evaluation, JudgeName
from store.models.endpoint import Endpoint, ModelSettings
from store.open import Store
from store.records.desk.evaluations import JudgedText, book_fingerprint
from tests.benchmarks.measures.generation.timed_server import RunningServer, ServedCall, running
from tests.benchmarks.options import notice
from tests.fakes.invention import prose

WORDS = 400
WINDOW = 10
_CHAPTER = re.compile(r"^Chapter (\d+) of ", re.MULTILINE)


class Judging(NamedTuple):
    """What was measured, by chapter."""

    peak_prompt_tokens: Mapping[int, float]
    own_ms_per_chapter: Mapping[int, float]


class _Clocked(LiveProgress):
    """Notes how much of the processor was used when each step begins."""

    def __init__(self) -> None:
        super().__init__()
        self.moments: list[tuple[str, float]] = []

    def begin_step(self, words: str, expected: int) -> None:
        """Begin a step."""
        self.moments.append((words, time.process_time()))
        super().begin_step(words, expected)


def judging(chapters: Sequence[int]) -> Judging:
    """Judge a book of as many chapters as the last of these says."""
    progress = _Clocked()
    with (
        tempfile.TemporaryDirectory(prefix="tellwright-benchmark-") as name,
        running(Path(name) / "calls.jsonl", 0.0) as server,
        _context(Path(name) / "library.db", server, progress) as context,
    ):
        notice(f"Judging {chapters[-1]:,} chapters …")
        evaluate(context, _begun(context.store, chapters[-1]))
        progress.begin_step("", 0)
        calls = server.calls()
    return Judging(_peaks(calls, chapters), _own(progress.moments, chapters))


@contextmanager
def _context(
    library: Path, server: RunningServer, progress: LiveProgress
) -> Iterator[StoryContext]:
    endpoint = Endpoint(base_url=server.url, model="scripted", context_window=128_000)
    settings = ModelSettings(endpoint=endpoint)
    book = EndpointBook(lambda: settings, OwnModels(dict[str, str]().get), EmbeddedModel)
    with closing(Store.open(library)) as store, closing(Gateway(book, store.calls)) as gateway:
        yield StoryContext(store, gateway, progress, threading.Event(), "text-1", "").at_step()


def _begun(store: Store, chapters: int) -> Evaluation:
    texts = [JudgedText(f"Chapter {at}", prose(Random(at), WORDS)) for at in range(1, chapters + 1)]
    evaluation = Evaluation(
        id=new_id(),
        branch="text-1",
        name="A long book",
        text=book_fingerprint(texts),
        chapters=chapters,
        planned=chapters,
        words=chapters * WORDS,
        judge=JudgeName(endpoint="scripted", model="scripted"),
        created=datetime.now(UTC),
    )
    return store.evaluations.begin(evaluation, texts)


def _peaks(calls: Sequence[ServedCall], chapters: Sequence[int]) -> dict[int, float]:
    sizes: defaultdict[int, int] = defaultdict(int)
    for call in calls:
        found = _CHAPTER.search(call.prompt)
        if found:
            place = int(found[1])
            sizes[place] = max(sizes[place], estimate_tokens(call.prompt))
    return {at: max(sizes[one] for one in _window(at)) for at in chapters}


def _own(moments: Sequence[tuple[str, float]], chapters: Sequence[int]) -> dict[int, float]:
    """Return the milliseconds of a chapter: from its beginning to the next one's, whatever is between."""
    begun = [at for words, at in moments if words.startswith("Judging") or not words]
    taken = [1_000 * (after - before) for before, after in itertools.pairwise(begun)]
    return {at: median(taken[one - 1] for one in _window(at)) for at in chapters}


def _window(at: int) -> range:
    return range(max(1, at - WINDOW + 1), at + 1)
