"""Premise: from the writer's idea to a cast that the writer approves."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from graph_flow.errors import PremiseUnusable
from pages.components import notices, words
from pages.components.frame import frame
from pages.components.premise import (
    brief,
    character_cards,
    drafting,
    foundation,
    from_book,
    past,
    relationships,
    spine,
    strings,
)
from pages.components.premise import cast as cast_cards
from pages.components.premise.draft import PremiseDraft
from pages.components.runs import panel, prompts
from pages.components.write import direct
from pages.serving.services import workbench
from store.models.run import Initialize, Question
from store.models.story import Gate

drafting.leave_if_approved()
opened = frame.show_story(strings.TITLE, "premise")
story, branch = opened.story, opened.branch.id
st.title(strings.TITLE, anchor=False)
notices.show()


def begin() -> None:
    """Start drafting the cast from the premise as it stands."""
    try:
        workbench().runs.start(branch, Initialize())
    except PremiseUnusable as problem:
        # If the premise is too long, its field already says so and offers a remedy.
        if not problem.fits:
            raise


def show_brief() -> None:
    """Show the premise to edit, with the one thing to do next."""
    from_book.show(branch)
    brief.show(story, branch)
    kind: Literal["primary", "secondary"] = (
        "secondary" if from_book.is_wanted(branch) else "primary"
    )
    if st.button(strings.DRAFT_CAST, type=kind, icon=":material/groups:", key="draft-cast"):
        notices.act(begin)
    st.caption(words.estimate_sentence(workbench().runs.estimate(branch, Initialize())))


def show_draft(question: Question | None) -> None:
    """Show the foundation and the cast to edit, and what to do when they are right."""
    proposed = None if opened.status.is_founded else workbench().proposals.configuration(branch)
    draft = PremiseDraft(story, branch, proposed)
    snapshot = draft.snapshot()
    if question is not None:
        drafting.approval(question, snapshot)
    elif not opened.status.plotted:
        drafting.lead_on()
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.header(strings.FOUNDATION, anchor=False)
        foundation.show(draft, snapshot.foundation)
        st.header(strings.SPINE, anchor=False)
        spine.show(draft, snapshot.spine)
    with right:
        st.header(strings.CAST, anchor=False)
        cast_cards.show(draft, snapshot)
        character_cards.show(draft, snapshot)
        st.header(strings.RELATIONSHIPS, anchor=False)
        relationships.show(draft, snapshot)
        st.header(strings.PAST, anchor=False)
        past.show(PremiseDraft(story, branch, proposed, chapter=0))
    prompts.show(branch, 0, "plot")


def show_direct() -> None:
    """Show what a story that is made directly is made from, and offer its next chapter."""
    if opened.status.is_founded:
        foundation.title(PremiseDraft(story, branch, None))
        brief.recall(story, branch)
    else:
        brief.show(story, branch)
    if panel.is_alive(opened.progress):
        direct.at_work()
    else:
        direct.offer(opened.status)


with frame.showing_errors():
    progress = panel.of_kind(branch, opened.progress, "initialize")
    question = next((q for q in opened.questions if q.gate is Gate.CONFIGURATION), None)
    if not panel.is_alive(progress):
        panel.noted(progress)
    has_cast = opened.status.people > 0 or question is not None or panel.is_alive(progress)
    if story.settings.is_direct and not has_cast:
        show_direct()
    elif opened.status.is_founded:
        brief.recall(story, branch)
        show_draft(None)
    elif progress is not None and panel.is_alive(progress):
        brief.recall(story, branch)
        panel.watch(branch, "premise", lambda _: drafting.filling_in(branch))
    elif question is not None:
        brief.recall(story, branch)
        show_draft(question)
    elif progress is not None and panel.is_halted(progress):
        panel.halted(progress)
        brief.show(story, branch)
        drafting.start_over(begin)
        drafting.filling_in(branch)
    else:
        show_brief()
