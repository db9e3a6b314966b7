"""The figures of the Graphs page: each view's picture, with its legend and words about it. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from pages.components.drawing import Tone
from pages.components.figure import Figure
from pages.components.layout import Point
from pages.components.legend import plot_legend, role_legend, timeline_legend
from pages.components.plot_cut import PlotCut
from pages.components.plot_graph import draw_plot
from pages.components.role_cut import RoleCut
from pages.components.role_graph import draw_roles
from pages.components.timeline import TimelineCut, draw_timeline


def role_figure(
    name: str, cut: RoleCut, places: Mapping[str, Point], tone: Tone = Tone.CHAPTER
) -> Figure:
    """Return the Role Graph of a cut."""
    people, ties = cut.standing
    return Figure(
        name=name,
        picture=draw_roles(cut, places, tone=tone),
        legend=role_legend(cut, tone=tone),
        description=f"Role Graph: {_count(people, 'person', 'people')}, "
        f"{_count(ties, 'tie', 'ties')}",
        file="role-graph",
        least_scale=0.07,
    )


def plot_figure(
    name: str,
    cut: PlotCut,
    places: Mapping[str, Point],
    *,
    selected: str = "",
    tone: Tone = Tone.CHAPTER,
) -> Figure:
    """Return the Plot Graph of a cut; `selected` is the id of what is looked at."""
    return Figure(
        name=name,
        picture=draw_plot(cut, places, selected=selected, tone=tone),
        legend=plot_legend(cut, tone=tone),
        description=f"Plot Graph: {_count(len(cut.events), 'event', 'events')}, "
        f"{_count(len(cut.people), 'person', 'people')}, "
        f"{_count(len(cut.scenes), 'scene', 'scenes')}",
        file="plot-graph",
        least_scale=0.55,
    )


def timeline_figure(name: str, cut: TimelineCut, *, selected: str = "") -> Figure:
    """Return the timeline of a cut; `selected` is the id of what is looked at."""
    return Figure(
        name=name,
        picture=draw_timeline(cut, selected=selected),
        legend=timeline_legend(cut),
        description=f"Timeline: {_count(len(cut.events), 'event', 'events')} "
        f"of {_count(len(cut.people), 'person', 'people')}, {cut.order}",
        file="timeline",
        least_scale=0.25,
    )


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
