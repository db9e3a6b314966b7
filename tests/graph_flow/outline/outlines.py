"""Outlines for tests: two storylines of two events, and ways to draw any other."""

from __future__ import annotations

from hypothesis import strategies as st

from store.database.rows import now
from store.models.outline import Outline, OutlineEvent, OutlineLink, SubEvent
from store.models.plot import LinkKind

KINDS = list(LinkKind)


def event(id_: str, line: str = "The bell", **values: object) -> OutlineEvent:
    """Return an event that Mara is in."""
    whole = {"id": id_, "title": id_, "line": line, "characters": ("Mara",), **values}
    return OutlineEvent.model_validate(whole)


def link(source: str, kind: LinkKind, target: str) -> OutlineLink:
    return OutlineLink(source=source, target=target, link=kind)


def part(id_: str, of: str, chapter: int | None = None) -> SubEvent:
    return SubEvent(id=id_, event=of, text=f"What {id_} tells.", chapter=chapter)


def outline(branch: str = "branch", **values: object) -> Outline:
    """Return the theft and the trial of the bell, the leak and the flood of the dam."""
    whole = {
        "id": "outline",
        "branch": branch,
        "events": (
            event("theft"),
            event("leak", "The dam"),
            event("trial"),
            event("flood", "The dam"),
        ),
        "links": (
            link("theft", LinkKind.CAUSES, "trial"),
            link("flood", LinkKind.PAYS_OFF, "leak"),
        ),
        "sub_events": (
            part("theft-1", "theft", 1),
            part("theft-2", "theft", 1),
            part("leak-1", "leak", 2),
            part("trial-1", "trial", 3),
            part("flood-1", "flood", 4),
        ),
        "created": now(),
        **values,
    }
    return Outline.model_validate(whole)


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    """Draw any outline, with links in circles and parts placed anywhere, as an agent may propose it."""
    ids = [f"e{at}" for at in range(draw(st.integers(1, 8)))]
    events = tuple(event(id_, draw(st.sampled_from(["a", "b", "c"]))) for id_ in ids)
    pairs = [(one, other) for one in ids for other in ids if one != other]
    drawn = draw(st.lists(st.sampled_from(pairs), max_size=14)) if pairs else []
    links = [link(one, draw(st.sampled_from(KINDS)), other) for one, other in drawn]
    parts = [
        part(f"{id_}-{at}", id_, draw(st.none() | st.integers(1, 30)))
        for id_ in ids
        for at in range(draw(st.integers(0, 4)))
    ]
    return outline(
        events=events,
        links=tuple(links),
        sub_events=tuple(draw(st.permutations(parts))),
    )
