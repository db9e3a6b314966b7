"""PlotWeave: one relay of role agents, each adding its moves to one goal's plot (CreAgentive)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph_flow.llm.errors import (
    CreditUsedUp,
    EndpointFailing,
    ModelError,
    PromptTooLong,
    RequestRefused,
    TooManyRequests,
    UnusableAnswer,
)
from graph_flow.llm.schema import AnswerSchema
from graph_flow.plot.agents import ROLE
from graph_flow.plot.answers import RoleAnswer, RoleOptions, role_schema
from graph_flow.plot.beats import Beat, BeatsAsked, RoleBeats, widened
from graph_flow.plot.casting import speakers
from graph_flow.plot.draft import Plot, WeavingInput, voice_for
from graph_flow.plot.moves import Choices, with_find
from graph_flow.plot.role_prompt import RoleInput, role_prompt
from graph_flow.prompting.length import is_last, length_of, may_open, most_beats, place_words
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.voice import FOR_OTHERS, IN_ANOTHER_LANGUAGE, checked_for_speaker
from graph_flow.runtime.context import Job, StoryContext
from store.models.cast import Character
from store.models.endpoint import ModelStrength
from store.models.proposals import Candidate, Goal, Turn

_MEMORIES = 8
"""The most events that a role is reminded of: those who act often soon have more, and their prompts
must not keep growing."""

_OF_THE_ANSWER = (UnusableAnswer, RequestRefused, PromptTooLong)
"""Errors that cost one role its move, but say nothing about later calls."""
_OF_THE_ENDPOINT = (EndpointFailing, TooManyRequests)
"""Errors that may cost one role its move; two in a row mean that the endpoint is down. One that says
nothing, or cannot be reached, has been waited for by then, and the next role would wait as long."""


@dataclass(frozen=True)
class _Turn:
    """A turn in a relay; `index` counts through all its rounds, from 0 to `last`.

    `own` counts those of the same person, from 0; `following` is who has the next one; None after
    the last.
    """

    role: Character
    round: int
    index: int
    own: int
    last: int
    following: Character | None

    @property
    def is_opening(self) -> bool:
        """Whether it is the first of the relay."""
        return self.index == 0

    @property
    def is_closing(self) -> bool:
        """Whether it is the last of the relay."""
        return self.index == self.last

    def record(self, problem: str = "") -> Turn:
        """Return the record of the turn; with a problem, as one that was skipped."""
        return Turn(
            character=self.role.id,
            name=self.role.name,
            text="",
            round=self.round,
            is_skipped=bool(problem),
            problem=problem,
        )


def weave(context: StoryContext, weaving: WeavingInput) -> Candidate:
    """Weave one goal's candidate, turn by turn, and save it after each turn.

    A role that gives no usable answer is skipped, and the candidate says so. The same goes for a
    turn on which the endpoint fails; if it fails on the next turn too, it is down and the run ends.
    An endpoint that is silent or cannot be reached ends the run at once. When the run is continued, finished turns are not asked for again.

    Raises:
        ModelError: if the endpoint is down, silent or out of reach, or refuses every call.
        RunStopped: if the run was stopped.
    """
    plot = Plot.begin(weaving)
    has_just_failed, saved = False, None
    for turn in _turns(weaving, context.settings.rounds):
        try:
            beats, choices = _ask(context, weaving, plot, turn)
        except _OF_THE_ANSWER as error:
            plot, has_just_failed = plot.with_turn(turn.record(problem_of(error))), False
        except _OF_THE_ENDPOINT as error:
            if has_just_failed or isinstance(error, CreditUsedUp):
                raise
            plot, has_just_failed = plot.with_turn(turn.record(problem_of(error))), True
        else:
            plot, has_just_failed = plot.with_beats(context, turn.record(), beats, choices), False
        saved = context.store.proposals.save_candidate(plot.candidate)
    return saved or context.store.proposals.save_candidate(plot.candidate)


def _turns(weaving: WeavingInput, rounds: int) -> Iterator[_Turn]:
    order = speakers(weaving.speakers, rounds)
    following = [*(role for _, role in order[1:]), None]
    taken: Counter[str] = Counter()
    for index, ((round_, role), after) in enumerate(zip(order, following, strict=True)):
        yield _Turn(role, round_, index, taken[role.id], len(order) - 1, after)
        taken[role.id] += 1


def _ask(
    context: StoryContext, weaving: WeavingInput, plot: Plot, turn: _Turn
) -> tuple[Sequence[Beat], Choices]:
    """Return what a role adds at its turn, and what its answer could name."""
    role_input = _input_of(context, weaving, plot, turn)
    budget = context.memory_budget(ROLE, 0.15, _MEMORIES)
    prompt = role_prompt(role_input, turn.role.id, budget)
    choices = prompt.choices
    asked = BeatsAsked(
        has_parts=bool(choices.parts),
        has_threads=bool(choices.threads),
        may_plant=turn.is_closing and may_open(weaving.goal.chapter, context.settings),
        may_bring=weaving.has_room,
    )
    task = _task(context, weaving.goal, turn, asked)
    job = _job(weaving, turn, {**prompt.variables, **task})
    whole = context.ask_whole(job, checked_for_speaker(asked.answer(RoleBeats), voice_for(weaving)))
    if whole is not None:
        found = weaving.goal.found_by(turn.role.id, turn.own)
        return with_find(asked.permitted(whole.beats), turn.role, found), choices
    schema = _schema(choices, turn, has_room=weaving.has_room)
    move = context.ask(job, checked_for_speaker(schema, voice_for(weaving, turn.role)))
    return [widened(move)], choices


def _input_of(context: StoryContext, weaving: WeavingInput, plot: Plot, turn: _Turn) -> RoleInput:
    goal = weaving.goal
    is_whole = context.strength(ROLE, _step(goal, turn)) is ModelStrength.ABLE
    return RoleInput(
        draft=plot.draft,
        mentionable=(plot.mentionable, weaving.hidden),
        company=(*weaving.relay, *plot.newcomers),
        goal=goal.text,
        aim=goal.aim_of(turn.role.id, turn.own),
        recalls=goal.recalled_by(turn.role.id, turn.own),
        language=weaving.language,
        threads=weaving.threads if _may_answer(context, goal, turn) else (),
        parts=tuple(part for part in weaving.parts if part.id not in plot.told_parts),
        place=place_words(goal.chapter, context.settings),
        has_moved=turn.own > 0,
        length=length_of(context.settings, goal.chapter),
        is_whole=is_whole,
    )


def _may_answer(context: StoryContext, goal: Goal, turn: _Turn) -> bool:
    """Return whether a turn may answer an open question: the last one or, at the story's end, any."""
    return turn.is_closing or is_last(goal.chapter, context.settings)


