"""What a candidate does as the lines of a card, each of one thing that could be taken alone. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graph_flow.views import CardLine
from store.deltas.names import Names
from store.deltas.sentences import Sentence, describe, field_words, value_words
from store.models.cast import Character, Relationship
from store.models.delta import Change, Delta, Operation
from store.models.plot import Event, Occurrence, Participation, Thread, ThreadState
from store.models.prototype import Snapshot

_SIGNS: dict[Operation, str] = {"add": "＋", "change": "±", "remove": "−"}
_OPENED = {ThreadState.PLANNED: "is to come", ThreadState.PAID_OFF: "opens and closes"}
_TIE_FIELDS = ("strength", "tie", "is_mutual", "awareness")
_STEPS = {
    ThreadState.PLANNED: ("±", "is to come"),
    ThreadState.PLANTED: ("±", "is planted"),
    ThreadState.PAID_OFF: ("✓", "closes"),
    ThreadState.DROPPED: ("−", "is let go"),
}


class CardLines(NamedTuple):
    """The lines of a card: what happens, in order, who changes, which threads move, and the rest."""

    happenings: tuple[CardLine, ...]
    people: tuple[CardLine, ...]
    threads: tuple[CardLine, ...]
    rest: tuple[CardLine, ...]


def lines_of(delta: Delta, before: Snapshot) -> CardLines:
    """Return a Delta as lines; `before` holds what it touches."""
    return _Reader(delta, before).lines()


class _Reader:
    def __init__(self, delta: Delta, before: Snapshot) -> None:
        self._delta = delta
        self._names = Names(before, delta)
        self._told: dict[str, list[Sentence]] = {}
        for sentence in describe(delta, before):
            self._told.setdefault(sentence.ids[0], []).append(sentence)

    def lines(self) -> CardLines:
        events = [one for one in self._delta.additions() if isinstance(one, Event)]
        happenings = [self._event(one) for one in sorted(events, key=lambda one: one.position)]
        groups: dict[str, list[CardLine]] = {"people": [], "threads": [], "rest": []}
        told = {event.id for event in events}
        for change in self._delta.changes:
            if change.id not in told and change.id in self._told:
                group, line = self._line(change)
                groups[group].append(line)
        return CardLines(tuple(happenings), *(tuple(lines) for lines in groups.values()))

    def _event(self, event: Event) -> CardLine:
        entities = list(self._delta.additions())
        parts = [one for one in entities if isinstance(one, Participation)]
        places = [one for one in entities if isinstance(one, Occurrence)]
        people = [self._names.of(one.character) for one in parts if one.event == event.id]
        scenes = [self._names.of(one.scene) for one in places if one.event == event.id]
        text = _happening(event, people, scenes[:1])
        return CardLine(id=event.id, mark="", title=event.title, text=text)

    def _line(self, change: Change) -> tuple[str, CardLine]:
        entity = change.entity
        if isinstance(entity, Relationship):
            return "people", CardLine(id=change.id, mark="", text=self._tie(change, entity))
        if isinstance(entity, Character):
            return "people", self._as_told(change)
        if isinstance(entity, Thread):
            return "threads", self._thread(change, entity)
        return "rest", self._as_told(change)

    def _as_told(self, change: Change) -> CardLine:
        sentences = self._told[change.id]
        text = " · ".join(sentence.text for sentence in sentences)
        return CardLine(id=change.id, mark=sentences[0].mark, text=text)

    def _tie(self, change: Change, tie: Relationship) -> str:
        """Tell a tie as "Mara ± Hale: distrust 7 → 4"."""
        source, target = self._names.of(tie.source), self._names.of(tie.target)
        words = f"{source} {_SIGNS[change.operation]} {target}: {tie.tie}"
        if change.after is None:
            return f"{words} is no more"
        told = f"{words} {tie.strength}" if change.before is None else words
        told += "".join(self._steps(change, tie))
        return f"{told} — {tie.reason}" if "reason" in change.fields and tie.reason else told

    def _steps(self, change: Change, tie: Relationship) -> Iterator[str]:
        for field in _TIE_FIELDS:
            if change.before is not None and field in change.fields:
                old, new = (value_words(one, field, self._names) for one in (change.before, tie))
                what = "" if field == "strength" else f", {field_words(field)}"
                yield f"{what} {old} → {new}"

    def _thread(self, change: Change, thread: Thread) -> CardLine:
        if change.after is None:
            return CardLine(id=thread.id, mark="−", text=f"{thread.title}: is let go")
        if change.before is None:
            words = _OPENED.get(thread.state, "opens")
            about = f" ({thread.description})" if thread.description else ""
            return CardLine(id=thread.id, mark="＋", text=f"{words}: {thread.title}{about}")
        if "state" not in change.fields:
            return self._as_told(change)
        mark, words = _STEPS[thread.state]
        return CardLine(id=thread.id, mark=mark, text=f"{words}: {thread.title}")


def _happening(event: Event, people: Sequence[str], scene: Sequence[str]) -> str:
    around = " — ".join(part for part in (", ".join(people), *scene) if part)
    return f"{event.summary} ({around})" if around else event.summary
