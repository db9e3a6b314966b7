"""What the writer and the story, or one of its people, have said; the newest answer as it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from graph_flow.errors import WorkbenchError
from graph_flow.views import SideState, SideWorkSeen
from pages.components import notices
from pages.components.runs.panel import look_again
from pages.components.runs.talk import proposals, strings
from pages.components.words import clock, emphasised, messages, plain
from pages.serving.services import workbench
from store.errors import StoreError
from store.models.desk.talk import QUESTION_LIMIT, TalkTurn
from store.models.plot import Event
from store.models.prototype import Snapshot

_SECONDS_BETWEEN_LOOKS = 0.4
_WRITER, _STORY = ":material/edit:", ":material/auto_stories:"


@dataclass(frozen=True)
class Partner:
    """Whom the writer talks with: the story, if there is no `person`, as of a chapter."""

    branch: str
    chapter: int
    person: str | None = None
    name: str = ""

    @property
    def invitation(self) -> str:
        """What stands in the field to type in."""
        return strings.say_to(self.name) if self.person else strings.ASK_STORY

    @property
    def avatar(self) -> str:
        """The picture beside what they say."""
        return ":material/person:" if self.person else _STORY

    @property
    def key(self) -> str:
        """What tells this conversation from others, in the session."""
        return f"{self.branch}-{self.person or 'story'}-{self.chapter if self.person else ''}"


@dataclass(frozen=True)
class Ways:
    """How to get to what an answer rests on."""

    to_event: Callable[[str], None]
    to_chapter: Callable[[int], None]


@dataclass(frozen=True)
class Said:
    """What was said, and whether the answer to the last question is on its way."""

    turns: Sequence[TalkTurn]
    is_coming: bool


def read(partner: Partner) -> Said:
    """Read a conversation.

    Whether an answer is on its way is asked first: one that comes meanwhile is then among what was said.
    """
    is_coming = is_answering(partner)
    turns = workbench().talk.turns(partner.branch, partner.person, partner.chapter)
    return Said(turns, is_coming)


def show(partner: Partner, said: Said, ways: Ways) -> None:
    """Show a conversation, and the answer that is coming."""
    turns = said.turns
    story = _story_for(partner, turns)
    newest_open = next((one.id for one in reversed(turns) if proposals.is_open(one)), "")
    for turn in turns:
        _said(_WRITER, turn.question)
        if turn.answer:
            with st.chat_message("assistant", avatar=partner.avatar):
                _prose(turn.answer)
                _evidence(turn, story, ways)
                proposals.show(turn, is_newest=turn.id == newest_open)
    if turns and not turns[-1].answer:
        _answer_to_come(partner, turns[-1], said)
    _unsent(partner)


def ask(partner: Partner, question: str) -> None:
    """Ask, and keep what was typed if it cannot be asked now."""
    st.session_state.pop(_unsent_key(partner), None)
    try:
        workbench().talk.ask(partner.branch, question, partner.chapter, partner.person)
    except (WorkbenchError, StoreError) as problem:
        notices.keep("problem", messages.said(str(problem)))
        st.session_state[_unsent_key(partner)] = question


def field(partner: Partner) -> None:
    """Show the field to type in, at the foot of the page."""
    asked = st.chat_input(
        partner.invitation,
        key=f"talk-{partner.key}",
        max_chars=QUESTION_LIMIT,
        disabled=is_answering(partner),
    )
    if asked and asked.strip():
        ask(partner, asked)
        st.rerun()


def is_answering(partner: Partner) -> bool:
    """Return whether an answer is on its way."""
    seen = workbench().talk.seen(partner.branch, partner.person)
    return seen is not None and seen.state is SideState.WORKING


def _said(avatar: str, text: str) -> None:
    with st.chat_message("user", avatar=avatar):
        _prose(text)


def _prose(text: str) -> None:
    parts = [emphasised(part) for part in text.split("\n") if part.strip()]
    st.markdown("\n\n".join(parts))


def _story_for(partner: Partner, turns: Sequence[TalkTurn]) -> Snapshot:
    """Return the story with the events that answers rest on, if there are any."""
    wanted = any(turn.events for turn in turns)
    return workbench().prototype.snapshot(partner.branch) if wanted else Snapshot()


def _evidence(turn: TalkTurn, story: Snapshot, ways: Ways) -> None:
    """Show links to what an answer rests on; what is gone by now is left out."""
    events = [one for id_ in turn.events if isinstance(one := story.entities.get(id_), Event)]
    if not events and not turn.chapters:
        return
    with st.container(horizontal=True, gap="small", key=f"evidence-{turn.id}"):
        for event in events:
            told = story.first_chapter_of(event.id)
            words = plain(strings.event_link(event.title, told))
            if _link(words, ":material/hub:", f"event-{turn.id}-{event.id}"):
                ways.to_event(event.id)
        for chapter in turn.chapters:
            words = strings.chapter_link(chapter)
            if _link(words, ":material/article:", f"chapter-{turn.id}-{chapter}"):
                ways.to_chapter(chapter)


def _link(words: str, icon: str, key: str) -> bool:
    return st.button(words, key=key, type="tertiary", icon=icon)


def _answer_to_come(partner: Partner, turn: TalkTurn, said: Said) -> None:
    if said.is_coming:
        look_again(lambda: _look(partner), "talk", _SECONDS_BETWEEN_LOOKS)
        return
    seen = workbench().talk.seen(partner.branch, partner.person)
    with st.chat_message("assistant", avatar=partner.avatar):
        if seen is not None and seen.text:
            _prose(seen.text)
        st.caption(
            plain(messages.said(seen.message) if seen and seen.message else strings.NO_ANSWER)
        )
        if st.button(strings.ASK_AGAIN, key=f"again-{turn.id}", icon=":material/refresh:"):
            notices.act(lambda: workbench().talk.ask_again(turn.id))


def _look(partner: Partner) -> None:
    seen = workbench().talk.seen(partner.branch, partner.person)
    if seen is None or seen.state is not SideState.WORKING:
        st.rerun()
    with st.chat_message("assistant", avatar=partner.avatar):
        _coming(seen)
        if st.button(strings.STOP, key="talk-stop", icon=":material/stop_circle:"):
            workbench().talk.stop(partner.branch, partner.person)


def _coming(seen: SideWorkSeen) -> None:
    if seen.text:
        _prose(seen.text)
    doing = strings.ANSWERING if seen.text else strings.THINKING
    st.caption(f"{doing} · {clock(seen.seconds)}")
    if seen.trouble:
        st.markdown(f":orange[:material/hourglass_empty: {plain(messages.said(seen.trouble))}]")


def _unsent(partner: Partner) -> None:
    """Show what could not be asked, so that it is not lost."""
    question = st.session_state.get(_unsent_key(partner))
    if not question:
        return
    _said(_WRITER, question)
    st.caption(strings.NOT_SENT)
    if st.button(strings.ASK_AGAIN, key="talk-unsent", icon=":material/refresh:"):
        ask(partner, question)
        st.rerun()


def _unsent_key(partner: Partner) -> str:
    return f"not asked: {partner.key}"
