"""Short-term goals: their whole form, which of them differ, what they can move forward. Pure."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import model_validator

from graph_flow.cognition.memory import relationship_line
from graph_flow.founding.cast import find_person
from graph_flow.llm.schema import AnswerSchema
from graph_flow.outline.structure import carried_over
from graph_flow.plot.answers import GoalsAnswer
from graph_flow.plot.casting import living
from graph_flow.prompting.text import cut
from graph_flow.prompting.whole import (
    PASSAGE,
    Required,
    WholeAnswer,
    WholeLine,
    WholeName,
    WholeParagraph,
    WholePassage,
    usable,
)
from store.database.word_index import terms_of
from store.models.cast import Awareness, Character
from store.models.outline import Outline, SubEvent
from store.models.plot import Event, Thread, ThreadState
from store.models.proposals import Aim
from store.models.prototype import Snapshot
from store.prototype.excerpts import OPEN_THREADS

_SAME_WORDS = 0.6
"""Two goals that share this much of their words go the same way, whatever the word order."""
_THREADS, _TIES, _SECRETS = 6, 6, 8
"""The most open threads, relationships and secrets that a goal can choose from."""
_KNOWN = {
    Awareness.MUTUAL: "",
    Awareness.ONE_SIDED: "; the other does not know",
    Awareness.HIDDEN: "; hidden from everybody",
}
_LABEL = re.compile(r"[A-Z]\d+")
_QUOTED = re.compile(
    r"“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」|『([^『』]+)』|\"([^\"]+)\"|(?<!\w)['‘](.+?)['’](?!\w)"
)
_BEFORE = "what happened before"
"""What a label stands for whose event quotes nothing."""
_LATE = 3
"""The most parts of the outline that a chapter takes over from earlier ones."""


_MOST_GOALS, _MOST_ACTING, _MOST_MOVED, _MOST_RECALLED = 5, 8, 6, 4


class Acting(WholeAnswer):
    """Somebody who acts in a chapter, where, and what they are after in it, as they see it."""

    name: Annotated[WholeName, Required]
    where: WholeLine = ""
    aim: WholePassage = ""
    finds: WholePassage = ""
    recalls: Annotated[tuple[WholeName, ...], usable(_MOST_RECALLED)] = ()

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_bare_name(cls, said: Any) -> Any:
        return {"name": said} if isinstance(said, str) else said


class WholeGoal(WholeAnswer):
    """A chapter that could come next: who wants what of whom, and what is different at its end."""

    title: Annotated[WholeName, Required]
    goal: Annotated[WholeParagraph, Required]
    turn: WholeLine = ""
    relay: Annotated[tuple[Acting, ...], usable(_MOST_ACTING)] = ()
    where: WholeName = ""
    newcomer: WholeLine = ""
    moves: Annotated[tuple[WholeName, ...], usable(_MOST_MOVED)] = ()

    @property
    def text(self) -> str:
        """All of it that is acted out, as one text, in which each part has sentences of its own."""
        notes = [f"— {one.rstrip('.')}." for one in (self.where, self.newcomer) if one]
        if not (self.turn or notes):
            return self.goal
        return " ".join((*map(_ended, filter(None, (self.goal, self.turn))), *notes))


class WholeGoals(WholeAnswer):
    """Clearly different chapters that could come next."""

    goals: Annotated[tuple[WholeGoal, ...], usable(_MOST_GOALS, least=1)]


WHOLE_GOALS = AnswerSchema(WholeGoals)


def _ended(text: str) -> str:
    return text if text[-1] in ".!?…。！？”\"'’" else f"{text}."


def widened_goals(answer: GoalsAnswer) -> WholeGoals:
    """Return a small model's goals as whole ones."""
    goals = (
        WholeGoal.model_construct(title=one.title, goal=one.goal, moves=(one.moves,))
        for one in answer.goals
    )
    return WholeGoals.model_construct(goals=tuple(goals))


class PastEvents(NamedTuple):
    """What has happened, as whoever sets goals is shown it: ids by label, and the events by id."""

    ids: Mapping[str, str]
    by_id: Mapping[str, Event]

    def without_labels(self, text: str) -> str:
        """Return a text with each label replaced by the words that its event quotes.

        A label means nothing to the person whose aim it is. A letter or a notice is what they find;
        anything else of the event may be what they cannot know, and is left out.
        """
        return _LABEL.sub(self._quoted_by, text)

    def _quoted_by(self, label: re.Match[str]) -> str:
        id_ = self.ids.get(label.group())
        if id_ is None:
            return label.group()
        event = self.by_id.get(id_)
        quoted = quotes_in(event.summary) if event else []
        return " ".join(f"“{one}”" for one in quoted) or _BEFORE


def quotes_in(text: str) -> list[str]:
    """Return what stands in quotation marks in a text."""
    return [next(filter(None, found)).strip() for found in _QUOTED.findall(text)]


def acting_in(
    goal: WholeGoal, cast: Sequence[Character], events: PastEvents, most: int
) -> list[Aim]:
    """Return who acts in a goal, turn by turn with their aims, as far as they are known and can act.

    `events` are those that an aim may recall. Nobody has two turns in a row. If there are too many turns, those in the middle are left out. If only one person
    is left, nobody is named: then the relay is cast from those whom the goal names.
    """
    people = living(cast)
    found = ((find_person(people, one.name), one) for one in goal.relay)
    turns = _alternating(
        Aim(
            role=person.id,
            text=cut(events.without_labels(_placed(one)), PASSAGE),
            finds=cut(events.without_labels(one.finds), PASSAGE),
            recalls=tuple(dict.fromkeys(_ids_of(one.recalls, events.ids))),
        )
        for person, one in found
        if person
    )
    if len(turns) > most:
        turns = _alternating([*turns[: most - 1], turns[-1]])
    return turns if len({aim.role for aim in turns}) >= min(2, most) else []


