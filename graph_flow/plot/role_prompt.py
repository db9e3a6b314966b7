"""What a role is told before its turn: what its character knows, and no more (limited cognition)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from graph_flow.cognition.knowledge import (
    Knowledge,
    Memory,
    Mentionable,
    aim_shown_to,
    knowledge_of,
    named_in,
    shown_to,
    wholly_shown_to,
)
from graph_flow.cognition.memory import (
    BudgetedLines,
    PromptBudget,
    known_relationships,
    own_ties,
    recollect,
    recollect_wholly,
    within,
)
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.plot.moves import Choices, choices_for, planting_events
from graph_flow.prompting.length import StoryLength
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.text import cut, shortened
from store.models.cast import Character, Life
from store.models.fields import shown_fields
from store.models.outline import SubEvent
from store.models.plot import Thread
from store.models.prototype import Snapshot
from store.prototype.excerpts import Query

_NEVER = frozenset({"arc"})
"""Fields of a character that no role is shown."""
_IN_PLACE = _NEVER | frozenset(
    {
        *("name", "aliases", "gender", "age", "occupation", "affiliations", "personality"),
        *("motivation", "health", "status", "secrets", "life", "traits"),
    }
)
"""Fields of a character that a role's prompt words in its own way, or leaves out."""
_IN_PLACE_OF_WHOLE = _IN_PLACE | frozenset({"history", "fear", "misbelief", "voice"})
"""The same for the prompt of an able model."""


@dataclass(frozen=True)
class _Room:
    """What an able model's prompt may hold: characters of the world, relationships, people, and tokens of the rest.

    `me` is what describes the person, `memory` the least that remains for what they remember in a
    request of so many tokens.
    """

    world: int
    me: int
    ties: int
    memory: int
    request: int = 0
    relationships: int = 8
    met: int = 10
    absent: int = 3


_ROOMS = {
    StoryLength.SHORT: _Room(world=800, me=800, ties=480, memory=2_800),
    StoryLength.MIDDLE: _Room(world=800, me=620, ties=240, memory=810, request=1_750),
    StoryLength.LONG: _Room(
        world=240, me=320, ties=170, memory=385, request=915, relationships=4, met=8, absent=2
    ),
}
"""A short story may be remembered whole. A long one has to keep its prompts flat."""
_MOST_RELATIONSHIPS = 8
_MOST_PEOPLE = 8
_RECALLED = 310
"""Tokens more for whoever needs to remember something word for word."""
_MOST_BEATS_SHOWN = 16
_FIRST_PLACES, _NEWEST_PLACES = 6, 3
"""The places that a role is shown of those it knows; it may name any other."""


@dataclass(frozen=True)
class RoleInput:
    """What a role's prompt is made from: the story with the draft so far, and the author's aims.

    `company` are the people that a role may meet in the chapter: the relay, and newcomers.
    The author's texts are `goal`, in place of which a role with an `aim` sees that, the titles of
    the `threads` that a move might pay off, and the `parts` that the outline has for the chapter; a
    role is shown only what it may know of them.
    `mentionable` is what these texts may mention of the draft and of the rest of the story.
    """

    draft: Snapshot
    mentionable: tuple[Mentionable, ...]
    company: tuple[Character, ...]
    goal: str
    language: str
    threads: tuple[Thread, ...] = ()
    parts: tuple[SubEvent, ...] = ()
    aim: str = ""
    recalls: tuple[str, ...] = ()
    """Ids of the events that the role needs to remember whole, as far as it knows of them."""
    place: str = ""
    """Where the chapter stands in the story, in words."""
    has_moved: bool = False
    """Whether the role has had a turn in the chapter."""
    length: StoryLength = StoryLength.LONG
    """How long the story is to be, and so how much of it may be remembered."""
    is_whole: bool = False
    """Whether an able model is asked, which is shown and asked more."""


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
    if role_input.aim:
        goal = aim_shown_to(known, role_input.aim, company, *role_input.mentionable)
    else:
        goal = shown_to(known, role_input.goal, company, *role_input.mentionable)
    shown = _Shown(role_input, known, company, goal)
    return _whole_prompt(shown, memory) if role_input.is_whole else _part_prompt(shown, memory)


@dataclass(frozen=True)
class _Shown:
    """What both prompts are made from: what a role knows, whom it may meet, what it sees of the goal."""

    role_input: RoleInput
    known: Knowledge
    company: list[str]
    goal: str

    @property
    def query(self) -> Query:
        """What the role should be reminded of."""
        text = self.goal or self.known.character.motivation
        return Query(text=text, people=tuple(self.company))

    def choices(self, remembered: Sequence[Memory]) -> Choices:
        """Return what the role's answer may name; an able model's, also whoever is named to it."""
        draft, company = self.role_input.draft, self.role_input.company
        if self.role_input.is_whole:
            told = named_in(f"{self.known.world}\n{self.goal}", draft.characters)
            company += tuple(one for one in draft.characters if one.id in told - {*self.company})
        named = choices_for(draft, self.known, company, remembered)
        return _with_aims(named, self.role_input, self.known)

    def variables(self, choices: Choices) -> dict[str, str | int | Sequence[str]]:
        """Return the variables that both prompts word alike."""
        role_input = self.role_input
        texts = {part.id: part.text for part in role_input.parts}
        return {
            "language": role_input.language,
            "places": list(choices.scenes),
            "goal": self.goal,
            "threads": list(choices.threads),
            "questions": choices.questions,
            "parts": [f"{label}. {texts[part]}" for label, part in choices.parts.items()],
            "has_moved": role_input.has_moved,
        }


