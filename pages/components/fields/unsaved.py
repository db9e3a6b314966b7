"""The part of a page that lives in the browser and sees to it that nothing typed is lost.

`assets/typing/unsaved.js` saves a field at a pause, keeps a copy until the app has answered, and sends the
text again if the page that showed the field has gone. Here stands who saves which field, and what
became of each text.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from streamlit.components.v2.types import ComponentRenderer

from pages.components.fields import strings
from pages.components.fields.memory import values
from pages.components.words.speaking import spoken
from store.models.base import new_id

_ASSETS = Path(__file__).parents[3] / "assets" / "typing"
_KEY = "unsaved"
LEDGER = "what becomes of what is typed"
_SESSION = "name of this session"

_FIELDS_KEPT = 500
"""Fields that can still be saved after their page has gone."""

_ANSWERS_KEPT = 50

_NOT_COPIED = ("graph-search", "library-search")
"""Keys of fields whose text is of no use later."""

_PREFIX = "st-key-"
"""With this, Streamlit begins the class of a keyed element."""

EDITION = "-edition"
"""Stands between a field's name and a number in the keys of widgets that were drawn anew."""

Outcome = Literal["saved", "held", "later", "unknown", "dropped"]
"""`held`: the session has the text, which a reload would lose; so the browser keeps its copy. `later`:
the library cannot take the text now, so the browser sends it again until it can.
`unknown`: the page has not shown this field yet. `dropped`: the writer has discarded all fields whose
names begin like this."""


class _Answer(NamedTuple):
    number: int
    field: str
    checksum: int
    outcome: Outcome


class _Typed(BaseModel):
    """A text that a field could not deliver itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    field: Annotated[str, Field(max_length=500)]
    text: str


_TEXTS = TypeAdapter(list[_Typed])


class Ledger:
    """Who saves which field of this window, and what became of each text.

    It is an object that callbacks hold: the session's state would end them (see `memory`).
    """

    def __init__(self) -> None:
        self._savers: dict[str, Callable[[str], object]] = {}
        self._answers: list[_Answer] = []

    @property
    def answers(self) -> list[dict[str, object]]:
        """The newest answers, for the browser."""
        return [answer._asdict() for answer in self._answers]

    def register(self, key: str, save: Callable[[str], object]) -> None:
        """Say how the text of the widget `key` is saved, also when its page has gone."""
        name = name_of(key)
        self._savers.pop(name, None)  # the newest come last
        self._savers[name] = save
        while len(self._savers) > _FIELDS_KEPT:
            self._savers.pop(next(iter(self._savers)))

    def answer(self, key: str, text: str, outcome: Outcome) -> None:
        """Tell the browser what became of a text, or that nobody needs it any longer."""
        self._note(key, checksum_of(text), outcome)

    def ask_for_all(self, key: str, checksum: int) -> None:
        """Have the browser send the whole of a text of which only changes came, by its checksum."""
        self._note(key, checksum, "unknown")

    def _note(self, key: str, checksum: int, outcome: Outcome) -> None:
        number = self._answers[-1].number + 1 if self._answers else 1
        latest = _Answer(number, name_of(key), checksum, outcome)
        self._answers = [*self._answers, latest][-_ANSWERS_KEPT:]

    def take_in(self) -> None:
        """Save the texts that the browser has sent beside their fields."""
        try:
            texts = _TEXTS.validate_python(values()[_KEY].get("typed"))
        except ValidationError:
            return
        for typed in texts:
            if save := self._savers.get(typed.field):
                save(typed.text)
            else:
                self.answer(typed.field.removeprefix(_PREFIX), typed.text, "unknown")


def ledger() -> Ledger:
    """Return the ledger of this window."""
    kept: Ledger = st.session_state.setdefault(LEDGER, Ledger())
    return kept


def watch(writer: str = "", *, is_private: bool = False) -> None:
    """Look after what is typed on this page. On a private one, the browser keeps no copies.

    `writer` is who types, where a site has several: nobody else at the same browser is offered theirs.
    """
    kept = ledger()
    _renderer()(
        key=_KEY,
        data={
            "writer": writer,
            "language": spoken().value,
            "session": st.session_state.setdefault(_SESSION, new_id()),
            "answers": kept.answers,
            "ignored": [""] if is_private else [name_of(key) for key in _NOT_COPIED],
            "words": {
                "put_back": strings.PUT_BACK,
                "offer": strings.FOUND_UNSAVED,
                "take": strings.PUT_IT_BACK,
                "leave": strings.DISCARD_IT,
            },
        },
        on_typed_change=kept.take_in,
    )


def answer_here() -> None:
    """Tell the browser, at the end of a fragment, what became of what is typed in it.

    A fragment runs without the rest of its page, which tells of everything else.
    """
    _answers()(key="unsaved-answers", data={"answers": ledger().answers})


def checksum_of(text: str) -> int:
    """Return the checksum by which the browser and the page know a version of a text: its CRC-32."""
    return zlib.crc32(text.encode("utf-8", "replace"))


def name_of(key: str) -> str:
    """Return the name by which the browser knows a field: Streamlit's class for its first key."""
    name = re.sub(rf"{EDITION}\d+$", "", key.strip())
    return _PREFIX + re.sub(r"[^a-zA-Z0-9_-]", "-", name)


@st.cache_resource(show_spinner=False)
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_unsaved",
        html='<div class="unsaved" role="status" hidden></div>',
        css=(_ASSETS / "unsaved.css").read_text("utf-8"),
        js=(_ASSETS / "unsaved.js").read_text("utf-8"),
    )


@st.cache_resource(show_spinner=False)
def _answers() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_answers",
        html="<span hidden></span>",
        js=(_ASSETS / "answers.js").read_text("utf-8"),
    )
