"""The toolbar above a picture: search, filters, chapters shown, and order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

import streamlit as st

from graph_flow.views import SearchHitView
from pages.components import words
from pages.components.fields.autosave import bind, changing
from pages.components.graphs import strings
from pages.components.graphs.navigation import MOST_AT_ONCE, SPANS, GraphSession
from pages.components.pictures import strings as pictures
from pages.components.pictures.filters import Filters
from pages.components.pictures.story_index import StoryIndex
from pages.components.pictures.timeline import Order
from pages.components.words import plain
from pages.serving.services import workbench
from store.models.cast import RelationshipKind
from store.models.plot import LinkKind

K = TypeVar("K", bound=StrEnum)


def filters(session: GraphSession, index: StoryIndex) -> None:
    """Show the filters, folded."""
    now = session.filters.standing_in(index)
    label = strings.filter_label(now.count)
    with st.popover(label, icon=":material/filter_alt:", key="graph-filters"):
        _people(session, index, now)
        ties = {one.tie for one in index.relationships}
        relationships = {
            kind: pictures.RELATIONSHIPS[kind] for kind in RelationshipKind if kind in ties
        }
        _kinds(session, strings.FILTER_RELATIONSHIPS, "relationships", relationships)
        found = {one.link for one in index.links}
        links = {kind: words.link_words(kind) for kind in LinkKind if kind in found}
        _kinds(session, strings.FILTER_LINKS, "links", links)
        _kinds(session, strings.FILTER_PARTS, "parts", words.PARTS if index.events_told() else {})
        _thread(session, index, now)
        if now.count:
            st.button(strings.FILTER_NONE, on_click=session.filter, args=(Filters(),))


def span(session: GraphSession, chapter: int) -> None:
    """Show how many chapters are seen at once, if there are more than a few."""
    offered = [number for number in SPANS if number < chapter]
    if chapter > MOST_AT_ONCE:
        offered.remove(0)
    if len(offered) < 2:
        return
    bound = bind("graphs-span", session.span if session.span in offered else offered[-1])
    st.segmented_control(
        strings.SPAN,
        offered,
        default=bound.value,
        required=True,
        key=bound.key,
        format_func=strings.span,
        label_visibility="collapsed",
        on_change=changing(bound, session.set_span),
    )


def order(session: GraphSession) -> None:
    """Show the orders of the timeline to choose from."""
    bound = bind("graphs-order", session.order)
    st.segmented_control(
        strings.ORDER,
        list(Order),
        default=bound.value,
        required=True,
        key=bound.key,
        format_func=lambda one: strings.ORDERS[one],
        label_visibility="collapsed",
        on_change=changing(bound, session.set_order),
    )


def _people(session: GraphSession, index: StoryIndex, now: Filters) -> None:
    bound = bind("graphs-people", list(now.people))
    st.multiselect(
        strings.FILTER_PEOPLE,
        list(index.people),
        default=bound.value,
        format_func=lambda id_: index.people[id_].name,
        placeholder=strings.FILTER_PEOPLE_ALL,
        key=bound.key,
        on_change=changing(bound, _setter(session, "people")),
    )


def _kinds(session: GraphSession, label: str, field: str, kinds: Mapping[K, str]) -> None:
    if not kinds:
        return
    chosen = [kind for kind in getattr(session.filters, field) if kind in kinds]
    bound = bind(f"graphs-{field}", chosen)
    st.pills(
        label,
        list(kinds),
        selection_mode="multi",
        default=bound.value,
        format_func=lambda kind: kinds[kind],
        key=bound.key,
        on_change=changing(bound, _setter(session, field)),
    )


def _thread(session: GraphSession, index: StoryIndex, now: Filters) -> None:
    if not index.threads:
        return
    names: Mapping[str, str] = {id_: thread.title for id_, thread in index.threads.items()}
    bound = bind("graphs-thread", now.thread or None)
    st.selectbox(
        strings.FILTER_THREAD,
        list(names),
        index=list(names).index(bound.value) if bound.value else None,
        format_func=lambda id_: names[id_],
        placeholder=strings.FILTER_THREAD_ANY,
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
        strings.SEARCH,
        key="graph-search",
        placeholder=strings.SEARCH_PLACEHOLDER,
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
        st.caption(strings.SEARCH_EMPTY)
        return
    with st.container(border=True, height=260, key="graph-hits"):
        for hit in hits:
            st.button(
                strings.hit(plain(hit.label), hit.chapter),
                icon=_KINDS.get(hit.kind),
                type="tertiary",
                key=f"hit-{hit.id}",
                on_click=go_to,
                args=(hit.id,),
            )
            if hit.excerpt:
                st.caption(plain(hit.excerpt))
