"""Stage 3: which past events matter to the people of this chapter, and why? (Recall agent)"""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import BudgetedLines, Retrieved, retrieve
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import RECALL
from graph_flow.telling.answers import recall_schema
from graph_flow.telling.scenes import people_in
from store.models.manuscript import Recollection
from store.models.plot import Event
from store.prototype.excerpts import Query

_EVENTS_OFFERED = 8


def recall_events(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save what to recall; nothing if there is no past, or the agent finds nothing."""
    context, chapter = runtime.context, state["chapter"]
    told = context.store.excerpts.of_chapter(context.branch, chapter)
    now = told.events_of(chapter)
    past = _past(context, chapter, now, [person.id for person in people_in(told, now)])
    recall: tuple[Recollection, ...] = ()
    if past.events:
        labels = {f"E{at}": event for at, event in enumerate(past.events, start=1)}
        job = Job(
            agent=RECALL,
            step=f"{chapter}/text/{state['round']}/recall",
            words="Remembering what came before",
            variables={
                "now": [event.summary for event in now],
                "past": BudgetedLines(
                    (f"{label}. {line}" for label, line in zip(labels, past.lines, strict=True)),
                    past.lines.left_out,
                ),
            },
            turn=chapter,
        )
        answer = context.ask_if_usable(job, recall_schema(list(labels)))
        recall = tuple(
            Recollection(event=labels[item.event].id, why=item.why)
            for item in (answer.recall if answer else ())
        )
    context.store.manuscript.save_recall(context.branch, chapter, state["round"], recall)
    return {}


def _past(
    context: StoryContext, chapter: int, now: Sequence[Event], people: Sequence[str]
) -> Retrieved:
    """Return the events before a chapter that may matter to what happens in it."""
    query = Query(
        text=" ".join(event.summary for event in now),
        people=tuple(people),
        events=tuple(event.id for event in now),
    )
    budget = context.memory_budget(RECALL, 0.3, _EVENTS_OFFERED)
    return retrieve(context.store, context.branch, chapter - 1, query, budget)
