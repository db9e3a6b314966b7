"""Let the tables follow the models: opening a library adds columns for new fields.

So a new field with a default needs no migration of its own, in an entity or in any other record.
What was written before it has its default, which a Delta leaves out too, so no hash changes.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Union, get_args, get_origin

import sqlite_utils
from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from store.database.migrations import EDGES, create_triples
from store.database.rows import Value, column, structured_fields
from store.models.base import dump_json
from store.models.desk.consistency import CheckedChapter
from store.models.desk.contents import Contents
from store.models.desk.evaluation import (
    EvaluatedChapter,
    EvaluatedInterval,
    Evaluation,
    ReaderScores,
)
from store.models.desk.judge import JudgeCard
from store.models.desk.mystery import Mystery
from store.models.desk.pairs import PairTrial
from store.models.desk.suggestion import Suggestion
from store.models.desk.talk import TalkTurn
from store.models.desk.telling import Telling
from store.models.edits.comparison import TextComparison
from store.models.fields import shown_fields
from store.models.manuscript import Draft, MarginNote, WritingNotes, WritingPlan
from store.models.outline import Outline
from store.models.proposals import Candidate, Configuration, Goal, Score, Verdict
from store.models.prototype import ENTITY_TYPES, EntityKind
from store.models.run import Call, Run
from store.models.story import Branch, Story

TABLES: Mapping[EntityKind, str] = {kind: f"{kind}s" for kind in ENTITY_TYPES}
"""The table that holds each kind of entity."""

_RECORDS: Mapping[str, type[BaseModel]] = {
    "stories": Story,
    "branches": Branch,
    "configurations": Configuration,
    "outlines": Outline,
    "goals": Goal,
    "candidates": Candidate,
    "scores": Score,
    "verdicts": Verdict,
    "writing_notes": WritingNotes,
    "plans": WritingPlan,
    "drafts": Draft,
    "runs": Run,
    "calls": Call,
    "talk_turns": TalkTurn,
    "suggestions": Suggestion,
    "margin_notes": MarginNote,
    "comparisons": TextComparison,
    "contents": Contents,
    "tellings": Telling,
    "evaluations": Evaluation,
    "evaluated_chapters": EvaluatedChapter,
    "evaluated_intervals": EvaluatedInterval,
    "reader_scores": ReaderScores,
    "checked_chapters": CheckedChapter,
    "judge_cards": JudgeCard,
    "pair_trials": PairTrial,
    "mysteries": Mystery,
}
"""The tables of what is not versioned, with what a row of each holds."""

_MODELS: Mapping[str, type[BaseModel]] = {
    **{table: ENTITY_TYPES[kind] for kind, table in TABLES.items()},
    **_RECORDS,
}

_OF_A_VERSION = frozenset({"commit_id", "branch_id", "chapter", "ordinal", "removed", "name_key"})

_BESIDE_FIELDS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(TABLES.values(), _OF_A_VERSION),
    **dict.fromkeys(
        ("goals", "candidates", "verdicts", "writing_notes", "plans"),
        frozenset({"newest_branch"}),
    ),
    **dict.fromkeys(
        ("margin_notes", "comparisons", "contents", "tellings"),
        frozenset({"newest_branch"}),
    ),
    "stories": frozenset({"open_branch"}),
    "scores": frozenset({"candidate", "position"}),
    "drafts": frozenset({"newest_branch", "words", "plan", "fingerprint"}),
    "outlines": frozenset({"newest_branch", "number", "origin"}),
}
"""The columns that are not fields."""

_WITHOUT_COLUMN: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(TABLES.values(), frozenset({"kind"})),
    "candidates": frozenset({"scores"}),
}
"""The fields that the table's name says, or that another table holds."""


def unknown_columns(database: sqlite_utils.Database) -> list[str]:
    """Return the columns, as "table.column", that this version's models do not have."""
    return [
        f"{table}.{name}"
        for table, model in _MODELS.items()
        for name in _columns(database, table)
        if name not in model.model_fields and name not in _BESIDE_FIELDS.get(table, ())
    ]


def has_missing_columns(database: sqlite_utils.Database) -> bool:
    """Return whether a field still lacks a column that can be added."""
    return next(_missing(database), None) is not None


def add_missing_columns(database: sqlite_utils.Database) -> None:
    """Add a column for every field that has none, and show all of the entities as triples."""
    for table, name in list(_missing(database)):
        model = _MODELS[table]
        database.table(table).add_column(
            name, _type_of(model, name), not_null_default=_default_of(model, name)
        )
    database.execute("DROP VIEW triples")
    create_triples(database, *_triples())


def _missing(database: sqlite_utils.Database) -> Iterator[tuple[str, str]]:
    """Yield the fields without a column, except those without a default: they need a migration."""
    for table, model in _MODELS.items():
        there = {*_columns(database, table), *_WITHOUT_COLUMN.get(table, ())}
        for name, field in model.model_fields.items():
            if name not in there and not field.is_required():
                yield table, name


def _columns(database: sqlite_utils.Database, table: str) -> list[str]:
    return [row["name"] for row in database.query(f"PRAGMA table_info({table})")]


def _default_of(model: type[BaseModel], name: str) -> Value:
    """Return the value of a column for versions that were written before it; None: nothing."""
    default = model.model_fields[name].get_default(call_default_factory=True)
    if name in structured_fields(model) and default is not None:
        return dump_json(to_jsonable_python(default))
    return column(default)


def _type_of(model: type[BaseModel], name: str) -> type:
    if name in structured_fields(model):
        return str
    scalars = set(_scalars(model.model_fields[name].annotation))
    return next((one for one in (int, float) if any(issubclass(s, one) for s in scalars)), str)


def _scalars(annotation: Any) -> Iterator[type]:
    """Yield the types that a value may have."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _scalars(get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for part in get_args(annotation):
            yield from _scalars(part)
    elif isinstance(annotation, type):
        yield annotation


def _triples() -> tuple[
    dict[str, tuple[str, ...]], dict[str, tuple[str, str, str, tuple[str, ...]]]
]:
    """Return the node and edge tables with all their fields, for the view of triples."""
    fields = {TABLES[kind]: tuple(shown_fields(model)) for kind, model in ENTITY_TYPES.items()}
    edges = {
        table: (*parts[:3], tuple(one for one in fields[table] if one not in parts[:3]))
        for table, parts in EDGES.items()
    }
    return {table: those for table, those in fields.items() if table not in EDGES}, edges
