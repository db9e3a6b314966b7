"""What is known about a field besides its type: its label, its meaning, and its uses.

A field declares this itself:
`motivation: Annotated[Line, Shown("Motivation", "What the person wants.")]`.
Forms, sentences, locks, search and exports all read it here, so a field has one name everywhere,
and a new one appears wherever fields of its sort do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from pydantic import BaseModel

BOOKKEEPING = frozenset({"id", "kind", "invented", "locked"})
"""The fields of an entity that say nothing about the story."""


@dataclass(frozen=True)
class Shown:
    """What is known about a field that the writer sees.

    `label` is a noun, as forms and lists show it; `meaning` is a sentence that says what belongs in
    the field. A searched field is also one that an agent may be kept from knowing.
    """

    label: str
    meaning: str
    is_long: bool = False
    """Whether it holds sentences, and so needs more than one line."""
    is_plural: bool = False
    """Whether a sentence says "are" of it, not "is"."""
    is_searched: bool = False
    """Whether its words are indexed, for search and retrieval."""
    is_rewordable: bool = False
    """Whether the writer can reword it in a candidate."""
    is_changed_by_agents: bool = False
    """Whether an agent that plots a chapter may change it in what already exists."""

    @property
    def words(self) -> str:
        """The label as it is written within a sentence."""
        return self.label[:1].lower() + self.label[1:]


@cache
def shown_fields(model: type[BaseModel]) -> Mapping[str, Shown]:
    """Return what is known about the fields of a model, by name, in the model's order."""
    return MappingProxyType(
        {
            name: one
            for name, field in model.model_fields.items()
            for one in field.metadata
            if isinstance(one, Shown)
        }
    )


def shown(record: BaseModel | type[BaseModel], field: str) -> Shown:
    """Return what is known about a field.

    Raises:
        KeyError: if the writer sees no such field.
    """
    return shown_fields(record if isinstance(record, type) else type(record))[field]


def field_words(record: BaseModel, field: str) -> str:
    """Return what a sentence calls a field.

    In a file from elsewhere, a lock or a mark may name something that is not a field; its name is
    then used as it is.
    """
    known = shown_fields(type(record)).get(field)
    return known.words if known else field.replace("_", " ")
