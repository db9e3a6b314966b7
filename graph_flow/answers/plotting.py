"""The answer of stage 2 without PlotWeave: one author writes all moves of a plot at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from graph_flow.answers.names import NOTHING, list_of, one_of, one_of_or_nothing, reduced
from graph_flow.answers.text import Phrase, Sentences, Title
from graph_flow.answers.weaving import (
    CHANGEABLE,
    NEW_PLACE,
    SOMEBODY_NEW,
    Meeting,
    Move,
    RoleAnswer,
    company_of,
)

LEAST_MOVES, MOST_MOVES = 3, 5


class PlotMove(Move):
    """What one person does in a plot that an author makes up: the fields of a role's answer.

    They are not inherited from it, for who it is must come first, and what is not asked is left out.
    """

    who: str
    title: Title
    action: Sentences
    place: str
    together_with: list[str]
    emotion: Phrase
    consequence: Phrase
    changed: str
    change: Phrase
    relationship: Meeting
    because_of: str = NOTHING
    tells: str = NOTHING


class PlotAnswer(BaseModel):
    """A whole plot. A new place and a new person are named once, after the moves."""

    moves: list[PlotMove]
    new_place: Title
    newcomer: Title = NOTHING
    newcomer_is: Phrase = NOTHING
    closes: str = NOTHING
    opens: Phrase


@dataclass(frozen=True)
class PlotOptions:
    """What an author can name: `people` act, `others` can be met (they among them); see `RoleOptions`."""

    people: Sequence[str]
    others: Sequence[str]
    toward: Sequence[str]
    places: Sequence[str]
    events: Sequence[str]
    threads: Sequence[str] = ()
    parts: Sequence[str] = ()
    has_room: bool = False
    most_moves: int = MOST_MOVES


def plot_schema(options: PlotOptions) -> type[BaseModel]:
    """Return the answer of an author who can name only what is there; `moves_of` reads it."""
    others = [*options.others, SOMEBODY_NEW] if options.has_room else list(options.others)
    toward = one_of_or_nothing(options.toward)
    move: dict[str, Any] = {
        "who": one_of(options.people),
        "place": one_of([*options.places, NEW_PLACE]),
        "together_with": company_of(others),
        "changed": one_of_or_nothing(CHANGEABLE),
        "relationship": reduced(Meeting, {"toward": toward}, frozenset()),
    }
    if options.events:
        move["because_of"] = one_of_or_nothing(options.events)
    if options.parts:
        move["tells"] = one_of_or_nothing(options.parts)
    item = reduced(PlotMove, move, {"because_of", "tells"} - move.keys())
    plot: dict[str, Any] = {"moves": list_of(item, LEAST_MOVES, options.most_moves)}
    if options.threads:
        plot["closes"] = one_of_or_nothing(options.threads)
    if options.has_room:
        plot |= {"newcomer": Title, "newcomer_is": Phrase}
    return reduced(PlotAnswer, plot, {"closes", "newcomer", "newcomer_is"} - plot.keys())


def moves_of(answer: BaseModel) -> Iterator[tuple[str, RoleAnswer]]:
    """Yield who moves and what they add, as a relay would have it.

    What is said once of the whole plot belongs to its last move, where it answers or opens
    something; the new person comes in with the first move that meets somebody new.
    """
    plot = PlotAnswer.model_validate(answer.model_dump())
    for move in plot.moves:
        said = move.model_dump(exclude={"who"})
        said |= {
            "new_place": plot.new_place,
            "newcomer": plot.newcomer,
            "newcomer_is": plot.newcomer_is,
        }
        if move is plot.moves[-1]:
            said |= {"closes": plot.closes, "opens": plot.opens}
        yield move.who, RoleAnswer.model_validate(said)
