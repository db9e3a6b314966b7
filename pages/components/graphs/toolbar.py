"""The toolbar above a picture: search, filters, chapters shown, and order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

import streamlit as st

from graph_flow.views import SearchHitView
from pages.components.fields.autosave import bind, changing
from pages.components.graphs.navigation import MOST_AT_ONCE, SPANS, GraphSession
from pages.components.pictures.filters import Filters
from pages.components.pictures.story_index import StoryIndex
from pages.components.pictures.timeline import Order
from pages.components.services import workbench
from pages.components.words import plain
from store.models.cast import RelationshipKind
from store.models.plot import LinkKind, Part

K = TypeVar("K", bound=StrEnum)


def filters(session: GraphSession, index: StoryIndex) -> None:
    """Show the filters, folded."""
    now = session.filters.standing_in(index)
    label = f"Filter · {now.count}" if now.count else "Filter"
    with st.popover(label, icon=":material/filter_alt:", key="graph-filters"):
        _people(session, index, now)
        relationships = _present(RelationshipKind, [one.tie for one in index.relationships])
        _kinds(session, "Relationships", "relationships", relationships)
        _kinds(
            session,
            "What leads to what",
            "links",
            _present(LinkKind, [one.link for one in index.links]),
        )
        _kinds(session, "Part in an event", "parts", list(Part) if index.events_told() else [])
        _thread(session, index, now)
        if now.count:
            st.button("Show everything", on_click=session.filter, args=(Filters(),))


def span(session: GraphSession, chapter: int) -> None:
    """Show how many chapters are seen at once, if there are more than a few."""
    offered = [number for number in SPANS if number < chapter]
    if chapter > MOST_AT_ONCE:
        offered.remove(0)
    if len(offered) < 2:
        return
    spans = {f"{number} chapters" if number else "All": number for number in offered}
    stored = session.span if session.span in offered else offered[-1]
    bound = bind("graphs-span", next(name for name in spans if spans[name] == stored))
    st.segmented_control(
        "How much of the story",
        list(spans),
        default=bound.value,
        required=True,
        key=bound.key,
        label_visibility="collapsed",
        on_change=changing(bound, lambda name: session.set_span(spans[name])),
    )


def order(session: GraphSession) -> None:
    """Show the orders of the timeline to choose from."""
    bound = bind("graphs-order", session.order)
    st.segmented_control(
        "Order",
        list(Order),
        default=bound.value,
        required=True,
        key=bound.key,
        format_func=lambda one: one.capitalize(),
        label_visibility="collapsed",
        on_change=changing(bound, session.set_order),
    )


def _present(kinds: type[K], found: Sequence[K]) -> list[K]:
    shown = set(found)
    return [kind for kind in kinds if kind in shown]


def _people(session: GraphSession, index: StoryIndex, now: Filters) -> None:
    bound = bind("graphs-people", list(now.people))
    st.multiselect(
        "People",
        list(index.people),
        default=bound.value,
        format_func=lambda id_: index.people[id_].name,
        placeholder="Everybody",
        key=bound.key,
        on_change=changing(bound, _setter(session, "people")),
    )


def _kinds(session: GraphSession, label: str, field: str, kinds: Sequence[StrEnum]) -> None:
    if not kinds:
        return
    chosen = [kind for kind in getattr(session.filters, field) if kind in kinds]
    bound = bind(f"graphs-{field}", chosen)
    st.pills(
        label,
        kinds,
        selection_mode="multi",
        default=bound.value,
        key=bound.key,
        on_change=changing(bound, _setter(session, field)),
    )


def _thread(session: GraphSession, index: StoryIndex, now: Filters) -> None:
    if not index.threads:
        return
    names: Mapping[str, str] = {id_: thread.title for id_, thread in index.threads.items()}
    bound = bind("graphs-thread", now.thread or None)
    st.selectbox(
        "Thread",
        list(names),
        index=list(names).index(bound.value) if bound.value else None,
        format_func=lambda id_: names[id_],
        placeholder="Any",
        key=bound.key,
        on_change=changing(bound, _setter(session, "thread")),
    )


def _setter(session: GraphSession, field: str) -> Callable[[Any], None]:
    def set_(value: Any) -> None:
        kept = tuple(value) if isinstance(value, list) else (value or "")
        session.filter(session.filters.model_copy(update={field: kept}))

    return set_


_MOST = 20
_KINDS = {
    "character": ":material/person:",
    "relationship": ":material/link:",
    "event": ":material/bolt:",
    "scene": ":material/place:",
    "thread": ":material/timeline:",
}


def ask(branch_id: str, chapter: int) -> Sequence[SearchHitView] | None:
    """Show the search field; return what was found, or None if it is empty."""
    text = st.text_input(
        "Search",
        key="graph-search",
        placeholder="Find in the story",
        icon=":material/search:",
        label_visibility="collapsed",
        max_chars=200,
        width=210,
    )
    return workbench().story.search(branch_id, chapter, text, limit=_MOST) if text.strip() else None


def show(hits: Sequence[SearchHitView] | None, go_to: Callable[[str], None]) -> None:
    """Show what was found; a click passes its id to `go_to`."""
    if hits is None:
        return
    if not hits:
        st.caption("Nothing found up to this chapter. Try fewer words, or a later chapter.")
        return
    with st.container(border=True, height=260, key="graph-hits"):
        for hit in hits:
            st.button(
                f"{plain(hit.label)} :gray[· {_when(hit)}]",
                icon=_KINDS.get(hit.kind),
                type="tertiary",
                key=f"hit-{hit.id}",
                on_click=go_to,
                args=(hit.id,),
            )
            if hit.excerpt:
                st.caption(plain(hit.excerpt))


def _when(hit: SearchHitView) -> str:
    return f"chapter {hit.chapter}" if hit.chapter else "from the beginning"
