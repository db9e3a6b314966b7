"""Libraries for the browser that come inside Python packages, served by the app itself."""

from __future__ import annotations

import importlib.util
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import streamlit as st

_SERVED = Path(__file__).parents[2] / "static" / "built"


class BrowserLibrary(NamedTuple):
    """A file for the browser inside an installed package."""

    package: str
    file: Path
    """Where it is, seen from the package's folder."""


VIS_NETWORK = BrowserLibrary("pyvis", Path("lib", "vis-9.1.2", "vis-network.min.js"))
PROSE_MIRROR = BrowserLibrary(
    "django_prose_editor", Path("static", "django_prose_editor", "editor.js")
)


def address_of(library: BrowserLibrary) -> str:
    """Return the address of a library; where it cannot be copied, the browser says so."""
    with suppress(OSError):
        return published(library, _SERVED)
    return f"app/static/{_SERVED.name}/{library.file.name}"


@st.cache_resource(show_spinner=False)
def published(library: BrowserLibrary, folder: Path) -> str:
    """Copy a library to a folder that the app serves.

    Returns its address, which changes with its content to keep browsers from using an old copy.

    Raises:
        OSError: if it cannot be copied.
    """
    source = bundled(library)
    content = source.read_bytes()
    target = folder / source.name
    if not target.is_file() or target.read_bytes() != content:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_suffix(f".{os.getpid()}")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)
    return f"app/static/{folder.name}/{source.name}?v={sha256(content).hexdigest()[:12]}"


def bundled(library: BrowserLibrary) -> Path:
    """Return the path of a library in the installed package.

    Raises:
        FileNotFoundError: if the package has none, or is not installed.
    """
    spec = importlib.util.find_spec(library.package)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        file = Path(folder) / library.file
        if file.is_file():
            return file
    raise FileNotFoundError(f"the installed {library.package} has no {library.file}")
