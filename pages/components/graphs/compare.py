"""Two states of a story side by side: differences in colour in both pictures, and in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

import streamlit as st

from graph_flow.views import Comparison, View
from pages.components.fields.autosave import bind, changing
from pages.components.frame import branch_switcher, time_cursor
from pages.components.frame.frame import OpenStory
from pages.components.graphs import strings
from pages.components.graphs.navigation import GraphSession
from pages.components.graphs.reading import index_of, plot_figure, plot_places, role_figure, seats
from pages.components.graphs.toolbar import span as choose_span
from pages.components.pictures import network
from pages.components.pictures.drawing import Tone
from pages.components.pictures.figure import Figure, side_by_side
from pages.components.pictures.plot import PlotCut
from pages.components.pictures.roles import RoleCut
from pages.components.pictures.story_index import Viewpoint
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.deltas.sentences import Sentence
from store.models.story import Branch

_MOST_SENTENCES = 60


class Drawn(StrEnum):
    """What is drawn of both states."""

    ROLES = "roles"
    PLOT = "plot"


class Side(View):
    """One side of a comparison: a branch, and a chapter of it."""

    branch: Branch
    chapter: int

    @property
    def key(self) -> tuple[str, int]:
        """The branch id and chapter by which the workbench looks it up."""
        return self.branch.id, self.chapter


def show(opened: OpenStory, session: GraphSession) -> None:
    """Let the writer choose two states, and show the differences."""
    left_column, right_column = st.columns(2, gap="medium")
    newest = opened.chapter
    with left_column:
        left = _choose("left", opened, max(0, newest - 1))
    with right_column:
        right = _choose("right", opened, newest)
    with st.container(horizontal=True, vertical_alignment="center"):
        drawn = _choose_drawn()
        if drawn is Drawn.PLOT:
            choose_span(session, max(left.chapter, right.chapter))
    comparison = workbench().story.compare(left.key, right.key)
    figures = _figures(drawn, (left, right), comparison, session)
    for column, figure in zip(st.columns(2, gap="medium"), figures, strict=True):
        with column:
            if figure.picture.nodes:
                network.show(figure, selected=session.selected, on_click=session.select)
            else:
                st.info(strings.COMPARISON_NO_EVENTS)
    _list_differences(comparison, (left, right))


def put_side_by_side(left: Side, right: Side) -> None:
    """Compare these two the next time the view is shown."""
    for place, side in (("left", left), ("right", right)):
        st.session_state[_branch_memory(place, side.branch.story)] = side.branch.id
        st.session_state[_chapter_memory(place, side.branch.id)] = side.chapter


def _choose(place: str, opened: OpenStory, chapter: int) -> Side:
    branch = _choose_branch(place, opened)
    plotted = workbench().branches.status(branch.id).plotted
    memory = _chapter_memory(place, branch.id)
    stored = min(st.session_state.get(memory, chapter), plotted)
    if plotted == 0:
        return Side(branch=branch, chapter=0)
    bound = bind(f"compare-{place}-chapter-{branch.id}", stored)

    st.slider(
        time_cursor.words(stored, plotted),
        0,
        plotted,
        bound.value,
        key=bound.key,
        on_change=changing(bound, _keeper(memory)),
    )
    return Side(branch=branch, chapter=stored)


def _choose_branch(place: str, opened: OpenStory) -> Branch:
    branches = {branch.id: branch for branch in opened.branches}
    if len(branches) < 2:
        return opened.branch
    memory = _branch_memory(place, opened.story.id)
    stored = st.session_state.get(memory, opened.branch.id)
    stored = stored if stored in branches else opened.branch.id
    bound = bind(f"compare-{place}-branch", stored)

    st.selectbox(
        strings.LEFT if place == "left" else strings.RIGHT,
        list(branches),
        index=list(branches).index(bound.value),
        format_func=lambda id_: branch_switcher.name_of(branches[id_]),
        key=bound.key,
        on_change=changing(bound, _keeper(memory)),
    )
    return branches[stored]


def _branch_memory(place: str, story_id: str) -> str:
    return f"compare {place} branch of {story_id}"


def _chapter_memory(place: str, branch_id: str) -> str:
    return f"compare {place} chapter of {branch_id}"


def _choose_drawn() -> Drawn:
    memory = "compare drawn"
    bound = bind("compare-drawn", st.session_state.get(memory, Drawn.ROLES))

    st.segmented_control(
        strings.COMPARED,
        list(Drawn),
        default=bound.value,
        required=True,
        format_func=lambda drawn: strings.COMPARISONS[drawn],
        label_visibility="collapsed",
        key=bound.key,
        on_change=changing(bound, _keeper(memory)),
    )
    return Drawn(bound.value)


def _keeper(memory: str) -> Callable[[object], None]:
    def keep(value: object) -> None:
        st.session_state[memory] = value

    return keep


def _figures(
    drawn: Drawn, sides: tuple[Side, Side], comparison: Comparison, session: GraphSession
) -> Sequence[Figure]:
    left, right = index_of(comparison.left), index_of(comparison.right)
    viewpoints = (
        Viewpoint(left, comparison.right, side="left"),
        Viewpoint(right, comparison.left, side="right"),
    )
    branches = dict.fromkeys(side.branch.id for side in sides)
    figures = []
    if drawn is Drawn.ROLES:
        places = seats(*branches)
        for name, viewpoint in zip(("left", "right"), viewpoints, strict=True):
            figures.append(role_figure(name, RoleCut(viewpoint), places, Tone.COMPARISON))
    else:
        window = session.window(max(side.chapter for side in sides))
        places = plot_places(window, *branches)
        for name, viewpoint in zip(("left", "right"), viewpoints, strict=True):
            cut = PlotCut(viewpoint, window)
            figures.append(
                plot_figure(name, cut, places, selected=session.selected, tone=Tone.COMPARISON)
            )
    group = f"compare-{drawn.name}-{'-'.join(branches)}"
    return side_by_side(group, figures)


def _list_differences(comparison: Comparison, sides: tuple[Side, Side]) -> None:
    left, right = sides
    names = (_name(left, sides), _name(right, sides))
    st.subheader(strings.differences_heading(*names), anchor=False)
    if not comparison.sentences:
        st.caption(strings.NO_DIFFERENCES)
        return
    _list(comparison.sentences[:_MOST_SENTENCES])
    rest = comparison.sentences[_MOST_SENTENCES:]
    if rest:
        with st.expander(strings.more_differences(len(rest))):
            _list(rest[: 10 * _MOST_SENTENCES])
            if len(rest) > 10 * _MOST_SENTENCES:
                st.caption(strings.unlisted_differences(len(rest) - 10 * _MOST_SENTENCES))


def _name(side: Side, sides: tuple[Side, Side]) -> str:
    if sides[0].branch.id == sides[1].branch.id:
        return strings.state(side.chapter)
    return strings.state_of(side.chapter, plain(branch_switcher.name_of(side.branch)))


def _list(sentences: Sequence[Sentence]) -> None:
    st.markdown("\n\n".join(f"{plain(one.mark)} {plain(said(one.text))}" for one in sentences))
