"""The story itself: its configuration, its state at any chapter, its history, and search."""

from __future__ import annotations

from collections.abc import Callable

from graph_flow.branching.impact import mark_stale
from graph_flow.errors import WorkbenchError
from graph_flow.founding.following import sketched_text
from graph_flow.telling.material.facts import Fact, facts_untold
from graph_flow.telling.scenes import with_breaks
from graph_flow.views import (
    ChangeLine,
    ChapterCard,
    Comparison,
    Moment,
    PromptRecord,
    SearchHitView,
    Stage,
    change_lines,
)
from graph_flow.workbench import reading
from store.deltas.delta import apply, describe, diff
from store.models.base import new_id
from store.models.delta import Delta
from store.models.proposals import Configuration
from store.models.prototype import AnyEntity, Snapshot
from store.models.run import Call
from store.models.story import Commit, Story, StorySettings
from store.open import Store
from store.prototype.arrivals import Arrival, ToldChapter, read_arrivals, read_told


class StoryService:
    """A story at any of its chapters: read, edited, compared, searched."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def proposed_snapshot(self, branch_id: str) -> Snapshot:
        """Return the prototype that the configuration would make; empty if there is none."""
        configuration = self._store.proposals.configuration(branch_id)
        return apply(Snapshot(), configuration.delta, 0) if configuration else Snapshot()

    def save_configuration(self, branch_id: str, title: str, snapshot: Snapshot) -> Configuration:
        """Save the writer's edit of the configuration before it is approved.

        Raises:
            DeltaInvalid: if the edit does not fit together; nothing is changed in that case.
            WorkbenchError: if there is no configuration to edit.
        """
        configuration = self._store.proposals.configuration(branch_id)
        if configuration is None:
            raise WorkbenchError("There is nothing to edit yet: draft the cast first.")
        delta = diff(Snapshot(), snapshot)
        apply(Snapshot(), delta, 0)
        edited = configuration.model_copy(update={"title": title.strip()[:400], "delta": delta})
        self._store.proposals.save_configuration(edited)
        return edited

    def rename_configuration(self, branch_id: str, title: str) -> None:
        """Give the configuration another title.

        Raises:
            WorkbenchError: as `save_configuration`.
        """
        with self._store.database.write():
            saved = self.save_configuration(branch_id, title, self.proposed_snapshot(branch_id))
            titled = saved.model_copy(update={"is_titled": True})
            self._store.proposals.save_configuration(titled)

    def rename(self, story_id: str, title: str) -> Story:
        """Give a story another title; a cast that waits for approval has it too, and keeps it.

        Raises:
            StoreError: if the title is too long.
            NotFound: if there is no such story.
        """
        library = self._store.library
        with self._store.database.write():
            branch = library.main_branch(story_id).id
            waits = self._store.prototype.head(branch) is None
            if waits and self._store.proposals.configuration(branch) is not None:
                self.rename_configuration(branch, title)
            return library.rename(story_id, title.strip())

    def revise_configuration(
        self, branch_id: str, edit: Callable[[Snapshot], Snapshot]
    ) -> Configuration:
        """Save an edit of the configuration as it is kept now.

        Raises:
            DeltaInvalid: as `save_configuration`.
            WorkbenchError: as `save_configuration`.
        """
        with self._store.database.write():
            configuration = self._store.proposals.configuration(branch_id)
            title = configuration.title if configuration else ""
            return self.save_configuration(
                branch_id, title, edit(self.proposed_snapshot(branch_id))
            )

    def take_back_configuration(self, branch_id: str) -> Configuration:
        """Exchange the configuration with the one before it, which the writer asked to be redrafted.

        Raises:
            NotFound: if it has been drafted only once.
        """
        return self._store.proposals.take_back_configuration(branch_id)

    def chapters(self, branch_id: str) -> list[ChapterCard]:
        """Return the plotted chapters, in order."""
        return reading.chapter_cards(self._store, branch_id)

    def is_as_told(self, branch_id: str) -> bool:
        """Return whether all chapters have a text, and it is what the sketch tells that the story follows."""
        head, manuscript = self._store.prototype.head(branch_id), self._store.manuscript
        told = sketched_text(self._store, branch_id, head.chapter if head else 0)
        drafts = [manuscript.draft(branch_id, at) for at in range(1, len(told) + 1)]
        return bool(told) and all(
            draft is not None and draft.text == with_breaks(one.text, draft.form)
            for one, draft in zip(told, drafts, strict=True)
        )

    def untold(self, branch_id: str, chapter: int) -> list[Fact]:
        """Return what the reader does not know yet when a chapter begins."""
        return facts_untold(self._store, branch_id, chapter)

    def edit(self, branch_id: str, edited: Snapshot, chapter: int | None = None) -> Commit | None:
        """Commit what the writer changed in the story as of a chapter; None if nothing differs.

        None means the newest chapter. `edited` is compared with the present story, so it must be an
        edit of a snapshot just read.

        Raises:
            DeltaInvalid: if the edit does not fit together; nothing is changed in that case.
            StoryMoved: if the story changed since it was read.
        """
        current = self._store.prototype.snapshot(branch_id, chapter)
        return self.commit_edit(branch_id, diff(current, edited), current.chapter)

    def revise(
        self, branch_id: str, edit: Callable[[Snapshot], Snapshot], chapter: int | None = None
    ) -> Commit | None:
        """Commit an edit of the story as it is now, as of a chapter; None if nothing differs.

        Raises:
            DeltaInvalid: as `edit`.
        """
        with self._store.database.write():
            return self.edit(
                branch_id, edit(self._store.prototype.snapshot(branch_id, chapter)), chapter
            )

    def commit_edit(self, branch_id: str, delta: Delta, chapter: int) -> Commit | None:
        """Commit a change that the writer made to the story as of a chapter; None if it is empty.

        A change to an earlier chapter applies to later ones too, unless they change the same thing.
        Whatever was plotted, planned or written from it is marked as stale.

        Raises:
            DeltaInvalid: if the change does not fit together, or removes what a later chapter
                needs; nothing is changed in that case.
            StoryMoved: if what it changes is no longer as it was.
        """
        if delta.is_empty:
            return None
        with self._store.database.write():
            commit = self._store.prototype.commit(
                branch_id, delta, chapter=chapter, kind="edit", origin=new_id()
            )
            mark_stale(self._store, commit, delta)
        return commit

    def change_length(
        self, branch_id: str, change: Callable[[StorySettings], StorySettings]
    ) -> Story:
        """Save settings in which the story has another length.

        Raises:
            WorkbenchError: if it would have fewer chapters than are plotted; none is ever lost.
        """

        def checked(settings: StorySettings) -> StorySettings:
            changed = change(settings)
            head = self._store.prototype.head(branch_id)
            plotted = head.chapter if head else 0
            if changed.planned not in {None, settings.planned} and (changed.planned or 0) < plotted:
                raise WorkbenchError(
                    f"{plotted} chapters are plotted already, and none of them is thrown away: "
                    "give the story as many or more, or take chapters back first."
                )
            return changed

        story = self._store.library.story_of(branch_id)
        return self._store.library.change_settings(story.id, checked)

    def changes_in(self, branch_id: str, chapter: int) -> list[ChangeLine]:
        """Return what a chapter changed, in a writer's words."""
        before = self._store.prototype.snapshot(branch_id, chapter - 1) if chapter else Snapshot()
        delta = diff(before, self._store.prototype.snapshot(branch_id, chapter))
        return list(change_lines(delta, before))

    def history(self, branch_id: str, chapter: int, entity: AnyEntity) -> list[Moment]:
        """Return what each chapter, up to one, changed in an entity after it first appeared."""
        return reading.moments_of(self._store, branch_id, chapter, entity)

    def evidence(self, branch_id: str, chapter: int) -> list[str]:
        """Return the titles of the events behind the verdict after a chapter that still exist."""
        verdict = self._store.proposals.verdict(branch_id, chapter)
        if verdict is None:
            return []
        titles = {one.id: one.title for one in self._store.prototype.snapshot(branch_id).events}
        return [titles[event] for event in verdict.events if event in titles]

    def arrivals(self, branch_id: str) -> list[Arrival]:
        """Return everybody who ever entered the story of a branch, in order."""
        return read_arrivals(self._store.database, branch_id)

    def told(self, branch_id: str, first: int, last: int) -> list[ToldChapter]:
        """Return everything that chapters `first` to `last` of a branch ever told, in order."""
        return read_told(self._store.database, branch_id, first, last)

    def compare(self, left: tuple[str, int], right: tuple[str, int]) -> Comparison:
        """Return the differences between two states of a story, each a branch and a chapter.

        The sentences say how to get from the left state to the right one.
        """
        # In the order of chapters: the store quickly makes a snapshot from an earlier one.
        sides = {
            side: self._store.prototype.snapshot(*side)
            for side in sorted({left, right}, key=_chapter)
        }
        before, after = sides[left], sides[right]
        return Comparison(
            left=before, right=after, sentences=tuple(describe(diff(before, after), before))
        )

    def search(
        self, branch_id: str, chapter: int | None, text: str, limit: int = 20
    ) -> list[SearchHitView]:
        """Return what contains all words of a text at the end of a chapter, the best hits first.

        None means the newest chapter. Any text is allowed; an empty one finds nothing.
        """
        hits = self._store.search.find(branch_id, chapter, text, limit=limit)
        return [SearchHitView(**dict(hit)) for hit in hits]

    def prompts(self, branch_id: str, chapter: int, stage: Stage) -> list[PromptRecord]:
        """Return the prompts of the agents that plotted or wrote a chapter, in order.

        Outlines belong to no chapter: for these, return the latest prompts. At most the newest 60
        calls are returned.
        """
        return prompt_records(self._store, branch_id, chapter, stage)


