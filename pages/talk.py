"""Talk: ask the story, or one of its people as of the end of a chapter."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.components import notices, places, words
from pages.components.frame import frame
from pages.components.runs.talk import choosing, conversation, strings
from pages.components.runs.talk.conversation import Partner, Ways
from pages.components.words import plain
from pages.components.write import chapters
from pages.serving.services import workbench

opened = frame.show_story(strings.TITLE, "talk")
status, branch = opened.status, opened.branch.id
st.title(strings.TITLE, anchor=False)
notices.show()


def to_event(event: str) -> None:
    """Show an event in the graphs."""
    places.go("graphs", show=event)


def to_chapter(chapter: int) -> None:
    """Show a chapter where it is written."""
    chapters.turn_to(branch, chapter)
    places.go("write")


def examples(questions: Sequence[str], partner: Partner) -> None:
    """Offer questions to begin with."""
    with st.container(key="talk-examples", gap="small"):
        for number, question in enumerate(questions):
            if st.button(plain(question), key=f"example-{number}", icon=":material/chat:"):
                conversation.ask(partner, question)
                st.rerun()


def nothing_said(partner: Partner) -> None:
    """Say what to ask."""
    if partner.person:
        frame.empty_state(
            strings.person_empty(partner.name),
            strings.person_empty_advice(partner.name, partner.chapter),
        )
        examples(strings.person_examples(), partner)
    else:
        frame.empty_state(strings.STORY_EMPTY, strings.STORY_EMPTY_ADVICE)
        people = workbench().talk.people(branch, partner.chapter)
        examples(strings.story_examples([one.name for one in people[:1]]), partner)


def start_again(partner: Partner) -> None:
    """Put away what was said."""
    notices.act(lambda: workbench().talk.put_away(branch, partner.person, partner.chapter))


if not status.is_founded:
    frame.send_to_premise(strings.NOT_BEGUN, strings.NOT_BEGUN_ADVICE)
    st.stop()

with frame.showing_errors():
    partner = choosing.choose(branch, opened.chapter, status.plotted)
    if partner is None:
        st.stop()
    st.caption(words.estimate_sentence(workbench().talk.estimate(branch, partner.person)))
    said = conversation.read(partner)
    if not said.turns:
        nothing_said(partner)
    conversation.show(partner, said, Ways(to_event, to_chapter))
    if said.turns and st.button(
        strings.START_AGAIN, type="tertiary", icon=":material/restart_alt:"
    ):
        start_again(partner)
    conversation.field(partner)
