"""What a window and its server say to each other: heard, and held back for as long as one likes."""

from __future__ import annotations

from playwright.sync_api import Page, WebSocketRoute
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


class Wire:
    """The line between a window and its server; put it in before the window opens a page."""

    def __init__(self, page: Page) -> None:
        self.looking: set[str] = set()
        """The parts of the page that look again by themselves, as the window was told last."""
        self._held: list[str | bytes] | None = None
        self._pages: set[str] = set()
        self._is_next_page_whole = False
        page.route_web_socket("**/_stcore/stream", self._connect)

    def hold_until_a_late_look(self) -> None:
        """Keep all from the window until it asks for one more look at the page it still shows.

        That look is let through only when the server has told all of the page that comes next.
        """
        self._held = []
        self._pages.clear()
        self._is_next_page_whole = False

    @property
    def is_holding(self) -> bool:
        """Whether the window is still kept from what the server says."""
        return self._held is not None

    def _connect(self, window: WebSocketRoute) -> None:
        server = window.connect_to_server()

        def from_server(message: str | bytes) -> None:
            self._hear(message)
            if self._held is None:
                window.send(message)
            else:
                self._held.append(message)

        def from_window(message: str | bytes) -> None:
            is_late = self._held is not None and _is_look(message)
            if is_late and not self._is_next_page_whole:
                return
            server.send(message)
            if is_late:
                let_go()

        def let_go() -> None:
            held, self._held = self._held or [], None
            for message in held:
                window.send(message)

        window.on_message(from_window)
        server.on_message(from_server)

    def _hear(self, message: str | bytes) -> None:
        if not isinstance(message, bytes):
            return
        said = ForwardMsg.FromString(message)
        kind = said.WhichOneof("type")
        if kind == "new_session" and not said.metadata.run.fragment_ids:
            self.looking.clear()
        elif kind == "auto_rerun":
            self.looking.add(said.auto_rerun.fragment_id)
        if self._held is None:
            return
        if kind == "new_session":
            self._pages.add(said.new_session.page_script_hash)
        elif kind == "script_finished":
            self._is_next_page_whole = len(self._pages) > 1


def _is_look(message: str | bytes) -> bool:
    return isinstance(message, bytes) and BackMsg.FromString(message).rerun_script.is_auto_rerun