def _task(
    context: StoryContext, goal: Goal, turn: _Turn, asked: BeatsAsked
) -> dict[str, str | int]:
    """Return what the role is asked for, besides what it knows."""
    return {
        "is_closing": turn.is_closing,
        "may_plant": asked.may_plant,
        "may_bring": asked.may_bring,
        "following": turn.following.name if turn.following else "",
        "finds": goal.found_by(turn.role.id, turn.own),
        "most_beats": most_beats(goal.chapter, context.settings),
    }


def _job(weaving: WeavingInput, turn: _Turn, variables: Variables) -> Job:
    return Job(
        agent=ROLE,
        step=_step(weaving.goal, turn),
        words=f"{turn.role.name} speaks",
        variables=variables,
        turn=2 * weaving.goal.chapter + turn.is_opening,
    )


def _step(goal: Goal, turn: _Turn) -> str:
    return f"{goal.chapter}/{goal.round}/role/{goal.position}/{turn.index}"


def _schema(choices: Choices, turn: _Turn, *, has_room: bool) -> AnswerSchema[RoleAnswer]:
    """Return the answer that a small model is asked for."""
    return role_schema(
        RoleOptions(
            others=list(choices.others),
            toward=list(choices.toward),
            places=list(choices.scenes),
            events=list(choices.events),
            threads=list(choices.threads),
            parts=list(choices.parts),
            is_opening=turn.is_opening,
            is_closing=turn.is_closing,
            has_room=has_room,
        )
    )


def problem_of(error: ModelError) -> str:
    """Return why a role was skipped, in words for the writer."""
    if not isinstance(error, UnusableAnswer):
        return error.reason[:400]
    if IN_ANOTHER_LANGUAGE in error.detail:
        return "The answer was in another language than the story’s, even when asked again."
    if FOR_OTHERS in error.detail:
        return "The answer said only what others do, even when asked again."
    return "No usable answer came, even when asked again."
