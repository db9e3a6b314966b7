"""The agents that outline a story before it is plotted (StoryWriter)."""

from __future__ import annotations

from functools import partial
from math import ceil

from graph_flow.outline.answers import (
    events_schema,
    links_schema,
    parts_schema,
    review_schema,
    storylines_schema,
)
from graph_flow.outline.entities import (
    AT_ONCE,
    SPLIT_AT_ONCE,
    WHOLE_DRAFTS,
    WHOLE_PARTS_AT_ONCE,
    event_count,
    line_count,
    shares,
    whole_event_count,
    whole_part_count,
)
from graph_flow.prompting.agent import (
    NO_CALLS,
    ONE_CALL,
    Agent,
    Calls,
    Work,
    line_labels,
    line_names,
    only_if,
)
from graph_flow.prompting.length import words_wanted
from store.models.endpoint import ModelStrength
from store.models.run import DraftOutline


def _once(work: Work) -> Calls:
    """Expect one call for an outline whose first draft is good enough."""
    return ONE_CALL if isinstance(work.task, DraftOutline) else NO_CALLS


def _for_each_draft(work: Work) -> Calls:
    """Expect an able reviewer to find something, and a small one to find the first draft good enough."""
    return _once(work).times(WHOLE_DRAFTS if work.strength is ModelStrength.ABLE else 1)


def _for_each_storyline(work: Work) -> Calls:
    if work.strength is ModelStrength.ABLE:
        return _for_each_draft(work)
    events = event_count(work.settings.chapter_cap)
    asked = sum(ceil(share / AT_ONCE) for share in shares(events, line_count(events)))
    return _once(work).times(asked)


def _for_each_group_of_events(work: Work) -> Calls:
    chapters = work.settings.chapter_cap
    if work.strength is ModelStrength.SMALL:
        return _once(work).times(ceil(event_count(chapters) / SPLIT_AT_ONCE))
    words = chapters * words_wanted(1, work.settings)
    events = whole_event_count(chapters, words)
    each = whole_part_count(events, words)
    return _once(work).times(ceil(events / max(1, WHOLE_PARTS_AT_ONCE // each)))


_PAST = {"past": "What happened before"}
_SPINE = {"spine": "Where the story goes"}
_OPENING = {"opening": "The sketch"}
_LINKS = {"links": "Links between events"}

_agent = partial(Agent, stage="outline")

STORYLINES = _agent(
    name="storylines",
    label="Storylines",
    calls=only_if(ModelStrength.SMALL, _once),
    answer=lambda example: storylines_schema(
        example.given["count"], line_names(example.given["people"])
    ),
)
OUTLINE = _agent(
    name="outline",
    label="Outline",
    calls=_for_each_storyline,
    answer=lambda example: events_schema(
        example.given["count"], line_names(example.given["people"])
    ),
    labels={
        "chapters": "The task",
        "is_serial": "The task",
        "most": "The task",
        "last": "The previous draft",
        "line": "The storyline",
        "stretch": "The task",
        **_PAST,
        **_SPINE,
        **_OPENING,
        **_LINKS,
    },
)
LINKS = _agent(
    name="links",
    label="Links between events",
    calls=only_if(ModelStrength.SMALL, _once),
    answer=lambda example: links_schema(
        line_labels(example.given["outline"]), example.given["most"]
    ),
    labels={"most": "The task"},
)
REVIEWER = _agent(
    name="reviewer",
    label="Outline reviewer",
    calls=_for_each_draft,
    answer=lambda example: review_schema(line_labels(example.given["outline"])),
    labels={"found": "Problems found in the outline", **_PAST, **_SPINE, **_OPENING, **_LINKS},
)
PLANNER = _agent(
    name="planner",
    label="Parts of events",
    calls=_for_each_group_of_events,
    answer=lambda example: parts_schema(
        line_labels(example.given["outline"]),
        range(example.given["first"], example.given["last"] + 1),
        example.given["count"],
    ),
    labels={
        "chapters": "The task",
        "first": "The task",
        "last": "The task",
        "others": "The outline so far",
        "placed": "Parts already placed",
        **_SPINE,
        **_OPENING,
        **_LINKS,
    },
)

AGENTS = (STORYLINES, OUTLINE, LINKS, REVIEWER, PLANNER)
