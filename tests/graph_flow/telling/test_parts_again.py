"""Texts that come in several calls: what is finished is not asked for again after a kill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import count

import pytest

from store.models.run import Outcome, RunState, WriteChapter
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say, say_json, truncated
from tests.graph_flow.processes import begin_command, kill
from tests.graph_flow.scripting import Held, agent_of, asked, request_of, the_nth
from tests.graph_flow.telling.bridge import plotted, telling
from tests.graph_flow.telling.test_long_chapters import BREAK, remark, scene, with_window

SECONDS = 120
SCENES = (scene("the office", 30), scene("the ferry", 30))
WORDS = 2_000


def by_scene(sent: Sent) -> Reply:
    """Write the scene that is asked for."""
    return say(SCENES["Write only scene 2" in request_of(sent)])


def review(sent: Sent) -> Reply:
    is_first = "part 1 of 2" in request_of(sent)
    said = remark("the office", 3) if is_first else remark("the ferry", 4)
    return say_json({"told": ["F1"] if is_first else [], "remarks": [said]})


def revise(sent: Sent) -> Reply:
    is_first = "part 1 of 2" in request_of(sent)
    old = "In the office it is line 3" if is_first else "In the ferry it is line 4"
    return say_json({"passages": [{"old": f"{old} that counts.", "new": "It counts."}]})


@pytest.mark.parametrize("agent", ["writer_novel", "review", "revise"])
def test_finished_parts_of_a_long_chapter_are_not_asked_for_again_after_a_kill(
    able: Desk, story_store: Store, agent: str
) -> None:
    """The process dies while the second part is being written, read or revised."""
    with_window(able, 6_000)
    story = plotted(able, story_store, words=WORDS)
    script = telling(writer_novel=by_scene, review=review, revise=revise)
    held = Held(the_nth(agent, 2), script)
    able.server.answer = held
    process = begin_command(
        able.library,
        able.server,
        *("run", "--story", story.id, "--chapters", "1", "--write"),
        strength="able",
    )
    try:
        assert held.has_come.wait(SECONDS), process.poll()
    finally:
        kill(process)
        held.let_go()
    before = Counter(sent.prompt for sent in able.server.history)
    able.server.answer = script

    assert able.settle(able.workbench.runs.resume(able.branch(story))).state is RunState.DONE

    times = Counter(sent.prompt for sent in able.server.history)
    again = [prompt for prompt, number in times.items() if number > 1]
    assert again == [held.prompt], "only the call that was under way is made again"
    assert set(before.values()) == {1}
    of_agent = [sent.prompt for sent in asked(able.server, agent)]
    assert len(of_agent) == 3
    draft = able.workbench.manuscript.draft(able.branch(story), 1)
    assert draft is not None
    assert draft.text == BREAK.join(SCENES).replace(
        "In the office it is line 3 that counts.", "It counts."
    ).replace("In the ferry it is line 4 that counts.", "It counts.")


BEGINNING = "Amos stopped at the pin. He put his thumb to it, and took it "
MIDDLE = "away.\n\n“Come down,” said Ruth. “The wind is "
END = "rising.”"


def pieces(*said: str) -> Callable[[Sent], Reply]:
    """Write a text in several answers, all but the last of which break off at the limit."""
    number = count()

    def say_next(_: Sent) -> Reply:
        at = next(number)
        return say(said[at]) if at == len(said) - 1 else truncated(said[at])

    return say_next


def test_text_that_breaks_off_at_the_limit_goes_on_from_its_parts_after_a_kill(
    able: Desk, story_store: Store
) -> None:
    story = plotted(able, story_store, words=400)
    branch = able.branch(story)
    script = telling(writer_novel=pieces(BEGINNING, MIDDLE, END), review=say_json({"remarks": []}))
    held = Held(the_nth("writer_novel", 3), script)
    able.server.answer = held
    process = begin_command(
        able.library,
        able.server,
        *("run", "--story", story.id, "--chapters", "1", "--write"),
        strength="able",
    )
    try:
        assert held.has_come.wait(SECONDS), process.poll()
    finally:
        kill(process)
        held.let_go()
    able.server.answer = telling(writer_novel=say(END), review=say_json({"remarks": []}))

    assert able.settle(able.workbench.runs.resume(branch)).state is RunState.DONE

    written = asked(able.server, "writer_novel")
    assert len(written) == 4
    assert written[3].prompt == written[2].prompt, "the one that was under way"
    assert BEGINNING.strip() in written[3].prompt
    draft = able.workbench.manuscript.draft(branch, 1)
    assert draft is not None
    assert draft.text == BEGINNING + MIDDLE + END


def test_text_that_never_ended_is_begun_anew(able: Desk, story_store: Store) -> None:
    """It was given up after some parts; whoever continues does not get more of the same."""
    story = plotted(able, story_store, words=400)
    branch = able.branch(story)
    endless = [f"Amos counts the rivets, row {number} of them, " for number in range(6)]
    able.server.answer = telling(writer_novel=pieces(*endless))
    run = able.do(story, WriteChapter(chapter=1))
    assert run.state is RunState.FAILED
    with closing(Store.open(able.library)) as store:
        calls = [one for one in store.calls.newest(branch) if one.agent == "writer_novel"]
        assert {one.outcome for one in calls} == {Outcome.TRUNCATED}
    able.server.answer = telling()

    assert able.settle(able.workbench.runs.resume(branch)).state is RunState.DONE

    first, *_, last = [sent for sent in able.server.history if agent_of(sent) == "writer_novel"]
    assert last.prompt == first.prompt
