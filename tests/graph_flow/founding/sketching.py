"""Writers who sketch the stories that a premise could become, and readers who prefer some of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from store.models.proposals import Configuration
from store.models.run import Initialize
from store.models.story import Story
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.founding.able import FOUNDATION, able_answers
from tests.graph_flow.scripting import agent_of, request_of

PREMISE = "A retired inspector is asked to sign off one last bridge, which his daughter built."
PLACES = ("first", "second", "third", "fourth", "fifth")
IDEAS = ("Amos signs.", "Ruth forges it.", "Opal burns it.", "The clerk swims.", "Nobody comes.")
SHORT: dict[str, Any] = {"chapter_cap": 2, "words": 200}
SAID: dict[str, dict[str, str]] = {
    "first": {"idea": IDEAS[0], "remark": "It is dry, and has no river."},
    "second": {"idea": IDEAS[1], "remark": "I smelled the river."},
    "fourth": {"idea": IDEAS[3]},
    "fifth": {"remark": "Too long."},
}
POINTS = (
    "relevance",
    "coherence",
    "engagement",
    "creativity",
    "character",
    "dialogue",
    "completeness",
    "prose",
)


def told(place: str, words: int = 400) -> str:
    """Return the sketch of one of the writers."""
    return f"# The {place}\n\n## 1. Before\n\nThe {place} begins " + "and then " * (words // 2)


def place_of(sent: Sent) -> str:
    """Return which writer is asked."""
    return next(
        one
        for at, one in enumerate(PLACES, start=1)
        if f"story {at} of {len(PLACES)}" in request_of(sent)
    )


def sketching(sent: Sent) -> Reply:
    """Tell the story of the writer who is asked."""
    return say(told(place_of(sent)))


def read_in(sent: Sent) -> list[str]:
    """Return the two stories that a reader has, in order."""
    found = {sent.prompt.find(f"The {one} begins"): one for one in PLACES}
    return [found[at] for at in sorted(found) if at >= 0]


def marks(first: Any, second: Any) -> dict[str, Any]:
    """Return the same marks on all points."""
    return {point: [first, second] for point in POINTS}


def preferring(*places: str, said: Any = None) -> Callable[[Sent], Reply]:
    """Return a reader who likes some sketches best, in this order, and the others less."""

    def read(sent: Sent) -> Reply:
        first, second = (9 - places.index(one) / 4 if one in places else 6 for one in read_in(sent))
        return say_json({"marks": marks(first, f"{second} of 10"), **(said or {})})

    return read


def retelling(sent: Sent) -> Reply:
    """Prefer the fourth, and say of the first of two what there is to say."""
    return preferring("fourth", said=SAID.get(read_in(sent)[0], {}))(sent)


def answering(**others: Any) -> Any:
    """Return what the model says; `others` are functions of the request, by agent."""
    usual = able_answers(foundation=FOUNDATION)
    said = {"sketch": sketching, "sketch_reader": retelling, **others}
    return lambda sent: said.get(agent_of(sent), usual)(sent)


def begun(desk: Desk, *, settings: dict[str, Any] = SHORT, **others: Any) -> Story:
    """Have a story drafted, up to the writer's approval."""
    desk.server.answer = answering(**others)
    story = desk.story(premise=PREMISE, settings=settings)
    desk.do(story, Initialize())
    return story


def configuration(desk: Desk, story: Story) -> Configuration:
    found = desk.workbench.proposals.configuration(desk.branch(story))
    assert found is not None
    return found


def text_of(place: str) -> str:
    return told(place).strip()
