"""A picture to take away as an SVG file."""

from __future__ import annotations

import streamlit as st

from pages.components import svg
from pages.components.figure import Figure

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
    st.download_button(
        "Save as SVG",
        # Drawn when it is asked for.
        lambda: svg.render(figure, colors),
        file_name=f"{figure.file}.svg",
        mime="image/svg+xml",
        icon=":material/download:",
        type="tertiary",
        key=f"svg-{figure.name}",
        on_click="ignore",
    )


def theme_colors() -> dict[str, str]:
    """Return the colours of the page's theme, light or dark, by the variables that name them."""
    tone = st.context.theme.type or "light"
    return {name: st.get_option(f"theme.{tone}.{option}") for name, option in _OPTIONS.items()}
