"""Plot: from goals to candidates, and to the one that becomes the chapter."""

from __future__ import annotations

import streamlit as st

from pages.components import notices
from pages.components.frame import frame
from pages.components.history import stale
from pages.components.plot import cards, goals, next_chapter, strings, strip
from pages.components.plot import progress as plot_steps
from pages.components.premise import spine
from pages.components.runs import panel, prompts
from pages.components.write import direct
from pages.serving.services import workbench
from store.models.run import Progress, Question
from store.models.story import Gate

_GATES = (Gate.GOALS, Gate.CANDIDATES)

opened = frame.show_story(strings.TITLE, "plot")
status, branch = opened.status, opened.branch.id
st.title(strings.TITLE, anchor=False)
notices.show()


def not_begun(progress: Progress | None) -> None:
    """Say what to do first, or show that the cast is being drafted."""
    if progress is not None and panel.is_alive(progress):
        panel.watch(branch, "plot", lambda _: None)
        return
    frame.send_to_premise(strings.NOT_BEGUN, strings.NOT_BEGUN_ADVICE)


def alive(progress: Progress) -> None:
    """Show the progress of the chapter that is being plotted."""
    chapter = workbench().branches.status(branch).plotted + 1
    if chapter != status.plotted + 1:
        st.rerun()  # The chapter has been plotted, so the strip and the header are out of date.
    step = plot_steps.step_at(progress, None)
    plot_steps.show(step)
    if step != "Goals":
        plot_steps.show_weave(branch, chapter)


def asked(question: Question) -> None:
    """Show the question that the chapter is waiting on."""
    st.header(strings.chapter_heading(question.chapter), anchor=False)
    plot_steps.show(plot_steps.step_at(None, question))
    if plotting is not None and plotting.run.task.kind == "choose":
        st.markdown(strings.CHOOSE_AGAIN)
    if question.gate is Gate.GOALS:
        goals.edit(question)
    else:
        cards.show(question)


def show_direct(now: Progress | None) -> None:
    """Show the chapters of a story that is made directly, and the next one as it is written."""
    if status.is_founded:
        strip.show(workbench().story.chapters(branch), stale.by_chapter(branch))
    writing = panel.of_kind(branch, now, "plot")
    if writing is not None and panel.is_alive(writing):
        direct.watch(status)
    elif panel.is_alive(now):
        panel.busy_elsewhere(branch, "plot")
    else:
        panel.noted(writing)
        if writing is not None and panel.is_halted(writing):
            panel.halted(writing)
        else:
            direct.offer(status)
            if status.is_founded and status.plotted < status.story.settings.last_chapter:
                next_chapter.show_several(status)
        if status.plotted:
            prompts.show(branch, status.plotted, "plot")


with frame.showing_errors():
    now = opened.progress
    if status.story.settings.is_direct:
        show_direct(now)
        st.stop()
    plotting = panel.of_kind(branch, now, "plot", "choose")
    question = next((one for one in opened.questions if one.gate in _GATES), None)
    if not status.is_founded:
        not_begun(now)
        st.stop()
    chapters = workbench().story.chapters(branch)
    strip.show(chapters, stale.by_chapter(branch))
    spine.fold(status.story, branch)
    if not panel.is_alive(plotting):
        panel.noted(plotting)
    if plotting is not None and panel.is_alive(plotting):
        st.header(strings.chapter_heading(status.plotted + 1), anchor=False)
        panel.watch(branch, "plot", alive)
    elif question is not None:
        asked(question)
    elif panel.is_alive(now):
        panel.busy_elsewhere(branch, "plot")
    elif plotting is not None and panel.is_halted(plotting):
        panel.halted(plotting)
        next_chapter.start_anew(status)
        plot_steps.show_weave(branch, status.plotted + 1)
    else:
        next_chapter.show(status)
    latest = question.chapter if question else status.plotted + panel.is_halted(plotting)
    if latest and not panel.is_alive(now):
        prompts.show(branch, latest, "plot")
    strip.past(branch, chapters)
