"""Answers of stage 2: goals, a role's moves, a single author's plot, and the exit check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)

from graph_flow.llm.schema import (
    NOTHING,
    AnswerModel,
    AnswerSchema,
    IfNotAsked,
    OneOf,
    Size,
    Sized,
    or_nothing,
)
from graph_flow.prompting.text import Answer, Path, Phrase, Sentence, Sentences, Title
from graph_flow.prompting.whole import WholeAnswer, WholeLine, WholeName, usable
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

Company = Annotated[list[Annotated[str, OneOf("company")]], Sized("company")]
"""The people that a move brings together with the one who makes it."""

Remembered = Annotated[str, OneOf("events"), IfNotAsked(NOTHING)]
"""What a move comes from; asked only if something is remembered."""

Told = Annotated[str, OneOf("parts"), IfNotAsked(NOTHING)]
"""What a move tells of the outline; asked only if the outline has something for the chapter."""

Closed = Annotated[str, OneOf("threads"), IfNotAsked(NOTHING)]
"""The thread that is paid off; asked only if there is one that could be."""


class Meeting(BaseModel):
    """How a role's relationship to another person changes."""

    toward: Annotated[str, OneOf("toward")]
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
        company = said.get("together_with")
        if not isinstance(company, list) or SOMEBODY_NEW not in company:
            instead |= {"newcomer": NOTHING, "newcomer_is": NOTHING}
        return said | {name: text for name, text in instead.items() if name in said}


class RoleAnswer(Move):
    """What one role adds: its own move, its feeling, and the consequence."""

    title: Title
    action: Sentences
    place: Annotated[str, OneOf("places")]
    together_with: Company
    emotion: Phrase
    consequence: Phrase
    changed: Annotated[str, OneOf("changeable")]
    change: Phrase
    relationship: Meeting
    because_of: Remembered
    new_place: Annotated[Title, IfNotAsked(NEW_PLACE)]
    """Asked only of the role that opens a relay."""
    newcomer: Annotated[Title, IfNotAsked(NOTHING)]
    newcomer_is: Annotated[Phrase, IfNotAsked(NOTHING)]
    """The name of somebody new and who they are; asked only if the cast has room for one more."""
    tells: Told
    closes: Closed
    opens: Annotated[Phrase, IfNotAsked(NOTHING)]
    """Asked only of the role that closes a relay."""


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


def role_schema(options: RoleOptions) -> AnswerSchema[RoleAnswer]:
    """Return the answer of a role that can name only what its character can know."""
    may_go = options.is_opening or not options.places
    may_bring = options.is_opening and options.has_room
    asked = {
        "because_of": bool(options.events),
        "new_place": may_go,
        "newcomer": may_bring,
        "newcomer_is": may_bring,
        "tells": bool(options.parts),
        "closes": options.is_closing and bool(options.threads),
        "opens": options.is_closing,
    }
    company = [*options.others, SOMEBODY_NEW] if may_bring else options.others
    return AnswerSchema(
        RoleAnswer,
        choices=_choices_of(options, company)
        | {"places": [*options.places, NEW_PLACE] if may_go else options.places},
        sizes={"company": company_size(company)},
        without={name for name, is_asked in asked.items() if not is_asked},
    )


def company_size(others: Sequence[str]) -> Size:
    """Return how many of the others a move can bring together with its maker."""
    return Size(0, min(MOST_COMPANY, len(others)))


def named(choice: str) -> str | None:
    """Return what was chosen; None if the answer named nothing."""
    return None if choice == NOTHING else choice


LEAST_MOVES, MOST_MOVES = 3, 5


class PlotMove(Move):
    """What one person does in a plot by a single author: the fields of a role's answer.

    They are not inherited, because `who` must come first and some fields are left out.
    """

    who: Annotated[str, OneOf("people")]
    title: Title
    action: Sentences
    place: Annotated[str, OneOf("places")]
    together_with: Company
    emotion: Phrase
    consequence: Phrase
    changed: Annotated[str, OneOf("changeable")]
    change: Phrase
    relationship: Meeting
    because_of: Remembered
    tells: Told


