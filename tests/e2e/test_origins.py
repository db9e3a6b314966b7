"""The running app answers its own pages, and stands in no frame of another."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.desk import PREMISE
from tests.e2e.browsing import visit
from tests.e2e.conftest import AppStarter
from tests.e2e.running_app import RunningApp
from tests.e2e.writer import Writer

pytestmark = pytest.mark.browser

REFUSED = 403
CONNECTED = 101
PUBLIC = "https://tales.example"


def connect(app: RunningApp, origin: str | None, host: str = "") -> int:
    """Ask for the connection over which a page does everything; return the status of the answer."""
    headers = {
        "Host": host or app.url.removeprefix("http://"),
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        **({} if origin is None else {"Origin": origin}),
    }
    asked = http.client.HTTPConnection(app.url.removeprefix("http://"), timeout=60)
    try:
        asked.request("GET", "/_stcore/stream", headers=headers)
        return asked.getresponse().status
    finally:
        asked.close()


def test_only_the_app_s_own_pages_connect(app: RunningApp) -> None:
    port = app.url.rpartition(":")[2]

    assert connect(app, app.url) == CONNECTED
    assert connect(app, f"http://localhost:{port}", f"localhost:{port}") == CONNECTED
    for origin in ("http://127.0.0.1:9999", f"http://localhost:{port}", "null", None):
        assert connect(app, origin) == REFUSED
    # As after a name of the attacker's own was made to lead to this machine.
    assert connect(app, f"http://evil.example:{port}", f"evil.example:{port}") == 400


def test_only_the_app_s_own_pages_change_anything(app: RunningApp) -> None:
    told = "own pages only"
    upload = f"{app.url}/_stcore/upload_file/session/file"

    for headers in ({"Origin": "http://127.0.0.1:9999"}, {"Origin": "null"}, {}):
        answer = httpx2.delete(upload, headers=headers)
        assert (answer.status_code, told in answer.text) == (REFUSED, True)
    assert told not in httpx2.delete(upload, headers={"Origin": app.url}).text


def test_every_answer_forbids_frames(writer: Writer) -> None:
    page = httpx2.get(writer.app.url).text
    scripts = re.findall(r'src="\./(static/[^"]+)"', page)
    writer.tell_premise(PREMISE)
    writer.open("export", writer.story)
    with writer.page.expect_download() as under_way:
        writer.button("Download the whole story").click()

    assert "/media/" in under_way.value.url
    paths = ["", "/premise", "/app/static/tellwright.css", "/_stcore/health", "/missing.png"]
    addresses = [f"{writer.app.url}{path}" for path in paths]
    for address in [*addresses, f"{writer.app.url}/{scripts[0]}", under_way.value.url]:
        headers = httpx2.get(address).headers
        assert headers["content-security-policy"] == "frame-ancestors 'none'", address
        assert headers["x-frame-options"] == "DENY", address


class _Elsewhere(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        _, _, app = self.path.partition("?")
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(
            f"""<p>waiting</p><iframe src="{app}"></iframe><script>
            const line = new WebSocket("{app.replace("http", "ws")}/_stcore/stream");
            const tell = (words) => {{ document.querySelector("p").textContent = words; }};
            line.onopen = () => tell("connected");
            line.onerror = () => tell("refused");
            </script>""".encode()
        )

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of somebody else's page on this machine; what follows `?` is what it attacks."""
    server = HTTPServer(("127.0.0.1", 0), _Elsewhere)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_page_on_another_port_neither_connects_nor_frames_the_app(
    app: RunningApp, page: Page, elsewhere: str
) -> None:
    page.goto(f"{elsewhere}?{app.url}")

    expect(page.locator("p")).to_have_text("refused")
    framed = page.frames[1]
    expect(page.locator("iframe")).to_be_visible()
    assert framed.get_by_test_id("stApp").count() == 0
    assert not framed.url.startswith(app.url)


def test_app_behind_a_proxy_is_called_by_its_public_name(start_app: AppStarter, page: Page) -> None:
    proxied = start_app(
        {
            "STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": PUBLIC,
            "STREAMLIT_SERVER_ALLOWED_HOSTS": "tales.example 127.0.0.1",
        }
    )

    assert connect(proxied, PUBLIC, "tales.example") == CONNECTED
    assert connect(proxied, "http://tales.example", "tales.example") == REFUSED
    assert connect(proxied, "https://evil.example", "tales.example") == REFUSED
    visit(page, proxied.url)
    expect(page.get_by_role("button", name="New story")).to_be_visible()
