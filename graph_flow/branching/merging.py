"""Bring one branch of a story into another."""

from __future__ import annotations

from graph_flow.views import MergeQuestion, MergeView, change_lines
from store.deltas.locks import without_locked
from store.deltas.merging import PRESENCE, Answers, Conflict, Sides, conflicts, merge
from store.deltas.names import Names
from store.deltas.sentences import value_words
from store.errors import StoreError
from store.models.base import new_id
from store.models.delta import Delta
from store.models.fields import field_words
from store.models.plot import Event
from store.models.prototype import AnyEntity
from store.models.story import Branch, Commit
from store.open import Store
from store.text import capital


def merge_view(store: Store, source_id: str, target_id: str) -> MergeView:
    """Return what bringing a branch into another would change, and the questions it raises.

    Until the questions are answered, the changes are shown as if the target won.

    Raises:
        StoreError: if these are not two branches of one story.
    """
    source, target = _pair(store, source_id, target_id)
    sides = _sides(store, source, target)
    open_ones = conflicts(sides)
    delta, kept = without_locked(
        merge(sides, {conflict.key: "ours" for conflict in open_ones}), sides.ours
    )
    return MergeView(
        changes=change_lines(delta, sides.ours),
        kept=kept,
        questions=tuple(_question(conflict, sides) for conflict in open_ones),
        is_straight=_is_straight(store, source, target),
    )


def merged(store: Store, source_id: str, target_id: str, answers: Answers) -> Commit:
    """Commit the merge of two branches; what is locked in the target stays as it is.

    New events make a chapter of their own; without any, the changes become part of the newest one.

    Raises:
        DeltaInvalid: if a question is open, or the result does not fit together.
        StoreError: if there is nothing to bring over.
    """
    source, target = _pair(store, source_id, target_id)
    sides = _sides(store, source, target)
    delta, _ = without_locked(merge(sides, answers), sides.ours)
    if delta.is_empty:
        raise StoreError(f"“{source.name}” has nothing that “{target.name}” does not already have.")
    tells = any(isinstance(entity, Event) for entity in delta.additions())
    return store.prototype.commit(
        target.id,
        delta,
        chapter=sides.ours.chapter + tells,
        kind="chapter" if tells else "merge",
        title=source.name if tells else "",
        origin=new_id(),
    )


def bring_over(store: Store, source_id: str, target_id: str) -> Commit:
    """Copy a branch's chapters and edits one by one, with the texts of its chapters.

    Raises:
        StoreError: if there is nothing to bring over.
    """
    steps = store.prototype.steps(source_id).done
    if not steps:
        raise StoreError("There is nothing on this branch that the other does not already have.")
    with store.database.write():
        for step in steps:
            commit = _taken_over(store, step, target_id)
        for chapter in range(store.library.branch(source_id).fork_chapter or 0, commit.told + 1):
            draft = store.manuscript.draft(source_id, chapter)
            if draft is not None and draft.branch == source_id:
                store.manuscript.add_version(draft.model_copy(update={"branch": target_id}))
    return commit


def _taken_over(store: Store, step: Commit, target_id: str) -> Commit:
    is_chapter = step.kind in {"chapter", "retell"}
    return store.prototype.commit(
        target_id,
        store.prototype.delta_of(step.id),
        chapter=step.chapter,
        kind="chapter" if is_chapter else "merge",
        title=step.title,
        origin=new_id(),
    )


def _pair(store: Store, source_id: str, target_id: str) -> tuple[Branch, Branch]:
    source, target = store.library.branch(source_id), store.library.branch(target_id)
    if source.story != target.story or source.id == target.id:
        raise StoreError("You can bring a branch only into another branch of the same story.")
    return source, target


def _sides(store: Store, source: Branch, target: Branch) -> Sides:
    prototype = store.prototype
    return Sides.model_construct(
        base=prototype.parting(source.id, target.id),
        ours=prototype.snapshot(target.id),
        theirs=prototype.snapshot(source.id),
    )


def _is_straight(store: Store, source: Branch, target: Branch) -> bool:
    """Return whether the target is unchanged since the source was forked from it."""
    head = store.prototype.head(target.id)
    return (
        source.parent == target.id
        and head is not None
        and (head.chapter, head.commit.id) == (source.fork_chapter, source.fork_commit)
    )


def _question(conflict: Conflict, sides: Sides) -> MergeQuestion:
    names = Names(sides.ours, Delta())
    entity = conflict.ours or conflict.theirs or conflict.base
    if entity is None:  # no conflict is about nothing
        raise StoreError("There is nothing to decide.")
    label = names.label(entity)
    what = "" if conflict.field == PRESENCE else f": {field_words(entity, conflict.field)}"
    return MergeQuestion(
        key=conflict.key,
        text=f"{capital(label)}{what}",
        base=_said(conflict.base, conflict.field, sides),
        ours=_said(conflict.ours, conflict.field, sides),
        theirs=_said(conflict.theirs, conflict.field, sides),
    )


def _said(entity: AnyEntity | None, field: str, sides: Sides) -> str:
    if entity is None:
        return "is no longer in the story"
    if field == PRESENCE:
        return "stays, with changes"
    return value_words(entity, field, Names(sides.theirs, Delta())) or "(nothing)"
