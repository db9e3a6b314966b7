"""Edits of earlier chapters, undo, redo and branches, against a plain model of what they mean."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from store.deltas.merging import Side, Sides, conflicts, merge
from store.errors import DeltaInvalid, StoreError
from store.formats.bundle import export_bundle, import_bundle
from store.models.delta import Delta
from store.models.prototype import ENTITY_TYPES, REFERENCES, AnyEntity, Snapshot
from store.models.story import Brief
from store.prototype.prototype import PrototypeStore
from tests.libraries import temporary_store
from tests.store.builders import (
    begin,
    deltas_on,
)

Values = dict[str, Any]
State = dict[str, Values]


@dataclass(eq=False)
class Step:
    """One thing that was committed: which chapter it speaks of, and whether it still counts."""

    chapter: int
    delta: Delta
    is_chapter: bool = False
    is_undone: bool = False


@dataclass(eq=False)
class Line:
    """A branch as a list of steps. `shared` are copies of its parent's."""

    id: str
    told: int = 0
    shared: list[Step] = field(default_factory=list)
    own: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)

    def state(self, chapter: int) -> State:
        """Change field by field what each step changes, chapter by chapter."""
        steps = [s for s in (*self.shared, *self.own) if not s.is_undone and s.chapter <= chapter]
        state: State = {}
        for step in sorted(steps, key=lambda one: one.chapter):
            for change in step.delta.changes:
                _change(state, _values(change.before), _values(change.after))
        return state

    def upto(self, chapter: int) -> list[Step]:
        """Return copies of the steps that a branch from a chapter shares."""
        steps = (s for s in (*self.shared, *self.own) if s.chapter <= chapter)
        return [Step(s.chapter, s.delta, s.is_chapter, s.is_undone) for s in steps]


def _values(entity: AnyEntity | None) -> Values | None:
    return None if entity is None else dict(entity)


def _change(state: State, before: Values | None, after: Values | None) -> None:
    if after is None:
        state.pop((before or {})["id"], None)
    elif before is None:
        state[after["id"]] = dict(after)
    elif after["id"] in state:
        standing = state[after["id"]]
        marked = _marks(standing, before, after)
        for name, value in after.items():
            if value == before[name]:
                continue
            if isinstance(value, tuple):
                kept = [x for x in standing[name] if x in value or x not in before[name]]
                new = [x for x in value if x not in before[name] and x not in kept]
                value = (*kept, *new)
            standing[name] = value
        standing["invented"] = marked


def _marks(standing: Values, before: Values, after: Values) -> tuple[str, ...]:
    """Who wrote a field goes with the field: an edit before does not make an agent's value the writer's."""
    set_by_it = {name for name in after if name != "invented" and after[name] != before[name]}
    lost, new = (
        set(a["invented"]) - set(b["invented"]) for a, b in ((before, after), (after, before))
    )
    kept = {name for name in (set(standing["invented"]) - lost) | new if name not in set_by_it}
    return tuple(sorted(kept | {name for name in after["invented"] if name in set_by_it}))


def _is_whole(state: State) -> bool:
    return all(
        entity[name] in state
        for entity in state.values()
        for name in REFERENCES.get(entity["kind"], {})
    )


def _snapshot(state: State) -> dict[str, AnyEntity]:
    return {
        id_: ENTITY_TYPES[values["kind"]].model_validate(values) for id_, values in state.items()
    }


