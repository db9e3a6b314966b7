"""The frame of every page: its look, the sidebar, and how errors are shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from graph_flow.views import BranchStatus, View
from pages.components import notices, places, words
from pages.components.fields import unsaved
from pages.components.frame import (
    branch_switcher,
    language_switch,
    reconnecting,
    run_chip,
    sign_in,
    strings,
    time_cursor,
)
from pages.components.places import PageName
from pages.components.words import plain
from pages.components.words.messages import said
from pages.components.words.speaking import Language, spoken
from pages.serving.services import workbench
from store.errors import StoreError
from store.models.run import Progress, Question
from store.models.story import Branch, Story

_CHECKED = "branch that was checked last"
_ASSETS = Path(__file__).parents[3] / "assets"


class OpenStory(View):
    """The open story. `chapter` is where the time cursor is: 0 is the beginning."""

    story: Story
    branch: Branch
    branches: tuple[Branch, ...]
    """All branches of the story, its first branch first."""
    status: BranchStatus
    progress: Progress | None
    """The newest run of the branch, read once so all parts of a page agree."""
    questions: tuple[Question, ...] = ()
    """The questions that are waiting for the writer, read with it."""
    chapter: int

    @property
    def title(self) -> str:
        """The title, or a substitute for one; not Markdown."""
        return self.story.title or words.UNTITLED


def show(title: str, page: PageName) -> OpenStory | None:
    """Show the frame, once, first thing on a page. Return the open story, if any."""
    st.set_page_config(
        page_title=strings.window_title(title),
        page_icon=str(_ASSETS / "logo.svg"),
        layout="wide",
        initial_sidebar_state="auto",
    )
    st.html(_ASSETS / "tellwright.css")
    if spoken() is not Language.ENGLISH:
        style = f'<style>:root {{ --choose-file: "{strings.CHOOSE_FILE}"; }}</style>'
        st.html(style)
    try:
        writer = sign_in.ask()
        # On Settings somebody may type a key into a wrong field: of that the browser keeps no copy.
        unsaved.watch(writer.id if writer else "", is_private=page == "settings")
        reconnecting.watch()
        opened = _open_story()
        with st.sidebar:
            chapter = _sidebar(opened, page)
            sign_in.foot(writer)
            language_switch.show()
    except (WorkbenchError, StoreError, ModelError) as error:
        # Nothing can be read, so there is nothing to show below the message.
        st.error(plain(said(str(error))))
        st.stop()
    if opened is None:
        return None
    _way_to_talk(opened, page, chapter)
    return opened.model_copy(update={"chapter": chapter})


def _way_to_talk(opened: OpenStory, page: PageName, chapter: int) -> None:
    """Offer to ask about what the page shows: the chapter that it is on, or else the time cursor's."""
    if page == "talk" or not opened.status.is_founded:
        return
    with st.container(key="ask-here"):
        if st.button(
            strings.ASK,
            icon=":material/forum:",
            help=strings.ASK_HELP,
            key="ask",
            type="tertiary",
        ):
            shown = places.open_chapter() if page == "write" else None
            branch = opened.branch.id
            places.go_and_talk(chapter if shown is None else workbench().desk.as_of(branch, shown))


def show_story(title: str, page: PageName) -> OpenStory:
    """Show the frame of a page that needs a story; if none is open, offer the Library."""
    opened = show(title, page)
    if opened is None:
        empty_state(strings.STORY_NOT_OPEN, strings.STORY_NOT_OPEN_ADVICE)
        if st.button(strings.GO_TO_LIBRARY, type="primary"):
            places.go("library")
        st.stop()
    return opened


def empty_state(headline: str, advice: str) -> None:
    """Say what is missing and what to do next; the caller adds the one button. Plain text."""
    with st.container(key="empty-state"):
        st.subheader(plain(headline), anchor=False)
        st.markdown(plain(advice))


def send_to_premise(headline: str, advice: str) -> None:
    """Say what is missing in a story that has not begun, and offer to go to its premise."""
    empty_state(headline, advice)
    if st.button(strings.GO_TO_PREMISE, type="primary", icon=":material/lightbulb:"):
        places.go("premise")


