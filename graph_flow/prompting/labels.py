"""Labels by which an answer names parts of the story, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from store.models.prototype import AnyEntity

E = TypeVar("E", bound=AnyEntity)


class Labels:
    """Gives labels to what a prompt lists, and knows what they mean."""

    def __init__(self) -> None:
        self.named: dict[str, AnyEntity] = {}
        """Entities by label: "E3", "P1"."""

    def of(self, letter: str, entities: Iterable[E], line: Callable[[E], str]) -> list[str]:
        """Return a line for each entity, with its label before it: "P1. Mara (keeper)."."""
        lines = []
        for number, entity in enumerate(entities, start=1):
            self.named[f"{letter}{number}"] = entity
            lines.append(f"{letter}{number}. {line(entity)}")
        return lines


def label_said(text: str) -> str:
    """Return a label as it is listed, however it was put: " e3." is "E3"."""
    return text.strip(" .[]()").upper()
