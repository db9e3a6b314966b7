"""What an editor sends of a text: what has changed, from a version that the page knows."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pages.components.fields.prose_editor import Edit
from store.models.manuscript import PARAGRAPH_BREAK, TEXT_LIMIT

TEXTS = st.lists(st.sampled_from(["", "a", "b\nc", "灯灭了。", "\n", "é"]), min_size=1, max_size=6)


def checksum(text: str) -> int:
    return zlib.crc32(text.encode())


def edit(before: list[str], after: list[str]) -> Edit:
    """Return what a browser says of a change: paragraphs that begin and end alike are left out."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    old, new = len(before), len(after)
    while old > start and new > start and before[old - 1] == after[new - 1]:
        old, new = old - 1, new - 1
    return Edit(
        base=checksum(PARAGRAPH_BREAK.join(before)),
        start=start,
        count=old - start,
        added=after[start:new],
        sum=checksum(PARAGRAPH_BREAK.join(after)),
    )


@given(TEXTS, TEXTS)
def test_change_makes_the_one_text_of_the_other(before: list[str], after: list[str]) -> None:
    # A paragraph that ends or begins with a line break is told from others only in the whole text.
    old, new = (PARAGRAPH_BREAK.join(one) for one in (before, after))
    change = edit(old.split(PARAGRAPH_BREAK), new.split(PARAGRAPH_BREAK))

    assert change.applied_to(old) == new


def test_change_of_another_text_is_not_made() -> None:
    change = edit(["The lamp."], ["The lamp went out."])

    assert change.applied_to("The lamp!") is None
    assert change.model_copy(update={"sum": 1}).applied_to("The lamp.") is None
    assert change.model_copy(update={"start": 7}).applied_to("The lamp.") is None


@pytest.mark.parametrize(
    "said",
    [
        None,
        "text",
        {"base": 1},
        {"base": 1, "start": -1, "count": 0, "added": [], "sum": 1},
        {"base": 1, "start": 0, "count": 0, "added": ["x" * (TEXT_LIMIT + 1)], "sum": 1},
        {"base": 1, "start": 0, "count": 0, "added": [7], "sum": 1},
    ],
)
def test_what_no_editor_says_is_refused(said: object) -> None:
    with pytest.raises(ValidationError):
        Edit.model_validate(said)
