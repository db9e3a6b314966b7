"""The candidates of a chapter: to read, to reword, to choose from."""

from __future__ import annotations

from graph_flow.candidates import candidate_views
from graph_flow.doors.door import Door
from graph_flow.views import CandidateView
from store.ids import new_id
from store.models.plot import Event
from store.models.proposals import Candidate


class CandidateDoor(Door):
    """Stage 2, when a chapter is woven."""

    def candidates(self, branch_id: str, chapter: int) -> list[CandidateView]:
        """Return all candidates of a chapter, the newest round first."""
        return candidate_views(self._store, self._continuity, branch_id, chapter)

    def edit_candidate(self, candidate_id: str, title: str, summaries: dict[str, str]) -> Candidate:
        """Return a new candidate with the writer's words; the old one stays as it is.

        `summaries` gives what happens by the id of its event.

        Raises:
            ValueError: if a text is too long or the title is empty.
        """
        candidate = self._store.proposals.candidate(candidate_id)
        edited = Candidate.model_validate(
            {
                **candidate.model_dump(exclude={"delta"}),
                "id": new_id(),
                "title": title,
                "delta": _reworded(candidate, summaries),
                "is_by_writer": True,
            }
        )
        self._store.proposals.save_candidate(edited)
        return edited


def _reworded(candidate: Candidate, summaries: dict[str, str]) -> dict[str, object]:
    changes = []
    for change in candidate.delta.changes:
        after = change.after
        if isinstance(after, Event) and after.id in summaries:
            after = after.model_copy(update={"summary": summaries[after.id]})
        changes.append({"before": change.before, "after": after})
    return {"changes": changes}
