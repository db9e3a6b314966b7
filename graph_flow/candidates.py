"""Candidates as cards: what each would make happen and change, what to mind, what it is worth. Nothing here writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graph_flow.continuity.checker import ContinuityChecker
from graph_flow.reading import finding_views
from graph_flow.views import CandidateView, ChangeLine, FindingView
from store.delta import describe
from store.locks import without_locked
from store.models.delta import Delta
from store.models.plot import Event, Occurrence, Participation
from store.models.proposals import Candidate, CandidateState
from store.models.prototype import Snapshot
from store.naming import Names
from store.open import Store
from store.rebase import rebase


def candidate_views(
    store: Store, continuity: ContinuityChecker, branch_id: str, chapter: int
) -> list[CandidateView]:
    """Return all candidates of a chapter as cards, the newest round first.

    Continuity is checked while the chapter is yet to come; later its findings are the story's.
    """
    candidates = store.proposals.candidates(branch_id, chapter)
    if not candidates:
        return []
    reader = _CandidateReader(store, continuity, branch_id, chapter)
    newest = max(candidate.round for candidate in candidates)
    best = _best([one for one in candidates if one.round == newest])
    return [
        reader.view(candidate, is_best=candidate is best)
        for candidate in sorted(candidates, key=lambda one: -one.round)
    ]


def _best(candidates: list[Candidate]) -> Candidate | None:
    open_ones = [one for one in candidates if one.state is CandidateState.PROPOSED and one.scores]
    return max(open_ones, key=lambda one: one.total or 0.0, default=None)


class _CandidateReader:
    """Reads the candidates of one chapter, on the story as it stands before it."""

    def __init__(
        self, store: Store, continuity: ContinuityChecker, branch_id: str, chapter: int
    ) -> None:
        head = store.prototype.head(branch_id)
        self._store = store
        self._continuity = continuity
        self._branch = branch_id
        self._before = store.prototype.snapshot(branch_id, chapter - 1)
        self._is_next = head is not None and head.chapter == chapter - 1
        self._story = store.library.branch(branch_id).story
        self._reasons = store.intended.reasons(self._story)

    def view(self, candidate: Candidate, *, is_best: bool) -> CandidateView:
        """Return a candidate as a card: as much of it as the story, as it is now, allows."""
        before = self._before
        # The writer may have edited or locked something since it was woven.
        delta, refused = without_locked(rebase(candidate.delta, before), before)
        return CandidateView(
            candidate=candidate,
            goal=self._store.proposals.goal(candidate.goal),
            happenings=happenings_of(delta, before),
            changes=tuple(
                ChangeLine(mark=one.mark, text=one.text)
                for one in describe(delta, before)
                if one.kind not in {"event", "participation", "occurrence"}
            ),
            warnings=(*_warnings(candidate), *refused),
            findings=self._findings(candidate.delta, delta),
            total=candidate.total,
            is_best=is_best,
        )

    def _findings(self, proposed: Delta, fitting: Delta) -> tuple[FindingView, ...]:
        if not self._is_next:
            return ()
        found = self._continuity.of_candidate(self._branch, proposed, fitting)
        return finding_views(self._story, found, self._reasons)


def _warnings(candidate: Candidate) -> Iterator[str]:
    for turn in candidate.turns:
        if turn.is_skipped:
            yield f"{turn.name} gave no answer that could be used."
        for sentence in turn.refused:
            yield f"{turn.name} tried to change what you locked. {sentence}"


def happenings_of(delta: Delta, before: Snapshot) -> tuple[str, ...]:
    """Return the events that a Delta adds, in order, each with who has a part in it and where."""
    added = list(delta.additions())
    names = Names(before, delta)
    parts: dict[str, list[str]] = {}
    scenes: dict[str, str] = {}
    for entity in added:
        if isinstance(entity, Participation):
            parts.setdefault(entity.event, []).append(names.of(entity.character))
        elif isinstance(entity, Occurrence):
            scenes.setdefault(entity.event, names.of(entity.scene))
    events = sorted(
        (entity for entity in added if isinstance(entity, Event)), key=lambda event: event.position
    )
    return tuple(
        _happening(event, parts.get(event.id, []), scenes.get(event.id)) for event in events
    )


def _happening(event: Event, people: Sequence[str], scene: str | None) -> str:
    around = " — ".join(part for part in (", ".join(people), scene) if part)
    return f"{event.summary} ({around})" if around else event.summary
