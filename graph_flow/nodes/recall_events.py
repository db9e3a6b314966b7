"""Stage 3: which past events matter to the people of this chapter, and why? (Recall agent)"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.answers.telling import recall_schema
from graph_flow.context import Job, StoryContext
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.memory import event_line, within
from graph_flow.state import StoryState
from graph_flow.telling import people_in
from store.models.plot import Event, Participation
from store.models.prototype import Snapshot
from store.models.telling import Recollection

_EVENTS_OFFERED = 8


def recall_events(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save what to recall; nothing where there is no past, or the agent finds nothing."""
    context, chapter = runtime.context, state["chapter"]
    snapshot = context.snapshot(chapter)
    now = snapshot.events_of(chapter)
    offered = _offered(snapshot, chapter, {person.id for person in people_in(snapshot, now)})
    recall: tuple[Recollection, ...] = ()
    if offered:
        labels = {f"E{at}": event for at, event in enumerate(offered, start=1)}
        job = Job(
            agent="recall",
            step=f"{chapter}/text/{state['round']}/recall",
            words="Remembering what came before",
            variables={
                "language": context.language,
                "now": [event.summary for event in now],
                "past": within(
                    (f"{label}. {event_line(snapshot, event)}" for label, event in labels.items()),
                    context.memory_budget(0.3),
                ),
            },
            turn=chapter,
        )
        try:
            answer = context.ask(job, recall_schema(list(labels)))
            recall = tuple(
                Recollection(event=labels[item.event].id, why=item.why) for item in answer.recall
            )
        except UnusableAnswer:
            recall = ()
    context.store.manuscript.save_recall(context.branch, chapter, state["round"], recall)
    return {}


def _offered(snapshot: Snapshot, chapter: int, people: set[str]) -> list[Event]:
    """Return past events by how many of the people were in them, the later first, then in order."""
    shared: dict[str, int] = {}
    for part in snapshot.of(Participation):
        shared[part.event] = shared.get(part.event, 0) + (part.character in people)
    past = [event for event in snapshot.events if snapshot.told_in(event.id) < chapter]
    ranked = sorted(
        past, key=lambda event: (shared.get(event.id, 0), snapshot.told_in(event.id)), reverse=True
    )
    chosen = {event.id for event in ranked[:_EVENTS_OFFERED]}
    return [event for event in past if event.id in chosen]
