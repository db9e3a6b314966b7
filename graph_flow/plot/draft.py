"""A goal's plot in the making: who takes part, what it is based on, and what was added so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from graph_flow.cognition.knowledge import Mentionable, mentionable
from graph_flow.plot.beats import Beat
from graph_flow.plot.casting import cast_relay, has_room_for_another, living
from graph_flow.plot.moves import Choices, add_beat, resolved
from graph_flow.plot.round_excerpt import RoundExcerpts, parts_for, threads_for
from graph_flow.prompting.voice import Voice, voice_of
from graph_flow.runtime.context import StoryContext
from store.deltas.delta import diff
from store.models.base import new_id
from store.models.cast import Character
from store.models.outline import SubEvent
from store.models.plot import Thread
from store.models.proposals import Candidate, CandidateState, Goal, Telling, Turn
from store.models.prototype import Snapshot
from store.prototype.excerpts import Mentions, joined


@dataclass(frozen=True)
class WeavingInput:
    """Everything that a goal's plot is woven from.

    `relay` holds the people who take part, in the order in which they first speak, `speakers` who
    has each turn of a round; `head` is the part of the story that the plot builds on. A move may pay
    off one of the `threads`; `parts` is what the outline has for the chapter. `hidden` is what the
    author's texts mention of the whole story, which not every role may know. `language` is the
    language of answers, `scripts` the scripts of the author's texts.
    """

    goal: Goal
    relay: tuple[Character, ...]
    speakers: tuple[Character, ...]
    head: Snapshot
    hidden: Mentionable
    threads: tuple[Thread, ...]
    parts: tuple[SubEvent, ...]
    language: str
    scripts: frozenset[str]
    has_room: bool
    """Whether the chapter may bring in somebody new."""


def read_weaving_input(context: StoryContext, goal: Goal) -> WeavingInput:
    """Read what a goal's plot is woven from: bounded parts of the story, however long it is."""
    excerpts = context.once(RoundExcerpts, lambda: RoundExcerpts(context.store, context.branch))
    excerpt = excerpts.of_goal(goal, context.outline)
    relay = _relay_of(context, goal, excerpt.near)
    people = [person.id for person in relay]
    recalled = [event for aim in goal.aims for event in aim.recalls]
    head = context.store.excerpts.of_people(context.branch, None, people, goal.text, recalled)
    threads = threads_for(goal, excerpt.near)
    return WeavingInput(
        goal=goal,
        relay=tuple(relay),
        speakers=_speakers(goal, relay, context.settings.rounds),
        head=joined(head, _only(threads, excerpt.near)),
        hidden=excerpt.hidden,
        threads=threads,
        parts=parts_for(goal, excerpt.outline),
        language=context.language,
        scripts=_scripts(context, goal, head),
        has_room=has_room_for_another(excerpt.near, goal.chapter),
    )


def _relay_of(context: StoryContext, goal: Goal, near: Snapshot) -> list[Character]:
    """Return the goal's own people who can act now; if none can, people who fit the goal."""
    chosen = [one for id_ in goal.roles if isinstance(one := near.entities.get(id_), Character)]
    if alive := living(chosen):
        return alive
    [circle] = context.store.excerpts.of_relays(context.branch, [goal.text])
    return cast_relay(circle, goal.text, context.settings.roles, goal.position)


def _speakers(goal: Goal, relay: Sequence[Character], rounds: int) -> tuple[Character, ...]:
    """Return who has each turn of a round: in several rounds, everybody has several turns anyway."""
    people = {person.id: person for person in relay}
    is_as_planned = rounds == 1 and set(goal.speakers) == people.keys()
    return tuple(people[id_] for id_ in goal.speakers) if is_as_planned else tuple(relay)


def _only(threads: Iterable[Thread], near: Snapshot) -> Snapshot:
    """Return a part of the story that holds only some threads."""
    entities = {one.id: one for one in threads}
    return Snapshot(
        chapter=near.chapter,
        entities=entities,
        first_chapter={id_: near.first_chapter_of(id_) for id_ in entities},
    )


