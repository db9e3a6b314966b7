"""What the agents of a chapter's text need of its story, read from the store."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.cognition.continuity.check import ContinuityChecker
from graph_flow.cognition.continuity.finding import Finding, Rule, Severity
from graph_flow.cognition.memory import PromptBudget, Retrieved, retrieve
from graph_flow.founding.following import sketch_of
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.length import (
    Breadth,
    StoryLength,
    breadth_of,
    is_last,
    is_long,
    length_of,
    place_words,
    scaled,
)
from graph_flow.prompting.sample import sample_read
from graph_flow.prompting.style import style_for
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.agents import WRITERS
from graph_flow.telling.discourse.standing import Standing, shown_before, standing
from graph_flow.telling.material.earlier import draft_before, drafts_before, text_before
from graph_flow.telling.material.lines import (
    PREMISE,
    WHOLE_PREMISE,
    WORLD,
    absent_lines,
    cut,
    people_lines,
    people_told,
    then_lines,
    tie_lines,
    told_lines,
    without_told,
)
from graph_flow.telling.scenes import people_in, tail
from store.models.cast import Character
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.plot import Event
from store.models.prototype import Snapshot
from store.prototype.excerpts import Query, joined

LONG_TAIL_WORDS = 450
"""Words of the scene before, for an able model, which goes on in the tone of what it reads."""
_TEXT_BEFORE = {
    StoryLength.SHORT: 5_600,
    StoryLength.MIDDLE: 4_300,
    StoryLength.LONG: 1_600,
}
"""Tokens of the chapters before one that its writer reads: about 2,900 words, 2,200 and 820."""
_HISTORY, _LONG_HISTORY = PromptBudget(tokens=420, lines=9), PromptBudget(tokens=290, lines=9)
_PEOPLE, _LONG_STORY_PEOPLE = 4_200, 1_900
"""Characters in which the people of a chapter are described to its writer; also in a long story."""
_FINDINGS, _FINDING = 6, 240
_WHOLE_WORLD = 2_400
"""Characters of the world for the writer of a whole story."""
_SHARE_OF_SKETCH = 0.3
"""How much of a model's window a sketch may fill beside the plan of the whole story."""
_ECHOES, _LONG_STORY_ECHOES, _CHAPTERS_ECHOED = 8, 5, 6
_BEHIND, _LONG_STORY_BEHIND = 900, 500
_ENDING, _LONG_STORY_ENDING, _WHOLE_ENDING = 900, 260, 2_400
"""Characters of what lies behind the story and of how it ends, also of a long one; and of that in the last
chapter."""


def past_of(
    context: StoryContext,
    chapter: int | None,
    events: Sequence[Event],
    snapshot: Snapshot,
    budget: PromptBudget,
) -> Retrieved:
    """Return the events before a chapter (None: in all of the story) that may matter to some events."""
    query = Query(
        text=" ".join(event.summary for event in events),
        people=tuple(person.id for person in people_in(snapshot, events)),
        events=tuple(event.id for event in events),
    )
    return retrieve(
        context.store, context.branch, None if chapter is None else chapter - 1, query, budget
    )


def told_from(context: StoryContext, plan: WritingPlan) -> Snapshot:
    """Return what a chapter is told from, with the earlier events and the threads of its plan."""
    excerpts = context.store.excerpts
    told = _told_snapshot(context, plan)
    events = {item.event for scene in plan.scenes for item in scene.recall}
    threads = {cue.thread for scene in plan.scenes for cue in scene.threads}
    as_of = standing(context, plan.chapter).as_of
    touched = excerpts.of_ids(context.branch, as_of, {"event": events, "thread": threads})
    return joined(told, touched)


def _told_snapshot(context: StoryContext, plan: WritingPlan) -> Snapshot:
    """Return what a chapter tells, and the people in it as they are at the time in which it mostly is."""
    at = standing(context, plan.chapter)
    told = began(context, at.as_of)
    for chapter in {one.story_chapter for one in plan.scenes if one.story_chapter is not None}:
        if chapter != at.as_of:
            told = joined(told, context.store.excerpts.of_chapter(context.branch, chapter))
    return told


