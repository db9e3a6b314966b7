"""Stage 2: one relay of role agents, each adding its own move to one goal's plot (PlotWeave)."""

from __future__ import annotations

from dataclasses import dataclass

from langgraph.runtime import Runtime

from graph_flow.answers.weaving import RoleAnswer, RoleOptions, role_answer, role_schema
from graph_flow.context import Job, StoryContext
from graph_flow.errors import WeavingFailed
from graph_flow.knowledge import Knowledge, knowledge_of
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.memory import most_recent, tie_line
from graph_flow.prompting import Variables
from graph_flow.state import StoryState
from graph_flow.weaving import Choices, add_move, cast_relay, choices_for
from store.delta import diff
from store.ids import new_id
from store.models.cast import Character
from store.models.proposals import Candidate, Goal, Turn
from store.models.prototype import Snapshot

_MOST_TIES = 8


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
    head = context.snapshot()
    relay = cast_relay(head, goal.text, settings.roles, goal.position)
    draft = head.model_copy(update={"chapter": goal.chapter})
    candidate = Candidate(
        id=new_id(),
        branch=context.branch,
        chapter=goal.chapter,
        round=goal.round,
        goal=goal.id,
        title=goal.title,
        delta=diff(head, head),
    )
    for turn, role in enumerate(relay):
        move = _Move(goal, draft, role, relay, turn)
        try:
            answer, choices = _ask_role(move, context)
        except UnusableAnswer:
            added = Turn(character=role.id, name=role.name, text="", is_skipped=True)
        else:
            draft, refused = add_move(draft, role, answer, choices)
            added = Turn(character=role.id, name=role.name, text=answer.action, refused=refused)
        candidate = candidate.model_copy(
            update={"turns": (*candidate.turns, added), "delta": diff(head, draft)}
        )
        context.store.proposals.save_candidate(candidate)
    if all(turn.is_skipped for turn in candidate.turns):
        raise WeavingFailed(
            f"Nobody gave an answer that could be used for “{goal.title}”. Continue to try again, "
            "or connect a larger model in Settings."
        )
    return {}


@dataclass(frozen=True)
class _Move:
    """One role's turn in one relay."""

    goal: Goal
    draft: Snapshot
    role: Character
    relay: list[Character]
    turn: int


def _ask_role(move: _Move, context: StoryContext) -> tuple[RoleAnswer, Choices]:
    known = knowledge_of(move.draft, move.role.id)
    choices = choices_for(move.draft, known, move.relay)
    answer = context.ask(
        Job(
            agent="role",
            step=f"{move.goal.chapter}/{move.goal.round}/role/{move.goal.position}/{move.turn}",
            words=f"{move.role.name} speaks",
            variables=_variables(move, known, choices, context),
            turn=move.goal.chapter,
        ),
        role_schema(
            RoleOptions(
                others=list(choices.others),
                places=list(choices.scenes),
                events=list(choices.events),
                is_opening=move.turn == 0,
                is_closing=move.turn == len(move.relay) - 1,
            )
        ),
    )
    return role_answer(answer), choices


def _variables(move: _Move, known: Knowledge, choices: Choices, context: StoryContext) -> Variables:
    me = known.character
    budget = context.memory_budget(0.15)
    labels = {event: label for label, event in choices.events.items()}
    memories = [
        f"{labels.get(memory.event.id, '-')} (chapter {memory.chapter}): {memory.event.summary}"
        for memory in known.memories
    ]
    return {
        "language": context.language,
        "name": me.name,
        "who": ", ".join(part for part in (me.age, me.gender, me.occupation) if part),
        "personality": me.personality,
        "motivation": me.motivation,
        "condition": ", ".join(part for part in (me.health, me.status) if part),
        "secret": me.secrets,
        "background": move.draft.foundation.background,
        "ties": _ties(move.draft, known)[:_MOST_TIES],
        "memories": most_recent(memories, budget),
        "people": [f"{person.name}, {person.occupation}" for person in known.people][:8],
        "others": list(choices.others),
        "places": list(choices.scenes),
        "goal": move.goal.text,
    }


def _ties(draft: Snapshot, known: Knowledge) -> list[str]:
    """Tell what somebody is to others, and what others are to them; why is for each to know."""
    own = [tie_line(draft, tie) for tie in known.toward]
    return own + [tie_line(draft, tie, with_reason=False) for tie in known.known_of_others]
