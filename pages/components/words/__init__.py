"""The words that pages use for a writer, and the escaping of text that is not ours. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import ValidationError

from graph_flow.views import RunEstimate
from pages.components.words.speaking import speaks
from store.models.base import Entity
from store.models.cast import Awareness, Life, Relationship, RelationshipKind
from store.models.desk.contents import BookLength
from store.models.manuscript import DraftState
from store.models.plot import LinkKind, Part, ThreadState
from store.models.story import StoryCard
from store.text import Unit

UNTITLED = "Untitled story"

DRAFT_STATES: Mapping[DraftState | None, str] = {
    None: "not written yet",
    DraftState.WRITING: "being written",
    DraftState.DRAFTED: "drafted",
    DraftState.REVISED: "revised",
    DraftState.EDITED: "edited",
    DraftState.APPROVED: "approved",
}

RELATIONSHIP_WORDS: Mapping[RelationshipKind, tuple[str, str]] = {
    RelationshipKind.KINSHIP: ("is kin to", "are kin"),
    RelationshipKind.MARRIAGE: ("is married to", "are married"),
    RelationshipKind.ROMANCE: ("loves", "love each other"),
    RelationshipKind.FRIENDSHIP: ("is a friend of", "are friends"),
    RelationshipKind.ALLIANCE: ("is an ally of", "are allies"),
    RelationshipKind.MENTORSHIP: ("guides", "guide each other"),
    RelationshipKind.SERVICE: ("serves", "serve each other"),
    RelationshipKind.RIVALRY: ("competes with", "are rivals"),
    RelationshipKind.DISTRUST: ("distrusts", "distrust each other"),
    RelationshipKind.ENMITY: ("is an enemy of", "are enemies"),
    RelationshipKind.DEBT: ("is in debt to", "are in each other’s debt"),
}
"""How a relationship reads one way, and both ways."""

AWARENESS: Mapping[Awareness, str] = {
    Awareness.MUTUAL: "both know",
    Awareness.ONE_SIDED: "the other does not know",
    Awareness.HIDDEN: "kept secret from everyone else",
}


LIVES: Mapping[Life, str] = {
    Life.LIVING: "Alive",
    Life.MISSING: "Missing",
    Life.DEAD: "Dead",
}

PARTS: Mapping[Part, str] = {
    Part.ACTS: "acts",
    Part.IS_AFFECTED: "is affected",
    Part.WITNESSES: "witnesses",
    Part.IS_TOLD: "hears of it",
}

LINKS: Mapping[LinkKind, tuple[str, str]] = {
    LinkKind.CAUSES: ("causes", "is caused by"),
    LinkKind.ENABLES: ("enables", "is enabled by"),
    LinkKind.FORESHADOWS: ("foreshadows", "is foreshadowed by"),
    LinkKind.PAYS_OFF: ("pays off", "is paid off by"),
    LinkKind.CONTRADICTS: ("contradicts", "is contradicted by"),
    LinkKind.PARALLELS: ("parallels", "is paralleled by"),
    LinkKind.BEFORE: ("comes before", "comes after"),
}
"""How a link between events reads forwards, and backwards."""

THREAD_STATES: Mapping[ThreadState, str] = {
    ThreadState.PLANNED: "planned",
    ThreadState.PLANTED: "planted",
    ThreadState.PAID_OFF: "paid off",
    ThreadState.DROPPED: "dropped",
}


def link_words(link: LinkKind) -> str:
    """Return how a link reads from its first event to its second."""
    return LINKS[link][0]


def relationship_sentence(relationship: Relationship, names: Mapping[str, str]) -> str:
    """Return a relationship as a sentence: "Mara distrusts Hale, 7 of 10, Hale does not know"."""
    source, target = (
        plain(names.get(relationship.source, "?")),
        plain(names.get(relationship.target, "?")),
    )
    one_way, both_ways = RELATIONSHIP_WORDS[relationship.tie]
    sentence = (
        f"**{source}** and **{target}** {both_ways}"
        if relationship.is_mutual
        else (f"**{source}** {one_way} **{target}**")
    )
    knows = f", {said}" if (said := unknown_to(relationship, source, target)) else ""
    reason = f" — {plain(relationship.reason)}" if relationship.reason else ""
    named = f" (“{plain(relationship.called)}”)" if relationship.called else ""
    return f"{sentence}{named}, {relationship.strength} of 10{knows}{reason}"


def unknown_to(relationship: Relationship, source: str, target: str) -> str:
    """Say who does not know of a relationship; empty if both do."""
    match relationship.awareness:
        case Awareness.MUTUAL:
            return ""
        case Awareness.ONE_SIDED:
            return f"{target} does not know"
        case Awareness.HIDDEN:
            return "both keep it secret" if relationship.is_mutual else f"{source} keeps it secret"


def mark(entity: Entity, field: str) -> str:
    """Return the mark that says who wrote a field; empty for an empty field."""
    if not getattr(entity, field):
        return ""
    return " :orange-badge[invented]" if field in entity.invented else " :gray-badge[yours]"


def marks(entity: Entity, fields: Sequence[str]) -> dict[str, str]:
    """Return the marks of fields shown together; if all are alike, only the first has one."""
    each = {field: mark(entity, field) for field in fields}
    if len({one for one in each.values() if one}) > 1:
        return each
    return {field: each[field] if field == fields[0] else "" for field in fields}


def prose(text: str) -> str:
    """Return story text as Markdown: paragraphs are kept, and nothing in it is markup."""
    return "\n\n".join(plain(part) for part in text.split("\n\n") if part.strip())


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun: "1 chapter", "1,200 words"."""
    return f"{number:,} {one if number == 1 else many}"


