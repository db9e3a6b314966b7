"""Candidates as cards: what happens, what changes, warnings and scores. Nothing here writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from graph_flow.cognition.continuity.check import check_nearby
from graph_flow.views import CandidateView, CardLine, Circle, FindingView, finding_views
from store.deltas.delta import replay
from store.deltas.locks import fit
from store.deltas.names import Names
from store.deltas.sentences import Sentence, describe, value_words
from store.models.cast import Character, Relationship
from store.models.delta import Change, Delta, Operation
from store.models.fields import field_words
from store.models.plot import Event, Occurrence, Participation, Thread, ThreadState
from store.models.proposals import Candidate, CandidateState, Goal
from store.models.prototype import Snapshot
from store.open import Store
from store.prototype.excerpts import joined
from store.text import clip

_DRAWN = 6
"""The most people in the picture of a card, which is small."""

_SHORT = 120
"""How much of what is said, thought or believed a card shows."""

_NO_ANSWER = "No usable answer came."


def best_of(candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the candidate with the best scores, for the page and for autopilot alike.

    Of several with the same score, the first is the best; pass them in the order of their goals.
    Unfinished candidates do not count, and those the scorer has read come before those it has not.
    If it has read none, the continuity check decides, then how much happens.
    """
    finished = [one for one in candidates if one.state is not CandidateState.GIVEN_UP]
    return max(finished, key=_worth, default=None)


def _worth(candidate: Candidate) -> tuple[bool, float, int]:
    # The last digits of a weighted mean are rounding noise.
    total = round(candidate.total or 0.0, 6)
    changes = 0 if candidate.is_judged else len(candidate.delta.changes)
    return candidate.is_judged, total, changes


def _is_offered(candidate: Candidate) -> bool:
    """Return whether a candidate has been scored and still waits for a choice."""
    return candidate.state is CandidateState.PROPOSED and candidate.is_judged


class CandidateReader:
    """Reads the candidates of one chapter, against the story as it is before that chapter.

    The cost depends on what the candidates touch, not on the length of the story. Continuity is
    checked only until the chapter is plotted; after that, its findings are the story's.
    """

    def __init__(self, store: Store, branch_id: str, chapter: int) -> None:
        head = store.prototype.head(branch_id)
        self._store = store
        self._branch = branch_id
        self._chapter = chapter
        self._is_next = head is not None and head.chapter == chapter - 1

    def views(self, round_: int | None = None) -> list[CandidateView]:
        """Return the candidates of one round as cards, or of all rounds, the newest first."""
        return self.cards(self._store.proposals.candidates(self._branch, self._chapter, round_))

    def cards(self, candidates: Sequence[Candidate]) -> list[CandidateView]:
        """Return candidates that have been read already as cards, the newest round first."""
        newest = max((candidate.round for candidate in candidates), default=0)
        best = best_of([one for one in candidates if one.round == newest])
        in_order = sorted(candidates, key=lambda one: -one.round)
        return [
            view.model_copy(update={"is_best": candidate is best and _is_offered(candidate)})
            for candidate, view in zip(in_order, self._views(in_order), strict=True)
        ]

    def preview(self, candidate: Candidate, notes: tuple[str, ...]) -> CandidateView:
        """Return a candidate that is not saved yet as a card."""
        [view] = self._views([candidate])
        return view.model_copy(update={"notes": notes})

    def _views(self, candidates: Sequence[Candidate]) -> list[CandidateView]:
        """Return as much of these candidates as the present story allows.

        The parts of the story that they touch are read together.
        """
        if not candidates:
            return []
        before = self.before(*(one.delta for one in candidates))
        # The writer may have edited or locked something since they were made.
        fitted = [_Fitted(one, *fit(one.delta, before)) for one in candidates]
        findings = self._findings(fitted)
        around = joined(before, self._relationships_among(fitted))
        goals = self._goals(candidates)
        return [
            self._view(one, goals[one.candidate.goal], around, found)
            for one, found in zip(fitted, findings, strict=True)
        ]

    def _view(
        self, fitted: _Fitted, goal: Goal, before: Snapshot, findings: tuple[FindingView, ...]
    ) -> CandidateView:
        candidate, delta, refused = fitted
        lines = lines_of(delta, before)
        return CandidateView(
            candidate=candidate,
            goal=goal,
            happenings=lines.happenings,
            people=lines.people,
            threads=lines.threads,
            rest=lines.rest,
            warnings=(*_refused(candidate), *refused),
            skipped=tuple(_skipped(candidate)),
            findings=findings,
            circle=_circle(delta, before, self._chapter),
            is_best=False,
        )

    def before(self, *deltas: Delta) -> Snapshot:
        """Return the part of the story before the chapter that some Deltas touch."""
        return self._store.prototype.around(self._branch, deltas, self._chapter - 1)

    def _findings(self, fitted: Sequence[_Fitted]) -> list[tuple[FindingView, ...]]:
        """Return, for each candidate, where it would break the story's continuity."""
        if not self._is_next:
            return [() for _ in fitted]
        proposed = [one.candidate.delta for one in fitted]
        fitting = [one.delta for one in fitted]
        near = self._store.vicinity.of(self._branch, [*proposed, *fitting], self._chapter - 1)
        found = check_nearby(near, proposed, fitting)
        if not any(found):
            return [() for _ in fitted]
        story = self._store.library.branch(self._branch).story
        reasons = self._store.intended.reasons(story)
        return [finding_views(story, some, reasons) for some in found]

    def _relationships_among(self, fitted: Iterable[_Fitted]) -> Snapshot:
        """Return the relationships among those who are in the pictures, and these people."""
        groups = [_drawn(one.delta) for one in fitted if _relating(one.delta)]
        return self._store.excerpts.among(self._branch, self._chapter - 1, groups)

    def _goals(self, candidates: Sequence[Candidate]) -> dict[str, Goal]:
        """Return the goals of candidates by id."""
        known = {one.id: one for one in self._store.proposals.goals(self._branch, self._chapter)}
        lacking = {one.goal for one in candidates} - known.keys()
        return known | {id_: self._store.proposals.goal(id_) for id_ in lacking}


