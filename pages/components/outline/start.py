"""The outline before there is one, while it is drafted, and when it waits for the writer's word."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import streamlit as st

from graph_flow.views import BranchStatus
from pages.components import notices, places
from pages.components.fields.autosave import bind, changing, saver
from pages.components.fields.editing import with_fields
from pages.components.fields.gate_buttons import Look, ask_again, decide
from pages.components.frame import frame
from pages.components.notices import act, attempt
from pages.components.outline import lines
from pages.components.outline.current import CurrentOutline
from pages.components.runs import panel
from pages.components.services import workbench
from pages.components.words import counted, plain
from store.models.outline import Outline, OutlineState
from store.models.run import DraftOutline, Progress, Question
from store.models.story import OutlineUse, Story

_DISCARDING = "discard the outline"


def first(status: BranchStatus) -> None:
    """Say what an outline is for, and offer to have one drafted or to write it oneself."""
    frame.empty_state(
        "Do you plan before you write?",
        "An outline sets down the storylines and their events, and spreads them over the chapters. "
        "Without one the story grows from chapter to chapter.",
    )
    left = status.story.settings.chapter_cap - status.plotted
    with st.container(horizontal=True):
        if st.button("Draft an outline", type="primary", icon=":material/route:", key="draft"):
            act(lambda: workbench().runs.start(status.branch.id, DraftOutline()))
        write_own(status.branch.id)
    st.caption(
        f"It is made for the {counted(left, 'chapter', 'chapters')} that the story still has; "
        "how many there are is said in Settings."
    )


def write_own(branch: str) -> None:
    """Offer to begin with an empty outline."""
    if st.button("Write my own", icon=":material/edit:", key="begin-own"):
        act(lambda: workbench().outline.begin(branch))


def halted(progress: Progress, current: CurrentOutline | None) -> None:
    """Say why the drafting does not go on, and offer to go on, to begin again, or to do without."""
    branch = progress.run.branch
    panel.halted(progress)
    with st.container(horizontal=True):
        if st.button("Draft the outline anew", icon=":material/restart_alt:", key="draft-anew"):
            act(lambda: workbench().runs.start(branch, DraftOutline()))
        if current is None:
            write_own(branch)


def filling_in(branch: str) -> None:
    """Show as much of the outline as is drafted, to read."""
    outline = workbench().outline.newest(branch)
    if outline is not None:
        review(outline)
        lines.read(outline)


def review(outline: Outline) -> None:
    """Show what the reviewer said last of the whole, if anything."""
    whole = [remark.text for remark in outline.remarks if remark.event is None]
    said = list(dict.fromkeys([*([outline.review] if outline.review else []), *whole]))
    if said:
        words = "  \n".join(plain(text) for text in said)
        st.info(f"**Review.** {words}", icon=":material/rate_review:")


def next_step(current: CurrentOutline, question: Question | None, *, is_primary: bool) -> None:
    """Offer what comes next: approve the outline, use it, or plot by it; or say what is missing.

    Not `is_primary`: something else on the page comes first.
    """
    is_draft = current.outline.state is OutlineState.DRAFT
    problems = workbench().outline.problems(current.branch) if is_draft else []
    if problems and current.outline.events:
        st.caption("It cannot be used yet. " + " ".join(plain(problem) for problem in problems))
    with st.container(horizontal=True):
        if question is not None:
            if not problems:
                decide(question, Look("Approve the outline", "approve-outline"))
            ask_again(question, "Draft it again", "What should be different?")
        elif is_draft and not problems:
            _use(current, is_primary=is_primary)
        elif not is_draft and current.plotted < current.cap:
            label = "Plot the next chapter" if current.plotted else "Plot the first chapter"
            if st.button(label, type="primary", icon=":material/account_tree:", key="lead-on"):
                places.go("plot")


def _use(current: CurrentOutline, *, is_primary: bool) -> None:
    st.button(
        "Use this outline",
        key="accept-outline",
        type="primary" if is_primary else "secondary",
        icon=":material/check:",
        on_click=_accept,
        args=(current,),
    )
    st.caption("From then on the chapters go by it, and what you change here counts at once.")


def discard(current: CurrentOutline) -> None:
    """Offer to take the outline away, and ask whether it is meant."""
    if not notices.is_asked(_DISCARDING, current.outline.id):
        st.button(
            "Discard the outline …",
            key="discard-outline",
            icon=":material/delete:",
            type="tertiary",
            on_click=notices.ask,
            args=(_DISCARDING, current.outline.id),
        )
        return
    st.markdown("The outline is put away. The story and its chapters stay as they are.")
    with st.container(horizontal=True):
        st.button("Discard", key="discarded-outline", on_click=_discard, args=(current,))
        st.button("Keep it", key="kept-outline", on_click=notices.put_away)


def _accept(current: CurrentOutline) -> None:
    attempt(lambda: workbench().outline.accept(current.branch))


def _discard(current: CurrentOutline) -> None:
    notices.put_away()
    if attempt(lambda: workbench().outline.discard(current.branch)):
        st.session_state[_discarded(current.branch)] = current.outline.version + 1


def bring_back(branch: str, outline: Outline | None) -> None:
    """Offer to bring back what this window discarded, until something else is kept."""
    version = int(st.session_state.get(_discarded(branch), 0))
    if version > (outline.version if outline else 0):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("The outline was discarded.", width="content")
            st.button(
                "Bring it back",
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


USES: Mapping[OutlineUse, str] = {
    OutlineUse.IGNORE: "Leave it aside",
    OutlineUse.GUIDE: "Take it as a guide",
    OutlineUse.FOLLOW: "Follow it",
}

_MEANS: Mapping[OutlineUse, str] = {
    OutlineUse.IGNORE: "The story goes where its people take it; the outline waits.",
    OutlineUse.GUIDE: "The goals of a chapter are set with an eye on what the outline has for it.",
    OutlineUse.FOLLOW: "What the outline has for a chapter is its goal; its people find the way there.",
}


def choose_use(story: Story, place: str) -> None:
    """Show the choice, saved when it is changed; `place` tells one such field from another."""
    key = f"{place}-outline-use-{story.id}"
    stored = workbench().library.story(story.id).settings.outline_use
    bound = bind(key, stored)

    def save(use: OutlineUse) -> None:
        settings = workbench().library.story(story.id).settings
        workbench().library.update_settings(story.id, with_fields(settings, outline_use=use))

    st.segmented_control(
        "The outline, when a chapter is plotted",
        list(OutlineUse),
        default=bound.value,
        format_func=USES.__getitem__,
        required=True,
        key=bound.key,
        on_change=saver(key, bound, save),
    )
    st.caption(_MEANS[bound.value])


_CHOSEN = "view of the outline"


class OutlineView(StrEnum):
    """What of an outline is seen."""

    LINES = "Storylines"
    BOARD = "Board"


def choose_view() -> OutlineView:
    """Show which side is seen, to choose; return it."""
    bound = bind("outline-view", OutlineView(st.session_state.get(_CHOSEN, OutlineView.LINES)))
    st.segmented_control(
        "What is seen",
        list(OutlineView),
        default=bound.value,
        required=True,
        key=bound.key,
        label_visibility="collapsed",
        on_change=changing(bound, turn_to),
    )
    return bound.value


def turn_to(view: OutlineView) -> None:
    """Show a side."""
    st.session_state[_CHOSEN] = OutlineView(view)
