"""Where a goal's plot is woven: who plays, on which part of the story, and what was added so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from graph_flow.answers.names import NOTHING
from graph_flow.answers.voice import Voice, voice_of
from graph_flow.answers.weaving import NEW_PLACE, SOMEBODY_NEW, RoleAnswer, named
from graph_flow.context import StoryContext
from graph_flow.moves import Choices, add_move
from graph_flow.weaving import cast_relay, has_room_for_another, living
from store.delta import diff
from store.excerpts import Mentions, joined
from store.ids import new_id
from store.locks import is_locked
from store.models.cast import Character
from store.models.outline import SubEvent
from store.models.plot import Thread, ThreadState
from store.models.proposals import Candidate, Goal, Telling, Turn
from store.models.prototype import Snapshot

_MOST_THREADS = 4
"""Threads among which a move can choose the one that it answers."""
_MOST_PARTS = 6
"""Parts of the outline that one chapter's moves are shown."""


@dataclass(frozen=True)
class Stage:
    """What a goal's plot is woven on.

    `relay` are the people who play, in the order in which they speak; `circle` is the part of the
    story with the people at hand, `head` the one that the plot stands on. `threads` could be
    answered by a move; `parts` are what the outline has for the chapter. `hidden` is what the
    author's texts speak of, which not every role may know.
    """

    goal: Goal
    relay: tuple[Character, ...]
    circle: Snapshot
    head: Snapshot
    hidden: Snapshot
    threads: tuple[Thread, ...]
    parts: tuple[SubEvent, ...]

    @property
    def has_room(self) -> bool:
        """Whether the chapter may bring in somebody new."""
        return has_room_for_another(self.circle, self.goal.chapter)


def set_stage(context: StoryContext, goal: Goal) -> Stage:
    """Read what a goal's plot is woven on: bounded parts of the story, however long it is."""
    excerpts, branch = context.store.excerpts, context.branch
    circle = excerpts.of_circle(branch, None, goal.text)
    relay = _relay_of(context, goal, circle)
    head = excerpts.of_people(branch, None, [person.id for person in relay], goal.text)
    threads = _answerable(context, goal, circle)
    parts = _parts_of(context, goal)
    told = [goal.text, *(one.title for one in threads.threads), *(one.text for one in parts)]
    return Stage(
        goal=goal,
        relay=tuple(relay),
        circle=circle,
        head=joined(head, threads),
        hidden=excerpts.of_words(branch, None, " ".join(told)),
        threads=tuple(threads.threads),
        parts=parts,
    )


def _relay_of(context: StoryContext, goal: Goal, circle: Snapshot) -> list[Character]:
    """Return the goal's own people, as far as they can act now; whoever fits, where none of them can."""
    wanted = context.store.prototype.partial(context.branch, None, goal.roles).entities
    chosen = [one for id_ in goal.roles if isinstance(one := wanted.get(id_), Character)]
    return living(chosen) or cast_relay(circle, goal.text, context.settings.roles, goal.position)


def _answerable(context: StoryContext, goal: Goal, circle: Snapshot) -> Snapshot:
    """Return the planted threads that a move may pay off: the one that the goal moves comes first."""
    moved = [goal.moves] if goal.moves else []
    near = joined(context.store.prototype.partial(context.branch, None, moved), circle)
    newest_first = sorted(reversed(near.threads), key=lambda thread: thread.id not in moved)
    chosen = [
        thread
        for thread in newest_first
        if thread.state is ThreadState.PLANTED and not is_locked(thread, "state")
    ][:_MOST_THREADS]
    return Snapshot(
        chapter=near.chapter,
        entities={one.id: one for one in chosen},
        first_chapter={one.id: near.told_in(one.id) for one in chosen},
    )


def _parts_of(context: StoryContext, goal: Goal) -> tuple[SubEvent, ...]:
    outline = context.outline if goal.parts else None
    parts = {part.id: part for part in outline.sub_events} if outline else {}
    told = [parts[id_] for id_ in goal.parts if id_ in parts and parts[id_].text]
    return tuple(told[:_MOST_PARTS])


def voice_for(context: StoryContext, stage: Stage, me: Character | None = None) -> Voice:
    """Return in which voice an answer is wanted: in the story's language, of whoever answers."""
    ground = stage.head.foundation
    texts = (stage.goal.text, ground.background, ground.long_term_goal, context.brief.premise)
    others = [person for person in stage.head.characters if me and person.id != me.id]
    return voice_of(texts, me, others)


@dataclass(frozen=True)
class Plot:
    """A plot as far as it is woven: the part of the story that it stands on, and what was added."""

    head: Snapshot
    draft: Snapshot
    candidate: Candidate

    @classmethod
    def begin(cls, stage: Stage) -> Self:
        """Return a plot in which nothing has happened yet."""
        goal, head = stage.goal, stage.head
        candidate = Candidate(
            id=new_id(),
            branch=goal.branch,
            chapter=goal.chapter,
            round=goal.round,
            goal=goal.id,
            title=goal.title,
            delta=diff(head, head),
        )
        return cls(head, head.model_copy(update={"chapter": goal.chapter}), candidate)

    @property
    def newcomers(self) -> tuple[Character, ...]:
        """Those whom this chapter brings into the story."""
        draft = self.draft
        return tuple(one for one in draft.characters if draft.told_in(one.id) == draft.chapter)

    @property
    def told_parts(self) -> frozenset[str]:
        """The parts of the outline that a move tells already."""
        return frozenset(telling.part for telling in self.candidate.tells)

    def with_turn(self, turn: Turn) -> Self:
        """Return the plot with the mark that somebody added nothing."""
        return self._with(self.head, self.draft, turn)

    def with_move(
        self, context: StoryContext, turn: Turn, answer: RoleAnswer, choices: Choices
    ) -> Self:
        """Return the plot with somebody's move, and with what of the story that move speaks of."""
        role = self.draft.get(Character, turn.character)
        there = context.store.excerpts.mentioned(
            context.branch, None, _mentions(role, answer, choices)
        )
        woven = add_move(joined(self.draft, there), role, answer, choices)
        moved = self._with(
            joined(self.head, there),
            woven.draft,
            turn.model_copy(update={"text": answer.action, "refused": woven.refused}),
        )
        part = named(answer.tells)
        if part is None:
            return moved
        telling = Telling(part=choices.parts[part], event=woven.event)
        tells = (*moved.candidate.tells, telling)
        return replace(moved, candidate=moved.candidate.model_copy(update={"tells": tells}))

    def _with(self, head: Snapshot, draft: Snapshot, turn: Turn) -> Self:
        candidate = self.candidate.model_copy(
            update={"turns": (*self.candidate.turns, turn), "delta": diff(head, draft)}
        )
        return replace(self, head=head, draft=draft, candidate=candidate)


def _mentions(role: Character, answer: RoleAnswer, choices: Choices) -> Mentions:
    """Return what an answer brings up that the story may have already, out of the role's sight."""
    toward = named(answer.relationship.toward)
    return Mentions(
        place=answer.new_place if answer.place == NEW_PLACE else "",
        thread="" if answer.opens == NOTHING else answer.opens,
        person=answer.newcomer if SOMEBODY_NEW in answer.together_with else "",
        people=(role.id, choices.toward[toward]) if toward else (),
    )
