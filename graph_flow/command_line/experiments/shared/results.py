"""Where the results are: a folder or a bucket, in which something can be created by one only.

Nothing but names, small records and library files goes through here. Whoever works on a story finds all
that it needs by the story's name.

    plan.json                       the experiment
    claims/STORY/NUMBER             who works on a story, or worked on it before
    slots/MODEL/PLACE/NUMBER        who asks a model
    stories/STORY/CLAIM-NUMBER.db   the library of a story, the newest last
    checkpoints/STORY/CLAIM-NUMBER.db   where its runs stood
    calls/STORY/CLAIM/NUMBER        calls that are not in that library yet
    done/STORY.json                 how a story came out
    scores/STORY.json               what a judge gave it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, TypeVar

from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError
from obstore.store import LocalStore, ObjectStore, from_url
from pydantic import ValidationError

from graph_flow.command_line.experiments.errors import ResultsUnusable
from graph_flow.command_line.experiments.records import (
    Experiment,
    Kept,
    StoryReport,
    StoryScores,
)
from store.database.troubles import cause_of

PLAN = "plan.json"
HALT = "halt"
"""While this is there, nobody begins or goes on."""
_PATIENCE = timedelta(seconds=20)
"""How long a bucket is tried again that does not answer, or says that it is busy."""

T = TypeVar("T", bound=Kept)


class Found(NamedTuple):
    """Something among the results; the moment is by the clock of the store."""

    key: str
    size: int
    moment: datetime


class Results:
    """The results of an experiment. Thread-safe."""

    def __init__(self, store: ObjectStore, place: str) -> None:
        self.place = place
        self._store = store

    @classmethod
    def open(cls, place: str) -> Results:
        """Open the results at a path, or at an address such as `s3://bucket/folder`.

        Keys for a bucket are read from the environment, as its own tools read them.

        Raises:
            ResultsUnusable: if there can be none.
        """
        with _plainly(place):
            if "://" not in place:
                folder = Path(place).expanduser().absolute()
                return cls(LocalStore(prefix=folder, mkdir=True), str(folder))
            retries = {"max_retries": 4, "retry_timeout": _PATIENCE}
            return cls(from_url(place, retry_config=retries), place)  # type: ignore[call-overload] # for any kind of bucket

    def create(self, key: str, content: bytes) -> bool:
        """Put something where nothing is; return False if something is there.

        Raises:
            ResultsUnusable: if it cannot be written, as the other methods.
        """
        with _plainly(self.place):
            try:
                self._store.put(key, content, mode="create")
            except (AlreadyExistsError, FileExistsError):
                return False
            return True

    def put(self, key: str, content: bytes | Path) -> None:
        """Put something in the place of what is there, if anything is."""
        with _plainly(self.place):
            self._store.put(key, content)

    def get(self, key: str) -> bytes | None:
        """Return what is there; None if nothing is."""
        with _plainly(self.place):
            try:
                return self._store.get(key).bytes().to_bytes()
            except (NotFoundError, FileNotFoundError):
                return None

    def has(self, key: str) -> bool:
        """Return whether something is there."""
        return self.moment(key) is not None

    def moment(self, key: str) -> datetime | None:
        """Return when something was put there, by the store's clock; None if nothing is there."""
        with _plainly(self.place):
            try:
                return self._store.head(key)["last_modified"].astimezone(UTC)
            except (NotFoundError, FileNotFoundError):
                return None

    def list(self, folder: str) -> list[Found]:
        """Return all that is in a folder, by its key."""
        with _plainly(self.place):
            found = [one for some in self._store.list(f"{folder}/") for one in some]
        every = (
            Found(str(one["path"]), int(one["size"]), one["last_modified"].astimezone(UTC))
            for one in found
        )
        return sorted(every)

    def remove(self, *keys: str) -> None:
        """Remove what is there."""
        for key in keys:
            with _plainly(self.place):
                try:
                    self._store.delete(key)
                except (NotFoundError, FileNotFoundError):
                    continue

    def experiment(self) -> Experiment | None:
        """Return the experiment that these are the results of; None if it has not begun."""
        return self._read(PLAN, Experiment)

    def report(self, story: str) -> StoryReport | None:
        """Return how a story came out, with its scores if it has any; None if it is not done."""
        report = self._read(_done(story), StoryReport)
        return report and report.model_copy(update={"scores": self.scores(story) or report.scores})

    def keep_report(self, report: StoryReport) -> bool:
        """Keep how a story came out; return False if somebody was faster."""
        return self.create(_done(report.story.name), report.model_dump_json().encode())

    def is_done(self, story: str) -> bool:
        """Return whether a story is done."""
        return self.has(_done(story))

    def done(self) -> set[str]:
        """Return the names of the stories that are done."""
        return {Path(one.key).name.removesuffix(".json") for one in self.list("done")}

    def scores(self, story: str) -> StoryScores | None:
        """Return what a judge gave a story; None if it has not been judged."""
        return self._read(f"scores/{story}.json", StoryScores)

    def keep_scores(self, story: str, scores: StoryScores) -> None:
        """Keep what a judge gave a story, in place of earlier scores."""
        self.put(f"scores/{story}.json", scores.model_dump_json().encode())

    def _read(self, key: str, kind: type[T]) -> T | None:
        content = self.get(key)
        if content is None:
            return None
        try:
            return kind.model_validate_json(content)
        except ValidationError as error:
            raise ResultsUnusable(
                f"{key} in {self.place} cannot be read: it is damaged."
            ) from error


def _done(story: str) -> str:
    return f"done/{story}.json"


class StoreClock:
    """The clock of the store, by which it is judged who has been silent: no other clock has to be right."""

    def __init__(self, results: Results, monotonic: Callable[[], float]) -> None:
        self._results = results
        self._monotonic = monotonic
        self._ahead: timedelta | None = None

    def set(self, key: str) -> None:
        """Set the clock by something that has just been put there."""
        moment = self._results.moment(key)
        if moment is not None:
            self._ahead = moment - _EPOCH - timedelta(seconds=self._monotonic())

    def now(self) -> datetime:
        """Return what time it is for the store."""
        if self._ahead is None:
            key = "clock"
            self._results.put(key, b"")
            self.set(key)
        return _EPOCH + (self._ahead or timedelta()) + timedelta(seconds=self._monotonic())


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@contextmanager
def _plainly(place: str) -> Iterator[None]:
    """Say in a sentence what is wrong with a folder or a bucket.

    Raises:
        ResultsUnusable: if anything is.
    """
    try:
        yield
    except (NotFoundError, AlreadyExistsError):
        raise
    except (BaseError, OSError, ValueError) as error:
        raise ResultsUnusable(
            f"The results at {place} cannot be read or written: {_cause(error)}."
        ) from error


_MOST = 300


def _cause(error: Exception) -> str:
    """Return what a store says is wrong: its first line, for the rest is about its own insides."""
    first = (str(error).strip().splitlines() or [type(error).__name__])[0]
    said = cause_of(error) if isinstance(error, OSError) else first
    said = "there is no room left on the disk" if "No space left" in first else said
    return said.splitlines()[0][:_MOST].rstrip(" .:")
