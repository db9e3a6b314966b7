"""Views for the pages, assembled from the store. Nothing here writes."""

from __future__ import annotations

from itertools import pairwise
from typing import Protocol

from graph_flow.runtime.progress import Pace
from graph_flow.views import BranchStatus, ChapterCard, Moment, change_lines
from store.deltas.names import references
from store.models.delta import Change, Delta
from store.models.manuscript import DraftState
from store.models.plot import Event
from store.models.proposals import Candidate, Configuration, Goal, Verdict
from store.models.prototype import AnyEntity, Snapshot
from store.models.run import ChaptersDone, PlotChapters, ReadBook, Run, RunState, WriteChapter
from store.models.story import Branch, Commit, Story
from store.open import Store
from store.text import first_line

_SEVERAL = 2


class PrototypeReads(Protocol):
    """Read-only access to the two story graphs; changes go through `StoryService`."""

    def snapshot(self, branch: str, chapter: int | None = None) -> Snapshot:
        """Return the prototype at the end of a chapter; None means as it is now."""
        ...


class ProposalReads(Protocol):
    """Read-only access to what agents proposed."""

    def configuration(self, branch: str) -> Configuration | None:
        """Return the proposed chapter 0, as far as it is drafted."""
        ...

    def candidates(self, branch: str, chapter: int, round_: int | None = None) -> list[Candidate]:
        """Return a chapter's candidates of one round, or of all, in the order of their goals."""
        ...

    def verdict(self, branch: str, chapter: int) -> Verdict | None:
        """Return the exit agent's verdict after a chapter."""
        ...


def status_of(store: Store, branch_id: str) -> BranchStatus:
    """Return the state of a branch: what is plotted and written, and whether it has ended."""
    branch = store.library.branch(branch_id)
    return status_in(store, store.library.story(branch.story), branch)


def status_in(store: Store, story: Story, branch: Branch) -> BranchStatus:
    """Return where a branch of a story stands, both of which were read already."""
    head = store.prototype.head(branch.id)
    plotted = head.chapter if head else 0
    written = store.manuscript.written_chapters(branch.id)
    return BranchStatus(
        story=story,
        branch=branch,
        is_founded=head is not None,
        people=len(store.prototype.cast(branch.id, head)),
        plotted=plotted,
        # A chapter that was taken back keeps its text, in case it is brought back.
        written=sum(
            chapter <= plotted and state is not DraftState.WRITING
            for chapter, (state, _) in written.items()
        ),
        is_reached=store.proposals.is_reached(branch.id, plotted),
    )


def chapter_cards(store: Store, branch_id: str) -> list[ChapterCard]:
    """Return the plotted chapters of a branch, in order."""
    snapshot = store.prototype.snapshot(branch_id)
    chapters = [
        one for one in store.prototype.chapters(branch_id, snapshot.chapter) if one.chapter > 0
    ]
    written = store.manuscript.written_chapters(branch_id)
    first: dict[int, Event] = {}
    for event in snapshot.events:
        first.setdefault(snapshot.first_chapter_of(event.id), event)
    return [
        _chapter_card(one, first.get(one.chapter), written.get(one.chapter)) for one in chapters
    ]


def _chapter_card(
    commit: Commit, first: Event | None, written: tuple[DraftState, int] | None
) -> ChapterCard:
    state, words = written or (None, 0)
    return ChapterCard(
        number=commit.chapter,
        title=commit.title,
        line=first_line(first.summary) if first else "",
        draft=state,
        words=words,
    )


def chapters_done(store: Store, run: Run, pace: Pace | None) -> ChaptersDone | None:
    """Return how far a run is with its chapters; None if it has only one, or none."""
    match run.task:
        case PlotChapters(chapters=chapters) if (
            chapters >= _SEVERAL and run.from_chapter is not None
        ):
            head = store.prototype.head(run.branch)
            done = min(chapters, max(0, (head.chapter if head else 0) - run.from_chapter))
            return _of_chapters(done, chapters, chapters - done, pace).model_copy(
                update={"may_end_early": run.task.stops_at_goal}
            )
        case WriteChapter(chapters=chapters) if len(chapters) >= _SEVERAL:
            if run.state is RunState.DONE:
                return ChaptersDone(done=len(chapters), of=len(chapters))
            is_begun = run.at_chapter in chapters
            done = chapters.index(run.at_chapter or 0) if is_begun else 0
            ahead = list(chapters[done + is_begun :])
            if not run.task.is_of_telling:  # another telling's texts are written anew
                ahead = store.manuscript.unwritten(run.branch, ahead)
            return _of_chapters(done, len(chapters), is_begun + len(ahead), pace)
        case ReadBook(chapters=chapters) if len(chapters) >= _SEVERAL:
            at = run.at_chapter or 0
            is_done = run.state is RunState.DONE
            done = len(chapters) if is_done else sum(one < at for one in chapters)
            return _of_chapters(done, len(chapters), len(chapters) - done, pace)
    return None


def _of_chapters(done: int, of: int, left: int, pace: Pace | None) -> ChaptersDone:
    """Return how many chapters are done; `left` are those that still take time."""
    return ChaptersDone(done=done, of=of, seconds_left=pace.left(left) if pace and left else None)


def moments_of(store: Store, branch_id: str, chapter: int, entity: AnyEntity) -> list[Moment]:
    """Return what each chapter after its first one changed in an entity, up to a chapter."""
    versions = store.prototype.versions(branch_id, chapter, entity.kind, entity.id)
    around = store.prototype.partial(branch_id, chapter, references(entity).values())
    moments = []
    for earlier, later in pairwise(versions):
        if earlier.entity == later.entity:
            continue
        delta = Delta(changes=(Change(before=earlier.entity, after=later.entity),))
        moments.append(Moment(chapter=later.chapter, changes=change_lines(delta, around)))
    return moments


def newest_goals(store: Store, branch_id: str, chapter: int) -> list[Goal]:
    """Return a chapter's goals of the newest round."""
    newest = store.proposals.next_round(branch_id, chapter) - 1
    return store.proposals.goals(branch_id, chapter, newest)
