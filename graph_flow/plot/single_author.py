"""A goal's plot without PlotWeave: one agent makes it in one call (the ablation of CreAgentive).

The same agent reads the plot of a chapter from the sketch in which it has been told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_flow.cognition.memory import (
    BudgetedLines,
    PromptBudget,
    Retrieved,
    person_line,
    relationship_line,
    retrieve,
    within,
)
from graph_flow.cognition.omniscient import aim_line
from graph_flow.founding.cast import find_person
from graph_flow.founding.following import SketchedChapter
from graph_flow.llm.errors import PromptTooLong, RequestRefused, UnusableAnswer
from graph_flow.llm.schema import AnswerSchema
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.plot.agents import SINGLE_AUTHOR
from graph_flow.plot.answers import (
    LEAST_MOVES,
    MOST_MOVES,
    PlotAnswer,
    PlotOptions,
    plot_schema,
)
from graph_flow.plot.beats import AuthoredBeat, BeatsAsked, PlotBeats, widened_plot
from graph_flow.plot.casting import living
from graph_flow.plot.draft import Plot, WeavingInput, voice_for
from graph_flow.plot.moves import Choices
from graph_flow.plot.relay import problem_of
from graph_flow.prompting.length import is_short, may_open, place_words
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.spine import spine_words
from graph_flow.prompting.text import cut
from graph_flow.prompting.voice import checked_for_speaker
from graph_flow.runtime.context import Job, StoryContext
from store.models.cast import Character
from store.models.endpoint import ModelStrength
from store.models.proposals import Candidate, Goal, Turn
from store.prototype.excerpts import Query, joined

_EVENTS, _PEOPLE, _TIES, _PLACES = 12, 12, 10, 12
"""The most events, people, relationships and places that the author is shown."""
_EVENTS_BEFORE = 40
"""The most events that whoever reads a plot from a sketch is shown: what a later chapter comes out of is named."""
_SPINE, _TRUTH = 1_400, 900
"""Tokens of where the story goes, and characters of what lies behind it."""
_SHARE_BEFORE = 0.25
"""Of the window: how much of it the chapters before may take that are told."""
_WINDOW_FOR_MUCH = 8_000
"""Tokens. A model with a smaller window makes the fewest moves that are a plot, and nobody new."""
_LEAST_READ, _READ = 6_000, 4.0
"""Tokens of the plot that is read from a sketch: at least, and for each token of the chapter."""
_AUTHOR = "The author"


def write_plot(
    context: StoryContext, weaving: WeavingInput, told: SketchedChapter | None = None
) -> Candidate:
    """Have one agent make a goal's whole plot; its moves are kept as if roles had made them.

    If the chapter has been `told` in a sketch, they are read from there. An unusable answer leaves a
    candidate in which nothing happens.

    Raises:
        ModelError: if the endpoint fails.
        RunStopped: if the run was stopped.
    """
    given = _read_input(context, weaving, told)
    plot = Plot.begin(given.weaving)
    try:
        beats = _ask(context, given)
    except (UnusableAnswer, RequestRefused, PromptTooLong) as error:
        plot = plot.with_turn(_turn(weaving.relay[0], _AUTHOR, problem_of(error)))
    else:
        labelled = dict(given.choices.events)
        for at, beat in enumerate(beats, start=1):
            known = (*given.people, *plot.newcomers)
            person = find_person(known, beat.who) or weaving.relay[0]
            choices = replace(given.choices, events=labelled)
            plot = plot.with_beats(context, _turn(person, person.name), [beat], choices)
            labelled[f"B{at}"] = plot.draft.events_of(plot.draft.chapter)[-1].id
    is_sketched = told is not None and not any(turn.is_skipped for turn in plot.candidate.turns)
    candidate = plot.candidate.model_copy(update={"is_sketched": is_sketched})
    return context.store.proposals.save_candidate(candidate)


@dataclass(frozen=True)
class _AuthorInput:
    """What the author's prompt is made from: the input, what a move may name, and the past.

    `people` are those who can act. The chapter may have been `told` in a sketch.
    """

    weaving: WeavingInput
    people: Sequence[Character]
    choices: Choices
    past: Retrieved
    told: SketchedChapter | None

    @property
    def may_bring(self) -> bool:
        """Whether somebody new may come in. Whoever comes in as it is told does so in any case."""
        return self.weaving.has_room or self.told is not None


def _read_input(
    context: StoryContext, weaving: WeavingInput, told: SketchedChapter | None
) -> _AuthorInput:
    query = Query(text=weaving.goal.text, people=tuple(person.id for person in weaving.relay))
    lines = _EVENTS if told is None else _EVENTS_BEFORE
    budget = context.memory_budget(SINGLE_AUTHOR, 0.2, lines)
    past = retrieve(context.store, context.branch, None, query, budget)
    circle = context.store.excerpts.of_circle(context.branch, None, weaving.goal.text)
    head = joined(joined(weaving.head, past.snapshot), circle)
    near = list({one.id: one for one in (*weaving.relay, *circle.characters)}.values())
    choices = Choices(
        others={one.name: one.id for one in living(near)[:_PEOPLE]},
        toward={one.name: one.id for one in near[:_PEOPLE]},
        scenes={scene.name: scene.id for scene in head.scenes[-_PLACES:]},
        events={f"E{at}": event.id for at, event in enumerate(past.events, start=1)},
        threads={thread.title: thread.id for thread in weaving.threads},
        parts={f"P{at}": part.id for at, part in enumerate(weaving.parts, start=1)},
    )
    people = weaving.relay if told is None else near
    return _AuthorInput(replace(weaving, head=head), people, choices, past, told)


def _keeps_questions(context: StoryContext, given: _AuthorInput) -> bool:
    """Return whether all questions are kept that a told chapter leaves open: others go on from a longer story's."""
    return given.told is not None and not is_short(context.settings)


