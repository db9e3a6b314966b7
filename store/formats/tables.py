"""The story as tables: a zip of CSV files, one for each kind of thing, for spreadsheets.

The texts come from models and files, so a cell that a spreadsheet would take for a formula
begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator

from store.formats.extract import Cell, Extract, cell_of, name_of, writable
from store.models.fields import shown_fields
from store.models.prototype import ENTITY_TYPES, REFERENCES, SINGLE, EntityKind, Snapshot

_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The oldest date that a zip can hold: the same story makes the same file on any day."""
_MARK_OF_UTF_8 = "\ufeff"
"""Without it, Excel misreads names in other scripts."""


def export_tables(extract: Extract) -> bytes:
    """Return a zip with a CSV file, in UTF-8, for each kind of thing, and one for the traits."""
    snapshot = extract.snapshot
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for kind in ENTITY_TYPES:
            _add(
                archive,
                kind if kind in SINGLE else f"{kind}s",
                _table(snapshot, kind),
            )
        _add(archive, "traits", _traits(snapshot))
    return packed.getvalue()


def _add(archive: zipfile.ZipFile, name: str, rows: Iterable[list[Cell]]) -> None:
    text = io.StringIO()
    text.write(_MARK_OF_UTF_8)
    csv.writer(text).writerows([_safe(cell) for cell in row] for row in rows)
    entry = zipfile.ZipInfo(f"{name}.csv", _FIRST_DAY)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text.getvalue().encode())


def _table(snapshot: Snapshot, kind: EntityKind) -> Iterator[list[Cell]]:
    model = ENTITY_TYPES[kind]
    fields = [field for field in shown_fields(model) if field != "traits"]
    ends = REFERENCES.get(kind, {})
    yield ["id", "from_chapter", *fields, *(f"{end}_name" for end in ends)]
    for entity in snapshot.of(model):
        told = [cell_of(getattr(entity, field)) for field in fields]
        named = [name_of(snapshot.entities[getattr(entity, end)]) for end in ends]
        yield [entity.id, snapshot.first_chapter_of(entity.id), *told, *named]


def _traits(snapshot: Snapshot) -> Iterator[list[Cell]]:
    yield ["character", "character_name", "name", "value"]
    for person in snapshot.characters:
        for trait in person.traits:
            yield [person.id, writable(person.name), writable(trait.name), writable(trait.value)]


def _safe(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet takes for a formula; a number is safe already."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
