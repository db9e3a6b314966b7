"""A story of two chapters, the first with a text that an agent wrote, and an able model that compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from graph_flow.workbench.beside.comparing import ComparingService
from graph_flow.workbench.workbench import Workbench
from store.models.edits.comparison import TextComparison
from store.models.endpoint import Endpoint, ModelSettings
from store.models.form import Form
from store.models.manuscript import Draft, WritingPlan
from store.models.plot import Event, EventLink, LinkKind, Part, Participation
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say_json
from tests.graph_flow.scripting import request_of, saying
from tests.store.builders import CHAPTER_ONE, adding, begin, go_on

SECONDS = 60
STAIRS = "Mara climbed the stairs and found the door locked."
DARK = "The lamp went out above her."
WAIT = "She waited."
TEXT = "\n\n".join([STAIRS, DARK, WAIT])

FOUND = Event(id="found", title="The find", summary="Mara finds the letters.")
MARA_FOUND = Participation(id="mara-found", character="mara", event="found", part=Part.ACTS)
LEADS_ON = EventLink(id="leads-on", source="after", target="found", link=LinkKind.CAUSES)

Facts = dict[str, Any]


def write(store: Store, branch: str, chapter: int, text: str, events: Iterable[str] = ()) -> Draft:
    """Keep a text of a chapter as an agent writes it; each paragraph tells the event at its place."""
    plan = WritingPlan(
        id=f"plan-{branch}-{chapter}", branch=branch, chapter=chapter, attempt=1, form=Form.NOVEL
    )
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), f"Chapter {chapter}")
    store.manuscript.update_draft_text(draft.id, text)
    return store.manuscript.finish_draft(draft.id, events=[(one,) for one in events])


@pytest.fixture
def branch(desk: Desk, store: Store) -> str:
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    branch = desk.branch(desk.story())
    begin(store, branch)
    go_on(store, branch, adding(*CHAPTER_ONE), "The door")
    go_on(store, branch, adding(FOUND, MARA_FOUND, LEADS_ON), "The find")
    write(store, branch, 1, TEXT, ["locked", "after", "after"])
    write(store, branch, 2, "Mara found the letters.", ["found"])
    return branch


@pytest.fixture
def comparing(desk: Desk) -> ComparingService:
    return desk.workbench.comparing


def label_of(sent: Sent, text: str) -> str:
    """Return the label of the line of a prompt in which a text stands."""
    line = next(one for one in request_of(sent).splitlines() if text in one)
    return line.removeprefix("- ").partition(".")[0]


def answering(facts: Facts | Callable[[Sent], Facts]) -> Callable[[Sent], Reply]:
    """Return a script of what the agent says of a text."""
    return lambda sent: say_json(facts(sent) if callable(facts) else facts)


def compared(
    desk: Desk,
    branch: str,
    facts: Facts | Callable[[Sent], Facts],
    text: str | None = None,
    chapter: int = 1,
) -> TextComparison:
    """Change the text of a chapter by hand, compare it, and return what was found."""
    if text is not None:
        desk.workbench.manuscript.save_text(branch, chapter, text)
    desk.server.answer = saying(changed_facts=answering(facts))
    desk.workbench.comparing.compare(branch, chapter)
    return ended(desk.workbench, branch, chapter)


def ended(workbench: Workbench, branch: str, chapter: int = 1) -> TextComparison:
    """Wait for a comparison, and return it as it is kept."""
    assert workbench.comparing.wait(branch, chapter, SECONDS)
    found = workbench.comparing.current(branch, chapter)
    assert found is not None
    return found