def touched(when: datetime, now: datetime) -> str:
    """Say when a story was last worked on."""
    minutes = int((now - when).total_seconds() // 60)
    if minutes < 2:
        return "just now"
    if minutes < 60:
        return f"{minutes} minutes ago"
    if minutes < 24 * 60:
        return f"{counted(minutes // 60, 'hour', 'hours')} ago"
    days = minutes // (24 * 60)
    return "yesterday" if days == 1 else f"{days} days ago" if days < 31 else f"{when:%d %B %Y}"


def length_counted(length: int, unit: Unit) -> str:
    """Return the length of a text with what it counts: "1,200 words", "2,000 characters"."""
    return counted(length, unit.removesuffix("s"), unit)


def card_facts(card: StoryCard, length: BookLength, now: datetime) -> str:
    """Return a story's form, length and age in one line."""
    facts = [card.story.brief.form.spec.label]
    if length.chapters:
        facts.append(counted(length.chapters, "chapter", "chapters"))
    if length.words:
        facts.append(length_counted(length.words, card.story.brief.unit))
    return " · ".join([*facts, touched(card.story.touched, now)])


def estimate_sentence(estimate: RunEstimate) -> str:
    """Say what a run is likely to take, and which models it asks, as Markdown."""
    cost = f", about {estimate.cost:,.2f} at your prices" if estimate.cost else ""
    time = f", in about {duration(estimate.seconds)}" if estimate.seconds else ""
    models = plain(" and ".join(estimate.models)) or "the model"
    return f"About {counted(estimate.calls, 'call', 'calls')} to {models}{cost}{time}."


def estimate_words(estimate: RunEstimate) -> str:
    """Say the same of one call, as plain text."""
    cost = f", about {estimate.cost:,.2f} at your prices" if estimate.cost else ""
    return f"One call to {' and '.join(estimate.models) or 'the model'}{cost}"


def duration(seconds: float) -> str:
    """Return a length of time in words: "a minute", "25 minutes", "3 hours"."""
    minutes = round(seconds / 60)
    if minutes < 2:
        return "a minute"
    if minutes < 100:
        return f"{minutes} minutes"
    return f"{round(minutes / 60):,} hours"


def window(length: int, at: int, size: int) -> range:
    """Return up to `size` positions of a list of `length`, around position `at`."""
    start = max(0, min(at - size // 2, length - size))
    return range(start, min(length, start + size))


_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&^=])")
_FOUND_ANYWAY = re.compile(
    r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?=@)|(?<=:)(?=material[_/]|[-+\w]+:)"
    r"|(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)",
    re.IGNORECASE,
)
"""Where to part what the browser finds in a text that has no markup any more, and makes into a link,
an icon or another sign: addresses of pages, mail addresses, names of icons and emoji, and arrows,
dashes and comparisons that are put together of two or three signs."""
_NOTHING = ":small[]"
"""Markdown that shows nothing and is not there in what is copied, but parts the text around it."""


def plain(text: str) -> str:
    """Return Markdown that shows `text` as typed: no links, images, maths or HTML.

    Line breaks become spaces, so the text cannot open a heading or a list.
    """
    parts = _FOUND_ANYWAY.split(" ".join(text.split()))
    return _NOTHING.join(_MARKDOWN.sub(r"\\\1", part) for part in parts)


_EMPHASIS = re.compile(r"(?<![\\*\w])\\\*(?!\s|\\\*)((?:(?!\\\*).)+?)(?<!\s)\\\*(?![\\*\w])")


def emphasised(line: str) -> str:
    """Return Markdown that shows a line of a story as typed, with what is *emphasised* in italics."""
    return _EMPHASIS.sub(r"*\1*", plain(line))


def clock(seconds: float) -> str:
    """Return a length of time as a clock shows it: 0:41, 12:05, 1:02:05."""
    whole = timedelta(seconds=max(0, int(seconds)))
    hours, rest = divmod(int(whole.total_seconds()), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


_MESSAGES = {
    "string_too_short": "This cannot be empty.",
    "string_too_long": "This is too long: at most {max_length:,} characters fit.",
    "less_than_equal": "This is too high: the most is {le}.",
    "greater_than_equal": "This is too low: the least is {ge}.",
}


def problem_of(error: ValidationError) -> str:
    """Say in one sentence why a value was refused."""
    first = error.errors(include_input=False, include_url=False)[0]
    words = _MESSAGES.get(first["type"])
    if words is not None:
        return words.format(**first.get("ctx", {}))
    return f"This cannot be saved as it is: {first['msg'].removeprefix('Value error, ')}."


speaks(__name__)
