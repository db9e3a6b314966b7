"""`tellwright serve --folder FOLDER`: check a site's settings, and start Streamlit's server for it.

Exit codes: 2 wrong usage, or settings that are missing or wrong; otherwise the server's own.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from graph_flow.errors import SiteUnusable
from pages.serving import logs
from pages.serving.settings import FILE, origin_of, read_site, write_example
from pages.serving.visitors import SITE

_FOLDER = "where the settings and all libraries are"
_ADDRESS = "the address to listen on"
_PORT = "the port to listen on"

_WRONG_USE = 2
_PORTS = 65_535
_APP = Path(__file__).parents[2] / "app.py"


def main(arguments: Sequence[str]) -> int:
    """Serve a site, and log without texts, until somebody ends it."""
    given = _read(arguments)
    folder: Path = given.folder.expanduser().absolute()
    try:
        if not (folder / FILE).exists():
            made = write_example(folder)
            return _refuse(
                f"{made} is new. Fill it in (docs/HOSTING.md tells how), and run this again."
            )
        read_site(folder)
    except SiteUnusable as problem:
        return _refuse(str(problem))
    except OSError as error:
        return _refuse(f"{folder} cannot be used: {error.strerror}.")
    _serve(folder, given.address, given.port)
    return 0


def _serve(folder: Path, address: str, port: int) -> None:
    os.environ[SITE] = str(folder)
    os.chdir(_APP.parent)
    logs.install()
    from streamlit.web.cli import main as streamlit

    options = _options(folder, address, str(port))
    streamlit(["run", _APP.name, *options], prog_name="tellwright serve")


def _options(folder: Path, address: str, port: str) -> Iterator[str]:
    origin = origin_of(folder)
    yield from ("--server.address", address, "--server.port", port, "--server.headless", "true")
    # Behind a proxy, and also directly from the same machine, by which its health is asked.
    yield from ("--server.allowedHosts", str(urlsplit(origin).hostname))
    yield from ("--server.allowedHosts", "127.0.0.1")
    yield from ("--server.corsAllowedOrigins", origin)
    yield from ("--secrets.files", str(folder / FILE))
    yield from ("--logger.messageFormat", logs.FORMAT, "--logger.enableRich", "false")
    # What went wrong is in the log; where it stands on the server is no visitor's business.
    yield from ("--client.showErrorDetails", "none", "--server.enableAgentApi", "false")


def _refuse(words: str) -> int:
    sys.stderr.write(f"{words}\n")
    return _WRONG_USE


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tellwright", description="Serve the app to several writers, who sign in."
    )
    serve = parser.add_subparsers(dest="command", required=True).add_parser("serve")
    serve.add_argument("--folder", type=Path, required=True, help=_FOLDER)
    serve.add_argument("--address", default="127.0.0.1", help=_ADDRESS)
    serve.add_argument("--port", type=_port, default=8501, help=_PORT)
    return parser.parse_args(arguments)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 0 < int(text) <= _PORTS:
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to {_PORTS}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
