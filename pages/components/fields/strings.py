"""The words of fields that save what is typed, of their locks, and of the answers to a gate."""

from __future__ import annotations

from collections.abc import Mapping

# What could not be saved


def not_saved(problem: str) -> str:
    """Say that what was typed is not saved, and why: a whole sentence."""
    return f"Not saved yet. {problem}"


def saved_later(reason: str) -> str:
    """Say why a text cannot be saved now, a whole sentence, and that it will be."""
    return f"{reason} What you typed is safe here, and will be saved as soon as that is over."


# What the browser found that was not saved. {field} is the label of the field

PUT_BACK = "What you had typed in “{field}” is back."
FOUND_UNSAVED = "You typed this in “{field}”, and it was not saved:"
PUT_IT_BACK = "Put it back"
DISCARD_IT = "Discard it"

# A text that another window has changed too

CHANGED_ELSEWHERE = "This was changed in another window while you were writing. Your text is above and not saved yet."
THEIRS = "The text from the other window"
EMPTY = "Empty"
KEEP_MINE = "Save mine"
TAKE_THEIRS = "Take the other"
NOTHING_IS_LOST = "Both stay among the versions, whichever you take."

# The editor of a chapter. {count} and {target} are numbers of words

OF_THE_EDITOR: Mapping[str, str] = {
    "chapter": "{count} words",
    "characters": "{count} characters",
    "today": "{count} today",
    "book": "{count} in the book",
    "of": " of {target}",
    "kept": "Saved",
    "saving": "Saving …",
    "alone": "Only the text",
    "together": "Back to the page",
    "too_long": "This is more than a chapter can hold. To bring in a whole book, import it on the Library page.",
    "find": "Find",
    "find_find": "Find in this chapter",
    "find_with": "Replace with",
    "find_previous": "The one before",
    "find_next": "The next one",
    "find_case": "Match case",
    "find_whole": "Whole words",
    "find_replace": "Replace",
    "find_all": "Replace all",
    "find_close": "Close",
    "find_count": "{at} of {count}",
    "find_none": "Not found",
    "find_replaced": "{count} replaced",
    "note": "Note",
    "note_about": "A note beside this paragraph, or on the words you have chosen (Ctrl+Alt+M)",
    "note_placeholder": "Only for you: no agent reads it, and no export has it.",
    "note_keep": "Keep the note",
    "note_drop": "Cancel",
    "not_loaded": "The editor could not be loaded, so this text can only be read. Reload the page to try again.",
}

# The fields of an entity

INVENTED = "invented"
CHAPTER_OPEN = "open"


def separated_by_commas(label: str) -> str:
    """Return the label of a field that takes several names."""
    return f"{label} (separated by commas)"


# Locks

LOCKED_HELP = "Locked: agents leave it as it is. Click to unlock."
LOCKED_AS_A_WHOLE_HELP = "All of it is locked: agents leave it as it is."
LOCK_HELP = "Lock this: agents will leave it as it is."
LOCK_WHOLE_HELP = "Lock all of this: agents will leave it as it is."

# A note for the agent that tries again

NOTE_OPTIONAL = "Optional"