def _part_prompt(shown: _Shown, memory: PromptBudget) -> RolePrompt:
    """Return the prompt of a small model."""
    known, draft = shown.known, shown.role_input.draft
    remembered = recollect(known, draft, shown.query, memory)
    choices = shown.choices(remembered.items)
    memories = _labelled(choices.events, remembered.lines)
    variables: Variables = {
        **_self(known.character, _IN_PLACE),
        **shown.variables(choices),
        "background": draft.foundation.background,
        "ties": known_relationships(
            known, draft, shown.company, PromptBudget(memory.tokens, _MOST_RELATIONSHIPS)
        ),
        "people": _people(known, shown.company),
        "others": list(choices.others),
        "memories": BudgetedLines(memories, remembered.lines.left_out),
    }
    return RolePrompt(variables, choices)


def _whole_prompt(shown: _Shown, memory: PromptBudget) -> RolePrompt:
    """Return the prompt of an able model: what is left of its room goes to what is remembered."""
    me = shown.known.character
    role_input, known, there = shown.role_input, shown.known, shown.choices(())
    room = _ROOMS[role_input.length]
    whole = {
        **_self(me, _IN_PLACE_OF_WHOLE),
        **shown.variables(there),
        "ties": own_ties(
            known,
            role_input.draft,
            shown.company,
            PromptBudget(room.ties, room.relationships),
        ),
        "background": cut(role_input.draft.foundation.background, room.world),
        "place": role_input.place,
        "places": _near(list(there.scenes)),
        **_met(known, there, shown.company, room),
    }
    whole |= _within_room(
        {
            "own_past": me.history,
            "motivation": me.motivation,
            "fear": me.fear,
            "belief": me.misbelief,
            "secret": me.secrets,
            "voice": me.voice,
        },
        room.me,
    )
    least = room.memory + (_RECALLED if role_input.recalls else 0)
    left = max(least, room.request - sum(map(_tokens_of, whole.values())))
    before, now = recollect_wholly(
        known,
        role_input.draft,
        shown.query,
        PromptBudget(min(left, memory.tokens), _MOST_BEATS_SHOWN),
        role_input.recalls,
    )
    choices = shown.choices((*before.items, *now.items))
    lines = _labelled(choices.events, (*before.lines, *now.lines))
    variables: Variables = {
        **whole,
        "memories": BudgetedLines(lines[: len(before.lines)], before.lines.left_out),
        "now": BudgetedLines(lines[len(before.lines) :], now.lines.left_out),
    }
    return RolePrompt(variables, choices)


def _within_room(texts: Mapping[str, str], tokens: int) -> dict[str, str]:
    """Return what describes a person, shortened if it is long."""
    return dict(zip(texts, shortened(list(texts.values()), tokens), strict=True))


def _tokens_of(value: str | int | Sequence[str]) -> int:
    if isinstance(value, str):
        return estimate_tokens(value)
    return sum(map(estimate_tokens, value)) if isinstance(value, Sequence) else 0


def _labelled(labels: Iterable[str], lines: Iterable[str]) -> list[str]:
    return [f"{label} {line}" for label, line in zip(labels, lines, strict=True)]


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
        threads={
            one.title: one.id
            for one in role_input.threads
            if one.title in shown and _may_ask(role_input.draft, known, one)
        },
        parts={f"P{at}": part for at, part in enumerate(parts, start=1)},
    )


def _may_ask(draft: Snapshot, known: Knowledge, thread: Thread) -> bool:
    """Return whether a question can be somebody's own: they know of an event that raised it, if any did."""
    raised = {*planting_events(draft, thread)}
    return not raised or any(memory.event.id in raised for memory in known.memories)


def _self(me: Character, in_place: Set[str]) -> dict[str, str | int | Sequence[str]]:
    life = "" if me.life is Life.LIVING else me.life.value
    return {
        "name": me.name,
        "who": _listed(me.age, me.gender, me.occupation, me.affiliations),
        "personality": me.personality,
        "motivation": me.motivation,
        "condition": _listed(me.health, me.status, life),
        "secret": me.secrets,
        "traits": [
            *_further(me, in_place),
            *(f"{trait.name}: {trait.value}" if trait.value else trait.name for trait in me.traits),
        ],
    }


def _further(me: Character, in_place: Set[str]) -> Iterator[str]:
    """Yield the fields of a character that have no variable of their own in the prompt."""
    for name, field in shown_fields(type(me)).items():
        if name not in in_place and getattr(me, name):
            yield f"{field.words}: {getattr(me, name)}"


def _people(known: Knowledge, company: Sequence[str]) -> BudgetedLines:
    """Return the people a role knows, those in the relay first."""
    ordered = sorted(known.people, key=lambda person: person.id not in company)
    lines = (_listed(person.name, person.occupation) for person in ordered)
    return within(lines, PromptBudget(2_000, _MOST_PEOPLE))


def _met(
    known: Knowledge, there: Choices, company: Sequence[str], room: _Room
) -> dict[str, str | int | Sequence[str]]:
    """Return whom a role may meet, its company first, with what it sees of them, and whom it knows besides."""
    seen = {one.id: _named(one.name, one.occupation) for one in known.people}
    near = sorted(there.others.items(), key=lambda one: one[1] not in company)
    others = [seen.get(id_, name) for name, id_ in near[: room.met]]
    absent = [line for id_, line in seen.items() if id_ not in there.others.values()]
    return {"others": others, "people": BudgetedLines(absent[: room.absent])}


def _near(places: Sequence[str]) -> list[str]:
    """Return the places with which a story began and those that came last."""
    return list(dict.fromkeys([*places[:_FIRST_PLACES], *places[-_NEWEST_PLACES:]]))


def _named(name: str, occupation: str) -> str:
    return f"{name} ({occupation})" if occupation else name


def _listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
