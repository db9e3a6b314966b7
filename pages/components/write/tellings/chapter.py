"""The chapters of a telling: the way from one to the next, what each shows, and its text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from graph_flow.telling.discourse.arranging import ShownEvent, shown_in
from graph_flow.telling.discourse.coverage import TextOf
from graph_flow.workbench.beside.tellings import TellingChapter
from pages.components import notices
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.frame.frame import OpenStory
from pages.components.notices import attempt, keep
from pages.components.words import plain
from pages.components.write import desk
from pages.components.write.tellings import strings
from pages.serving.services import workbench
from store.models.desk.telling import Telling, ToldPart
from store.models.manuscript import PartTime
from store.models.plot import Event
from store.models.prototype import Snapshot

_CHANGE = "change what a chapter shows"


def show(opened: OpenStory, telling: Telling) -> None:
    """Show a chapter that the writer chooses."""
    chapters = workbench().tellings.chapters(telling.id)
    one = _choose(telling, chapters)
    snapshot = workbench().prototype.snapshot(telling.branch)
    st.subheader(strings.heading(one.place, plain(one.title)), anchor=False)
    with st.container(border=True, key="telling-shows"):
        if notices.is_asked(_CHANGE, one.chapter.key):
            _Change(telling, one, snapshot).show()
        else:
            _parts(one.chapter.parts, snapshot)
            _ways(telling, one, len(chapters))
    _taken_out(telling, snapshot)
    if workbench().manuscript.draft(telling.branch, one.chapter.key) is None:
        if one.chapter.parts:
            st.caption(strings.NOT_WRITTEN)
    else:
        desk.text_alone(opened, one.chapter.key)


def is_changing() -> bool:
    """Return whether the writer is saying what a chapter shows."""
    return notices.subject(_CHANGE) is not None


def _choose(telling: Telling, chapters: Sequence[TellingChapter]) -> TellingChapter:
    by_key = {one.chapter.key: one for one in chapters}
    memory = _memory(telling)
    shown = by_key.get(st.session_state.get(memory, 0)) or _first_unwritten(chapters)
    key = f"chapter-of-{telling.id}"
    st.session_state[key] = shown.chapter.key
    st.selectbox(
        strings.CHAPTER,
        list(by_key),
        format_func=lambda one: _label(by_key[one]),
        key=key,
        on_change=lambda: _turn_to(telling, int(st.session_state[key])),
    )
    return shown


def _label(one: TellingChapter) -> str:
    return strings.chapter(one.place, one.title, strings.CHAPTER_STATES[one.state])


def _first_unwritten(chapters: Sequence[TellingChapter]) -> TellingChapter:
    waiting = (one for one in chapters if one.state is TextOf.MISSING)
    return next(waiting, chapters[0])


def _turn_to(telling: Telling, key: int) -> None:
    st.session_state[_memory(telling)] = key
    notices.stop_asking()


def _memory(telling: Telling) -> str:
    return f"chapter shown of telling {telling.id}"


def _parts(parts: Sequence[ToldPart], snapshot: Snapshot) -> None:
    if not parts:
        st.markdown(strings.SHOWS_NOTHING)
    names = {person.id: person.name for person in snapshot.characters}
    for part in parts:
        seen_by = plain(names.get(part.point_of_view or "", ""))
        st.markdown(f":gray[{strings.part(part.time, part.chapter, seen_by)}]")
        titles = [_title(event, snapshot) for event in part.events]
        st.markdown("\n".join(f"- {plain(title)}" for title in titles if title))


def _title(event: str, snapshot: Snapshot) -> str:
    found = snapshot.entities.get(event)
    return found.title if isinstance(found, Event) else ""


def _ways(telling: Telling, one: TellingChapter, count: int) -> None:
    tellings, key = workbench().tellings, one.chapter.key

    def move(by: int) -> Callable[[], object]:
        return lambda: tellings.move_chapter(telling.id, key, by)

    with st.container(horizontal=True):
        _way(strings.CHANGE, "tune", "change", lambda: notices.ask(_CHANGE, key))
        if one.place > 1:
            _way(strings.EARLIER, "arrow_upward", "up", move(-1))
        if one.place < count:
            _way(strings.LATER, "arrow_downward", "down", move(1))
        _way(strings.ADD_CHAPTER, "add", "add", lambda: _add(telling, key))
        if count > 1:
            _way(strings.TAKE_OUT, "remove", "out", lambda: _take_out(telling, one))


def _way(label: str, icon: str, key: str, action: Callable[[], object]) -> None:
    def act() -> None:
        attempt(action)

    st.button(
        label,
        icon=f":material/{icon}:",
        type="tertiary",
        key=f"telling-chapter-{key}",
        on_click=act,
    )


def _add(telling: Telling, after: int) -> None:
    made = workbench().tellings.add_chapter(telling.id, after)
    _turn_to(telling, made.key)
    notices.ask(_CHANGE, made.key)


def _take_out(telling: Telling, one: TellingChapter) -> None:
    workbench().tellings.take_out(telling.id, one.chapter.key)
    keep("done", strings.taken_out(one.title))


def _taken_out(telling: Telling, snapshot: Snapshot) -> None:
    if not telling.taken_out:
        return
    with st.popover(strings.PUT_IN, icon=":material/undo:", type="tertiary"):
        for one in telling.taken_out:
            title = one.title or next((_title(event, snapshot) for event in one.events), "")
            st.button(
                strings.put_in(plain(title)),
                type="tertiary",
                key=f"put-in-{one.key}",
                on_click=_put_in,
                args=(telling, one.key),
            )


def _put_in(telling: Telling, key: int) -> None:
    if attempt(lambda: workbench().tellings.put_in(telling.id, key)):
        _turn_to(telling, key)


class _Change:
    """The form in which a writer says what a chapter shows; nothing is kept before they say so."""

    def __init__(self, telling: Telling, one: TellingChapter, snapshot: Snapshot) -> None:
        self._telling = telling
        self._key = one.chapter.key
        self._title = one.title
        self._snapshot = snapshot
        self._before = {it.event: it for it in shown_in(one.chapter)}
        self._people = {person.id: person.name for person in snapshot.characters}

    def show(self) -> None:
        """Show the title, the events in order, and how each run of them is shown."""
        tellings = workbench().tellings
        autosave.text_box(
            Box(f"telling-title-{self._key}", strings.CHAPTER_TITLE),
            self._title,
            lambda typed: tellings.rename_chapter(self._telling.id, self._key, typed),
        )
        chosen = st.multiselect(
            strings.SHOWS,
            [event.id for event in self._snapshot.events],
            [event for event in self._before if event in self._snapshot.entities],
            format_func=self._label,
            key=self._field("shows"),
        )
        st.caption(strings.SHOWS_ABOUT)
        for event in chosen:
            self._manner(event)
        with st.container(horizontal=True):
            st.button(strings.KEEP, type="primary", key="keep-shown", on_click=self._keep)
            st.button(
                strings.NEVER_MIND,
                type="tertiary",
                key="leave-shown",
                on_click=notices.stop_asking,
            )

    def _field(self, name: str, event: str = "") -> str:
        return f"{name}-{self._key}-{event}"

    def _label(self, event: str) -> str:
        return strings.event(_title(event, self._snapshot), self._snapshot.first_chapter_of(event))

    def _manner(self, event: str) -> None:
        """Ask how an event is shown."""
        now = self._before.get(event, ShownEvent(event))
        there = [part.character for part in self._snapshot.participations_in(event)]
        eyes = [None, *(one for one in dict.fromkeys(there) if one in self._people)]
        name, when, whose = st.columns([3, 2, 2], vertical_alignment="center")
        name.markdown(plain(_title(event, self._snapshot)))
        times = list(PartTime)
        when.selectbox(
            strings.WHEN,
            times,
            times.index(now.time),
            format_func=lambda one: strings.TIMES[one],
            key=self._field("when", event),
            label_visibility="collapsed",
        )
        whose.selectbox(
            strings.EYES,
            eyes,
            eyes.index(now.point_of_view) if now.point_of_view in eyes else 0,
            format_func=lambda one: self._people.get(one or "", strings.EYES_AS_PLANNED),
            key=self._field("eyes", event),
            label_visibility="collapsed",
        )

    def _keep(self) -> None:
        # As the fields are now: what was chosen just before may not have been drawn yet.
        fields = st.session_state
        shown = []
        for event in fields[self._field("shows")]:
            now = self._before.get(event, ShownEvent(event))
            time = fields.get(self._field("when", event), now.time)
            seen_by = fields.get(self._field("eyes", event), now.point_of_view)
            shown.append(ShownEvent(event, time, seen_by))
        if attempt(lambda: workbench().tellings.show_in(self._telling.id, self._key, shown)):
            notices.stop_asking()
