"""Stage 2, after each chapter: is the long-term goal reached?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import event_line
from graph_flow.founding.following import follows
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.plot.agents import EXIT
from graph_flow.plot.answers import MOST_EVIDENCE, WHOLE_EXIT, ExitAnswer, exit_schema
from graph_flow.prompting.length import is_last, is_long, place_words
from graph_flow.prompting.text import cut, shortened
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.endpoint import ModelStrength
from store.models.plot import Event
from store.models.proposals import Verdict
from store.models.prototype import Snapshot
from store.text import without_middle

_EVENTS_READ = 8
_TOKENS_OF_EVENTS, _OF_LONG = 1_600, 560
"""Tokens of what happened, of which an able model is shown more; also in a long story."""
_ENDING = 700
"""Characters of how the end of a long story is meant to come about."""


def check_exit(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save the exit agent's verdict. Without events as evidence, a goal is not reached.

    A small model's yes is checked by asking again with another worked example: it repeats what the
    example says, and a story that ends too soon is worse than one more call. Of a story that goes on
    as its sketch tells it nobody is asked: that has been told to its end.

    It runs alongside the goals of the next chapter, so it reads the story as of its own chapter.
    """
    context, chapter = runtime.context, state["chapter"]
    is_end = is_last(chapter, context.settings)
    if not is_end and follows(context.store, context.branch, chapter):
        return {"is_reached": False}
    context.progress.go_on(f"Closing chapter {chapter}", 1)
    snapshot = context.store.excerpts.newest(context.branch, chapter, _EVENTS_READ)
    labels = {f"E{at}": event for at, event in enumerate(snapshot.events, start=1)}
    job = _job(context, chapter, snapshot, labels)
    try:
        answer = context.ask_whole(job, WHOLE_EXIT) or _asked_twice(context, job, list(labels))
    except UnusableAnswer:
        return {"is_reached": False}
    named = (labels[label].id for label in dict.fromkeys(answer.events) if label in labels)
    evidence = tuple(named)[:MOST_EVIDENCE]
    is_reached = answer.is_reached and bool(evidence)
    context.store.proposals.save_verdict(
        Verdict(
            branch=context.branch,
            chapter=chapter,
            is_reached=is_reached,
            events=evidence,
            reason=answer.reason,
        )
    )
    return {"is_reached": is_reached}


def _job(
    context: StoryContext, chapter: int, snapshot: Snapshot, labels: Mapping[str, Event]
) -> Job:
    round_ = context.store.proposals.next_round(context.branch, chapter) - 1
    step = f"{chapter}/{round_}/exit"
    is_whole = context.strength(EXIT, step) is ModelStrength.ABLE
    in_long = is_whole and is_long(context.settings, chapter)
    told = [
        f"{label}. {event_line(snapshot, event, with_spoken=is_whole)}"
        for label, event in labels.items()
    ]
    if is_whole:
        told = shortened(told, _OF_LONG if in_long else _TOKENS_OF_EVENTS, shorten=without_middle)
    return Job(
        agent=EXIT,
        step=step,
        words="Checking whether the story’s goal is reached",
        variables={
            "long_term_goal": snapshot.foundation.long_term_goal,
            "events": told,
            "ending": cut(snapshot.spine.ending, _ENDING) if in_long else snapshot.spine.ending,
            "place": place_words(chapter, context.settings),
        },
        turn=chapter,
    )


def _asked_twice(context: StoryContext, job: Job, labels: list[str]) -> ExitAnswer:
    """Return a small model's answer; if it says yes, what it says the second time."""
    schema = exit_schema(labels)
    answer = context.ask(job, schema)
    if answer.is_reached and answer.events:
        again = replace(job, step=f"{job.step}/again", turn=job.turn + 1)
        return context.ask(again, schema)
    return answer
