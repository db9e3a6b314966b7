"""The words of the pictures."""

from __future__ import annotations

from collections.abc import Mapping

from pages.components import words as wording
from pages.components.words.speaking import speaks
from store.models.cast import Relationship, RelationshipKind
from store.models.plot import Event, Participation

# What is drawn in the Role Graph

RELATIONSHIPS: Mapping[RelationshipKind, str] = {
    RelationshipKind.KINSHIP: "kinship",
    RelationshipKind.MARRIAGE: "marriage",
    RelationshipKind.ROMANCE: "romance",
    RelationshipKind.FRIENDSHIP: "friendship",
    RelationshipKind.ALLIANCE: "alliance",
    RelationshipKind.MENTORSHIP: "mentorship",
    RelationshipKind.SERVICE: "service",
    RelationshipKind.RIVALRY: "rivalry",
    RelationshipKind.DISTRUST: "distrust",
    RelationshipKind.ENMITY: "enmity",
    RelationshipKind.DEBT: "debt",
}
"""What each kind of relationship is called."""


def relationship_kind(relationship: Relationship) -> str:
    """Return what a relationship is called: its kind, with the writer's own name for it."""
    kind = RELATIONSHIPS[relationship.tie]
    return f"{kind} (“{relationship.called}”)" if relationship.called else kind


def relationship_sentence(relationship: Relationship, source: str, target: str) -> str:
    """Return a relationship in words: "Mara: distrust towards Hale, 7 of 10"."""
    kind = relationship_kind(relationship)
    sentence = (
        f"{source} and {target}: {kind}"
        if relationship.is_mutual
        else f"{source}: {kind} towards {target}"
    )
    knows = f"; {said}" if (said := wording.unknown_to(relationship, source, target)) else ""
    return f"{sentence}, {relationship.strength} of 10{knows}"


def relationship_ended(sentence: str) -> str:
    """Return the sentence of a relationship that the chapter ended."""
    return f"{sentence}; ended"


# What is drawn in the Plot Graph and the timeline

OCCURRENCE = "takes place here"
OTHERS_LANE = "Others"


def chapter_heading(chapter: int) -> str:
    """Return the heading of a chapter, including chapter 0."""
    return f"Chapter {chapter}" if chapter else "Before the story"


def participation(part: Participation) -> str:
    """Say how somebody takes part in an event, and what they feel."""
    words = wording.PARTS[part.part]
    return f"{words}, {part.emotion}" if part.emotion else words


def event_tooltip(event: Event, part: Participation | None) -> str:
    """Say in up to three lines what happens, how somebody takes part in it, and when it is."""
    lines = (event.title, participation(part) if part else "", event.story_date)
    return "\n".join(line for line in lines if line)


# Legends

STRENGTH = "the wider, the stronger"
NOT_MUTUAL = "felt by one only"
DEAD = "dead"
MISSING = "missing"
PERSON = "person"
EVENT = "event"
PLACE = "place"
TAKES_PART = "takes part"
WITNESSES = "sees it or hears of it"
TAKES_PLACE = "takes place there"
TOLD_OUT_OF_ORDER = "told out of order"
TOLD_NOW = "told in this chapter"
ONE_SIDE_ONLY = "only on this side"
DIFFERS = "differs"
NEW = "new in this chapter"
CHANGED = "changed in this chapter"
ENDED = "ends in this chapter"

# The buttons of a picture

ZOOM_OUT = "Smaller"
ZOOM_IN = "Larger"
FIT = "Whole picture"
SAVE_PNG = "Save as PNG"
SAVE_SVG = "Save as SVG"
NOT_DRAWN = "The picture cannot be drawn: reload the page to try again."

# The strip of the whole story

OVERVIEW = "Where in the story this is"
OVERVIEW_EARLIER = "Earlier chapters"
OVERVIEW_LATER = "Later chapters"
OVERVIEW_CHAPTERS = "Chapters {first} to {last} of {newest}"
"""The browser puts the numbers in, as it shows where a click leads before the page runs again."""


speaks(__name__)
