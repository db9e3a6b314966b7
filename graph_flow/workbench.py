"""The one door from the UI and the command line: start, answer, stop, read, edit, take away.

Every method returns at once; what takes long goes on in a thread of the runner.
"""

from __future__ import annotations

from graph_flow import reading
from graph_flow.errors import AlreadyAnswered, BranchBusy, NothingToContinue, WorkbenchError
from graph_flow.estimating import estimate_run
from graph_flow.gates import Answer
from graph_flow.llm.endpoints import EMBEDDED_URL, EndpointBook
from graph_flow.llm.gateway import Gateway
from graph_flow.llm.request import ConnectionReport
from graph_flow.premise import characters_that_fit, check_premise
from graph_flow.runner import Entry, Runner, answer_to
from graph_flow.tasks import check_task, entry_for
from graph_flow.views import (
    CandidateView,
    ChangeLine,
    ChapterCard,
    Desk,
    ModelChip,
    Moment,
    RunEstimate,
)
from store.delta import apply, diff
from store.formats.bundle import export_bundle, import_bundle
from store.formats.markdown import export_markdown
from store.ids import new_id
from store.models.endpoint import Endpoint, ModelSettings
from store.models.plot import Event
from store.models.proposals import Candidate, Configuration, Goal, Verdict
from store.models.prototype import AnyEntity, Snapshot
from store.models.run import (
    Decision,
    Initialize,
    Progress,
    Question,
    Run,
    RunState,
    Task,
    Totals,
)
from store.models.story import Branch, Brief, Commit, Gate, Story, StoryCard, StorySettings
from store.models.telling import Draft, WritingPlan
from store.open import Store

MODEL_SETTINGS = "model"
"""The key under which the library keeps `ModelSettings`."""

_CONTINUABLE = {RunState.STOPPED, RunState.FAILED, RunState.INTERRUPTED}


