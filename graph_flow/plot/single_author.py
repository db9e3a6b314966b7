"""A goal's plot without PlotWeave: one agent writes it in one call (the ablation of CreAgentive)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph_flow.cognition.memory import (
    Chosen,
    Retrieved,
    Room,
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
from graph_flow.plot.draft import Plot, Stage, voice_for
from graph_flow.plot.moves import Choices
from graph_flow.plot.relay import problem_of
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.voice import in_voice
from graph_flow.runtime.context import Job, StoryContext
from store.models.cast import Character
from store.models.proposals import Candidate, Turn
from store.prototype.excerpts import Query, joined

_EVENTS, _PEOPLE, _TIES, _PLACES = 12, 12, 10, 12
"""How much of the story the author is shown, at most."""
_WINDOW_FOR_MUCH = 8_000
"""Tokens. A model with less room writes as few moves as make a plot, and brings nobody new."""
_AUTHOR = "The author"


def write_plot(context: StoryContext, stage: Stage) -> Candidate:
    """Have one agent write a goal's whole plot; its moves are kept as if people had made them.

    An answer that cannot be used leaves a candidate in which nothing happens.

    Raises:
        ModelError: if the endpoint fails.
        RunStopped: if the run was told to stop.
    """
    desk = _desk_of(context, stage)
    plot = Plot.begin(desk.stage)
    try:
        moves = _ask(context, desk)
    except (UnusableAnswer, RequestRefused, PromptTooLong) as error:
        plot = plot.with_turn(_turn(stage.relay[0], _AUTHOR, problem_of(error)))
    else:
        people = {person.name: person for person in stage.relay}
        for who, answer in moves:
            turn = _turn(people[who], who)
            plot = plot.with_move(context, turn, answer, desk.choices)
    return context.store.proposals.save_candidate(plot.candidate)


@dataclass(frozen=True)
class _Desk:
    """What an author has before them: the stage with all that a move may name, and the past."""

    stage: Stage
    choices: Choices
    past: Retrieved


def _desk_of(context: StoryContext, stage: Stage) -> _Desk:
    query = Query(text=stage.goal.text, people=tuple(person.id for person in stage.relay))
    room = context.memory_room(SINGLE_AUTHOR, 0.2, _EVENTS)
    past = retrieve(context.store, context.branch, None, query, room)
    circle = context.store.excerpts.of_circle(context.branch, None, stage.goal.text)
    head = joined(joined(stage.head, past.snapshot), circle)
    near = list({one.id: one for one in (*stage.relay, *circle.characters)}.values())
    choices = Choices(
        others={one.name: one.id for one in living(near)[:_PEOPLE]},
        toward={one.name: one.id for one in near[:_PEOPLE]},
        scenes={scene.name: scene.id for scene in head.scenes[-_PLACES:]},
        events={f"E{at}": event.id for at, event in enumerate(past.events, start=1)},
        threads={thread.title: thread.id for thread in stage.threads},
        parts={f"P{at}": part.id for at, part in enumerate(stage.parts, start=1)},
    )
    return _Desk(replace(stage, head=head), choices, past)


def _ask(context: StoryContext, desk: _Desk) -> list[tuple[str, RoleAnswer]]:
    goal, choices = desk.stage.goal, desk.choices
    is_brief = context.window(SINGLE_AUTHOR) < _WINDOW_FOR_MUCH
    schema = plot_schema(
        PlotOptions(
            people=[person.name for person in desk.stage.relay],
            others=list(choices.others),
            toward=list(choices.toward),
            places=list(choices.scenes),
            events=list(choices.events),
            threads=list(choices.threads),
            parts=list(choices.parts),
            has_room=desk.stage.has_room and not is_brief,
            most_moves=LEAST_MOVES if is_brief else MOST_MOVES,
        )
    )
    job = Job(
        agent=SINGLE_AUTHOR,
        step=f"{goal.chapter}/{goal.round}/plot/{goal.position}",
        words=f"Writing “{goal.title}”",
        variables=_variables(context, desk),
        turn=goal.chapter,
    )
    return list(moves_of(context.ask(job, in_voice(schema, voice_for(desk.stage)))))


def _variables(context: StoryContext, desk: _Desk) -> Variables:
    stage, choices, head = desk.stage, desk.choices, desk.stage.head
    playing = {person.id for person in stage.relay}
    ties = [tie_line(head, tie) for tie in head.relationships if {tie.source, tie.target} & playing]
    texts = {part.id: part.text for part in stage.parts}
    room = context.memory_room(SINGLE_AUTHOR, 0.2, _PEOPLE)
    return {
        "background": head.foundation.background,
        "long_term_goal": head.foundation.long_term_goal,
        "people": within(map(_person, stage.relay), room),
        "ties": within(ties, Room(room.tokens, _TIES)),
        "history": Chosen(
            (
                f"{label} {line}"
                for label, line in zip(choices.events, desk.past.lines, strict=True)
            ),
            desk.past.lines.left_out,
        ),
        "others": list(choices.others),
        "places": list(choices.scenes),
        "threads": list(choices.threads),
        "parts": [f"{label}. {texts[part]}" for label, part in choices.parts.items()],
        "goal": stage.goal.text,
    }


def _person(person: Character) -> str:
    hides = f"; hides: {person.secrets}" if person.secrets else ""
    return f"{person_line(person)}{hides}"


def _turn(person: Character, name: str, problem: str = "") -> Turn:
    return Turn(character=person.id, name=name, text="", is_skipped=bool(problem), problem=problem)
