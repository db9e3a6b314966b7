"""Every call to a model, with its prompt and its answer, which are kept packed."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import sqlite_utils
from cachetools import LRUCache

from store.database.database import Database, Row
from store.database.packing import MOST_SHARED, Shared, Unreadable, dictionary_of, pack, unpack
from store.database.records import put
from store.database.rows import Value, column, from_row, now, to_row
from store.errors import LibraryDamaged, LibraryUnavailable
from store.models.run import Call, Outcome
from store.prototype.lineage import LINE, bounds
from store.records.unwritten import Held

LONG = ("prompt", "answer", "sources")
"""The columns that are packed."""

FINISHED_CALL = """
branch = :branch AND step = :step AND prompt_hash = :hash AND outcome = :ok
ORDER BY created DESC, rowid DESC
"""
OF_STEP = """
branch = :branch AND step = :step AND prompt_hash = :hash ORDER BY created, rowid
"""
_BEGUN = """
SELECT 1 FROM calls
WHERE branch = :branch AND step = :step AND run = :run AND created <= :by LIMIT 1
"""
_OF_CHAPTER = f"""{LINE}
SELECT calls.* FROM line JOIN calls ON calls.branch = line.branch_id
WHERE calls.step >= :first AND calls.step < :after AND line.last_chapter >= :of
ORDER BY calls.created DESC, calls.rowid DESC LIMIT :limit
"""
"""Steps are called "7/2/role/0/1" or "7/text/1/plan"; a common beginning is a range of the index."""

_BEGINNING = 120
"""Characters by which the instructions of a prompt are told from those of other prompts."""
_SHORTEST = 1_500
"""Characters from which on a prompt has instructions that are worth keeping as a dictionary."""
_MOST_DICTIONARIES = 12
"""Dictionaries for one agent, of whose prompts every one may begin differently."""
_NEWEST_DICTIONARY = """
SELECT number, checksum, beginning = :beginning AS is_its_own, count(*) OVER () AS dictionaries
FROM dictionaries WHERE agent = :agent ORDER BY is_its_own DESC, number DESC LIMIT 1
"""


class CallRecords:
    """Keeps the calls of all branches.

    Prompts of an agent have their instructions and much of the story in common. So the first prompt
    with certain instructions is kept as a dictionary, with which later ones take less space.

    A call that the library cannot take for now, because the disk is full or another program is writing,
    is held in memory. To this process it is as good as written.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._dictionaries = Dictionaries(database)
        self._held: Held[Call] = Held()

    def record_call(self, call: Call) -> None:
        """Keep a call in the ledger, in place of one with the same id.

        One that cannot be written now is held, so that what it brought is not lost.
        """
        try:
            self._write([call])
        except LibraryUnavailable:
            self._held.hold(call.id, call)

    @property
    def has_held(self) -> bool:
        """Whether a call is held that could not be written."""
        return not self._held.is_empty

    def write_held(self) -> None:
        """Write the calls that could not be written before, if there are any.

        Raises:
            LibraryUnavailable: if they cannot be written now either; they are still held then.
        """
        if self._held.is_empty:
            return
        with self._held.written() as calls:
            self._write(calls.values())

    def _write(self, calls: Iterable[Call]) -> None:
        with self._database.write() as database:
            for call in calls:
                put(database, "calls", self.packed(database, to_row(call)))

    def packed(self, database: sqlite_utils.Database, row: Mapping[str, Value]) -> dict[str, Value]:
        """Return a row of a call with its long texts packed, within a transaction.

        Raises:
            LibraryDamaged: if one of them is packed already, and cannot be read.
        """
        row = self._unpacked(row)
        shared = self._dictionaries.for_prompt(database, str(row["agent"]), str(row["prompt"]))
        return {**row, **{name: pack(str(row[name]), shared) for name in LONG}}

    def finished_call(self, branch: str, step: str, prompt_hash: str) -> Call | None:
        """Return the newest call of a step that succeeded with exactly this prompt, if any."""
        held = [
            one for one in self._held_of(branch, step, prompt_hash) if one.outcome is Outcome.OK
        ]
        if held:
            return held[-1]
        values = {"branch": branch, "step": step, "hash": prompt_hash, "ok": Outcome.OK.value}
        found = self._where(f"{FINISHED_CALL} LIMIT 1", values)
        return found[0] if found else None

    def calls_of_step(self, branch: str, step: str, prompt_hash: str) -> list[Call]:
        """Return all calls of a step with exactly this prompt, the oldest first."""
        values = {"branch": branch, "step": step, "hash": prompt_hash}
        return self._where(OF_STEP, values) + self._held_of(branch, step, prompt_hash)

    def _held_of(self, branch: str, step: str, prompt_hash: str) -> list[Call]:
        wanted = (branch, step, prompt_hash)
        held = self._held.all().values()
        return [one for one in held if (one.branch, one.step, one.prompt_hash) == wanted]

    def has_begun(self, branch: str, run_id: str, step: str, by: datetime) -> bool:
        """Return whether a run on a branch had made a call for a step by a moment."""
        values = {"branch": branch, "run": run_id, "step": step, "by": column(by)}
        return self._database.row(_BEGUN, values) is not None

    def has_called(self, run_id: str, step: str) -> bool:
        """Return whether a run has called a model in a step whose name begins like this."""
        row = self._database.row(
            "SELECT 1 FROM calls WHERE run = :run AND substr(step, 1, length(:step)) = :step LIMIT 1",
            {"run": run_id, "step": step},
        )
        return row is not None

    def newest(self, branch: str, limit: int = 100) -> list[Call]:
        """Return the newest calls of a branch, the newest first."""
        return self._where(
            "branch = :branch ORDER BY created DESC, rowid DESC LIMIT :limit",
            {"branch": branch, "limit": limit},
        )

    def of_chapter(self, branch: str, chapter: int, limit: int, *, is_text: bool) -> list[Call]:
        """Return the newest calls for a chapter's plot or text along a line, the newest first."""
        first, after = (
            (f"{chapter}/text/", f"{chapter}/text0")
            if is_text
            else (f"{chapter}/0", f"{chapter}/:")
        )
        return self._between(branch, chapter, limit, (first, after))

    def of_outlines(self, branch: str, limit: int) -> list[Call]:
        """Return the newest calls for outlines along a branch's line, the newest first."""
        return self._between(branch, 0, limit, ("0/outline/", "0/outline0"))

    def _between(self, branch: str, chapter: int, limit: int, steps: tuple[str, str]) -> list[Call]:
        first, after = steps
        values = {"of": chapter, "first": first, "after": after, "limit": limit}
        return self._read(self._database.rows(_OF_CHAPTER, bounds(branch) | values))

    def _where(self, condition: str, values: Mapping[str, object]) -> list[Call]:
        # Conditions are constants of the store; what comes from outside is bound as a value.
        return self._read(self._database.rows(f"SELECT * FROM calls WHERE {condition}", values))

    def _read(self, rows: Iterable[Row]) -> list[Call]:
        return [from_row(Call, self._unpacked(row)) for row in rows]

    def _unpacked(self, row: Mapping[str, Any]) -> Row:
        try:
            texts = {
                name: unpack(row[name], self._dictionaries.content(row[name])) for name in LONG
            }
        except Unreadable as error:
            raise LibraryDamaged("The prompt of a call cannot be read any more.") from error
        return {**row, **texts}


