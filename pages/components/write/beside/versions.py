"""The versions of a chapter's text: to compare, to name, to read, and to restore."""

from __future__ import annotations

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.notices import act
from pages.components.write import difference
from pages.components.write import strings as of_page
from pages.components.write.beside import strings
from pages.components.write.streaming import shown
from pages.serving.services import workbench
from store.models.manuscript import PARAGRAPH_BREAK, Draft, VersionFacts

_READ_AT_ONCE = 60
"""Paragraphs of a version that are shown at once."""


def show(branch: str, chapter: int) -> None:
    """Show the versions of a chapter: what makes the chosen one differ from the text, and its name."""
    versions = workbench().versions.listed(branch, chapter)
    if not versions:
        st.caption(strings.NO_VERSIONS)
        return
    key = f"version-{branch}-{chapter}"
    if len(versions) == 1:
        st.caption(strings.ONE_VERSION)
    chosen = _choose(strings.VERSION, versions, f"{key}-{versions[0].version}", 1)
    if chosen.version != versions[0].version and st.button(
        strings.RESTORE_VERSION, icon=":material/history:", key=f"take-{key}-{chosen.version}"
    ):
        act(
            lambda: workbench().versions.restore(branch, chapter, chosen.version),
            done=strings.version_restored(chosen.version),
        )
    autosave.text_box(
        Box(
            f"name-{key}-{chosen.version}",
            strings.VERSION_NAME,
            placeholder=strings.VERSION_NAME_EXAMPLE,
        ),
        chosen.name or "",
        lambda name: workbench().versions.name(branch, chapter, chosen.version, name),
    )
    if _is_to_be_read(key):
        _read(workbench().versions.get(branch, chapter, chosen.version))
    elif len(versions) > 1:
        _compare(branch, chapter, chosen, versions)


def _is_to_be_read(key: str) -> bool:
    """Ask how a version is to be seen; return whether all of it is, not only what changed."""
    ways = (strings.SEE_CHANGES, strings.SEE_TEXT)
    way = st.segmented_control(
        strings.WAY_TO_SEE,
        ways,
        default=ways[0],
        key=f"way-{key}",
        required=True,
        label_visibility="collapsed",
    )
    return way == strings.SEE_TEXT


def _choose(label: str, versions: list[VersionFacts], key: str, first: int) -> VersionFacts:
    by_number = {one.version: one for one in versions}
    number = st.selectbox(
        label,
        list(by_number),
        min(first, len(versions) - 1),
        format_func=lambda version: _label(by_number[version], versions[0]),
        key=key,
    )
    return by_number[number]


def _compare(branch: str, chapter: int, chosen: VersionFacts, versions: list[VersionFacts]) -> None:
    """Show what changed between two versions, from the older to the newer one."""
    others = [one for one in versions if one.version != chosen.version]
    key = f"compared-{branch}-{chapter}-{chosen.version}-{versions[0].version}"
    other = _choose(strings.COMPARED_WITH, others, key, 0)
    first, second = sorted((chosen.version, other.version))
    before, after = (workbench().versions.get(branch, chapter, one) for one in (first, second))
    st.caption(strings.changes_from(first, second))
    difference.show(f"{branch}-{chapter}-{first}-{second}", before.text, after.text)


def _label(version: VersionFacts, newest: VersionFacts) -> str:
    state = None if version.version == newest.version else version.state
    return strings.version_facts(version, state)


def _read(draft: Draft) -> None:
    """Show a text to read, the first paragraphs of it, with a button that shows more."""
    paragraphs = draft.text.split(PARAGRAPH_BREAK)
    key = f"read-{draft.id}"
    count = st.session_state.get(key, _READ_AT_ONCE)
    with st.container(key=f"story-version-{draft.id}"):
        st.markdown(shown(draft, PARAGRAPH_BREAK.join(paragraphs[:count])) or of_page.TEXT_EMPTY)
    if len(paragraphs) > count:
        more = count + _READ_AT_ONCE
        st.button(strings.READ_ON, key=f"{key}-more", on_click=_show_more, args=(key, more))


def _show_more(key: str, count: int) -> None:
    st.session_state[key] = count
