"""The panel beside a picture: one story element, its editor, or the chapter's changes."""

from __future__ import annotations

from typing import TypeVar

import streamlit as st

from pages.components import notices, words
from pages.components.editor import draft as edit_drafts
from pages.components.editor import entity as entity_editor
from pages.components.editor import new
from pages.components.editor.draft import Draft, EditSession, Panel
from pages.components.fields.fields import lock_toggle
from pages.components.frame import time_cursor
from pages.components.graphs import strings
from pages.components.graphs.details import Details, Mention, Occasion, details_of, name_of
from pages.components.graphs.removal import ask_to_remove, is_asking, offer_removal
from pages.components.pictures.story_index import sentences
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.base import WHOLE
from store.models.plot import ThreadState

T = TypeVar("T")

_OVER = {ThreadState.PAID_OFF, ThreadState.DROPPED}

_FEW = 8
"""How many chapters of a history, or mentions, are shown until the rest are asked for."""


def show(chosen: str, panel: Panel) -> None:
    """Show the chosen element, or its editor while it is being edited.

    If `chosen` is empty, show what the chapter changed, or what is being added.
    """
    for id_ in list(edit_drafts.drafts(panel.branch)):
        if EditSession(panel, id_).save_if_asked():
            st.rerun()
    notices.show()
    _show_saved(panel)
    subject = chosen or new.being_added(panel)
    session = EditSession(panel, subject)
    if subject and session.draft is not None:
        entity_editor.show(session)
        return
    details = _details(chosen, panel) if chosen else None
    if details is None:
        _show_changes(panel)
    else:
        _show_details(details, session)
    _show_unsaved(panel, subject)


def _details(chosen: str, panel: Panel) -> Details | None:
    entity = panel.now.entities.get(chosen)
    if entity is None:
        return None
    moments = workbench().story.history(panel.branch, panel.chapter, entity)
    return details_of(panel.now, chosen, moments)


def _show_details(details: Details, session: EditSession) -> None:
    st.caption(plain(details.sort))
    st.subheader(plain(details.title), anchor=False)
    _show_actions(session)
    if details.lead:
        with st.container(key="story-lead"):
            st.markdown(plain(details.lead))
    if details.facts:
        facts = (f"**{plain(fact.label)}**  \n{plain(fact.text)}" for fact in details.facts)
        st.markdown("\n\n".join(facts))
    if details.mentions:
        st.markdown(f"**{plain(details.mentions_heading)}**")
        _show_mentions(details.mentions, session)
    if details.history:
        st.markdown(f"**{strings.HISTORY}**")
        _show_history(details.history, session)


def _show_actions(session: EditSession) -> None:
    if session.refusal:
        st.warning(plain(said(session.refusal)), icon=":material/edit_off:")
    if is_asking(session):
        ask_to_remove(session)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            strings.EDIT, key=f"{session.key}-open", icon=":material/edit:", on_click=session.open
        )
        lock_toggle(
            session.panel.now.entities[session.subject],
            WHOLE,
            lambda locked: session.set_at_once(locked=locked),
            key=f"{session.key}-whole",
        )
        new.offer(session.panel, session.subject)
        offer_removal(session)


def _show_mentions(mentions: tuple[Mention, ...], session: EditSession) -> None:
    key = f"{session.key}-mentions"
    with st.container(gap=None):
        for mention in _first(mentions, key):
            st.button(
                plain(mention.text),
                key=f"{session.key}-look-{mention.id}",
                type="tertiary",
                on_click=session.panel.look_at,
                args=(mention.id,),
            )
        _offer_all(len(mentions), key, strings.show_all(len(mentions)))


