"""What a story cost: in total, by agent and by chapter."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import streamlit as st

from graph_flow.agents import agent_label
from graph_flow.views import Stage
from pages.components.runs import cost, prompts
from pages.components.words import clock, plain
from store.models.run import ChapterSpending, LineSpending, Spending

_HEAD = ("Calls", "Tokens in", "Tokens out", "Time", "Money")
_LISTED = 100
"""The most chapters that the table shows at once."""
_BARS = 100
"""The most bars that can be distinguished."""
_CHART = {
    "mark": "bar",
    "transform": [{"fold": ["Tokens in", "Tokens out"], "as": ["Kind", "Tokens"]}],
    "encoding": {
        "x": {
            "field": "Chapter",
            "type": "ordinal",
            "axis": {
                "labelAngle": 0,
                "labelOverlap": True,
                "labelExpr": "datum.value == 0 ? 'Before' : datum.label",
            },
        },
        "y": {"field": "Tokens", "type": "quantitative"},
        "color": {"field": "Kind", "type": "nominal", "legend": {"title": "", "orient": "bottom"}},
        "tooltip": [{"field": name} for name in ("Chapter", "Kind", "Tokens")],
    },
}
"""A Vega-Lite chart, because `st.bar_chart` rotates the labels when there are few chapters."""
_STAGES: Sequence[tuple[Stage, str]] = (("plot", "Its plot"), ("write", "Its text"))
_STAGES_BEFORE: Sequence[tuple[Stage, str]] = (
    ("plot", "The beginning"),
    ("outline", "The outline"),
)


def totals(line: LineSpending, story: Spending, *, has_branches: bool) -> None:
    """Show what the branch used, and below it the story with all its branches."""
    total = line.total
    with st.container(horizontal=True, key="totals"):
        st.metric("Calls to the model", f"{total.calls:,}")
        st.metric("Tokens in", f"{total.tokens_in:,}")
        st.metric("Tokens out", f"{total.tokens_out:,}")
        st.metric("Model time", clock(total.milliseconds / 1_000))
        if total.cost:
            st.metric("At your prices", cost.money(total.cost))
    if words := cost.trouble(total):
        st.caption(plain(words))
    if has_branches:
        st.caption(plain(f"The story with all its branches: {cost.facts(story)}."))


def by_agent(line: LineSpending) -> None:
    """Show a table of what each agent used."""
    st.header("By agent", anchor=False)
    rows = [(agent_label(one.agent), one) for one in line.agents]
    _table("Agent", rows, _digits(line))


def by_chapter(line: LineSpending) -> None:
    """Show what each chapter used, as a chart and as a table."""
    st.header("By chapter", anchor=False)
    _bars(line.chapters)
    rows = [(f"{one.chapter:,}" if one.chapter else "Before", one) for one in line.chapters]
    if len(rows) > _LISTED:
        parts = ceil(len(rows) / _LISTED)
        part = st.number_input(f"Part of the table, of {parts}", 1, parts, parts, key="cost-part")
        rows = rows[(int(part) - 1) * _LISTED : int(part) * _LISTED]
    _table("Chapter", rows, _digits(line))


def calls_of_chapter(branch: str, line: LineSpending) -> None:
    """Let the writer open the prompts, the answers and the costs of a chapter's calls."""
    st.header("Call by call", anchor=False)
    numbers = [one.chapter for one in line.chapters]
    chapter = st.selectbox(
        "Chapter",
        numbers,
        index=len(numbers) - 1,
        format_func=cost.chapter_name,
        key=f"cost-chapter-{branch}",
        label_visibility="collapsed",
    )
    if chapter is None:
        return
    for stage, words in _STAGES if chapter else _STAGES_BEFORE:
        prompts.show(branch, chapter, stage, words)


def _bars(chapters: Sequence[ChapterSpending]) -> None:
    """Show the tokens of each chapter; in a long story, several chapters share a bar."""
    together = ceil(len(chapters) / _BARS)
    stretches = [chapters[at : at + together] for at in range(0, len(chapters), together)]
    tokens = {
        "Chapter": [stretch[0].chapter for stretch in stretches],
        "Tokens in": [sum(one.tokens_in for one in stretch) for stretch in stretches],
        "Tokens out": [sum(one.tokens_out for one in stretch) for stretch in stretches],
    }
    st.vega_lite_chart(tokens, _CHART, height=240)
    if together > 1:
        st.caption(f"Each bar is {together} chapters.")


def _digits(line: LineSpending) -> int:
    """Return how many decimals a table shows for money."""
    return 4 if line.total.cost < 1 else 2


def _table(first: str, rows: Sequence[tuple[str, Spending]], digits: int) -> None:
    """Show a line for each row, with wasted calls and money only if there are any."""
    has_trouble = any(one.failed or one.repeated for _, one in rows)
    columns = len(_HEAD) if any(one.cost for _, one in rows) else len(_HEAD) - 1
    head = [first, *_HEAD[:columns], *(("Wasted",) if has_trouble else ())]
    lines = [_line(head), _line([":--", *["--:"] * (len(head) - 1)])]
    for name, one in rows:
        cells = [plain(name), *_cells(one, digits)[:columns]]
        lines.append(_line([*cells, *((_wasted(one),) if has_trouble else ())]))
    with st.container(key=f"spending-{first.lower()}"):
        st.markdown("\n".join(lines))


def _cells(one: Spending, digits: int) -> list[str]:
    return [
        f"{one.calls:,}",
        f"{one.tokens_in:,}",
        f"{one.tokens_out:,}",
        plain(clock(one.milliseconds / 1_000)),
        plain(cost.money(one.cost, digits)),
    ]


def _wasted(one: Spending) -> str:
    said = [f"{one.failed:,} failed"] if one.failed else []
    said += [f"{one.repeated:,} repeated"] if one.repeated else []
    return ", ".join(said) or "–"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
