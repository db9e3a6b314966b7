"""The colours of the pictures: from the theme if they carry no meaning, fixed if they do. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from store.models.cast import RelationshipKind
from store.models.plot import LinkKind, Part

INK: Final = "var(--st-text-color)"
PAPER: Final = "var(--st-background-color)"
SHADE: Final = "var(--st-secondary-background-color)"
ACCENT: Final = "var(--st-primary-color)"
FAINT: Final = "var(--st-gray-color)"
GREEN: Final = "var(--st-green-color)"
ORANGE: Final = "var(--st-orange-color)"
RED: Final = "var(--st-red-color)"
LINE: Final = "var(--st-border-color)"
"""Colours of the theme; the browser resolves them, so a picture follows light and dark mode."""

TIE_COLORS: Final[Mapping[RelationshipKind, str]] = {
    RelationshipKind.KINSHIP: "#98683A",
    RelationshipKind.MARRIAGE: "#A0487C",
    RelationshipKind.ROMANCE: "#CC4A86",
    RelationshipKind.FRIENDSHIP: "#3F8A43",
    RelationshipKind.ALLIANCE: "#23888C",
    RelationshipKind.MENTORSHIP: "#3F7BC4",
    RelationshipKind.SERVICE: "#7C776D",
    RelationshipKind.RIVALRY: "#C7641D",
    RelationshipKind.DISTRUST: "#8D63C4",
    RelationshipKind.ENMITY: "#C93C36",
    RelationshipKind.DEBT: "#8A7A12",
}
"""Of medium lightness, to stand out from light and from dark backgrounds."""

LINK_COLORS: Final[Mapping[LinkKind, str]] = {
    LinkKind.CAUSES: "#23888C",
    LinkKind.ENABLES: "#3F8A43",
    LinkKind.FORESHADOWS: "#8D63C4",
    LinkKind.PAYS_OFF: "#C7641D",
    LinkKind.CONTRADICTS: "#C93C36",
    LinkKind.PARALLELS: "#3F7BC4",
    LinkKind.BEFORE: "#7C776D",
}

PART_COLORS: Final[Mapping[Part, str]] = {
    Part.ACTS: "#23888C",
    Part.IS_AFFECTED: "#C7641D",
    Part.WITNESSES: "#8D63C4",
    Part.IS_TOLD: "#7C776D",
}
