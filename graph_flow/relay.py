"""PlotWeave: one relay of role agents, each adding its own moves to one goal's plot (CreAgentive)."""

from __future__ import annotations

from dataclasses import dataclass

from graph_flow.answers.voice import FOR_OTHERS, IN_ANOTHER_LANGUAGE, in_voice
from graph_flow.answers.weaving import RoleAnswer, RoleOptions, role_answer, role_schema
from graph_flow.context import Job, StoryContext
from graph_flow.llm.errors import (
    CreditUsedUp,
    EndpointFailing,
    EndpointTimeout,
    ModelError,
    PromptTooLong,
    RequestRefused,
    TooManyRequests,
    UnusableAnswer,
)
from graph_flow.moves import Choices
from graph_flow.roles import Entrance, brief_role
from graph_flow.stage import Plot, Stage, voice_for
from graph_flow.weaving import speakers
from store.models.cast import Character
from store.models.proposals import Candidate, Turn

_MEMORIES = 8
"""Events that a role is reminded of, at most: who acts often has more of them after a few chapters,
and a prompt is not to grow from then on."""

_OF_THE_ANSWER = (UnusableAnswer, RequestRefused, PromptTooLong)
"""What keeps one role from its move, and says nothing of the calls to come."""
_OF_THE_ENDPOINT = (EndpointFailing, EndpointTimeout, TooManyRequests)
"""What may keep one role from its move; two in a row say that the endpoint is down."""


@dataclass(frozen=True)
class _Turn:
    """Whose turn it is in a relay: the `index` runs on over its rounds, from 0 to `last`."""

    role: Character
    round: int
    index: int
    last: int

    def record(self, problem: str = "") -> Turn:
        """Return how the turn is kept; with a problem, as one that was skipped."""
        return Turn(
            character=self.role.id,
            name=self.role.name,
            text="",
            round=self.round,
            is_skipped=bool(problem),
            problem=problem,
        )


def weave(context: StoryContext, stage: Stage) -> Candidate:
    """Weave one goal's candidate, turn by turn; it is saved after each.

    A role that gives no answer which can be used is skipped and named. So is one at whose turn the
    endpoint fails; when it fails at the next turn too, it is down, and the run ends. The finished
    turns are not asked for again when it is continued.

    Raises:
        ModelError: if the endpoint is down, or refuses every call.
        RunStopped: if the run was told to stop.
    """
    plot = Plot.begin(stage)
    order = speakers(stage.relay, context.settings.rounds)
    has_just_failed = False
    for index, (round_, role) in enumerate(order):
        turn = _Turn(role, round_, index, len(order) - 1)
        try:
            answer, choices = _ask(context, stage, plot, turn)
        except _OF_THE_ANSWER as error:
            plot, has_just_failed = plot.with_turn(turn.record(problem_of(error))), False
        except _OF_THE_ENDPOINT as error:
            if has_just_failed or isinstance(error, CreditUsedUp):
                raise
            plot, has_just_failed = plot.with_turn(turn.record(problem_of(error))), True
        else:
            plot, has_just_failed = plot.with_move(context, turn.record(), answer, choices), False
        context.store.proposals.save_candidate(plot.candidate)
    return context.store.proposals.save_candidate(plot.candidate)


def _ask(
    context: StoryContext, stage: Stage, plot: Plot, turn: _Turn
) -> tuple[RoleAnswer, Choices]:
    goal, role = stage.goal, turn.role
    is_opening, is_closing = turn.index == 0, turn.index == turn.last
    entrance = Entrance(
        draft=plot.draft,
        hidden=stage.hidden,
        company=(*stage.relay, *plot.newcomers),
        goal=goal.text,
        language=stage.language,
        threads=stage.threads if is_closing else (),
        parts=tuple(part for part in stage.parts if part.id not in plot.told_parts),
    )
    briefing = brief_role(entrance, role.id, context.memory_room(0.15, _MEMORIES))
    choices = briefing.choices
    schema = role_schema(
        RoleOptions(
            others=list(choices.others),
            toward=list(choices.toward),
            places=list(choices.scenes),
            events=list(choices.events),
            threads=list(choices.threads),
            parts=list(choices.parts),
            is_opening=is_opening,
            is_closing=is_closing,
            has_room=stage.has_room,
        )
    )
    job = Job(
        agent="role",
        step=f"{goal.chapter}/{goal.round}/role/{goal.position}/{turn.index}",
        words=f"{role.name} speaks",
        variables=briefing.variables,
        turn=2 * goal.chapter + is_opening,
    )
    answer = context.ask(job, in_voice(schema, voice_for(stage, role)))
    return role_answer(answer), choices


def problem_of(error: ModelError) -> str:
    """Return why a role was skipped, in words for the writer."""
    if not isinstance(error, UnusableAnswer):
        return error.reason[:400]
    if IN_ANOTHER_LANGUAGE in error.detail:
        return "The answer was in another language than the story’s, also when asked again."
    if FOR_OTHERS in error.detail:
        return "The answer told only what others do, also when asked again."
    return "No answer came that could be used, also when asked again."