def _chapter(side: tuple[str, int]) -> int:
    return side[1]


_MOST_CALLS = 60

Goals = dict[tuple[int, int], str]
"""Titles of goals, by round and position."""


def prompt_records(store: Store, branch_id: str, chapter: int, stage: Stage) -> list[PromptRecord]:
    """Return the newest calls that plotted or wrote a chapter, in order.

    Calls that outlined the story belong to no chapter.
    """
    calls = (
        store.calls.of_outlines(branch_id, _MOST_CALLS)
        if stage == "outline"
        else store.calls.of_chapter(branch_id, chapter, _MOST_CALLS, is_text=stage == "write")
    )
    goals = {
        (goal.round, goal.position): goal.title
        for goal in store.proposals.goals(branch_id, chapter)
    }
    return [_record_of(call, stage, goals) for call in reversed(calls)]


def _record_of(call: Call, stage: Stage, goals: Goals) -> PromptRecord:
    return PromptRecord(
        id=call.id,
        stage=stage,
        words=call.words or call.agent,
        about=_goal_of(call.step.split("/"), goals),
        sources=call.sources,
        prompt=call.prompt,
        answer=call.answer,
        outcome=call.outcome,
        problem=call.problem,
        tokens_in=call.tokens_in,
        tokens_out=call.tokens_out,
        cost=call.cost,
        milliseconds=call.milliseconds,
    )


def _goal_of(steps: list[str], goals: Goals) -> str:
    """Return the title of the goal that a role's step names: chapter/round/role/position/turn."""
    match steps:
        case [_, round_, "role", position, _] if round_.isdigit() and position.isdigit():
            return goals.get((int(round_), int(position)), "")
    return ""