class Dictionaries:
    """The texts that prompts share; each is kept once, and never changed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._read: LRUCache[tuple[int, int], bytes] = LRUCache(_KEPT)

    def for_prompt(self, database: sqlite_utils.Database, agent: str, prompt: str) -> Shared | None:
        """Return what a prompt shares with others that begin like it, keeping it if it is the first.

        None: it is short, and there is nothing of its agent yet.
        """
        beginning = zlib.crc32(prompt[:_BEGINNING].encode("utf-8", "surrogatepass"))
        values = {"agent": agent, "beginning": beginning}
        row = database.execute(_NEWEST_DICTIONARY, values).fetchone()
        number, checksum, has_own, count = row or (0, 0, False, 0)
        if not has_own and count < _MOST_DICTIONARIES and len(prompt) >= _SHORTEST:
            return self._keep(database, values, prompt)
        return Shared(number, self._content(number, checksum)) if row else None

    def content(self, packed: str | bytes) -> bytes:
        """Return the dictionary that a text was packed with; empty if it was packed with none."""
        number = dictionary_of(packed)
        if number is None:
            return b""
        row = self._database.row(
            "SELECT checksum FROM dictionaries WHERE number = :number", {"number": number}
        )
        if row is None:
            raise Unreadable("the dictionary of a text is gone")
        return self._content(number, row["checksum"])

    def _keep(
        self, database: sqlite_utils.Database, values: Mapping[str, object], prompt: str
    ) -> Shared:
        content = prompt.encode("utf-8", "surrogatepass")[:MOST_SHARED]
        kept = database.execute(
            "INSERT INTO dictionaries (agent, beginning, content, checksum, created) "
            "VALUES (:agent, :beginning, :content, :checksum, :created)",
            {
                **values,
                "content": zlib.compress(content, 9),
                "checksum": zlib.crc32(content),
                "created": column(now()),
            },
        )
        return Shared(int(kept.lastrowid or 0), content)

    def _content(self, number: int, checksum: int) -> bytes:
        # A library can be replaced while it is open; its dictionaries have other checksums then.
        with self._lock:
            kept = self._read.get((number, checksum))
        if kept is not None:
            return kept
        row = self._database.row(
            "SELECT content FROM dictionaries WHERE number = :number", {"number": number}
        )
        try:
            content = zlib.decompress(row["content"]) if row else b""
        except zlib.error as error:
            raise Unreadable("a dictionary cannot be read") from error
        if zlib.crc32(content) != checksum:
            raise Unreadable("a dictionary is not what it was")
        with self._lock:
            self._read[number, checksum] = content
        return content


_KEPT = 64
"""Dictionaries in memory, of 32 kB at most."""
