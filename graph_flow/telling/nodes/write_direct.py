"""The direct way: a chapter is written from the premise and the text before it, and committed."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.direct import (
    DIRECT,
    length_of,
    place_of,
    read_before,
    titled,
    without_story_title,
)
from store.models.delta import Delta
from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.manuscript import WritingPlan


def write_direct(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Write the next chapter, or the one asked for again, and keep its text.

    The chapter of the story that goes with it has a title and no changes.
    """
    context = runtime.context
    chapter = state["chapter"] if state["task"] == "write" else _next(context)
    kept = f"direct-{context.run}-{chapter}"
    is_kept = any(plan.id == kept for plan in context.store.manuscript.plans(context.branch))
    if not is_kept and (state["task"] == "write" or chapter <= state["last_chapter"]):
        _write(context, chapter, state.get("form", context.brief.form), kept)
        context.store.old_prompts.thin(context.branch)
    return {"chapter": chapter, "is_reached": False}


def _next(context: StoryContext) -> int:
    head = context.store.prototype.head(context.branch)
    return head.chapter + 1 if head else 1


def _write(context: StoryContext, chapter: int, form: str, kept: str) -> None:
    manuscript = context.store.manuscript
    context.progress.open_chapter(chapter)
    context.progress.begin_step(f"Writing chapter {chapter}", 1)
    plan = WritingPlan(
        id=kept,
        branch=context.branch,
        chapter=chapter,
        attempt=manuscript.next_attempt(context.branch, chapter),
        form=Form(form),
        words=length_of(context, chapter).words,
    )
    _keep(context, plan, context.write_text(_job(context, plan)))


def _keep(context: StoryContext, plan: WritingPlan, answer: str) -> None:
    """Save a chapter's text and, if the story has no title yet, the one that came with it."""
    manuscript, library, chapter = context.store.manuscript, context.store.library, plan.chapter
    name = ""
    if _asks_title(context, chapter):
        name, answer = without_story_title(answer)
    title, text = titled(answer, chapter)
    # All of it or none: a chapter without its text would be taken for one that was plotted.
    with context.store.database.write():
        if name and not library.story_of(context.branch).title:
            library.rename(context.story.id, name)
        if chapter == _next(context):
            context.store.prototype.commit(
                context.branch,
                Delta(),
                chapter=chapter,
                kind="chapter",
                title=title,
                origin=plan.id,
            )
        draft = manuscript.start_draft(manuscript.save_plan(plan), title)
        manuscript.update_draft_text(draft.id, text)
        manuscript.finish_draft(draft.id)


def _asks_title(context: StoryContext, chapter: int) -> bool:
    """Whether the story still has no title, with which its first chapter comes."""
    return chapter == 1 and not context.story.title


def _job(context: StoryContext, plan: WritingPlan) -> Job:
    length, settings = length_of(context, plan.chapter), context.settings
    is_able = context.strength(DIRECT) is ModelStrength.ABLE
    chapters = "no planned end" if settings.planned is None else f"{settings.planned} chapters"
    return Job(
        agent=DIRECT,
        step=f"{plan.chapter}/direct/{plan.attempt}",
        words=f"Writing chapter {plan.chapter}",
        variables={
            "premise": context.brief.premise,
            "wishes": context.brief.wishes,
            "form": plan.form.spec.described,
            "length": f"{chapters}, of about {length.words} words each",
            "asks_title": _asks_title(context, plan.chapter),
            "before": read_before(context, plan.chapter),
            "chapter": place_of(plan.chapter, settings),
            "words": length.words,
        },
        tokens=length.tokens,
        # An able model ends the chapter where it means to, and so goes on until it has.
        enough=None if is_able else length.words,
    )
