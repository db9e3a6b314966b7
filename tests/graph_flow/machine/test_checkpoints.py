"""Checkpoints: few are kept however long a run is, and what a run goes on from is never dropped."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TypedDict

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send, interrupt

from graph_flow.machine.checkpoints import KEPT, PRUNED_EVERY, open_checkpoints
from store.models.run import PlotChapters, RunState
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import refuse
from tests.graph_flow.processes import until
from tests.graph_flow.scripting import saying, the_nth

MOST = KEPT + PRUNED_EVERY
LONG = 120


class Count(TypedDict, total=False):
    number: int
    last: int


class Broken(Exception):
    """A step fails."""


@pytest.fixture
def saver(library_path: Path) -> Iterator[SqliteSaver]:
    opened = open_checkpoints(library_path)
    yield opened
    opened.conn.close()


def thread(name: str) -> RunnableConfig:
    return {"configurable": {"thread_id": name}, "recursion_limit": 10_000}


def rows(saver: SqliteSaver, table: str, name: str) -> int:
    """Return how many rows of a table belong to a thread."""
    query = f"SELECT count(*) FROM {table} WHERE thread_id = ?"
    return int(saver.conn.execute(query, (name,)).fetchone()[0])


def is_kept(saver: SqliteSaver, channel: str) -> bool:
    """Return whether a step that is under way has already kept what it wrote to a channel."""
    query = """
        SELECT count(*) FROM writes WHERE channel = ?
        AND checkpoint_id = (SELECT max(checkpoint_id) FROM checkpoints)
    """
    with saver.cursor(transaction=False) as cursor:
        return bool(cursor.execute(query, (channel,)).fetchone()[0])


Machine = CompiledStateGraph[Count, None, Count, Count]


def counting(saver: SqliteSaver, fails_at: int = 0) -> tuple[Machine, Counter[str]]:
    """Return a machine that counts in steps of two nodes side by side.

    One fails once, if told to, as soon as the other's part of the step is kept.
    """
    done: Counter[str] = Counter()
    graph = StateGraph(Count)

    def count(state: Count) -> Count:
        done["count"] += 1
        return {"number": state["number"] + 1}

    def look(state: Count) -> Count:
        done["look"] += 1
        if done["look"] == fails_at:
            until(lambda: is_kept(saver, "number"))
            raise Broken(state["number"])
        return {}

    def go_on(state: Count) -> list[Send | str]:
        return ["count", Send("look", state)] if state["number"] < state["last"] else [END]

    graph.add_node("count", count)
    graph.add_node("look", look)
    graph.add_conditional_edges(START, go_on, ["count", "look", END])
    graph.add_conditional_edges("count", go_on, ["count", "look", END])
    return graph.compile(checkpointer=saver), done


def test_a_long_run_leaves_no_more_than_a_short_one(saver: SqliteSaver, library_path: Path) -> None:
    machine, _ = counting(saver)
    machine.invoke({"number": 0, "last": 10 * MOST}, thread("long"), durability="sync")
    size = size_of(library_path)

    machine.invoke({"number": 0, "last": LONG * MOST}, thread("longer"), durability="sync")

    for name in ("long", "longer"):
        assert KEPT <= rows(saver, "checkpoints", name) <= MOST
        assert 0 < rows(saver, "writes", name) <= MOST * 8
    assert size_of(library_path) < 3 * size


def size_of(library: Path) -> int:
    with closing(sqlite3.connect(library.with_name("library.checkpoints.db"))) as database:
        pages, size = (
            database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
        )
    return int(pages * size)


@pytest.mark.parametrize("fails_at", range(PRUNED_EVERY * 2, PRUNED_EVERY * 3 + 1))
def test_what_was_finished_beside_a_failure_is_not_done_again(
    saver: SqliteSaver, fails_at: int
) -> None:
    """Wherever in the rhythm of the pruning a step fails, its other half is kept."""
    machine, done = counting(saver, fails_at)
    last = PRUNED_EVERY * 4
    with pytest.raises(Broken):
        machine.invoke({"number": 0, "last": last}, thread("a"), durability="sync")

    ended = machine.invoke(None, thread("a"), durability="sync")

    assert ended["number"] == last
    assert done["count"] == last
    assert done["look"] == last + 1


def test_a_question_waits_while_other_threads_go_on(saver: SqliteSaver) -> None:
    graph = StateGraph(Count)
    graph.add_node("ask", lambda _state: {"number": interrupt("how many?")})
    graph.add_edge(START, "ask")
    asking = graph.compile(checkpointer=saver)
    asking.invoke({"number": 0}, thread("asks"), durability="sync")
    machine, _ = counting(saver)

    machine.invoke({"number": 0, "last": 10 * MOST}, thread("long"), durability="sync")

    [question] = asking.get_state(thread("asks")).interrupts
    assert question.value == "how many?"


def test_every_run_of_a_story_keeps_few(desk: Desk, library_path: Path) -> None:
    story = desk.founded({"goals": 1, "roles": 1, "chapter_cap": 20})
    is_tenth = the_nth("scorer", 10)
    desk.server.answer = saying(
        scorer=lambda sent: refuse(401, "no such key") if is_tenth(sent) else None
    )

    run = desk.do(story, PlotChapters(chapters=12, is_autopilot=True))

    assert run.state is RunState.FAILED
    assert desk.workbench.branches.status(run.branch).plotted == 9
    with closing(sqlite3.connect(library_path.with_name("library.checkpoints.db"))) as kept:
        counts = dict(
            kept.execute("SELECT thread_id, count(*) FROM checkpoints GROUP BY thread_id")
        )
    assert list(counts) == [run.thread]
    assert counts[run.thread] <= MOST
    desk.server.answer = going_on
    assert desk.settle(desk.workbench.runs.resume(run.branch)).state is RunState.DONE
    assert desk.workbench.branches.status(run.branch).plotted == 12


def test_a_run_that_cannot_go_on_any_more_leaves_nothing(desk: Desk, library_path: Path) -> None:
    story = desk.founded({"goals": 1, "roles": 1})
    desk.server.answer = saying(goals=refuse(401, "no such key"))
    desk.do(story, PlotChapters(is_autopilot=True))
    desk.server.answer = going_on

    desk.do(story, PlotChapters(is_autopilot=True))

    with closing(sqlite3.connect(library_path.with_name("library.checkpoints.db"))) as kept:
        assert kept.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)
        assert kept.execute("SELECT count(*) FROM writes").fetchone() == (0,)
