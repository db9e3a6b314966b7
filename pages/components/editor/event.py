"""The fields of an event: what happens, where and when, who takes part, and what leads to what."""

from __future__ import annotations

from typing import Literal, NamedTuple

import streamlit as st

from pages.components import words as wording
from pages.components.editor import new, strings
from pages.components.editor import new as edit_choices
from pages.components.editor.draft import EditSession
from pages.components.fields.autosave import Box, choice_box
from pages.components.fields.fields import Fields
from pages.components.words.messages import said
from store.models.base import new_id
from store.models.fields import shown
from store.models.plot import (
    Event,
    EventLink,
    LinkKind,
    Occurrence,
    Participation,
    moment,
    right_after,
    right_before,
)
from store.models.prototype import Snapshot


def show(session: EditSession, event: Event, story: Snapshot) -> None:
    """Show every field of an event; `story` has the draft applied."""
    fields = Fields(session, event)
    fields.text("title")
    fields.text("summary")
    fields.text("consequences")
    around = _around(fields, event, story)
    _scene(session, event, story, around)
    _when(fields, event, story, around)
    fields.text("story_date")
    show_parts(session, event, story)
    show_links(session, event, story, around)


def _around(fields: Fields, event: Event, story: Snapshot) -> int:
    """Return the chapter around which events and scenes are offered; ask in long stories only."""
    told = story.first_chapter_of(event.id)
    if not edit_choices.has_more(story):
        return told
    number = st.number_input(
        strings.OFFERED_AROUND,
        min_value=0,
        max_value=story.chapter,
        value=told,
        key=fields.key("around"),
    )
    return int(number)


def _scene(session: EditSession, event: Event, story: Snapshot, around: int) -> None:
    placed = next((one for one in story.of(Occurrence) if one.event == event.id), None)
    stored = placed.scene if placed else None
    keep = [stored] if stored else []
    choice_box(
        Box(f"{session.key}-{event.id}-scene", said(shown(Occurrence, "scene").label)),
        edit_choices.scenes(story, around, keep),
        stored,
        lambda scene: _put(session, event, placed, scene),
    )


def _put(session: EditSession, event: Event, placed: Occurrence | None, scene: str | None) -> None:
    if placed is None:
        if scene is not None:
            new = Occurrence(id=new_id(), event=event.id, scene=scene)
            session.add(new)
    elif scene is None:
        session.remove(placed.id)
    else:
        session.change(placed.id, scene=scene)


def _when(fields: Fields, event: Event, story: Snapshot, around: int) -> None:
    when = _chosen(fields, event, story)
    choice_box(
        Box(fields.key("side"), said(shown(event, "story_order").label)),
        {side: strings.SIDES[side] for side in SIDES},
        when.side,
        lambda side: _place(fields, event, story, nearest(event, side, story)),
    )
    if when.other is None:
        return
    offered = edit_choices.events(story, around, [when.other])
    offered.pop(event.id, None)
    side: Side = when.side
    choice_box(
        Box(fields.key("anchor"), said(shown(EventLink, "target").label), is_label_hidden=True),
        offered,
        when.other,
        lambda other: _place(fields, event, story, When(side, other)),
    )


def _chosen(fields: Fields, event: Event, story: Snapshot) -> When:
    """Return the time as the writer put it, as long as it is still right."""
    said: tuple[When, float | None] | None = st.session_state.get(fields.key("when"))
    if said is not None and said[1] == event.story_order and _exists(said[0], story):
        return said[0]
    return when_of(event, story)


def _exists(when: When, story: Snapshot) -> bool:
    return when.other is None or when.other in story.entities


def _place(fields: Fields, event: Event, story: Snapshot, when: When) -> None:
    order = order_at(event, when, story)
    fields.save(story_order=order)
    st.session_state[fields.key("when")] = (when, order)


class Bearing(NamedTuple):
    """How an event relates to another, worded from its own side."""

    link: LinkKind
    is_outgoing: bool


def bearings() -> dict[Bearing, str]:
    """Return the kinds of links in words, in both directions."""
    return {
        Bearing(kind, is_outgoing): strings.bearing(words[0] if is_outgoing else words[1])
        for kind, words in wording.LINKS.items()
        for is_outgoing in (True, False)
    }


def show_parts(session: EditSession, event: Event, story: Snapshot) -> None:
    """Show who takes part, and how."""
    st.markdown(f"**{strings.PARTS}**")
    cast = new.people(story)
    parts = story.participations_in(event.id)
    for part in parts:
        with st.container(border=True):
            show_part(session, part, cast)
            _take_out(session, part.id, strings.PART_REMOVE)
    if not cast:
        st.caption(strings.PARTS_NOBODY)
        return
    st.button(
        strings.PART_ADD,
        key=f"{session.key}-add-part",
        icon=":material/person_add:",
        on_click=_add_part,
        args=(session, event, new.first_free(cast, (one.character for one in parts))),
    )


