"""A connection to an endpoint that can be hung up while another thread waits for what it brings."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import httpx2

_IS_OPENING = "connection.connect_tcp.started"
_IS_OPEN = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})
_IS_CLOSING = "http11.response_closed.started"


class HungUp(Exception):
    """The line was hung up before the request was sent."""


class HangsUp(Protocol):
    """Whatever can be hung up."""

    def hang_up(self) -> None:
        """End it now, from any thread; nothing is sent afterwards."""


class Line:
    """A connection for one request. Its client must not be used for anything else."""

    def __init__(self, http: httpx2.Client) -> None:
        self._http = http
        self._lock = threading.Lock()
        self._stream: _Stream | None = None
        self._opened: list[_Stream] = []
        self._is_hung_up = False

    @contextmanager
    def post(self, url: str, body: object) -> Iterator[httpx2.Response]:
        """Send a request; the block gets the response, whose content is still to be read.

        Raises:
            HungUp: if the line is hung up before the request was sent.
            httpx2.HTTPError: if the endpoint cannot be reached, or the line is hung up later.
        """
        watched = {"trace": self._watch}
        try:
            with (
                self._http,
                self._http.stream("POST", url, json=body, extensions=watched) as response,
            ):
                yield response
        finally:
            self._close()

    def hang_up(self) -> None:
        """Shut the connection down, from any thread; whoever waits for it wakes up at once.

        Looking up an address and shaking hands cannot be broken off: then nothing is sent after it.
        """
        with self._lock:
            self._is_hung_up = True
            if self._stream is not None:
                _shut(self._stream)

    def _close(self) -> None:
        """Close every socket that was opened, whatever became of the request."""
        with self._lock:
            self._stream = None
            for stream in self._opened:
                stream.close()

    def _watch(self, happening: str, details: Mapping[str, Any]) -> None:
        """Note which socket is in use: httpx tells of it only once the response has begun."""
        with self._lock:
            if happening == _IS_CLOSING:
                self._stream = None  # its number may soon be that of another socket
            elif happening in _IS_OPEN:
                self._stream = stream = details["return_value"]
                self._opened.append(stream)
                if self._is_hung_up:
                    stream.close()
                    raise HungUp
            elif happening == _IS_OPENING and self._is_hung_up:
                raise HungUp


class Lines:
    """Connections for several requests, one after the other, that are hung up together."""

    def __init__(self, new_client: Callable[[], httpx2.Client]) -> None:
        self._new_client = new_client
        self._lock = threading.Lock()
        self._line: Line | None = None
        self._is_hung_up = False

    def next(self) -> Line:
        """Return a connection for the next request.

        Raises:
            HungUp: if they were hung up.
        """
        with self._lock:
            if self._is_hung_up:
                raise HungUp
            self._line = Line(self._new_client())
            return self._line

    def hang_up(self) -> None:
        """Shut down the connection that is in use, from any thread, and open no other."""
        with self._lock:
            self._is_hung_up = True
            if self._line is not None:
                self._line.hang_up()


class _Stream(Protocol):
    """A network stream of httpx's."""

    def get_extra_info(self, info: str) -> Any:
        """Return something about the stream, such as its socket."""

    def close(self) -> None:
        """Close the socket."""


def _shut(stream: _Stream) -> None:
    """Shut a socket without closing it, so that its number stays its own while it is read."""
    with suppress(OSError):  # the endpoint was faster
        # Not the method of an encrypted socket, which would go on unencrypted in the other thread.
        socket.socket.shutdown(stream.get_extra_info("socket"), socket.SHUT_RDWR)
