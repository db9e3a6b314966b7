"""A goal's plot without PlotWeave: one agent writes it in one call (the ablation of CreAgentive)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph_flow.cognition.memory import (
    BudgetedLines,
    PromptBudget,
    Retrieved,
    person_line,
    retrieve,
    tie_line,
    within,
)
from graph_flow.llm.errors import PromptTooLong, RequestRefused, UnusableAnswer
from graph_flow.plot.agents import SINGLE_AUTHOR
from graph_flow.plot.answers import (
    LEAST_MOVES,
    MOST_MOVES,
    PlotOptions,
    RoleAnswer,
    moves_of,
    plot_schema,
)
from graph_flow.plot.casting import living
from graph_flow.plot.draft import Plot, WeavingInput, voice_for
from graph_flow.plot.moves import Choices
from graph_flow.plot.relay import problem_of
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.voice import checked_for_speaker
from graph_flow.runtime.context import Job, StoryContext
from store.models.cast import Character
from store.models.proposals import Candidate, Turn
from store.prototype.excerpts import Query, joined

_EVENTS, _PEOPLE, _TIES, _PLACES = 12, 12, 10, 12
"""How much of the story the author is shown, at most."""
_WINDOW_FOR_MUCH = 8_000
"""Tokens. A model with less room writes as few moves as make a plot, and brings nobody new."""
_AUTHOR = "The author"


def write_plot(context: StoryContext, weaving: WeavingInput) -> Candidate:
    """Have one agent write a goal's whole plot; its moves are kept as if people had made them.

    An answer that cannot be used leaves a candidate in which nothing happens.

    Raises:
        ModelError: if the endpoint fails.
        RunStopped: if the run was told to stop.
    """
    status = _desk_of(context, weaving)
    plot = Plot.begin(status.weaving)
    try:
        moves = _ask(context, status)
    except (UnusableAnswer, RequestRefused, PromptTooLong) as error:
        plot = plot.with_turn(_turn(weaving.relay[0], _AUTHOR, problem_of(error)))
    else:
        people = {person.name: person for person in weaving.relay}
        for who, answer in moves:
            turn = _turn(people[who], who)
            plot = plot.with_move(context, turn, answer, status.choices)
    return context.store.proposals.save_candidate(plot.candidate)


@dataclass(frozen=True)
class _Desk:
    """What an author has before them: the stage with all that a move may name, and the past."""

    weaving: WeavingInput
    choices: Choices
    past: Retrieved


def _desk_of(context: StoryContext, weaving: WeavingInput) -> _Desk:
    query = Query(text=weaving.goal.text, people=tuple(person.id for person in weaving.relay))
    room = context.memory_budget(SINGLE_AUTHOR, 0.2, _EVENTS)
    past = retrieve(context.store, context.branch, None, query, room)
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
    return _Desk(replace(weaving, head=head), choices, past)


def _ask(context: StoryContext, status: _Desk) -> list[tuple[str, RoleAnswer]]:
    goal, choices = status.weaving.goal, status.choices
    is_brief = context.window(SINGLE_AUTHOR) < _WINDOW_FOR_MUCH
    schema = plot_schema(
        PlotOptions(
            people=[person.name for person in status.weaving.relay],
            others=list(choices.others),
            toward=list(choices.toward),
            places=list(choices.scenes),
            events=list(choices.events),
            threads=list(choices.threads),
            parts=list(choices.parts),
            has_room=status.weaving.has_room and not is_brief,
            most_moves=LEAST_MOVES if is_brief else MOST_MOVES,
        )
    )
    job = Job(
        agent=SINGLE_AUTHOR,
        step=f"{goal.chapter}/{goal.round}/plot/{goal.position}",
        words=f"Writing “{goal.title}”",
        variables=_variables(context, status),
        turn=goal.chapter,
    )
    return list(moves_of(context.ask(job, checked_for_speaker(schema, voice_for(status.weaving)))))


def _variables(context: StoryContext, status: _Desk) -> Variables:
    weaving, choices, head = status.weaving, status.choices, status.weaving.head
    playing = {person.id for person in weaving.relay}
    ties = [tie_line(head, tie) for tie in head.relationships if {tie.source, tie.target} & playing]
    texts = {part.id: part.text for part in weaving.parts}
    room = context.memory_budget(SINGLE_AUTHOR, 0.2, _PEOPLE)
    return {
        "background": head.foundation.background,
        "long_term_goal": head.foundation.long_term_goal,
        "people": within(map(_person, weaving.relay), room),
        "ties": within(ties, PromptBudget(room.tokens, _TIES)),
        "history": BudgetedLines(
            (
                f"{label} {line}"
                for label, line in zip(choices.events, status.past.lines, strict=True)
            ),
            status.past.lines.left_out,
        ),
        "others": list(choices.others),
        "places": list(choices.scenes),
        "threads": list(choices.threads),
        "parts": [f"{label}. {texts[part]}" for label, part in choices.parts.items()],
        "goal": weaving.goal.text,
    }


def _person(person: Character) -> str:
    hides = f"; hides: {person.secrets}" if person.secrets else ""
    return f"{person_line(person)}{hides}"


def _turn(person: Character, name: str, problem: str = "") -> Turn:
    return Turn(character=person.id, name=name, text="", is_skipped=bool(problem), problem=problem)