def show_part(session: EditSession, part: Participation, cast: dict[str, str]) -> None:
    """Show one person's part in an event."""
    row = Fields(session, part, has_locks=False)
    row.choice("character", cast)
    row.choice("part", wording.PARTS)
    row.text("emotion")
    row.text("impact")


def show_links(session: EditSession, event: Event, story: Snapshot, around: int) -> None:
    """Show what leads to what, worded from the side of the event."""
    st.markdown(f"**{strings.LINKS}**")
    links = [one for one in story.of(EventLink) if event.id in (one.source, one.target)]
    keep = {end for link in links for end in (link.source, link.target)}
    others = new.events(story, around, keep)
    others.pop(event.id, None)
    for link in links:
        with st.container(border=True):
            show_link(session, link, event, others)
            _take_out(session, link.id, strings.LINK_REMOVE)
    if not others:
        st.caption(strings.LINKS_NO_OTHER)
        return
    st.button(
        strings.LINK_ADD,
        key=f"{session.key}-add-link",
        icon=":material/link:",
        on_click=_add_link,
        args=(session, event, new.first_free(others, keep)),
    )


def show_link(session: EditSession, link: EventLink, event: Event, others: dict[str, str]) -> None:
    """Show one link, worded from the side of one of its events."""
    is_outgoing = link.source == event.id
    other = link.target if is_outgoing else link.source
    key = f"{session.key}-{link.id}"
    choice_box(
        Box(f"{key}-bearing", said(shown(link, "link").label)),
        bearings(),
        Bearing(link.link, is_outgoing),
        lambda bearing: _relate(session, link, bearing, (event.id, other)),
    )
    choice_box(
        Box(f"{key}-other", said(shown(link, "target").label)),
        others,
        other,
        lambda id_: _relate(session, link, Bearing(link.link, is_outgoing), (event.id, id_)),
    )


def _relate(session: EditSession, link: EventLink, bearing: Bearing, ends: tuple[str, str]) -> None:
    source, target = ends if bearing.is_outgoing else ends[::-1]
    session.change(link.id, link=bearing.link, source=source, target=target)


def _take_out(session: EditSession, id_: str, words: str) -> None:
    st.button(
        words,
        key=f"{session.key}-drop-{id_}",
        icon=":material/close:",
        type="tertiary",
        on_click=session.remove,
        args=(id_,),
    )


def _add_part(session: EditSession, event: Event, person: str) -> None:
    session.add(Participation(id=new_id(), character=person, event=event.id))


def _add_link(session: EditSession, event: Event, other: str) -> None:
    id_ = new_id()
    session.add(EventLink(id=id_, source=event.id, target=other, link=LinkKind.CAUSES))


Side = Literal["told", "before", "after"]

SIDES: tuple[Side, ...] = ("told", "before", "after")


class When(NamedTuple):
    """A position in the story's own time. `other` is an event id; None: when it is told."""

    side: Side
    other: str | None = None


def when_of(event: Event, snapshot: Snapshot) -> When:
    """Return when an event happens, relative to the nearest event before or after it."""
    if event.story_order is None:
        return When("told")
    return _beside(event, event.story_order, snapshot)


def nearest(event: Event, side: Side, snapshot: Snapshot) -> When:
    """Return a position beside the event that is nearest now, as the initial choice."""
    if side == "told":
        return When(side)
    times = _times(event, snapshot)
    if not times:
        return When("told")
    here = moment(event, snapshot.first_chapter_of(event.id))
    return When(side, min(times, key=lambda id_: abs(times[id_] - here)))


def order_at(event: Event, when: When, snapshot: Snapshot) -> float | None:
    """Return the `Event.story_order` for a position; None for when it is told."""
    times = _times(event, snapshot)
    if when.side == "told" or when.other not in times:
        return None
    between = right_before if when.side == "before" else right_after
    return between(times[when.other], times.values())


def when_words(event: Event, snapshot: Snapshot) -> str:
    """Return when an event happens in the story, in words."""
    when = when_of(event, snapshot)
    other = "" if when.other is None else snapshot.get(Event, when.other).title
    return strings.happens(when.side, other)


def _beside(event: Event, order: float, snapshot: Snapshot) -> When:
    times = _times(event, snapshot)
    if not times:
        return When("told")
    earlier = [id_ for id_, time in times.items() if time <= order]
    if earlier:
        return When("after", max(earlier, key=lambda id_: times[id_]))
    return When("before", min(times, key=lambda id_: times[id_]))


def _times(event: Event, snapshot: Snapshot) -> dict[str, float]:
    """Return when all other events happen, by id."""
    return {
        other.id: moment(other, snapshot.first_chapter_of(other.id))
        for other in snapshot.of(Event)
        if other.id != event.id
    }
