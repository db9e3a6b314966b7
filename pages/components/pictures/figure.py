"""A picture ready to be shown or saved, with its name, legend and description. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from graph_flow.views import View
from pages.components import words as wording
from pages.components.pictures import strings
from pages.components.pictures.drawing import Mark, Picture, Tone
from pages.components.pictures.palette import (
    ACCENT,
    FAINT,
    GREEN,
    INK,
    LINK_COLORS,
    ORANGE,
    PART_COLORS,
    RED,
    TIE_COLORS,
)
from pages.components.pictures.plot import PlotCut
from pages.components.pictures.roles import RoleCut
from pages.components.pictures.timeline import TimelineCut
from store.models.cast import Awareness, Life, RelationshipKind
from store.models.plot import LinkKind, Part
from store.models.prototype import AnyEntity


class Figure(View):
    """A picture with its legend and a description for those who cannot see it.

    As long as `name` stays the same, so does the writer's view (position and zoom). Pictures of one
    `group` are shown side by side and move together. `file` is the file name of a saved picture.
    """

    name: str
    picture: Picture
    legend: tuple[Entry, ...]
    description: str
    file: str = "picture"
    group: str = ""
    least_scale: float = 0.5
    """The smallest initial scale that shows everything; below it, show what changed."""
    extent: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom of the initial view; None: the whole picture."""


def side_by_side(group: str, figures: Iterable[Figure]) -> list[Figure]:
    """Return figures as one group, all with the same initial view."""
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


Sample = Literal[
    "line",
    "thick",
    "dashed",
    "dotted",
    "arrow",
    "oval",
    "box",
    "diamond",
    "touched",
    "bead",
    "ring",
    "sign",
]


class Entry(View):
    """One item of a legend. `color` is a CSS colour; empty: that of the text.

    With the sample "sign", `sign` is the character shown.
    """

    sample: Sample
    words: str
    color: str = ""
    sign: str = ""


def role_legend(cut: RoleCut, *, tone: Tone = Tone.CHAPTER) -> tuple[Entry, ...]:
    """Return the legend of a Role Graph."""
    kinds = {relationship.tie for relationship in cut.relationships}
    known = {relationship.awareness for relationship in cut.relationships}
    entries = [
        Entry(sample="line", words=strings.RELATIONSHIPS[kind], color=TIE_COLORS[kind])
        for kind in RelationshipKind
        if kind in kinds and tone is Tone.CHAPTER
    ]
    if len({relationship.strength for relationship in cut.relationships}) > 1:
        entries.append(Entry(sample="thick", words=strings.STRENGTH))
    if any(not relationship.is_mutual for relationship in cut.relationships):
        entries.append(Entry(sample="arrow", words=strings.NOT_MUTUAL))
    if Awareness.ONE_SIDED in known:
        entries.append(Entry(sample="dashed", words=wording.AWARENESS[Awareness.ONE_SIDED]))
    if Awareness.HIDDEN in known:
        entries.append(Entry(sample="dotted", words=wording.AWARENESS[Awareness.HIDDEN]))
    if Life.DEAD in cut.lives():
        entries.append(Entry(sample="sign", words=strings.DEAD, sign="†"))
    if Life.MISSING in cut.lives():
        entries.append(Entry(sample="sign", words=strings.MISSING, sign="?"))
    return (*entries, *_marks(cut.marks.values(), tone))


def plot_legend(cut: PlotCut, *, tone: Tone = Tone.CHAPTER) -> tuple[Entry, ...]:
    """Return the legend of a Plot Graph."""
    parts = {part.part for part in cut.parts}
    kinds = {link.link for link in cut.links}
    entries = [Entry(sample="box", words=strings.EVENT)]
    if cut.people:
        entries.insert(0, Entry(sample="oval", words=strings.PERSON))
    if cut.scenes:
        entries.append(Entry(sample="diamond", words=strings.PLACE))
    if parts & {Part.ACTS, Part.IS_AFFECTED}:
        entries.append(Entry(sample="line", words=strings.TAKES_PART, color=ACCENT))
    if parts & {Part.WITNESSES, Part.IS_TOLD}:
        entries.append(Entry(sample="dashed", words=strings.WITNESSES, color=ACCENT))
    if cut.scenes:
        entries.append(Entry(sample="dotted", words=strings.TAKES_PLACE, color=FAINT))
    entries += [
        Entry(sample="arrow", words=wording.link_words(kind), color=LINK_COLORS[kind])
        for kind in LinkKind
        if kind in kinds
    ]
    nodes: list[AnyEntity] = [*cut.events, *cut.scenes.values()]
    return (*entries, *_marks((cut.viewpoint.mark(node) for node in nodes), tone))


def timeline_legend(cut: TimelineCut) -> tuple[Entry, ...]:
    """Return the legend of a timeline."""
    shown = {part.part for parts in cut.parts.values() for part in parts}
    entries = [
        Entry(sample="bead", words=wording.PARTS[part], color=PART_COLORS[part])
        for part in Part
        if part in shown
    ]
    if any(cut.is_told_out_of_order(event) for event in cut.events):
        entries.append(Entry(sample="ring", words=strings.TOLD_OUT_OF_ORDER))
    if any(cut.viewpoint.mark(event) is not Mark.AS_BEFORE for event in cut.events):
        entries.append(Entry(sample="ring", words=strings.TOLD_NOW, color=INK))
    return tuple(entries)


def _marks(marks: Iterable[Mark], tone: Tone) -> list[Entry]:
    found = set(marks)
    if tone is Tone.COMPARISON:
        said = {
            Mark.NEW: (strings.ONE_SIDE_ONLY, GREEN),
            Mark.CHANGED: (strings.DIFFERS, ORANGE),
            Mark.ENDED: (strings.ONE_SIDE_ONLY, RED),
        }
    else:
        said = {
            Mark.NEW: (strings.NEW, ACCENT),
            Mark.CHANGED: (strings.CHANGED, ACCENT),
            Mark.ENDED: (strings.ENDED, FAINT),
        }
    return [
        Entry(sample="touched", words=f"{mark} {words}", color=color)
        for mark, (words, color) in said.items()
        if mark in found
    ]
