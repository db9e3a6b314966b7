"""A longer story that is begun with an opening: what the model says, and the story."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

from store.models.proposals import Candidate
from store.models.run import Initialize, RunState
from store.models.story import Gate, GateMode, Story
from tests.desk import Desk
from tests.fakes.scripted_server import say, say_json
from tests.graph_flow.founding.able import FOUNDATION, able_answers
from tests.graph_flow.founding.sketching import PREMISE, marks
from tests.graph_flow.scripting import agent_of
from tests.graph_flow.telling.bridge import PLAN

LONG: dict[str, Any] = {
    "chapter_cap": 24,
    "words": 700,
    "is_sketched": True,
    "gates": {gate: GateMode.GO_ON for gate in Gate},
}
ROAD = "Amos climbs, counts and signs; Ruth builds her own."
CHAPTERS = {
    1: ("Out", "Amos Vale climbed the span before it was light. " + "He counted the bolts. " * 170),
    2: ("The log", "Ruth Vale laid the log open on the rail. " + "Nobody spoke of it. " * 170),
    3: ("Back", "Opal Dray put out her lamp. " + "The river was up. " * 170),
}
TOLD = "\n\n".join(f"## {at}. {title}\n\n{text.strip()}" for at, (title, text) in CHAPTERS.items())
OPENING = f"# The Span\n\n{TOLD}"
SKETCH = f"# The Span\n\n## The book\n\n{ROAD}\n\n{TOLD}\n"
BEATS: dict[str, Any] = {
    "beats": [{"who": "Amos", "title": "Light", "observed": "Amos climbs.", "place": "The span"}]
}
MENDED: dict[str, Any] = {
    "faults": ["Nobody says what became of the page."],
    "past": [{"title": "The page goes", "happened": "Amos burns the page, and Ruth smells it."}],
    "people": [{"person": "Amos Vale", "fear": "Thanks."}],
    "cost": "His good name.",
}
"""What a hard reader of the plan changes in it: it is no less the agents’ own for that."""
EVENTS = [
    {
        "title": letter * 9,
        "who": ["Amos Vale"],
        "action": f"{letter * 30} falls.",
        "line": "A",
    }
    for letter in ascii_lowercase[:24]
]
PARTS = [
    {"event": f"E{at}", "happens": f"{ascii_lowercase[at - 1] * 40} falls.", "chapter": at}
    for at in range(1, 25)
]


def answering(**others: Any) -> Any:
    said: dict[str, Any] = {
        "sketch": lambda _: say(SKETCH),
        "sketch_reader": lambda _: say_json({"marks": marks(7, 6)}),
        "founding_review": lambda _: say_json(MENDED),
        "plot": lambda _: say_json(BEATS),
        "plan": lambda _: say_json({**PLAN, "scenes": PLAN["scenes"][:1]}),
        "outline": lambda _: say_json({"lines": [{"name": "A"}], "events": EVENTS}),
        "planner": lambda _: say_json({"parts": PARTS}),
        "reviewer": lambda _: say_json({"weak": [], "goal_reached_in": "E24", "holds": True}),
        "review": lambda _: say_json(
            {
                "told": ["F1"],
                "echoes": ["a lamp"],
                "remarks": [{"kind": "flat", "quote": "the bolts", "remark": "Dull."}],
            }
        ),
        **others,
    }
    usual = able_answers(foundation=FOUNDATION)
    return lambda sent: said.get(agent_of(sent), usual)(sent)


def founded(desk: Desk, settings: dict[str, Any] = LONG, **others: Any) -> Story:
    """Found a longer story on the opening that readers prefer."""
    desk.server.answer = answering(**others)
    story = desk.story(premise=PREMISE, settings=settings)
    assert desk.do(story, Initialize(is_autopilot=True)).state is RunState.DONE
    return story


def candidates(desk: Desk, story: Story, chapter: int) -> list[Candidate]:
    return [view.candidate for view in desk.workbench.plot.candidates(desk.branch(story), chapter)]
