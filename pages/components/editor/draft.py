"""The edit of one story element in progress, kept until it is saved or discarded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from pages.components import words
from pages.components.editor import strings
from pages.components.fields import autosave
from pages.components.fields.editing import with_fields, without_entity
from pages.components.notices import attempt, keep
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.deltas.delta import describe, diff
from store.deltas.names import Names
from store.errors import StoreError
from store.models.delta import Delta
from store.models.fields import field_words
from store.models.prototype import AnyEntity, Snapshot


@dataclass(frozen=True)
class Panel:
    """The panel beside a picture, and the state of the story it shows.

    `now` is the story at the time cursor, `before` the chapter before it, `newest` the last
    plotted chapter. `look_at` chooses what the panel shows, None for nothing; the page has to
    rerun afterwards.
    """

    branch: str
    newest: int
    before: Snapshot | None
    now: Snapshot
    look_at: Callable[[str | None], None]

    @property
    def chapter(self) -> int:
        """The chapter at the time cursor."""
        return self.now.chapter

    @property
    def is_past(self) -> bool:
        """Whether later chapters are plotted."""
        return self.chapter < self.newest


class Saved(NamedTuple):
    """What was saved last, as plain sentences."""

    chapter: int
    lines: tuple[str, ...]
    commit: int


@dataclass(frozen=True)
class EditSession:
    """One story element and its draft, if it is being edited."""

    panel: Panel
    subject: str

    @property
    def key(self) -> str:
        """The prefix of this session's widget keys."""
        return f"edit-{self.panel.branch}-{self.subject}"

    @property
    def is_lasting(self) -> bool:
        """A draft lasts as long as its window."""
        return False

    @property
    def draft(self) -> Draft | None:
        """What was typed and not saved; None if the element is not being edited."""
        return drafts(self.panel.branch).get(self.subject)

    @property
    def refusal(self) -> str:
        """Why the last save was refused, as plain text; empty if it was not."""
        return str(st.session_state.get(self._refusal, ""))

    def open(self, *new: AnyEntity) -> None:
        """Begin editing; `new` enters the story when the draft is saved."""
        draft = self.draft or Draft(self.subject)
        for entity in new:
            draft = draft.add(entity)
        self._keep(draft)

    def change(self, id_: str, /, **values: object) -> None:
        """Keep changed fields of one entity in the draft; do nothing once that is closed.

        Raises:
            ValidationError: if a value is not one that its field can hold.
        """
        if self.draft is not None:
            self._keep(self.draft.change(self.panel.now, id_, **values))

    def add(self, entity: AnyEntity) -> None:
        """Keep something new in the draft."""
        if self.draft is not None:
            self._keep(self.draft.add(entity))

    def remove(self, id_: str) -> None:
        """Remove an entity when the draft is saved."""
        if self.draft is not None:
            self._keep(self.draft.remove(id_))

    def let_go(self) -> None:
        """Discard what was typed."""
        self._close()

    def ask_to_save(self) -> None:
        """Save the draft as soon as everything typed before has arrived.

        A browser may send a click together with text typed before it, in any order.
        """
        st.session_state[self._asked] = True

    def save_if_asked(self) -> bool:
        """Save the draft, if that was asked for, as one step of the story.

        A refused draft stays open, with the reason. Returns whether it was saved.
        """
        draft = self.draft
        if not st.session_state.pop(self._asked, False) or draft is None:
            return False
        if autosave.has_unsaved(f"{self.key}-"):
            self._refuse(strings.UNSAVED_FIELD)
            return False
        if not self.commit(draft):
            return False
        self._close()
        self.panel.look_at(self.subject)
        return True

    def take_out(self) -> None:
        """Remove the entity from the story, with everything that refers to it."""
        if self.commit(Draft(self.subject).remove(self.subject)):
            self._close()
            self.panel.look_at(None)

    def set_at_once(self, **values: object) -> None:
        """Save fields of the entity without a draft."""
        self.commit(Draft(self.subject).change(self.panel.now, self.subject, **values))

    def commit(self, draft: Draft) -> bool:
        """Commit a draft to the story as stored now; return whether that succeeded."""
        st.session_state.pop(self._refusal, None)
        branch, chapter = self.panel.branch, self.panel.chapter
        try:
            now = workbench().prototype.snapshot(branch, chapter)
            if why := self._moved(draft, now):
                self._refuse(why)
                return False
            delta = draft.delta(now)
            commit = workbench().story.commit_edit(branch, delta, chapter)
        except ValidationError as error:
            self._refuse(words.problem_of(error))
            return False
        except (StoreError, WorkbenchError) as error:
            self._refuse(said(str(error)))
            return False
        if commit is not None:
            st.session_state[_saved(branch)] = Saved(chapter, _sentences(delta, now), commit.id)
        return True

    def _moved(self, draft: Draft, now: Snapshot) -> str:
        """Return what somebody else has changed in the meantime; keep what was typed."""
        if draft.lost(now):
            return strings.REMOVED_MEANWHILE
        moved = draft.moved(now)
        if not moved:
            return ""
        self._keep(draft.renewed(now))
        names = Names(now, Delta())
        fields = dict.fromkeys(
            strings.field_of(names.of(place.id), field_words(now.entities[place.id], place.field))
            for place in moved
        )
        return strings.changed_meanwhile(fields)

    def _keep(self, draft: Draft) -> None:
        st.session_state.setdefault(_drafts(self.panel.branch), {})[self.subject] = draft
        st.session_state.pop(_saved(self.panel.branch), None)

    def _close(self) -> None:
        drafts(self.panel.branch).pop(self.subject, None)
        autosave.forget_unsaved(f"{self.key}-")
        st.session_state.pop(self._refusal, None)

    def _refuse(self, why: str) -> None:
        st.session_state[self._refusal] = why

    @property
    def _asked(self) -> str:
        return f"{self.key} is to be saved"

    @property
    def _refusal(self) -> str:
        return f"why {self.key} was refused"


