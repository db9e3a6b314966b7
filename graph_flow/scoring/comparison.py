"""How candidates are shown to the scorer: their order, labels and length. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from graph_flow.cognition.memory import person_line
from graph_flow.cognition.omniscient import aim_lines
from graph_flow.prompting.text import shortened
from graph_flow.scoring.answers import ScoringRequest
from store.deltas.names import Names
from store.models.delta import Delta
from store.models.plot import Event, Part, Participation
from store.models.proposals import Candidate
from store.models.prototype import Snapshot
from store.models.scoring import USUAL, ScoringRule
from store.text import without_middle

_PEOPLE = 12
"""The most people who are introduced."""

_TOKENS_OF_PEOPLE, _LEAST_OF_EACH = 500, 60
"""Tokens that introduce people to an able model; characters to which a text is cut at most."""


@dataclass(frozen=True)
class Entrant:
    """A candidate as the scorer sees it. `events` holds the ids of its events, by label.

    `told` is the text of a chapter that was told before its plot; empty if it was not.
    """

    label: str
    candidate: Candidate
    events: Mapping[str, str]
    told: str = ""


def line_up(candidates: Sequence[Candidate], seed: str, told: Mapping[str, str]) -> list[Entrant]:
    """Return candidates in an order that depends only on the seed, each with its labels.

    `told` holds the texts of chapters that have been told, by the candidate's id.

    A scorer that prefers what it reads first, or last, then does not always favour the same goal.
    At most 26 candidates are compared, one for each letter.
    """
    places = sorted(range(len(candidates)), key=lambda place: _lot(seed, place))
    return [
        Entrant(label, one, _labels(label, one.delta), told.get(one.id, ""))
        for label, one in zip(ascii_uppercase, (candidates[at] for at in places), strict=False)
    ]


@dataclass(frozen=True)
class Comparison:
    """What the scorer compares, and by which rules. `around` names the people who take part.

    With reasons, it is shown more and asked for more; an able model, for `is_whole`, still more.
    """

    entrants: Sequence[Entrant]
    rules: Sequence[ScoringRule]
    around: Snapshot
    with_reasons: bool
    is_whole: bool = False

    @property
    def asked(self) -> ScoringRequest:
        """The form that its answer must have."""
        return ScoringRequest(
            events={one.label: tuple(one.events) for one in self.entrants},
            tops={rule.key: rule.top for rule in self.rules},
            with_reasons=self.with_reasons,
            is_whole=self.is_whole,
        )

    def rule_lines(self) -> list[str]:
        """Return a line for each rule."""
        return [rule_line(rule) for rule in self.rules]

    def candidate_lines(self, tokens: int) -> list[str]:
        """Return what happens in each candidate, in about so many tokens altogether."""
        each = tokens // max(1, len(self.entrants))
        if self.is_whole:
            return [
                tell_as_read(one, self.around) if one.told else tell_wholly(one, self.around, each)
                for one in self.entrants
            ]
        if self.with_reasons:
            return [tell_by_event(one, self.around, each) for one in self.entrants]
        return [tell_briefly(one, each) for one in self.entrants]

    def people(self) -> list[str]:
        """Return a line for each person who takes part in a candidate."""
        there = people_in(one.candidate.delta for one in self.entrants)
        people = [one for one in self.around.characters if one.id in there][:_PEOPLE]
        if self.is_whole:
            return aim_lines(lambda line: [line(one) for one in people], _TOKENS_OF_PEOPLE)
        return [person_line(one) for one in people]


def tell_briefly(entrant: Entrant, tokens: int) -> str:
    """Return a candidate in one line: its title and what happens."""
    summaries = shortened([event.summary for event in events_in(entrant.candidate.delta)], tokens)
    return f"{entrant.label}. {entrant.candidate.title}: {' '.join(summaries)}"


def tell_by_event(entrant: Entrant, around: Snapshot, tokens: int) -> str:
    """Return a candidate in several lines: its title, then each event with its label and people."""
    events = events_in(entrant.candidate.delta)
    return _told(entrant, around, shortened([event.summary for event in events], tokens))


def tell_wholly(entrant: Entrant, around: Snapshot, tokens: int) -> str:
    """Return a candidate as `tell_by_event` does, with what is said, thought and found out in its events."""
    delta = entrant.candidate.delta
    events, minds = events_in(delta), _minds(delta)
    seen, heard, meant = (
        shortened(texts, int(tokens * share), _LEAST_OF_EACH, without_middle)
        for texts, share in (
            ([event.summary for event in events], 0.4),
            ([event.spoken for event in events], 0.4),
            ([minds.get(event.id, "") for event in events], 0.2),
        )
    )
    lines = [
        " ".join(filter(None, (one, said, thought and f"({thought})")))
        for one, said, thought in zip(seen, heard, meant, strict=True)
    ]
    return _told(entrant, around, lines)


def tell_as_read(entrant: Entrant, around: Snapshot) -> str:
    """Return a candidate as it will be read, under the title of each of its events."""
    titles = [event.title for event in events_in(entrant.candidate.delta)]
    return f"{_told(entrant, around, titles)}\nIts text:\n{entrant.told}"


def _told(entrant: Entrant, around: Snapshot, texts: Sequence[str]) -> str:
    delta = entrant.candidate.delta
    names, company = Names(around, delta), _company(delta)
    lines = [f"{entrant.label}. {entrant.candidate.title}"]
    for (label, event), text in zip(entrant.events.items(), texts, strict=True):
        people = ", ".join(names.of(person) for person in company.get(event, ()))
        lines.append(f"{label} ({people}): {text}" if people else f"{label} {text}")
    return "\n".join(lines)


def _minds(delta: Delta) -> dict[str, str]:
    """Return what whoever acts in an event thinks and comes upon, by the event's id."""
    acting = [
        one for one in delta.additions() if isinstance(one, Participation) and one.part is Part.ACTS
    ]
    return {
        part.event: "; ".join(
            f"{does}: {what.rstrip('.')}"
            for does, what in (("thinks", part.inner), ("learns", part.learned))
            if what
        )
        for part in acting
    }


