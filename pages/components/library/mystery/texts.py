"""The texts of a mystery: the host guide and the booklets, to read, edit, and have written."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from graph_flow.telling.mystery.booklets import Booklet, Section
from graph_flow.telling.mystery.guide import GUIDE_TITLES
from graph_flow.telling.mystery.kit import Kit, part_text
from graph_flow.telling.mystery.leaks import Leak
from graph_flow.workbench.beside.mysteries import MysteryWork
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.two_texts import SharedText
from pages.components.library.mystery import strings, work
from pages.components.notices import act
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.desk.mystery import GuidePart, booklet_key

_PERSON = "mystery-person"


def guide(branch: str, kit: Kit) -> None:
    """Show the host guide: the parts that are written as fields, the rest as it is put together."""
    mysteries = workbench().mysteries
    work.offer(
        branch, strings.WRITE_GUIDE, MysteryWork.GUIDE, lambda: mysteries.write_guide(branch)
    )
    for part in GuidePart:
        _text(branch, kit, part, strings.GUIDE[part], kit.guide_text(part))
    written = set(GUIDE_TITLES.values())
    with st.expander(strings.REST_OF_GUIDE, key="mystery-rest"):
        _sections([one for one in kit.guide if one.heading not in written])


def booklets(branch: str, kit: Kit) -> None:
    """Show one booklet, part by part."""
    mysteries = workbench().mysteries
    missing = len(mysteries.to_write(branch))
    if missing:
        work.offer(
            branch,
            strings.WRITE_BOOKLETS,
            MysteryWork.BOOKLETS,
            lambda: mysteries.write_booklets(branch),
            calls=missing,
        )
    by_id = {one.person.id: one for one in kit.booklets}
    chosen = st.selectbox(
        strings.PERSON,
        list(by_id),
        format_func=lambda id_: by_id[id_].person.name if id_ in by_id else "?",
        key=f"{_PERSON}-{branch}",
        width=320,
    )
    if chosen in by_id:
        _booklet(branch, kit, by_id[chosen])


def _booklet(branch: str, kit: Kit, booklet: Booklet) -> None:
    mysteries, person = workbench().mysteries, booklet.person.id
    for number, part in enumerate(booklet.parts):
        key = booklet_key(person, number)
        if not part.has_news and not kit.text_of(key):
            st.markdown(f"**{plain(said(part.title))}**")
            st.caption(strings.NO_NEWS)
            continue
        _text(branch, kit, key, said(part.title), kit.text_of(key) or part_text(part))
    st.caption(strings.KNOWS_BESIDE)
    work.offer(
        branch,
        strings.WRITE_BOOKLET,
        MysteryWork.BOOKLETS,
        lambda: mysteries.write_booklet(branch, person),
        calls=sum(part.has_news for part in booklet.parts),
    )


def _text(branch: str, kit: Kit, key: str, label: str, stored: str) -> None:
    mysteries = workbench().mysteries

    def replace(found: str, typed: str) -> None:
        mysteries.replace_text(branch, key, found, typed)

    box = Box(
        f"mystery-{branch}-{key}",
        f"**{plain(label)}**",
        height="content",
        placeholder=strings.NOTHING_THERE,
    )
    autosave.shared_text_box(box, stored, SharedText(replace))
    _leaks(kit.leaks.get(key, []))
    if key in kit.outdated:
        st.markdown(f":orange[:material/update:] {strings.OUTDATED}")
    kept = kit.kept.texts.get(key) if kit.kept else None
    if kept is None or not (kept.text or kept.former):
        return
    with st.container(horizontal=True, gap="small", key=f"mystery-ways-{key}"):
        if kept.former and st.button(
            strings.BRING_BACK, key=f"back-{key}", icon=":material/undo:", type="tertiary"
        ):
            act(lambda: mysteries.bring_back(branch, key))
        if kept.text and st.button(
            strings.STORY_S_OWN, key=f"own-{key}", icon=":material/restart_alt:", type="tertiary"
        ):
            act(lambda: mysteries.use_story_s_own(branch, key))


def _leaks(found: Sequence[Leak]) -> None:
    for one in found:
        words = strings.leak(one.kind, one.words, one.sentence)
        st.markdown(f":orange[:material/error:] {plain(words)}")


def _sections(sections: Sequence[Section]) -> None:
    for one in sections:
        st.markdown(f"**{plain(one.heading)}**")
        st.markdown("\n".join(f"- {plain(line)}" for line in one.lines))
