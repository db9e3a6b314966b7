"""A short story that an able model can hold is planned and written in one piece."""

from __future__ import annotations

from typing import Any

import pytest

from store.models.run import RunState, WriteChapter
from store.models.story import Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import say, say_json
from tests.graph_flow.scripting import agent_of
from tests.graph_flow.telling.bridge import PLAN, plotted, telling

TEXTS = (
    "Amos stopped at the pin.\n\n***\n\nHe put his thumb to it.",
    "Ruth laid the log open. There was a stub.",
    "He read the page aloud, and nobody looked up.",
)
STORY_PLAN: dict[str, Any] = {
    "chapters": [{**PLAN, "scenes": PLAN["scenes"][:1]} for _ in range(3)]
}
SILENT = say_json({"told": [], "echoes": [], "remarks": []})


def whole(*, text: str | None = None, **others: Any) -> Any:
    """Return what an able model says of a story that it writes in one piece."""
    headed = "\n\n".join(f"## {at}. A title\n\n{one}" for at, one in enumerate(TEXTS, start=1))
    said = {
        "story_plan": say_json(STORY_PLAN),
        "writer_novel": say(headed if text is None else text),
        "review": SILENT,
    }
    return telling(**{**said, **others})


@pytest.fixture
def story(able: Desk, story_store: Store) -> Story:
    """Return a story of three plotted chapters, none of them written."""
    able.server.answer = whole()
    return plotted(able, story_store, chapters=3)


def write(able: Desk, story: Story, **task: Any) -> None:
    wanted = WriteChapter(chapter=1, then=(2, 3), is_autopilot=True, **task)
    assert able.do(story, wanted).state is RunState.DONE


def texts_of(able: Desk, story: Story) -> list[str]:
    drafts = [able.workbench.manuscript.draft(able.branch(story), at) for at in (1, 2, 3)]
    return [draft.text if draft else "" for draft in drafts]


def test_one_call_plans_all_chapters_and_one_writes_them(able: Desk, story: Story) -> None:
    able.server.history.clear()

    write(able, story)

    agents = [agent_of(one) for one in able.server.history]
    assert agents == ["story_plan", "writer_novel", *["review"] * 3]
    first, second, third = texts_of(able, story)
    assert first.startswith("Amos stopped at the pin.")
    assert second == TEXTS[1]
    assert third == TEXTS[2]


def test_show(able: Desk, story: Story) -> None:
    able.server.history.clear()
    write(able, story)
    for one in able.server.history[:3]:
        print("=" * 30, agent_of(one))
        print(one.prompt)
