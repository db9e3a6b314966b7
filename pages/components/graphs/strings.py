"""The words of the Graphs page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pages.components import words as wording
from pages.components.pictures import strings as pictures
from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.cast import Relationship
from store.models.plot import LinkKind, Part, ThreadState
from store.models.prototype import EntityKind

# The page

PAGE_TITLE = "Graphs"
NOBODY = "There is nobody to draw yet"
NOBODY_ADVICE = (
    "The pictures begin with the cast: say what the story is about, then approve its cast."
)
VIEW = "View"
VIEWS: Mapping[str, str] = {
    "roles": "Role Graph",
    "plot": "Plot Graph",
    "timeline": "Timeline",
    "compare": "Compare",
    "continuity": "Continuity",
}
"""By `navigation.GraphName`."""

# The toolbar: filters, chapters shown, order, search

FILTER_PEOPLE = "People"
FILTER_PEOPLE_ALL = "Everybody"
FILTER_RELATIONSHIPS = "Relationships"
FILTER_LINKS = "What leads to what"
FILTER_PARTS = "Part in an event"
FILTER_THREAD = "Thread"
FILTER_THREAD_ANY = "Any"
FILTER_NONE = "Show everything"
SPAN = "How much of the story"
ORDER = "Order"
ORDERS: Mapping[str, str] = {"telling": "As told", "story": "As it happens"}
"""By `timeline.Order`."""
SEARCH = "Search"
SEARCH_PLACEHOLDER = "Find in the story"
SEARCH_EMPTY = "Nothing found up to this chapter. Try fewer words, or a later chapter."


def filter_label(count: int) -> str:
    """Return the label of the filters, with how many of them are set."""
    return f"Filter · {count}" if count else "Filter"


def span(chapters: int) -> str:
    """Return how many chapters are shown at once; 0 means all of them."""
    return counted(chapters, "chapter", "chapters") if chapters else "All"


def hit(label: str, chapter: int) -> str:
    """Return something found, with the chapter in which it enters the story."""
    return f"{label} :gray[· {f'chapter {chapter}' if chapter else 'from the beginning'}]"


# The picture and what can be looked at in it

LOOK_AT = "Look at"
LOOK_AT_PLACEHOLDER = "Click in the picture, or choose here"
NO_MATCH = "Nothing here matches your filter."
NO_EVENTS = "Nothing has happened yet: events appear here once the first chapter is plotted."
_IN_ORDER: Mapping[str, str] = {"telling": "as told", "story": "as it happens"}


def roles_description(people: int, relationships: int) -> str:
    """Describe a Role Graph for those who cannot see it."""
    return f"Role Graph: {_people(people)}, {_relationships(relationships)}"


def plot_description(events: int, people: int, places: int) -> str:
    """Describe a Plot Graph for those who cannot see it."""
    return f"Plot Graph: {_events(events)}, {_people(people)}, {_places(places)}"


def timeline_description(events: int, people: int, order: str) -> str:
    """Describe a timeline for those who cannot see it; `order` is a `timeline.Order`."""
    return f"Timeline: {_events(events)} of {_people(people)}, {_IN_ORDER[order]}"


def _people(count: int) -> str:
    return counted(count, "person", "people")


def _relationships(count: int) -> str:
    return counted(count, "relationship", "relationships")


def _events(count: int) -> str:
    return counted(count, "event", "events")


def _places(count: int) -> str:
    return counted(count, "place", "places")


# The panel beside the picture

HISTORY = "History"
GO_TO_CHAPTER = "Go to this chapter"
EDIT = "Edit"
NO_CHANGES = "Nothing."
THREADS = "Threads"
UNDO = "Undo"
CLOSE = "Close"
UNSAVED = "Not saved yet"
UNSAVED_ELSEWHERE = "something not in this chapter"
UNSAVED_NEW: Mapping[EntityKind, str] = {
    "relationship": "the new relationship",
    "participation": "the new part",
    "event_link": "the new link",
}
"""What a draft is called that adds something without a name."""


def show_all(count: int) -> str:
    """Return the label of the button that shows the rest of a list."""
    return f"Show all {count:,}"


def show_all_chapters(count: int) -> str:
    """Return the label of the button that shows the rest of a history."""
    return f"Show all {count:,} chapters"


def chapter_changes(chapter: int) -> str:
    """Return the heading of what a chapter changed."""
    return f"What chapter {chapter} changed" if chapter else "The beginning"


def saved_in(chapter: int) -> str:
    """Say where the last edit was saved."""
    return f"Saved in chapter {chapter}" if chapter else "Saved in the beginning"


def continue_with(name: str) -> str:
    """Return the label of the button that leads back to an unsaved edit."""
    return f"Continue with {name}"


# The details of one element of the story

PERSON = "Person"
PERSON_ENTERS = "Enters the story"
PERSON_RELATIONSHIPS = "Relationships"
RELATIONSHIP = "Relationship"
ENDS = "Between"
BEGINS = "Begins"
EVENT_LINKS = "What leads to what"
PLACE = "Place"
PART_MENTIONS = "Who, in what"
LINK = "Link"
LINK_TOLD = "Told"
THREAD = "Thread"
THREAD_PLANTED = "Planted"
THREAD_TO_PLANT = "To be planted"
THREAD_TO_PAY_OFF = "To be paid off"
THREAD_PAYOFFS: Mapping[ThreadState, str] = {
    ThreadState.PAID_OFF: "Paid off",
    ThreadState.DROPPED: "Was due to be paid off",
}


def told_in(chapter: int) -> str:
    """Return the chapter that tells something; chapter 0 is what came before the story."""
    return f"chapter {chapter}" if chapter else "before the story"


def event_sort(chapter: int) -> str:
    """Return what stands above an event: what it is, and the chapter that tells it."""
    return f"Event · {told_in(chapter)}"


def part_sort(chapter: int) -> str:
    """Return what stands above a part in an event, and the chapter that tells the event."""
    return f"Part · {told_in(chapter)}"


def part_sentence(person: str, part: Part) -> str:
    """Say how somebody takes part in an event."""
    return f"{person} {wording.PARTS[part]}."


def part_in(event: str, part: str) -> str:
    """Return an event with how somebody takes part in it."""
    return f"{event}: {part}"


def occasion(number: int) -> str:
    """Return the heading of a chapter in a history; chapter 0 is the beginning."""
    return f"Chapter {number}" if number else "At the beginning"


def in_chapter(name: str, number: int) -> str:
    """Return something with the chapter that tells it; chapter 0 is what came before the story."""
    return f"{name} ({told_in(number)})"


def relationship_name(relationship: Relationship, source: str, target: str) -> str:
    """Return what a relationship is called in a list."""
    joint = "and" if relationship.is_mutual else "towards"
    return f"{source} {joint} {target}: {pictures.relationship_kind(relationship)}"


def part_name(person: str, event: str) -> str:
    """Return what somebody's part in an event is called in a list."""
    return f"{person} in “{event}”"


