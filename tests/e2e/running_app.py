"""The app as a real process on this machine, which a test may kill and start again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import httpx2
import psutil
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from tests.e2e.preloaded import PreloadedApp

APP = Path(__file__).parents[2] / "app.py"

_SECONDS_TO_START = 120.0
_SECONDS_TO_STOP = 10.0
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT")


class NotReady(Exception):
    """The app does not answer yet."""


class RunningApp:
    """A Streamlit server with a library and a home directory of its own.

    It sees nothing of the environment of the tests, so a key that the developer has costs
    nothing, but for `environment`. The port stays the same over a restart: an open page
    connects again. It is started by the command that `make run` uses, or, if `is_preloaded`, from a
    process that has imported it already, which is much faster.
    """

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        script: Path = APP,
        *,
        is_preloaded: bool = False,
    ) -> None:
        self.library = folder / "library.db"
        self.log = folder / "app.log"
        self._home = folder / "home"
        self._environment = dict(environment or {})
        self._script = script
        self._is_preloaded = is_preloaded
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | PreloadedApp | None = None
        self._groups: list[int] = []

    @property
    def url(self) -> str:
        """The address of the home page, without a slash at its end."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def handles(self) -> int:
        """How many files, connections and the like its process has open."""
        assert self._process is not None, "the app does not run"
        return psutil.Process(self._process.pid).num_fds()

    @property
    def process_id(self) -> int:
        """The id of the server's process."""
        assert self._process is not None, "the app does not run"
        return self._process.pid

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server and wait until it answers.

        Raises:
            AssertionError: if it ends, or does not answer in time; with the end of its log.
        """
        assert self._process is None, "the app runs already"
        self._home.mkdir(parents=True, exist_ok=True)
        self._process = self._preloaded() if self._is_preloaded else self._fresh()
        self._groups.append(self._process.pid)
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.stop()
            raise

    def kill(self) -> None:
        """End the server like a crash: SIGKILL, with no time to tidy up."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End the server as a person does, and then whatever it, or one killed before, left."""
        if self._process is not None:
            self._end(signal.SIGTERM)
        while self._groups:
            with suppress(ProcessLookupError):  # Nothing was left.
                os.killpg(self._groups.pop(), signal.SIGKILL)

    def restart(self) -> None:
        """Kill the server and start it again on the same library."""
        self.kill()
        self.start()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Keep the server from doing anything within, as if the machine had no time for it.

        It may be killed within: then it never takes in what it was sent meanwhile.
        """
        assert self._process is not None, "the app does not run"
        process = self._process
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    def log_end(self, lines: int = 40) -> str:
        """Return the last lines that the server wrote."""
        written = self.log.read_text("utf-8", "replace") if self.log.exists() else ""
        return "\n".join(written.splitlines()[-lines:])

    def _fresh(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", self._script.name, *self._options()],
                cwd=self._script.parent,
                env=self._full_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # A group of its own, so that nothing it started outlives the test.
                start_new_session=True,
            )

    def _preloaded(self) -> PreloadedApp:
        return PreloadedApp(self._script, self._options(), self._full_environment(), self.log)

    def _options(self) -> tuple[str, ...]:
        return ("--server.port", str(self._port), "--server.headless", "true")

    def _full_environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        own = {
            "HOME": str(self._home),
            "TELLWRIGHT_LIBRARY": str(self.library),
            # A fault that a test finds is told in full.
            "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": "full",
        }
        return {**kept, **own, **self._environment}

    def _wait_until_it_answers(self) -> None:
        patiently = Retrying(
            retry=retry_if_exception_type(NotReady),
            stop=stop_after_delay(_SECONDS_TO_START),
            wait=wait_fixed(0.1),
            reraise=True,
        )
        try:
            patiently(self._ask_for_health)
        except NotReady as problem:
            raise AssertionError(f"the app is not ready: {problem}\n{self.log_end()}") from problem

    def _ask_for_health(self) -> None:
        assert self._process is not None
        code = self._process.poll()
        assert code is None, f"the app ended with {code}\n{self.log_end()}"
        try:
            httpx2.get(f"{self.url}/_stcore/health", timeout=5.0).raise_for_status()
        except httpx2.HTTPError as problem:
            raise NotReady(str(problem)) from problem

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None, "the app does not run"
        process, self._process = self._process, None
        process.send_signal(how)
        try:
            process.wait(_SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(_SECONDS_TO_STOP)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