def drafts(branch: str) -> dict[str, Draft]:
    """Return all drafts of a branch that are open in this window, by subject."""
    kept: dict[str, Draft] = st.session_state.get(_drafts(branch), {})
    return kept


def saved(branch: str) -> Saved | None:
    """Return what was saved last, until another edit begins."""
    kept: Saved | None = st.session_state.get(_saved(branch))
    return kept


def forget_saved(branch: str) -> None:
    """Stop showing what was saved last."""
    st.session_state.pop(_saved(branch), None)


def take_back(panel: Panel, last: Saved) -> None:
    """Undo what was saved last, unless something else has been done since."""
    forget_saved(panel.branch)

    def undo() -> None:
        entries = workbench().branches.steps(panel.branch).entries
        standing = next((step.commit for step in entries if not step.is_undone), None)
        if standing != last.commit:
            raise WorkbenchError(strings.NOT_UNDONE)
        workbench().branches.undo(panel.branch)

    if attempt(undo):
        keep("done", strings.UNDONE)


def _sentences(delta: Delta, before: Snapshot) -> tuple[str, ...]:
    return tuple(f"{one.mark} {one.text}" for one in describe(delta, before))


def _drafts(branch: str) -> str:
    return f"drafts of {branch}"


def _saved(branch: str) -> str:
    return f"saved last on {branch}"


class Touch(NamedTuple):
    """A field as the writer found it, and as they want it."""

    found: object
    wanted: object


class Place(NamedTuple):
    """A field of an entity."""

    id: str
    field: str


@dataclass(frozen=True)
class Draft:
    """An edit in progress. `subject` is the id of the edited entity, which may be new."""

    subject: str
    touched: Mapping[Place, Touch] = field(default_factory=dict)
    added: Mapping[str, AnyEntity] = field(default_factory=dict)
    removed: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the subject enters the story with this edit."""
        return self.subject in self.added

    def change(self, snapshot: Snapshot, id_: str, **values: object) -> Draft:
        """Return the draft with fields of one entity changed.

        Raises:
            ValidationError: if a value is not one that its field can hold.
            KeyError: if the entity is neither in the snapshot nor in the draft.
        """
        if id_ in self.added:
            return replace(self, added={**self.added, id_: with_fields(self.added[id_], **values)})
        standing = snapshot.entities[id_]
        edited = with_fields(self._edited(standing), **values)
        touched = dict(self.touched)
        for name in values:
            place = Place(id_, name)
            found = touched[place].found if place in touched else getattr(standing, name)
            touched[place] = Touch(found, getattr(edited, name))
        return replace(self, touched=touched)

    def add(self, entity: AnyEntity) -> Draft:
        """Return the draft with a new entity added."""
        return replace(self, added={**self.added, entity.id: entity})

    def remove(self, id_: str) -> Draft:
        """Return the draft with an entity removed, along with what was typed about it."""
        touched = {place: touch for place, touch in self.touched.items() if place.id != id_}
        if id_ in self.added:
            added = {key: entity for key, entity in self.added.items() if key != id_}
            return replace(self, touched=touched, added=added)
        return replace(self, touched=touched, removed=(*self.removed, id_))

    def applied(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot with the draft applied.

        Raises:
            ValidationError: if the changed fields do not fit the entity as it is now.
        """
        entities = {**snapshot.entities, **self.added}
        for id_ in {place.id for place in self.touched} & set(snapshot.entities):
            entities[id_] = self._edited(snapshot.entities[id_])
        first = {**dict.fromkeys(self.added, snapshot.chapter), **snapshot.first_chapter}
        edited = snapshot.model_copy(update={"entities": entities, "first_chapter": first})
        for id_ in self.removed:
            edited = without_entity(edited, id_)
        return edited

    def delta(self, snapshot: Snapshot) -> Delta:
        """Return what saving this draft would change in a snapshot.

        Raises:
            ValidationError: as `applied`.
        """
        return diff(snapshot, self.applied(snapshot))

    def moved(self, snapshot: Snapshot) -> list[Place]:
        """Return the edited fields that somebody else has changed to something different."""
        return [
            place
            for place, touch in self.touched.items()
            if place.id in snapshot.entities
            and getattr(snapshot.entities[place.id], place.field) not in touch
        ]

    def lost(self, snapshot: Snapshot) -> list[str]:
        """Return the ids of entities edited here and removed elsewhere."""
        return sorted({place.id for place in self.touched} - set(snapshot.entities))

    def renewed(self, snapshot: Snapshot) -> Draft:
        """Return the draft as if the writer had started from the story as it is now."""
        touched = {
            place: Touch(getattr(snapshot.entities[place.id], place.field), touch.wanted)
            for place, touch in self.touched.items()
            if place.id in snapshot.entities
        }
        return replace(self, touched=touched)

    def _edited(self, standing: AnyEntity) -> AnyEntity:
        values = {
            place.field: touch.wanted
            for place, touch in self.touched.items()
            if place.id == standing.id
        }
        return with_fields(standing, **values) if values else standing
