"""A change that an answer wants to make to a field of something in the story. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, StringConstraints, ValidationError

from graph_flow.prompting.whole import Required, WholeAnswer, WholeName
from store.deltas.delta import apply, diff
from store.errors import DeltaInvalid
from store.models.fields import shown_fields
from store.models.prototype import REFERENCES, AnyEntity, Snapshot

_VALUE = 4_000
_FIXED = frozenset({"position", "state", "planted_in", "paid_off_in", "story_order", "aliases"})
"""Fields that an answer cannot change: what holds the story together, and lists."""


def _as_value(said: object) -> object:
    return str(said) if isinstance(said, int | float) else said


class WholeChange(WholeAnswer):
    """A field of something in the story, and what it should say instead."""

    of: Annotated[WholeName, Required]
    field: Annotated[WholeName, Required]
    value: Annotated[str, BeforeValidator(_as_value), StringConstraints(max_length=_VALUE)] = ""


def field_of(entity: AnyEntity, said: str) -> str | None:
    """Return the field that an answer means, by its name or its label; None if it cannot be changed."""
    words = " ".join(said.replace("_", " ").casefold().split())
    fixed = _FIXED | set(REFERENCES.get(entity.kind, {}))
    return next(
        (
            name
            for name, field in shown_fields(type(entity)).items()
            if name not in fixed and words in {name.replace("_", " "), field.label.casefold()}
        ),
        None,
    )


def with_value(entity: AnyEntity, field: str, value: str) -> AnyEntity | None:
    """Return an entity with another value in a field; None if it cannot have that."""
    try:
        return type(entity).model_validate({**dict(entity), field: value})
    except ValidationError:
        return None


def fits(story: Snapshot, entities: Mapping[str, AnyEntity]) -> bool:
    """Return whether a story can become one with these entities."""
    delta = diff(story, story.model_copy(update={"entities": dict(entities)}))
    try:
        apply(story, delta, story.chapter)
    except DeltaInvalid:
        return False
    return True
