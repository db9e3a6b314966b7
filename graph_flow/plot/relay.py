"""PlotWeave: one relay of role agents, each adding its moves to one goal's plot (CreAgentive)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graph_flow.cognition.knowledge import (
    Knowledge,
    Mentionable,
    knowledge_of,
    shown_to,
    wholly_shown_to,
)
from graph_flow.cognition.memory import (
    BudgetedLines,
    PromptBudget,
    known_relationships,
    recollect,
    within,
)
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
from graph_flow.plot.agents import ROLE
from graph_flow.plot.answers import RoleAnswer, RoleOptions, role_schema
from graph_flow.plot.casting import speakers
from graph_flow.plot.draft import Plot, WeavingInput, voice_for
from graph_flow.plot.moves import Choices, choices_for
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.voice import FOR_OTHERS, IN_ANOTHER_LANGUAGE, checked_for_speaker
from graph_flow.runtime.context import Job, StoryContext
from store.models.cast import Character, Life
from store.models.fields import shown_fields
from store.models.outline import SubEvent
from store.models.plot import Part, Thread
from store.models.proposals import Candidate, Turn
from store.models.prototype import Snapshot
from store.prototype.excerpts import Query

_MEMORIES = 8
"""The most events that a role is reminded of: those who act often soon have more, and their prompts
must not keep growing."""

_OF_THE_ANSWER = (UnusableAnswer, RequestRefused, PromptTooLong)
"""Errors that cost one role its move, but say nothing about later calls."""
_OF_THE_ENDPOINT = (EndpointFailing, EndpointTimeout, TooManyRequests)
"""Errors that may cost one role its move; two in a row mean that the endpoint is down."""


@dataclass(frozen=True)
class _Turn:
    """A turn in a relay; `index` counts through all its rounds, from 0 to `last`."""

    role: Character
    round: int
    index: int
    last: int

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
    When the run is continued, finished turns are not asked for again.

    Raises:
        ModelError: if the endpoint is down, or refuses every call.
        RunStopped: if the run was stopped.
    """
    plot = Plot.begin(weaving)
    order = speakers(weaving.relay, context.settings.rounds)
    has_just_failed, saved = False, None
    for index, (round_, role) in enumerate(order):
        turn = _Turn(role, round_, index, len(order) - 1)
        try:
            answer, choices = _ask(context, weaving, plot, turn)
        except _OF_THE_ANSWER as error:
            plot, has_just_failed = plot.with_turn(turn.record(problem_of(error))), False
        except _OF_THE_ENDPOINT as error:
            if has_just_failed or isinstance(error, CreditUsedUp):
                raise
            plot, has_just_failed = plot.with_turn(turn.record(problem_of(error))), True
        else:
            plot, has_just_failed = plot.with_move(context, turn.record(), answer, choices), False
        saved = context.store.proposals.save_candidate(plot.candidate)
    return saved or context.store.proposals.save_candidate(plot.candidate)


def _ask(
    context: StoryContext, weaving: WeavingInput, plot: Plot, turn: _Turn
) -> tuple[RoleAnswer, Choices]:
    goal, role = weaving.goal, turn.role
    is_opening, is_closing = turn.index == 0, turn.index == turn.last
    role_input = RoleInput(
        draft=plot.draft,
        mentionable=(plot.mentionable, weaving.hidden),
        company=(*weaving.relay, *plot.newcomers),
        goal=goal.text,
        language=weaving.language,
        threads=weaving.threads if is_closing else (),
        parts=tuple(part for part in weaving.parts if part.id not in plot.told_parts),
    )
    prompt = role_prompt(role_input, role.id, context.memory_budget(ROLE, 0.15, _MEMORIES))
    choices = prompt.choices
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
            has_room=weaving.has_room,
        )
    )
    job = Job(
        agent=ROLE,
        step=f"{goal.chapter}/{goal.round}/role/{goal.position}/{turn.index}",
        words=f"{role.name} speaks",
        variables=prompt.variables,
        turn=2 * goal.chapter + is_opening,
    )
    answer = context.ask(job, checked_for_speaker(schema, voice_for(weaving, role)))
    return answer, choices


def problem_of(error: ModelError) -> str:
    """Return why a role was skipped, in words for the writer."""
    if not isinstance(error, UnusableAnswer):
        return error.reason[:400]
    if IN_ANOTHER_LANGUAGE in error.detail:
        return "The answer was in another language than the story’s, even when asked again."
    if FOR_OTHERS in error.detail:
        return "The answer said only what others do, even when asked again."
    return "No usable answer came, even when asked again."


