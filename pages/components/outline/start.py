"""The outline before it exists, while it is drafted, and when it awaits approval."""

from __future__ import annotations

from enum import StrEnum

import streamlit as st

from graph_flow.views import BranchStatus
from pages.components import notices, places
from pages.components.fields.autosave import bind, changing, saver
from pages.components.fields.editing import with_fields
from pages.components.fields.gate_buttons import Look, ask_again, decide
from pages.components.frame import frame
from pages.components.notices import act, attempt
from pages.components.outline import lines, strings
from pages.components.outline.current import CurrentOutline
from pages.components.runs import panel
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.outline import Outline, OutlineState
from store.models.run import DraftOutline, Progress, Question
from store.models.story import OutlineUse, Story

_DISCARDING = "discard the outline"


def first(status: BranchStatus) -> None:
    """Explain what an outline is for, and offer to draft one or to write it by hand."""
    frame.empty_state(strings.EMPTY, strings.EMPTY_ADVICE)
    left = status.story.settings.outlined_until(status.plotted) - status.plotted
    with st.container(horizontal=True):
        if st.button(strings.DRAFT, type="primary", icon=":material/route:", key="draft"):
            act(lambda: workbench().runs.start(status.branch.id, DraftOutline()))
        write_own(status.branch.id)
    st.caption(strings.draft_extent(left))


def write_own(branch: str) -> None:
    """Offer to start with an empty outline."""
    if st.button(strings.WRITE_OWN, icon=":material/edit:", key="begin-own"):
        act(lambda: workbench().outline.begin(branch))


def halted(progress: Progress, current: CurrentOutline | None) -> None:
    """Say why the drafting stopped, and offer to continue, to start over, or to write by hand."""
    branch = progress.run.branch
    panel.halted(progress)
    with st.container(horizontal=True):
        if st.button(strings.DRAFT_ANEW, icon=":material/restart_alt:", key="draft-anew"):
            act(lambda: workbench().runs.start(branch, DraftOutline()))
        if current is None:
            write_own(branch)


def filling_in(branch: str) -> None:
    """Show the outline as far as it is drafted, to read."""
    outline = workbench().outline.newest(branch)
    if outline is not None:
        review(outline)
        lines.read(outline)


def review(outline: Outline) -> None:
    """Show the reviewer's latest remarks on the whole outline, if any."""
    whole = [remark.text for remark in outline.remarks if remark.event is None]
    said = list(dict.fromkeys([*([outline.review] if outline.review else []), *whole]))
    if said:
        words = "  \n".join(plain(text) for text in said)
        st.info(strings.review(words), icon=":material/rate_review:")


def next_step(current: CurrentOutline, question: Question | None, *, is_primary: bool) -> None:
    """Offer what comes next: approve the outline, use it, or plot by it; or say what is missing.

    If not `is_primary`, something else on the page comes first.
    """
    is_draft = current.outline.state is OutlineState.DRAFT
    problems = workbench().outline.problems(current.branch) if is_draft else []
    if problems and current.outline.events:
        st.caption(strings.not_usable([plain(said(problem)) for problem in problems]))
    with st.container(horizontal=True):
        if question is not None:
            if not problems:
                decide(question, Look(strings.APPROVE, "approve-outline"))
            ask_again(question, strings.ASK_AGAIN, strings.ASK_AGAIN_PROMPT)
        elif is_draft and not problems:
            _use(current, is_primary=is_primary)
        elif not is_draft and current.plotted < current.cap:
            label = strings.PLOT_NEXT if current.plotted else strings.PLOT_FIRST
            if st.button(label, type="primary", icon=":material/account_tree:", key="lead-on"):
                places.go("plot")


def _use(current: CurrentOutline, *, is_primary: bool) -> None:
    st.button(
        strings.ACCEPT,
        key="accept-outline",
        type="primary" if is_primary else "secondary",
        icon=":material/check:",
        on_click=_accept,
        args=(current,),
    )
    st.caption(strings.ACCEPT_HELP)


def discard(current: CurrentOutline) -> None:
    """Offer to discard the outline, and ask for confirmation."""
    if not notices.is_asked(_DISCARDING, current.outline.id):
        st.button(
            strings.DISCARD_OFFER,
            key="discard-outline",
            icon=":material/delete:",
            type="tertiary",
            on_click=notices.ask,
            args=(_DISCARDING, current.outline.id),
        )
        return
    st.markdown(strings.DISCARD_HELP)
    with st.container(horizontal=True):
        st.button(strings.DISCARD, key="discarded-outline", on_click=_discard, args=(current,))
        st.button(strings.DISCARD_CANCEL, key="kept-outline", on_click=notices.stop_asking)


def _accept(current: CurrentOutline) -> None:
    attempt(lambda: workbench().outline.accept(current.branch))


def _discard(current: CurrentOutline) -> None:
    notices.stop_asking()
    if attempt(lambda: workbench().outline.discard(current.branch)):
        st.session_state[_discarded(current.branch)] = current.outline.version + 1


def bring_back(branch: str, outline: Outline | None) -> None:
    """Offer to restore what this window discarded, until a newer outline is saved."""
    version = int(st.session_state.get(_discarded(branch), 0))
    if version > (outline.version if outline else 0):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(strings.DISCARDED, width="content")
            st.button(
                strings.RESTORE,
                key="restore-outline",
                icon=":material/undo:",
                type="tertiary",
                on_click=_bring_back,
                args=(branch,),
            )


def _bring_back(branch: str) -> None:
    st.session_state.pop(_discarded(branch), None)
    attempt(lambda: workbench().outline.restore(branch))


def _discarded(branch: str) -> str:
    return f"outline of {branch} was discarded"


def choose_use(story: Story, place: str) -> None:
    """Show how the outline is used, saved on change; `place` identifies the field on the page."""
    key = f"{place}-outline-use-{story.id}"
    stored = workbench().library.story(story.id).settings.outline_use
    bound = bind(key, stored)

    def save(use: OutlineUse) -> None:
        workbench().library.change_settings(
            story.id, lambda settings: with_fields(settings, outline_use=use)
        )

    st.segmented_control(
        strings.USE,
        list(OutlineUse),
        default=bound.value,
        format_func=strings.USES.__getitem__,
        required=True,
        key=bound.key,
        on_change=saver(key, bound, save),
    )
    st.caption(strings.USES_HELP[bound.value])


_CHOSEN = "view of the outline"


class OutlineView(StrEnum):
    """The views of an outline."""

    LINES = "lines"
    BOARD = "board"


def choose_view() -> OutlineView:
    """Show the switch between the views; return the chosen one."""
    bound = bind("outline-view", OutlineView(st.session_state.get(_CHOSEN, OutlineView.LINES)))
    labels = {OutlineView.LINES: strings.VIEW_LINES, OutlineView.BOARD: strings.VIEW_BOARD}
    st.segmented_control(
        strings.VIEW,
        list(OutlineView),
        default=bound.value,
        format_func=labels.__getitem__,
        required=True,
        key=bound.key,
        label_visibility="collapsed",
        on_change=changing(bound, turn_to),
    )
    return bound.value


def turn_to(view: OutlineView) -> None:
    """Switch to a view."""
    st.session_state[_CHOSEN] = OutlineView(view)