class Workbench:
    """Everything that a writer can do, for the pages and the command line."""

    def __init__(self, store: Store, gateway: Gateway, book: EndpointBook, runner: Runner) -> None:
        self._store = store
        self._gateway = gateway
        self._book = book
        self._runner = runner

    def close(self) -> None:
        """Stop all runs and the embedded model, and close the library."""
        self._runner.close()
        self._gateway.close()
        self._store.close()

    # Library

    def stories(self) -> list[StoryCard]:
        """Return the stories of the library, the last touched first."""
        return self._store.library.stories()

    def story(self, story_id: str) -> Story:
        """Return a story, a deleted one too.

        Raises:
            NotFound: if the library has none with this id.
        """
        return self._store.library.story(story_id)

    def create_story(self, brief: Brief | None = None) -> Story:
        """Begin a story with what the writer has typed so far, if anything."""
        return self._store.library.create_story(brief or Brief())

    def save_brief(self, story_id: str, brief: Brief) -> Story:
        """Keep the premise as typed."""
        return self._store.library.update_brief(story_id, brief)

    def rename_story(self, story_id: str, title: str) -> Story:
        """Give a story another title."""
        return self._store.library.rename(story_id, title)

    def save_story_settings(self, story_id: str, settings: StorySettings) -> Story:
        """Keep how the story is made; a run under way follows from its next step on."""
        return self._store.library.update_settings(story_id, settings)

    def delete_story(self, story_id: str) -> None:
        """Take a story out of the library; it can be restored."""
        self._store.library.delete(story_id)

    def restore_story(self, story_id: str) -> None:
        """Bring a deleted story back."""
        self._store.library.restore(story_id)

    def main_branch(self, story_id: str) -> Branch:
        """Return the branch that a story began with."""
        return self._store.library.main_branch(story_id)

    def desk(self, branch_id: str) -> Desk:
        """Return where a branch stands."""
        return reading.desk_of(self._store, branch_id)

    # Runs

    def start(self, branch_id: str, task: Task) -> Run:
        """Begin a task in the background.

        Raises:
            BranchBusy: if a run is at work on the branch, or a question of the kind waits.
            PremiseUnusable: if the premise is empty or too long for the model.
            WorkbenchError: if the story is not ready for the task.
        """
        desk = self.desk(branch_id)
        check_task(task, desk)
        if isinstance(task, Initialize):
            check_premise(desk.story.brief.premise, self._book.current().context_window)
        waiting = self._store.runs.waiting(branch_id)
        if any(_same_work(task, one.task) and self._runner.questions(one) for one in waiting):
            raise BranchBusy("A question waits for your answer before this can go on.")
        run = self._store.runs.claim_new(branch_id, task)
        if run is None:
            raise BranchBusy(_BUSY)
        return self._launch(run, entry_for(task, desk))

    def continue_run(self, branch_id: str) -> Run:
        """Go on with the newest run after a stop, a failure or a crash.

        Raises:
            NothingToContinue: if the newest run is at work, waits, or is done.
            BranchBusy: if another window was faster.
        """
        run = self._newest(branch_id)
        if run is None or run.state not in _CONTINUABLE:
            raise NothingToContinue("There is nothing to go on with; perhaps it goes on already.")
        claimed = self._claim(run)
        fresh = entry_for(run.task, self.desk(branch_id))
        return self._launch(claimed, self._runner.entry_to_continue(claimed, fresh))

    def stop(self, branch_id: str) -> None:
        """Stop the run that is at work on a branch, within its present call.

        Raises:
            WorkbenchError: if another program works on it.
        """
        run = self._store.runs.active(branch_id)
        if run is not None and not self._runner.stop(run.id):
            raise WorkbenchError(
                "Another program works on this story, perhaps a command line. Stop it there."
            )

    def wait(self, run: Run, seconds: float | None = None) -> bool:
        """Wait until a run no longer works here; False if that took longer than allowed."""
        return self._runner.wait(run.id, seconds)

    def progress(self, branch_id: str) -> Progress | None:
        """Return the newest run of a branch as it is now; None if there was none."""
        run = self._newest(branch_id)
        if run is None:
            return None
        totals = self._store.runs.totals(run=run.id)
        live = self._runner.live(run.id)
        if live is None:
            return Progress(run=run, totals=totals)
        done, expected = live.board.counts
        return Progress(
            run=run,
            step=live.board.step,
            done=done,
            expected=expected,
            activities=live.board.activities,
            totals=totals,
            seconds=live.board.seconds,
        )

    def pending(self, branch_id: str) -> list[Question]:
        """Return the questions that wait for the writer."""
        return [
            question
            for run in self._store.runs.waiting(branch_id)
            for question in self._runner.questions(run)
        ]

    def decide(self, question: Question, decision: Decision) -> Run:
        """Answer a question and go on. An answer counts once, whoever gives it first.

        Raises:
            AlreadyAnswered: if it was answered meanwhile.
            BranchBusy: if something else is at work on the branch.
            WorkbenchError: if the answer chooses what is not there.
        """
        run = self._store.runs.run_of_thread(question.thread)
        if self._store.runs.decision(question.id) is not None or run.state is not RunState.WAITING:
            raise AlreadyAnswered(_ANSWERED)
        self._check_decision(question, decision)
        claimed = self._claim_to_answer(run)
        waiting = self._runner.questions(claimed)
        if question not in waiting:
            state = RunState.WAITING if waiting else RunState.STOPPED
            self._store.runs.end_run(claimed.id, state, "")
            raise AlreadyAnswered(_ANSWERED)
        self._store.runs.record_decision(question.id, question.branch, decision)
        answer = Answer(action=decision.action, choice=decision.choice)
        return self._launch(claimed, answer_to(question, answer))

    def estimate(self, branch_id: str, task: Task) -> RunEstimate:
        """Return what a task will use, roughly."""
        settings = self._store.library.story_of(branch_id).settings
        used = self._store.runs.totals(branch=branch_id)
        return estimate_run(task, settings, self._book.current(), used)

    # Stage 1

    def configuration(self, branch_id: str) -> Configuration | None:
        """Return the proposed chapter 0, as far as it is drafted."""
        return self._store.proposals.configuration(branch_id)

    def proposed_snapshot(self, branch_id: str) -> Snapshot:
        """Return the prototype as the configuration would make it; empty where there is none."""
        configuration = self.configuration(branch_id)
        return apply(Snapshot(), configuration.delta, 0) if configuration else Snapshot()

    def save_configuration(self, branch_id: str, title: str, snapshot: Snapshot) -> Configuration:
        """Keep the writer's edit of the configuration before it is approved.

        Raises:
            DeltaInvalid: if the edit does not hold together; nothing is changed then.
            WorkbenchError: if there is no configuration to edit.
        """
        configuration = self.configuration(branch_id)
        if configuration is None:
            raise WorkbenchError("There is nothing to edit yet: draft the cast first.")
        delta = diff(Snapshot(), snapshot)
        apply(Snapshot(), delta, 0)
        edited = configuration.model_copy(update={"title": title.strip()[:400], "delta": delta})
        self._store.proposals.save_configuration(edited)
        return edited

    # The prototype

    def snapshot(self, branch_id: str, chapter: int | None = None) -> Snapshot:
        """Return the prototype at the end of a chapter, or as it is now."""
        return self._store.prototype.snapshot(branch_id, chapter)

    def chapters(self, branch_id: str) -> list[ChapterCard]:
        """Return the plotted chapters, in order."""
        return reading.chapter_cards(self._store, branch_id)

    def edit(self, branch_id: str, edited: Snapshot) -> Commit | None:
        """Commit what the writer changed in the story as it is now; None if nothing differs.

        Raises:
            DeltaInvalid: if the edit does not hold together; nothing is changed then.
            StoryMoved: if the story changed since it was read.
        """
        head = self.snapshot(branch_id)
        delta = diff(head, edited)
        if delta.is_empty:
            return None
        return self._store.prototype.commit(
            branch_id, delta, chapter=head.chapter, kind="edit", origin=new_id()
        )

    def changes_in(self, branch_id: str, chapter: int) -> list[ChangeLine]:
        """Return what a chapter changed, in a writer's words."""
        before = self.snapshot(branch_id, chapter - 1) if chapter else Snapshot()
        delta = diff(before, self.snapshot(branch_id, chapter))
        return list(reading.change_lines(delta, before))

    def history(self, branch_id: str, chapter: int, entity: AnyEntity) -> list[Moment]:
        """Return what each chapter up to one changed in something, after it came to be."""
        return reading.moments_of(self._store, branch_id, chapter, entity)

    def new_entity_id(self) -> str:
        """Return an id for something that the writer adds."""
        return new_id()

    # Stage 2

    def goals(self, branch_id: str, chapter: int) -> list[Goal]:
        """Return a chapter's goals, those of the newest round."""
        newest = self._store.proposals.next_round(branch_id, chapter) - 1
        return self._store.proposals.goals(branch_id, chapter, newest)

    def save_goal(self, goal: Goal) -> None:
        """Keep a goal as the writer edited it, dropped it, or added it."""
        self._store.proposals.save_goals([goal])

    def candidates(self, branch_id: str, chapter: int) -> list[CandidateView]:
        """Return all candidates of a chapter, the newest round first."""
        return reading.candidate_views(self._store, branch_id, chapter)

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

    def verdict(self, branch_id: str, chapter: int) -> Verdict | None:
        """Return the exit agent's verdict after a chapter."""
        return self._store.proposals.verdict(branch_id, chapter)

    # Stage 3

    def plan(self, branch_id: str, chapter: int) -> WritingPlan | None:
        """Return the newest writing plan of a chapter."""
        return self._store.manuscript.plan(branch_id, chapter)

    def save_plan(self, plan: WritingPlan) -> WritingPlan:
        """Keep a plan as the writer edited it."""
        self._store.manuscript.save_plan(plan)
        return plan

    def draft(self, branch_id: str, chapter: int) -> Draft | None:
        """Return the newest version of a chapter's text."""
        return self._store.manuscript.draft(branch_id, chapter)

    def versions(self, branch_id: str, chapter: int) -> list[Draft]:
        """Return all versions of a chapter's text, the newest first."""
        return self._store.manuscript.versions(branch_id, chapter)

    def save_text(self, branch_id: str, chapter: int, text: str) -> Draft:
        """Keep the writer's text as a new version."""
        return self._store.manuscript.save_text(branch_id, chapter, text)

    # Away

    def export_markdown(self, branch_id: str) -> str:
        """Return the written chapters as Markdown with front matter."""
        return export_markdown(self._store, branch_id)

    def export_bundle(self, story_id: str) -> str:
        """Return the whole story as a JSON bundle."""
        return export_bundle(self._store, story_id)

    def import_bundle(self, text: str) -> Story:
        """Take a bundle in as a new story.

        Raises:
            BundleInvalid: if it is damaged or hostile; the library is unchanged then.
        """
        return import_bundle(self._store, text)

    # Models and cost

    def model_settings(self) -> ModelSettings:
        """Return which model the app is told to use."""
        stored = self._store.library.read_setting(MODEL_SETTINGS, ModelSettings)
        return stored or ModelSettings()

    def save_model_settings(self, settings: ModelSettings) -> None:
        """Use another model from the next call on."""
        self._store.library.write_setting(MODEL_SETTINGS, settings)

    def model_chip(self) -> ModelChip:
        """Return which model is in use, in a few words."""
        endpoint = self._book.current()
        is_embedded = endpoint.base_url == EMBEDDED_URL
        return ModelChip(
            label=endpoint.name if is_embedded else endpoint.model, is_embedded=is_embedded
        )

    def test_connection(self, endpoint: Endpoint | None = None) -> ConnectionReport:
        """Ask a model for a word and for an object, and report how that went."""
        return self._gateway.test_connection(endpoint or self._book.current())

    def totals(self, branch_id: str) -> Totals:
        """Return what a branch has used so far."""
        return self._store.runs.totals(branch=branch_id)

    def premise_limit(self) -> int:
        """Return how many characters of a premise the present model can read, roughly."""
        return characters_that_fit(self._book.current().context_window)

    def _claim(self, run: Run) -> Run:
        claimed = self._store.runs.claim_again(run)
        if claimed is None:
            raise BranchBusy(_BUSY)
        return claimed

    def _claim_to_answer(self, run: Run) -> Run:
        """Take up a run that waits; where that fails, say whether its answer was the reason."""
        claimed = self._store.runs.claim_again(run)
        if claimed is not None:
            return claimed
        if self._store.runs.run(run.id).state is RunState.WAITING:
            raise BranchBusy(_BUSY)
        raise AlreadyAnswered(_ANSWERED)

    def _newest(self, branch_id: str) -> Run | None:
        return self._store.runs.active(branch_id) or self._store.runs.latest(branch_id)

    def _launch(self, run: Run, entry: Entry) -> Run:
        self._runner.launch(run, entry)
        return run

    def _check_decision(self, question: Question, decision: Decision) -> None:
        if question.gate is Gate.CANDIDATES and decision.choice:
            candidate = self._store.proposals.candidate(decision.choice)
            if (candidate.branch, candidate.chapter) != (question.branch, question.chapter):
                raise WorkbenchError("That candidate belongs to another chapter.")
        if question.gate is Gate.GOALS and all(
            goal.is_dropped for goal in self.goals(question.branch, question.chapter)
        ):
            raise WorkbenchError("Keep at least one goal, or add your own.")


_BUSY = "Something is at work on this story already. Wait for it, or stop it first."
_ANSWERED = "That was answered already, perhaps in another window. This is how it stands now."


def _same_work(task: Task, other: Task) -> bool:
    """Return whether two tasks would work on the same thing, so that only one may be open."""
    return task.kind == other.kind and getattr(task, "chapter", 0) == getattr(other, "chapter", 0)


def _reworded(candidate: Candidate, summaries: dict[str, str]) -> dict[str, object]:
    changes = []
    for change in candidate.delta.changes:
        after = change.after
        if isinstance(after, Event) and after.id in summaries:
            after = after.model_copy(update={"summary": summaries[after.id]})
        changes.append({"before": change.before, "after": after})
    return {"changes": changes}
