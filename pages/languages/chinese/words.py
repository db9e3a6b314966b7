"""The words that pages use for a writer, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from store.models.cast import Awareness, Relationship
from store.models.manuscript import DraftState
from store.models.plot import LinkKind, Part

DRAFT_STATES: Mapping[DraftState | None, str] = {
    None: "未写",
    DraftState.WRITING: "正在写",
    DraftState.DRAFTED: "已成稿",
    DraftState.REVISED: "已修订",
    DraftState.EDITED: "已编辑",
    DraftState.APPROVED: "已定稿",
}

PARTS: Mapping[Part, str] = {
    Part.ACTS: "行动",
    Part.IS_AFFECTED: "受影响",
    Part.WITNESSES: "目睹",
    Part.IS_TOLD: "听说",
}

LINKS: Mapping[LinkKind, tuple[str, str]] = {
    LinkKind.CAUSES: ("导致", "起因于"),
    LinkKind.ENABLES: ("促成", "得益于"),
    LinkKind.FORESHADOWS: ("预示", "预示于"),
    LinkKind.PAYS_OFF: ("回应", "回应于"),
    LinkKind.CONTRADICTS: ("矛盾于", "矛盾于"),
    LinkKind.PARALLELS: ("呼应", "呼应"),
    LinkKind.BEFORE: ("先于", "后于"),
}
"""How a link between events reads forwards, and backwards."""


def link_words(link: LinkKind) -> str:
    """Return how a link reads from its first event to its second."""
    return LINKS[link][0]


def unknown_to(relationship: Relationship, source: str, target: str) -> str:
    """Say who does not know of a relationship; empty if both do."""
    match relationship.awareness:
        case Awareness.MUTUAL:
            return ""
        case Awareness.ONE_SIDED:
            return f"{target}不知道"
        case Awareness.HIDDEN:
            return "双方都保密" if relationship.is_mutual else f"{source}对此保密"
