"""The legend of a picture: what its shapes, colours, widths and dashes mean. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from graph_flow.views import View
from pages.components.drawing import ACCENT, FAINT, TIE_COLORS
from pages.components.plot_graph import LINK_COLORS
from store.models.cast import RelationshipKind
from store.models.plot import LinkKind

Sample = Literal["line", "thick", "dashed", "dotted", "arrow", "oval", "box", "diamond", "touched"]


class Entry(View):
    """One item of a legend. `color` is a CSS colour; empty: that of the text."""

    sample: Sample
    words: str
    color: str = ""


def role_legend(ties: Iterable[RelationshipKind], chapter: int) -> list[Entry]:
    """Return the legend of a Role Graph in which these ties stand."""
    return [
        *(Entry(sample="line", words=str(tie), color=TIE_COLORS[tie]) for tie in ties),
        Entry(sample="thick", words="the wider, the stronger"),
        Entry(sample="arrow", words="felt by one only"),
        Entry(sample="dashed", words="the other does not know"),
        Entry(sample="dotted", words="only the reader knows"),
        *_touched(chapter),
    ]


def plot_legend(links: Iterable[LinkKind], chapter: int) -> list[Entry]:
    """Return the legend of a Plot Graph in which these links stand."""
    return [
        Entry(sample="oval", words="person"),
        Entry(sample="box", words="event"),
        Entry(sample="diamond", words="scene"),
        Entry(sample="line", words="takes part", color=ACCENT),
        Entry(sample="dashed", words="sees it, or hears of it", color=ACCENT),
        Entry(sample="dotted", words="takes place there", color=FAINT),
        *(Entry(sample="arrow", words=str(link), color=LINK_COLORS[link]) for link in links),
        *_touched(chapter),
    ]


def _touched(chapter: int) -> list[Entry]:
    if chapter == 0:
        return []
    return [Entry(sample="touched", words=f"＋ new, ± changed in chapter {chapter}", color=ACCENT)]
