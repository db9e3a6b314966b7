"""A site for several writers as a real process, with a real identity provider on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2
from playwright.sync_api import Page, expect
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from tests.e2e.running_app import RunningApp, free_port

ANN, BEN, EVE = "ann", "ben", "eve"
"""Ann looks after the site, Ben writes there, Eve is known to the provider and not welcome."""

USERS = (
    {"sub": ANN, "email": "ann@school.example", "email_verified": True, "name": "Ann A."},
    {"sub": BEN, "email": "ben@school.example", "email_verified": True, "name": "Ben B."},
    {"sub": EVE, "email": "eve@elsewhere.example", "email_verified": True},
)

_SETTINGS = """
[auth]
redirect_uri = "{url}/oauth2callback"
cookie_secret = "a secret of the tests, as long as a secret has to be"
client_id = "tellwright"
client_secret = "secret of the client"
server_metadata_url = "{provider}/.well-known/openid-configuration"

[site]
name = "Our class"
writers = ["*@school.example"]
admins = ["ann@school.example"]
{more}
"""


class RunningSite(RunningApp):
    """A server for several writers, started by `tellwright serve`."""

    def __init__(
        self,
        folder: Path,
        provider: str,
        more: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(folder, environment)
        self.folder = folder / "site"
        self.folder.mkdir(parents=True)
        settings = _SETTINGS.format(url=self.url, provider=provider, more=more)
        (self.folder / "site.toml").write_text(settings, encoding="utf-8")

    def _fresh(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "graph_flow.command_line", "serve"]
        options = ["--folder", str(self.folder), "--port", self.url.rpartition(":")[2]]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [*command, *options],
                cwd=self._script.parent,
                env=self._full_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


@contextmanager
def running_provider(folder: Path, users: Sequence[Mapping[str, object]] = USERS) -> Iterator[str]:
    """Run an identity provider with a log in a folder, and yield its address."""
    port = free_port()
    claims = [part for user in users for part in ("--user-claims", json.dumps(user))]
    with (folder / "provider.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "oidc_provider_mock", "--port", str(port), *claims],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        Retrying(
            retry=retry_if_exception_type(httpx2.TransportError),
            stop=stop_after_delay(60),
            wait=wait_fixed(0.1),
            reraise=True,
        )(httpx2.get, f"{address}/.well-known/openid-configuration")
        yield address
    finally:
        process.terminate()
        process.wait()


def sign_in(page: Page, site: RunningApp, subject: str) -> None:
    """Sign in as somebody, in a real browser, by the provider's own page."""
    page.goto(site.url)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name=subject, exact=True).click()
    page.wait_for_url(f"{site.url}/**")


def expect_library(page: Page) -> None:
    """Wait for the library of somebody who is signed in."""
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
