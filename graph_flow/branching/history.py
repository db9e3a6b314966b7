"""What was done on a branch, in a writer's words. Nothing here writes."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.views import ChangeLine, History, Step, change_lines
from store.deltas.names import references
from store.errors import NotFound
from store.models.delta import Delta
from store.models.story import Commit, CommitKind
from store.open import Store

SHOWN = 50
"""The most steps of a branch that are shown, the newest first."""

_WORDS: Mapping[CommitKind, str] = {
    "configuration": "The beginning",
    "chapter": "Chapter",
    "edit": "Edit",
    "import": "Import",
    "merge": "Brought in",
    "undo": "Undone",
    "redo": "Redone",
    "untell": "Taken back",
    "retell": "Chapter",
}


def steps_of(store: Store, branch_id: str) -> History:
    """Return the steps of a branch, done and undone, the newest first."""
    steps = store.prototype.steps(branch_id)
    undone = {commit.id for commit in steps.undone}
    shown = sorted((*steps.done, *steps.undone), key=lambda one: one.id, reverse=True)[:SHOWN]
    return History(
        undo=_phrase(store, steps.done[-1]) if steps.done else None,
        redo=_phrase(store, steps.undone[-1]) if steps.undone else None,
        entries=tuple(_step(store, commit, is_undone=commit.id in undone) for commit in shown),
    )


def _step(store: Store, commit: Commit, *, is_undone: bool) -> Step:
    return Step(
        commit=commit.id,
        chapter=commit.chapter,
        kind=_WORDS[commit.kind],
        is_chapter=commit.kind in {"chapter", "retell"},
        title=commit.title,
        when=commit.created,
        changes=_lines(store, commit),
        is_undone=is_undone,
    )


def _phrase(store: Store, commit: Commit) -> str:
    if commit.kind in {"chapter", "retell"}:
        title = f", “{commit.title}”" if commit.title else ""
        return f"chapter {commit.chapter}{title}"
    lines = _lines(store, commit)
    more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
    what = f"{lines[0].mark} {lines[0].text}{more}" if lines else "nothing"
    return f"{what} (in chapter {commit.chapter})" if commit.chapter else what


def _lines(store: Store, commit: Commit) -> tuple[ChangeLine, ...]:
    delta = store.prototype.delta_of(commit.id)
    return change_lines(delta, store.prototype.partial(commit.branch, None, _named(delta)))


def _named(delta: Delta) -> set[str]:
    return {id_ for change in delta.changes for id_ in references(change.entity).values()}


def candidate_of(store: Store, commit: Commit) -> str | None:
    """Return the id of the candidate that a chapter came from; None if it is not known."""
    candidate = commit.origin.rpartition("-")[2]
    try:
        return store.proposals.candidate(candidate).id
    except NotFound:
        return None
