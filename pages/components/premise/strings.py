"""The words of the Premise page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.plot import Part

# The page

TITLE = "Premise"
DRAFT_CAST = "Draft the cast"
CARDS = "Character cards"
CARD_FILE = "Add a person from a card (JSON or PNG)"
CARD_OF = "Save a person as a card"
CARD_ABOUT = "Other writing and chat programs read it. It holds all that you know of them, their secrets too."
CARD_JSON = "Save as JSON"
CARD_PNG = "Save as PNG"
FROM_BOOK_ABOUT = (
    "Your book has text and no premise yet. Type one below, or have it drafted from the text: what the book is "
    "about, who is in it, and where it stands. You can change every word of it. When the cast is settled, "
    "*Write* reads the chapters into the story, one by one, and you choose what is kept."
)
FROM_BOOK = "Draft the premise from the text"
FROM_BOOK_STOP = "Stop"
FOUNDATION = "The foundation"
CAST = "The cast"
RELATIONSHIPS = "Relationships"

# What the writer types

PREMISE = "What is your story about?"
PREMISE_PLACEHOLDER = "A line is enough; two pages are welcome. Any language."
WISHES_FOLD = "Form, language, and what must or must not be in it"
FORM = "Form"
LANGUAGE = "Language"
LANGUAGE_PLACEHOLDER = "Same as the premise"
CHAPTERS = "Number of chapters"
OPEN_ENDED = "Open-ended"
OPEN_ENDED_HELP = "A serial without a planned end: it goes on for as long as you want."
WORDS = "Words per chapter"
CHARACTERS = "Characters per chapter"
WORDS_EMPTY = "As many as suits the model"
OPENS_LATE = "New threads to the end"
OPENS_LATE_HELP = (
    "Lets the last chapters open new threads, too: for a story that is to be continued. Otherwise "
    "the last tenth of the chapters only closes what is open."
)
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
APPROVE_NO_CAST = "A story needs at least one person: add one, then go on."
DRAFT_AGAIN = "Draft again"
DRAFT_BACK = "Back to the previous draft"
DRAFT_AGAIN_NOTE = "What should be different?"
START_OVER = "Draft the cast again"
OTHER_IDEAS_ABOUT = (
    "Drafting one of these takes four or five calls. What you have typed or locked is kept, and you can come "
    "back to this one."
)
IDEA_TAKE = "Draft this one"
SKETCH = "The story as it was first told"
SKETCH_ABOUT = (
    "It was told whole before it was worked out. World, people and plot are taken from it, and so are the words "
    "of its chapters, as long as you change nothing; what you change or lock below counts for more."
)
OPENING_ABOUT = (
    "Its opening was told before it was worked out. World, people and plot are taken from it, and its chapters are "
    "the first of the story, word for word, as long as you change nothing; what you change or lock below counts for "
    "more."
)
SKETCH_ROAD = "Where it goes"
SKETCH_READ = "Read it"
SKETCHES_SO_FAR = (
    "Stories that it could become, as far as they have been told. Readers choose one of them; later you can "
    "take another."
)


def sketch_named(place: int, title: str) -> str:
    """Name a story by its place among those that were told, for two may have one title, and by that."""
    return f"Story {place}: {title}" if title else f"Story {place}"


def sketch_remark(remark: str) -> str:
    """Return what the reader of the sketches said of one."""
    return f"Its reader: {remark}"


def other_ideas(count: int) -> str:
    """Return the label of the stories that the premise could become besides the one that is drafted."""
    return (
        "Another story it could become" if count == 1 else f"{count} other stories it could become"
    )


PLOT_FIRST = "Plot the first chapter"

# The foundation

STORY_TITLE = "Title"

# Where the story goes

SPINE = "Where the story goes"
SPINE_ABOUT = "The author knows this; none of the people in the story do."
SPINE_FOLD = "The spine"

# What happened before

PAST = "What happened before"
PAST_ADD = "Add an event"
PAST_NEW_TITLE = "Something happened"
PAST_YEARS = "Years before the story begins"
PAST_YEARS_HELP = "0.5 is half a year; 0.01 is a few days."
PAST_NOBODY = "Nobody"
PAST_DONE = "Done"
PAST_REMOVE = "Remove this event"
PAST_PARTS: Mapping[Part, str] = {
    Part.ACTS: "Who did it",
    Part.IS_AFFECTED: "To whom it was done",
    Part.WITNESSES: "Who saw it",
    Part.IS_TOLD: "Who was told of it",
}
"""Who knows of an event, by their part in it; nobody else does."""


def past_edit(title: str) -> str:
    """Return the label of the button that opens an event that happened before the story."""
    return f"Edit “{title}”"


def years_before(years: float) -> str:
    """Say how long before the story something happened."""
    if years >= 1:
        return f"{counted(round(years), 'year', 'years')} before"
    return "a few months before" if years > 0.1 else "a few days before"


# The cast

PERSON_NEW_NAME = "Someone new"
PERSON_ADD = "Add a person"
PERSON_MORE = "More about them"
PERSON_DONE = "Done"
PERSON_REMOVE = "Remove"
PERSON_KEEP = "Keep"


def person_more_about(name: str) -> str:
    """Return the label of what else is known of somebody."""
    return f"More about {name}"


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


HOLDS_FROM_NOW_ON = (
    "This holds from now on: for the chapters to come, and the tone for every text that is written "
    "from now on. What is plotted and written stays as it is."
)


def saved(changes: Sequence[str], more: int) -> str:
    """Say what was saved: some changes, and how many more there are."""
    listed = f"Saved: {'; '.join(changes)}"
    return f"{listed} … and {more} more." if more > 0 else listed


def card_taken(name: str) -> str:
    """Say that somebody was added from a card."""
    return f"{name} is in the cast."


speaks(__name__)
