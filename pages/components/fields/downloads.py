"""Buttons that save a file: made when it is asked for, for whoever asks, and noted by a site."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

import streamlit as st

from pages.serving import files
from pages.serving.services import signed_in, site
from store.hosting.records import AuditEvent

_UNSAFE = re.compile(r"[^\w\- ]+")
_LONGEST = 60
FILE_NAME = "story"
"""The name of a file, without its ending, if what it is called by cannot be one."""


class Download(NamedTuple):
    """A file to be saved. For a long story, making it takes seconds.

    `about` is what a site writes down of it: a format or an id, never a text.
    """

    make: Callable[[], bytes | str]
    name: str
    media_type: str
    about: str


def button(
    label: str,
    file: Download,
    *,
    key: str,
    kind: Literal["primary", "secondary", "tertiary"] = "secondary",
) -> None:
    """Show a button that saves a file, made only when it is asked for."""
    st.download_button(
        label,
        data=_for_asker(file),
        file_name=file.name,
        mime=file.media_type,
        type=kind,
        icon=":material/download:",
        on_click="ignore",
        key=key,
    )


def _for_asker(file: Download) -> Callable[[], bytes | str]:
    """Return what makes the file; it is called in a thread that knows of no window."""
    served = site()
    if served is None:
        return file.make
    writer = signed_in(served).id

    def made() -> bytes:
        content = file.make()
        whole = content.encode() if isinstance(content, str) else content
        files.belongs_to(writer, whole, file.media_type, file.name)
        served.note(AuditEvent.EXPORT, writer, file.about)
        return whole

    return made


def file_stem(title: str) -> str:
    """Return a title as a file name, without characters that some systems forbid."""
    safe = " ".join(_UNSAFE.sub(" ", title).split())[:_LONGEST].strip()
    return safe or FILE_NAME