def began(context: StoryContext, chapter: int) -> Snapshot:
    """Return what happens in a chapter of the story, and the people in it as they are when it begins."""
    excerpts = context.store.excerpts
    if chapter == 0:
        return excerpts.of_chapter(context.branch, 0)
    return excerpts.of_telling(context.branch, chapter)


def of_scenes(context: StoryContext, plan: WritingPlan) -> list[Snapshot]:
    """Return what each scene of a plan is told from: the story as it is at the time of the scene."""
    as_of = standing(context, plan.chapter).as_of
    chapters = [as_of if one.story_chapter is None else one.story_chapter for one in plan.scenes]
    read = {
        chapter: context.store.excerpts.of_chapter(context.branch, chapter)
        for chapter in set(chapters)
    }
    return [read[chapter] for chapter in chapters]


def whole_chapter(context: StoryContext, plan: WritingPlan) -> Snapshot:
    """Return all that a chapter tells, whatever the times of its scenes."""
    first, *others = of_scenes(context, plan) or [Snapshot()]
    for one in others:
        first = joined(first, one)
    return first


def at_their_time(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot
) -> dict[int, list[str]]:
    """Return what is otherwise at the time of a scene than where the chapter mostly is, by its position.

    That is how the people in it are, and what lies between them.
    """
    as_of = standing(context, plan.chapter).as_of
    found: dict[int, list[str]] = {}
    for position, scene in enumerate(plan.scenes):
        if scene.story_chapter not in {None, as_of}:
            then = began(context, scene.story_chapter or 0)
            found[position] = list(then_lines(then, snapshot, scene))
    return found


def story_so_far(
    context: StoryContext,
    plan: WritingPlan,
    snapshot: Snapshot,
    since: int | None = None,
    budget: PromptBudget | None = None,
) -> Sequence[str]:
    """Return what chapters before `since` told that matters to this one, a line for each event."""
    budget = budget or (_LONG_HISTORY if is_long(context.settings, plan.chapter) else _HISTORY)
    at = standing(context, plan.chapter)
    planned = dict.fromkeys(event for scene in plan.scenes for event in scene.events)
    events = [snapshot.get(Event, one) for one in planned if one in snapshot.entities]
    if at.told is not None:
        shown = shown_before(at.told)
        past = past_of(context, None, events, snapshot, budget)
        return told_lines(past, lambda event, _: event in shown)
    past = past_of(context, plan.chapter, snapshot.events_of(plan.chapter), snapshot, budget)
    until = since or plan.chapter
    return told_lines(past, lambda _, chapter: chapter < until)


def last_words(context: StoryContext, chapter: int, words: int) -> str:
    """Return the last words of the chapter before; nothing if it is not written."""
    before = draft_before(context, chapter)
    return tail(before.text, words) if before else ""


def echoes_of(context: StoryContext, chapter: int) -> list[str]:
    """Return the small things of the chapters before to which a chapter can return, the last first."""
    drafts = drafts_before(context, chapter, _CHAPTERS_ECHOED)
    most = _LONG_STORY_ECHOES if is_long(context.settings, chapter) else _ECHOES
    return [echo for draft in reversed(drafts) for echo in draft.echoes][:most]


