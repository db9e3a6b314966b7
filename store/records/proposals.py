"""What agents propose and the writer chooses from: configurations, goals, candidates, verdicts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sqlite_utils

from store.database.database import Database, Row
from store.database.records import Records, add_all, put
from store.database.rows import from_row, to_row
from store.deltas.canonical import delta_json
from store.errors import NotFound
from store.models.base import new_id
from store.models.delta import Delta
from store.models.proposals import (
    Candidate,
    CandidateState,
    Chooser,
    Configuration,
    Goal,
    Score,
    Sketch,
    Verdict,
)
from store.prototype.lineage import LINE, bounds
from store.records.sharing import SHARED, SharedRecords, along, newest_branch, set_aside

_BY_GOAL = """
t.round, t.is_by_writer, (SELECT position FROM goals WHERE goals.id = t.goal), t.rowid
"""
_COMMENT_LIMIT = 400
_EMPTY = Delta()

_NEXT_ROUND = f"""
SELECT 1 + max(
    (SELECT coalesce(max(round), 0) FROM ({along("goals")} WHERE t.chapter = :chapter)),
    (SELECT coalesce(max(round), 0) FROM configurations WHERE branch = :branch AND :chapter = 0)
) AS round
"""
_CONFIGURATIONS = f"""{SHARED}
SELECT t.* FROM line CROSS JOIN configurations AS t ON t.branch = line.branch_id ORDER BY t.round
"""
_VERDICTS = f"""{along("verdicts")}
WHERE :chapter IS NULL OR t.chapter = :chapter ORDER BY t.chapter
"""
_IS_REACHED = f"""SELECT EXISTS (
    {along("verdicts")} WHERE t.is_reached AND t.chapter <= :chapter
) AS is_reached
"""
_FINISHED = f"""{along("candidates", "t.id, t.chapter, t.title, goals.text AS text")}
JOIN goals ON goals.id = t.goal
WHERE t.state NOT IN ('{CandidateState.WEAVING}', '{CandidateState.GIVEN_UP}')
ORDER BY t.chapter, {_BY_GOAL}
"""
_TOLD_BY = f"""{LINE}
SELECT c.origin FROM line JOIN commits AS c
  ON c.branch = line.branch_id AND c.chapter <= line.last_chapter AND c.id <= line.last_commit
WHERE c.kind = 'chapter' AND c.chapter = :of ORDER BY c.id DESC LIMIT 1
"""
_SAME_PLACE = """
branch = :branch AND chapter = :chapter AND round = :round AND position = :position
AND is_by_writer = 0
"""
_GIVEN_UP = """
SELECT goal FROM candidates WHERE branch = :branch AND chapter = :chapter AND round = :round
AND state = :given_up AND is_by_writer = 0
"""
_NO_CANDIDATE = "This candidate is not in the library."
_ROUND_OF = "SELECT branch, chapter, round FROM candidates WHERE id = :id"
_STANDING = "SELECT id, state FROM candidates WHERE"
_MARK_OTHERS = """
UPDATE candidates SET
  state = CASE WHEN id = :id THEN :chosen WHEN state = :given_up THEN state ELSE :passed_over END,
  chosen_by = CASE id WHEN :id THEN :by END
