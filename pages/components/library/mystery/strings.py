"""The words of the Mystery game page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_flow.telling.mystery.leaks import LeakKind
from pages.components.words import counted
from store.models.desk.mystery import GuidePart, Point
from store.text import capital

TITLE = "Mystery game"
ABOUT = (
    "An evening for some friends, made of your story: a guide for the host, a booklet for each player that "
    "holds only what that person can know, and clue cards for each round."
)
NOT_BEGUN = "There is no story to play yet"
NOT_BEGUN_ADVICE = "A mystery needs a victim, somebody who did it, and at least three others. Approve the premise first."
LACKING = "A mystery needs a victim, somebody who did it, and at least three others"
TO_GRAPHS = "Go to the graphs"

# The case

CASE = "The case"
CRIME = "The crime"
VICTIM = "The victim"
CULPRITS = "Who did it"
PLAYERS = "Who is played"
ROUNDS = "Rounds"
UNTIL = "Up to the end of chapter"
AS_STORY = "As the story has it"
MEANS = "How it was done"
MOTIVE = "Why it was done"
OPPORTUNITY = "How there was a chance to"
ACCOUNT = "How and why"
ACCOUNT_HELP = "Empty: as the story has it."


def crime_option(title: str, chapter: int, *, is_likely: bool) -> str:
    """Name an event that could be the crime."""
    when = f"chapter {chapter}" if chapter else "before the story"
    return f"{title} ({when}; likely)" if is_likely else f"{title} ({when})"


def victim_as_story(name: str) -> str:
    """Name the victim that the story has."""
    return f"{name}, as the story has it" if name else AS_STORY


# The checks

CHECKS = "Does it work?"
CLUES_SUFFICE = "The clues suffice: two for each question, and two that rule out everybody else."
NOTHING_LEAKS = "No text gives away what its reader cannot know."
NOBODY_SPOILT = "Nobody knows the answer from the beginning."
DOWNLOAD = "Download the game"
SUSPECTED = "In its words"


def leaks_found(count: int) -> str:
    """Say in how many texts something is given away."""
    return f"{counted(count, 'text gives', 'texts give')} something away: see below."


LEAKS: Mapping[LeakKind, str] = {
    LeakKind.NAME: "A name that this person has not heard",
    LeakKind.QUOTE: "The very words of what this person cannot know",
    LeakKind.WORDS: "Words of what this person cannot know",
}


def leak(kind: LeakKind, words: str, sentence: str) -> str:
    """Say what gives something away, and where."""
    about = LEAKS[kind] if kind is LeakKind.QUOTE else f"{LEAKS[kind]} ({words})"
    return f"{about}: “{sentence}”"


# Somebody tries to solve it

TRY = "Let somebody try to solve it"
READER = "Who knows"
NOBODY = "only what lies on the table"


def reader(name: str) -> str:
    """Say whose booklet the one who tries to solve it has read."""
    return f"that, and the booklet of {name}"


def verdict(reader: str, accused: str, *, is_right: bool, is_old: bool) -> str:
    """Say whom somebody took for the culprit, and whether that is so."""
    who = f"With the booklet of {reader}" if reader else "With the clues alone"
    named = f"{accused} was named" if accused else "nobody was named"
    right = "that is right" if is_right else "that is wrong"
    old = " The clues have changed since." if is_old else ""
    return f"{who}, {named}: {right}.{old}"


def missing(words: str) -> str:
    """Say what was still missing."""
    return f"Missing: {words}"


# The texts

PARTS: Mapping[str, str] = {"guide": "Host guide", "booklets": "Booklets", "clues": "Clues"}
PART = "What to see"
PERSON = "Whose booklet"
GUIDE: Mapping[GuidePart, str] = {
    GuidePart.OPENING: "To read aloud as the evening begins",
    GuidePart.TRUTH: "The truth",
    GuidePart.FALSE_TRAILS: "False trails",
    GuidePart.SOLUTION: "The solution, to read aloud at the end",
}
NOTHING_THERE = "Nothing in the story says anything of this. Write it, or have it written."
REST_OF_GUIDE = "The rest of the guide"
WRITE_GUIDE = "Have the guide written"
WRITE_BOOKLETS = "Have the booklets written"
WRITE_BOOKLET = "Have this booklet written anew"
MAKE_CASE = "Have the case and its clues made"
BRING_BACK = "Bring the former text back"
STORY_S_OWN = "Use the story’s own sentences"
OUTDATED = "What this person knows has changed since this was written."
KNOWS_BESIDE = "Besides, the booklet says who is here, and what may be said."
NO_NEWS = "Nothing new in this round."

# The clues

ADD_CLUE = "Add a clue"
NEW_CLUE, NEW_CLUE_TEXT = "A new clue", "What the card says."
EDIT_CLUE, CLOSE_CLUE, REMOVE_CLUE = "Edit", "Close", "Remove this clue"
STORY_S_CLUES = "Use the story’s own clues"
CLUES_BACK = "Bring the former clues back"
NO_CLUES = "There are no clues yet. Add one, or have the case made."
CLUE_TITLE, CLUE_TEXT, CLUE_ROUND = "Title", "What the card says", "Round"
CLUE_FINDER, CLUE_SHOWS, CLUE_CLEARS = "Who brings it", "What it helps to show", "Whom it rules out"
CLUE_EVENTS, CLUE_DEDUCTION = "What it rests on", "For the host: what it proves"
ON_THE_TABLE = "It lies on the table"
RESTS_ON_NOTHING = "It rests on no event, so it does not count."
POINTS: Mapping[Point, str] = {
    Point.CULPRIT: "who did it",
    Point.MEANS: "how",
    Point.MOTIVE: "why",
    Point.OPPORTUNITY: "the chance",
}


def clue_round(number: int) -> str:
    """Name a round."""
    return f"Round {number}"


def clue_shows(points: Sequence[Point], cleared: Sequence[str]) -> str:
    """Say what a clue helps to show, and whom it rules out."""
    shown = [POINTS[one] for one in points]
    said = [f"shows {', '.join(shown)}"] if shown else []
    said += [f"rules out {', '.join(cleared)}"] if cleared else []
    return capital(" and ".join(said) or "leads astray")


# Work

STOP = "Stop"

# The card on the Export page

CARD_ABOUT = "Your story as a murder mystery for an evening: who plays whom, what each of them knows, and the clues."
CARD_OPEN = "Make a mystery game"
