"""Answers of stage 2: scores by rule, each rule on its own scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    create_model,
)

from graph_flow.llm.parsing import AnswerError, parse_answer
from graph_flow.llm.schema import AnswerSchema, OneOf, Size, Sized
from graph_flow.prompting.text import ACCEPTED, Phrase, end_whole, tidy
from graph_flow.prompting.whole import LINE, WholeAnswer, WholeLine, WholeName, usable

WHOLE = "Why"
"""The part of an answer about a candidate as a whole; keys of rules begin in lower case."""

_SHOWN = 2
"""The most events named as evidence."""

_SHOWN_OF_WHOLE = 6
"""The most events of which a whole answer is read."""

_LENGTH = 80
"""The length of a reason that is asked for."""

_MODELS = 16
"""The models kept in the cache: a story uses the same one chapter after chapter."""

Tops = tuple[tuple[str, int], ...]

Reason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=ACCEPTED),
    AfterValidator(tidy),
    AfterValidator(lambda text: end_whole(text, _LENGTH)),
    Field(description="a few words", json_schema_extra={"maxLength": _LENGTH}),
]


@dataclass(frozen=True)
class ScoringRequest:
    """What the scorer is asked: candidates and rules, as its prompt names them.

    `events` holds the labels of each candidate's events, by the candidate's label; `tops` the top
    of each rule's scale, by key. With reasons, each score has its own, and the events that show it;
    without, each candidate has one reason, which keeps the answer of a small model short. An able
    model is asked for `is_whole`: reasons as long as they are, of which nothing is refused.
    """

    events: Mapping[str, Sequence[str]]
    tops: Mapping[str, int]
    with_reasons: bool
    is_whole: bool = False


@dataclass(frozen=True)
class RuleScore:
    """One rule's score of one candidate; `events` holds the labels of those that show it."""

    score: int
    reason: str = ""
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class CardScores:
    """One candidate's scores, by the keys of the rules, and the reason for it as a whole."""

    reason: str = ""
    rules: Mapping[str, RuleScore] = field(default_factory=dict)


def scores_schema(asked: ScoringRequest) -> AnswerSchema[BaseModel]:
    """Return the answer that scores every candidate on every rule; read it with `scores_of`."""
    if asked.is_whole:
        return AnswerSchema(_whole_model(tuple(asked.events), tuple(asked.tops.items())))
    return AnswerSchema(
        _model(tuple(asked.events), tuple(asked.tops.items()), asked.with_reasons),
        choices=asked.events,
        sizes={label: Size(0, min(_SHOWN, len(named))) for label, named in asked.events.items()},
    )


def scores_of(answer: BaseModel, asked: ScoringRequest) -> dict[str, CardScores]:
    """Return the scores in an answer to `scores_schema`, by candidate."""
    return _cards(answer.model_dump(by_alias=True), asked)


def salvaged(text: str, asked: ScoringRequest) -> dict[str, CardScores]:
    """Return the usable parts of an answer that is unusable as a whole, by candidate.

    A score that is missing or out of range is left out, never moved into range. A rule without a
    score for every candidate is left out too, because the scores would not be comparable.
    """
    try:
        said = parse_answer(text, AnswerSchema(_AnyScores))
    except AnswerError:
        return {}
    cards = _cards(said.model_dump(), asked)
    shared = set(asked.tops).intersection(*(card.rules for card in cards.values()))
    if not shared:
        return {}
    return {
        label: CardScores(
            card.reason, {key: card.rules[key] for key in asked.tops if key in shared}
        )
        for label, card in cards.items()
    }


class _AnyScores(BaseModel):
    model_config = ConfigDict(extra="allow")


@lru_cache(maxsize=_MODELS)
def _model(labels: tuple[str, ...], tops: Tops, with_reasons: bool) -> type[BaseModel]:
    cards: dict[str, Any] = {
        label: (_card(tops, label if with_reasons else None), ...) for label in labels
    }
    return create_model("ScoresAnswer", **cards)


