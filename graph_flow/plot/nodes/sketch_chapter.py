"""Stage 2: the next chapter of a longer story told, before its plot is worked out, to be one of its candidates."""

from __future__ import annotations

import re

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import PromptBudget, retrieve
from graph_flow.founding.cast import held, settled_facts
from graph_flow.founding.following import ChaptersRead, newest_read, wishes_for
from graph_flow.llm.errors import PromptTooLong, RequestRefused, UnusableAnswer
from graph_flow.plot.agents import CHAPTER_SKETCH
from graph_flow.plot.forecast import Variable, parts_due, past_known, people_as_told, read_forecast
from graph_flow.prompting.headings import beginning, told_chapters
from graph_flow.prompting.length import (
    form_words,
    is_long,
    is_near_end,
    length_words,
    words_wanted,
)
from graph_flow.prompting.sample import sample_read
from graph_flow.prompting.style import style_for
from graph_flow.prompting.text import cut, shortened
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.base import new_id
from store.models.proposals import SKETCH_LIMIT, ChapterSketch, Goal
from store.prototype.excerpts import Query
from store.text import count_words

_LEAST, _ENOUGH = 0.5, 0.8
"""How much of its length a chapter has at least to be of use, and to be complete."""
_TOKENS_PER_WORD = 1.9
_PREMISE = 4_000
"""Characters of the premise."""
_READ, _READ_OF_LONG = 16_000, 3_400
"""Tokens of the chapters before, also of a long story; the last one is always read whole."""
_HISTORY, _HISTORY_OF_LONG, _EVENTS = 2_400, 1_100, 40
"""Tokens of what happened before these, also of a long story, and the most events of it."""
_OF_KEPT, _PAST, _PAST_OF_LONG = 400, 1_600, 1_000
"""Tokens of what the writer has settled, and of what lies behind the story, also of a long one."""
_ENDING = 3_000
"""Characters of how the last chapter ends: what happened before is found by them."""
_TITLE = 80
"""Characters of a chapter's title."""
_NOTED = ("long_term_goal", "premise_due", "is_last", "chapter", "plan", "note")
"""What is taken over from what goals are set from, as it is."""
_LABEL = re.compile(r"^[A-Z]\d+\. ")


def sketch_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save a goal that is the next chapter, told whole; none if the answer cannot be used.

    A chapter that is far too short is left out.
    """
    context = runtime.context
    parts = parts_due(context, state["chapter"])
    try:
        answer = context.write_text(_job(context, state, [part.text for part in parts])).strip()
    except (UnusableAnswer, RequestRefused, PromptTooLong):
        return {}  # Others are told or set.
    title, text = _parted(answer)
    planned = words_wanted(state["chapter"], context.settings, context.unit)
    if count_words(text) >= _LEAST * planned:
        goal = Goal(
            id=new_id(),
            branch=context.branch,
            chapter=state["chapter"],
            round=state["round"],
            position=state["sketch"] - 1,
            title=title[:_TITLE] or f"{state['chapter']}",
            text=beginning(text),
            roles=people_as_told(context, text),
            parts=tuple(part.id for part in parts),
            is_sketched=True,
            sketch=ChapterSketch(text=text[:SKETCH_LIMIT], wishes=wishes_for(context.story)),
        )
        context.store.proposals.save_goals([goal])
    return {}


def _parted(answer: str) -> tuple[str, str]:
    """Return the title of a chapter and its text."""
    chapters = told_chapters(answer)
    if not chapters:
        return "", answer
    title, _ = chapters[0]
    return title, "\n\n".join(text for _, text in chapters if text)


def _job(context: StoryContext, state: StoryState, plan: list[str]) -> Job:
    chapter, settings, brief = state["chapter"], context.settings, context.brief
    forecast = read_forecast(context, state, plan, is_whole=True)
    noted, kept = forecast.variables, held(forecast.circle, brief.premise)
    planned = words_wanted(chapter, settings, context.unit)
    is_late = is_long(settings, chapter)
    room = _READ_OF_LONG if is_late else _READ
    start = context.store.excerpts.of_chapter(context.branch, 0)
    told = context.store.manuscript.told_in(context.branch, range(1, chapter))
    read = newest_read(context.store, context.branch, chapter, room)
    is_all = read.chapters == chapter - 1
    return Job(
        agent=CHAPTER_SKETCH,
        step=f"{chapter}/{state['round']}/sketch/{state['sketch']}",
        words=f"Telling chapter {chapter}",
        variables={
            **{name: noted[name] for name in _NOTED},
            "threads": _unlabelled(noted["threads"]),
            "spine": noted["spine"] if is_near_end(chapter, settings) else [],
            # Whoever reads the whole book so far needs no summary of it.
            "people": [] if is_all else noted["people"],
            "history": [] if is_all else _history(context, chapter, read),
            "kept": shortened(settled_facts(kept), _OF_KEPT),
            "past": list(past_known(start, _PAST_OF_LONG if is_late else _PAST, told).values()),
            "premise": cut(brief.premise, _PREMISE),
            "wishes": brief.wishes,
            "form": form_words(brief.form, settings),
            "length": length_words(settings, context.unit),
            "is_prose": brief.form.spec.is_prose,
            "style": style_for(settings, brief.form),
            "sample": sample_read(settings.style_sample),
            "read": read.text,
            "words": planned,
            "version": state["sketch"],
            "count": len(state["to_sketch"]),
        },
        turn=chapter,
        tokens=int(planned * _TOKENS_PER_WORD),
        enough=int(planned * _ENOUGH),
    )


def _history(context: StoryContext, chapter: int, read: ChaptersRead) -> list[str]:
    """Return what happened before the chapters that are read, as far as it matters to how they end."""
    tokens = _HISTORY_OF_LONG if is_long(context.settings, chapter) else _HISTORY
    ending = read.text[-_ENDING:]
    people = people_as_told(context, ending)
    query, budget = Query(text=ending, people=people), PromptBudget(tokens, _EVENTS)
    past = retrieve(context.store, context.branch, chapter - read.chapters - 1, query, budget)
    return [
        line
        for event, line in zip(past.events, past.lines, strict=True)
        if past.snapshot.first_chapter_of(event.id) > 0
    ]


def _unlabelled(lines: Variable) -> list[str]:
    return [] if isinstance(lines, str | int) else [_LABEL.sub("", line) for line in lines]
