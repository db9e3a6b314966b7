"""PlotWeave without the model: who takes part, in which order, and whether enough did. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph_flow.cognition.knowledge import named_in
from store.models.cast import Character, Life
from store.models.plot import Part, Participation
from store.models.proposals import Turn
from store.models.prototype import Snapshot

_SHORTEST_REST = 2
"""Chapters before another new person may come in, even with the smallest cast."""


def cast_relay(snapshot: Snapshot, goal: str, count: int, turn: int) -> list[Character]:
    """Return the people who take part in a relay, in the order in which they speak.

    The dead and the missing do not, unless nobody else is left. Those named in the goal come first,
    then those who have not acted for longest. The order is rotated by `turn`, so the last speaker
    is not the same in every relay.
    """
    last_act = {person.id: -1 for person in snapshot.characters}
    for part in snapshot.of(Participation):
        if part.part is Part.ACTS:
            told = snapshot.first_chapter_of(part.event)
            last_act[part.character] = max(last_act.get(part.character, -1), told)
    named = named_in(goal, snapshot.characters)
    ranked = sorted(
        living(snapshot.characters) or snapshot.characters,
        key=lambda person: (person.id not in named, last_act[person.id]),
    )
    return _rotated(ranked[:count], turn)


def living(people: Iterable[Character]) -> list[Character]:
    """Return those who can act: neither dead nor missing."""
    return [person for person in people if person.life is Life.LIVING]


def speakers(relay: Sequence[Character], rounds: int) -> list[tuple[int, Character]]:
    """Return the order of moves: the number of the round, from 1, and the person.

    Everybody moves in every round, and each round begins with a different person.
    """
    return [
        (round_ + 1, person) for round_ in range(rounds) for person in _rotated(list(relay), round_)
    ]


def _rotated(people: list[Character], turn: int) -> list[Character]:
    shift = turn % len(people) if people else 0
    return people[shift:] + people[:shift]


def has_room_for_another(circle: Snapshot, chapter: int) -> bool:
    """Return whether a chapter may bring a new person into the story.

    The more people there are, the more chapters pass between newcomers, so a model that always
    brings somebody in does not flood the cast.
    """
    rest = max(_SHORTEST_REST, len(living(circle.characters)) // 2)
    came = [circle.first_chapter_of(person.id) for person in circle.characters]
    return not any(told > 0 and told > chapter - rest for told in came)


def has_enough(relay: Sequence[Character], turns: Iterable[Turn]) -> bool:
    """Return whether enough people moved for a usable plot: at least half of the relay."""
    moved = {turn.character for turn in turns if not turn.is_skipped}
    return bool(moved) and 2 * len(moved) >= len(relay)