def _card(tops: Tops, label: str | None) -> type[BaseModel]:
    """Return the answer about one candidate. Any word may be a rule's key, so keys are aliases."""
    types = {top: _rule_type(top, label) for top in dict(tops).values()}
    fields: dict[str, Any] = {"whole": (Phrase, Field(alias=WHOLE))}
    for place, (key, top) in enumerate(tops):
        fields[f"rule_{place}"] = (types[top], Field(alias=key))
    return create_model("CandidateScores", **fields)


@lru_cache(maxsize=_MODELS)
def _whole_model(labels: tuple[str, ...], tops: Tops) -> type[BaseModel]:
    rules = {top: _whole_rule(top) for top in dict(tops).values()}
    fields: dict[str, Any] = {"whole": (WholeLine, Field(alias=WHOLE, default=""))}
    for place, (key, top) in enumerate(tops):
        fields[f"rule_{place}"] = (rules[top], Field(alias=key))
    card = create_model("CandidateScores", __base__=WholeAnswer, **fields)
    cards: dict[str, Any] = dict.fromkeys(labels, (card, ...))
    return create_model("ScoresAnswer", __base__=WholeAnswer, **cards)


def _whole_rule(top: int) -> Any:
    score = Annotated[int, Field(ge=1, le=top), BeforeValidator(_no_truth)]
    shown = Annotated[tuple[WholeName, ...], usable(_SHOWN_OF_WHOLE)]
    rule = create_model(
        "RuleAnswer",
        __base__=WholeAnswer,
        events=(shown, ()),
        reason=(WholeLine, ""),
        score=(score, ...),
    )
    return Annotated[rule, BeforeValidator(_as_rule)]


def _as_rule(said: object) -> object:
    """Return what was said of a rule; a number alone is its score."""
    return said if isinstance(said, dict) else {"score": said}


def _rule_type(top: int, label: str | None) -> Any:
    """Return the answer about one rule; with a candidate's label, it has a reason and events."""
    score = Annotated[int, Field(ge=1, le=top), BeforeValidator(_no_truth)]
    if label is None:
        return score
    shown = Annotated[list[Annotated[str, OneOf(label)]], Sized(label)]
    return create_model("RuleAnswer", events=(shown, ...), reason=(Reason, ...), score=(score, ...))


def _no_truth(value: object) -> object:
    """Refuse true and false, which would pass for 1 and 0."""
    if isinstance(value, bool):
        raise ValueError("give a number")
    return value


def _cards(said: Mapping[str, Any], asked: ScoringRequest) -> dict[str, CardScores]:
    cards = {}
    for label, events in asked.events.items():
        card = said.get(label)
        card = card if isinstance(card, dict) else {}
        rules = {key: score for key, score in _scores(card, asked, events)}
        cards[label] = CardScores(_text(card.get(WHOLE), asked), rules)
    return cards


def _scores(
    card: Mapping[str, Any], asked: ScoringRequest, events: Sequence[str]
) -> Iterator[tuple[str, RuleScore]]:
    for key, top in asked.tops.items():
        said = card.get(key)
        parts = said if isinstance(said, dict) else {"score": said}
        score = _number(parts.get("score"), top)
        if score is not None:
            named = parts.get("events")
            shown = (
                [one for one in named if one in events] if isinstance(named, list | tuple) else []
            )
            yield (
                key,
                RuleScore(score, _text(parts.get("reason"), asked), tuple(dict.fromkeys(shown))),
            )


def _number(value: object, top: int) -> int | None:
    """Return a score within its range; None for anything else."""
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 1 <= value <= top else None


def _text(value: object, asked: ScoringRequest) -> str:
    length = LINE if asked.is_whole else _LENGTH
    return end_whole(tidy(value)[:ACCEPTED].strip(), length) if isinstance(value, str) else ""
