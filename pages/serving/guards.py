"""Who may talk to the app: its own pages, in a window of their own, and nobody else's.

Streamlit lets any page of this machine, whatever its port, open the connection over which a page
does everything. A browser says truly where a page comes from, so its word is compared here with
the address at which it asks.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from pages.serving import files, visitors

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_POLICY_VIOLATION = 1008
_REFUSAL = "Tellwright answers its own pages only."
_NOT_YOURS = "This file belongs to another writer, or is no longer available."


def guards() -> list[Middleware]:
    """Return what stands before Streamlit's server, by its settings, the outermost first."""
    base = config.get_option("server.baseUrlPath") or ""
    hosts = config.get_option("server.allowedHosts") or ["*"]
    return [
        Middleware(Unframed),
        Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False),
        Middleware(OwnPagesOnly, origins=config.get_option("server.corsAllowedOrigins")),
        *([Middleware(OwnFilesOnly, base=base)] if visitors.site_folder() is not None else []),
    ]


class Unframed:
    """Tells browsers with each answer that no page may show it in a frame."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""

        async def send_unframed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.append("Content-Security-Policy", "frame-ancestors 'none'")
                headers["X-Frame-Options"] = "DENY"
            await send(message)

        await self._app(scope, receive, send_unframed)


class OwnPagesOnly:
    """Refuses a connection or a change that a page from elsewhere asks for.

    A page is the app's own if it has the scheme, host and port of the request, or, where a proxy
    stands before the app, one of the `origins` by which the app is called from outside. Whoever does
    not say where it comes from is refused as well: every browser says it, and no other program has
    any business here.
    """

    def __init__(self, app: ASGIApp, origins: list[str]) -> None:
        self._app = app
        self._origins = frozenset(one.strip().rstrip("/").lower() for one in origins)
        self._hosts = frozenset(urlsplit(one).netloc for one in self._origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if not _changes_something(scope) or self._is_own(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": _REFUSAL})
        else:
            await PlainTextResponse(_REFUSAL, status_code=403)(scope, receive, send)

    def _is_own(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        origins = [one.lower() for one in headers.getlist("origin")]
        host = headers.get("host", "").lower()
        if host in self._hosts:
            # The proxy need not tell which scheme it was asked by; the settings do.
            return len(origins) == 1 and origins[0] in self._origins
        scheme = "https" if scope["scheme"] in {"https", "wss"} else "http"
        return len(origins) == 1 and origins[0] in {f"{scheme}://{host}", *self._origins}


class OwnFilesOnly:
    """Refuses a file, or a place to put one, to everybody but the writer whom it is for.

    It stands before a site for several writers only, where the cookie of a sign-in says who asks.
    `base` is the path under which the whole app is served.
    """

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._base = f"/{base.strip('/')}" if base.strip("/") else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if scope["type"] != "http" or self._is_own(scope):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse(_NOT_YOURS, status_code=403)(scope, receive, send)

    def _is_own(self, scope: Scope) -> bool:
        asked = HTTPConnection(scope)
        match asked.url.path.removeprefix(self._base).strip("/").split("/"):
            case ["media", *parts]:
                writer = visitors.writer_of_cookies(asked.cookies)
                return files.may_have(writer, "/".join(parts))
            case ["_stcore", "upload_file", window, *_] if scope["method"] != "OPTIONS":
                writer = visitors.writer_of_cookies(asked.cookies)
                return writer is not None and writer == visitors.writer_of(window)
        return True


def _changes_something(scope: Scope) -> bool:
    match scope["type"]:
        case "websocket":
            return True
        case "http":
            return scope["method"] not in _READING
    return False
