"""Workers on other machines, by way of a Dask scheduler (an optional extra of Tellwright).

Whatever Dask's launchers start, on Kubernetes, Slurm, by ssh or in a cloud, can work here. A task is given
a story's name and returns how the story was left. If the scheduler dies, all that it knew is given out again
to its successor; what is done, and who has what, is among the results.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from graph_flow.command_line.experiments.errors import ExperimentError
from graph_flow.command_line.experiments.records import Ended, Outcome
from graph_flow.command_line.experiments.shared.results import HALT, Results
from graph_flow.command_line.experiments.version import this_version

try:
    import distributed
except ImportError as error:  # the extra is not installed
    raise ExperimentError(
        "Experiments on several machines need Dask, which is not installed: "
        "pip install 'tellwright[cluster]'."
    ) from error

ALLOWED_FAILURES = 1_000
"""Dask gives a task up after three deaths of its workers. A story loses nothing by them."""
_CONNECT = 10.0
"""Seconds for one attempt to reach the scheduler."""
_PATIENCE = 600.0
"""Seconds without a scheduler after which it is given up."""
LOST_AFTER = 30.0
"""Seconds without a word from a worker after which its stories are given out again. Dask waits for five to
ten minutes; somebody who is only slow finds that another has the story, and nothing is lost."""

_log = logging.getLogger(__name__)


class Cluster:
    """The workers of a Dask scheduler."""

    def __init__(self, place: str, address: str) -> None:
        self._place = place
        self._address = address
        self._futures: dict[str, Any] = {}
        self._refused: set[str] = set()
        self._pinned: dict[str, frozenset[str]] = {}
        """Which workers may take a story, since others have refused."""
        # It would tell each attempt to reach a lost scheduler as a failure of its own.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        self._client = self._connected(_CONNECT)
        self._is_connected = True

    @property
    def room(self) -> int:
        """Any number of stories can be given out: the scheduler keeps them, and grows by them."""
        return 1 if self._is_connected else 0

    def start(self, story: str) -> None:
        """Give out a story."""
        allowed = self._allowed() if self._refused else frozenset()
        if self._refused:
            self._pinned[story] = allowed
        self._futures[story] = self._client.submit(
            work_elsewhere,
            self._place,
            story,
            this_version(),
            key=f"tellwright-{story}-{time.time_ns()}",
            pure=False,
            workers=sorted(allowed) or None,
        )

    def wait(self, seconds: float) -> Sequence[Ended]:
        """Wait until a story was left by its worker, or for so long; return how those were left."""
        if not self._is_connected or self._client.status != "running":
            return self._given_back()
        if not self._futures:
            time.sleep(seconds)
            return self._unpinned()
        with suppress(TimeoutError, distributed.client.FuturesCancelledError):
            distributed.wait(
                list(self._futures.values()), timeout=seconds, return_when="FIRST_COMPLETED"
            )
        left = [name for name, future in self._futures.items() if future.done()]
        return [*(self._left(name) for name in left), *self._unpinned()]

    def stop(self) -> None:
        """Let all workers stop at their next beat, and wait for nobody."""
        Results.open(self._place).put(HALT, b"")
        with suppress(Exception):
            self._client.cancel(list(self._futures.values()), force=True)
        self._client.close(timeout=_CONNECT)

    def close(self) -> None:
        """Leave the scheduler."""
        self._client.close(timeout=_CONNECT)

    def _left(self, story: str) -> Ended:
        future = self._futures.pop(story)
        self._pinned.pop(story, None)
        try:
            ended = Ended.model_validate_json(future.result())
        except (ImportError, AttributeError) as error:
            message = f"A worker has another version of Tellwright, or none: {error}."
            return Ended(story=story, outcome=Outcome.REFUSED, message=message)
        except Exception as error:  # noqa: BLE001 - whatever Dask says of a worker that died
            message = str(error).splitlines()[0][:300] if str(error) else type(error).__name__
            return Ended(story=story, outcome=Outcome.DIED, message=message)
        if ended.outcome is Outcome.REFUSED:
            self._refused.add(ended.worker)
        return ended

    def _unpinned(self) -> Sequence[Ended]:
        """Return stories that wait for workers which are all gone."""
        there = (
            frozenset(self._client.scheduler_info(n_workers=-1)["workers"]) if self._pinned else ()
        )
        waiting = [name for name, allowed in self._pinned.items() if not allowed & set(there)]
        for name in waiting:
            self._futures.pop(name).cancel()
            self._pinned.pop(name)
        words = "No worker of the right version is there."
        return [Ended(story=name, outcome=Outcome.REFUSED, message=words) for name in waiting]

    def _allowed(self) -> frozenset[str]:
        there = frozenset(self._client.scheduler_info(n_workers=-1)["workers"])
        # Nobody may take it: it comes back, and is given out again once somebody has come.
        return there - self._refused or frozenset({"tcp://nobody:1"})

    def _given_back(self) -> Sequence[Ended]:
        """Return all stories that a lost scheduler had, once another is there.

        Raises:
            ExperimentError: if none comes.
        """
        self._is_connected = False
        _log.warning("the scheduler at %s is gone; waiting for it", self._address)
        with suppress(Exception):
            self._client.close(timeout=1)
        self._client = self._connected(_PATIENCE)
        self._is_connected = True
        lost, self._futures = list(self._futures), {}
        self._pinned.clear()
        words = "The scheduler was lost."
        return [Ended(story=name, outcome=Outcome.STOPPED, message=words) for name in lost]

    def _connected(self, patience: float) -> Any:
        """Return a connection to the scheduler, tried again for so long.

        Raises:
            ExperimentError: if it cannot be reached.
        """
        until = time.monotonic() + patience
        while True:
            try:
                return self._prepared()
            except (OSError, TimeoutError, ValueError) as error:
                if time.monotonic() > until:
                    raise ExperimentError(
                        f"The scheduler at {self._address} cannot be reached. What is done is among "
                        "the results: start it, and run the same command again."
                    ) from error
                time.sleep(0.2)

    def _prepared(self) -> Any:
        """Return a connection to the scheduler, which knows then how patient to be; one that fails is closed."""
        client = distributed.Client(self._address, timeout=_CONNECT)
        try:
            client.run_on_scheduler(_prepare, LOST_AFTER)
        except BaseException:
            with suppress(Exception):
                client.close(timeout=1)
            raise
        return client


def work_elsewhere(place: str, story: str, version: str) -> str:
    """Work on a story as a Dask task; return how it was left, as JSON."""
    from graph_flow.command_line.experiments.working import work_on

    if version != this_version():
        message = (
            f"A worker has Tellwright {this_version()}, and {version} is wanted: it was left out."
        )
        ended = Ended(story=story, outcome=Outcome.REFUSED, message=message)
    else:
        ended = work_on(place, story)
    address = str(distributed.get_worker().address)
    return ended.model_copy(update={"worker": address}).model_dump_json()


def _prepare(lost_after: float, dask_scheduler: Any = None) -> None:
    dask_scheduler.allowed_failures = ALLOWED_FAILURES
    dask_scheduler.worker_ttl = lost_after
    # It looks as often as it waits, and goes by the time that it was begun with.
    if (look := dask_scheduler.periodic_callbacks.get("worker-ttl")) is not None:
        look.stop()
        look.callback_time = lost_after * 1_000
        look.start()
