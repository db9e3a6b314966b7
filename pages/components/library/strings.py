"""The words of the Library and Export pages."""

from __future__ import annotations

from datetime import datetime

from pages.components.words import counted

# The Library page

TITLE = "Library"
IMPORT = "Import"
NEW_STORY = "New story"

# The stories

PREMISE_MISSING = "No premise yet"
STORY_OPEN = "Open"
STORY_TITLE = "Title"
STORY_RENAME_HELP = "Rename this story"
STORY_RENAMED = "Done"
STORY_DUPLICATE_HELP = "Duplicate this story"
STORY_DUPLICATING = "Copying the story …"
STORY_DELETE_HELP = "Delete this story"
STORY_DELETE = "Delete"
STORY_RESTORE = "Restore"


SEARCH = "Search your stories"
SEARCH_PLACEHOLDER = "Search by title, premise or people"
SEARCH_NOTHING = (
    "No story has all of these words in its title, its premise or the names of its people."
)


def copy_title(title: str) -> str:
    """Return the title of the copy of a story."""
    return f"{title}, copy"


def story_duplicated(title: str) -> str:
    """Say that a story was copied, by the title of the copy."""
    return f"“{title}” is in your library."


def story_delete_asked(title: str) -> str:
    """Ask whether to delete a story."""
    return f"Delete “{title}”? You can restore it afterwards."


def story_deleted(title: str) -> str:
    """Say that a story was deleted."""
    return f"“{title}” was deleted."


def story_restored(title: str) -> str:
    """Say that a deleted story is back."""
    return f"“{title}” is back."


# Models and keys, explained at the first start and in Settings

SETUP = "Which model writes?"
SETUP_ABOUT = (
    "The agents that write with you are played by a language model. You decide which one, and you can "
    "change it at any time."
)
SETUP_PARTS: tuple[tuple[str, str, str], ...] = (
    (
        ":material/memory:",
        "The sample model",
        "It comes with Tellwright, costs nothing and needs no network. It is very small: it shows how "
        "everything works, but it does not write good prose.",
    ),
    (
        ":material/cable:",
        "A model of your own",
        "Larger models write far better. A service such as OpenAI, DeepSeek or OpenRouter runs one for "
        "you; a program such as Ollama or LM Studio runs one on your own computer. In *Settings*, choose "
        "*A model of my own* and give its address and name. *Test connection* tells you whether it "
        "answers.",
    ),
    (
        ":material/key:",
        "The key",
        "A service knows you by a key, a long password that you get on its website. Tellwright never "
        "writes it to a file. You put it into an environment variable, such as `OPENAI_API_KEY`, before "
        "you start Tellwright; in *Settings* you give only the name of that variable. A model on your "
        "own computer usually needs no key.",
    ),
    (
        ":material/payments:",
        "What it costs",
        "A service charges for every word that it reads and writes; how much depends on the model. Give "
        "its prices in *Settings*, and Tellwright estimates each step before you begin it and shows under "
        "*Cost* what you have spent. You can set limits. Models on your own computer cost nothing.",
    ),
)
"""For each part an icon, a headline and what there is to say. Markdown."""
SETUP_CONNECT = "Connect a model"
SETUP_SKIP = "Go on with the sample model"
SETUP_AGAIN = "Models, keys and costs explained"

# The sample premises

FIRST_VISIT = "Begin with an idea of your own, or start from one of these."
SAMPLES = "Start from a sample premise"
SAMPLE_START = "Start from this one"

# The library from before the app was renamed

FORMER_LIBRARY = (
    "**Your stories from Fabula are still here.** That is what Tellwright was called before. "
    "Everything in that library can be copied into this one; the old file stays as it is."
)
FORMER_LIBRARY_COPY = "Copy my stories"
FORMER_LIBRARY_COPIED = "Your stories have been copied."

# Importing a story

IMPORT_ABOUT = (
    "Bring a book that you have begun elsewhere: a Word file (DOCX), an EPUB, Markdown, a web page or plain "
    "text, in one file or several. Each chapter is kept word for word, and you go on from there. A story that "
    "was exported from Tellwright (JSON) opens as a new story."
)
IMPORT_FILE = "Files of one book, or one story file"
IMPORTING = "Importing the story …"
IMPORTING_BOOK = "Reading the book …"
IMPORT_MIXED = (
    "A story file (JSON) is imported by itself: take it out, or take out the other files."
)
IMPORT_NOT_TEXT = (
    "This is not a text file, so it cannot be a story from Tellwright. Nothing was changed."
)


def import_book(files: int) -> str:
    """Offer to import files as a book."""
    return "Import this book" if files == 1 else f"Import these {files} files as one book"


# The safety of the library

