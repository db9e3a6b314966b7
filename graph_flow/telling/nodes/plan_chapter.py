"""Stage 3: one typed, stored, editable plan of how a chapter is told."""

from __future__ import annotations

from collections.abc import Sequence, Set

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import PromptBudget, within
from graph_flow.prompting.length import (
    breadth_of,
    form_words,
    is_last,
    is_long,
    is_short,
    length_of,
    may_grow_long,
    place_words,
    scaled,
    words_wanted,
)
from graph_flow.prompting.style import style_for
from graph_flow.prompting.whole import PARAGRAPH
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import PLAN, WRITERS
from graph_flow.telling.answers import PlanAnswer, plan_schema, whole_plan_schema
from graph_flow.telling.discourse.planning import scenes_told, structure_of, with_words
from graph_flow.telling.discourse.standing import Standing, standing
from graph_flow.telling.material.chapter import echoes_of, last_words, past_of
from graph_flow.telling.material.earlier import text_before
from graph_flow.telling.material.facts import Fact, facts_untold
from graph_flow.telling.material.lines import (
    PREMISE,
    WORLD,
    change_lines,
    cut,
    event_lines,
    labelled,
    people_lines,
    spine_lines,
    tie_lines,
)
from graph_flow.telling.material.planned import delta_of, lines_of_facts, without_facts
from graph_flow.telling.planning import Offered, scenes_planned
from graph_flow.telling.scenes import people_in, planned_scenes, scene_groups
from store.database.word_index import terms_of
from store.models.base import new_id
from store.models.cast import Character
from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.manuscript import Structure, WritingPlan
from store.models.plot import Event
from store.models.prototype import Snapshot
from store.models.story import Gate
from store.prototype.excerpts import OPEN_THREADS
from store.texts.tellings import ChapterOfTelling

_EARLIER = PromptBudget(tokens=300, lines=6)
_TEXT_BEFORE = 5_600
"""Tokens of the chapters before one in a short story, which is planned as one thing."""
_THREADS = PromptBudget(tokens=200, lines=6)
_WORDS_PER_SCENE = 900
"""Words that a scene of a long story has, for its people to come in, want something and be changed."""
_BEAT_WORDS, _WORDS_PER_BEAT_WORD = 60, 12
"""The words that say what a scene does, at least, and how many words of its text each of them stands for."""
_WORDS_PER_FACT = 500
"""About how many words of a chapter it takes to tell the reader one more thing."""
_PEOPLE, _LONG_STORY_PEOPLE = 2_400, 1_350
"""Characters in which the people of the chapter are described; also in a long story."""
_EVENTS, _LONG_STORY_EVENTS = 5_000, 3_600
"""Characters of the events of the chapter; also in a long story."""
_EVENT = 170
"""Characters of an earlier event."""
_TAIL_WORDS = 60
_LATER, _LATER_DONE, _LATER_SAID = PromptBudget(tokens=450, lines=8), 140, 80
_SHORT_STORY_LATER, _SHORT_STORY_DONE, _SHORT_STORY_SAID = (
    PromptBudget(tokens=1_800, lines=12),
    300,
    400,
)
"""The events of later chapters that are plotted already, and characters of what is done and said in each;
also in a short story."""


