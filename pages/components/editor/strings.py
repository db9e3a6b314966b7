"""The words of the editor of one story element."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pages.components.words.speaking import speaks
from store.models.prototype import EntityKind

# What is edited, and the buttons below it

ADDING: Mapping[EntityKind, str] = {
    "character": "Add a person",
    "relationship": "Add a relationship",
    "scene": "Add a place",
    "event": "Add an event",
    "participation": "Add a part",
    "event_link": "Add a link",
    "thread": "Add a thread",
}
EDITING: Mapping[EntityKind, str] = {
    "character": "Edit this person",
    "relationship": "Edit this relationship",
    "scene": "Edit this place",
    "event": "Edit this event",
    "participation": "Edit this part",
    "event_link": "Edit this link",
    "thread": "Edit this thread",
}
NOT_IN_CHAPTER = "This is not in the story at this chapter."
SAVE = "Save"
DISCARD = "Discard changes"


def changes_the_past(chapter: int, newest: int) -> str:
    """Say that what is edited is an earlier state of the story."""
    when = f"chapter {chapter}" if chapter else "the beginning"
    return (
        f"You are changing {when}; this carries forward to chapter {newest} unless a later "
        "chapter changed the same thing."
    )


# What can be added

ADD = "Add"
ADDITIONS: Mapping[str, str] = {
    "person": "A person",
    "tie": "A relationship",
    "event": "An event",
    "link": "A link between events",
    "scene": "A place",
    "thread": "A thread",
}
NEW_PERSON = "Someone new"
NEW_EVENT = "A new event"
NEW_PLACE = "A new place"
NEW_THREAD = "A new thread"
NO_PLACE = "nowhere in particular"

# A person

TRAITS_HELP = "Whatever your genre needs: rank, magic, a price on their head …"
TRAIT_ADD = "Add a line"
TRAIT_REMOVE = "Remove this line"
NEW_TRAIT = "Something else"

# A relationship

RELATIONSHIP_SWAP = "Swap the two"

# An event

OFFERED_AROUND = "Offer places and events around chapter"
PARTS = "Who takes part"
PARTS_NOBODY = "There is nobody yet to take part."
PART_ADD = "Add somebody"
PART_REMOVE = "Remove them"
LINKS = "What leads to what"
LINKS_NO_OTHER = "Add another event to say what leads to what."
LINK_ADD = "Add a link"
LINK_REMOVE = "Remove this link"
SIDES: Mapping[str, str] = {
    "told": "when it is told",
    "before": "right before",
    "after": "right after",
}
"""When an event happens, by `editor.event.Side`; the last two are followed by another event."""


def happens(side: str, other: str) -> str:
    """Say when an event happens; `other` is the title of the event before or after it."""
    return f"{SIDES[side]} “{other}”" if other else SIDES[side]


def event_of(title: str, chapter: int) -> str:
    """Return an event with the chapter that tells it; chapter 0 is what came before the story."""
    return f"{chapter or 'before the story'} · {title}"


def bearing(link: str) -> str:
    """Return how the event bears on another; `link` is a verb: "this causes"."""
    return f"this {link}"


def link_heading(event: str) -> str:
    """Return the heading of a link that is edited on its own."""
    return f"“{event}”: how it relates to another event"


# What became of a draft

UNSAVED_FIELD = "One of the fields cannot be saved as it is: see the note below it."
REMOVED_MEANWHILE = "This was removed from the story in the meantime. What you typed is still here."
UNDONE = "Undone."
NOT_UNDONE = (
    "Something else has been done since, so this cannot be undone on its own. On the History page "
    "you can undo one step after another."
)


def changed_meanwhile(fields: Iterable[str]) -> str:
    """Say which of the edited fields have changed in the story since."""
    return (
        f"The story has changed, perhaps in another window ({'; '.join(fields)}). What you typed "
        "is still here: save again to replace those changes."
    )


def field_of(entity: str, field: str) -> str:
    """Return a field with what it belongs to."""
    return f"{entity}: {field}"


speaks(__name__)
