"""The candidates of a chapter: to read, to rework, to take parts of, to choose from, to keep."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from graph_flow.candidates import CandidateReader
from graph_flow.combining import Combined, Taken, combine
from graph_flow.doors.door import Door
from graph_flow.errors import WorkbenchError
from graph_flow.keeping import keep_candidate
from graph_flow.rewording import Rework, reworked
from graph_flow.views import CandidateView
from store.deltas.delta import validate
from store.deltas.rebase import rebase
from store.errors import DeltaInvalid
from store.models.base import new_id
from store.models.delta import Delta
from store.models.plot import Event
from store.models.proposals import Candidate, CandidateState
from store.models.story import Branch

Parts = Mapping[str, Collection[str]]
"""What is taken: by the id of a candidate the ids of the entities whose changes are taken of it."""


class CandidateDoor(Door):
    """Stage 2, when a chapter is woven."""

    def candidates(
        self, branch_id: str, chapter: int, round_: int | None = None
    ) -> list[CandidateView]:
        """Return the candidates of a round of a chapter as cards; of all rounds, the newest first."""
        return self._reader(branch_id, chapter).views(round_)

    def woven(self, branch_id: str, chapter: int, round_: int | None = None) -> list[Candidate]:
        """Return the candidates of a chapter as they are kept, in the order of their goals."""
        return self._store.proposals.candidates(branch_id, chapter, round_)

    def edit_candidate(self, candidate_id: str, rework: Rework) -> Candidate:
        """Return a new candidate as the writer reworked it; the old one stays as it is.

        Nobody has scored the new one yet.

        Raises:
            ValidationError: if a value is too long, too high, or empty where it must not be.
            WorkbenchError: if nothing would be left, or the chapter is told already.
            DeltaInvalid: if the result does not fit the story.
        """
        old = self._store.proposals.candidate(candidate_id)
        delta = reworked(old.delta, rework)
        if not any(isinstance(one, Event) for one in delta.additions()):
            raise WorkbenchError("Something has to happen in a chapter: keep at least one event.")
        changes = {"title": rework.title, "delta": delta, "turns": old.turns, "tells": old.tells}
        return self._save_own(old, (old,), changes)

    def preview_parts(
        self, branch_id: str, chapter: int, parts: Parts, title: str = ""
    ) -> CandidateView:
        """Return what a candidate made of parts of others would be; nothing is kept.

        Raises:
            WorkbenchError: if nothing is taken.
        """
        of = self._taken_of(parts)
        combined = self._combined(branch_id, chapter, parts, of)
        # Not validated: a title is checked when it is kept.
        preview = of[0].model_copy(
            update={
                "id": new_id(),
                "title": title.strip() or of[0].title,
                "delta": combined.delta,
                **_OWN,
            }
        )
        return self._reader(branch_id, chapter).preview(preview, combined.dropped)

    def combine_candidates(
        self, branch_id: str, chapter: int, parts: Parts, title: str = ""
    ) -> Candidate:
        """Return a new candidate made of parts of others, in the order in which they are given.

        Raises:
            ValidationError: if the title is too long.
            WorkbenchError: if nothing is taken, or the chapter is told already.
        """
        of = self._taken_of(parts)
        combined = self._combined(branch_id, chapter, parts, of)
        if not any(isinstance(one, Event) for one in combined.delta.additions()):
            raise WorkbenchError("Something has to happen in a chapter: take at least one event.")
        changes = {"title": title.strip() or of[0].title, "delta": combined.delta, "turns": ()}
        tells = {told.event: told for one in of for told in one.tells}
        return self._save_own(of[0], of, {**changes, "tells": tuple(tells.values())})

    def keep_as_branch(self, candidate_id: str, name: str, branch_id: str | None = None) -> Branch:
        """Begin a branch on which a candidate is told as its chapter; nothing else changes.

        It begins before the candidate's chapter, on the branch given or the candidate's own. The
        open branch stays the open one, and what is asked there stays open.

        Raises:
            StoreError: if the name is empty, too long, or taken.
            WorkbenchError: if the candidate could not be finished.
        """
        candidate = self._store.proposals.candidate(candidate_id)
        return keep_candidate(self._store, candidate, branch_id or candidate.branch, name)

    def _reader(self, branch_id: str, chapter: int) -> CandidateReader:
        return CandidateReader(self._store, branch_id, chapter)

    def _taken_of(self, parts: Parts) -> tuple[Candidate, ...]:
        of = tuple(self._store.proposals.candidate(id_) for id_, taken in parts.items() if taken)
        if not of:
            raise WorkbenchError("Tick what you want to take first.")
        return of

    def _combined(
        self, branch_id: str, chapter: int, parts: Parts, of: tuple[Candidate, ...]
    ) -> Combined:
        before = self._reader(branch_id, chapter).before(*(one.delta for one in of))
        return combine([Taken(one.delta, frozenset(parts[one.id])) for one in of], before)

    def _save_own(
        self, like: Candidate, of: tuple[Candidate, ...], changes: Mapping[str, object]
    ) -> Candidate:
        """Keep a candidate of the writer's, with those of the newest round."""
        branch, chapter = like.branch, like.chapter
        head = self._store.prototype.head(branch)
        if head is None or head.chapter >= chapter:
            raise WorkbenchError(f"Chapter {chapter} is plotted; its candidates stay as they are.")
        own = {**dict(like), **_OWN, **changes}
        own |= {"id": new_id(), "parts_of": tuple(one.id for one in of)}
        own["round"] = self._store.proposals.next_round(branch, chapter) - 1
        candidate = Candidate.model_validate(own)
        told = {entity.id for entity in candidate.delta.additions()}
        tells = tuple(one for one in candidate.tells if one.event in told)
        self._check_fit(branch, chapter, candidate.delta)
        return self._store.proposals.save_candidate(candidate.model_copy(update={"tells": tells}))

    def _check_fit(self, branch: str, chapter: int, delta: Delta) -> None:
        before = self._reader(branch, chapter).before(delta)
        problems = validate(rebase(delta, before), before)
        if problems:
            raise DeltaInvalid(problems)


_OWN: Mapping[str, object] = {
    "scores": (),
    "comment": "",
    "state": CandidateState.PROPOSED,
    "chosen_by": None,
    "is_by_writer": True,
}
"""How a candidate of the writer's begins."""
