"""Stage 2: one relay of role agents, each adding its own move to one goal's plot (PlotWeave)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from langgraph.runtime import Runtime

from graph_flow.answers.names import NOTHING
from graph_flow.answers.weaving import (
    NEW_PLACE,
    RoleAnswer,
    RoleOptions,
    named,
    role_answer,
    role_schema,
)
from graph_flow.context import Job, StoryContext
from graph_flow.errors import WeavingFailed
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.roles import Entrance, brief_role
from graph_flow.state import StoryState
from graph_flow.weaving import Choices, add_move, cast_relay
from store.delta import diff
from store.excerpts import Mentions, joined
from store.ids import new_id
from store.models.cast import Character
from store.models.proposals import Candidate, Goal, Turn
from store.models.prototype import Snapshot

_MEMORIES = 16
"""Events that a role is reminded of, at most: who acts often has as many after a few chapters."""


def weave_plot(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Weave one goal's candidate, role by role; the candidate is saved after every turn.

    A role whose answers cannot be used is skipped and named. An endpoint that fails ends the run,
    and the finished turns are not asked for again when it is continued.

    Raises:
        WeavingFailed: if not one role gave an answer that could be used.
    """
    context = runtime.context
    goal = context.store.proposals.goal(state["goal"])
    settings = context.settings
    context.board.go_on(f"Plotting chapter {goal.chapter}", 2 + settings.goals * settings.roles)
    circle = context.store.excerpts.of_circle(context.branch, None, goal.text)
    relay = cast_relay(circle, goal.text, settings.roles, goal.position)
    plot = _begin(context, goal, relay)
    for role in relay:
        plot = _with_move(context, plot, role)
        context.store.proposals.save_candidate(plot.candidate)
    if all(turn.is_skipped for turn in plot.candidate.turns):
        raise WeavingFailed(
            f"Nobody gave an answer that could be used for “{goal.title}”. Continue to try again, "
            "or connect a larger model in Settings."
        )
    return {}


@dataclass(frozen=True)
class _Plot:
    """A plot as far as it is woven: the part of the story that it stands on, and what was added.

    `hidden` is the part that the goal speaks of, which not every role may know.
    """

    goal: Goal
    relay: tuple[Character, ...]
    hidden: Snapshot
    head: Snapshot
    draft: Snapshot
    candidate: Candidate

    @property
    def turn(self) -> int:
        """How many roles have moved."""
        return len(self.candidate.turns)


def _begin(context: StoryContext, goal: Goal, relay: list[Character]) -> _Plot:
    people = [person.id for person in relay]
    head = context.store.excerpts.of_people(context.branch, None, people, goal.text)
    candidate = Candidate(
        id=new_id(),
        branch=context.branch,
        chapter=goal.chapter,
        round=goal.round,
        goal=goal.id,
        title=goal.title,
        delta=diff(head, head),
    )
    draft = head.model_copy(update={"chapter": goal.chapter})
    hidden = context.store.excerpts.of_words(context.branch, None, goal.text)
    return _Plot(goal, tuple(relay), hidden, head, draft, candidate)


def _with_move(context: StoryContext, plot: _Plot, role: Character) -> _Plot:
    """Return the plot with one role's move, or with the mark that it gave none."""
    head, draft = plot.head, plot.draft
    try:
        answer, choices = _ask_role(context, plot, role)
    except UnusableAnswer:
        turn = Turn(character=role.id, name=role.name, text="", is_skipped=True)
    else:
        there = context.store.excerpts.mentioned(
            context.branch, None, _mentions(role, answer, choices)
        )
        head = joined(head, there)
        draft, refused = add_move(joined(draft, there), role, answer, choices)
        turn = Turn(character=role.id, name=role.name, text=answer.action, refused=refused)
    candidate = plot.candidate.model_copy(
        update={"turns": (*plot.candidate.turns, turn), "delta": diff(head, draft)}
    )
    return replace(plot, head=head, draft=draft, candidate=candidate)


def _ask_role(context: StoryContext, plot: _Plot, role: Character) -> tuple[RoleAnswer, Choices]:
    goal = plot.goal
    entrance = Entrance(
        draft=plot.draft,
        hidden=plot.hidden,
        relay=plot.relay,
        goal=goal.text,
        language=context.language,
    )
    briefing = brief_role(entrance, role.id, context.memory_room(0.15, _MEMORIES))
    choices = briefing.choices
    answer = context.ask(
        Job(
            agent="role",
            step=f"{goal.chapter}/{goal.round}/role/{goal.position}/{plot.turn}",
            words=f"{role.name} speaks",
            variables=briefing.variables,
            turn=goal.chapter,
        ),
        role_schema(
            RoleOptions(
                others=list(choices.others),
                places=list(choices.scenes),
                events=list(choices.events),
                is_opening=plot.turn == 0,
                is_closing=plot.turn == len(plot.relay) - 1,
            )
        ),
    )
    return role_answer(answer), choices


def _mentions(role: Character, answer: RoleAnswer, choices: Choices) -> Mentions:
    """Return what an answer brings up that the story may have already, out of the role's sight."""
    toward = named(answer.relationship.toward)
    return Mentions(
        place=answer.new_place if answer.place == NEW_PLACE else "",
        thread="" if answer.opens == NOTHING else answer.opens,
        people=(role.id, choices.others[toward]) if toward else (),
    )
