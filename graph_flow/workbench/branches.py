"""Branches and history: what-if branches, undo and redo, merging, and what is stale."""

from __future__ import annotations

from graph_flow.branching import history
from graph_flow.branching.impact import mark_stale, mark_taken_back, settle_brought_back
from graph_flow.branching.merging import bring_over, merge_view, merged
from graph_flow.errors import BranchBusy
from graph_flow.machine.runner import Runner
from graph_flow.views import BranchStatus, History, MergeView
from graph_flow.workbench.reading import status_in, status_of
from graph_flow.workbench.tasks import entry_for
from store.deltas.merging import Answers
from store.models.delta import Delta
from store.models.edits.staleness import StaleMark
from store.models.run import ChooseAgain, Run, RunState, WriteChapter
from store.models.story import Branch, Commit, Story
from store.open import Store
from store.records.library import free_branch_name, short_branch_name

_BUSY = "Tellwright is working on this story. Wait for it to finish, or stop it first."
_TAKEN_BACK = "An earlier chapter was undone."


class BranchService:
    """The branches of a story, and the steps on each."""

    def __init__(self, store: Store, runner: Runner) -> None:
        self._store = store
        self._runner = runner

    def status(self, branch_id: str) -> BranchStatus:
        """Return the state of a branch: what is plotted and written, and whether it has ended."""
        return status_of(self._store, branch_id)

    def status_in(self, story: Story, branch: Branch) -> BranchStatus:
        """Return where a branch of a story stands, both of which were read already."""
        return status_in(self._store, story, branch)

    def ask_what_if(self, branch_id: str, chapter: int, words: str) -> Branch:
        """Start a branch on which something is to come true in the next chapter, named after it.

        Raises:
            NotFound: if the chapter is not plotted.
            StoreError: if there are no words, or another branch has their name.
        """
        name = short_branch_name(words)
        return self._store.library.fork(branch_id, chapter, name, " ".join(words.split())[:400])

    def start(self, branch_id: str, chapter: int, name: str) -> Branch:
        """Start a branch at the end of a chapter; the open branch stays open.

        Raises:
            NotFound: if the chapter is not plotted.
            StoreError: if the name is empty, too long, or taken.
        """
        return self._store.library.fork(branch_id, chapter, name)

    def rewind(self, branch_id: str, chapter: int) -> Branch:
        """Continue from an earlier chapter, on a new branch, and open that branch.

        The later chapters stay on the branch they are on.

        Raises:
            NotFound: if the chapter is not plotted.
            BranchBusy: if a run is in progress on the branch.
        """
        self._check_idle(branch_id)
        branch = self._store.library.branch(branch_id)
        wanted = f"{branch.name[:50]} from chapter {chapter}"
        name = free_branch_name(wanted, self._store.library.all_branches(branch.story))
        new = self.start(branch_id, chapter, name)
        self._store.library.switch_branch(branch.story, new.id)
        return new

    def put_away(self, branch_id: str) -> Branch:
        """Take a branch out of the list; nothing of it changes, and `bring_back` lists it again.

        If it was the open one, the main one is open now.

        Raises:
            StoreError: if it is the main branch: the story as a whole can be put away.
            BranchBusy: if a run is in progress on the branch.
        """
        self._check_idle(branch_id)
        return self._store.library.put_branch_away(branch_id)

    def bring_back(self, branch_id: str) -> Branch:
        """List a branch again that was put away."""
        return self._store.library.bring_branch_back(branch_id)

    def put_away_ones(self, story_id: str) -> list[Branch]:
        """Return the branches of a story that are put away, as they started."""
        every = self._store.library.all_branches(story_id)
        return [one for one in every if one.deleted is not None]

    def steps(self, branch_id: str) -> History:
        """Return what was done on a branch, the newest first, and what can be undone and redone."""
        return history.steps_of(self._store, branch_id)

    def undo(self, branch_id: str) -> Commit:
        """Take back the newest step of a branch: an edit, or its newest chapter.

        After a chapter, its candidates can be chosen from again; its text is kept, marked as stale.

        Raises:
            StoreError: if there is nothing to undo.
            BranchBusy: if a run is in progress on the branch.
        """
        self._check_idle(branch_id)
        with self._store.database.write():
            step = self._store.prototype.undo(branch_id)
            undone = self._store.prototype.steps(branch_id).undone[-1]
            self._store.staleness.settle_commit(branch_id, undone.id)
            if step.kind == "untell":
                self._store.proposals.reopen(branch_id, step.chapter)
                mark_taken_back(self._store, step)
            else:
                mark_stale(self._store, step, self._delta(step), since=undone.created)
        if step.kind == "untell":
            self._discard_waiting(branch_id, step.chapter)
            self._offer_again(branch_id, step.chapter)
        return step

    def redo(self, branch_id: str) -> Commit:
        """Bring back what was undone last.

        Raises:
            StoreError: if there is nothing to redo.
            BranchBusy: if a run is in progress on the branch.
        """
        self._check_idle(branch_id)
        with self._store.database.write():
            undone = self._store.prototype.steps(branch_id).undone
            step = self._store.prototype.redo(branch_id)
            if step.kind == "retell":
                candidate = history.candidate_of(self._store, undone[-1])
                if candidate:
                    self._store.proposals.mark_chosen(candidate)
                settle_brought_back(self._store, step)
            else:
                mark_stale(self._store, step, self._delta(step))
        if step.kind == "retell":
            self._discard_waiting(branch_id, step.chapter)
        return step

    def merge_preview(self, source_id: str, target_id: str) -> MergeView:
        """Return what bringing one branch into another would change, and what must be decided.

        Raises:
            StoreError: if these are not two branches of one story.
        """
        return merge_view(self._store, source_id, target_id)

    def merge(self, source_id: str, target_id: str, answers: Answers) -> Commit:
        """Bring one branch into another; the source stays as it is.

        `answers` gives the side that wins, by the key of each question. If the target is unchanged
        since the source was forked from it, the chapters are copied as they are, with their texts.

        Raises:
            DeltaInvalid: if a question is open, or the result does not fit together.
            StoreError: if there is nothing to bring over.
            BranchBusy: if a run is in progress on the target.
        """
        self._check_idle(target_id)
        if merge_view(self._store, source_id, target_id).is_straight:
            commit = bring_over(self._store, source_id, target_id)
        else:
            with self._store.database.write():
                commit = merged(self._store, source_id, target_id, answers)
                mark_stale(self._store, commit, self._delta(commit))
        self._discard_waiting(target_id, commit.chapter)
        return commit

    def stale(self, branch_id: str) -> list[StaleMark]:
        """Return what depends on something changed since, by chapter."""
        marks = self._store.staleness.open_marks(branch_id)
        if not marks:
            return []
        head = self._store.prototype.head(branch_id)
        plotted = head.chapter if head else 0
        return [one for one in marks if one.chapter <= plotted]

    def settle(self, *mark_ids: str) -> None:
        """Mark what was stale as still fitting: all of these marks, or none."""
        with self._store.database.write():
            for mark_id in mark_ids:
                self._store.staleness.settle(mark_id)

    def _delta(self, commit: Commit) -> Delta:
        return self._store.prototype.delta_of(commit.id)

    def _check_idle(self, branch_id: str) -> None:
        if self._store.runs.active(branch_id) is not None:
            raise BranchBusy(_BUSY)

    def _discard_waiting(self, branch_id: str, chapter: int) -> None:
        """End the runs that wait for an answer to a question that no longer applies."""
        for run in self._store.runs.waiting(branch_id):
            if not isinstance(run.task, WriteChapter) or run.task.chapters[-1] >= chapter:
                self._discard(run)

    def _offer_again(self, branch_id: str, chapter: int) -> None:
        """Ask the writer to choose again among the candidates of a chapter, if there are any."""
        candidates = self._store.proposals.candidates(branch_id, chapter)
        if not candidates:
            return
        run = self._store.runs.claim_new(branch_id, ChooseAgain(chapter=chapter))
        if run is None:
            return
        newest = max(candidate.round for candidate in candidates)
        status = status_of(self._store, branch_id)
        self._runner.launch(run, entry_for(run.task, status, newest))

    def _discard(self, run: Run) -> None:
        claimed = self._store.runs.claim_again(run)
        if claimed is not None:
            self._store.runs.end_run(claimed.id, RunState.DONE, _TAKEN_BACK)
            self._runner.forget(claimed)
