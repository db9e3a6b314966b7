"""Stage 3: which open threads and later events should this chapter prepare? (Thread agent)"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.answers.telling import threads_schema
from graph_flow.context import Job, StoryContext
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.state import StoryState
from store.models.plot import Thread, ThreadState
from store.models.prototype import Snapshot
from store.models.telling import ThreadCue

_THREADS_OFFERED = 6
_LATER_EVENTS = 4


def find_threads(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save which threads to touch; nothing where none stands open."""
    context, chapter = runtime.context, state["chapter"]
    snapshot = context.snapshot(chapter)
    offered = _open_threads(snapshot)
    cues: tuple[ThreadCue, ...] = ()
    if offered:
        labels = {f"T{at}": thread for at, thread in enumerate(offered, start=1)}
        job = Job(
            agent="thread",
            step=f"{chapter}/text/{state['round']}/threads",
            words="Looking at what the reader waits for",
            variables={
                "language": context.language,
                "long_term_goal": snapshot.foundation.long_term_goal,
                "now": [event.summary for event in snapshot.events_of(chapter)],
                "threads": [f"{label}. {thread.title}" for label, thread in labels.items()],
                "later": _later(context.snapshot(), chapter),
            },
            turn=chapter,
        )
        try:
            answer = context.ask(job, threads_schema(list(labels)))
            cues = tuple(
                ThreadCue(thread=labels[cue.thread].id, move=cue.move, how=cue.how)
                for cue in answer.threads
            )
        except UnusableAnswer:
            cues = ()
    context.store.manuscript.save_cues(context.branch, chapter, state["round"], cues)
    return {}


def _open_threads(snapshot: Snapshot) -> list[Thread]:
    closed = {ThreadState.PAID_OFF, ThreadState.DROPPED}
    return [thread for thread in snapshot.threads if thread.state not in closed][-_THREADS_OFFERED:]


def _later(head: Snapshot, chapter: int) -> list[str]:
    later = [event.summary for event in head.events if head.told_in(event.id) > chapter]
    return later[:_LATER_EVENTS]
