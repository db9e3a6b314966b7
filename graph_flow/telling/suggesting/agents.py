"""The agents that make suggestions for a text; no task makes calls to them."""

from __future__ import annotations

from functools import partial

from graph_flow.prompting.agent import NO_CALLS, Agent
from graph_flow.telling.suggesting.answers import PART_SCHEMA

_BEFORE, _AFTER = "The text so far", "The text after it"
_SCENE = "The plan of the scene"
_ENDING = "How the story ends"
_STYLE = "The style that you asked for"

_agent = partial(
    Agent,
    stage="telling/suggesting",
    calls=lambda _: NO_CALLS,
)
_COMMON = {
    "absent": "The people",
    "after": _AFTER,
    "before": _BEFORE,
    "last": "The suggestion before",
    "scenes": _SCENE,
    "wish": "What you asked for",
    "withheld": "The plan of the chapter",
}
_AHEAD = {"ending": _ENDING, "is_last": "The place in the story"}

PASSAGE = _agent(
    name="passage",
    label="Rewriting of a passage",
    labels={
        **_COMMON,
        "kind": "The task",
        "passage": "The passage",
        "sample": _STYLE,
        "words": "The task",
    },
)
GO_ON = _agent(
    name="go_on",
    label="Going on from the cursor",
    labels={**_COMMON, **_AHEAD, "sample": _STYLE, "words": "The task"},
)
NEXT_STEPS = _agent(
    name="next_steps",
    label="What could happen next",
    answer=lambda _: PART_SCHEMA,
    labels={**_COMMON, **_AHEAD},
)

AGENTS = (PASSAGE, GO_ON, NEXT_STEPS)
