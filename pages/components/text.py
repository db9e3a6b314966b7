"""Turn words that are not ours into text that Streamlit shows as it stands."""

from __future__ import annotations

import re
from datetime import timedelta

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&^=])")


def plain(text: str) -> str:
    """Return Markdown that shows `text` as it is typed: no links, images, maths or HTML.

    Line breaks become spaces, so the text cannot open a heading or a list.
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def clock(seconds: float) -> str:
    """Return a length of time as a clock shows it: 0:41, 12:05, 1:02:05."""
    whole = timedelta(seconds=max(0, int(seconds)))
    hours, rest = divmod(int(whole.total_seconds()), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
