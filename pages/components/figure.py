"""A picture that is ready to be shown or taken away: with a name, a legend, and words about it. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from graph_flow.views import View
from pages.components.drawing import Picture
from pages.components.legend import Entry


class Figure(View):
    """A picture with its legend and a description for those who cannot see it.

    As long as `name` stays the same the writer's view (place and zoom) does too. Pictures of one
    `group` are seen side by side, and move together. `file` is what a saved picture is called.
    """

    name: str
    picture: Picture
    legend: tuple[Entry, ...]
    description: str
    file: str = "picture"
    group: str = ""
    least_scale: float = 0.5
    """How small the picture may be at first to show all of it; else it shows what was touched."""
    extent: tuple[float, float, float, float] | None = None
    """Left, top, right, bottom of what is seen at first; None: all that is in the picture."""


def side_by_side(group: str, figures: Iterable[Figure]) -> list[Figure]:
    """Return figures of one group, each of which shows the same part of the story at first."""
    listed = list(figures)
    places = [
        (float(str(node["x"])), float(str(node["y"])))
        for figure in listed
        for node in figure.picture.nodes
    ]
    extent = None
    if places:
        across, down = zip(*places, strict=True)
        extent = (min(across), min(down), max(across), max(down))
    return [
        figure.model_copy(
            update={"name": f"{group}-{figure.name}", "group": group, "extent": extent}
        )
        for figure in listed
    ]
