"""What a story cost: in total, by agent and by chapter."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from math import ceil

import streamlit as st

from graph_flow.agents import agent_label
from pages.components import words as wording
from pages.components.runs import cost, prompts, strings
from pages.components.words import clock, plain
from pages.components.words.messages import said
from store.models.run import ChapterSpending, LineSpending, Run, Spending

_LISTED = 100
"""The most chapters that the table shows at once."""
_BARS = 100
"""The most bars that can be distinguished."""


def totals(line: LineSpending, story: Spending, *, has_branches: bool) -> None:
    """Show what the branch used, and below it the story with all its branches."""
    total = line.total
    with st.container(horizontal=True, key="totals"):
        st.metric(strings.TOTAL_CALLS, f"{total.calls:,}")
        st.metric(strings.TOKENS_IN, f"{total.tokens_in:,}")
        st.metric(strings.TOKENS_OUT, f"{total.tokens_out:,}")
        st.metric(strings.TOTAL_TIME, clock(total.milliseconds / 1_000))
        if total.cost:
            st.metric(strings.TOTAL_MONEY, cost.money(total.cost))
    if words := cost.trouble(total):
        st.caption(plain(words))
    if has_branches:
        st.caption(plain(strings.story_used(cost.facts(story))))


def by_agent(line: LineSpending) -> None:
    """Show a table of what each agent used."""
    st.header(strings.BY_AGENT, anchor=False)
    rows = [(said(agent_label(one.agent)), one) for one in line.agents]
    _table("agent", strings.AGENT, rows, _digits(line))


def by_chapter(line: LineSpending) -> None:
    """Show what each chapter used, as a chart and as a table."""
    st.header(strings.BY_CHAPTER, anchor=False)
    _bars(line.chapters)
    rows = [(f"{one.chapter:,}" if one.chapter else strings.BEFORE, one) for one in line.chapters]
    if len(rows) > _LISTED:
        parts = ceil(len(rows) / _LISTED)
        part = st.number_input(strings.table_part(parts), 1, parts, parts, key="cost-part")
        rows = rows[(int(part) - 1) * _LISTED : int(part) * _LISTED]
    _table("chapter", strings.CHAPTER, rows, _digits(line))


def notes(runs: Sequence[Run]) -> None:
    """Show what was noted of each run, if anything was."""
    if not runs:
        return
    st.header(strings.NOTES, anchor=False)
    for run in runs:
        began = wording.touched(run.started, datetime.now(UTC))
        name = f"**{plain(strings.run_name(run.task))}** :gray[:small[· {began}]]"
        st.markdown("\n".join([name, "", *(f"- {plain(said(note))}" for note in run.notes)]))


def calls_of_chapter(branch: str, line: LineSpending) -> None:
    """Let the writer open the prompts, the answers and the costs of a chapter's calls."""
    st.header(strings.BY_CALL, anchor=False)
    numbers = [one.chapter for one in line.chapters]
    chapter = st.selectbox(
        strings.CHAPTER,
        numbers,
        index=len(numbers) - 1,
        format_func=cost.chapter_name,
        key=f"cost-chapter-{branch}",
        label_visibility="collapsed",
    )
    if chapter is None:
        return
    for stage, part in (strings.PARTS if chapter else strings.PARTS_BEFORE).items():
        prompts.show(branch, chapter, stage, part)


def _bars(chapters: Sequence[ChapterSpending]) -> None:
    """Show the tokens of each chapter; in a long story, several chapters share a bar."""
    together = ceil(len(chapters) / _BARS)
    stretches = [chapters[at : at + together] for at in range(0, len(chapters), together)]
    # The reader can open these numbers as a table, so the columns bear its words.
    tokens = {
        strings.CHAPTER: [stretch[0].chapter for stretch in stretches],
        strings.TOKENS_IN: [sum(one.tokens_in for one in stretch) for stretch in stretches],
        strings.TOKENS_OUT: [sum(one.tokens_out for one in stretch) for stretch in stretches],
    }
    st.vega_lite_chart(tokens, _chart(), height=240)
    if together > 1:
        st.caption(strings.chapters_in_bar(together))


def _chart() -> dict[str, object]:
    """Return a Vega-Lite chart, because `st.bar_chart` rotates the labels of only a few chapters."""
    before = json.dumps(strings.BEFORE)
    both = [strings.TOKENS_IN, strings.TOKENS_OUT]
    kind = {"field": strings.KIND, "type": "nominal", "sort": both}
    return {
        "mark": "bar",
        "transform": [{"fold": both, "as": [strings.KIND, strings.TOKENS]}],
        "encoding": {
            "x": {
                "field": strings.CHAPTER,
                "type": "ordinal",
                "axis": {
                    "labelAngle": 0,
                    "labelOverlap": True,
                    "labelExpr": f"datum.value == 0 ? {before} : datum.label",
                },
            },
            "y": {"field": strings.TOKENS, "type": "quantitative"},
            "color": kind | {"legend": {"title": "", "orient": "bottom"}},
            "tooltip": [
                {"field": field} for field in (strings.CHAPTER, strings.KIND, strings.TOKENS)
            ],
        },
    }


def _digits(line: LineSpending) -> int:
    """Return how many decimals a table shows for money."""
    return 4 if line.total.cost < 1 else 2


def _table(key: str, first: str, rows: Sequence[tuple[str, Spending]], digits: int) -> None:
    """Show a line for each row, with wasted calls and money only if there are any."""
    has_trouble = any(one.failed or one.repeated for _, one in rows)
    counts = [strings.CALLS, strings.TOKENS_IN, strings.TOKENS_OUT, strings.TIME]
    if any(one.cost for _, one in rows):
        counts.append(strings.MONEY)
    head = [first, *counts, *((strings.WASTED,) if has_trouble else ())]
    lines = [_line(head), _line([":--", *["--:"] * (len(head) - 1)])]
    for name, one in rows:
        cells = [plain(name), *_cells(one, digits)[: len(counts)]]
        lines.append(_line([*cells, *((_wasted(one),) if has_trouble else ())]))
    with st.container(key=f"spending-{key}"):
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
    return strings.calls_wasted(one.failed, one.repeated) or "–"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
