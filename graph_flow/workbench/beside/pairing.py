"""Texts against each other: a story's, its branches and tellings, or any in files; by models, or blind."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from typing import NamedTuple

from graph_flow.errors import WorkbenchError
from graph_flow.llm.budget import Budget
from graph_flow.llm.transport.endpoints import EndpointBook
from graph_flow.machine.side_work import SideWork
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.evaluation.agents import PAIR_JUDGE
from graph_flow.telling.evaluation.pairing import Pair, compare_pair
from graph_flow.telling.evaluation.ranking import Standing, ranked
from graph_flow.telling.evaluation.readers.agreement import PairJudge, pair_judges
from graph_flow.views import SideWorkSeen
from graph_flow.workbench.models import MODEL_SETTINGS
from store.formats.reading.parts import ReadBook
from store.models.desk.evaluation import JudgeName
from store.models.desk.pairs import READER, PairTrial
from store.models.endpoint import EMBEDDED, Endpoint, ModelSettings
from store.models.manuscript import PARAGRAPH_BREAK
from store.models.run import Caps, Totals
from store.open import Store
from store.records.desk.evaluations import JudgedText
from store.text import count_words

PASSAGES = 4
"""Passages by which texts are compared: the same stretches of both."""
MOST_TEXTS = 12

_KEY = "pairs"
_LINE = 400


class Contestant(NamedTuple):
    """A text that is compared with others."""

    name: str
    text: str

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its text, in hexadecimal."""
        return JudgedText("", self.text).fingerprint


class Placed(NamedTuple):
    """A text by its name, and how it stands among the others."""

    name: str
    standing: Standing


class BlindPair(NamedTuple):
    """Two passages without their origin; which of them is `left` was drawn by what they are."""

    left: str
    right: str
    first: Contestant
    second: Contestant
    at: int
    is_turned: bool


