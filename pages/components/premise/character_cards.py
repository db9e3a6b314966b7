"""People from character cards, and as character cards: files that other writing and chat programs read."""

from __future__ import annotations

import streamlit as st

from pages.components.fields import downloads
from pages.components.fields.downloads import Download
from pages.components.fields.editing import free_name
from pages.components.notices import attempt, keep
from pages.components.premise import strings
from pages.components.premise.draft import PremiseDraft
from pages.components.words import plain
from pages.components.words.messages import said
from store.errors import CardUnreadable
from store.formats.character_card import LARGEST, export_card, export_card_png, read_card
from store.models.cast import Character
from store.models.prototype import Snapshot

_TAKEN = "character card that was taken in"
"""The session's key of the file that was added last: it stays in its field."""


def show(draft: PremiseDraft, snapshot: Snapshot) -> None:
    """Offer to add somebody from a card, and to save somebody as one."""
    with st.expander(strings.CARDS, key=f"{draft.key}-cards"):
        _bring(draft, snapshot)
        if snapshot.characters:
            _take(draft, snapshot)


def _bring(draft: PremiseDraft, snapshot: Snapshot) -> None:
    file = st.file_uploader(
        strings.CARD_FILE,
        type=["json", "png"],
        key=f"{draft.key}-card-file",
        max_upload_size=LARGEST // 1_000_000,
    )
    if file is None or st.session_state.get(_TAKEN) == file.file_id:
        return
    try:
        read = read_card(file.getvalue())
    except CardUnreadable as problem:
        st.error(plain(said(str(problem))))
        return
    name = free_name(read.name, {person.name for person in snapshot.characters})
    newcomer = read.model_copy(update={"name": name})
    st.session_state[_TAKEN] = file.file_id
    if attempt(lambda: draft.add(newcomer)):
        keep("done", strings.card_taken(name))
    st.rerun()


def _take(draft: PremiseDraft, snapshot: Snapshot) -> None:
    people = {person.id: person for person in snapshot.characters}
    chosen = st.selectbox(
        strings.CARD_OF,
        list(people),
        format_func=lambda id_: people[id_].name if id_ in people else "",
        key=f"{draft.key}-card-of",
    )
    person = people.get(chosen or "")
    if person is None:
        return
    st.caption(strings.CARD_ABOUT)
    with st.container(horizontal=True):
        _download(draft, person, "json")
        _download(draft, person, "png")


def _download(draft: PremiseDraft, person: Character, kind: str) -> None:
    make, media, label = {
        "json": (export_card, "application/json", strings.CARD_JSON),
        "png": (export_card_png, "image/png", strings.CARD_PNG),
    }[kind]
    name = f"{downloads.file_stem(person.name)}.{kind}"
    file = Download(lambda: make(person), name, media, f"card {kind}")
    downloads.button(label, file, key=f"{draft.key}-card-{kind}")