def link_name(link: LinkKind, source: str, target: str) -> str:
    """Return what a link between two events is called in a list."""
    return f"“{source}” {wording.link_words(link)} “{target}”"


# The removal of an element

REMOVE_ASK = "Remove …"
REMOVE = "Remove"
REMOVE_NOT = "Keep"
_REMOVED_ALONG: Mapping[EntityKind, Mapping[EntityKind, tuple[str, str]]] = {
    "character": {
        "relationship": ("relationship", "relationships"),
        "participation": ("part in an event", "parts in events"),
    },
    "event": {
        "participation": ("part in it", "parts in it"),
        "event_link": ("link to another event", "links to other events"),
    },
    "scene": {"occurrence": ("event’s place", "events’ places")},
}
"""What else is removed with each kind of element, as far as a writer would miss it."""


def removed_along(kind: EntityKind, gone: Mapping[EntityKind, int]) -> list[str]:
    """Return what a writer would miss of what is removed along with an element.

    `gone` is how many elements of each kind are removed.
    """
    missed = _REMOVED_ALONG.get(kind, {})
    return [counted(gone[one], *words) for one, words in missed.items() if gone.get(one)]


def removal(name: str, chapter: int, along: Sequence[str]) -> str:
    """Say what will be removed, from which chapter on, and what along with it."""
    since = f"from chapter {chapter} on" if chapter else "from the beginning"
    also = f" This also removes {', '.join(along)}." if along else ""
    return f"{name} will be removed from the story {since}.{also}"


# The comparison of two states of the story

LEFT = "Left"
RIGHT = "Right"
COMPARED = "What to compare"
COMPARISONS: Mapping[str, str] = {"roles": "People and relationships", "plot": "Events"}
"""By `compare.Drawn`."""
COMPARISON_NO_EVENTS = "Nothing happens in these chapters."
NO_DIFFERENCES = "There are no differences."


def differences_heading(left: str, right: str) -> str:
    """Return the heading of the differences between two states."""
    return f"From {left} to {right}"


def state(chapter: int) -> str:
    """Return one of the two states, if both are of the same branch."""
    return f"chapter {chapter}" if chapter else "the beginning"


def state_of(chapter: int, branch: str) -> str:
    """Return one of the two states, with its branch."""
    return f"{state(chapter)} of “{branch}”"


def more_differences(count: int) -> str:
    """Return the label of the fold with the rest of the differences."""
    return f"{count:,} more"


def unlisted_differences(count: int) -> str:
    """Say how many differences are not listed."""
    return f"And {count:,} more: too many to list."


# The findings of the continuity check

NO_FINDINGS = "Nothing in the story contradicts itself."
INTEND = "This is intended …"
INTEND_WHY = "Why is it intended?"
INTEND_WHY_PLACEHOLDER = "She only dreams it"
INTEND_MARK = "Mark as intended"
INTEND_CANCEL = "Cancel"
INTEND_WITHDRAW = "Withdraw"


def continuity(findings: int) -> str:
    """Return the label of a tab or a fold with the findings."""
    return f"Continuity ({findings:,})" if findings else "Continuity"


def findings_to_review(count: int) -> str:
    """Say how many findings the writer has not marked as intended."""
    return f"The story contradicts itself in {counted(count, 'place', 'places')}."


def more_findings(count: int) -> str:
    """Return the label of the button that shows more findings."""
    return f"Show {count} more"


def intended_findings(count: int) -> str:
    """Return the label of the fold with the findings that are intended."""
    return f"Intended ({count:,})"


def intended(reason: str) -> str:
    """Say why a finding is intended."""
    return f"Intended: {reason}"


def evidence_help(chapter: int) -> str:
    """Say where the evidence for a finding is."""
    return f"Chapter {chapter}" if chapter else "From the beginning"


def evidence(items: Iterable[tuple[str, int]]) -> str:
    """Return the evidence for a finding in one line; each item has its chapter, 0 for none."""
    return " · ".join(in_chapter(label, chapter) if chapter else label for label, chapter in items)


def open_threads(count: int) -> str:
    """Return the label of the fold with the threads that are not paid off."""
    return f"Open threads ({count:,})"


def open_thread(title: str, planted: int | None) -> str:
    """Return a thread with the chapter in which it was planted, if it was."""
    return title if planted is None else f"{title} :gray[planted in chapter {planted}]"


speaks(__name__)
