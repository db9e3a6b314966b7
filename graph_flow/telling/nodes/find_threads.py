"""Stage 3: which open threads and later events should this chapter prepare? (Thread agent)"""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import BudgetedLines
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import THREAD
from graph_flow.telling.answers import threads_schema
from store.database.word_index import terms_of
from store.models.manuscript import ThreadCue
from store.models.plot import Thread
from store.models.prototype import Snapshot
from store.prototype.excerpts import OPEN_THREADS

_THREADS_OFFERED = 6
_LATER_EVENTS = 4


def find_threads(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save which threads to touch; none if none is open."""
    context, chapter = runtime.context, state["chapter"]
    excerpts = context.store.excerpts
    snapshot = excerpts.of_chapter(context.branch, chapter)
    now = [event.summary for event in snapshot.events_of(chapter)]
    offered, left_out = _open_threads(
        excerpts.of_threads(context.branch, chapter, " ".join(now)), " ".join(now)
    )
    cues: tuple[ThreadCue, ...] = ()
    if offered:
        labels = {f"T{at}": thread for at, thread in enumerate(offered, start=1)}
        job = Job(
            agent=THREAD,
            step=f"{chapter}/text/{state['round']}/threads",
            words="Looking at what readers are waiting for",
            variables={
                "long_term_goal": snapshot.foundation.long_term_goal,
                "now": now,
                "threads": BudgetedLines(
                    (f"{label}. {thread.title}" for label, thread in labels.items()), left_out
                ),
                "later": _later(excerpts.after(context.branch, chapter, _LATER_EVENTS), chapter),
            },
            turn=chapter,
        )
        answer = context.ask_if_usable(job, threads_schema(list(labels)))
        cues = tuple(
            ThreadCue(thread=labels[cue.thread].id, move=cue.move, how=cue.how)
            for cue in (answer.threads if answer else ())
        )
    context.store.manuscript.save_cues(context.branch, chapter, state["round"], cues)
    return {}


def _open_threads(snapshot: Snapshot, now: str) -> tuple[list[Thread], int]:
    """Return the open threads to offer, the most relevant last, and how many are left out."""
    said = set(terms_of(now))
    threads = [thread for thread in snapshot.threads if thread.state in OPEN_THREADS]
    threads.sort(key=lambda thread: len(said & set(terms_of(thread.title))))
    return threads[-_THREADS_OFFERED:], max(0, len(threads) - _THREADS_OFFERED)


def _later(head: Snapshot, chapter: int) -> list[str]:
    return [event.summary for event in head.events if head.first_chapter_of(event.id) > chapter]