def _show_history(history: tuple[Occasion, ...], session: EditSession) -> None:
    """Show the newest chapters, and on demand the earlier ones, each with a way to go there."""
    key, panel = f"{session.key}-history", session.panel
    with st.container(gap=None):
        _offer_all(len(history), key, strings.show_all_chapters(len(history)))
        for occasion in _first(history[::-1], key)[::-1]:
            st.button(
                occasion.when,
                key=f"{key}-{occasion.chapter}",
                type="tertiary",
                icon=":material/schedule:",
                disabled=occasion.chapter == panel.chapter,
                help=strings.GO_TO_CHAPTER,
                on_click=time_cursor.move,
                args=(panel.branch, occasion.chapter, panel.newest),
            )
            st.markdown("\n".join(f"- {plain(line)}" for line in occasion.lines))


def _show_changes(panel: Panel) -> None:
    chapter, changes = panel.chapter, sentences(panel.before, panel.now)
    st.subheader(strings.chapter_changes(chapter), anchor=False)
    new.offer(panel)
    if not changes:
        st.caption(strings.NO_CHANGES)
    st.markdown(
        "\n\n".join(f"{plain(change.mark)} {plain(said(change.text))}" for change in changes)
    )
    _show_threads(panel)


def _show_threads(panel: Panel) -> None:
    """Show the threads, which no picture shows, with the open ones first."""
    threads = sorted(panel.now.threads, key=lambda thread: thread.state in _OVER)
    if not threads:
        return
    key = f"threads-{panel.branch}"
    st.markdown(f"**{strings.THREADS}**")
    with st.container(gap=None):
        for thread in _first(tuple(threads), key):
            st.button(
                f"{plain(thread.title)} :gray[{words.THREAD_STATES[thread.state]}]",
                key=f"{key}-{thread.id}",
                type="tertiary",
                on_click=panel.look_at,
                args=(thread.id,),
            )
        _offer_all(len(threads), key, strings.show_all(len(threads)))


def _show_saved(panel: Panel) -> None:
    """Say what was saved last, and offer to undo it while it is the newest step."""
    saved = edit_drafts.saved(panel.branch)
    if saved is None:
        return
    when = strings.saved_in(saved.chapter)
    with st.container(border=True, key="saved-last"):
        lines = "\n".join(f"- {plain(line)}" for line in saved.lines)
        st.markdown(f":material/check: **{when}**\n\n{lines}")
        with st.container(horizontal=True):
            st.button(
                strings.UNDO,
                key="undo-saved",
                icon=":material/undo:",
                on_click=edit_drafts.take_back,
                args=(panel, saved),
            )
            st.button(
                strings.CLOSE,
                key="close-saved",
                type="tertiary",
                on_click=edit_drafts.forget_saved,
                args=(panel.branch,),
            )


def _show_unsaved(panel: Panel, shown: str) -> None:
    """Offer a way back to unsaved edits."""
    others = {id_: one for id_, one in edit_drafts.drafts(panel.branch).items() if id_ != shown}
    if not others:
        return
    st.caption(strings.UNSAVED)
    for id_, draft in others.items():
        st.button(
            strings.continue_with(plain(_name(draft, panel))),
            key=f"go-on-{id_}",
            type="tertiary",
            icon=":material/edit:",
            on_click=new.turn_to,
            args=(panel, draft),
        )


def _name(draft: Draft, panel: Panel) -> str:
    entity = draft.added.get(draft.subject) or panel.now.entities.get(draft.subject)
    if entity is None:
        return strings.UNSAVED_ELSEWHERE
    name = getattr(entity, "name", "") or getattr(entity, "title", "")
    return name or (
        strings.UNSAVED_NEW[entity.kind] if draft.is_new else name_of(entity, panel.now)
    )


def _first(several: tuple[T, ...], key: str) -> tuple[T, ...]:
    return several if st.session_state.get(f"all of {key}") else several[:_FEW]


def _offer_all(number: int, key: str, label: str) -> None:
    if number > _FEW and not st.session_state.get(f"all of {key}"):
        st.button(
            label,
            key=f"{key}-all",
            type="tertiary",
            icon=":material/unfold_more:",
            on_click=_open_all,
            args=(key,),
        )


def _open_all(key: str) -> None:
    st.session_state[f"all of {key}"] = True
