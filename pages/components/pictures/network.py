"""The widget that draws a picture in the browser and reports clicks, and the picture as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pages.components.fields import downloads
from pages.components.fields.downloads import Download
from pages.components.pictures import strings, svg
from pages.components.pictures.figure import Figure
from pages.serving.browser_libraries import VIS_NETWORK, address_of

_ASSETS = Path(__file__).parents[3] / "assets" / "network"
_SCRIPTS = ("network.js", "names.js", "file.js")
_HTML = """
<div class="stage">
  <div class="picture" role="img"></div>
  <div class="controls">
    <button type="button" data-does="out" data-sign>−</button>
    <button type="button" data-does="in" data-sign>+</button>
    <button type="button" data-does="fit"></button>
    <button type="button" data-does="save"></button>
  </div>
</div>
<ul class="legend"></ul>
"""


def show(figure: Figure, *, selected: str, on_click: Callable[[str], None]) -> None:
    """Draw a picture with `selected` (an id, or "") marked.

    `on_click` is called with the id of the clicked node or edge, or "" for the background.
    """
    key = f"picture-{figure.name}"

    def clicked() -> None:
        on_click(str(st.session_state[key].get("clicked") or ""))

    data = figure.model_dump() | {
        "selected": selected,
        "library": address_of(VIS_NETWORK),
        "words": {
            "out": strings.ZOOM_OUT,
            "in": strings.ZOOM_IN,
            "fit": strings.FIT,
            "save": strings.SAVE_PNG,
        },
        "not_drawn": strings.NOT_DRAWN,
    }
    _renderer()(key=key, data=data, on_clicked_change=clicked)


@st.cache_resource(show_spinner=False)
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_network",
        html=_HTML,
        css=(_ASSETS / "network.css").read_text("utf-8"),
        # One module for the browser, kept in several files for readability.
        js="\n".join((_ASSETS / name).read_text("utf-8") for name in _SCRIPTS),
    )


_OPTIONS = {
    "--st-text-color": "textColor",
    "--st-background-color": "backgroundColor",
    "--st-secondary-background-color": "secondaryBackgroundColor",
    "--st-primary-color": "primaryColor",
    "--st-gray-color": "grayColor",
    "--st-green-color": "greenColor",
    "--st-orange-color": "orangeColor",
    "--st-red-color": "redColor",
    "--st-border-color": "borderColor",
}


def offer(figure: Figure) -> None:
    """Show a button that saves a figure as SVG, in the colours of the page."""
    colors = theme_colors()
    file = Download(
        lambda: svg.render(figure, colors), f"{figure.file}.svg", "image/svg+xml", about="picture"
    )
    downloads.button(strings.SAVE_SVG, file, key=f"svg-{figure.name}", kind="tertiary")


def theme_colors() -> dict[str, str]:
    """Return the colours of the page's theme, light or dark, by CSS variable."""
    tone = st.context.theme.type or "light"
    return {name: st.get_option(f"theme.{tone}.{option}") for name, option in _OPTIONS.items()}
