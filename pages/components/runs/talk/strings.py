"""The words of the Talk page."""

from __future__ import annotations

from collections.abc import Sequence

from pages.components.words.speaking import speaks

TITLE = "Talk"
MODE = "Talk with"
WITH_STORY = "The story"
WITH_PERSON = "A person"
PERSON = "Person"
CHAPTER = "As of the end of chapter"
CHAPTER_OF_STORY = "Looking at chapter"
START_AGAIN = "Start again"

NOT_BEGUN = "There is nobody to talk with yet"
NOT_BEGUN_ADVICE = (
    "Approve the premise first. Then you can ask the story, and talk with its people."
)
NOBODY_THERE = "Nobody is in the story as of this chapter. Choose a later one."

STORY_EMPTY = "Ask your story"
STORY_EMPTY_ADVICE = (
    "Ask what has happened, who knows what, or what is still open, and see where it stands. Or say what "
    "should be different: you get a proposal, and nothing changes until you take it."
)
ASK_STORY = "Ask the story, or say what should change"
ANSWERING = "Answering"
THINKING = "Reading what the question needs"
STOP = "Stop"
ASK_AGAIN = "Ask again"
NO_ANSWER = "There is no answer to this yet."
NOT_SENT = "This was not asked."

CHANGE = "Proposed change"
TAKE_CHANGE = "Make this change"
CHANGE_TAKEN = "You made this change. History can undo it."
CHANGED = "The story is changed."
GOAL = "Proposed goal for the next chapter"
TAKE_GOAL = "Add to the goals"
GOAL_TAKEN = "This is among the goals of the next chapter."
GOAL_ADDED = "Added to the goals of the next chapter."
REFUSE = "No, thanks"
REFUSED = "You said no to this."


def person_empty(name: str) -> str:
    """Head an empty conversation with a person."""
    return f"Talk with {name}"


def person_empty_advice(name: str, chapter: int) -> str:
    """Say what a person of the story knows."""
    when = f"at the end of chapter {chapter}" if chapter else "before the first chapter"
    return (
        f"{name} answers in their own voice, and knows only what they can know {when}. Nothing that is "
        "said here is part of the story."
    )


def say_to(name: str) -> str:
    """Invite the writer to say something."""
    return f"Say something to {name}"


def story_examples(names: Sequence[str]) -> list[str]:
    """Return three questions to begin with."""
    first = names[0] if names else "the main character"
    return [
        "Which questions has the story raised and not answered yet?",
        f"What does {first} know that others do not?",
        f"{first} should have more to lose. What would you change?",
    ]


def person_examples() -> list[str]:
    """Return three questions to begin with."""
    return [
        "What do you want most of all?",
        "Whom do you trust, and whom not?",
        "What have you told nobody?",
    ]


def chapter_link(chapter: int) -> str:
    """Name a chapter that an answer rests on."""
    return f"Chapter {chapter}"


def event_link(title: str, chapter: int) -> str:
    """Name an event that an answer rests on."""
    return f"{title} · chapter {chapter}" if chapter else f"{title} · before the story"


speaks(__name__)
