"""A window on a running app without a browser: it speaks Streamlit's protocol, as a browser does.

It keeps what the page shows, sends whatever it typed along with each step, and looks again by itself
where the page asks for that. It draws nothing: what it measures is the server.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Self
from urllib.parse import urlencode, urlsplit
from zlib import crc32

import httpx2
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from store.models.manuscript import PARAGRAPH_BREAK
from tests.benchmarks.measures.trust.page import HOME, Broken, NotShown, Page, WindowError

PATIENCE = 60.0
"""Seconds to wait for the end of a run of the page."""

_XSRF = "_streamlit_xsrf"
_ENDED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class NoAnswer(WindowError):
    """The page did not come to the end of its run in time."""


class Window:
    """One window of one person, whose sign-in is in the cookies of `client`.

    Every step returns the seconds from its sending until the page had run to its end.
    """

    def __init__(self, address: str, client: httpx2.Client) -> None:
        self.page = Page()
        self.redirect = ""
        """Where the page has sent the browser, to sign in."""
        self.looked: list[float] = []
        """How many seconds each look took that a part of the page asked for by itself."""
        self._address = address
        self._client = client
        self._connection: ClientConnection | None = None
        self._closing = ExitStack()
        self._states: dict[str, WidgetState] = {}
        self._written: dict[str, str] = {}
        self._cached: dict[str, ForwardMsg] = {}
        self._replies: dict[str, ForwardMsg] = {}
        self._session = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the window."""
        self._closing.close()
        self._connection = None

    # What a writer does

    def open(self, page: str = HOME, story: str = "") -> float:
        """Open a page by its address, in a new connection."""
        self.close()
        self._states.clear()
        self._cached.clear()
        self.page = Page()
        self.page.query = urlencode({"story": story}) if story else ""
        begun = time.perf_counter()
        self._client.get(f"{self._address}/_stcore/health").raise_for_status()
        self._connection = self._closing.enter_context(self._connected())
        self._rerun(page_name=page)
        self._until_ended()
        return time.perf_counter() - begun

    def turn_to(self, page: str) -> float:
        """Turn to another page by its link."""
        self.page.name = self.page.pages[page]
        self._states.clear()
        return self._timed()

    def look(self) -> float:
        """Have the page run once more."""
        return self._timed()

    def press(self, label: str) -> float:
        """Press the first button of the page with this label."""
        return self._press(lambda button: bool(button.label == label), label)

    def press_key(self, key: str) -> float:
        """Press the button that the app calls so."""
        return self._press(lambda button: str(button.id).endswith(f"-{key}"), key)

    def type(self, label: str, text: str) -> float:
        """Type a text into a field, and leave it."""
        delta, element = self.page.field(label)
        self._states[element.id] = WidgetState(id=element.id, string_value=text)
        return self._timed(None, delta.fragment_id)

    @property
    def text(self) -> str:
        """What the editor holds."""
        _, _, given = self.page.editor
        return self._written.get(str(given["edition"]), str(given["text"]))

    def write(self, text: str) -> float:
        """Put a text in the editor."""
        delta, id_, given = self.page.editor
        edit = {
            "base": crc32(self.text.encode()),
            "start": 0,
            "count": len(self.text.split(PARAGRAPH_BREAK)),
            "added": text.split(PARAGRAPH_BREAK),
            "sum": crc32(text.encode()),
        }
        self._states[id_] = WidgetState(id=id_, json_value=json.dumps({"edit": edit}))
        self._written[str(given["edition"])] = text
        return self._timed(None, delta.fragment_id)

    def pause(self, seconds: float) -> None:
        """Do nothing for some seconds but what the page asks a browser to do by itself."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            coming = self.page.looks.next
            due = coming[1] - time.monotonic() if coming else left
            if coming and due <= 0:
                self._look_again(coming[0])
            else:
                self._hear(min(left, due))

    def download(self, label: str) -> bytes:
        """Save the file that a button offers."""
        for _, element in self.page.elements("download_button"):
            if element.download_button.label == label:
                return self._file(element.download_button)
        raise NotShown(f"no file {label!r}")

    # How it is said

    def _connected(self) -> AbstractContextManager[ClientConnection]:
        parts = urlsplit(self._address)
        cookies = "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())
        token = self._client.cookies.get(_XSRF) or "none"
        return connect(
            f"ws://{parts.netloc}/_stcore/stream",
            origin=Origin(self._address),
            subprotocols=[Subprotocol("streamlit"), Subprotocol(token)],
            additional_headers={"Cookie": cookies},
            max_size=None,
            ping_interval=None,
            proxy=None,
        )

    def _press(self, is_it: Callable[[Any], bool], what: str) -> float:
        for delta, element in self.page.elements("button"):
            if is_it(element.button):
                state = WidgetState(id=element.button.id, trigger_value=True)
                return self._timed(state, delta.fragment_id)
        raise NotShown(f"no button {what!r}; there are {self.page.buttons}")

    def _timed(self, trigger: WidgetState | None = None, fragment: str = "") -> float:
        begun = time.perf_counter()
        self._rerun(trigger, fragment)
        self._until_ended()
        return time.perf_counter() - begun

    def _look_again(self, fragment: str) -> None:
        begun = time.perf_counter()
        self._rerun(None, fragment, is_look=True)
        self._until_ended()
        self.page.looks.done(fragment)
        self.looked.append(time.perf_counter() - begun)

    def _rerun(
        self,
        trigger: WidgetState | None = None,
        fragment: str = "",
        *,
        page_name: str = "",
        is_look: bool = False,
    ) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string = self.page.query
        state.page_script_hash = self.page.name
        state.page_name = page_name
        state.fragment_id = fragment
        state.is_auto_rerun = is_look
        state.context_info.timezone = "UTC"
        state.context_info.locale = "en"
        state.context_info.url = f"{self._address}/{page_name}"
        state.widget_states.widgets.extend(self._states.values())
        if trigger is not None:
            state.widget_states.widgets.append(trigger)
        state.cached_message_hashes.extend(self._cached)
        self._send(message)

    def _send(self, message: BackMsg) -> None:
        self._open_connection.send(message.SerializeToString())

    def _until_ended(self) -> None:
        """Hear what the server says until the page has run to its end.

        Raises:
            NoAnswer: if it does not come to it in time.
            Broken: if the page shows an error of the program.
        """
        until = time.monotonic() + PATIENCE
        while True:
            said = self._hear(max(0.0, until - time.monotonic()))
            if said is None:
                raise NoAnswer(f"no end of the page after {PATIENCE:.0f} s")
            if said.WhichOneof("type") == "script_finished" and said.script_finished in _ENDED:
                self.page.end()
                break
            if said.WhichOneof("type") == "auth_redirect":
                break
        self.page.check()

    def _hear(self, seconds: float) -> ForwardMsg | None:
        """Take in the next thing that the server says; None if it says nothing for so long."""
        try:
            raw = self._open_connection.recv(timeout=seconds)
        except TimeoutError:
            return None
        said: ForwardMsg = ForwardMsg.FromString(raw if isinstance(raw, bytes) else raw.encode())
        if said.WhichOneof("type") == "ref_hash":
            kept = ForwardMsg()
            kept.CopyFrom(self._cached[said.ref_hash])
            kept.metadata.CopyFrom(said.metadata)
            said = kept
        elif said.metadata.cacheable:
            self._cached[said.hash] = said
        take_in = self._listeners.get(str(said.WhichOneof("type")))
        if take_in is not None:
            take_in(said)
        return said

    @property
    def _open_connection(self) -> ClientConnection:
        if self._connection is None:
            raise WindowError("the window is closed")
        return self._connection

    @property
    def _listeners(self) -> Mapping[str, Callable[[ForwardMsg], None]]:
        return {
            "new_session": self._begin,
            "delta": self.page.show,
            "navigation": self._navigate,
            "page_info_changed": self._readdress,
            "auto_rerun": lambda said: self.page.looks.add(
                said.auto_rerun.fragment_id, said.auto_rerun.interval
            ),
            "stop_auto_rerun": self._stop_looking,
            "auth_redirect": self._redirect,
            "backend_operation_response": self._reply,
        }

    def _begin(self, said: ForwardMsg) -> None:
        self._session = said.new_session.initialize.session_id or self._session
        self.page.begin(said)

    def _navigate(self, said: ForwardMsg) -> None:
        self.page.name = said.navigation.page_script_hash
        self.page.learn(said.navigation.app_pages)

    def _readdress(self, said: ForwardMsg) -> None:
        self.page.query = said.page_info_changed.query_string.lstrip("?")

    def _stop_looking(self, said: ForwardMsg) -> None:
        for fragment in said.stop_auto_rerun.fragment_ids:
            self.page.looks.drop(fragment)

    def _redirect(self, said: ForwardMsg) -> None:
        self.redirect = said.auth_redirect.url

    def _reply(self, said: ForwardMsg) -> None:
        self._replies[said.backend_operation_response.request_id] = said

    def _file(self, button: Any) -> bytes:
        address = self._made(button) if button.deferred_file_id else button.url
        return self._client.get(f"{self._address}{address}").raise_for_status().content

    def _made(self, button: Any) -> str:
        """Have a file made that a button offers, and return its address."""
        number, message = str(len(self._replies)), BackMsg()
        message.backend_operation_request.request_id = number
        message.backend_operation_request.session_id = self._session
        message.backend_operation_request.deferred_file.file_id = button.deferred_file_id
        self._send(message)
        until = time.monotonic() + PATIENCE
        while number not in self._replies:
            if self._hear(max(0.0, until - time.monotonic())) is None:
                raise NoAnswer("the file does not come")
        response = self._replies[number].backend_operation_response
        if response.error_msg:
            raise Broken(response.error_msg)
        return response.deferred_file.url
