"""Whether a mystery works: what is given away, what the clues do not show, and who could solve it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.telling.mystery.asking import table_mark
from graph_flow.telling.mystery.export import MYSTERY
from graph_flow.telling.mystery.kit import Kit
from graph_flow.workbench.beside.mysteries import MysteryWork
from pages.components.fields import downloads
from pages.components.fields.downloads import Download
from pages.components.library.mystery import strings, work
from pages.components.words import plain, prose
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.desk.mystery import Trial

_READER = "mystery-reader"


def show(branch: str, title: str, kit: Kit) -> None:
    """Show the checks, and the download."""
    with st.container(border=True, height="stretch", key="mystery-checks"):
        st.subheader(strings.CHECKS, anchor=False)
        _lines(kit.checked.lacking, strings.CLUES_SUFFICE)
        _lines(kit.spoilt, strings.NOBODY_SPOILT)
        leaking = [strings.leaks_found(len(kit.leaks))] if kit.leaks else []
        _lines(leaking, strings.NOTHING_LEAKS)
        _trials(kit)
        _try(branch, kit)
        files = workbench().files
        file = Download(
            lambda: files.export(branch, MYSTERY),
            f"{downloads.file_stem(title)}{MYSTERY.suffix}",
            MYSTERY.media_type,
            about=f"{MYSTERY.key} {branch}",
        )
        downloads.button(strings.DOWNLOAD, file, key="download-mystery", kind="primary")


def _lines(problems: Sequence[str], otherwise: str) -> None:
    if not problems:
        st.markdown(f":green[:material/check_circle:] {plain(otherwise)}")
    for one in problems:
        st.markdown(f":orange[:material/error:] {plain(said(one))}")


def _trials(kit: Kit) -> None:
    names = {one.id: one.name for one in kit.case.story.characters}
    mark = table_mark(kit) if kit.kept and kit.kept.trials else ""
    for trial in kit.kept.trials if kit.kept else ():
        _trial(trial, names, kit, mark)


def _trial(trial: Trial, names: dict[str, str], kit: Kit, mark: str) -> None:
    is_right = trial.culprit in kit.case.culprit_ids
    words = strings.verdict(
        names.get(trial.reader or "", ""),
        names.get(trial.culprit or "", ""),
        is_right=is_right,
        is_old=trial.clues != mark,
    )
    icon = ":green[:material/check_circle:]" if is_right else ":orange[:material/error:]"
    st.markdown(f"{icon} {plain(words)}")
    with st.expander(strings.SUSPECTED, key=f"trial-{trial.reader or 'nobody'}"):
        st.markdown(prose(trial.reasons))
        if trial.missing:
            st.markdown(plain(strings.missing(trial.missing)))


def _try(branch: str, kit: Kit) -> None:
    with st.expander(strings.TRY, key="mystery-try"):
        readers = {"": strings.NOBODY}
        readers |= {one.person.id: strings.reader(one.person.name) for one in kit.booklets}
        chosen = st.selectbox(
            strings.READER,
            list(readers),
            format_func=lambda id_: readers.get(id_, "?"),
            key=f"{_READER}-{branch}",
        )
        work.offer(
            branch,
            strings.TRY,
            MysteryWork.TRIAL,
            lambda: workbench().mysteries.try_to_solve(branch, chosen or None),
        )
