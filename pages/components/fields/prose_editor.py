"""The editor in which a chapter is written.

It lives in the browser (`assets/editor`, over ProseMirror), holds plain paragraphs and sends what has
changed of them. A change of what it is given sends the whole text again, so it is given a text once,
and another one only if somebody else has changed it. What it is told while the writer types goes a
way of its own, past the text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NamedTuple

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from streamlit.components.v2.types import ComponentRenderer

from pages.components.fields import margin, strings, two_texts, unsaved
from pages.components.fields.keeping import outcome_of, problem_in, show_problem
from pages.components.fields.margin import Margin
from pages.components.fields.memory import Held, Memory, memory_of, values
from pages.components.fields.two_texts import SharedText
from pages.serving.browser_libraries import PROSE_MIRROR, address_of
from store.models.base import new_id
from store.models.manuscript import PARAGRAPH_BREAK, TEXT_LIMIT

_ASSETS = Path(__file__).parents[3] / "assets" / "editor"
_SCRIPTS = (
    *("editor.js", "paper.js", "words.js"),
    *("find.js", "margin.js", "suggestions.js", "cards.js"),
)
_STYLES = ("editor.css", "suggestions.css", "find.css", "margin.css")
SHEETS = "texts in the editor"
_NO_NOTES = Margin((), lambda _: None)
_KNOWN = 5
"""Versions from which the browser's changes may start out."""

_HTML = """
<div class="prose-editor">
  <div class="note" role="alert" hidden></div>
  <div class="page"></div>
  <div class="lost"></div>
  <div class="selection-bar" role="toolbar" hidden>
    <div class="kinds"></div>
    <form><input type="text" maxlength="2000"><button type="submit"></button></form>
    <div class="about"></div>
  </div>
  <div class="foot">
    <span class="words"></span>
    <span class="state" role="status"></span>
    <button type="button" data-asks="go on" hidden></button>
    <button type="button" data-asks="options" hidden></button>
    <button type="button" data-does="alone"></button>
  </div>
</div>
"""


class Paper(NamedTuple):
    """What an editor is called, and what it shows while it is empty. Plain text."""

    key: str
    label: str
    placeholder: str = ""


class Counts(NamedTuple):
    """Words that are kept: of the chapter, of today, of the book; and how many the writer wants of each.

    A target of 0 is none.
    """

    chapter: int
    today: int
    book: int
    target: int = 0
    target_today: int = 0
    target_book: int = 0


class Edit(BaseModel):
    """What has become of some paragraphs: `added` stand in the place of `count` from `start` on.

    `base` and `sum` are the checksums (CRC-32) of the whole text before and after.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    base: int
    start: Annotated[int, Field(ge=0)]
    count: Annotated[int, Field(ge=0)]
    added: list[Annotated[str, Field(max_length=TEXT_LIMIT)]]
    sum: int

    def applied_to(self, text: str) -> str | None:
        """Return the text after the change; None if it was made to another one."""
        if unsaved.checksum_of(text) != self.base:
            return None
        paragraphs = text.split(PARAGRAPH_BREAK)
        paragraphs[self.start : self.start + self.count] = self.added
        changed = PARAGRAPH_BREAK.join(paragraphs)
        return changed if unsaved.checksum_of(changed) == self.sum else None


@dataclass
class _Sheet:
    """A text in this window's editor: what it was given, and what this window has made of it."""

    given: str
    edition: str = field(default_factory=new_id)
    known: deque[str] = field(default_factory=lambda: deque(maxlen=_KNOWN))

    @property
    def newest(self) -> str:
        """What is in the editor, as far as it is known."""
        return self.known[-1] if self.known else self.given

    def give(self, text: str) -> None:
        """Put another text in its place."""
        self.given, self.edition = text, new_id()
        self.known.clear()