def plan_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save a writing plan. Without a usable answer, the events are told in order.

    A plan that the writer has changed is kept, unless they ask for another plan; and so is one that
    this attempt has already.
    """
    context, chapter = runtime.context, state["chapter"]
    there = context.store.manuscript.plan(context.branch, chapter)
    if there is not None and there.attempt == state["round"]:
        return {}
    at = standing(context, chapter)
    plan = WritingPlan(
        id=new_id(),
        branch=context.branch,
        chapter=chapter,
        attempt=state["round"],
        form=Form(state["form"]),
        goal=at.title,
    )
    if at.told is not None:
        context.store.manuscript.save_plan(_plan_of_telling(context, plan, at, at.told))
        return {}
    snapshot = context.store.excerpts.of_telling(context.branch, chapter)
    planned = (
        _own_plan(state, context, plan, snapshot)
        or _whole_plan(state, context, plan, snapshot)
        or _plain_plan(state, context, plan)
    )
    context.store.manuscript.save_plan(planned)
    return {}


def _plan_of_telling(
    context: StoryContext, plan: WritingPlan, at: Standing, told: ChapterOfTelling
) -> WritingPlan:
    """Return how a chapter of another telling is told, for which no model is asked."""
    scenes = scenes_told(context, told)
    settings = at.settings
    is_able = context.strength(WRITERS[plan.form]) is ModelStrength.ABLE
    of_scenes = settings.words or settings.words_per_scene * len(scenes)
    words = words_wanted(at.number, settings, context.unit) if is_able else of_scenes
    kept = {"structure": structure_of(scenes), "scenes": with_words(scenes, words), "words": words}
    return plan.model_copy(update=kept)


def _own_plan(
    state: StoryState, context: StoryContext, plan: WritingPlan, snapshot: Snapshot
) -> WritingPlan | None:
    """Return the plan that the writer changed, if it still tells what happens in the chapter."""
    before = context.store.manuscript.plan(context.branch, plan.chapter)
    if before is None or not before.is_edited or before.form is not plan.form:
        return None
    is_another_wanted = state.get("asked_by") and state.get("asked_at") == Gate.PLAN.value
    told = {event.id for event in snapshot.events_of(plan.chapter)}
    planned = {event for scene in before.scenes for event in scene.events}
    if is_another_wanted or planned != told:
        return None
    return before.model_copy(update={"id": plan.id, "branch": plan.branch, "attempt": plan.attempt})


def _whole_plan(
    state: StoryState, context: StoryContext, plan: WritingPlan, snapshot: Snapshot
) -> WritingPlan | None:
    """Return the plan of an able model, which sees all that the chapter is made of; None otherwise."""
    if context.strength(PLAN) is ModelStrength.SMALL:
        return None
    events = snapshot.events_of(plan.chapter)
    before = _text_before(context, plan)
    earlier = [] if before["before"] else _earlier(context, plan, snapshot, events)
    offered = Offered(
        events,
        _facts(context, plan.chapter, people_in(snapshot, events), events),
        earlier,
        [thread for thread in snapshot.threads if thread.state in OPEN_THREADS],
    )
    words = _words(context, plan, len(scene_groups(snapshot, plan.chapter)))
    scenes = max(1, round(words / _WORDS_PER_SCENE))
    job = Job(
        agent=PLAN,
        step=f"{plan.chapter}/text/{state['round']}/plan",
        words=f"Planning how to tell chapter {plan.chapter}",
        variables={
            **_about_story(context, plan, snapshot),
            **before,
            **_about_chapter(context, plan, snapshot, offered),
            "words": words,
            "fact_count": max(2, words // _WORDS_PER_FACT),
            "scene_count": scenes,
            "beat_words": max(_BEAT_WORDS, words // scenes // _WORDS_PER_BEAT_WORD),
            "breadth": breadth_of(context.settings),
            "note": context.note(state),
        },
        turn=plan.chapter,
    )
    schema = whole_plan_schema(has_earlier=bool(earlier), has_threads=bool(offered.threads))
    answer = context.ask_whole(job, schema)
    if answer is None:
        return None
    return plan.model_copy(
        update={
            "structure": answer.structure,
            "scenes": scenes_planned(answer, offered, snapshot, words),
            "withheld": offered.in_words(answer.withheld, PARAGRAPH),
            "words": words,
        }
    )


def _about_story(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot
) -> dict[str, str | bool | Sequence[str]]:
    return {
        "form": form_words(plan.form, context.settings),
        "premise": cut(context.brief.premise, PREMISE),
        "themes": snapshot.foundation.themes,
        "tone": snapshot.foundation.tone,
        "background": cut(snapshot.foundation.background, WORLD),
        "spine": spine_lines(
            snapshot,
            plan.chapter,
            is_last=is_last(plan.chapter, context.settings),
            length=length_of(context.settings, plan.chapter),
        ),
        "place": place_words(plan.chapter, context.settings),
        "is_last": is_last(plan.chapter, context.settings),
        "echoes": echoes_of(context, plan.chapter),
        "style": style_for(context.settings, plan.form),
    }


def _earlier(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot, events: Sequence[Event]
) -> Sequence[Event]:
    """Return the events of earlier chapters of which this one may remind its reader."""
    past = past_of(context, plan.chapter, events, snapshot, _EARLIER)
    return [one for one in past.events if past.snapshot.first_chapter_of(one.id) > 0]


def _text_before(context: StoryContext, plan: WritingPlan) -> dict[str, str]:
    """Return what a reader has read: all of a short story, or else how the last chapter ends."""
    if not is_short(context.settings):
        return {"before": "", "lead": last_words(context, plan.chapter, _TAIL_WORDS)}
    most = min(scaled(_TEXT_BEFORE, plan.words), context.window(PLAN) // 5)
    return {"before": text_before(context, plan.chapter, most).text, "lead": ""}


def _about_chapter(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot, offered: Offered
) -> dict[str, str | Sequence[str]]:
    people, in_long = people_in(snapshot, offered.events), is_long(context.settings, plan.chapter)
    return {
        "title": plan.goal,
        "events": event_lines(
            snapshot, offered.events, together=_LONG_STORY_EVENTS if in_long else _EVENTS
        ),
        "changes": change_lines(delta_of(context, plan.chapter), snapshot),
        "people": people_lines(
            without_facts(people), (), _LONG_STORY_PEOPLE if in_long else _PEOPLE
        ),
        "ties": tie_lines(snapshot, {person.id for person in people}),
        "facts": lines_of_facts(offered.facts, length_of(context.settings, plan.chapter)),
        "earlier": labelled("E", (cut(one.summary, _EVENT) for one in offered.earlier), _EARLIER),
        "threads": labelled("T", (thread.title for thread in offered.threads), _THREADS),
        "later": _later(context, plan.chapter),
    }


def _later(context: StoryContext, chapter: int) -> Sequence[str]:
    """Return what later chapters tell, as far as they are plotted: what this one can prepare."""
    budget, done, said = (
        (_SHORT_STORY_LATER, _SHORT_STORY_DONE, _SHORT_STORY_SAID)
        if is_short(context.settings)
        else (_LATER, _LATER_DONE, _LATER_SAID)
    )
    ahead = context.store.excerpts.after(context.branch, chapter, budget.lines)
    lines = [
        f"Chapter {at}: {f'{cut(event.summary, done)} {cut(event.spoken, said)}'.strip()}"
        for event in ahead.events
        if (at := ahead.first_chapter_of(event.id)) > chapter
    ]
    return within(lines, budget)


def _facts(
    context: StoryContext, chapter: int, people: Sequence[Character], events: Sequence[Event]
) -> list[Fact]:
    """Return what the reader does not know yet: what concerns these people, then what happened.

    Of a long story, which has more of it than there is room for, what these events touch comes first.
    """
    touched = frozenset(terms_of(" ".join(f"{one.summary} {one.spoken}" for one in events)))
    in_long = may_grow_long(context.settings)

    def rank(fact: Fact) -> tuple[bool, float]:
        concerned = any(one.name in f"{fact.text} {fact.known}" for one in people)
        if in_long:
            return not concerned, -_share(frozenset(terms_of(fact.text)), touched)
        return not concerned, not fact.key.startswith("event:")

    return sorted(facts_untold(context.store, context.branch, chapter), key=rank)


def _share(words: Set[str], of: Set[str]) -> float:
    """Return how many of some words are among others, from 0 to 1."""
    return len(words & of) / len(words) if words else 0.0


def _words(context: StoryContext, plan: WritingPlan, groups: int) -> int:
    """Return about how many words a chapter is to have, by the strength of its writer."""
    settings = context.settings
    if context.strength(WRITERS[plan.form]) is ModelStrength.ABLE:
        return words_wanted(plan.chapter, settings, context.unit)
    return settings.words or settings.words_per_scene * groups


def _plain_plan(state: StoryState, context: StoryContext, plan: WritingPlan) -> WritingPlan:
    """Return the plan of a small model: an order of the scenes, with a sentence for each."""
    chapter = plan.chapter
    snapshot = context.store.excerpts.of_chapter(context.branch, chapter)
    groups = scene_groups(snapshot, chapter)
    people = people_in(snapshot, snapshot.events_of(chapter))
    notes = context.store.manuscript.notes(context.branch, chapter, state["round"])
    job = Job(
        agent=PLAN,
        step=f"{chapter}/text/{state['round']}/plan",
        words=f"Planning how to tell chapter {chapter}",
        variables={
            "form": state["form"],
            "title": plan.goal,
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
    return plan.model_copy(
        update={
            "structure": answer.structure,
            "scenes": planned_scenes(answer, groups, snapshot),
            "recall": notes.recall,
            "threads": notes.threads,
            "reveal": answer.reveal,
            "words": _words(context, plan, len(groups)),
        }
    )