def _ask(context: StoryContext, given: _AuthorInput) -> Sequence[AuthoredBeat]:
    goal, voice = given.weaving.goal, voice_for(given.weaving)
    job = Job(
        agent=SINGLE_AUTHOR,
        step=_step(goal),
        words=f"{'Reading' if given.told else 'Writing'} “{goal.title}”",
        variables=_variables(context, given),
        turn=goal.chapter,
        tokens=_tokens(given.told),
    )
    asked = BeatsAsked(
        has_parts=bool(given.choices.parts),
        has_threads=bool(given.choices.threads),
        may_plant=may_open(goal.chapter, context.settings),
        may_bring=given.may_bring,
        may_each_plant=_keeps_questions(context, given),
    )
    whole = context.ask_whole(job, checked_for_speaker(asked.answer(PlotBeats), voice))
    if whole is not None:
        return asked.permitted(whole.beats)
    part = checked_for_speaker(_schema(context, given), voice)
    return widened_plot(context.ask(job, part)).beats


def _tokens(told: SketchedChapter | None) -> int | None:
    """Return how many tokens the plot of a chapter takes that has been told; None if it has not."""
    return max(_LEAST_READ, int(estimate_tokens(told.text) * _READ)) if told else None


def _step(goal: Goal) -> str:
    return f"{goal.chapter}/{goal.round}/plot/{goal.position}"


def _schema(context: StoryContext, given: _AuthorInput) -> AnswerSchema[PlotAnswer]:
    """Return the answer that a small model is asked for."""
    choices = given.choices
    is_brief = context.window(SINGLE_AUTHOR) < _WINDOW_FOR_MUCH
    return plot_schema(
        PlotOptions(
            people=[person.name for person in given.weaving.relay],
            others=list(choices.others),
            toward=list(choices.toward),
            places=list(choices.scenes),
            events=list(choices.events),
            threads=list(choices.threads),
            parts=list(choices.parts),
            has_room=given.weaving.has_room and not is_brief,
            most_moves=LEAST_MOVES if is_brief else MOST_MOVES,
        )
    )


def _variables(context: StoryContext, given: _AuthorInput) -> Variables:
    weaving, choices, head = given.weaving, given.choices, given.weaving.head
    playing = {person.id for person in weaving.relay}
    relationships = [
        relationship_line(head, relationship)
        for relationship in head.relationships
        if {relationship.source, relationship.target} & playing
    ]
    texts = {part.id: part.text for part in weaving.parts}
    budget = context.memory_budget(SINGLE_AUTHOR, 0.2, _PEOPLE)
    is_whole = context.strength(SINGLE_AUTHOR, _step(weaving.goal)) is ModelStrength.ABLE
    chapter, settings = weaving.goal.chapter, context.settings
    return {
        "background": head.foundation.background,
        "truth": head.foundation.truth if given.told else cut(head.foundation.truth, _TRUTH),
        "long_term_goal": head.foundation.long_term_goal,
        "people": within(map(aim_line if is_whole else _person, weaving.relay), budget),
        "ties": within(relationships, PromptBudget(budget.tokens, _TIES)),
        "history": BudgetedLines(
            (
                f"{label} {line}"
                for label, line in zip(choices.events, given.past.lines, strict=True)
            ),
            given.past.lines.left_out,
        ),
        "others": list(choices.others),
        "places": list(choices.scenes),
        "threads": list(choices.threads),
        "questions": choices.questions,
        "parts": [f"{label}. {texts[part]}" for label, part in choices.parts.items()],
        **_goal(context, given),
        "spine": [] if given.told else spine_words(head.spine, chapter, settings, _SPINE),
        "place": place_words(chapter, settings),
        "may_bring": given.may_bring,
        "may_plant": may_open(chapter, settings),
        "may_each_plant": _keeps_questions(context, given),
    }


def _goal(context: StoryContext, given: _AuthorInput) -> Variables:
    """Return what is to happen in the chapter, or how it was told, with the chapters before."""
    told = given.told
    if told is None:
        return {"goal": given.weaving.goal.text, "is_told": False, "before": ""}
    has_room = estimate_tokens(told.before) <= context.window(SINGLE_AUTHOR) * _SHARE_BEFORE
    return {"goal": told.text, "is_told": True, "before": told.before if has_room else ""}


def _person(person: Character) -> str:
    hides = f"; hides: {person.secrets}" if person.secrets else ""
    return f"{person_line(person)}{hides}"


def _turn(person: Character, name: str, problem: str = "") -> Turn:
    return Turn(character=person.id, name=name, text="", is_skipped=bool(problem), problem=problem)