class Histories(RuleBasedStateMachine):
    """Whatever is done in whatever order, every chapter of every branch is what the model says."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = ExitStack()
        self.store = self.opened.enter_context(temporary_store())
        self.lines: list[Line] = []
        self.count = 0
        self.touched: Line

    def teardown(self) -> None:
        try:
            for line in self.lines:
                self._check(line)
            if self.lines:
                self._check_file()
        finally:
            self.opened.close()

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        branch = self.store.library.main_branch(self.store.library.create_story(Brief()).id)
        delta = data.draw(deltas_on(Snapshot(), 0))
        begin(self.store, branch.id, delta)
        self.touched = Line(branch.id, own=[Step(0, delta)])
        self.lines.append(self.touched)

    def _check_file(self) -> None:
        """Take the story out and in again: every branch is the same, to the hash."""
        library = self.store.library
        story = library.stories()[0].story
        copy = import_bundle(self.store, export_bundle(self.store, story.id))
        copies = {branch.name: branch for branch in library.branches(copy.id)}
        for old in library.branches(story.id):
            new = copies.pop(old.name)
            before, after = self.store.prototype.head(old.id), self.store.prototype.head(new.id)
            assert before is not None
            assert after is not None
            assert (after.commit.hash, after.chapter) == (before.commit.hash, before.chapter)
            assert self.store.prototype.snapshot(new.id) == self.store.prototype.snapshot(old.id)
        assert copies == {}

    def _line(self, data: st.DataObject) -> Line:
        self.touched = data.draw(st.sampled_from(self.lines))
        return self.touched

    def _delta(self, data: st.DataObject, line: Line, chapter: int) -> Delta:
        self.count += 1
        return data.draw(deltas_on(self.store.prototype.snapshot(line.id, chapter), self.count))

    @rule(data=st.data())
    def tell_a_chapter(self, data: st.DataObject) -> None:
        line = self._line(data)
        delta = self._delta(data, line, line.told)
        chapter = line.told + 1
        self.store.prototype.commit(
            line.id, delta, chapter=chapter, kind="chapter", origin=f"chapter-{self.count}"
        )
        line.told = chapter
        self._did(line, Step(chapter, delta, is_chapter=True))

    @rule(data=st.data())
    def edit_any_chapter(self, data: st.DataObject) -> None:
        line = self._line(data)
        chapter = data.draw(st.integers(0, line.told))
        delta = self._delta(data, line, chapter)
        step = Step(chapter, delta)
        line.own.append(step)
        is_whole = all(_is_whole(line.state(one)) for one in range(line.told + 1))
        if is_whole:
            self._edit(line, step)
            line.undone.clear()
            return
        line.own.remove(step)
        with pytest.raises(DeltaInvalid, match="In chapter"):
            self._edit(line, step)

    def _edit(self, line: Line, step: Step) -> None:
        self.store.prototype.commit(
            line.id, step.delta, chapter=step.chapter, kind="edit", origin=f"edit-{self.count}"
        )

    def _did(self, line: Line, step: Step) -> None:
        line.own.append(step)
        line.undone.clear()

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        line = self._line(data)
        own = line.own[1:] if line is self.lines[0] else line.own
        done = [step for step in own if not step.is_undone]
        if not done:
            with pytest.raises(StoreError, match="nothing to undo"):
                self.store.prototype.undo(line.id)
            return
        self.store.prototype.undo(line.id)
        done[-1].is_undone = True
        line.undone.append(done[-1])
        line.told -= done[-1].is_chapter

    @rule(data=st.data())
    def redo(self, data: st.DataObject) -> None:
        line = self._line(data)
        if not line.undone:
            with pytest.raises(StoreError, match="nothing to redo"):
                self.store.prototype.redo(line.id)
            return
        self.store.prototype.redo(line.id)
        step = line.undone.pop()
        line.own.remove(step)
        line.own.append(Step(step.chapter, step.delta, step.is_chapter))
        line.told += step.is_chapter

    @precondition(lambda self: len(self.lines) > 1)
    @rule(data=st.data())
    def bring_together(self, data: st.DataObject) -> None:
        target, source = data.draw(st.permutations(self.lines))[:2]
        self.touched, self.count = target, self.count + 1
        prototype = self.store.prototype
        sides = Sides.model_construct(
            base=prototype.parting(source.id, target.id),
            ours=prototype.snapshot(target.id),
            theirs=prototype.snapshot(source.id),
        )
        sampled: st.SearchStrategy[Side] = st.sampled_from(["ours", "theirs"])
        delta = merge(sides, {one.key: data.draw(sampled) for one in conflicts(sides)})
        prototype.commit(
            target.id, delta, chapter=target.told, kind="merge", origin=f"merge-{self.count}"
        )
        self._did(target, Step(target.told, delta))
        assert prototype.snapshot(source.id) == sides.theirs

    @precondition(lambda self: len(self.lines) < 4)
    @rule(data=st.data())
    def start_a_branch(self, data: st.DataObject) -> None:
        parent = self._line(data)
        chapter = data.draw(st.integers(0, parent.told))
        branch = self.store.library.fork(parent.id, chapter, f"What if {len(self.lines)}")
        self.lines.append(Line(branch.id, told=chapter, shared=parent.upto(chapter)))

    @invariant()
    def every_chapter_is_what_the_model_says(self) -> None:
        self._check(self.touched)

    def _check(self, line: Line) -> None:
        fresh = PrototypeStore(self.store.database)
        head = self.store.prototype.head(line.id)
        assert head is not None
        assert head.chapter == line.told
        for chapter in range(line.told + 1):
            told = _snapshot(line.state(chapter))
            assert fresh.snapshot(line.id, chapter).entities == told
            assert self.store.prototype.snapshot(line.id, chapter).entities == told
            assert fresh.partial(line.id, chapter, set(told)).entities == told
        self.store.prototype.verify(line.id)


TestHistories = Histories.TestCase
TestHistories.settings = settings(
    max_examples=60,
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