class PlotAnswer(AnswerModel):
    """A whole plot, with the new place and the new person named once, after the moves."""

    moves: Annotated[list[PlotMove], Sized("moves")]
    new_place: Title
    newcomer: Annotated[Title, IfNotAsked(NOTHING)]
    newcomer_is: Annotated[Phrase, IfNotAsked(NOTHING)]
    closes: Closed
    opens: Phrase

    @model_validator(mode="after")
    def _says_nothing_twice(self) -> Self:
        """Check that its moves stand together with what is named once, while it can be asked again."""
        for _ in moves_of(self):
            pass
        return self


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


def plot_schema(options: PlotOptions) -> AnswerSchema[PlotAnswer]:
    """Return the answer of an author who can name only what exists; read it with `moves_of`."""
    company = [*options.others, SOMEBODY_NEW] if options.has_room else options.others
    asked = {
        "because_of": bool(options.events),
        "tells": bool(options.parts),
        "newcomer": options.has_room,
        "newcomer_is": options.has_room,
        "closes": bool(options.threads),
    }
    return AnswerSchema(
        PlotAnswer,
        choices=_choices_of(options, company)
        | {"people": options.people, "places": [*options.places, NEW_PLACE]},
        sizes={"moves": Size(LEAST_MOVES, options.most_moves), "company": company_size(company)},
        without={name for name, is_asked in asked.items() if not is_asked},
    )


def _choices_of(
    options: RoleOptions | PlotOptions, company: Sequence[str]
) -> dict[str, Sequence[str]]:
    return {
        "company": company,
        "changeable": or_nothing(CHANGEABLE),
        "toward": or_nothing(options.toward),
        "events": or_nothing(options.events),
        "parts": or_nothing(options.parts),
        "threads": or_nothing(options.threads),
    }


def moves_of(plot: PlotAnswer) -> Iterator[tuple[str, RoleAnswer]]:
    """Yield who moves and what they add, as a relay would.

    The thread that the whole plot pays off or plants goes with its last move; the new person
    enters with the first move that meets somebody new.
    """
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


class GoalAnswer(AnswerModel):
    """One path that a chapter could take, and the thread or relationship it would move forward."""

    title: Title
    goal: Path
    moves: Annotated[str, OneOf("targets"), IfNotAsked(NOTHING)]
    """Asked only if there is something to move."""


class GoalsAnswer(BaseModel):
    """Clearly different paths for one chapter."""

    goals: Annotated[list[GoalAnswer], Sized("goals")]

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


def goals_schema(count: int, targets: Sequence[str] = ()) -> AnswerSchema[GoalsAnswer]:
    """Return the answer with at most `count` goals, each moving one of `targets`, or nothing.

    `count` are asked for; fewer remain if some cannot be used.
    """
    return AnswerSchema(
        GoalsAnswer,
        choices={"targets": or_nothing(targets)},
        sizes={"goals": Size(1, count, asked=count)},
        without=frozenset() if targets else {"moves"},
    )


MOST_EVIDENCE = 3
"""The most events that show that the goal is reached."""


class ExitAnswer(BaseModel):
    """Whether the long-term goal is reached, with the events that show it."""

    reason: Sentence
    events: Annotated[list[Annotated[str, OneOf("events")]], Sized("events")]
    is_reached: bool


def exit_schema(events: Sequence[str]) -> AnswerSchema[ExitAnswer]:
    """Return the answer that can name only the labelled events as evidence."""
    most = min(MOST_EVIDENCE, len(events))
    return AnswerSchema(ExitAnswer, choices={"events": events}, sizes={"events": Size(0, most)})


class WholeExit(WholeAnswer):
    """The same, of an able model."""

    reason: WholeLine = ""
    events: Annotated[tuple[WholeName, ...], usable(MOST_EVIDENCE)] = ()
    is_reached: bool


WHOLE_EXIT = AnswerSchema(WholeExit)
