"""The evidence of findings, in a writer's words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.continuity.chronicle import Chronicle
from graph_flow.continuity.finding import Evidence
from store.models.prototype import AnyEntity


def label(chronicle: Chronicle, entity_id: str) -> str:
    """Return what a writer calls an entity."""
    return chronicle.names.of(entity_id)


def evidence(chronicle: Chronicle, *entities: AnyEntity) -> tuple[Evidence, ...]:
    """Return entities as evidence, each with the chapter that first tells of it."""
    names = chronicle.names
    return tuple(
        Evidence(
            id=entity.id, label=capital(names.label(entity)), chapter=chronicle.told_in(entity.id)
        )
        for entity in entities
    )


def in_chapters(chapters: Sequence[int]) -> str:
    """Return chapters in words: "chapter 3", "chapters 3 and 7"."""
    *first, last = (str(chapter) for chapter in chapters)
    return f"chapters {', '.join(first)} and {last}" if first else f"chapter {last}"


def capital(text: str) -> str:
    """Return a text that begins a sentence."""
    return text[:1].upper() + text[1:]
