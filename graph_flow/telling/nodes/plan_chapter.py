"""Stage 3: one typed, stored, editable plan of how a chapter is told."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import PLAN
from graph_flow.telling.answers import PlanAnswer, plan_schema
from graph_flow.telling.scenes import people_in, planned_scenes, scene_groups
from store.models.base import new_id
from store.models.form import Form
from store.models.telling import Structure, WritingPlan


def plan_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save a writing plan. Without a usable answer, the events are told in order."""
    context, chapter = runtime.context, state["chapter"]
    snapshot = context.store.excerpts.of_chapter(context.branch, chapter)
    groups = scene_groups(snapshot, chapter)
    people = people_in(snapshot, snapshot.events_of(chapter))
    notes = context.store.manuscript.notes(context.branch, chapter, state["round"])
    title = context.store.prototype.title_of(context.branch, chapter)
    job = Job(
        agent=PLAN,
        step=f"{chapter}/text/{state['round']}/plan",
        words=f"Planning how to tell chapter {chapter}",
        variables={
            "form": state["form"],
            "title": title,
            "people": [person.name for person in people],
            "scenes": [group.line for group in groups],
            "recall": [item.why for item in notes.recall],
            "threads": [cue.how for cue in notes.threads],
            "note": context.note(state),
        },
        turn=chapter,
    )
    labels = [group.label for group in groups]
    schema = plan_schema(labels, [person.name for person in people])
    answer = context.ask_if_usable(job, schema) or PlanAnswer.model_construct(
        structure=Structure.LINEAR, scenes=[], reveal=""
    )
    plan = WritingPlan(
        id=new_id(),
        branch=context.branch,
        chapter=chapter,
        attempt=state["round"],
        form=Form(state["form"]),
        goal=title,
        structure=answer.structure,
        scenes=planned_scenes(answer, groups, snapshot),
        recall=notes.recall,
        threads=notes.threads,
        reveal=answer.reveal,
        words=context.settings.words_per_scene * len(groups),
    )
    context.store.manuscript.save_plan(plan)
    return {}
