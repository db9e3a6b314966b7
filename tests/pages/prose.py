"""The editor of a chapter, in tests without a browser: what it holds, and what it sends."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from pages.components.fields import prose_editor, unsaved


def look_beside(window: AppTest, tab: str) -> AppTest:
    """Open one of the tabs beside the text."""
    window.session_state["beside-tabs"] = tab
    return window.run()


class EditorField:
    """The one editor of a page."""

    def __init__(self, window: AppTest) -> None:
        self._window = window
        self._sheets: dict[str, Any] = window.session_state[prose_editor.SHEETS]
        shown = {one.proto.id for one in window.get("bidi_component")}
        [self.key] = [key for key in self._sheets if any(key in id_ for id_ in shown)]

    @property
    def value(self) -> str:
        """The text in the editor."""
        return str(self._sheets[self.key].newest)

    def type(self, text: str) -> None:
        """Put a text in the editor, as the browser says it beside the field; run the page."""
        told: unsaved.Ledger = self._window.session_state[unsaved.LEDGER]
        told._savers[unsaved.name_of(self.key)](text)
        self._window.run()
