"""`tellwright run` on the embedded model, with no key and no settings: what comes of it, not its words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from store.models.story import StorySettings
from store.open import Store
from tests.e2e.structure import expect_whole_plot, main_branch
from tests.graph_flow.processes import ROOT
from tests.libraries import put_empty_library
from tests.pages.told_story import tell_into

pytestmark = pytest.mark.embedded


def test_command_plots_the_next_chapter_of_a_story(tmp_path: Path) -> None:
    """With a relay of two, who remember a chapter, and no gate; a browser test has how it begins."""
    library, out = put_empty_library(tmp_path / "library.db"), tmp_path / "story"
    story = tell_into(library, chapters=1)
    with closing(Store.open(library)) as store:
        store.library.change_settings(story, lambda _: StorySettings(goals=1, roles=2))
    kept = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TELLWRIGHT_MODEL")
    environment = {name: value for name, value in os.environ.items() if name not in kept}
    asked = ["run", "--story", story, "--chapters", "2", "--json", "--out", str(out)]

    finished = subprocess.run(
        [sys.executable, "-m", "graph_flow.command_line", *asked],
        cwd=ROOT,
        env={**environment, "TELLWRIGHT_LIBRARY": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert finished.returncode == 0, finished.stderr[-2_000:]
    report = json.loads(finished.stdout.splitlines()[-1])
    assert (report["status"], report["chapters"], report["cost"]) == ("done", 2, 0.0)
    assert report["calls"] > 0
    with closing(Store.open(library)) as store:
        expect_whole_plot(store, story, 2)
        [candidate] = store.proposals.candidates(main_branch(store, story).id, 2)
        assert len({turn.character for turn in candidate.turns}) == 2
    assert (out / "story.json").is_file()
