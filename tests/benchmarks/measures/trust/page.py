"""What a window shows: the elements of a page, put together from what the server says of it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

HOME = ""
"""How the address names the first page."""

_TEXTS: Mapping[str, str] = {
    "markdown": "body",
    "heading": "body",
    "alert": "body",
    "text": "body",
}
"""The kinds of elements that are read, with what holds their words."""


class WindowError(Exception):
    """The app did not do what a writer expects of it."""


class NotShown(WindowError):
    """The page shows no such thing."""


class Broken(WindowError):
    """The page shows an error of the program."""


@dataclass(frozen=True)
class _Shown:
    delta: Delta
    run: str


@dataclass
class Looks:
    """Which parts of the page look again by themselves, after how many seconds, and when next."""

    every: dict[str, float] = field(default_factory=dict)
    due: dict[str, float] = field(default_factory=dict)

    def add(self, fragment: str, seconds: float) -> None:
        """Look at a part again and again."""
        self.every[fragment] = seconds
        self.due[fragment] = time.monotonic() + seconds

    def drop(self, fragment: str) -> None:
        """Look at a part no more."""
        self.every.pop(fragment, None)
        self.due.pop(fragment, None)

    def done(self, fragment: str) -> None:
        """Look at a part again when its time has passed once more."""
        if fragment in self.every:
            self.due[fragment] = time.monotonic() + self.every[fragment]

    @property
    def next(self) -> tuple[str, float] | None:
        """Which part is due first, and when."""
        return min(self.due.items(), key=lambda one: one[1]) if self.due else None


class Page:
    """The page that a window shows."""

    def __init__(self) -> None:
        self.name = ""
        """What Streamlit calls the page."""
        self.query = ""
        """The parameters in the address."""
        self.pages: dict[str, str] = {}
        """What Streamlit calls each page, by its address."""
        self.looks = Looks()
        self._shown: dict[tuple[int, ...], _Shown] = {}
        self._run, self._fragments = "", frozenset[str]()

    def begin(self, said: ForwardMsg) -> None:
        """Take in that the page begins to run, or a part of it."""
        self._run = said.metadata.run.script_run_id or said.new_session.script_run_id
        self._fragments = frozenset(said.metadata.run.fragment_ids)
        self.learn(said.new_session.app_pages)
        if not self._fragments:
            if said.new_session.page_script_hash != self.name:
                self._shown.clear()
            self.name = said.new_session.page_script_hash
            self.looks = Looks()

    def learn(self, pages: Any) -> None:
        """Take in which pages there are."""
        for one in pages:
            self.pages[HOME if one.is_default else one.url_pathname] = one.page_script_hash

    def show(self, said: ForwardMsg) -> None:
        """Take in an element."""
        self._shown[tuple(said.metadata.delta_path)] = _Shown(said.delta, self._run)

    def end(self) -> None:
        """Drop what the run that has ended did not show again."""
        for path, one in list(self._shown.items()):
            is_its = not self._fragments or one.delta.fragment_id in self._fragments
            if is_its and one.run != self._run:
                del self._shown[path]

    def check(self) -> None:
        """Fail if the page shows an error of the program.

        Raises:
            Broken: if it does.
        """
        for _, element in self.elements("exception"):
            raise Broken(f"{element.exception.type}: {element.exception.message}")

    def elements(self, kind: str) -> Iterator[tuple[Delta, Any]]:
        """Yield the elements of a kind, in order, each with what it came in."""
        for _, one in sorted(self._shown.items()):
            if one.delta.WhichOneof("type") == "new_element":
                element = one.delta.new_element
                if element.WhichOneof("type") == kind:
                    yield one.delta, element

    def fields(self) -> Iterator[tuple[Delta, Any]]:
        """Yield the fields to type in."""
        for kind in ("text_area", "text_input"):
            for delta, element in self.elements(kind):
                yield delta, getattr(element, kind)

    def field(self, label: str) -> tuple[Delta, Any]:
        """Return a field.

        Raises:
            NotShown: if there is none with this label.
        """
        for delta, element in self.fields():
            if element.label == label:
                return delta, element
        raise NotShown(f"no field {label!r}; there are {[one.label for _, one in self.fields()]}")

    @property
    def buttons(self) -> list[str]:
        """The labels of the buttons, in order."""
        return [element.button.label for _, element in self.elements("button")]

    @property
    def words(self) -> str:
        """All texts of the page, one kind after the other."""
        return "\n".join(
            str(getattr(getattr(element, kind), holds))
            for kind, holds in _TEXTS.items()
            for _, element in self.elements(kind)
        )

    @property
    def story(self) -> str:
        """The id of the open story, by the address; empty if none is open."""
        found = dict(one.partition("=")[::2] for one in self.query.split("&"))
        return found.get("story", "")

    @property
    def answers(self) -> list[Mapping[str, Any]]:
        """What the page says became of the texts that were typed, the newest last."""
        told = [said["answers"] for _, _, said in self._components() if said.get("answers")]
        return list(max(told, key=lambda answers: int(answers[-1]["number"]), default=[]))

    @property
    def editor(self) -> tuple[Delta, str, Mapping[str, Any]]:
        """The editor of a chapter: what it came in, what Streamlit calls it, and what it was given.

        Raises:
            NotShown: if there is none.
        """
        for delta, id_, said in self._components():
            if "edition" in said:
                return delta, id_, said
        raise NotShown("no editor")

    @property
    def shows_editor(self) -> bool:
        """Whether a chapter's text can be edited."""
        return any("edition" in said for _, _, said in self._components())

    def _components(self) -> Iterator[tuple[Delta, str, Mapping[str, Any]]]:
        for delta, element in self.elements("bidi_component"):
            component = element.bidi_component
            said = json.loads(component.json or component.mixed.json or "{}")
            if isinstance(said, dict):
                yield delta, component.id, said

    def shows_button(self, label: str) -> bool:
        """Return whether a button with this label is offered."""
        return label in self.buttons

    def shows_file(self, label: str) -> bool:
        """Return whether a file with this label can be saved."""
        offered = self.elements("download_button")
        return any(element.download_button.label == label for _, element in offered)

    def shows_field(self, label: str) -> bool:
        """Return whether there is a field with this label."""
        return any(element.label == label for _, element in self.fields())