class _Fitted(NamedTuple):
    """A candidate, as much of it as the story takes now, and what the story's locks refuse."""

    candidate: Candidate
    delta: Delta
    refused: tuple[str, ...]


def _relating(delta: Delta) -> tuple[Change, ...]:
    """Return the changes of people and of their relationships."""
    return tuple(one for one in delta.changes if one.kind in {"character", "relationship"})


def _drawn(delta: Delta) -> list[str]:
    return _touched(delta)[:_DRAWN]


def _circle(delta: Delta, earlier: Snapshot, chapter: int) -> Circle | None:
    changes = _relating(delta)
    if not changes:
        return None
    people = frozenset(_drawn(delta))
    later = replay(earlier, Delta(changes=changes), chapter)
    return Circle(
        before=_among(earlier, people),
        after=_among(later, people),
        others=len(_touched(delta)) - len(people),
    )


def _touched(delta: Delta) -> list[str]:
    """Return the people a Delta touches, those who change or whose relationships do first."""
    weights: Counter[str] = Counter()
    for change in delta.changes:
        entity = change.entity
        if isinstance(entity, Relationship):
            weights.update({entity.source: 20, entity.target: 20})
        elif isinstance(entity, Character):
            weights[entity.id] += 10
        elif isinstance(entity, Participation):
            weights[entity.character] += 1
    return [person for person, _ in weights.most_common()]


def _among(snapshot: Snapshot, people: frozenset[str]) -> Snapshot:
    kept = {
        id_: entity
        for id_, entity in snapshot.entities.items()
        if id_ in people
        or (isinstance(entity, Relationship) and {entity.source, entity.target} <= people)
    }
    return snapshot.model_copy(update={"entities": kept})


def _refused(candidate: Candidate) -> Iterator[str]:
    for turn in candidate.turns:
        for sentence in turn.refused:
            yield f"{turn.name} tried to change what you locked. {sentence}"


def _skipped(candidate: Candidate) -> Iterator[str]:
    for turn in candidate.turns:
        if turn.is_skipped:
            yield f"{turn.name} was left out: {turn.problem or _NO_ANSWER}"


_SIGNS: dict[Operation, str] = {"add": "+", "change": "±", "remove": "−"}
_OPENED = {ThreadState.PLANNED: "is planned", ThreadState.PAID_OFF: "opens and closes"}
_RELATIONSHIP_FIELDS = ("strength", "tie", "is_mutual", "awareness")
_STEPS = {
    ThreadState.PLANNED: ("±", "is planned"),
    ThreadState.PLANTED: ("±", "is planted"),
    ThreadState.PAID_OFF: ("−", "closes"),
    ThreadState.DROPPED: ("−", "is dropped"),
}


class CardLines(NamedTuple):
    """The lines of a card: what happens, in order, who changes, which threads move, the rest."""

    happenings: tuple[CardLine, ...]
    people: tuple[CardLine, ...]
    threads: tuple[CardLine, ...]
    rest: tuple[CardLine, ...]


