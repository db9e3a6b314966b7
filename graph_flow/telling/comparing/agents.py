"""The agent that says what a text that was changed by hand says of its story."""

from __future__ import annotations

from graph_flow.prompting.agent import NO_CALLS, Agent, line_labels, line_names
from graph_flow.telling.comparing.answers import part_schema

CHANGED_FACTS = Agent(
    name="changed_facts",
    stage="telling",
    label="What a changed text says",
    calls=lambda _: NO_CALLS,
    answer=lambda example: part_schema(
        line_labels(example.given["passages"]), line_names(example.given["people"])
    ),
    labels={
        "events": "What happens",
        "is_plot": "The task",
        "passages": "What you have changed",
        "scenes": "Places",
    },
)
