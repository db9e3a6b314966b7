"""The telling that is shown: which one, how far it is written, its run, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.components import notices, words
from pages.components.frame.frame import OpenStory
from pages.components.notices import attempt, keep
from pages.components.runs import caps, panel
from pages.components.words import plain
from pages.components.words.messages import said
from pages.components.write import streaming
from pages.components.write.tellings import chapter, strings
from pages.serving.services import workbench
from store.models.desk.telling import Telling
from store.models.run import Caps, Progress, WriteChapter

_RENAME = "rename a telling"
_LONGEST = 80


def turn_to(branch: str, telling_id: str) -> None:
    """Show a telling."""
    st.session_state[_memory(branch)] = telling_id


def choose(branch: str, tellings: Sequence[Telling]) -> Telling:
    """Let the writer choose among tellings; return the chosen one."""
    by_id = {one.id: one for one in tellings}
    shown = by_id.get(str(st.session_state.get(_memory(branch))), tellings[-1])
    if len(tellings) > 1:
        key = f"telling-{branch}"
        st.session_state[key] = shown.id
        st.selectbox(
            strings.CHOOSE,
            list(by_id),
            format_func=lambda one: by_id[one].name,
            key=key,
            on_change=lambda: turn_to(branch, str(st.session_state[key])),
        )
    return shown


def _memory(branch: str) -> str:
    return f"telling shown of {branch}"


def show(opened: OpenStory, telling: Telling) -> bool:
    """Show a telling with what can be done with it; return whether it is at rest, to be looked at."""
    st.header(plain(telling.name), anchor=False)
    order, form = strings.ORDERS[telling.arrangement], said(telling.form.spec.label)
    st.caption(plain(strings.facts(order, form, len(telling.chapters))))
    running = _run_of(telling, opened.progress)
    if panel.is_alive(running):
        panel.watch(opened.branch.id, "tellings", lambda now: _streaming(telling, now))
        return False
    if panel.is_alive(opened.progress):
        panel.busy_elsewhere(opened.branch.id, "tellings")
    else:
        panel.noted(running)
        if running is not None and panel.is_halted(running):
            panel.halted(running)
        else:
            _offer_writing(opened, telling)
    _ways(telling)
    return True


def _run_of(telling: Telling, now: Progress | None) -> Progress | None:
    writing = panel.of_kind(telling.branch, now, "write")
    task = writing.run.task if writing is not None else None
    is_of_it = isinstance(task, WriteChapter) and task.chapter in telling.keys
    return writing if is_of_it else None


def _streaming(telling: Telling, now: Progress) -> None:
    if now.run.writes is not None:
        streaming.show(telling.branch, now.run.writes, now)


def _offer_writing(opened: OpenStory, telling: Telling) -> None:
    tellings = workbench().tellings
    if not tellings.to_write(telling.id):
        st.markdown(f":green[:material/check:] {strings.WHOLE}")
        return
    task = tellings.writing(telling.id, is_autopilot=True)
    estimate = workbench().runs.estimate(opened.branch.id, task)
    st.button(
        strings.write(len(task.chapters)),
        type="secondary" if chapter.is_changing() else "primary",
        icon=":material/edit_note:",
        key="write-telling",
        on_click=_write,
        args=(telling,),
    )
    st.caption(words.estimate_sentence(estimate))
    with st.expander(strings.LIMITS, icon=":material/speed:"):
        st.session_state[_CAPS] = caps.ask(estimate)


_CAPS = "caps of a telling"


def _write(telling: Telling) -> None:
    wanted: Caps | None = st.session_state.get(_CAPS)

    def begin() -> None:
        task = workbench().tellings.writing(telling.id, is_autopilot=True, caps=wanted)
        workbench().runs.start(telling.branch, task)

    attempt(begin)


def _ways(telling: Telling) -> None:
    """Show what can be done with a telling as a whole."""
    if notices.is_asked(_RENAME, telling.id):
        _ask_name(telling)
        return
    tellings = workbench().tellings
    with st.container(horizontal=True):
        more = tellings.not_shown(telling.id)
        if more:
            _way(strings.go_on(more), "playlist_add", "go-on", lambda: tellings.go_on(telling.id))
        if tellings.is_stale(telling.id):
            _way(strings.STILL_FITS, "check", "still-fits", lambda: tellings.still_fits(telling.id))
        _way(strings.RENAME, "edit", "rename", lambda: notices.ask(_RENAME, telling.id))
        _way(strings.PUT_AWAY, "archive", "put-away", lambda: _put_away(telling))


def _way(label: str, icon: str, key: str, action: Callable[[], object]) -> None:
    def act() -> None:
        attempt(action)

    st.button(
        label,
        icon=f":material/{icon}:",
        type="tertiary",
        key=f"telling-{key}",
        on_click=act,
    )


def _put_away(telling: Telling) -> None:
    workbench().tellings.put_away(telling.id)
    keep("done", strings.put_away(telling.name))


def _ask_name(telling: Telling) -> None:
    key = f"new-name-{telling.id}"

    def rename() -> None:
        name = str(st.session_state.get(key) or "")
        if attempt(lambda: workbench().tellings.rename(telling.id, name)):
            notices.stop_asking()

    st.text_input(strings.NEW_NAME, telling.name, max_chars=_LONGEST, key=key)
    with st.container(horizontal=True):
        st.button(strings.DO_RENAME, type="primary", key="do-rename-telling", on_click=rename)
        st.button(
            strings.NEVER_MIND,
            type="tertiary",
            key="keep-name-of-telling",
            on_click=notices.stop_asking,
        )


def away(branch: str) -> None:
    """List what was put away, each with the way back."""
    gone = workbench().tellings.away(branch)
    if not gone:
        return
    with st.expander(strings.AWAY, icon=":material/archive:"):
        for one in gone:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(plain(one.name), width="stretch")
                st.button(
                    strings.PUT_BACK,
                    type="tertiary",
                    key=f"bring-back-{one.id}",
                    on_click=_bring_back,
                    args=(one,),
                )


def _bring_back(telling: Telling) -> None:
    if attempt(lambda: workbench().tellings.bring_back(telling.id)):
        turn_to(telling.branch, telling.id)