def _scripts(context: StoryContext, goal: Goal, head: Snapshot) -> frozenset[str]:
    """Return the scripts of the author's texts; an answer must use one of them."""
    excerpt = head.foundation
    texts = (goal.text, excerpt.background, excerpt.long_term_goal, context.brief.premise)
    return voice_of(texts).scripts


def voice_for(weaving: WeavingInput, me: Character | None = None) -> Voice:
    """Return the voice of an answer: in the story's language, spoken by whoever answers."""
    others = (person for person in weaving.head.characters if me and person.id != me.id)
    return Voice(weaving.scripts, me, tuple(others))


@dataclass(frozen=True)
class Plot:
    """A plot so far: the part of the story that it builds on, and what was added.

    `mentionable` is what the author's texts may mention of the draft.
    """

    head: Snapshot
    draft: Snapshot
    mentionable: Mentionable
    candidate: Candidate

    @classmethod
    def begin(cls, weaving: WeavingInput) -> Self:
        """Return a plot in which nothing has happened yet."""
        goal, head = weaving.goal, weaving.head
        candidate = Candidate(
            id=new_id(),
            branch=goal.branch,
            chapter=goal.chapter,
            round=goal.round,
            goal=goal.id,
            title=goal.title,
            delta=diff(head, head),
            state=CandidateState.WEAVING,
        )
        draft = head.model_copy(update={"chapter": goal.chapter})
        return cls(head, draft, mentionable(weaving.hidden.quotes, draft), candidate)

    @property
    def newcomers(self) -> tuple[Character, ...]:
        """The people that this chapter brings into the story."""
        draft = self.draft
        return tuple(
            one for one in draft.characters if draft.first_chapter_of(one.id) == draft.chapter
        )

    @property
    def told_parts(self) -> frozenset[str]:
        """The parts of the outline that a move already tells."""
        return frozenset(telling.part for telling in self.candidate.tells)

    def with_turn(self, turn: Turn) -> Self:
        """Return the plot with the record of a turn, and with what has been added up to now."""
        candidate = self.candidate.model_copy(
            update={
                "turns": (*self.candidate.turns, turn),
                "delta": diff(self.head, self.draft),
            }
        )
        return replace(self, candidate=candidate)

    def with_beats(
        self, context: StoryContext, turn: Turn, beats: Sequence[Beat], choices: Choices
    ) -> Self:
        """Return the plot with what somebody adds at their turn, and what that mentions of the story."""
        plot, refused = self, list[str]()
        for beat in beats:
            plot, more = plot._with_beat(context, turn.character, beat, choices)
            refused += more
        text = " ".join(beat.observed for beat in beats)
        return plot.with_turn(turn.model_copy(update={"text": text, "refused": tuple(refused)}))

    def _with_beat(
        self, context: StoryContext, person: str, beat: Beat, choices: Choices
    ) -> tuple[Self, tuple[str, ...]]:
        role = self.draft.get(Character, person)
        there = context.store.excerpts.mentioned(
            context.branch,
            self.head.chapter,
            _mentions(self.draft, role, beat, choices),
            self.draft.entities.keys(),
        )
        result = add_beat(joined(self.draft, there), role, beat, choices)
        plot = self._with(joined(self.head, there), result.draft)
        part = choices.part(beat.tells)
        if part is None:
            return plot, result.refused
        tells = (*plot.candidate.tells, Telling(part=part, event=result.event))
        told = plot.candidate.model_copy(update={"tells": tells})
        return replace(plot, candidate=told), result.refused

    def _with(self, head: Snapshot, draft: Snapshot) -> Self:
        told = self.mentionable.after(self.draft, draft)
        return replace(self, head=head, draft=draft, mentionable=told)


def _mentions(draft: Snapshot, role: Character, beat: Beat, choices: Choices) -> Mentions:
    """Return what a beat mentions that may already exist without the role's knowledge."""
    toward = (resolved(draft, one.toward, choices.toward) for one in beat.feelings)
    others = [one.id for one in toward if one is not None]
    return Mentions(
        place="" if choices.scene(beat.place) else beat.place,
        thread=beat.plants,
        person=", ".join(one.name for one in beat.present if one.newcomer),
        people=(role.id, *others) if others else (),
    )
