"""What is known of a field beside its type: what a writer calls it, what it means, and what is done with it.

A field says so itself: `motivation: Annotated[Line, Shown("Motivation", "What the person wants.")]`.
Forms, sentences, locks, search and exports all read it here, so that a field has one name everywhere
and a new one appears wherever fields of its sort do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from pydantic import BaseModel

BOOKKEEPING = frozenset({"id", "kind", "invented", "locked"})
"""The fields of an entity that say nothing of the story."""


@dataclass(frozen=True)
class Shown:
    """What is known of a field that a writer sees.

    `label` is a noun, as forms and lists show it; `meaning` is a sentence that says what belongs in
    the field. What is searched is also what an agent may be kept from knowing.
    """

    label: str
    meaning: str
    is_long: bool = False
    """Whether it is written in sentences, and so needs more room than a line."""
    is_plural: bool = False
    """Whether a sentence says that it "are", not that it "is"."""
    is_searched: bool = False
    """Whether its words are indexed, to be searched and to be retrieved by."""
    is_rewordable: bool = False
    """Whether the writer can put it in other words in a candidate."""
    is_changed_by_agents: bool = False
    """Whether an agent that plots a chapter may change it in what is there already."""

    @property
    def words(self) -> str:
        """The label as it stands within a sentence."""
        return self.label[:1].lower() + self.label[1:]


@cache
def shown_fields(model: type[BaseModel]) -> Mapping[str, Shown]:
    """Return what is known of the fields of a model, by name, in the model's order."""
    return MappingProxyType(
        {
            name: one
            for name, field in model.model_fields.items()
            for one in field.metadata
            if isinstance(one, Shown)
        }
    )


def shown(record: BaseModel | type[BaseModel], field: str) -> Shown:
    """Return what is known of a field.

    Raises:
        KeyError: if it is no field that a writer sees.
    """
    return shown_fields(record if isinstance(record, type) else type(record))[field]


def field_words(record: BaseModel, field: str) -> str:
    """Return what a sentence calls a field.

    A lock or a mark may name what is no field, in a file that comes from elsewhere: it is then
    called as it stands there.
    """
    known = shown_fields(type(record)).get(field)
    return known.words if known else field.replace("_", " ")
