"""The goals of a chapter: what agents set and the writer edits, drops, pins and adds."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow import reading
from graph_flow.doors.door import Door
from graph_flow.errors import WorkbenchError
from graph_flow.goals import movable_words
from graph_flow.views import GoalView
from graph_flow.weaving import cast_relay
from store.errors import NotFound
from store.models.cast import Life
from store.models.proposals import Goal
from store.models.prototype import Snapshot


class GoalDoor(Door):
    """Stage 2, before a chapter is woven."""

    def goals(self, branch_id: str, chapter: int) -> list[Goal]:
        """Return a chapter's goals, those of the newest round."""
        return reading.newest_goals(self._store, branch_id, chapter)

    def goal_views(self, branch_id: str, chapter: int) -> list[GoalView]:
        """Return a chapter's goals of the newest round, each with what it moves and who plays.

        What they could move is found in a bounded part of the story: its cost does not grow.
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
                movables=words,
                parts=tuple(parts[part] for part in goal.parts if part in parts),
            )
            for goal in goals
        ]

    def players(self, branch_id: str) -> Mapping[str, str]:
        """Return the names of those who can play in a chapter, by id: nobody dead or missing."""
        cast = self._store.prototype.cast(branch_id)
        return {person.id: person.name for person in cast if person.life is Life.LIVING}

    def save_goal(self, goal: Goal) -> None:
        """Keep a goal as the writer edited it, dropped it, pinned it, or added it.

        Where the text is another and nobody was chosen for it, whoever fits the new text plays.

        Raises:
            WorkbenchError: if its chapter is told already.
        """
        head = self._store.prototype.head(goal.branch)
        if head is not None and goal.chapter <= head.chapter:
            raise WorkbenchError(f"Chapter {goal.chapter} is plotted; its goals stay as they are.")
        if not goal.roles or self._is_reworded(goal):
            goal = self._cast(goal)
        self._store.proposals.save_goals([goal])

    def _far(self, branch_id: str, moved: set[str]) -> Snapshot:
        """Return threads and relationships that are not near, with the people whom these join."""
        read = self._store.prototype.partial
        found = read(branch_id, None, moved)
        ends = {end for tie in found.relationships for end in (tie.source, tie.target)}
        return read(branch_id, None, moved | ends)

    def _is_reworded(self, goal: Goal) -> bool:
        """Return whether a goal has other words than before, and the same people."""
        try:
            before = self._store.proposals.goal(goal.id)
        except NotFound:
            return False
        return before.text != goal.text and before.roles == goal.roles

    def _cast(self, goal: Goal) -> Goal:
        count = self._store.library.story_of(goal.branch).settings.roles
        circle = self._store.excerpts.of_circle(goal.branch, None, goal.text)
        relay = cast_relay(circle, goal.text, count, goal.position)
        return goal.model_copy(update={"roles": tuple(person.id for person in relay)})
