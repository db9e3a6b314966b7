"""Views for the pages, put together from what the store holds. Nothing here writes."""

from __future__ import annotations

from itertools import pairwise

from graph_flow.views import CandidateView, ChangeLine, ChapterCard, Desk, Moment
from store.delta import apply, describe
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.plot import Event
from store.models.proposals import Candidate, CandidateState, Goal
from store.models.prototype import AnyEntity, Snapshot
from store.models.story import Commit
from store.models.telling import DraftState
from store.naming import references
from store.open import Store
from store.rebase import rebase

_LINE = 140


def desk_of(store: Store, branch_id: str) -> Desk:
    """Return where a branch stands."""
    branch = store.library.branch(branch_id)
    head = store.prototype.head(branch_id)
    plotted = head.chapter if head else 0
    written = store.manuscript.written_chapters(branch_id)
    return Desk(
        story=store.library.story(branch.story),
        branch=branch,
        is_founded=head is not None,
        people=len(store.prototype.snapshot(branch_id).characters),
        plotted=plotted,
        # A chapter that was taken back keeps its text, for the day when it is told again.
        written=sum(chapter <= plotted for chapter in written),
        is_reached=store.proposals.is_reached(branch_id, plotted),
    )


def chapter_cards(store: Store, branch_id: str) -> list[ChapterCard]:
    """Return the plotted chapters of a branch, in order."""
    chapters = [one for one in store.prototype.chapters(branch_id) if one.chapter > 0]
    written = store.manuscript.written_chapters(branch_id)
    snapshot = store.prototype.snapshot(branch_id)
    return [_chapter_card(one, snapshot, written.get(one.chapter)) for one in chapters]


def _chapter_card(
    commit: Commit, snapshot: Snapshot, written: tuple[DraftState, int] | None
) -> ChapterCard:
    events = snapshot.events_of(commit.chapter)
    state, words = written or (None, 0)
    return ChapterCard(
        number=commit.chapter,
        title=commit.title,
        line=_clipped(events[0].summary) if events else "",
        draft=state,
        words=words,
    )


def _clipped(text: str) -> str:
    return text if len(text) <= _LINE else f"{text[:_LINE].rsplit(' ', 1)[0]}…"


def change_lines(delta: Delta, snapshot: Snapshot) -> tuple[ChangeLine, ...]:
    """Return what a Delta changes, in a writer's words; `snapshot` is what it applies to."""
    return tuple(ChangeLine(mark=one.mark, text=one.text) for one in describe(delta, snapshot))


def moments_of(store: Store, branch_id: str, chapter: int, entity: AnyEntity) -> list[Moment]:
    """Return what each chapter after its first changed in an entity, up to a chapter."""
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
    """Return a chapter's goals, those of the newest round."""
    newest = store.proposals.next_round(branch_id, chapter) - 1
    return store.proposals.goals(branch_id, chapter, newest)


def candidate_views(store: Store, branch_id: str, chapter: int) -> list[CandidateView]:
    """Return all candidates of a chapter as cards, the newest round first."""
    candidates = store.proposals.candidates(branch_id, chapter)
    if not candidates:
        return []
    before = store.prototype.snapshot(branch_id, chapter - 1)
    newest = max(candidate.round for candidate in candidates)
    best = _best([one for one in candidates if one.round == newest])
    return [
        _candidate_view(candidate, store.proposals.goal(candidate.goal), before, candidate is best)
        for candidate in sorted(candidates, key=lambda one: -one.round)
    ]


def _best(candidates: list[Candidate]) -> Candidate | None:
    open_ones = [one for one in candidates if one.state is CandidateState.PROPOSED and one.scores]
    return max(open_ones, key=lambda one: one.total or 0.0, default=None)


def _candidate_view(
    candidate: Candidate, goal: Goal, before: Snapshot, is_best: bool
) -> CandidateView:
    delta = rebase(
        candidate.delta, before
    )  # the writer may have edited the story since it was woven
    skipped = [turn.name for turn in candidate.turns if turn.is_skipped]
    return CandidateView(
        candidate=candidate,
        goal=goal,
        happenings=happenings_of(delta, before),
        changes=tuple(
            line
            for line, kind in _lines_with_kinds(delta, before)
            if kind not in {"event", "participation", "occurrence"}
        ),
        warnings=tuple(f"{name} gave no answer that could be used." for name in skipped),
        total=candidate.total,
        is_best=is_best,
    )


def _lines_with_kinds(delta: Delta, before: Snapshot) -> list[tuple[ChangeLine, str]]:
    return [(ChangeLine(mark=one.mark, text=one.text), one.kind) for one in describe(delta, before)]


def happenings_of(delta: Delta, before: Snapshot) -> tuple[str, ...]:
    """Return the events that a Delta adds, in order, each with who acts and where."""
    after = apply(before, delta, before.chapter + 1)
    added = [entity for entity in delta.additions() if isinstance(entity, Event)]
    return tuple(
        _happening(event, after) for event in sorted(added, key=lambda event: event.position)
    )


def _happening(event: Event, after: Snapshot) -> str:
    scene = after.scene_of(event.id)
    people = [
        after.get(Character, part.character).name for part in after.participations_in(event.id)
    ]
    where = f" — {scene.name}" if scene else ""
    return f"{event.summary} ({', '.join(people)}{where})"