def lines_of(delta: Delta, before: Snapshot) -> CardLines:
    """Return a Delta as lines of a card; `before` holds what it touches."""
    return _Reader(delta, before).lines()


class _Reader:
    def __init__(self, delta: Delta, before: Snapshot) -> None:
        self._delta = delta
        self._names = Names(before, delta)
        self._sentences: dict[str, list[Sentence]] = {}
        for sentence in describe(delta, before):
            self._sentences.setdefault(sentence.ids[0], []).append(sentence)

    def lines(self) -> CardLines:
        events = [one for one in self._delta.additions() if isinstance(one, Event)]
        happenings = [self._event(one) for one in sorted(events, key=lambda one: one.position)]
        groups: dict[str, list[CardLine]] = {"people": [], "threads": [], "rest": []}
        shown = {event.id for event in events}
        for change in self._delta.changes:
            if change.id not in shown and change.id in self._sentences:
                group, line = self._line(change)
                groups[group].append(line)
        return CardLines(tuple(happenings), *(tuple(lines) for lines in groups.values()))

    def _event(self, event: Event) -> CardLine:
        entities = list(self._delta.additions())
        parts = [one for one in entities if isinstance(one, Participation)]
        places = [one for one in entities if isinstance(one, Occurrence)]
        there = [one for one in parts if one.event == event.id]
        people = [self._names.of(one.character) for one in there]
        scenes = [self._names.of(one.scene) for one in places if one.event == event.id]
        unseen = filter(None, (self._unseen(one) for one in there))
        text = " · ".join((_happening(event, people, scenes[:1]), *unseen))
        return CardLine(id=event.id, mark="", title=event.title, text=text)

    def _unseen(self, part: Participation) -> str:
        """Return what only one person knows of an event: what they think, or come to believe."""
        said = {"thinks": part.inner, "believes now": part.learned}
        texts = [f"{word}: {clip(text, _SHORT)}" for word, text in said.items() if text]
        return f"{self._names.of(part.character)} {', '.join(texts)}" if texts else ""

    def _line(self, change: Change) -> tuple[str, CardLine]:
        entity = change.entity
        if isinstance(entity, Relationship):
            return "people", CardLine(
                id=change.id, mark="", text=self._relationship(change, entity)
            )
        if isinstance(entity, Character):
            return "people", self._described(change)
        if isinstance(entity, Thread):
            return "threads", self._thread(change, entity)
        return "rest", self._described(change)

    def _described(self, change: Change) -> CardLine:
        sentences = self._sentences[change.id]
        text = " · ".join(sentence.text for sentence in sentences)
        return CardLine(id=change.id, mark=sentences[0].mark, text=text)

    def _relationship(self, change: Change, relationship: Relationship) -> str:
        """Describe a relationship as "Mara ± Hale: distrust 4 (before: 7)"."""
        source, target = self._names.of(relationship.source), self._names.of(relationship.target)
        words = f"{source} {_SIGNS[change.operation]} {target}: {relationship.words}"
        if change.after is None:
            return f"{words} ends"
        text = f"{words} {relationship.strength}" if change.before is None else words
        text += "".join(self._steps(change, relationship))
        return (
            f"{text} — {relationship.reason}"
            if "reason" in change.fields and relationship.reason
            else text
        )

    def _steps(self, change: Change, relationship: Relationship) -> Iterator[str]:
        for field in _RELATIONSHIP_FIELDS:
            if change.before is not None and field in change.fields:
                old, new = (
                    value_words(one, field, self._names) for one in (change.before, relationship)
                )
                what = "" if field == "strength" else f", {field_words(relationship, field)}"
                yield f"{what} {new} (before: {old})"

    def _thread(self, change: Change, thread: Thread) -> CardLine:
        if change.after is None:
            return CardLine(id=thread.id, mark="−", text=f"is dropped: {thread.title}")
        if change.before is None:
            words = _OPENED.get(thread.state, "opens")
            about = f" ({thread.description})" if thread.description else ""
            return CardLine(id=thread.id, mark="+", text=f"{words}: {thread.title}{about}")
        if "state" not in change.fields:
            return self._described(change)
        mark, words = _STEPS[thread.state]
        return CardLine(id=thread.id, mark=mark, text=f"{words}: {thread.title}")


def _happening(event: Event, people: Sequence[str], scene: Sequence[str]) -> str:
    around = " — ".join(part for part in (", ".join(people), *scene) if part)
    told = f"{event.summary} ({around})" if around else event.summary
    return f"{told} · {clip(event.spoken, _SHORT)}" if event.spoken else told
