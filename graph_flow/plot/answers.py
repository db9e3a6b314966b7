"""Answers of stage 2: goals, a role's moves, a single author's plot, and the exit check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)

from graph_flow.prompting.schema import (
    NOTHING,
    list_of,
    narrowed,
    one_of,
    one_of_or_nothing,
    reduced,
)
from graph_flow.prompting.text import Answer, Path, Phrase, Sentence, Sentences, Title
from store.models.cast import Character, RelationshipKind
from store.models.fields import shown_fields

NEW_PLACE = "a new place"
"""What a role answers as its place when it takes the story somewhere new."""

SOMEBODY_NEW = "somebody new"
"""What a role answers as its company when it brings a new person into the story."""

CHANGEABLE = tuple(
    name for name, field in shown_fields(Character).items() if field.is_changed_by_agents
)
"""The fields of a character that a role may change in a chapter."""

MOST_COMPANY = 3
"""The most people that one move brings together with the one who makes it."""


class Meeting(BaseModel):
    """How a role's relationship to another person changes."""

    toward: str
    tie: RelationshipKind
    strength: Annotated[int, Field(ge=1, le=10)]


class Move(Answer):
    """What somebody does. Fields that do not count are not checked: a small model writes anything
    there, and asking it again would gain nothing."""

    may_say_nothing: ClassVar[frozenset[str]] = frozenset({"change", "newcomer_is", "opens"})

    @model_validator(mode="before")
    @classmethod
    def _says_nothing_that_does_not_count(cls, said: Any) -> Any:
        if not isinstance(said, dict):
            return said
        instead: dict[str, str] = {}
        if said.get("changed") == NOTHING:
            instead["change"] = NOTHING
        if said.get("place") != NEW_PLACE:
            instead["new_place"] = NEW_PLACE
        if SOMEBODY_NEW not in (said.get("together_with") or ()):
            instead |= {"newcomer": NOTHING, "newcomer_is": NOTHING}
        return said | {name: text for name, text in instead.items() if name in said}


class RoleAnswer(Move):
    """What one role adds: its own move, its feeling, and the consequence."""

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
    """Asked only if something is remembered."""
    new_place: Title = NEW_PLACE
    """Asked only of the role that opens a relay."""
    newcomer: Title = NOTHING
    newcomer_is: Phrase = NOTHING
    """The name of somebody new and who they are; asked only if the cast has room for one more."""
    tells: str = NOTHING
    """Asked only if the outline has something for the chapter."""
    closes: str = NOTHING
    opens: Phrase = NOTHING
    """Asked only of the role that closes a relay."""


OPTIONAL = frozenset(
    {"because_of", "new_place", "newcomer", "newcomer_is", "tells", "closes", "opens"}
)
"""Fields that only some roles are asked for."""


@dataclass(frozen=True)
class RoleOptions:
    """What a role can name, and what it is asked.

    `others` are the people it can meet, `toward` those it can have feelings for (the dead too),
    `places` the ones it knows, `events` the labels of what it remembers, `threads` the titles of
    those it can pay off, `parts` the labels of what the outline has for the chapter. The role that
    opens a relay may go somewhere new (and must, if it knows no place) and, if there is room, bring
    somebody new; the role that closes it may pay off a thread and plant one.
    """

    others: Sequence[str]
    toward: Sequence[str]
    places: Sequence[str]
    events: Sequence[str]
    threads: Sequence[str] = ()
    parts: Sequence[str] = ()
    is_opening: bool = False
    is_closing: bool = False
    has_room: bool = False


def role_schema(options: RoleOptions) -> type[BaseModel]:
    """Return the answer of a role that can name only what its character can know.

    Fields not asked for are left out; `role_answer` returns the whole answer.
    """
    may_go = options.is_opening or not options.places
    may_bring = options.is_opening and options.has_room
    others = [*options.others, SOMEBODY_NEW] if may_bring else list(options.others)
    fields: dict[str, Any] = {
        "place": one_of([*options.places, NEW_PLACE] if may_go else options.places),
        "together_with": company_of(others),
        "changed": one_of_or_nothing(CHANGEABLE),
        "relationship": narrowed(Meeting, toward=one_of_or_nothing(options.toward)),
    }
    if options.events:
        fields["because_of"] = one_of_or_nothing(options.events)
    if may_go:
        fields["new_place"] = Title
    if may_bring:
        fields |= {"newcomer": Title, "newcomer_is": Phrase}
    if options.parts:
        fields["tells"] = one_of_or_nothing(options.parts)
    if options.is_closing:
        fields["opens"] = Phrase
        if options.threads:
            fields["closes"] = one_of_or_nothing(options.threads)
    return reduced(RoleAnswer, fields, OPTIONAL - fields.keys())