WHERE branch = :branch AND chapter = :chapter
"""


class CandidateFacts(NamedTuple):
    """What tells a candidate from the others, without its plot.

    `goal` is the text of its goal; its title, if that has none.
    """

    id: str
    chapter: int
    title: str
    goal: str


class Proposals:
    """Keeps every proposal of every round; none is thrown away.

    What a branch shares with its parent is read as the branch's own; its `branch` says whose it is.
    Goals and candidates of a plotted chapter do not change, except for their state.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._configurations = Records(
            database, Configuration, "configurations", "The story has no cast and world yet."
        )
        self._goals = SharedRecords(database, Goal, "goals", "This goal is not in the library.")
        self._candidates = SharedRecords(database, Candidate, "candidates", _NO_CANDIDATE)

    def save_configuration(self, configuration: Configuration) -> Configuration:
        """Keep a configuration, in place of the branch's one of the same round."""
        with self._database.write():
            old = self._configurations.first(
                "branch = :branch AND round = :round",
                {"branch": configuration.branch, "round": configuration.round},
            )
            if old is not None:
                configuration = configuration.model_copy(update={"id": old.id})
            delta = delta_json(configuration.delta)
            return self._configurations.save(configuration, delta=delta)

    def save_sketch(self, branch: str, sketch: Sketch) -> Configuration | None:
        """Keep a sketch in the branch's newest configuration, in place of one of the same idea.

        Several can be saved side by side. Returns None if there is no configuration.
        """
        with self._database.write():
            newest = self.configuration(branch)
            if newest is None:
                return None
            kept = {one.idea: one for one in (*newest.sketches, sketch)}
            sketches = tuple(kept[idea] for idea in sorted(kept))
            return self.save_configuration(newest.model_copy(update={"sketches": sketches}))

    def configuration(self, branch: str) -> Configuration | None:
        """Return the line's configuration of the newest round, or None if there is none yet."""
        return next(reversed(self.configurations(branch)), None)

    def configurations(self, branch: str) -> list[Configuration]:
        """Return the configurations of a line, in order of their rounds."""
        rows = self._database.rows(_CONFIGURATIONS, {"branch": branch})
        return [from_row(Configuration, row) for row in rows]

    def take_back_configuration(self, branch: str) -> Configuration:
        """Put the configuration of the round before in the place of the newest, and that in its place.

        Raises:
            NotFound: if there has been only one round.
        """
        with self._database.write():
            *_, before, newest = (None, None, *self.configurations(branch))
            if before is None or newest is None:
                raise NotFound("The cast has been drafted only once.")
            own = {"id", "branch", "round"}
            contents = [dict(one) for one in (before, newest)]
            first, second = ({k: v for k, v in one.items() if k not in own} for one in contents)
            self.save_configuration(before.model_copy(update=second))
            return self.save_configuration(newest.model_copy(update=first))

    def bring_back_goals(self, branch: str, chapter: int, round_: int) -> list[Goal]:
        """Add the goals of the round before to a round, whose own, unless pinned, are dropped.

        Raises:
            NotFound: if the round before has no goals.
        """
        with self._database.write():
            earlier = [one for one in self.goals(branch, chapter, round_ - 1) if not one.is_dropped]
            if not earlier:
                raise NotFound("There were no other goals before these.")
            present = self.goals(branch, chapter, round_)
            texts = {one.text for one in present if one.is_pinned}
            place = 1 + max((one.position for one in present), default=-1)
            dropped = [
                one.model_copy(update={"is_dropped": True}) for one in present if not one.is_pinned
            ]
            brought = [
                one.model_copy(update={"id": new_id(), "round": round_, "position": place + at})
                for at, one in enumerate(one for one in earlier if one.text not in texts)
            ]
            return self.save_goals([*dropped, *brought])

    def next_round(self, branch: str, chapter: int) -> int:
        """Return the number of a chapter's next round, from 1."""
        row = self._database.row(_NEXT_ROUND, {"branch": branch, "chapter": chapter})
        return row["round"] if row else 1

    def save_goals(self, goals: Iterable[Goal]) -> list[Goal]:
        """Keep goals, each in place of the one with its id or, for an agent's, its position.

        So a round that is set twice, because the app died in between, has its goals once. A goal
        replaced by position keeps its id.
        """
        with self._database.write():
            return [self._save_goal(goal) for goal in goals]

    def _save_goal(self, goal: Goal) -> Goal:
        if self._goals.first("id = :id", {"id": goal.id}):
            return self._goals.save(goal)
        old = None if goal.is_by_writer else self._goals.first(_SAME_PLACE, to_row(goal))
        if old is None:
            return self._goals.add(goal)
        return self._goals.save(goal.model_copy(update={"id": old.id}))

    def goal(self, goal_id: str) -> Goal:
        """Return a goal.

        Raises:
            NotFound: if there is none.
        """
        return self._goals.get(goal_id)

    def goals(self, branch: str, chapter: int, round_: int | None = None) -> list[Goal]:
        """Return a chapter's goals, of one round or of all, in order."""
        return self._goals.along(
            branch, f"{_OF_ROUND} ORDER BY t.round, t.position", _of_round(chapter, round_)
        )

    def all_goals(self, branch: str) -> list[Goal]:
        """Return the goals of all chapters and rounds, in order."""
        return self._goals.along(branch, "true ORDER BY t.chapter, t.round, t.position", {})

    def save_candidate(self, candidate: Candidate) -> Candidate:
        """Keep a candidate with its scores, in place of the one with its id or its goal.

        A relay has one candidate per goal, however often it runs; the writer's own are kept beside
        it. What has become of a candidate (`state`) stays as it is.
        """
        with self._database.write() as database:
            old = self._standing(candidate)
            if old is not None:
                kept = {"id": old["id"], "state": CandidateState(old["state"])}
                candidate = candidate.model_copy(update=kept)
            row = to_row(candidate.model_copy(update={"delta": _EMPTY, "scores": ()}))
            del row["scores"]
            row["delta"] = delta_json(candidate.delta)
            if old is None:
                row["newest_branch"] = self._candidates.stamp(candidate.branch)
            put(database, "candidates", row)
            _write_scores(database, candidate.id, candidate.scores)
        return candidate

    def _standing(self, candidate: Candidate) -> Row | None:
        """Return the id and state of the row that a candidate replaces, without its plot."""
        same = self._database.row(f"{_STANDING} id = :id", {"id": candidate.id})
        if same is not None or candidate.is_by_writer:
            return same
        return self._database.row(
            f"{_STANDING} branch = :branch AND goal = :goal AND is_by_writer = 0",
            {"branch": candidate.branch, "goal": candidate.goal},
        )

    def candidate(self, candidate_id: str) -> Candidate:
        """Return a candidate with its scores.

        Raises:
            NotFound: if there is none.
        """
        [found] = self._with_scores([self._candidates.get(candidate_id)])
        return found

    def candidates(self, branch: str, chapter: int, round_: int | None = None) -> list[Candidate]:
        """Return a chapter's candidates, of one round or of all, in the order of their goals."""
        found = self._candidates.along(
            branch, f"{_OF_ROUND} ORDER BY {_BY_GOAL}", _of_round(chapter, round_)
        )
        if any(candidate.branch != branch for candidate in found):
            found = self._as_told(branch, chapter, found)
        return self._with_scores(found)

    def finished_candidates(self, branch: str) -> list[CandidateFacts]:
        """Return the finished candidates of all chapters, in the order of their goals."""
        rows = self._database.rows(_FINISHED, {"branch": branch})
        return [
            CandidateFacts(row["id"], row["chapter"], row["title"], row["text"] or row["title"])
            for row in rows
        ]

    def _as_told(self, branch: str, chapter: int, shared: list[Candidate]) -> list[Candidate]:
        """Return each as it is on this line: its own branch may have chosen again."""
        row = self._database.row(_TOLD_BY, bounds(branch) | {"of": chapter})
        # A chapter's origin ends with its candidate; a chapter made another way has none of these.
        chosen = row["origin"].rpartition("-")[2] if row else ""
        if chosen not in {one.id for one in shared}:
            return shared
        states = {one.id: CandidateState.PASSED_OVER for one in shared}
        states |= {one.id: one.state for one in shared if one.state is CandidateState.GIVEN_UP}
        states[chosen] = CandidateState.CHOSEN
        return [one.model_copy(update={"state": states[one.id]}) for one in shared]

    def save_scores(self, candidate_id: str, scores: Sequence[Score], comment: str) -> None:
        """Keep a candidate's scores and the scorer's comment, in place of earlier ones.

        The comment is cut to 400 characters.

        Raises:
            NotFound: if there is no such candidate.
        """
        values = {"id": candidate_id, "comment": comment.strip()[:_COMMENT_LIMIT].strip()}
        with self._database.write() as database:
            found = database.execute(
                "UPDATE candidates SET comment = :comment WHERE id = :id", values
            )
            if not found.rowcount:
                raise NotFound(_NO_CANDIDATE)
            _write_scores(database, candidate_id, scores)

    def conclude(self, candidate_id: str, *, is_given_up: bool) -> bool:
        """Record whether a woven candidate can be chosen; return whether its round has any hope.

        Relays end side by side: if nothing comes of any of them, only the last one gets False. What
        has been chosen or passed over in the meantime stays that way.

        Raises:
            NotFound: if there is no such candidate.
        """
        state = CandidateState.GIVEN_UP if is_given_up else CandidateState.PROPOSED
        with self._database.write() as database:
            round_ = self._round_of(candidate_id)
            database.execute(
                "UPDATE candidates SET state = :state WHERE id = :id AND state IN (:woven, :one, :other)",
                {
                    "id": candidate_id,
                    "state": state.value,
                    "woven": CandidateState.WEAVING.value,
                    "one": CandidateState.PROPOSED.value,
                    "other": CandidateState.GIVEN_UP.value,
                },
            )
            return self._has_hope(round_)

    def _round_of(self, candidate_id: str) -> Row:
        """Return the branch, chapter and round of a candidate."""
        row = self._database.row(_ROUND_OF, {"id": candidate_id})
        if row is None:
            raise NotFound(_NO_CANDIDATE)
        return row

    def _has_hope(self, round_: Row) -> bool:
        """Return whether a round has a candidate that is not given up, or a goal without one yet."""
        goals = self.goals(round_["branch"], round_["chapter"], round_["round"])
        rows = self._database.rows(_GIVEN_UP, {**round_, "given_up": CandidateState.GIVEN_UP.value})
        given_up = {row["goal"] for row in rows}
        kept = [goal for goal in goals if not goal.is_dropped] or goals
        return any(goal.id not in given_up for goal in kept)

    def mark_chosen(self, candidate_id: str, by: Chooser = Chooser.WRITER) -> None:
        """Mark a candidate as chosen, and all others of its chapter as passed over.

        Those that were given up stay that way.

        Raises:
            NotFound: if there is no such candidate.
        """
        with self._database.write() as database:
            database.execute(
                _MARK_OTHERS,
                {
                    **self._round_of(candidate_id),
                    "id": candidate_id,
                    "chosen": CandidateState.CHOSEN.value,
                    "passed_over": CandidateState.PASSED_OVER.value,
                    "given_up": CandidateState.GIVEN_UP.value,
                    "by": by.value,
                },
            )

    def reopen(self, branch: str, chapter: int) -> None:
        """Let all candidates of a chapter that was taken back be chosen again."""
        with self._database.write() as database:
            database.execute(
                "UPDATE candidates SET state = :state, chosen_by = NULL "
                "WHERE branch = :branch AND chapter = :chapter AND state != :given_up",
                {
                    "state": CandidateState.PROPOSED.value,
                    "given_up": CandidateState.GIVEN_UP.value,
                    "branch": branch,
                    "chapter": chapter,
                },
            )

    def save_verdict(self, verdict: Verdict) -> Verdict:
        """Keep the exit agent's verdict on a chapter, in place of an earlier one."""
        row = to_row(verdict) | {"newest_branch": newest_branch(self._database, verdict.branch)}
        with self._database.write() as database:
            set_aside(
                database,
                "verdicts",
                "t.branch = :branch AND t.chapter = :chapter",
                {"branch": verdict.branch, "chapter": verdict.chapter},
            )
            put(database, "verdicts", row, ("branch", "chapter"))
        return verdict

    def verdict(self, branch: str, chapter: int) -> Verdict | None:
        """Return the verdict on a chapter, or None if there is none."""
        return next(iter(self._verdicts(branch, chapter)), None)

    def verdicts(self, branch: str) -> list[Verdict]:
        """Return the verdicts along a line, in order of chapters."""
        return self._verdicts(branch, None)

    def is_reached(self, branch: str, chapter: int) -> bool:
        """Return whether the story's goal was found reached by the end of a chapter."""
        row = self._database.row(_IS_REACHED, {"branch": branch, "chapter": chapter})
        return bool(row and row["is_reached"])

    def _verdicts(self, branch: str, chapter: int | None) -> list[Verdict]:
        rows = self._database.rows(_VERDICTS, {"branch": branch, "chapter": chapter})
        return [from_row(Verdict, row) for row in rows]

    def _with_scores(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        if not candidates:
            return []
        rows = self._database.rows(
            "SELECT * FROM scores WHERE candidate IN (SELECT value FROM json_each(:ids)) "
            "ORDER BY candidate, position",
            {"ids": json.dumps([one.id for one in candidates])},
        )
        scores: dict[str, list[Score]] = {one.id: [] for one in candidates}
        for row in rows:
            scores[row["candidate"]].append(from_row(Score, row))
        return [one.model_copy(update={"scores": tuple(scores[one.id])}) for one in candidates]


def _write_scores(
    database: sqlite_utils.Database, candidate_id: str, scores: Iterable[Score]
) -> None:
    database.execute("DELETE FROM scores WHERE candidate = :id", {"id": candidate_id})
    rows = [
        {**to_row(score), "candidate": candidate_id, "position": position}
        for position, score in enumerate(scores)
    ]
    add_all(database, "scores", rows)


_OF_ROUND = "t.chapter = :chapter AND (:round IS NULL OR t.round = :round)"


def _of_round(chapter: int, round_: int | None) -> dict[str, object]:
    return {"chapter": chapter, "round": round_}