def writer_s_material(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot
) -> dict[str, str | bool | Sequence[str]]:
    """Return what the writer of a chapter is told besides its scenes."""
    settings = context.settings
    wanted = _TEXT_BEFORE[length_of(settings, plan.chapter)]
    most = min(scaled(wanted, plan.words), context.window(WRITERS[plan.form]) // 5)
    before = text_before(context, plan.chapter, most)
    return {
        **briefing(context, plan, snapshot, people_told(plan, snapshot)),
        "history": story_so_far(context, plan, snapshot, before.since),
        "before": before.text,
        "lead": "",
        "echoes": echoes_of(context, plan.chapter),
        "sketch": "",
    }


def story_s_material(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot
) -> dict[str, str | bool | Sequence[str]]:
    """Return what the writer of a whole story is told besides its scenes: nothing stands before them.

    `plan` is that of all chapters, and `snapshot` what it is told from.
    """
    head = context.store.prototype.head(context.branch)
    now = context.store.excerpts.of_telling(context.branch, head.chapter if head else 1)
    return {
        **briefing(context, plan, snapshot, people_told(plan, snapshot)),
        "premise": cut(context.brief.premise, WHOLE_PREMISE),
        "place": f"This is the whole of it: {context.settings.planned} chapters.",
        "background": cut(now.foundation.background, _WHOLE_WORLD),
        "newcomers": [],
        "breadth": Breadth.SHORT_STORY,
        "ending": _ending(now, _WHOLE_ENDING),
        "is_last": True,
        "history": [],
        "before": "",
        "lead": "",
        "echoes": [],
        "note": "",
        "sketch": sketch_in(context, plan.form),
    }


def sketch_in(context: StoryContext, form: Form) -> str:
    """Return the sketch from which a story was worked out, if it is in the same form and there is room."""
    sketch = sketch_of(context.store, context.branch)
    if sketch is None or form is not context.brief.form:
        return ""
    room = context.window(WRITERS[form]) * _SHARE_OF_SKETCH
    return sketch.text if estimate_tokens(sketch.text) <= room else ""


def briefing(
    context: StoryContext, plan: WritingPlan, snapshot: Snapshot, people: Sequence[Character]
) -> dict[str, str | bool | Sequence[str]]:
    """Return what whoever writes in a chapter is told of its story and of some people in it."""
    foundation, settings = snapshot.foundation, context.settings
    ids = [person.id for person in people]
    at = standing(context, plan.chapter)
    met = _met_before(context, at, ids)
    is_end = is_last(at.number, at.settings)
    seeing = {scene.point_of_view for scene in plan.scenes if scene.point_of_view}
    room, behind, ending = (
        (_LONG_STORY_PEOPLE, _LONG_STORY_BEHIND, _LONG_STORY_ENDING)
        if is_long(settings, plan.chapter)
        else (_PEOPLE, _BEHIND, _ENDING)
    )
    return {
        "premise": cut(context.brief.premise, PREMISE),
        "wishes": context.brief.wishes,
        "themes": foundation.themes,
        "tone": foundation.tone,
        "background": cut(foundation.background, WORLD),
        "place": place_words(at.number, at.settings),
        "people": people_lines(without_told(people, plan), seeing, scaled(room, plan.words)),
        "absent": list(absent_lines(snapshot, plan, ids)),
        "newcomers": [person.name for person in people if person.id not in met],
        "ties": tie_lines(snapshot, set(ids)),
        "style": style_for(settings, plan.form),
        "sample": sample_read(settings.style_sample),
        "withheld": plan.withheld,
        "truth": cut(foundation.truth, behind),
        "ending": _ending(snapshot, _WHOLE_ENDING if is_end else ending),
        "is_last": is_end,
        "breadth": breadth_of(settings),
    }


def _met_before(context: StoryContext, at: Standing, people: Sequence[str]) -> set[str]:
    """Return whom of some people the reader has met in earlier chapters."""
    excerpts = context.store.excerpts
    if at.told is None:
        return excerpts.met_before(context.branch, at.number, people)
    shown = shown_before(at.told)
    return excerpts.met_in(context.branch, people, shown)


def _ending(snapshot: Snapshot, most: int) -> list[str]:
    """Return how the story was decided to end: whoever writes a chapter knows where it leads."""
    spine = snapshot.spine
    cost = f"What it costs: {spine.cost}" if spine.cost else ""
    said = {spine.ending: most, cost: most // 2, spine.last_image: most // 2}
    return [cut(text, length) for text, length in said.items() if text]


def _is_one_after_the_other(finding: Finding) -> bool:
    """Return whether two scenes only have the same words for their time, as those of one evening do."""
    return finding.rule is Rule.TWO_PLACES and finding.severity is Severity.DOUBT


def findings_of(context: StoryContext, chapter: int) -> list[str]:
    """Return what the continuity check finds in a chapter; in one of another telling, nothing."""
    checker = context.once(ContinuityChecker, lambda: ContinuityChecker(context.store))
    found = [
        one
        for one in checker.findings(context.branch)
        if chapter in one.chapters and not _is_one_after_the_other(one)
    ]
    return [cut(one.sentence, _FINDING) for one in found[:_FINDINGS]]
