"""The board of chapters and storylines: a widget on which cards are dragged, and the way along it."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Annotated, NamedTuple

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from streamlit.components.v2.types import ComponentRenderer

from pages.components import outline_cut
from pages.components.autosave import bind, changing
from pages.components.notices import attempt
from pages.components.outline_cut import CHAPTERS
from pages.components.outline_sheet import OutlineSheet
from pages.components.services import workbench
from pages.components.wording import counted
from store.models.base import Id

_ASSETS = Path(__file__).parents[2] / "assets"
_HTML = """
<div class="board">
  <p class="how" id="how">
    <span class="by-mouse">Drag a card, or use the arrow keys; a click opens it.</span>
    <span class="by-finger">Drag a card by its dots; a tap opens it.</span>
  </p>
  <section class="tray" data-chapter="" aria-label="Not placed">
    <h4>Not placed</h4><div class="cards"></div>
  </section>
  <div class="scroll"><div class="grid"></div></div>
  <p class="said" aria-live="polite"></p>
</div>
"""


class Move(BaseModel):
    """A card that was moved in the browser. `number` counts the moves of one window."""

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
        """The number of the last move that was saved, or could not be."""
        return int(st.session_state.get(f"{self.key}-handled", 0))

    def handle(self, number: int) -> None:
        """Note that a move is dealt with."""
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
        """The first chapter that the writer wants to see; None until that was said."""
        first: int | None = st.session_state.get(f"{self.key}-first")
        return first

    def see_from(self, chapter: int) -> None:
        """Show the chapters from one on."""
        st.session_state[f"{self.key}-first"] = chapter


def session_of(sheet: OutlineSheet) -> Session:
    """Return what this window remembers of the board of an outline."""
    return Session(f"{sheet.key}-board")


def show(sheet: OutlineSheet) -> None:
    """Show the board; a move is saved at once, a click opens a card."""
    session = session_of(sheet)
    first = outline_cut.first_of_window(session.first, sheet.plotted, sheet.last)
    _way_along(sheet, session, first)
    cut = outline_cut.cut_of(sheet, first, _titles(sheet, first))
    key = f"{sheet.key}-widget"
    data = cut.model_dump() | {"handled": session.handled, "selected": session.selected}

    def moved() -> None:
        save_moves(sheet, st.session_state[key].get("moved"))

    def opened() -> None:
        session.select(str(st.session_state[key].get("opened") or ""))

    _renderer()(key=key, data=data, on_moved_change=moved, on_opened_change=opened)
    if cut.hidden:
        st.caption(f"{counted(cut.hidden, 'part', 'parts')} more are not placed.")


def save_moves(sheet: OutlineSheet, said: object) -> None:
    """Save the moves that a browser tells of and that were not saved yet; what is none is left."""
    try:
        moves = _MOVES.validate_python(said)
    except ValidationError:
        return  # Not from our board: there is nothing of the writer's in it to keep.
    session = session_of(sheet)
    # The next move may come, in a thread of its own, while the one before is still being saved.
    with _turn():
        for move in moves:
            if move.number > session.handled:
                session.handle(move.number)
                _save(sheet, move)


def _save(sheet: OutlineSheet, move: Move) -> None:
    attempt(lambda: sheet.place(move.part, move.chapter, move.before))


def _way_along(sheet: OutlineSheet, session: Session, first: int) -> None:
    """Show which chapters are seen, and how to come to the others where there are any."""
    final = min(sheet.last, first + CHAPTERS - 1)
    if first == 1 and final == sheet.last:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="board-way"):
        st.button(
            "Earlier chapters",
            key=f"{session.key}-earlier",
            icon=":material/chevron_left:",
            disabled=first == 1,
            on_click=session.see_from,
            args=(max(1, first - CHAPTERS),),
        )
        st.markdown(f"Chapters {first:,} to {final:,} of {sheet.last:,}", width="content")
        st.button(
            "Later chapters",
            key=f"{session.key}-later",
            icon=":material/chevron_right:",
            disabled=final == sheet.last,
            on_click=session.see_from,
            args=(first + CHAPTERS,),
        )
        if sheet.last > 3 * CHAPTERS:
            _jump(sheet, session, first)


def _jump(sheet: OutlineSheet, session: Session, first: int) -> None:
    bound = bind(f"{session.key}-jump", first)
    st.number_input(
        "From chapter",
        1,
        sheet.last,
        bound.value,
        key=bound.key,
        width=160,
        on_change=changing(bound, session.see_from),
    )


def _titles(sheet: OutlineSheet, first: int) -> dict[int, str]:
    if first > sheet.plotted:
        return {}
    return {card.number: card.title for card in workbench().chapters(sheet.branch)}


@st.cache_resource(show_spinner=False)
def _turn() -> Lock:
    """Return what one thread at a time holds while it saves moves."""
    return Lock()


@st.cache_resource(show_spinner=False)
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(
        "fabula_board",
        html=_HTML,
        css=(_ASSETS / "board.css").read_text("utf-8"),
        js=(_ASSETS / "board.js").read_text("utf-8"),
    )