def rule_line(rule: ScoringRule) -> str:
    """Return a rule as the scorer reads it: key, question, and its scale if unusual."""
    name = "" if rule.is_general else f" ({rule.name})"
    return f"{rule.key}{name}: {rule.question or rule.name}{_scale(rule)}"


def people_in(deltas: Iterable[Delta]) -> set[str]:
    """Return the ids of the people who take part in what happens."""
    parts = (change.after for delta in deltas for change in delta.changes)
    return {part.character for part in parts if isinstance(part, Participation)}


def events_in(delta: Delta) -> list[Event]:
    """Return the events that a candidate adds, in order."""
    events = [entity for entity in delta.additions() if isinstance(entity, Event)]
    return sorted(events, key=lambda event: event.position)


def _lot(seed: str, place: int) -> str:
    return hashlib.sha256(f"{seed}/{place}".encode()).hexdigest()


def _labels(label: str, delta: Delta) -> dict[str, str]:
    return {f"{label}{at}": event.id for at, event in enumerate(events_in(delta), start=1)}


def _company(delta: Delta) -> dict[str, list[str]]:
    company: dict[str, list[str]] = {}
    for entity in delta.additions():
        if isinstance(entity, Participation):
            company.setdefault(entity.event, []).append(entity.character)
    return company


def _scale(rule: ScoringRule) -> str:
    low, high = rule.low.rstrip("."), rule.high.rstrip(".")
    if not (low or high or rule.top != USUAL):
        return ""
    lowest, highest = (
        f"1 = {low}" if low else "1",
        f"{rule.top} = {high}" if high else f"{rule.top}",
    )
    return f" (from {lowest} to {highest})"