class PairService:
    """Comparisons of texts: every trial is kept, and made once."""

    def __init__(self, store: Store, side_work: SideWork, book: EndpointBook) -> None:
        self._store = store
        self._side_work = side_work
        self._book = book

    def of_story(self, branch_id: str, telling_id: str | None = None) -> Contestant:
        """Return the text of a branch, or of a telling of it.

        Raises:
            WorkbenchError: if it has none.
            NotFound: if there is no such branch or telling.
        """
        name = self._store.library.story_of(branch_id).title or "Untitled"
        if telling_id is None:
            texts = [one.draft.text for one in self._store.contents.texts(branch_id)]
        else:
            telling = self._store.tellings.get(telling_id)
            texts = [one.draft.text for one in self._store.tellings.texts(telling)]
            name = f"{name}: {telling.name}"
        return _contestant(name, texts)

    def has_text(self, branch_id: str, telling_id: str | None = None) -> bool:
        """Return whether there is anything to compare."""
        if telling_id is None:
            return self._store.contents.length(branch_id).words > 0
        telling = self._store.tellings.get(telling_id)
        return any(count_words(one.draft.text) for one in self._store.tellings.texts(telling))

    def missing(
        self, texts: Sequence[Contestant], judges: Sequence[Endpoint], passages: int = PASSAGES
    ) -> int:
        """Return how many trials are still to be made: each takes two calls."""
        return sum(
            self._store.pairs.find(_trial_id(_name_of(judge).key, both, at, passages)) is None
            for judge in judges
            for both in combinations(in_order(texts), 2)
            for at, _ in enumerate(_stretches(both, passages))
        )

    def of_book(self, book: ReadBook) -> Contestant:
        """Return a book that is in no story.

        Raises:
            WorkbenchError: if it has no text.
        """
        return _contestant(book.title, [one.text for one in book.chapters])

    def judges(self, names: Sequence[str] = ()) -> list[Endpoint]:
        """Return the models of these names, as Settings has them; the usual judge without any.

        Raises:
            WorkbenchError: if there is none of a name.
        """
        if not names:
            return [self._book.current(PAIR_JUDGE.name)]
        settings = (
            self._store.library.read_setting(MODEL_SETTINGS, ModelSettings) or ModelSettings()
        )
        return [self._named(settings, name) for name in dict.fromkeys(names)]

    def _named(self, settings: ModelSettings, name: str) -> Endpoint:
        if name != EMBEDDED and settings.other(name) is None:
            raise WorkbenchError(f"There is no model “{name}” in Settings.")
        chosen = settings.with_agent(PAIR_JUDGE.name, name)
        return self._book.current_of([PAIR_JUDGE.name], chosen)[PAIR_JUDGE.name]

    def begin(
        self,
        texts: Sequence[Contestant],
        judges: Sequence[Endpoint],
        passages: int = PASSAGES,
        caps: Caps | None = None,
    ) -> str:
        """Begin to compare every two of some texts, in both orders; return where its calls are kept.

        Trials that were made are not made again.

        Raises:
            BranchBusy: if that is under way.
            WorkbenchError: if there are too few texts or too many, or two are the same.
        """
        texts = in_order(texts)
        branch = place_of(texts)

        def work(context: StoryContext) -> None:
            within = replace(context, budget=Budget(caps, Totals())) if caps else context
            for judge in judges:
                for first, second in combinations(texts, 2):
                    self._compare(within.asking(judge), judge, (first, second), passages)

        self._side_work.begin(branch, _KEY, work)
        return branch

    def _compare(
        self,
        context: StoryContext,
        judge: Endpoint,
        both: tuple[Contestant, Contestant],
        passages: int,
    ) -> None:
        name = _name_of(judge)
        for at, (first, second) in enumerate(_stretches(both, passages)):
            trial_id = _trial_id(name.key, both, at, passages)
            if self._store.pairs.find(trial_id) is not None:
                continue
            step = f"0/pair/{name.key}/{trial_id}"
            found = compare_pair(context, Pair(first, second, step))
            self._store.pairs.save(
                PairTrial(
                    id=trial_id,
                    first=both[0].fingerprint,
                    second=both[1].fingerprint,
                    at=at,
                    of=passages,
                    judge=f"{judge.name}: {judge.model}"[:_LINE],
                    margin=found.margin,
                    is_consistent=found.is_consistent,
                    reason=cut(found.reasons[0], _LINE),
                    created=datetime.now(UTC),
                )
            )

    def seen(self, branch: str) -> SideWorkSeen | None:
        """Return how a comparison stands; None if none was begun since the app was started."""
        return self._side_work.seen(branch, _KEY)

    def stop(self, branch: str) -> None:
        """Stop a comparison; what is done stays."""
        self._side_work.stop(branch, _KEY)

    def wait(self, branch: str, seconds: float | None = None) -> bool:
        """Wait until a comparison has ended; return False if that takes too long."""
        return self._side_work.wait(branch, _KEY, seconds)

    def trials(self, texts: Sequence[Contestant], passages: int = PASSAGES) -> list[PairTrial]:
        """Return what was found so far between any two of some texts, by whomever."""
        prints = [one.fingerprint for one in in_order(texts)]
        return self._store.pairs.among(prints, passages)

    def standings(self, texts: Sequence[Contestant], passages: int = PASSAGES) -> list[Placed]:
        """Return how some texts stand, the strongest first; the first time takes seconds.

        Raises:
            WorkbenchError: if nothing was compared yet.
        """
        trials = self.trials(texts, passages)
        if not trials:
            raise WorkbenchError("These texts were not compared yet.")
        names = {one.fingerprint: one.name for one in in_order(texts)}
        return [Placed(names[one.text], one) for one in ranked(list(names), trials)]

    def judged_by(self, texts: Sequence[Contestant], passages: int = PASSAGES) -> list[PairJudge]:
        """Return who has compared some texts so far, and how far each is to be relied on."""
        return pair_judges(self.trials(texts, passages))

    def blind(
        self, first: Contestant, second: Contestant, reader: str, passages: int = PASSAGES
    ) -> BlindPair | None:
        """Return two passages that a reader has not judged yet; None if they have judged all."""
        both = _both([first, second])
        for at, (one, other) in enumerate(_stretches(both, passages)):
            trial_id = _trial_id(_reader_key(reader), both, at, passages)
            if self._store.pairs.find(trial_id) is None:
                is_turned = int(hashlib.sha256(trial_id.encode()).hexdigest(), 16) % 2 == 1
                left, right = (other, one) if is_turned else (one, other)
                return BlindPair(left, right, *both, at, is_turned)
        return None

    def prefer(
        self, pair: BlindPair, reader: str, margin: float, passages: int = PASSAGES
    ) -> PairTrial:
        """Keep what a reader prefers: `margin` is above 0 if it is the left one.

        Raises:
            WorkbenchError: if the reader has no name.
        """
        name = " ".join(reader.split())
        if not name:
            raise WorkbenchError("Say who has read it.")
        both = (pair.first, pair.second)
        return self._store.pairs.save(
            PairTrial(
                id=_trial_id(_reader_key(reader), both, pair.at, passages),
                first=both[0].fingerprint,
                second=both[1].fingerprint,
                at=pair.at,
                of=passages,
                judge=f"{READER}{name}"[:_LINE],
                margin=-margin if pair.is_turned else margin,
                created=datetime.now(UTC),
            )
        )


