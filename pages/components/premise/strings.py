"""The words of the Premise page."""

from __future__ import annotations

from collections.abc import Sequence

from pages.components.words import counted

# The page

TITLE = "Premise"
DRAFT_CAST = "Draft the cast"
FOUNDATION = "The foundation"
CAST = "The cast"
RELATIONSHIPS = "Relationships"

# What the writer types

PREMISE = "What is your story about?"
PREMISE_PLACEHOLDER = "A line is enough; two pages are welcome. Any language."
WISHES_FOLD = "Form, language, length, and what must or must not be in it"
FORM = "Form"
LANGUAGE = "Language"
LANGUAGE_PLACEHOLDER = "Same as the premise"
CHAPTER_CAP = "Maximum number of chapters"
WISHES = "What must be in it, and what must not?"
WISHES_EXAMPLE = "A happy ending for the dog. No magic."
RECALLED = "Your premise"
RECALLED_NONE = "Nothing was typed."


def wishes_recalled(wishes: str) -> str:
    """Return the wishes that the story began from."""
    return f"**Wishes:** {wishes}"


def premise_too_long(characters: int, limit: int) -> str:
    """Say that the model cannot read all of the premise, and what can be done."""
    return (
        f"Your premise has {characters:,} characters. The current model can read {limit:,}. It is kept "
        "as you typed it: shorten it, connect a larger model in Settings, or go on with its beginning."
    )


def premise_shorten(characters: int) -> str:
    """Return the label of the button that keeps only the beginning of the premise."""
    return f"Use the first {characters:,} characters"


# While the cast awaits approval, and after it

APPROVAL = (
    "This is a starting point: change whatever you like. Anything marked :orange-badge[invented] "
    "is not from your premise. Every change is saved at once."
)
APPROVE = "Approve and begin"
APPROVE_NO_CAST = "A story needs somebody in it: add a person, then go on."
DRAFT_AGAIN = "Draft again"
DRAFT_AGAIN_NOTE = "What should be different?"
START_OVER = "Draft the cast again"
PLOT_FIRST = "Plot the first chapter"

# The foundation

STORY_TITLE = "Title"

# The cast

PERSON_NEW_NAME = "Someone new"
PERSON_ADD = "Add a person"
PERSON_MORE = "More about them"
PERSON_DONE = "Done"
PERSON_REMOVE = "Remove"
PERSON_KEEP = "Keep"


def person_edit(name: str) -> str:
    """Return the label of the button that opens a person’s card."""
    return f"Edit {name}"


def person_remove_ask(name: str) -> str:
    """Return the label of the button that asks whether to remove a person."""
    return f"Remove {name} …"


def person_leaves(name: str, relationships: int) -> str:
    """Say what removing a person takes from the story."""
    leaves = f"{name} leaves the story."
    if not relationships:
        return leaves
    along = counted(relationships, "relationship goes", "relationships go")
    return f"{leaves} {along} with them."


def person_removed(name: str) -> str:
    """Say that a person was removed."""
    return f"{name} was removed from the story."


# The relationships

RELATIONSHIP_ADD = "Add a relationship"
RELATIONSHIP_TOO_FEW = "Once there are two people, you can add a relationship between them."
RELATIONSHIP_EDIT = "Edit"
RELATIONSHIP_DONE = "Done"
RELATIONSHIP_REMOVE = "Remove"
RELATIONSHIP_REMOVED = "The relationship was removed."

# Saving


def saved(changes: Sequence[str], more: int) -> str:
    """Say what was saved: some changes, and how many more there are."""
    listed = f"Saved: {'; '.join(changes)}"
    return f"{listed} … and {more} more." if more > 0 else listed