_IN_PLACE = frozenset(
    {
        *("name", "aliases", "gender", "age", "occupation", "affiliations", "personality"),
        *("motivation", "health", "status", "secrets", "life", "traits"),
    }
)
"""Fields of a character that a role's prompt words in its own way, or leaves out."""
_MOST_RELATIONSHIPS = 8
_MOST_PEOPLE = 8


@dataclass(frozen=True)
class RoleInput:
    """What a role's prompt is made from: the story with the draft so far, and the author's aims.

    `company` are the people that a role may meet in the chapter: the relay, and newcomers.
    The author's texts are `goal`, the titles of the `threads` that a move might pay off, and the
    `parts` that the outline has for the chapter; a role is shown only what it may know of them.
    `mentionable` is what these texts may mention of the draft and of the rest of the story.
    """

    draft: Snapshot
    mentionable: tuple[Mentionable, ...]
    company: tuple[Character, ...]
    goal: str
    language: str
    threads: tuple[Thread, ...] = ()
    parts: tuple[SubEvent, ...] = ()


@dataclass(frozen=True)
class RolePrompt:
    """The variables of a role's prompt, and what its answer may name."""

    variables: Variables
    choices: Choices


def role_prompt(role_input: RoleInput, role: str, memory: PromptBudget) -> RolePrompt:
    """Return the prompt of the character with this id, with `memory` as the budget for memories.

    Raises:
        KeyError: if there is no such character.
    """
    draft = role_input.draft
    known = knowledge_of(draft, role, len(draft.events_of(draft.chapter)))
    company = [person.id for person in role_input.company]
    goal = shown_to(known, role_input.goal, company, *role_input.mentionable)
    around = Query(text=goal or known.character.motivation, people=tuple(company))
    remembered = recollect(known, draft, around, memory)
    choices = _with_aims(
        choices_for(draft, known, role_input.company, remembered.items), role_input, known
    )
    memories = [
        f"{label} {line}" for label, line in zip(choices.events, remembered.lines, strict=True)
    ]
    texts = {part.id: part.text for part in role_input.parts}
    variables: Variables = {
        **_self(known.character),
        "language": role_input.language,
        "background": draft.foundation.background,
        "ties": known_relationships(
            known, draft, company, PromptBudget(memory.tokens, _MOST_RELATIONSHIPS)
        ),
        "memories": BudgetedLines(memories, remembered.lines.left_out),
        "people": _people(known, company),
        "others": list(choices.others),
        "places": list(choices.scenes),
        "goal": goal,
        "threads": list(choices.threads),
        "parts": [f"{label}. {texts[part]}" for label, part in choices.parts.items()],
        "has_moved": any(
            memory.chapter == draft.chapter and memory.part.part is Part.ACTS
            for memory in known.memories
        ),
    }
    return RolePrompt(variables, choices)


def _with_aims(choices: Choices, role_input: RoleInput, known: Knowledge) -> Choices:
    """Return the choices with the threads and parts that a role may be shown in full."""
    if not (role_input.threads or role_input.parts):
        return choices
    texts = [one.title for one in role_input.threads] + [one.text for one in role_input.parts]
    company = [person.id for person in role_input.company]
    shown = set(wholly_shown_to(known, texts, company, *role_input.mentionable))
    parts = [part.id for part in role_input.parts if part.text in shown]
    return replace(
        choices,
        threads={one.title: one.id for one in role_input.threads if one.title in shown},
        parts={f"P{at}": part for at, part in enumerate(parts, start=1)},
    )


def _self(me: Character) -> dict[str, str | Sequence[str]]:
    life = "" if me.life is Life.LIVING else me.life.value
    return {
        "name": me.name,
        "who": _listed(me.age, me.gender, me.occupation, me.affiliations),
        "personality": me.personality,
        "motivation": me.motivation,
        "condition": _listed(me.health, me.status, life),
        "secret": me.secrets,
        "traits": [
            *_further(me),
            *(f"{trait.name}: {trait.value}" if trait.value else trait.name for trait in me.traits),
        ],
    }


def _further(me: Character) -> Iterator[str]:
    """Yield the fields of a character that have no variable of their own in the prompt."""
    for name, field in shown_fields(type(me)).items():
        if name not in _IN_PLACE and getattr(me, name):
            yield f"{field.words}: {getattr(me, name)}"


def _people(known: Knowledge, company: Sequence[str]) -> BudgetedLines:
    """Return the people a role knows, those in the relay first."""
    ordered = sorted(known.people, key=lambda person: person.id not in company)
    lines = (_listed(person.name, person.occupation) for person in ordered)
    return within(lines, PromptBudget(2_000, _MOST_PEOPLE))


def _listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