def show(
    paper: Paper, stored: str, shared: SharedText, counts: Counts, beside: Margin = _NO_NOTES
) -> None:
    """Show an editor that holds `stored`, and save what the writer types, as `autosave` does.

    For a fragment of a page: each pause runs it.
    """
    memory, sheet = memory_of(paper.key), _sheet(paper.key, stored)

    def replace(found: str, typed: str) -> None:
        shared.replace(found, typed)
        sheet.known.append(typed)

    own = SharedText(replace, shared.set_aside)
    if memory.held is None and stored != sheet.newest:
        sheet.give(stored)
        memory.base = None
    keep = _keeper(paper.key, memory, lambda typed: two_texts.replace(memory, stored, typed, own))
    unsaved.ledger().register(paper.key, keep)
    _mount(paper, sheet, keep, margin.taker(paper.key, beside))
    _tell(paper.key, counts)
    margin.tell(paper.key, beside)
    if memory.theirs is None:
        show_problem(paper.key)
    else:
        two_texts.offer(paper.key, memory, own)


def paragraph_of(paper: Paper) -> int:
    """Return the paragraph, from 0, in which the cursor of an editor stands."""
    at = (st.session_state.get(paper.key) or {}).get("at")
    return at if isinstance(at, int) and at >= 0 else 0


def text_of(paper: Paper) -> str | None:
    """Return the text in an editor as far as it is known; None: it was not shown yet."""
    held = memory_of(paper.key).held
    sheet = st.session_state.get(SHEETS, {}).get(paper.key)
    newest: str | None = sheet.newest if sheet is not None else None
    return str(held.value) if held else newest


def _sheet(key: str, stored: str) -> _Sheet:
    sheets: dict[str, _Sheet] = st.session_state.setdefault(SHEETS, {})
    return sheets.setdefault(key, _Sheet(stored))


def _keeper(key: str, memory: Memory, save: Callable[[str], object]) -> Callable[[str], None]:
    told = unsaved.ledger()

    def keep(text: str) -> None:
        problem = problem_in(lambda: save(text), is_text=True)
        if problem is None:
            memory.held = None
        else:
            memory.held = Held(text, problem.words)
        told.answer(key, text, outcome_of(problem))

    return keep


def _mount(
    paper: Paper, sheet: _Sheet, keep: Callable[[str], None], on_note: Callable[[], None]
) -> None:
    told, memory = unsaved.ledger(), memory_of(paper.key)

    def on_edit() -> None:
        try:
            edit = Edit.model_validate((values().get(paper.key) or {}).get("edit"))
        except ValidationError:
            return
        held = [str(memory.held.value)] if memory.held else []
        for text in (*held, *reversed(sheet.known), sheet.given):
            changed = edit.applied_to(text)
            if changed is not None:
                keep(changed)
                return
        told.ask_for_all(paper.key, edit.sum)  # then the browser sends all of it

    _editor()(
        key=paper.key,
        data={
            "field": paper.key,
            "label": paper.label,
            "placeholder": paper.placeholder,
            "text": sheet.given,
            "edition": sheet.edition,
            "library": address_of(PROSE_MIRROR),
            "words": strings.OF_THE_EDITOR,
        },
        on_edit_change=on_edit,
        on_at_change=lambda: None,
        on_note_change=on_note,
    )


def _tell(key: str, counts: Counts) -> None:
    _news()(
        key=f"{key}-news",
        data={
            "field": key,
            "about": {
                "chapter": counts.chapter,
                "today": counts.today,
                "book": counts.book,
                "targets": {
                    "chapter": counts.target,
                    "day": counts.target_today,
                    "book": counts.target_book,
                },
            },
        },
    )


@st.cache_resource(show_spinner=False)
def _editor() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_editor",
        html=_HTML,
        css="\n".join((_ASSETS / name).read_text("utf-8") for name in _STYLES),
        # One module for the browser, kept in several files for readability.
        js="\n".join((_ASSETS / name).read_text("utf-8") for name in _SCRIPTS),
        # Fields are looked after by the page, which sees nothing behind a shadow root.
        isolate_styles=False,
    )


@st.cache_resource(show_spinner=False)
def _news() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_editor_news",
        html="<span hidden></span>",
        js=(_ASSETS / "news.js").read_text("utf-8"),
        isolate_styles=False,
    )
