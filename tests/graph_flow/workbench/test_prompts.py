"""A run keeps few prompts, however long it is, and pays for nothing twice."""

from __future__ import annotations

from collections.abc import Callable

from graph_flow.workbench.workbench import Workbench
from store.models.run import PlotChapters, RunState
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import refuse
from tests.graph_flow.scripting import repeated, saying, the_nth

SMALL = {"goals": 1, "roles": 2}
KEPT = 2


def chapters_kept(store: Store, branch: str) -> list[int]:
    calls = store.calls.newest(branch, 10_000)
    return sorted({int(call.step.partition("/")[0]) for call in calls})


def test_long_run_keeps_the_prompts_of_its_newest_chapters(desk: Desk, store: Store) -> None:
    desk.workbench.prompts.keep(KEPT)
    story = desk.plotted(5, SMALL)
    branch = desk.branch(story)

    kept = chapters_kept(store, branch)

    assert len(kept) <= KEPT + 1
    assert kept[-2:] == [4, 5]
    assert desk.workbench.ledger.totals(branch=branch).calls == desk.server.asked
    chapters = desk.workbench.ledger.of_line(branch).chapters
    assert [one.chapter for one in chapters] == [0, 1, 2, 3, 4, 5]
    assert desk.workbench.prompts.summed_up(branch, 1) == chapters[1].calls
    assert desk.workbench.prompts.summed_up(branch, 5) == 0


def test_run_that_stopped_goes_on_and_pays_for_nothing_twice(desk: Desk, store: Store) -> None:
    desk.workbench.prompts.keep(1)
    story = desk.founded(SMALL)
    fails = the_nth("role", 6)
    desk.server.answer = saying(role=lambda sent: refuse(401, "no") if fails(sent) else None)
    run = desk.do(story, PlotChapters(chapters=4, is_autopilot=True))
    assert run.state is RunState.FAILED
    branch = desk.branch(story)
    assert 1 not in chapters_kept(store, branch)

    rested = desk.settle(desk.workbench.runs.resume(branch))

    assert rested.state is RunState.DONE
    assert desk.workbench.branches.status(branch).plotted == 4
    assert len(repeated(desk.server.history)) <= 1  # the one that failed
    assert desk.workbench.ledger.totals(branch=branch).calls == desk.server.asked


def test_old_prompts_go_when_nothing_is_at_work(
    desk: Desk, store: Store, open_workbench: Callable[[], Workbench]
) -> None:
    story = desk.plotted(3, SMALL)
    branch = desk.branch(story)
    assert chapters_kept(store, branch) == [0, 1, 2, 3]
    desk.workbench.prompts.keep(1)

    open_workbench().keep_safe()

    assert chapters_kept(store, branch) == [3]
    assert desk.workbench.ledger.totals(branch=branch).calls == desk.server.asked
