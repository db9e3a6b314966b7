"""The safety of the library: when it was last found sound, its backups, and what is put away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from pages.components import notices
from pages.components import words as wording
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.library import strings
from pages.components.notices import act, attempt, keep
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import restore, workbench
from store.models.health import LIBRARY, Health
from store.models.story import Story

_RESTORE = "restore a backup"


def show() -> None:
    """Show, folded, the health of the library, its backups, and the stories that are put away."""
    found = workbench().health.all()
    damaged = [one for one in found.values() if not one.is_sound]
    with st.expander(
        strings.SAFETY, icon=":material/health_and_safety:", key="safety", expanded=bool(damaged)
    ):
        health, backups = st.columns(2, gap="large")
        with health:
            _health(found)
        with backups:
            _backups()
        _put_away()


def of_story(story: Story) -> None:
    """Say of a story whose last check found damage what is damaged."""
    health = workbench().health.of(story.id)
    if health is not None and not health.is_sound:
        st.warning(plain(said(health.problems[0])), icon=":material/heart_broken:")


def _health(found: Mapping[str, Health]) -> None:
    st.markdown(f"**{strings.HEALTH}**")
    whole = found.get(LIBRARY)
    now = datetime.now(UTC)
    if whole is None:
        st.markdown(strings.NEVER_CHECKED)
    elif all(one.is_sound for one in found.values()):
        st.markdown(strings.found_sound(wording.touched(whole.checked, now)))
    for one in found.values():
        for problem in one.problems:
            st.warning(plain(said(problem)), icon=":material/heart_broken:")
    if any(not one.is_sound for one in found.values()):
        st.markdown(strings.SALVAGE)
    if st.button(strings.CHECK_NOW, icon=":material/search_check:", key="check-library"):
        _check()


def _check() -> None:
    on_part = _shown(strings.CHECKING)

    def check() -> None:
        if all(one.is_sound for one in workbench().health.check_all(on_part)):
            keep("done", strings.CHECKED_SOUND)

    act(check)


def _shown(words: str) -> Callable[[int, int], None]:
    """Show a bar; return what moves it to a part of the whole."""
    bar = st.progress(0.0, words)

    def on_part(part: int, whole: int) -> None:
        bar.progress(min(1.0, part / max(1, whole)), words)

    return on_part


def _backups() -> None:
    st.markdown(f"**{strings.BACKUPS}**")
    if workbench().models.of_site is None:  # a site's disk is no writer's business
        autosave.text_box(
            Box("backup-folder", strings.BACKUP_FOLDER),
            str(workbench().backups.folder),
            lambda typed: workbench().backups.choose_folder(Path(typed) if typed.strip() else None),
        )
    if st.button(strings.BACK_UP_NOW, icon=":material/backup:", key="back-up"):
        on_part = _shown(strings.BACKING_UP)
        act(lambda: workbench().backups.make(on_part), done=strings.BACKED_UP)
    st.caption(strings.BACKUPS_ABOUT)
    made = {str(one.path): one for one in workbench().backups.all()}
    if not made:
        return
    now = datetime.now(UTC)
    chosen = st.selectbox(
        strings.BACKUP,
        list(made),
        format_func=lambda path: _label(made[path].made, now) if path in made else "?",
        key="backup",
    )
    if notices.is_asked(_RESTORE, chosen):
        st.markdown(strings.RESTORE_ASKED)
        with st.container(horizontal=True):
            st.button(
                strings.RESTORE_SURE,
                key="restore-sure",
                type="primary",
                icon=":material/settings_backup_restore:",
                on_click=_restore,
                args=(Path(str(chosen)),),
            )
            st.button(strings.RESTORE_NOT, key="restore-not", on_click=notices.stop_asking)
    else:
        st.button(
            strings.RESTORE,
            key="restore-backup",
            icon=":material/settings_backup_restore:",
            on_click=notices.ask,
            args=(_RESTORE, chosen),
        )


def _label(made: datetime, now: datetime) -> str:
    return strings.backup_made(made.astimezone(), wording.touched(made, now))


def _restore(backup: Path) -> None:
    notices.stop_asking()

    def put_back() -> None:
        aside = restore(backup)
        keep("done", strings.restored(aside.name if aside else ""))

    attempt(put_back)


def _put_away() -> None:
    stories = workbench().library.stories_put_away()
    if not stories:
        return
    st.markdown(f"**{strings.PUT_AWAY}**")
    titles = {story.id: story.title or wording.UNTITLED for story in stories}
    chosen = st.selectbox(
        strings.PUT_AWAY_STORY,
        list(titles),
        format_func=lambda story: titles.get(story, "?"),
        key="put-away",
    )
    if st.button(strings.BRING_BACK, icon=":material/unarchive:", key="bring-back"):
        title = titles[chosen]
        act(lambda: workbench().library.restore(chosen), done=strings.story_restored(title))