SAFETY = "Health and backups"
HEALTH = "Health"
NEVER_CHECKED = (
    "Not checked yet. Tellwright checks the whole library once a day while nobody is working, and the "
    "newest chapters of a story whenever you open it."
)
CHECK_NOW = "Check now"
CHECKING = "Checking every story …"
CHECKED_SOUND = "Everything is intact."
SALVAGE = (
    "Restore a backup from before the damage, or close Tellwright and run `tellwright salvage`: it "
    "saves everything that can be read into a new library, the texts of the chapters first."
)
BACKUPS = "Backups"
BACKUP_FOLDER = "Folder for backups"
BACK_UP_NOW = "Back up now"
BACKING_UP = "Copying the library …"
BACKED_UP = "The library is backed up, and the copy was checked."
BACKUPS_ABOUT = (
    "Tellwright also makes a backup after each day on which you worked. It keeps all backups of the last "
    "day, then one a day for a month, then one a month."
)
BACKUP = "Backup"
RESTORE = "Restore this backup"
RESTORE_ASKED = (
    "All stories will be as they were then. The present library is kept beside it, and nothing in it "
    "is deleted."
)
RESTORE_SURE = "Restore"
RESTORE_NOT = "Keep the library as it is"
PUT_AWAY = "Deleted stories"
PUT_AWAY_STORY = "Story"
BRING_BACK = "Restore the story"


def found_sound(when: str) -> str:
    """Say when everything was last found as it was written."""
    return f"Everything was intact, checked {when}."


def backup_made(made: datetime, ago: str) -> str:
    """Return the label of a backup: when it was made, here, and how long ago that is."""
    return f"{made:%d %B %Y, %H:%M} ({ago})"


def restored(aside: str) -> str:
    """Say that a backup was restored, and where the library from before is."""
    kept = f" The previous library is kept as {aside}." if aside else ""
    return f"The backup is restored.{kept}"


# The Export page

EXPORT_TITLE = "Export"
EXPORT_FORMAT = "Export format"
MANUSCRIPT = "Manuscript"
MANUSCRIPT_EMPTY = "No chapter is written yet, so there is nothing to export."
MANUSCRIPT_WRITE = "Write a chapter"
WHICH_TEXT = "Text"
THE_BOOK = "The book"
TELLING_EMPTY = "No chapter of this telling is written yet, so there is nothing to export."
TELLING_WRITE = "Go to the tellings"
MANUSCRIPT_DOWNLOAD = "Download the manuscript"
AUTHOR = "Author"
AUTHOR_HELP = "The name on the title page"
MAKING = "Setting the pages … A long novel takes some seconds."
INTERACTIVE = "Interactive fiction"
INTERACTIVE_ABOUT = (
    "The story with the ways not taken: where a chapter had several goals or a *what if* begins, the reader "
    "chooses, and comes back from each way that you did not take."
)
INTERACTIVE_EMPTY = (
    "There is no way not taken yet. It needs a chapter that had other candidates when it was plotted, "
    "or a *what if* branch, which you begin on *History*."
)
INTERACTIVE_TEXT = (
    "To give a way text of its own, write its chapter on its branch; a candidate is first kept as a branch, "
    "on *Plot* under *Other ways a chapter could have gone*."
)
INTERACTIVE_DOWNLOAD = "Download the interactive fiction"
STORY_CURRENT = "Always up to date."
STORY_PREMISE_ONLY = "So far it holds only the premise."
STORY_DOWNLOAD = "Download the whole story"
DATA = "The story as data"
DATA_ABOUT = (
    "For counting, drawing or querying: people, relationships, events and threads, without "
    "the text, as of the chapter that the time cursor shows."
)
DATA_EMPTY = "The story has no cast yet, so there is nothing to export."
DATA_SAVE = "Save as data"
DATA_DOWNLOAD = "Download the data"


def chapters_written(written: int, missing: int) -> str:
    """Say how many chapters the manuscript has, and how many plotted ones are missing from it."""
    has = counted(written, "chapter", "chapters")
    return f"{has}; {counted(missing, 'is', 'are')} not written yet." if missing else f"{has}."


def file_of_telling(title: str, telling: str) -> str:
    """Return what the file of another telling is called by."""
    return f"{title}, {telling}"


def ways_not_taken(number: int, written: int) -> str:
    """Say how many ways were not taken, and how many of them have text."""
    has = counted(number, "way not taken", "ways not taken")
    if written == number:
        return f"{has}, {'with' if number == 1 else 'each with'} text of its own."
    others = (
        "told in the few sentences of its plot"
        if number == 1
        else ("told in the few sentences of their plots")
    )
    if not written:
        return f"{has}, {others}."
    text = "has text of its own" if written == 1 else "have text of their own"
    return f"{has}: {written:,} {text}, the others are told in the few sentences of their plots."


def make_file(label: str) -> str:
    """Say that a file is made now, to be downloaded then."""
    return f"Make the {label}"


def data_as_of(when: str, branch: str) -> str:
    """Say of which chapter and branch the data is."""
    return f"{when}, on “{branch}”."
