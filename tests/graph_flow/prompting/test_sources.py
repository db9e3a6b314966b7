"""What went into a prompt: every variable has a name for the writer, and nothing is miscounted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from graph_flow.agents import AGENTS
from graph_flow.cognition.memory import BudgetedLines
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.sources import EXAMPLE, INSTRUCTIONS, sources_of
from store.models.endpoint import ModelStrength
from store.models.run import PlotChapters, PromptSource
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import refuse
from tests.graph_flow.scripting import asked, request_of

PROMPT = AGENTS["goals"].prompt(ModelStrength.SMALL)
GOALS: Variables = {
    "language": "English",
    "background": "A rock in the sea.",
    "long_term_goal": "It ends when Mara leaves.",
    "chapter": 4,
    "people": BudgetedLines(["Mara: keeper", "Hale: inspector"], left_out=7),
    "history": BudgetedLines([], left_out=3),
    "threads": [],
    "ties": [],
    "plan": [],
    "note": "",
    "count": 3,
    "taken": [],
}


def named(sources: tuple[PromptSource, ...]) -> dict[str, PromptSource]:
    return {source.name: source for source in sources}


def test_source_tells_what_is_in_and_what_is_left_out() -> None:
    sources = named(sources_of(AGENTS["goals"], PROMPT.messages(GOALS), GOALS, PROMPT.variables))

    people, history = sources["The people"], sources["What happened before"]
    assert (people.lines, people.left_out) == (2, 7)
    assert people.tokens == estimate_tokens("Mara: keeper") + estimate_tokens("Hale: inspector")
    assert (history.lines, history.left_out, history.tokens) == (0, 3, 0)


def test_what_is_empty_is_no_source() -> None:
    assert (
        not {"Open threads", "Your note"}
        & named(sources_of(AGENTS["goals"], PROMPT.messages(GOALS), GOALS, PROMPT.variables)).keys()
    )


def test_variable_without_a_label_goes_by_its_own_name() -> None:
    agent = replace(AGENTS["goals"], labels={})

    sources = named(
        sources_of(
            agent,
            PROMPT.messages(GOALS),
            {**GOALS, "open_secrets": "One."},
            PROMPT.variables | {"open_secrets"},
        )
    )

    assert sources["Open secrets"].lines == 1
    assert "The people" in sources


def test_sources_add_up_to_about_the_prompt() -> None:
    sources = named(sources_of(AGENTS["goals"], PROMPT.messages(GOALS), GOALS, PROMPT.variables))

    whole = sum(estimate_tokens(message.content) for message in PROMPT.messages(GOALS))

    assert sum(source.tokens for source in sources.values()) == pytest.approx(whole, abs=8)
    assert sources[INSTRUCTIONS].tokens > 50
    assert sources[EXAMPLE].tokens > 50


def test_writer_can_read_what_each_agent_was_told(desk: Desk) -> None:
    story = desk.written({"goals": 2, "roles": 2})
    branch = desk.branch(story)

    plotted = desk.workbench.story.prompts(branch, 1, "plot")
    written = desk.workbench.story.prompts(branch, 1, "write")

    goals = {goal.title for goal in desk.workbench.plot.goals(branch, 1)}
    speaking = [view for view in plotted if view.words.endswith(" speaks")]
    assert {view.about for view in speaking} == goals
    assert len(speaking) == 4
    assert [view.about for view in plotted if view not in speaking] == ["", "", ""]
    assert any(view.words.startswith("Writing scene 1") for view in written)
    for view in (*plotted, *written):
        assert view.sources
        assert view.answer
        assert view.prompt
    [first, *_] = asked(desk.server, "role")
    assert request_of(first) in speaking[0].prompt + speaking[1].prompt + speaking[2].prompt


def test_failed_call_is_among_what_was_told(desk: Desk) -> None:
    story = desk.founded({"goals": 2, "roles": 2})
    desk.server.queue(refuse(401, "no such key"))
    desk.do(story, PlotChapters())

    [view] = desk.workbench.story.prompts(desk.branch(story), 1, "plot")

    assert view.outcome.value == "failed"
    assert "key" in view.problem


def test_what_was_told_of_other_chapters_stands_with_them(desk: Desk) -> None:
    story = desk.plotted(11, {"goals": 1, "roles": 1})
    branch = desk.branch(story)

    per_chapter = [
        len(desk.workbench.story.prompts(branch, chapter, "plot")) for chapter in (1, 10, 11)
    ]

    assert per_chapter == [4, 4, 4]


def test_of_very_many_calls_the_newest_are_shown(desk: Desk, store: Store) -> None:
    story = desk.plotted(1, {"goals": 1, "roles": 1})
    branch = desk.branch(story)
    [some] = [view for view in store.calls.newest(branch) if view.agent == "goals"]
    for number in range(70):
        step = f"1/text/{number}/plan"
        made = some.created + timedelta(seconds=number)
        again = {"id": f"again-{number}", "step": step, "words": str(number), "created": made}
        store.calls.record_call(some.model_copy(update=again))

    shown = desk.workbench.story.prompts(branch, 1, "write")

    assert [view.words for view in shown] == [str(number) for number in range(10, 70)]
    assert len(desk.workbench.story.prompts(branch, 1, "plot")) == 4


def test_branch_tells_what_was_told_of_the_chapters_it_shares(desk: Desk, store: Store) -> None:
    story = desk.plotted(2, {"goals": 1, "roles": 1})
    fork = store.library.fork(desk.branch(story), 1, "What if").id

    assert len(desk.workbench.story.prompts(fork, 1, "plot")) == 4
    assert desk.workbench.story.prompts(fork, 2, "plot") == []
