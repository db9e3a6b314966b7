"""Stage 3: one plan of how a whole short story is told, in which the first chapter serves the last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import PromptBudget
from graph_flow.prompting.length import StoryLength, form_words, words_wanted
from graph_flow.prompting.style import style_for
from graph_flow.prompting.whole import PARAGRAPH
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import STORY_PLAN
from graph_flow.telling.answers import WholePlan, story_plan_schema
from graph_flow.telling.discourse.standing import standing
from graph_flow.telling.material.chapter import began, sketch_in
from graph_flow.telling.material.facts import facts_of
from graph_flow.telling.material.lines import (
    WHOLE_PREMISE,
    change_lines,
    cut,
    event_lines,
    fact_lines,
    labelled,
    people_lines,
    place_lines,
    spine_lines,
    tie_lines,
)
from graph_flow.telling.material.planned import delta_of, without_facts
from graph_flow.telling.planning import Offered, scenes_planned
from graph_flow.telling.scenes import people_in
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import FactKey, WritingPlan
from store.models.plot import Event
from store.models.prototype import Snapshot
from store.prototype.excerpts import joined

_PEOPLE = 4_800
"""Characters in which the people of the story are described."""
_EVENTS, _FACTS, _FACT_LINES = 8_000, 12_000, PromptBudget(tokens=4_000, lines=40)
"""Characters of the events of a chapter and of all facts, of which nothing that matters may be cut."""
_THREADS = PromptBudget(tokens=400, lines=12)
_TOKENS = 2_200
"""Tokens of an answer for each chapter."""
_WORDS_PER_FACT = 500
"""About how many words of a chapter it takes to tell the reader one more thing."""


def plan_story(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save a writing plan for each chapter; none, if the model gives no usable one for all of them."""
    context = runtime.context
    chapters = range(1, state["last_chapter"] + 1)
    context.progress.open_chapter(1)
    context.progress.begin_step("Planning and writing the whole story", 2)
    attempt = max(
        context.store.manuscript.next_attempt(context.branch, chapter) for chapter in chapters
    )
    attempt = max(1, attempt - 1) if state.get("goes_on") else attempt
    update: StoryState = {"chapter": 0, "round": attempt, "goes_on": False, "reviews": 0}
    if all(_is_planned(context, chapter, attempt) for chapter in chapters):
        return update
    plans = _plans(context, Form(state["form"]), chapters, attempt)
    with context.store.database.write():
        for plan in plans:
            context.store.manuscript.save_plan(plan)
    return update


def _is_planned(context: StoryContext, chapter: int, attempt: int) -> bool:
    plan = context.store.manuscript.plan(context.branch, chapter)
    return plan is not None and plan.attempt == attempt


def _plans(
    context: StoryContext, form: Form, chapters: Sequence[int], attempt: int
) -> list[WritingPlan]:
    """Return a plan for each chapter; nothing without a usable answer that has one for each."""
    told = {chapter: began(context, chapter) for chapter in chapters}
    snapshot = reduce(joined, told.values())
    events = {chapter: snapshot.events_of(chapter) for chapter in chapters}
    offered = Offered(
        [event for some in events.values() for event in some],
        facts_of(snapshot),
        threads=snapshot.threads,
    )
    job = Job(
        agent=STORY_PLAN,
        step=f"{chapters[0]}/text/{attempt}/story_plan",
        words="Planning how to tell the whole story",
        variables=_variables(context, form, told, offered),
        tokens=_TOKENS * len(chapters),
    )
    answer = context.ask_whole(job, story_plan_schema(has_threads=bool(offered.threads)))
    if answer is None or len(answer.chapters) != len(chapters):
        return []
    seen = set[FactKey]()
    found = []
    for chapter, given in zip(chapters, answer.chapters, strict=True):
        empty = WritingPlan(
            id=new_id(),
            branch=context.branch,
            chapter=chapter,
            attempt=attempt,
            form=form,
            goal=standing(context, chapter).title,
            words=words_wanted(chapter, context.settings, context.unit),
        )
        own = Offered(offered.events, offered.facts, (), offered.threads, events[chapter])
        found.append(_filled(empty, given, own, (snapshot, seen)))
    return found


def _filled(
    plan: WritingPlan, given: WholePlan, offered: Offered, around: tuple[Snapshot, set[FactKey]]
) -> WritingPlan:
    snapshot, seen = around
    return plan.model_copy(
        update={
            "structure": given.structure,
            "scenes": scenes_planned(given, offered, snapshot, plan.words, seen),
            "withheld": offered.in_words(given.withheld, PARAGRAPH),
        }
    )


def _variables(
    context: StoryContext, form: Form, told: dict[int, Snapshot], offered: Offered
) -> dict[str, str | int | bool | Sequence[str]]:
    snapshot, settings = reduce(joined, told.values()), context.settings
    people = people_in(snapshot, offered.events)
    now = told[max(told)]
    words = sum(words_wanted(chapter, settings, context.unit) for chapter in told)
    return {
        "form": form_words(form, settings),
        "length": f"{len(told)} chapters, about {words} {context.unit} in all",
        "premise": cut(context.brief.premise, WHOLE_PREMISE),
        "wishes": context.brief.wishes,
        "themes": now.foundation.themes,
        "tone": now.foundation.tone,
        "background": now.foundation.background,
        "spine": spine_lines(now, min(told), is_last=True, length=StoryLength.SHORT),
        "chapters": _chapter_blocks(context, snapshot, told),
        "chapter_count": len(told),
        "fact_count": max(2, words // len(told) // _WORDS_PER_FACT),
        "people": people_lines(without_facts(people), (), _PEOPLE),
        "ties": tie_lines(snapshot, {person.id for person in people}),
        "places": place_lines(snapshot, offered.events),
        "facts": labelled("F", fact_lines(offered.facts, _FACTS), _FACT_LINES),
        "threads": labelled("T", (thread.title for thread in offered.threads), _THREADS),
        "style": style_for(settings, form),
        "sketch": sketch_in(context, form),
    }


def _chapter_blocks(
    context: StoryContext, snapshot: Snapshot, told: dict[int, Snapshot]
) -> list[str]:
    """Return what happens in each chapter and what changes in it, the events numbered throughout."""
    blocks, first = list[str](), 1
    for chapter in told:
        events: Sequence[Event] = snapshot.events_of(chapter)
        words = words_wanted(chapter, context.settings, context.unit)
        title = standing(context, chapter).title
        lines = [f"Chapter {chapter}: {title} (about {words} {context.unit})"]
        lines += event_lines(snapshot, events, first, _EVENTS)
        changes = change_lines(delta_of(context, chapter), snapshot)
        if changes:
            lines += ["What changes in it:", *(f"- {line}" for line in changes)]
        blocks.append("\n".join(lines))
        first += len(events)
    return blocks
