"""Paragraphs keep their ids while a text is changed."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from store.models.manuscript import PARAGRAPH_BREAK, TextParagraph
from store.records.paragraphs import MOST_PARAGRAPHS, begun, carried

TEXT = PARAGRAPH_BREAK.join(
    (
        "The lamp went out at nine, and nobody came down the stairs to see why.",
        "Mara counted the steps in the dark. There were forty-one of them.",
        "***",
        "In the morning the keeper's coat hung where it had always hung.",
    )
)
KNOWN = tuple(
    TextParagraph(id=f"p{at}", events=(f"e{at // 2}",)) for at in range(len(TEXT.split("\n\n")))
)
PARAGRAPHS = st.lists(st.sampled_from(["a", "b", "Mara waits.", "Mara waited.", ""]), min_size=1)


def ids(text: str) -> list[str]:
    """Return what the paragraphs of a text are that came of ours; "new" for those that are none."""
    known = {one.id for one in KNOWN}
    return [one.id if one.id in known else "new" for one in carried(TEXT, KNOWN, text)]


def test_text_that_did_not_change_has_the_same_paragraphs() -> None:
    assert carried(TEXT, KNOWN, TEXT) == KNOWN


def test_paragraph_that_is_typed_in_keeps_its_id() -> None:
    assert ids(TEXT.replace("forty-one", "thirty-nine")) == ["p0", "p1", "p2", "p3"]
    assert ids(TEXT.replace("Mara counted the steps", "She counted all the steps")) == [
        *("p0", "p1", "p2", "p3")
    ]


def test_paragraph_that_is_divided_stays_where_more_of_it_is() -> None:
    divided = TEXT.replace("in the dark. There", "in the dark.\n\nThere")
    assert ids(divided) == ["p0", "p1", "new", "p2", "p3"]
    assert carried(TEXT, KNOWN, divided)[2].events == KNOWN[1].events


def test_paragraphs_around_one_that_goes_or_comes_keep_theirs() -> None:
    first, second, *rest = TEXT.split(PARAGRAPH_BREAK)
    assert ids(PARAGRAPH_BREAK.join([first, *rest])) == ["p0", "p2", "p3"]
    added = PARAGRAPH_BREAK.join([first, "A gull cried twice.", second, *rest])
    assert ids(added) == ["p0", "new", "p1", "p2", "p3"]
    assert carried(TEXT, KNOWN, added)[1].events == KNOWN[0].events


def test_text_written_anew_is_new() -> None:
    other = carried(TEXT, KNOWN, "Nothing of it.\n\nNothing at all.")
    assert len(other) == 2
    assert not {one.id for one in other} & {one.id for one in KNOWN}


def test_paragraphs_that_nobody_counted_are_begun() -> None:
    assert len(carried(TEXT, (), TEXT)) == len(KNOWN)


@given(st.lists(PARAGRAPHS, min_size=2, max_size=4))
@example([["a", "Mara waits."], ["Mara waited.", "b"]])
def test_there_are_as_many_as_the_text_has_and_none_twice(texts: list[list[str]]) -> None:
    versions = [PARAGRAPH_BREAK.join(one) for one in texts]
    found = begun(versions[0])
    for before, after in pairwise(versions):
        found = carried(before, found, after)
        assert len(found) == len(after.split(PARAGRAPH_BREAK))
        assert len({one.id for one in found}) == len(found)


def test_very_many_paragraphs_are_not_counted_and_cost_little() -> None:
    lines = PARAGRAPH_BREAK * (MOST_PARAGRAPHS + 1)
    assert begun(lines) == ()
    assert carried(TEXT, KNOWN, lines) == ()
    many = PARAGRAPH_BREAK.join(["Mara waits."] * 5_000)
    known = begun(many)
    other = PARAGRAPH_BREAK.join(["Mara waits."] * 2_000 + ["Nobody."] * 2_000 + ["Mara waits."])
    assert len({one.id for one in carried(many, known, other)}) == 4_001
