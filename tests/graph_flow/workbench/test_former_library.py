"""A library of the app's first version, from the time when it was called Fabula, is a library of today's.

In `former/` are the files that version 0.1 made of a story played on the scripted model: two plotted
chapters, one of them written, an edit, a what-if branch, and another story whose cast waits for approval.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from graph_flow.llm.transport.offer import OwnModels
from graph_flow.scoring.rules import rules_from
from graph_flow.views import BranchStatus
from graph_flow.workbench.assembly import Terms, assemble
from store.models.run import Decision, PlotChapters, RunState
from store.models.story import Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import ScriptedServer

FORMER = Path(__file__).parent / "former"


@pytest.fixture
def former(tmp_path: Path, server: ScriptedServer) -> Desk:
    """A desk on a copy of the former library."""
    for name in ("library.db", "library.checkpoints.db"):
        (tmp_path / name).write_bytes(unpacked(name))
    path = tmp_path / "library.db"
    variables = {
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": "small",
        "OPENAI_BASE_URL": server.url,
    }
    return Desk(assemble(path, Terms(OwnModels(variables.get))), server, path)


@pytest.fixture
def stories(former: Desk) -> tuple[Story, Story]:
    """The story that was plotted, and the one whose cast waits."""
    bench = former.workbench
    both = [card.story for card in bench.library.stories()]
    plotted, waiting = sorted(both, key=lambda story: not _status(former, story).is_founded)
    return plotted, waiting


def test_library_opens_and_its_hashes_verify(former: Desk, stories: tuple[Story, Story]) -> None:
    plotted, _ = stories
    with_hashes = Store.open(former.library)
    branches = former.workbench.library.branches(plotted.id)

    for branch in branches:
        with_hashes.prototype.verify(branch.id)

    assert len(branches) == 2
    assert _status(former, plotted).plotted == 2
    assert former.workbench.manuscript.draft(branches[0].id, 1) is not None
    with_hashes.close()
    former.workbench.close()


def test_what_waited_is_answered_and_the_story_goes_on(
    former: Desk, stories: tuple[Story, Story]
) -> None:
    plotted, waiting = stories

    assert former.answer(waiting, Decision()).state is RunState.DONE
    assert former.do(plotted, PlotChapters(is_autopilot=True)).state is RunState.DONE

    assert _status(former, waiting).is_founded
    assert _status(former, plotted).plotted == 3
    former.workbench.close()


def test_its_bundle_comes_in_with_the_same_hashes(
    former: Desk, stories: tuple[Story, Story]
) -> None:
    plotted, _ = stories
    copy = former.workbench.files.import_bundle(unpacked("story.json").decode())

    store = Store.open(former.library)
    hashes = [
        [
            [commit.hash for commit in store.prototype.commits(branch.id)]
            for branch in store.library.branches(story.id)
        ]
        for story in (plotted, copy)
    ]
    assert hashes[0] == hashes[1] != []
    store.close()
    former.workbench.close()


def test_its_scoring_rules_come_in() -> None:
    assert len(rules_from((FORMER / "rules.json").read_bytes())) == 11


def unpacked(name: str) -> bytes:
    return gzip.decompress((FORMER / f"{name}.gz").read_bytes())


def _status(desk: Desk, story: Story) -> BranchStatus:
    return desk.workbench.branches.status(desk.branch(story))
