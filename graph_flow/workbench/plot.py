"""A chapter's goals and candidates: read, edit, combine and keep them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from graph_flow.branching.keeping import keep_candidate
from graph_flow.errors import WorkbenchError
from graph_flow.plot.candidates import CandidateReader
from graph_flow.plot.casting import cast_relay
from graph_flow.plot.combining import ChosenChanges, Combined, combine
from graph_flow.plot.goals import movable_words
from graph_flow.plot.rewording import CandidateEdit, edited
from graph_flow.views import CandidateView, GoalView
from graph_flow.workbench import reading
from store.deltas.delta import validate
from store.deltas.rebase import rebase
from store.errors import DeltaInvalid, NotFound
from store.models.base import new_id
from store.models.cast import Life
from store.models.delta import Delta
from store.models.plot import Event
from store.models.proposals import Candidate, CandidateState, Goal
from store.models.prototype import Snapshot
from store.models.story import Branch
from store.open import Store

Parts = Mapping[str, Collection[str]]
"""What is taken: the ids of the entities whose changes are taken, by the id of the candidate."""

_OWN: Mapping[str, object] = {
    "scores": (),
    "comment": "",
    "state": CandidateState.PROPOSED,
    "chosen_by": None,
    "is_by_writer": True,
    "is_sketched": False,
}
"""The first values of a candidate by the writer."""


class PlotService:
    """The goals and candidates of a chapter."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def goals(self, branch_id: str, chapter: int) -> list[Goal]:
        """Return a chapter's goals of the newest round."""
        return reading.newest_goals(self._store, branch_id, chapter)

    def goal_views(self, branch_id: str, chapter: int) -> list[GoalView]:
        """Return a chapter's goals of the newest round, each with what it could move forward.

        Only a bounded part of the story is read for this, so the cost does not grow.
        """
        goals = self.goals(branch_id, chapter)
        near = self._store.excerpts.of_circle(
            branch_id, None, " ".join(goal.text for goal in goals)
        )
        moved = {goal.moves for goal in goals if goal.moves} - near.entities.keys()
        words = movable_words(near) | (movable_words(self._far(branch_id, moved)) if moved else {})
        outline = self._store.outlines.accepted(branch_id)
        parts = {part.id: part.text for part in outline.sub_events} if outline else {}
        return [
            GoalView(
                goal=goal,
                targets=words,
                parts=tuple(parts[part] for part in goal.parts if part in parts),
            )
            for goal in goals
        ]

    def players(self, branch_id: str) -> Mapping[str, str]:
        """Return the names of those who can take part in a chapter, by id: the living only."""
        cast = self._store.prototype.cast(branch_id)
        return {person.id: person.name for person in cast if person.life is Life.LIVING}

    def change_goal(self, goal_id: str, change: Callable[[Goal], Goal]) -> None:
        """Change a goal as it is kept now.

        Raises:
            NotFound: if there is no such goal.
            WorkbenchError: as `save_goal`.
        """
        with self._store.database.write():
            self.save_goal(change(self._store.proposals.goal(goal_id)))

    def save_goal(self, goal: Goal) -> None:
        """Save a goal as the writer edited it, dropped it, pinned it, or added it.

        If its text is new and no new people were chosen, those who fit the text take part.

        Raises:
            WorkbenchError: if its chapter is already plotted.
        """
        head = self._store.prototype.head(goal.branch)
        if head is not None and goal.chapter <= head.chapter:
            raise WorkbenchError(f"Chapter {goal.chapter} is plotted; its goals stay as they are.")
        before = self._saved(goal)
        is_reworded = before is not None and before.text != goal.text
        if is_reworded:
            # What each was after belonged to the old text.
            goal = goal.model_copy(update={"aims": (), "is_sketched": False, "sketch": None})
        if not goal.roles or (is_reworded and before and before.roles == goal.roles):
            goal = self._cast(goal)
        self._store.proposals.save_goals([goal])

    def bring_back_goals(self, branch_id: str, chapter: int, round_: int) -> None:
        """Bring the goals of the round before back, in place of this round's unless pinned.

        Raises:
            NotFound: if there were none.
        """
        self._store.proposals.bring_back_goals(branch_id, chapter, round_)

    def candidates(
        self, branch_id: str, chapter: int, round_: int | None = None
    ) -> list[CandidateView]:
        """Return a chapter's candidates as cards, of one round or of all, the newest first."""
        return self._reader(branch_id, chapter).views(round_)

    def cards(
        self, branch_id: str, chapter: int, candidates: Sequence[Candidate]
    ) -> list[CandidateView]:
        """Return candidates of a chapter that were read already as cards, the newest round first."""
        return self._reader(branch_id, chapter).cards(candidates)

    def edit_candidate(self, candidate_id: str, rework: CandidateEdit) -> Candidate:
        """Return a new candidate as the writer reworked it; the old one stays as it is.

        Nobody has scored the new one yet.

        Raises:
            ValidationError: if a value is too long, too high, or empty where it must not be.
            WorkbenchError: if nothing would be left, or the chapter is already plotted.
            DeltaInvalid: if the result does not fit the story.
        """
        old = self._store.proposals.candidate(candidate_id)
        delta = edited(old.delta, rework)
        if not any(isinstance(one, Event) for one in delta.additions()):
            raise WorkbenchError("Something has to happen in a chapter: keep at least one event.")
        changes = {"title": rework.title, "delta": delta, "turns": old.turns, "tells": old.tells}
        return self._save_own(old, (old,), changes)

    def preview(self, branch_id: str, chapter: int, parts: Parts, title: str = "") -> CandidateView:
        """Return a candidate made of parts of others as a card; nothing is saved.

        Raises:
            WorkbenchError: if nothing is taken.
        """
        of = self._taken_of(parts)
        combined = self._combined(branch_id, chapter, parts, of)
        # Not validated: a title is checked when it is saved.
        preview = of[0].model_copy(
            update={
                "id": new_id(),
                "title": title.strip() or of[0].title,
                "delta": combined.delta,
                **_OWN,
            }
        )
        return self._reader(branch_id, chapter).preview(preview, combined.dropped)

    def combine(self, branch_id: str, chapter: int, parts: Parts, title: str = "") -> Candidate:
        """Return a new candidate made of parts of others, in the order in which they are given.

        Raises:
            ValidationError: if the title is too long.
            WorkbenchError: if nothing is taken, or the chapter is already plotted.
        """
        of = self._taken_of(parts)
        combined = self._combined(branch_id, chapter, parts, of)
        if not any(isinstance(one, Event) for one in combined.delta.additions()):
            raise WorkbenchError("Something has to happen in a chapter: take at least one event.")
        changes = {"title": title.strip() or of[0].title, "delta": combined.delta, "turns": ()}
        tells = {telling.event: telling for one in of for telling in one.tells}
        return self._save_own(of[0], of, {**changes, "tells": tuple(tells.values())})

    def keep_as_branch(self, candidate_id: str, name: str, branch_id: str | None = None) -> Branch:
        """Start a branch on which a candidate is its chapter; nothing else changes.

        It is forked before the candidate's chapter, from the branch given or the candidate's own.
        The open branch stays open, and so do its questions.

        Raises:
            StoreError: if the name is empty, too long, or taken.
            WorkbenchError: if the candidate could not be finished.
        """
        candidate = self._store.proposals.candidate(candidate_id)
        return keep_candidate(self._store, candidate, branch_id or candidate.branch, name)

    def _far(self, branch_id: str, moved: set[str]) -> Snapshot:
        """Return threads and relationships that are not near, with the people they are between."""
        read = self._store.prototype.partial
        found = read(branch_id, None, moved)
        ends = {
            end
            for relationship in found.relationships
            for end in (relationship.source, relationship.target)
        }
        return read(branch_id, None, moved | ends)

    def _saved(self, goal: Goal) -> Goal | None:
        """Return a goal as it was saved before; None if it is new."""
        try:
            return self._store.proposals.goal(goal.id)
        except NotFound:
            return None

    def _cast(self, goal: Goal) -> Goal:
        count = self._store.library.story_of(goal.branch).settings.roles
        circle = self._store.excerpts.of_circle(goal.branch, None, goal.text)
        relay = cast_relay(circle, goal.text, count, goal.position)
        return goal.model_copy(update={"roles": tuple(person.id for person in relay)})

    def _reader(self, branch_id: str, chapter: int) -> CandidateReader:
        return CandidateReader(self._store, branch_id, chapter)

    def _taken_of(self, parts: Parts) -> tuple[Candidate, ...]:
        of = tuple(self._store.proposals.candidate(id_) for id_, taken in parts.items() if taken)
        if not of:
            raise WorkbenchError("First tick what you want to take.")
        return of

    def _combined(
        self, branch_id: str, chapter: int, parts: Parts, of: tuple[Candidate, ...]
    ) -> Combined:
        before = self._reader(branch_id, chapter).before(*(one.delta for one in of))
        return combine([ChosenChanges(one.delta, frozenset(parts[one.id])) for one in of], before)

    def _save_own(
        self, like: Candidate, of: tuple[Candidate, ...], changes: Mapping[str, object]
    ) -> Candidate:
        """Save a candidate by the writer, in the newest round."""
        branch, chapter = like.branch, like.chapter
        head = self._store.prototype.head(branch)
        if head is None or head.chapter >= chapter:
            raise WorkbenchError(f"Chapter {chapter} is plotted; its candidates stay as they are.")
        own = {**dict(like), **_OWN, **changes}
        own |= {"id": new_id(), "parts_of": tuple(one.id for one in of)}
        own["round"] = self._store.proposals.next_round(branch, chapter) - 1
        candidate = Candidate.model_validate(own)
        added = {entity.id for entity in candidate.delta.additions()}
        tells = tuple(one for one in candidate.tells if one.event in added)
        self._check_fit(branch, chapter, candidate.delta)
        return self._store.proposals.save_candidate(candidate.model_copy(update={"tells": tells}))

    def _check_fit(self, branch: str, chapter: int, delta: Delta) -> None:
        before = self._reader(branch, chapter).before(delta)
        problems = validate(rebase(delta, before), before)
        if problems:
            raise DeltaInvalid(problems)