@contextmanager
def showing_errors() -> Iterator[None]:
    """Show an error that is meant for the writer as a message; let any other through.

    What the writer typed stays in place: the page goes on below the message.
    """
    try:
        yield
    except (WorkbenchError, StoreError, ModelError) as error:
        st.error(plain(said(str(error))))


def _open_story() -> OpenStory | None:
    story_id = places.open_story_id()
    if story_id is None:
        return None
    try:
        story = workbench().library.story(story_id)
    except StoreError:
        places.forget_story()
        st.warning(strings.STORY_UNKNOWN)
        return None
    if story.deleted is not None:
        places.forget_story()
        st.warning(strings.story_deleted(plain(story.title)))
        return None
    places.keep_story(story.id)
    branches = tuple(workbench().library.branches(story.id))
    branch = branch_switcher.find(story.id, branches)
    _check_once(branch.id)
    # The run first: if it ends while this is read, a page may watch it once more for nothing. The
    # other way round it would show, for good, a story that lacks what the run has just committed.
    progress = workbench().runs.progress(branch.id)
    questions = tuple(workbench().runs.pending(branch.id))
    return OpenStory(
        story=story,
        branch=branch,
        branches=branches,
        status=workbench().branches.status_in(story, branch),
        progress=progress,
        questions=questions,
        chapter=0,
    )


def _check_once(branch: str) -> None:
    """Check the newest chapters of a branch when it is opened in this window."""
    if st.session_state.get(_CHECKED) != branch:
        problems = workbench().health.check_newest(branch)
        st.session_state[_CHECKED] = branch
        if problems:
            notices.keep("problem", strings.damaged(said(problems[0])))


def _sidebar(opened: OpenStory | None, page: PageName) -> int:
    with st.container(key="name"):
        st.markdown(f"## {strings.PRODUCT}")
    chapter = 0
    places.link("library", strings.LIBRARY, icon=":material/auto_stories:", is_wide=True)
    if opened is not None:
        with st.container(key="open-story"):
            st.markdown(f"**{plain(opened.title)}**")
        branch_switcher.show(opened.branch, opened.branches)
        chapter = time_cursor.show(opened.branch.id, opened.status.plotted, place="sidebar")
        with st.container(key="way"):
            _page_links(opened.status)
    _foot(opened, page)
    return chapter


def _page_links(status: BranchStatus) -> None:
    places.link(
        "premise",
        f"{strings.PREMISE} :material/check:" if status.is_founded else strings.PREMISE,
        icon=":material/lightbulb:",
        is_wide=True,
    )
    places.link("outline", strings.OUTLINE, icon=":material/route:", is_wide=True)
    plot = strings.plot(
        status.plotted, status.story.settings.planned if status.is_founded else None
    )
    places.link("plot", plot, icon=":material/account_tree:", is_wide=True)
    places.link("graphs", strings.GRAPHS, icon=":material/hub:", is_wide=True)
    places.link("history", strings.HISTORY, icon=":material/history:", is_wide=True)
    places.link("talk", strings.TALK, icon=":material/forum:", is_wide=True)
    write = strings.write(status.written, status.plotted)
    places.link("write", write, icon=":material/edit_note:", is_wide=True)
    places.link("tellings", strings.TELLINGS, icon=":material/movie_filter:", is_wide=True)
    places.link("evaluate", strings.EVALUATE, icon=":material/analytics:", is_wide=True)
    places.link("export", strings.EXPORT, icon=":material/ios_share:", is_wide=True)


def _foot(opened: OpenStory | None, page: PageName) -> None:
    with st.container(key="foot"):
        if opened is not None:
            seen = run_chip.Seen(opened.progress, opened.questions)
            run_chip.show(opened.status, seen, page, showing_errors)
            places.link("cost", strings.COST, icon=":material/payments:", is_wide=True)
        places.link("settings", strings.SETTINGS, icon=":material/tune:", is_wide=True)
        chip = workbench().models.chip()
        with st.container(key="model-chip"):
            places.link("settings", plain(said(chip.label)), icon=":material/memory:", is_wide=True)
