"""The app is killed in the middle of a chapter: nothing is lost, done twice, or asked for again."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from store.open import Store
from tests.desk import PREMISE, going_on
from tests.e2e.structure import expect_whole_plot, expect_written, main_branch
from tests.e2e.writer import Writer, library_of
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, in_halves
from tests.graph_flow.scripting import (
    Held,
    agent_of,
    expect_none_again,
    finished_prompts,
    the_nth,
)

pytestmark = pytest.mark.browser

SECONDS = 30
CLOSED = "The app was closed while this was running."
SCENE = "The lamp was out before the tide had turned. " * 4


class Telling:
    """Tell one scene to its middle, and hold the rest back until a test lets it go."""

    def __init__(self) -> None:
        self.rest = threading.Event()
        self.begun = ""
        self._lock = threading.Lock()

    def __call__(self, sent: Sent) -> Reply | None:
        if agent_of(sent) != "writer_novel":
            return going_on(sent)
        with self._lock:
            is_first, self.begun = not self.begun, self.begun or sent.prompt
        return in_halves(SCENE, self.rest) if is_first else going_on(sent)


def kill_when_all_else_is_done(
    writer: Writer, server: ScriptedServer, is_done: Callable[[Store, str], bool]
) -> set[str]:
    """Kill the app when it waits for nothing but the reply that is held back, and start it again.

    `is_done` tells of a library and a branch whether nothing else is to come. Returns the prompts
    of all calls that had finished.
    """
    with library_of(writer.app) as store:
        branch = main_branch(store, writer.story).id

        def is_quiet() -> bool:
            kept = store.calls.newest(branch, limit=10_000)
            return is_done(store, branch) and len(kept) == len(server.history) - 1

        patiently = Retrying(
            retry=retry_if_result(lambda quiet: not quiet),
            stop=stop_after_delay(SECONDS),
            wait=wait_fixed(0.1),
        )
        assert patiently(is_quiet)
        writer.app.kill()
        assert is_quiet()
        finished = finished_prompts(store, branch)
    writer.app.start()
    return finished


def two_relays_are_done(store: Store, branch: str) -> bool:
    """Return whether two of the three candidates of the first chapter have all of their turns."""
    turns = sorted(len(one.turns) for one in store.proposals.candidates(branch, 1))
    return turns[-2:] == [3, 3]


def plan_is_made(store: Store, branch: str) -> bool:
    """Return whether nothing but the text of the first chapter is missing."""
    return store.manuscript.plan(branch, 1) is not None


def test_chapter_completes_after_a_kill_in_the_middle_of_its_weaving(
    writer: Writer, scripted_server: ScriptedServer
) -> None:
    held = Held(the_nth("role", 2))
    scripted_server.answer = held
    writer.begin(PREMISE)
    story = writer.story
    writer.press("Plot the first chapter")
    assert held.has_come.wait(SECONDS)

    finished = kill_when_all_else_is_done(writer, scripted_server, two_relays_are_done)
    held.let_go()
    writer.open("plot", story)

    expect(writer.main.get_by_text(CLOSED)).to_be_visible()
    writer.press("Continue")
    expect(writer.cards).to_have_count(3, timeout=SECONDS * 1_000)
    writer.cards.first.get_by_role("button", name="Choose").click()
    writer.wait_for("Plot the next chapter")
    with library_of(writer.app) as store:
        branch = main_branch(store, story).id
        expect_whole_plot(store, story, 1)
        assert len(store.prototype.commits(branch)) == 2
        assert len(store.proposals.goals(branch, 1)) == 3
        candidates = store.proposals.candidates(branch, 1)
        assert len(candidates) == 3
        for candidate in candidates:
            assert len({turn.name for turn in candidate.turns}) == len(candidate.turns) == 3
    expect_none_again(scripted_server, finished)
    times = Counter(sent.prompt for sent in scripted_server.history)
    assert [prompt for prompt, count in times.items() if count > 1] == [held.prompt]


def test_text_completes_after_a_kill_in_the_middle_of_a_scene(
    writer: Writer, scripted_server: ScriptedServer
) -> None:
    telling = Telling()
    scripted_server.answer = going_on
    writer.begin(PREMISE)
    story = writer.story
    writer.plot_by_itself()
    scripted_server.answer = telling
    writer.turn_to("Write")
    writer.press("Write this chapter")
    streamed = writer.main.locator(".st-key-story-stream")
    expect(streamed).to_contain_text("The lamp was out", timeout=SECONDS * 1_000)

    finished = kill_when_all_else_is_done(writer, scripted_server, plan_is_made)
    telling.rest.set()
    writer.open("write", story)

    expect(writer.main.get_by_text(CLOSED)).to_be_visible()
    writer.press("Continue")
    writer.wait_for("Approve")
    writer.press("Approve")
    writer.wait_for("Plot the next chapter")
    with library_of(writer.app) as store:
        branch = main_branch(store, story).id
        text = expect_written(store, story, 1)
        assert SCENE.strip() not in text, "the scene that broke off was told anew"
        assert len(store.manuscript.plans(branch, 1)) == 1
        assert [draft.version for draft in store.manuscript.versions(branch, 1)] == [1]
    expect_none_again(scripted_server, finished)
    times = Counter(sent.prompt for sent in scripted_server.history)
    assert [prompt for prompt, count in times.items() if count > 1] == [telling.begun]
