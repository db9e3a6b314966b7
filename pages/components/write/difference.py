"""The difference of two texts, to read in a narrow column: what was struck out, and what was put in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from pages.components.words import plain
from pages.components.write import strings
from store.texts.difference import Changed, Piece, Unchanged, difference

PAGE = 30
"""Passages that are shown at once."""
_AROUND = 90
"""Characters of unchanged text that are shown before and after a change within a paragraph."""
_KEPT = "differences shown"
_MARKS = {"out": ":red[~~{}~~]", "in": ":green-background[{}]"}


def show(key: str, before: str, after: str) -> None:
    """Show what has become of a text, the first passages of it, with a button that shows more."""
    found = _found(key, before, after)
    changed = sum(isinstance(one, Changed) for one in found)
    if not changed:
        st.caption(strings.NO_DIFFERENCE)
        return
    st.caption(strings.paragraphs_changed(changed))
    count = f"{key}-shown"
    shown = st.session_state.get(count, PAGE)
    with st.container(key=f"{key}-difference"):
        st.markdown("\n\n".join(_passage(one) for one in found[:shown]))
    if len(found) > shown:
        st.button(
            strings.SHOW_MORE_CHANGES, key=f"{key}-more", on_click=_show, args=(count, shown + PAGE)
        )


def _show(key: str, count: int) -> None:
    st.session_state[key] = count


def _found(key: str, before: str, after: str) -> Sequence[Unchanged | Changed]:
    """Return the difference of two texts; the last one is kept while the writer types on elsewhere."""
    kept = st.session_state.get(_KEPT)
    if kept is None or kept[:3] != (key, before, after):
        kept = st.session_state[_KEPT] = (key, before, after, difference(before, after))
    found: Sequence[Unchanged | Changed] = kept[3]
    return found


def _passage(passage: Unchanged | Changed) -> str:
    """Return a passage as Markdown."""
    match passage:
        case Unchanged(paragraphs=[one]) if len(one) <= 2 * _AROUND:
            return f":gray[{plain(one)}]" if one.strip() else ""
        case Unchanged():
            return f":small[:gray[{strings.paragraphs_unchanged(len(passage.paragraphs))}]]"
        case _:
            return "".join(_pieces(passage.pieces))


def _pieces(pieces: Sequence[Piece]) -> Iterator[str]:
    for at, (kind, text) in enumerate(pieces):
        if kind == "same":
            yield _unchanged(text, is_first=at == 0, is_last=at + 1 == len(pieces))
        else:
            yield _marked(kind, text)


def _unchanged(text: str, *, is_first: bool, is_last: bool) -> str:
    """Return what stayed between two changes, without its middle if that is long."""
    if len(text) > 2 * _AROUND + 20:
        head = "" if is_first else text[:_AROUND].rpartition(" ")[0] or text[:_AROUND]
        tail = "" if is_last else text[-_AROUND:].partition(" ")[2] or text[-_AROUND:]
        text = f"{head} … {tail}"
    return _spaced(text, plain(text))


def _marked(kind: str, text: str) -> str:
    """Return what was taken out or put in; a line break or a space alone is shown by a sign."""
    seen = text.replace("\n", f" {strings.LINE_BREAK} ")
    if not seen.strip():
        return _MARKS[kind].format(strings.SPACE)
    return _spaced(seen, _MARKS[kind].format(plain(seen)))


def _spaced(text: str, markdown: str) -> str:
    """Return Markdown with a space where the text that it shows begins or ends with one."""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and text.strip() else ""
    return f"{before}{markdown}{after}"
