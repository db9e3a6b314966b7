"""The board of chapters and storylines: a widget with cards to drag, and its navigation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Annotated, NamedTuple

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from streamlit.components.v2.types import ComponentRenderer

from graph_flow.views import View
from pages.components.fields.autosave import bind, changing
from pages.components.notices import attempt
from pages.components.outline import strings
from pages.components.outline.current import CurrentOutline
from pages.components.outline.edits import lines_of
from pages.serving.services import workbench
from store.models.base import Id
from store.models.outline import SubEvent

_ASSETS = Path(__file__).parents[3] / "assets"
_HTML = """
<div class="board">
  <p class="how" id="how">
    <span class="by-mouse"></span>
    <span class="by-finger"></span>
  </p>
  <section class="tray" data-chapter="">
    <h4></h4><div class="cards"></div>
  </section>
  <div class="scroll"><div class="grid"></div></div>
  <p class="said" aria-live="polite"></p>
</div>
"""


class Move(BaseModel):
    """A card moved in the browser. `number` counts the moves in one window."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: Annotated[int, Field(ge=1)]
    part: Id
    chapter: Annotated[int, Field(ge=1)] | None
    before: Id | None


_MOVES = TypeAdapter(list[Move])


class Session(NamedTuple):
    """What one window remembers of the board of an outline."""

    key: str

    @property
    def handled(self) -> int:
        """The number of the last move that was saved or failed to save."""
        return int(st.session_state.get(f"{self.key}-handled", 0))

    def handle(self, number: int) -> None:
        """Record that a move has been dealt with."""
        st.session_state[f"{self.key}-handled"] = number

    @property
    def selected(self) -> str:
        """The id of the card that is open; empty if none is."""
        return str(st.session_state.get(f"{self.key}-selected", ""))

    def select(self, part_id: str) -> None:
        """Open a card."""
        st.session_state[f"{self.key}-selected"] = part_id

    @property
    def first(self) -> int | None:
        """The first chapter that the writer wants to see; None until they choose."""
        first: int | None = st.session_state.get(f"{self.key}-first")
        return first

    def see_from(self, chapter: int) -> None:
        """Show the chapters from this one on."""
        st.session_state[f"{self.key}-first"] = chapter


def session_of(current: CurrentOutline) -> Session:
    """Return what this window remembers of the board of an outline."""
    return Session(f"{current.key}-board")


def show(current: CurrentOutline) -> None:
    """Show the board; a move is saved at once, a click opens a card."""
    session = session_of(current)
    first = first_of_window(session.first, current.plotted, current.last)
    _navigation(current, session, first)
    cut = cut_of(current, first, _titles(current, first))
    key = f"{current.key}-widget"
    data = cut.model_dump() | {
        "handled": session.handled,
        "selected": session.selected,
        "words": dict(strings.BOARD),
    }

    def moved() -> None:
        save_moves(current, st.session_state[key].get("moved"))

    def opened() -> None:
        session.select(str(st.session_state[key].get("opened") or ""))

    _renderer()(key=key, data=data, on_moved_change=moved, on_opened_change=opened)
    if cut.hidden:
        st.caption(strings.board_hidden(cut.hidden))


def save_moves(current: CurrentOutline, said: object) -> None:
    """Save the moves reported by a browser that are not saved yet; ignore anything invalid."""
    try:
        moves = _MOVES.validate_python(said)
    except ValidationError:
        return  # Not from our board: there is no work of the writer's to keep.
    session = session_of(current)
    # The next move may arrive in another thread while this one is still being saved.
    with _lock():
        for move in moves:
            if move.number > session.handled:
                session.handle(move.number)
                _save(current, move)


def _save(current: CurrentOutline, move: Move) -> None:
    attempt(lambda: current.place(move.part, move.chapter, move.before))


def _navigation(current: CurrentOutline, session: Session, first: int) -> None:
    """Show which chapters are shown, and buttons to reach the others, if any."""
    final = min(current.last, first + CHAPTERS - 1)
    if first == 1 and final == current.last:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="board-way"):
        st.button(
            strings.BOARD_EARLIER,
            key=f"{session.key}-earlier",
            icon=":material/chevron_left:",
            disabled=first == 1,
            on_click=session.see_from,
            args=(max(1, first - CHAPTERS),),
        )
        st.markdown(strings.board_chapters(first, final, current.last), width="content")
        st.button(
            strings.BOARD_LATER,
            key=f"{session.key}-later",
            icon=":material/chevron_right:",
            disabled=final == current.last,
            on_click=session.see_from,
            args=(first + CHAPTERS,),
        )
        if current.last > 3 * CHAPTERS:
            _jump(current, session, first)


