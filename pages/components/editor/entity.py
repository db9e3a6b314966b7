"""The editor of one story element: its fields, and one button that saves them all."""

from __future__ import annotations

import streamlit as st
from pydantic import ValidationError

from pages.components import words as wording
from pages.components.editor import event as event_editor
from pages.components.editor import new, person, strings
from pages.components.editor.draft import Draft, EditSession
from pages.components.fields.fields import Fields
from pages.components.fields.keeping import warn_not_saved
from pages.components.words import plain
from store.models.cast import Character, Relationship
from store.models.fields import shown_fields
from store.models.plot import Event, EventLink, Participation, Scene, Thread
from store.models.prototype import AnyEntity, Snapshot


@st.fragment
def show(session: EditSession) -> None:
    """Show the fields of what is being edited; nothing changes until it is saved."""
    session.save_if_asked()
    draft = session.draft
    if draft is None:
        # It was saved or discarded: the whole page must show that.
        st.rerun()
    try:
        story = draft.applied(session.panel.now)
    except ValidationError as error:
        st.warning(plain(wording.problem_of(error)))
        _buttons(session)
        return
    entity = story.entities.get(session.subject)
    if entity is None:
        st.warning(strings.NOT_IN_CHAPTER)
        _buttons(session)
        return
    _heading(session, draft, entity)
    _fields(session, entity, story)
    _buttons(session)


def _heading(session: EditSession, draft: Draft, entity: AnyEntity) -> None:
    headings = strings.ADDING if draft.is_new else strings.EDITING
    st.subheader(headings[entity.kind], anchor=False)
    panel = session.panel
    if panel.is_past:
        st.info(strings.changes_the_past(panel.chapter, panel.newest), icon=":material/history:")


def _fields(session: EditSession, entity: AnyEntity, story: Snapshot) -> None:
    fields = Fields(session, entity)
    match entity:
        case Character():
            person.show(fields, entity)
        case Relationship():
            _relationship(fields, entity, story)
        case Event():
            event_editor.show(session, entity, story)
        case Scene():
            _scene(fields)
        case Thread():
            _thread(fields)
        case Participation():
            event_editor.show_part(session, entity, new.people(story))
        case EventLink():
            _link(session, entity, story)


def _relationship(fields: Fields, relationship: Relationship, story: Snapshot) -> None:
    cast = new.people(story)
    fields.choice("source", cast)
    fields.choice("tie", {kind: words[0] for kind, words in wording.RELATIONSHIP_WORDS.items()})
    fields.choice("target", cast)
    fields.text("called")
    st.button(
        strings.RELATIONSHIP_SWAP,
        key=fields.key("turn"),
        icon=":material/swap_vert:",
        type="tertiary",
        on_click=lambda: fields.save(source=relationship.target, target=relationship.source),
    )
    fields.toggle("is_mutual")
    fields.slider("strength", 1, 10)
    fields.choice("awareness", wording.AWARENESS)
    fields.text("reason")


def _scene(fields: Fields) -> None:
    for field in shown_fields(Scene):
        fields.text(field)


def _thread(fields: Fields) -> None:
    fields.text("title")
    fields.text("description")
    fields.choice("state", wording.THREAD_STATES)
    fields.chapter("planted_in")
    fields.chapter("paid_off_in")


def _link(session: EditSession, link: EventLink, story: Snapshot) -> None:
    ends = (story.get(Event, end) for end in (link.source, link.target))
    # Worded from the side of the same event, whichever way the link goes.
    event = min(ends, key=lambda one: (story.first_chapter_of(one.id), one.position, one.id))
    st.markdown(strings.link_heading(plain(event.title)))
    others = new.events(story, story.first_chapter_of(event.id), {link.source, link.target})
    others.pop(event.id, None)
    event_editor.show_link(session, link, event, others)


def _buttons(session: EditSession) -> None:
    with st.container(key="editor-foot"):
        if session.refusal:
            warn_not_saved(session.refusal)
        with st.container(horizontal=True):
            st.button(
                strings.SAVE,
                key=f"{session.key}-save",
                type="primary",
                on_click=session.ask_to_save,
            )
            st.button(strings.DISCARD, key=f"{session.key}-let-go", on_click=session.let_go)