def _name_of(judge: Endpoint) -> JudgeName:
    return JudgeName(endpoint=judge.name, model=judge.model)


def in_order(texts: Sequence[Contestant]) -> list[Contestant]:
    """Return texts in an order that does not depend on who names them first.

    Raises:
        WorkbenchError: if there are too few or too many, or two are the same.
    """
    if not 2 <= len(texts) <= MOST_TEXTS:
        raise WorkbenchError(f"From 2 to {MOST_TEXTS} texts can be compared.")
    by_print = {one.fingerprint: one for one in texts}
    if len(by_print) < len(texts):
        raise WorkbenchError("Two of these texts are the same.")
    return [by_print[one] for one in sorted(by_print)]


def place_of(texts: Sequence[Contestant]) -> str:
    """Return where the calls of a comparison are kept."""
    whole = "\n".join(one.fingerprint for one in in_order(texts))
    return f"pairs-{hashlib.sha256(whole.encode()).hexdigest()[:24]}"


def _both(texts: Sequence[Contestant]) -> tuple[Contestant, Contestant]:
    first, second = in_order(texts)
    return first, second


def _contestant(name: str, texts: Sequence[str]) -> Contestant:
    text = PARAGRAPH_BREAK.join(one for one in texts if count_words(one))
    if not text:
        raise WorkbenchError(f"“{name}” has no text.")
    return Contestant(name, text)


def _stretches(both: tuple[Contestant, Contestant], most: int) -> Iterator[tuple[str, str]]:
    """Yield the same stretches of two texts; the shorter one has a paragraph in each at least."""
    paragraphs = [[one for one in it.text.split(PARAGRAPH_BREAK) if one.strip()] for it in both]
    count = min(most, *map(len, paragraphs))
    for at in range(count):
        first, second = (
            PARAGRAPH_BREAK.join(one[len(one) * at // count : len(one) * (at + 1) // count])
            for one in paragraphs
        )
        yield first, second


def _reader_key(reader: str) -> str:
    return hashlib.sha256(f"reader {' '.join(reader.split())}".encode()).hexdigest()[:12]


def _trial_id(judge: str, both: tuple[Contestant, Contestant], at: int, of: int) -> str:
    asked = f"{judge} {both[0].fingerprint} {both[1].fingerprint} {at} {of}"
    return hashlib.sha256(asked.encode()).hexdigest()[:40]
