"""What the reader of a telling knows beside that of the book, and which text has which event."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.telling.discourse.reader import FirstKnown, KnowledgePoint
from pages.components.words.messages import said
from pages.components.write.tellings import strings
from pages.serving.services import workbench
from store.models.desk.telling import Telling
from store.models.plot import Event
from store.models.prototype import Snapshot

_CHAPTER, _EVENT, _READER = "chapter", "event", "reader"
"""Columns; people and texts are columns by their ids, since their names can be anything."""
_PEOPLE = 8
"""People in the table: those who know of most."""


def knowledge(telling: Telling) -> None:
    """Show what the reader knows along the chapters, and who knows of each event first."""
    tellings, branch = workbench().tellings, telling.branch
    points = tellings.knowledge(branch, telling)
    st.caption(strings.KNOWLEDGE_ABOUT)
    _curve(telling, points, tellings.knowledge(branch, None))
    _table(points)
    st.subheader(strings.WHO_FIRST, anchor=False)
    st.caption(strings.WHO_FIRST_ABOUT)
    _who_first(tellings.first_known(branch, telling), workbench().prototype.snapshot(branch))


def events(branch: str) -> None:
    """Show which text has which event."""
    st.caption(strings.EVENTS_ABOUT)
    table = workbench().tellings.table(branch)
    rows = [
        {
            _CHAPTER: f"{row.chapter:,}" if row.chapter else strings.BEFORE,
            _EVENT: row.title,
            **{
                _text(at): strings.STATES[table.state(row, one)]
                for at, one in enumerate(table.columns)
            },
        }
        for row in table.rows
    ]
    headings = {
        _text(at): strings.column(one.name, said(one.form.spec.label))
        for at, one in enumerate(table.columns)
    }
    named = {_CHAPTER: strings.IN_CHAPTER, _EVENT: strings.EVENT, **headings}
    st.dataframe(rows, hide_index=True, column_config=named, key="telling-events")


def _text(at: int) -> str:
    return f"text {at}"


def _curve(
    telling: Telling, points: Sequence[KnowledgePoint], book: Sequence[KnowledgePoint]
) -> None:
    lines = ((telling.name, points), (strings.THE_BOOK, book))
    st.line_chart(
        [
            {strings.PLACE: one.place, strings.KNOWN: one.known, strings.CHOOSE: name}
            for name, several in lines
            for one in several
        ],
        x=strings.PLACE,
        y=strings.KNOWN,
        color=strings.CHOOSE,
        height=280,
    )


def _table(points: Sequence[KnowledgePoint]) -> None:
    st.dataframe(
        [
            {
                strings.PLACE: one.place,
                strings.KNOWN: one.known,
                strings.AHEAD: one.ahead,
                strings.BEHIND: one.behind,
            }
            for one in points
        ],
        hide_index=True,
        column_config={
            strings.AHEAD: st.column_config.NumberColumn(help=strings.AHEAD_HELP),
            strings.BEHIND: st.column_config.NumberColumn(help=strings.BEHIND_HELP),
        },
        key="telling-knowledge",
    )


def _who_first(found: Sequence[FirstKnown], snapshot: Snapshot) -> None:
    people = sorted(
        snapshot.characters,
        key=lambda person: -sum(one.people.get(person.id) is not None for one in found),
    )[:_PEOPLE]
    st.dataframe(
        [
            {
                _EVENT: snapshot.get(Event, one.event).title,
                _READER: _place(one.reader),
                **{person.id: _place(one.people.get(person.id)) for person in people},
            }
            for one in found
        ],
        hide_index=True,
        column_config={
            _EVENT: strings.EVENT,
            _READER: strings.READER,
            **{person.id: person.name for person in people},
        },
        key="telling-who-first",
    )


def _place(place: int | None) -> str:
    return strings.NEVER if place is None else f"{place:,}"