def company_of(others: Sequence[str]) -> Any:
    """Return the type of the list of people that a move brings together with its maker."""
    return list_of(one_of(others) if others else str, 0, min(MOST_COMPANY, len(others)))


def role_answer(answer: BaseModel) -> RoleAnswer:
    """Return an answer to `role_schema`, with the fields not asked for filled in as *nothing*."""
    return RoleAnswer.model_validate(answer.model_dump())


def named(choice: str) -> str | None:
    """Return what was chosen; None if the answer named nothing."""
    return None if choice == NOTHING else choice


LEAST_MOVES, MOST_MOVES = 3, 5


class PlotMove(Move):
    """What one person does in a plot by a single author: the fields of a role's answer.

    They are not inherited, because `who` must come first and some fields are left out.
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
    """A whole plot, with the new place and the new person named once, after the moves."""

    moves: list[PlotMove]
    new_place: Title
    newcomer: Title = NOTHING
    newcomer_is: Phrase = NOTHING
    closes: str = NOTHING
    opens: Phrase


@dataclass(frozen=True)
class PlotOptions:
    """What an author can name: `people` can act, `others` can be met; see `RoleOptions`."""

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
    """Return the answer of an author who can name only what exists; read it with `moves_of`."""
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
    """Yield who moves and what they add, as a relay would.

    The thread that the whole plot pays off or plants goes with its last move; the new person
    enters with the first move that meets somebody new.
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


class GoalAnswer(BaseModel):
    """One path that a chapter could take, and the thread or relationship it would move forward."""

    title: Title
    goal: Path
    moves: str = NOTHING
    """Asked only if there is something to move."""


class GoalsAnswer(BaseModel):
    """Clearly different paths for one chapter."""

    goals: list[GoalAnswer]

    @field_validator("goals", mode="wrap")
    @classmethod
    def _keeps_those_that_can_be_used(
        cls, said: Any, validate: ValidatorFunctionWrapHandler
    ) -> list[GoalAnswer]:
        """Return the usable paths, if there are any: the rest can be asked for again."""
        try:
            paths: list[GoalAnswer] = validate(said)
        except ValidationError as error:
            wrong = {problem["loc"][0] for problem in error.errors() if problem["loc"]}
            kept = [path for at, path in enumerate(said) if at not in wrong] if wrong else []
            if not kept:
                raise
            paths = validate(kept)
        return paths


def goals_schema(count: int, targets: Sequence[str] = ()) -> type[GoalsAnswer]:
    """Return the answer with at most `count` goals, each moving one of `targets`, or nothing.

    `count` are asked for; fewer remain if some cannot be used.
    """
    goal: type[BaseModel] = (
        narrowed(GoalAnswer, moves=one_of_or_nothing(targets))
        if targets
        else reduced(GoalAnswer, {}, {"moves"})
    )
    return narrowed(GoalsAnswer, goals=list_of(goal, 1, count, asked=count))


def paths_of(answer: GoalsAnswer) -> list[GoalAnswer]:
    """Return the paths of an answer, with the fields not asked for filled in as *nothing*."""
    return [GoalAnswer.model_validate(path.model_dump()) for path in answer.goals]


class ExitAnswer(BaseModel):
    """Whether the long-term goal is reached, with the events that show it."""

    reason: Sentence
    events: list[str]
    is_reached: bool


def exit_schema(events: Sequence[str]) -> type[ExitAnswer]:
    """Return the answer that can name only the labelled events as evidence."""
    return narrowed(ExitAnswer, events=list_of(one_of(events), 0, min(3, len(events))))
