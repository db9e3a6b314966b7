"""The agent that says what a text that was changed by hand says of its story."""

from __future__ import annotations

from graph_flow.prompting.agent import NO_CALLS, Agent, Calls, Work, line_labels, line_names
from graph_flow.telling.comparing.answers import part_schema
from store.models.run import ReadBook


def _once_a_chapter(work: Work) -> Calls:
    """Expect a call for each chapter of a book; a long one takes several."""
    chapters = len(work.task.chapters) if isinstance(work.task, ReadBook) else 0
    return Calls(chapters, chapters) if chapters else NO_CALLS


CHANGED_FACTS = Agent(
    name="changed_facts",
    stage="telling",
    label="What a changed text says",
    calls=_once_a_chapter,
    answer=lambda example: part_schema(
        line_labels(example.given["passages"]), line_names(example.given["people"])
    ),
    labels={
        "earlier": "What happened before",
        "events": "What happens",
        "is_plot": "The task",
        "passages": "What you have changed",
        "scenes": "Places",
    },
)
