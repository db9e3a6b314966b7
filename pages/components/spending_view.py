"""What a story cost: altogether, by agent and by chapter."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.views import Stage
from pages.components import cost_words, prompt_view
from pages.components.text import clock, plain
from store.models.ledger import ChapterSpending, LineSpending, Spending

_HEAD = ("Calls", "Tokens in", "Tokens out", "Time", "Money")
_LISTED = 100
"""Chapters that the table shows at once."""
_STAGES: Sequence[tuple[Stage, str]] = (("plot", "Its plot"), ("write", "Its text"))


def totals(line: LineSpending, story: Spending, *, has_branches: bool) -> None:
    """Show what the branch took, and beside it the story with all of its branches."""
    total = line.total
    with st.container(horizontal=True, key="totals"):
        st.metric("Calls to the model", f"{total.calls:,}")
        st.metric("Tokens in", f"{total.tokens_in:,}")
        st.metric("Tokens out", f"{total.tokens_out:,}")
        st.metric("The model’s time", clock(total.milliseconds / 1_000))
        if total.cost:
            st.metric("At your prices", cost_words.money(total.cost))
    if words := cost_words.trouble(total):
        st.caption(plain(words))
    if has_branches:
        st.caption(plain(f"The story with all of its branches: {cost_words.facts(story)}."))


def by_agent(line: LineSpending) -> None:
    """Show a table of what each agent took."""
    st.header("By agent", anchor=False)
    st.markdown(_table("Agent", [(cost_words.agent_name(one.agent), one) for one in line.agents]))


def by_chapter(line: LineSpending) -> None:
    """Show what each chapter took, as a picture and as a table."""
    st.header("By chapter", anchor=False)
    _bars(line.chapters)
    rows = [(cost_words.chapter_name(one.chapter), one) for one in line.chapters]
    if len(rows) <= _LISTED:
        st.markdown(_table("Chapter", rows))
        return
    pages = -(-len(rows) // _LISTED)
    page = st.number_input("Part of the table", 1, pages, pages, key="cost-part")
    shown = rows[(int(page) - 1) * _LISTED : int(page) * _LISTED]
    st.markdown(_table("Chapter", shown))


def calls_of_chapter(branch: str, line: LineSpending) -> None:
    """Let the writer open what was told to the agents for a chapter, what they said and what it cost."""
    st.header("Call by call", anchor=False)
    numbers = [one.chapter for one in line.chapters]
    chapter = st.selectbox(
        "Chapter",
        numbers,
        index=len(numbers) - 1,
        format_func=cost_words.chapter_name,
        key=f"cost-chapter-{branch}",
        label_visibility="collapsed",
    )
    if chapter is None:
        return
    for stage, words in _STAGES if chapter else _STAGES[:1]:
        prompt_view.show(branch, chapter, stage, words if chapter else "")


def _bars(chapters: Sequence[ChapterSpending]) -> None:
    st.bar_chart(
        {
            "Chapter": [one.chapter for one in chapters],
            "Tokens in": [one.tokens_in for one in chapters],
            "Tokens out": [one.tokens_out for one in chapters],
        },
        x="Chapter",
        y=["Tokens in", "Tokens out"],
        y_label="Tokens",
        height=240,
    )


def _table(first: str, rows: Sequence[tuple[str, Spending]]) -> str:
    """Return Markdown: a line each, and beneath what was made in vain where anything was."""
    has_trouble = any(one.failed or one.repeated for _, one in rows)
    has_money = any(one.cost for _, one in rows)
    head = [first, *_HEAD[: 5 if has_money else 4], *(("In vain",) if has_trouble else ())]
    lines = [_line(head), _line([":--", *["--:"] * (len(head) - 1)])]
    for name, one in rows:
        cells = [plain(name), *_cells(one)[: 5 if has_money else 4]]
        lines.append(_line([*cells, *((_in_vain(one),) if has_trouble else ())]))
    return "\n".join(lines)


def _cells(one: Spending) -> list[str]:
    return [
        f"{one.calls:,}",
        f"{one.tokens_in:,}",
        f"{one.tokens_out:,}",
        plain(clock(one.milliseconds / 1_000)),
        plain(cost_words.money(one.cost)),
    ]


def _in_vain(one: Spending) -> str:
    said = [f"{one.failed:,} failed"] if one.failed else []
    said += [f"{one.repeated:,} repeated"] if one.repeated else []
    return ", ".join(said) or "–"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
