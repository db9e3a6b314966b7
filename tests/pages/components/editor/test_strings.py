"""Every choice of the editor has a label, and what is edited a heading."""

from __future__ import annotations

import pytest

from pages.components.editor import strings
from pages.components.editor.event import SIDES, Bearing, bearings
from pages.components.graphs.details import subject_of
from store.models.plot import LinkKind
from tests.store.builders import CAST, CHAPTER_ONE, adding, fold

STORY = fold([adding(*CAST), adding(*CHAPTER_ONE)])


def test_whatever_can_be_selected_has_a_heading() -> None:
    kinds = {one.kind for id_, one in STORY.entities.items() if subject_of(STORY, id_) == id_}

    assert kinds
    assert kinds <= set(strings.EDITING)
    assert set(strings.ADDING) == set(strings.EDITING)


def test_every_side_has_words() -> None:
    assert set(strings.SIDES) == set(SIDES)
    assert strings.happens("told", "") == "when it is told"


@pytest.mark.parametrize("kind", list(LinkKind))
def test_links_are_worded_in_both_directions(kind: LinkKind) -> None:
    words = bearings()

    assert words[Bearing(kind, is_outgoing=True)] != words[Bearing(kind, is_outgoing=False)]
    assert all(one.startswith("this ") for one in words.values())
