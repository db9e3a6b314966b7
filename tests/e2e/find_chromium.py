"""Find a Chromium for the browser tests, or install one: `python -m tests.e2e.find_chromium`."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from playwright.sync_api import sync_playwright

VARIABLE = "TELLWRIGHT_CHROMIUM"
LIGHT = "chromium-headless-shell"
"""Chromium without the parts that draw a window of its own: it takes half the time to show a page."""
NAMES = (LIGHT, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DEBIAN_FONTS = ("fonts-dejavu-core", "fonts-liberation")
ADVICE = f"""The browser tests need Chromium, and none was found or could be installed.
Any one of these helps:
  - install Chromium or Google Chrome with your system's package manager
    (Debian: apt-get install {" ".join((LIGHT, *DEBIAN_FONTS))})
  - .venv/bin/playwright install --with-deps chromium
  - {VARIABLE}=/path/to/chromium make test"""


class ChromiumMissing(Exception):
    """No Chromium runs here; the message says what helps."""


def find() -> Path | None:
    """Return the first Chromium that runs: the one asked for, one on the PATH, Playwright's own.

    Raises:
        ChromiumMissing: if the environment asks for one that does not run.
    """
    asked = os.environ.get(VARIABLE)
    if asked:
        if is_working(Path(asked)):
            return Path(asked)
        raise ChromiumMissing(f"{VARIABLE} is {asked}, and that does not run.")
    return next(filter(is_working, _candidates()), None)


def find_or_install() -> Path:
    """Return a Chromium that runs, after installing one where there is none.

    Raises:
        ChromiumMissing: if nothing that could be tried brought one.
    """
    found = find()
    if found:
        return found
    for install in _installers():
        if install() and (found := find()):
            return found
    raise ChromiumMissing(ADVICE)


def is_working(program: Path) -> bool:
    """Return whether a program starts; Ubuntu's `chromium-browser` may only point to a snap."""
    try:
        return _succeeds([str(program), "--version"], is_quiet=True)
    except OSError:
        return False


def _candidates() -> Iterator[Path]:
    for found in map(shutil.which, NAMES):
        if found:
            yield Path(found)
    with sync_playwright() as playwright:
        bundled = Path(playwright.chromium.executable_path)
    if bundled.exists():
        yield bundled


def _installers() -> Iterable[Callable[[], bool]]:
    if _is_root() and shutil.which("apt-get"):
        yield partial(_install_from_debian, LIGHT)
        yield partial(_install_from_debian, "chromium")  # Ubuntu, and a Debian before 12
    yield _install_from_playwright


def _install_from_debian(package: str) -> bool:
    is_updated = _succeeds(["apt-get", "update", "-q"])
    install = ["apt-get", "install", "-q", "-y", "--no-install-recommends", package, *DEBIAN_FONTS]
    return is_updated and _succeeds(install, {"DEBIAN_FRONTEND": "noninteractive"})


def _install_from_playwright() -> bool:
    libraries = ["--with-deps"] if _is_root() else []
    return _succeeds([sys.executable, "-m", "playwright", "install", *libraries, "chromium"])


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _succeeds(
    command: Sequence[str], extra: dict[str, str] | None = None, *, is_quiet: bool = False
) -> bool:
    finished = subprocess.run(
        command,
        env={**os.environ, **(extra or {})},
        stdin=subprocess.DEVNULL,
        capture_output=is_quiet,
        check=False,
    )
    return finished.returncode == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the path of a Chromium; with `--install`, get one first where there is none."""
    parser = argparse.ArgumentParser(prog="find_chromium", description=main.__doc__)
    parser.add_argument("--install", action="store_true", help="install one where there is none")
    try:
        found = find_or_install() if parser.parse_args(arguments).install else find()
    except ChromiumMissing as problem:
        print(problem, file=sys.stderr)
        return 1
    print(found or ADVICE, file=sys.stdout if found else sys.stderr)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