def _jump(current: CurrentOutline, session: Session, first: int) -> None:
    bound = bind(f"{session.key}-jump", first)
    st.number_input(
        strings.BOARD_FROM,
        1,
        current.last,
        bound.value,
        key=bound.key,
        width=160,
        on_change=changing(bound, session.see_from),
    )


def _titles(current: CurrentOutline, first: int) -> dict[int, str]:
    if first > current.plotted:
        return {}
    return {card.number: card.title for card in workbench().story.chapters(current.branch)}


@st.cache_resource(show_spinner=False)
def _lock() -> Lock:
    """Return the lock that lets one thread at a time save moves."""
    return Lock()


@st.cache_resource(show_spinner=False)
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_board",
        html=_HTML,
        css=(_ASSETS / "board.css").read_text("utf-8"),
        js=(_ASSETS / "board.js").read_text("utf-8"),
    )


CHAPTERS = 12
"""How many chapters are shown at once."""

_LINES = 12
"""How many storylines always have a row; beyond that, only those with a card."""

_IN_TRAY = 60


class Column(View):
    """A chapter on the board; a closed one, plotted or after the last, takes no more cards."""

    number: int
    title: str
    closed: bool


class Row(View):
    """A storyline on the board."""

    name: str


class Card(View):
    """A part on the board. `line` is the index of its row, `late` the chapter that left it out."""

    id: str
    event: str
    text: str
    line: int
    chapter: int | None
    told: bool
    late: int | None


class BoardCut(View):
    """The board as it is drawn; the cards of a chapter are in the order of the telling.

    `hidden` counts the unplaced parts that are too many to show.
    """

    chapters: tuple[Column, ...]
    lines: tuple[Row, ...]
    cards: tuple[Card, ...]
    hidden: int


def first_of_window(wanted: int | None, plotted: int, last: int) -> int:
    """Return the first chapter shown: the one wanted, else the next to be plotted."""
    if wanted is None:
        wanted = plotted + 1 if plotted < last else last - CHAPTERS + 1
    return min(max(1, wanted), last)


def cut_of(current: CurrentOutline, first: int, titles: Mapping[int, str]) -> BoardCut:
    """Return the board from chapter `first` on; `titles` are those of the plotted chapters."""
    numbers = range(first, min(current.last, first + CHAPTERS - 1) + 1)
    chapters = [
        Column(
            number=number, title=_title(current, number, titles), closed=not _takes(current, number)
        )
        for number in numbers
    ]
    seen = [part for part in current.outline.sub_events if current.chapter_of(part) in numbers]
    tray = current.parts_in(None)
    shown = [*seen, *tray[:_IN_TRAY]]
    lines = _lines(current, shown)
    return BoardCut(
        chapters=tuple(chapters),
        lines=tuple(Row(name=name) for name in lines),
        cards=tuple(_cards(current, shown, lines)),
        hidden=max(0, len(tray) - _IN_TRAY),
    )


def _takes(current: CurrentOutline, chapter: int) -> bool:
    return current.plotted < chapter <= current.cap


def _title(current: CurrentOutline, chapter: int, titles: Mapping[int, str]) -> str:
    return titles.get(chapter, "") if chapter <= current.cap else strings.BOARD_BEYOND_LAST


def _lines(current: CurrentOutline, shown: list[SubEvent]) -> list[str]:
    events = {event.id: event for event in current.outline.events}
    with_card = {events[part.event].line for part in shown}
    return [
        line
        for at, line in enumerate(lines_of(current.outline))
        if at < _LINES or line in with_card
    ]


def _cards(current: CurrentOutline, shown: list[SubEvent], lines: list[str]) -> list[Card]:
    events = {event.id: event for event in current.outline.events}
    row_of = {line: row for row, line in enumerate(lines)}
    return [
        Card(
            id=part.id,
            event=events[part.event].title,
            text=part.text,
            line=row_of[events[part.event].line],
            chapter=current.chapter_of(part),
            told=part.id in current.told,
            late=part.chapter if current.is_late(part) else None,
        )
        for part in shown
    ]
