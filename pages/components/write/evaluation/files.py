"""What is known of a text, as files."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from graph_flow.telling.evaluation.reports import Report, as_csv, as_json, as_markdown
from pages.components.fields import downloads
from pages.components.fields.downloads import Download
from pages.components.write.evaluation import strings


def offer(
    name: str,
    report: Callable[[], Report],
    about: str,
) -> None:
    """Offer a report as CSV, JSON and Markdown, each made when it is asked for; `about` is an id."""
    kinds = (
        (strings.AS_CSV, ".csv", "text/csv", as_csv),
        (strings.AS_JSON, ".json", "application/json", as_json),
        (strings.AS_MARKDOWN, ".md", "text/markdown", as_markdown),
    )

    def made(write: Callable[[Report], str]) -> Callable[[], str]:
        return lambda: write(report())

    with st.popover(strings.SAVE_AS, icon=":material/download:", type="tertiary"):
        for label, suffix, media_type, write in kinds:
            file = Download(
                made(write),
                f"{downloads.file_stem(name)} evaluation{suffix}",
                media_type,
                about=about,
            )
            downloads.button(label, file, key=f"{about.split()[0]}{suffix}", kind="tertiary")
