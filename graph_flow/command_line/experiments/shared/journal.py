"""Calls that were answered, kept among the results before anything else is asked.

The library of a story is put there after each chapter. If its worker is lost with its disk, the calls since
then are found here: the story goes on from its last chapter, and what was paid for is not paid for again.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Sequence

from pydantic import ValidationError

from graph_flow.command_line.experiments.errors import ResultsUnusable
from graph_flow.command_line.experiments.shared.results import Results
from store.models.run import Call, Outcome
from store.records.calls import CallRecords

_ID = re.compile(r"[0-9a-f]{22,}")
_ALL = 1_000_000


class Journal:
    """The ledger of a story's library, whose calls are kept among the results as well. Thread-safe.

    What is recovered is found by its prompt. Its step may have another id in it: goals that were set
    again by the same answer are new goals.
    """

    def __init__(self, results: Results, story: str, claim: int) -> None:
        self._results = results
        self._story, self._claim = story, claim
        self._lock = threading.Lock()
        self._records: CallRecords | None = None
        self._recovered: list[Call] = []
        self._found: list[str] = []
        """Keys of calls that the library of the last chapter does not have."""
        self._unsent: dict[str, Call] = {}

    def of(self, records: CallRecords) -> Journal:
        """Return this journal as the ledger of a library."""
        self._records = records
        return self

    def recover(self, branch: str) -> None:
        """Read the calls that were answered and are not in the library.

        Raises:
            ResultsUnusable: if the results cannot be read, as the other methods.
        """
        known = {one.id for one in self._own.newest(branch, _ALL)}
        for found in self._results.list(f"calls/{self._story}"):
            self._found.append(found.key)
            call = _read(self._results.get(found.key))
            if call is not None and call.id not in known and call.branch == branch:
                self._recovered.append(call)

    @property
    def lost(self) -> int:
        """How many recovered calls were of no use: they were paid for, and made again."""
        with self._lock:
            return len(self._recovered)

    def mark(self) -> Sequence[str]:
        """Return the keys of all calls that are in the library now."""
        with self._lock:
            return list(self._found)

    def forget(self, keys: Sequence[str]) -> None:
        """Remove calls that are in a library among the results by now."""
        with self._lock:
            self._found = [one for one in self._found if one not in set(keys)]
        self._results.remove(*keys)

    def record_call(self, call: Call) -> None:
        """Record a call in the library and, if it was answered, among the results."""
        self._own.record_call(call)
        if call.outcome is not Outcome.OK:
            return
        try:
            self._send(call)
        except ResultsUnusable:
            with self._lock:
                self._unsent[call.id] = call

    def write_held(self) -> None:
        """Record what could not be recorded before.

        Raises:
            StoreError: if it cannot be recorded now either, so that nothing more is paid for.
        """
        self._own.write_held()
        with self._lock:
            unsent = list(self._unsent.values())
        for call in unsent:
            self._send(call)
            with self._lock:
                self._unsent.pop(call.id, None)

    def finished_call(self, branch: str, step: str, prompt_hash: str) -> Call | None:
        """Return the successful call of a step with exactly this prompt, if there is one."""
        found = self._own.finished_call(branch, step, prompt_hash)
        if found is not None:
            return found
        recovered = self._take(step, prompt_hash)
        if recovered is None:
            return None
        again = recovered.model_copy(update={"step": step})
        self._own.record_call(again)
        return again

    def calls_of_step(self, branch: str, step: str, prompt_hash: str) -> list[Call]:
        """Return all calls of a step with exactly this prompt, the oldest first."""
        return self._own.calls_of_step(branch, step, prompt_hash)

    @property
    def _own(self) -> CallRecords:
        if self._records is None:
            raise RuntimeError("the journal belongs to no library yet")
        return self._records

    def _take(self, step: str, prompt_hash: str) -> Call | None:
        with self._lock:
            for place, call in enumerate(self._recovered):
                if call.prompt_hash == prompt_hash and _shape(call.step) == _shape(step):
                    return self._recovered.pop(place)
        return None

    def _send(self, call: Call) -> None:
        key = f"calls/{self._story}/{self._claim:08d}/{call.created:%Y%m%d%H%M%S%f}-{call.id}"
        self._results.put(key, zlib.compress(call.model_dump_json().encode()))
        with self._lock:
            self._found.append(key)


def _shape(step: str) -> str:
    """Return a step without the ids in it."""
    return _ID.sub("*", step)


def _read(content: bytes | None) -> Call | None:
    """Return a call as it was sent; None for one whose worker was killed as it sent it."""
    try:
        return None if content is None else Call.model_validate_json(zlib.decompress(content))
    except (ValidationError, zlib.error):
        return None
