"""What a writer's steps pass through in the code, on a scripted model: calls, functions, modules, SQL."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from pages.serving import services
from store.models.run import Decision, Initialize, PlotChapters
from store.models.story import Brief, Gate
from tests.benchmarks.measures.structure.source_tree import PACKAGES
from tests.desk import PREMISE, going_on
from tests.fakes.scripted_server import ScriptedServer
from tests.pages.desk import Desk

_EXECUTES = frozenset({"execute", "executemany"})

_ROLE_TURN = "_ask"
"""The function of the relay that asks one role for its moves."""


@dataclass(frozen=True)
class Passed:
    """What one journey passed. `statements` counts the SQL statements that the driver was given."""

    name: str
    calls: int
    functions: int
    modules: int
    modules_by_package: Mapping[str, int]
    statements: int


@dataclass
class _Trace:
    """Counts the calls of our own functions, in every thread that begins while it is on."""

    root: Path
    calls: int = 0
    statements: int = 0
    seen: set[CodeType] = field(default_factory=set)

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "c_call":
            owner = type(getattr(arg, "__self__", None)).__module__
            self.statements += owner == "sqlite3" and arg.__name__ in _EXECUTES
        elif event == "call" and self._package_of(frame.f_code):
            self.calls += 1
            self.seen.add(frame.f_code)

    def passed(self, name: str) -> Passed:
        """Return what was counted."""
        files = {code.co_filename for code in self.seen}
        packages = [
            self._package_of(code) for code in {one.co_filename: one for one in self.seen}.values()
        ]
        return Passed(
            name=name,
            calls=self.calls,
            functions=len(self.seen),
            modules=len(files),
            modules_by_package={
                one: packages.count(one) for one in ("pages", "graph_flow", "store")
            },
            statements=self.statements,
        )

    def _package_of(self, code: CodeType) -> str:
        if not code.co_filename.startswith(str(self.root)):
            return ""
        first = Path(code.co_filename).relative_to(self.root).parts[0]
        return first if first in PACKAGES else ("pages" if first == "app.py" else "")


def walk_journeys(folder: Path, root: Path) -> list[Passed]:
    """Play the first steps of a story on a scripted model, each of them traced."""
    with ScriptedServer(answer=going_on) as server, _environment(folder, server):
        services.forget()
        desk = Desk(services.workbench(), server, folder / "library.db")
        try:
            return list(_journeys(desk, root))
        finally:
            server.release()
            desk.workbench.close()
            services.forget()


def _journeys(desk: Desk, root: Path) -> Iterator[Passed]:
    bench = desk.workbench
    story = desk.story(premise="")

    def walked(name: str, steps: Callable[[], object], trace: _Trace | None = None) -> Passed:
        with _traced(trace or _Trace(root)) as on:
            steps()
        return on.passed(name)

    brief = Brief(premise=PREMISE)
    yield walked(
        "a typed premise is saved", lambda: bench.library.change_brief(story.id, lambda _: brief)
    )
    yield walked("the cast is drafted", lambda: desk.do(story, Initialize()))
    yield walked("the cast is approved: chapter 0", lambda: desk.answer(story))
    desk.do(story, PlotChapters(chapters=1))
    turn = _TurnTrace(root)
    yield walked("one role's turn, up to its answer", lambda: desk.answer(story), turn)
    window = desk.window("plot", story)
    yield walked("the Plot page with its candidates", window.run)
    [question] = bench.runs.pending(desk.branch(story))
    assert question.gate is Gate.CANDIDATES
    first = bench.proposals.candidates(desk.branch(story), 1)[0]
    yield walked(
        "a candidate is chosen: chapter 1", lambda: desk.answer(story, Decision(choice=first.id))
    )


@dataclass
class _TurnTrace(_Trace):
    """Counts only what the first turn of a role in a relay calls, in the relay's own thread."""

    turn: FrameType | None = None
    thread: int = 0
    is_over: bool = False

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        if self.turn is None and event == "call" and _is_turn(frame.f_code):
            self.turn, self.thread = frame, threading.get_ident()
        if self.turn is None or self.is_over or threading.get_ident() != self.thread:
            return
        super().__call__(frame, event, arg)
        self.is_over = event == "return" and frame is self.turn


def _is_turn(code: CodeType) -> bool:
    return code.co_name == _ROLE_TURN and code.co_filename.endswith("relay.py")


@contextmanager
def _traced(trace: _Trace) -> Iterator[_Trace]:
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@contextmanager
def _environment(folder: Path, server: ScriptedServer) -> Iterator[None]:
    before = dict(os.environ)
    os.environ |= {
        "TELLWRIGHT_LIBRARY": str(folder / "library.db"),
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": "small",
        "OPENAI_BASE_URL": server.url,
    }
    os.environ.pop("OPENAI_API_KEY", None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
