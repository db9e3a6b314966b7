"""What the board shows: a window of chapters, the storylines in it, and a card for each part. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.views import View
from pages.components.outline_edits import lines_of
from pages.components.outline_sheet import OutlineSheet
from store.models.outline import SubEvent

CHAPTERS = 12
"""Chapters that are seen at once."""

_LINES = 12
"""Lines that have a row in any case; of more, those that have a card."""

_IN_TRAY = 60


class Column(View):
    """A chapter of the board. One that is closed takes no more cards: it is told, or after the last."""

    number: int
    title: str
    closed: bool


class Row(View):
    """A storyline of the board."""

    name: str


class Card(View):
    """A part on the board. `line` is the place of its row, `late` the chapter that left it out."""

    id: str
    event: str
    text: str
    line: int
    chapter: int | None
    told: bool
    late: int | None


class BoardCut(View):
    """The board as it is drawn; cards of one chapter stand in the order of their telling.

    `hidden` counts what has no chapter and is too much to be shown.
    """

    chapters: tuple[Column, ...]
    lines: tuple[Row, ...]
    cards: tuple[Card, ...]
    hidden: int


def first_of_window(wanted: int | None, plotted: int, last: int) -> int:
    """Return the first chapter that is seen: the one wanted, else the next to be plotted."""
    if wanted is None:
        wanted = plotted + 1 if plotted < last else last - CHAPTERS + 1
    return min(max(1, wanted), last)


def cut_of(sheet: OutlineSheet, first: int, titles: Mapping[int, str]) -> BoardCut:
    """Return the board from chapter `first` on; `titles` are those of told chapters."""
    numbers = range(first, min(sheet.last, first + CHAPTERS - 1) + 1)
    chapters = [
        Column(number=number, title=_title(sheet, number, titles), closed=not _takes(sheet, number))
        for number in numbers
    ]
    seen = [part for part in sheet.outline.sub_events if sheet.chapter_of(part) in numbers]
    tray = sheet.parts_in(None)
    shown = [*seen, *tray[:_IN_TRAY]]
    lines = _lines(sheet, shown)
    return BoardCut(
        chapters=tuple(chapters),
        lines=tuple(Row(name=name) for name in lines),
        cards=tuple(_cards(sheet, shown, lines)),
        hidden=max(0, len(tray) - _IN_TRAY),
    )


def _takes(sheet: OutlineSheet, chapter: int) -> bool:
    return sheet.plotted < chapter <= sheet.cap


def _title(sheet: OutlineSheet, chapter: int, titles: Mapping[int, str]) -> str:
    return titles.get(chapter, "") if chapter <= sheet.cap else "after the last chapter"


def _lines(sheet: OutlineSheet, shown: list[SubEvent]) -> list[str]:
    events = {event.id: event for event in sheet.outline.events}
    with_card = {events[part.event].line for part in shown}
    return [
        line for at, line in enumerate(lines_of(sheet.outline)) if at < _LINES or line in with_card
    ]


def _cards(sheet: OutlineSheet, shown: list[SubEvent], lines: list[str]) -> list[Card]:
    events = {event.id: event for event in sheet.outline.events}
    row_of = {line: row for row, line in enumerate(lines)}
    return [
        Card(
            id=part.id,
            event=events[part.event].title,
            text=part.text,
            line=row_of[events[part.event].line],
            chapter=sheet.chapter_of(part),
            told=part.id in sheet.told,
            late=part.chapter if sheet.is_late(part) else None,
        )
        for part in shown
    ]
