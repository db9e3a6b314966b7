"""The pictures of an evaluation: the curve of quality, and the radar of the seven indicators."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import Any

import streamlit as st

from graph_flow.telling.evaluation.results import CurvePoint
from graph_flow.workbench.beside.pairing import Placed
from pages.components.write.evaluation import strings
from store.models.desk.evaluation import Indicator, IndicatorScores

_MOST_POINTS = 400
"""Chapters that are drawn; of more, one in so many."""
_HEIGHT, _LOW = 340, 220
_ROUND, _LEGEND = 280, 40
"""Pixels of the radar, which is about as wide as high so, and of the legend below it."""
_TOP = 10.0
_LEVELS = (2.0, 4.0, 6.0, 8.0, _TOP)
_OUTSIDE, _EDGE, _SIDE = 11.2, 12.5, 17.5
"""Where the names of the indicators stand, and where the picture ends: above and below, and beside."""
_UPRIGHT = 1.0
"""Indicators nearer to the middle than this stand above or below it."""


def curve(points: Sequence[CurvePoint]) -> None:
    """Show quality along the chapters: of each, of the whole where it was looked at, and of the book."""
    every = max(1, len(points) // _MOST_POINTS)
    rows: list[dict[str, object]] = []
    for at, one in enumerate(points):
        kinds = {
            strings.OF_CHAPTER: one.chapter if at % every == 0 else None,
            strings.OF_INTERVAL: one.interval,
            strings.OF_WHOLE: one.whole,
            strings.OF_BOOK: one.book if at % every == 0 else None,
            strings.OF_READERS: one.human,
        }
        rows += [
            {strings.CHAPTER: one.place, strings.KIND: kind, strings.QUALITY: round(value, 2)}
            for kind, value in kinds.items()
            if value is not None
        ]
    kinds_shown = list(dict.fromkeys(row[strings.KIND] for row in rows))
    chart = {"data": {"values": rows}, **_curve_of(kinds_shown)}
    st.vega_lite_chart(chart, height=_HEIGHT)


def _curve_of(kinds: Sequence[object]) -> dict[str, Any]:
    return {
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": _along_chapters(),
            "y": {
                "field": strings.QUALITY,
                "type": "quantitative",
                "scale": {"domain": [0, _TOP]},
            },
            "color": {
                "field": strings.KIND,
                "type": "nominal",
                "sort": list(kinds),
                "legend": {"title": "", "orient": "bottom", "labelLimit": 300, "columns": 2},
            },
            "tooltip": [
                {"field": field} for field in (strings.CHAPTER, strings.KIND, strings.QUALITY)
            ],
        },
    }


def line(label: str, values: Sequence[float | None], *, is_share: bool = False) -> None:
    """Show a number along the chapters, as percent if it is a share; None leaves a gap."""
    every = max(1, len(values) // _MOST_POINTS)
    rows = [
        {strings.CHAPTER: place, label: round(value, 4)}
        for place, value in enumerate(values, start=1)
        if value is not None and (place - 1) % every == 0
    ]
    chart = {
        "data": {"values": rows},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": _along_chapters(),
            "y": {
                "field": label,
                "type": "quantitative",
                "axis": {"format": ".0%" if is_share else "~r", "tickCount": 5},
                "scale": {"zero": True},
            },
            "tooltip": [{"field": strings.CHAPTER}, {"field": label}],
        },
    }
    st.vega_lite_chart(chart, height=_LOW)


def standings(placed: Sequence[Placed]) -> None:
    """Show how some texts stand among one another, each with its interval where one is known."""
    rows = [
        {
            strings.SYSTEM: one.name,
            strings.STRENGTH: round(one.standing.strength, 2),
            strings.LOW: None if one.standing.low is None else round(one.standing.low, 2),
            strings.HIGH: None if one.standing.high is None else round(one.standing.high, 2),
        }
        for one in placed
    ]
    texts = {
        "field": strings.SYSTEM,
        "type": "nominal",
        "sort": [one.name for one in placed],
        "axis": {"title": None, "labelLimit": 180},
    }
    shown = (strings.SYSTEM, strings.STRENGTH, strings.LOW, strings.HIGH)
    chart = {
        "data": {"values": rows},
        "encoding": {"y": texts, "tooltip": [{"field": one} for one in shown]},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "transform": [{"filter": f"isValid(datum[{json.dumps(strings.LOW)}])"}],
                "encoding": {
                    "x": {
                        "field": strings.LOW,
                        "type": "quantitative",
                        "title": strings.STRENGTH,
                        "axis": {"tickCount": 5},
                        "scale": {"padding": 16},
                    },
                    "x2": {"field": strings.HIGH},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                "encoding": {"x": {"field": strings.STRENGTH, "type": "quantitative"}},
            },
        ],
    }
    st.vega_lite_chart(chart, height=90 + 36 * len(placed))


def _along_chapters() -> dict[str, Any]:
    return {
        "field": strings.CHAPTER,
        "type": "quantitative",
        "axis": {"tickMinStep": 1, "format": ",d"},
        "scale": {"nice": False},
    }


def radar(scores: Mapping[str, IndicatorScores]) -> None:
    """Show the seven indicators as a radar, for the judge and, if there are any, for the readers."""
    round_ = [*Indicator, next(iter(Indicator))]
    values = [
        _point(at, given.of(one), one, {strings.KIND: kind})
        for kind, given in scores.items()
        for at, one in enumerate(round_)
    ]
    rings = [
        _point(at, level, one, {"line": level})
        for level in _LEVELS
        for at, one in enumerate(round_)
    ]
    spokes = [
        _point(at, level, one, {"line": one.value, "order": level})
        for at, one in enumerate(Indicator)
        for level in (0.0, _TOP)
    ]
    names = [_point(at, _OUTSIDE, one, {}) for at, one in enumerate(Indicator)]
    has_legend = len(scores) > 1
    layers = [_grid(rings), _grid(spokes), _polygons(values, has_legend=has_legend), _names(names)]
    height = _ROUND + (_LEGEND if has_legend else 0)
    st.vega_lite_chart({"layer": layers, "view": {"stroke": None}}, height=height)


def _point(
    at: int, score: float, indicator: Indicator, more: Mapping[str, object]
) -> dict[str, object]:
    """Return where a score lies: the first indicator above, the others clockwise."""
    angle = pi / 2 - 2 * pi * at / len(Indicator)
    return {
        "x": score * cos(angle),
        "y": score * sin(angle),
        "order": at,
        strings.INDICATOR: strings.NAMES[indicator],
        strings.SCORE: round(score, 2),
        **more,
    }


def _place() -> dict[str, Any]:
    axis = {"type": "quantitative", "axis": None}
    return {
        "x": {"field": "x", **axis, "scale": {"domain": [-_SIDE, _SIDE]}},
        "y": {"field": "y", **axis, "scale": {"domain": [-_EDGE, _EDGE]}},
    }


def _in_order() -> dict[str, Any]:
    return {**_place(), "order": {"field": "order", "type": "quantitative"}}


def _grid(points: Sequence[Mapping[str, object]]) -> dict[str, Any]:
    return {
        "data": {"values": list(points)},
        "mark": {"type": "line", "opacity": 0.25, "strokeWidth": 1, "color": "gray"},
        "encoding": {**_in_order(), "detail": {"field": "line", "type": "nominal"}},
    }


def _polygons(points: Sequence[Mapping[str, object]], *, has_legend: bool) -> dict[str, Any]:
    shown = (strings.INDICATOR, strings.KIND, strings.SCORE)
    return {
        "data": {"values": list(points)},
        "mark": {"type": "line", "point": True, "strokeWidth": 2},
        "encoding": {
            **_in_order(),
            "color": {
                "field": strings.KIND,
                "type": "nominal",
                "sort": None,
                "legend": {"title": "", "orient": "bottom"} if has_legend else None,
            },
            "tooltip": [{"field": one} for one in shown],
        },
    }


def _names(points: Sequence[Mapping[str, object]]) -> dict[str, Any]:
    """Write each name away from the picture, so that none lies over it."""
    away = {"expr": f"datum.x > {_UPRIGHT} ? 'left' : datum.x < -{_UPRIGHT} ? 'right' : 'center'"}
    return {
        "data": {"values": list(points)},
        "mark": {"type": "text", "fontSize": 12, "color": "gray", "align": away},
        "encoding": {**_place(), "text": {"field": strings.INDICATOR}},
    }
