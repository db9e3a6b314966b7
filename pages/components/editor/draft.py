"""The draft of one thing of the story while it is edited: kept until it is saved or discarded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from pages.components.fields import autosave
from pages.components.fields.editing import with_fields, without_entity
from pages.components.notices import attempt, keep
from pages.components.services import workbench
from pages.components.words import problem_of
from store.deltas.delta import describe, diff
from store.deltas.names import Names
from store.errors import StoreError
from store.models.delta import Delta
from store.models.prototype import AnyEntity, Snapshot


@dataclass(frozen=True)
class Panel:
    """Where the panel beside a picture stands.

    `now` is the story at the time cursor, `before` the chapter before it, `newest` the last
    plotted chapter. `look_at` chooses what the panel shows, None for nothing; the page has
    to run again after it.
    """

    branch: str
    newest: int
    before: Snapshot | None
    now: Snapshot
    look_at: Callable[[str | None], None]

    @property
    def chapter(self) -> int:
        """The chapter that the time cursor stands at."""
        return self.now.chapter

    @property
    def is_past(self) -> bool:
        """Whether later chapters are plotted."""
        return self.chapter < self.newest


class Saved(NamedTuple):
    """What was saved last: sentences, not Markdown."""

    chapter: int
    lines: tuple[str, ...]
    commit: int


@dataclass(frozen=True)
class EditSession:
    """One thing of the story and its draft, if it is being edited."""

    panel: Panel
    subject: str

    @property
    def key(self) -> str:
        """What the keys of this desk's widgets begin with."""
        return f"edit-{self.panel.branch}-{self.subject}"

    @property
    def draft(self) -> Draft | None:
        """What was typed and not saved; None where the thing is not being edited."""
        return drafts(self.panel.branch).get(self.subject)

    @property
    def refusal(self) -> str:
        """Why the last save was refused; plain text, empty where it was not."""
        return str(st.session_state.get(self._refusal, ""))

    def open(self, *new: AnyEntity) -> None:
        """Begin to edit; `new` comes into the story when the draft is saved."""
        draft = self.draft or Draft(self.subject)
        for entity in new:
            draft = draft.add(entity)
        self._keep(draft)

    def change(self, id_: str, /, **values: object) -> None:
        """Keep fields of one thing in the draft; once that is closed, nothing comes too late.

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
        """Take something out, once the draft is saved."""
        if self.draft is not None:
            self._keep(self.draft.remove(id_))

    def let_go(self) -> None:
        """Forget what was typed."""
        self._close()

    def ask_to_save(self) -> None:
        """Save the draft as soon as all that was typed before has come in.

        One message of a browser may bring a click and a text that was typed before it, in any order.
        """
        st.session_state[self._asked] = True

    def save_if_asked(self) -> bool:
        """Save the draft if that was asked for, as one change of the story.

        What is refused stays, with the reason. Returns whether it was saved.
        """
        draft = self.draft
        if not st.session_state.pop(self._asked, False) or draft is None:
            return False
        if autosave.has_unsaved(f"{self.key}-"):
            self._refuse("One of the fields cannot be kept as it is: see what stands beneath it.")
            return False
        if not self.commit(draft):
            return False
        self._close()
        self.panel.look_at(self.subject)
        return True

    def take_out(self) -> None:
        """Take the thing out of the story, with what refers to it."""
        if self.commit(Draft(self.subject).remove(self.subject)):
            self._close()
            self.panel.look_at(None)

    def set_at_once(self, **values: object) -> None:
        """Save fields of the thing without a draft."""
        self.commit(Draft(self.subject).change(self.panel.now, self.subject, **values))

    def commit(self, draft: Draft) -> bool:
        """Commit a draft onto the story as it is stored now; returns whether it could be."""
        st.session_state.pop(self._refusal, None)
        branch, chapter = self.panel.branch, self.panel.chapter
        try:
            now = workbench().prototype.snapshot(branch, chapter)
            if told := self._moved(draft, now):
                self._refuse(told)
                return False
            delta = draft.delta(now)
            commit = workbench().story.commit_edit(branch, delta, chapter)
        except ValidationError as error:
            self._refuse(problem_of(error))
            return False
        except (StoreError, WorkbenchError) as error:
            self._refuse(str(error))
            return False
        if commit is not None:
            st.session_state[_saved(branch)] = Saved(chapter, _told(delta, now), commit.id)
        return True

    def _moved(self, draft: Draft, now: Snapshot) -> str:
        """Return what somebody else changed meanwhile; what was typed stays as it is."""
        if draft.lost(now):
            return "This was taken out of the story meanwhile. What you typed is still here."
        moved = draft.moved(now)
        if not moved:
            return ""
        self._keep(draft.renewed(now))
        names = Names(now, Delta())
        told = dict.fromkeys(
            f"{names.of(place.id)}: {place.field.replace('_', ' ')}" for place in moved
        )
        return (
            f"The story changed meanwhile, perhaps in another window ({'; '.join(told)}). What you "
            "typed is still here: save again to put it in place of that."
        )

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
    """Return all drafts of a branch that are under way in this window, by what they are about."""
    kept: dict[str, Draft] = st.session_state.get(_drafts(branch), {})
    return kept


def saved(branch: str) -> Saved | None:
    """Return what was saved last, as long as nothing else was begun."""
    kept: Saved | None = st.session_state.get(_saved(branch))
    return kept


def forget_saved(branch: str) -> None:
    """Say no more of what was saved last."""
    st.session_state.pop(_saved(branch), None)


def take_back(panel: Panel, last: Saved) -> None:
    """Undo what was saved last, unless something else was done since."""
    forget_saved(panel.branch)

    def undo() -> None:
        entries = workbench().branches.steps(panel.branch).entries
        standing = next((step.commit for step in entries if not step.is_undone), None)
        if standing != last.commit:
            raise WorkbenchError(
                "Something else was done since, so this cannot be undone by itself. The History page "
                "takes one step back after the other."
            )
        workbench().branches.undo(panel.branch)

    if attempt(undo):
        keep("done", "Taken back.")


def _told(delta: Delta, before: Snapshot) -> tuple[str, ...]:
    return tuple(f"{one.mark} {one.text}" for one in describe(delta, before))


def _drafts(branch: str) -> str:
    return f"drafts of {branch}"


def _saved(branch: str) -> str:
    return f"saved last on {branch}"


class Touch(NamedTuple):
    """A field as the writer found it, and as it is to be."""

    found: object
    wanted: object


class Place(NamedTuple):
    """A field of a thing."""

    id: str
    field: str


@dataclass(frozen=True)
class Draft:
    """An edit under way. `subject` is the id of what it is about; it may be new."""

    subject: str
    touched: Mapping[Place, Touch] = field(default_factory=dict)
    added: Mapping[str, AnyEntity] = field(default_factory=dict)
    removed: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the subject comes into the story with this edit."""
        return self.subject in self.added

    def change(self, snapshot: Snapshot, id_: str, **values: object) -> Draft:
        """Return the draft with fields of one thing as they are to be.

        Raises:
            ValidationError: if a value is not one that its field can hold.
            KeyError: if the thing is neither in the snapshot nor in the draft.
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
        """Return the draft with something new in it."""
        return replace(self, added={**self.added, entity.id: entity})

    def remove(self, id_: str) -> Draft:
        """Return the draft without something, and without what was typed about it."""
        touched = {place: touch for place, touch in self.touched.items() if place.id != id_}
        if id_ in self.added:
            added = {key: entity for key, entity in self.added.items() if key != id_}
            return replace(self, touched=touched, added=added)
        return replace(self, touched=touched, removed=(*self.removed, id_))

    def applied(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot as it is to be.

        Raises:
            ValidationError: if fields that fit what the writer found do not fit what stands now.
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
        """Return what saving this draft changes in a snapshot.

        Raises:
            ValidationError: as `applied`.
        """
        return diff(snapshot, self.applied(snapshot))

    def moved(self, snapshot: Snapshot) -> list[Place]:
        """Return the fields that somebody else changed meanwhile, to something else."""
        return [
            place
            for place, touch in self.touched.items()
            if place.id in snapshot.entities
            and getattr(snapshot.entities[place.id], place.field) not in touch
        ]

    def lost(self, snapshot: Snapshot) -> list[str]:
        """Return the ids of what was edited here and taken away elsewhere."""
        return sorted({place.id for place in self.touched} - set(snapshot.entities))

    def renewed(self, snapshot: Snapshot) -> Draft:
        """Return the draft as if the writer had found everything as it stands now."""
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