def _placed(turn: Acting) -> str:
    """Return an aim behind where it is pursued, which is as much for the person's own eyes."""
    return f"{_ended(turn.where)} {turn.aim}".rstrip() if turn.where else turn.aim


def _alternating(turns: Iterable[Aim]) -> list[Aim]:
    """Return turns without those that follow one of the same person, whose aims are joined."""
    kept: list[Aim] = []
    for aim in turns:
        if kept and kept[-1].role == aim.role:
            kept[-1] = _together(kept[-1], aim)
        else:
            kept.append(aim)
    return kept


def _together(one: Aim, next_one: Aim) -> Aim:
    return Aim(
        role=one.role,
        text=cut(f"{one.text} {next_one.text}".strip(), PASSAGE),
        finds=cut(f"{one.finds} {next_one.finds}".strip(), PASSAGE),
        recalls=tuple(dict.fromkeys((*one.recalls, *next_one.recalls))),
    )


def _ids_of(labels: Iterable[str], ids: Mapping[str, str]) -> Iterator[str]:
    """Yield the ids that labels mean, in whatever words they are put."""
    found = (_LABEL.search(said) for said in labels)
    yield from (ids[label.group()] for label in found if label and label.group() in ids)


class GoalTargets(NamedTuple):
    """What a goal may move forward: the prompt lines, and the id behind each label."""

    threads: tuple[str, ...]
    relationships: tuple[str, ...]
    secrets: tuple[str, ...]
    ids: Mapping[str, str]
    threads_left_out: int

    def id_of(self, goal: WholeGoal) -> str | None:
        """Return the id of the first thing that a goal moves."""
        return next(_ids_of(goal.moves, self.ids), None)


def targets_in(circle: Snapshot, *, is_whole: bool = False) -> GoalTargets:
    """Return the newest open threads and the strongest relationships of a part of the story.

    Whole lines hold the reasons of relationships, who knows of them, and how old threads are; with them
    come the secrets, which only an able model can move.
    """
    waiting = [thread for thread in circle.threads if thread.state in OPEN_THREADS]
    newest = waiting[-_THREADS:]
    strongest = sorted(circle.relationships, key=lambda relationship: -relationship.strength)[
        :_TIES
    ]
    threads = {f"T{at}": thread for at, thread in enumerate(newest, start=1)}
    relationships = {f"R{at}": relationship for at, relationship in enumerate(strongest, start=1)}
    hiding = [person for person in circle.characters if person.secrets][:_SECRETS]
    secrets = {f"S{at}": person for at, person in enumerate(hiding if is_whole else (), start=1)}
    movable = (*threads.items(), *relationships.items(), *secrets.items())
    return GoalTargets(
        threads=tuple(
            f"{label}. {_whole_thread(circle, thread) if is_whole else thread.title}"
            for label, thread in threads.items()
        ),
        relationships=tuple(
            f"{label}. {relationship_line(circle, relationship, with_reason=is_whole)}"
            f"{_KNOWN[relationship.awareness] if is_whole else ''}"
            for label, relationship in relationships.items()
        ),
        secrets=tuple(f"{label}. what {person.name} hides" for label, person in secrets.items()),
        ids={label: entity.id for label, entity in movable},
        threads_left_out=len(waiting) - len(newest),
    )


def _whole_thread(circle: Snapshot, thread: Thread) -> str:
    about = f": {thread.description}" if thread.description else ""
    since = circle.first_chapter_of(thread.id)
    age = f"open since chapter {since}" if thread.state is ThreadState.PLANTED else "planned"
    return f"{thread.title}{about} ({age})"


def go_the_same_way(one: str, other: str) -> bool:
    """Return whether two goals share most of their words, in any order."""
    ours, theirs = set(terms_of(one)), set(terms_of(other))
    if not ours | theirs:
        return one == other
    return len(ours & theirs) / len(ours | theirs) >= _SAME_WORDS


def is_new(goal: str, others: Iterable[str]) -> bool:
    """Return whether a goal goes a different way from all the others."""
    return not any(go_the_same_way(goal, other) for other in others)


def parts_for(outline: Outline, told: Container[str], chapter: int) -> list[SubEvent]:
    """Return an outline's parts for a chapter, after the first that earlier chapters left out."""
    late = carried_over(outline, told, chapter)[:_LATE]
    planned = (part for part in outline.parts_of(chapter) if part.id not in told)
    return [*late, *planned]


def movable_words(circle: Snapshot) -> dict[str, str]:
    """Return the threads, relationships and secrets that a goal could move forward, in words, by id."""
    names = {person.id: person.name for person in circle.characters}
    threads = {thread.id: thread.title for thread in circle.threads}
    relationships = {
        relationship.id: f"{names[relationship.source]} toward {names[relationship.target]}: {relationship.words}"
        for relationship in circle.relationships
        if {relationship.source, relationship.target} <= names.keys()
    }
    secrets = {one.id: f"What {one.name} hides" for one in circle.characters if one.secrets}
    return threads | relationships | secrets
