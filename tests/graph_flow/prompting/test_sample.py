"""How much of the writer's own prose is read, and from where."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from graph_flow.prompting.sample import SAMPLE_READ, sample_read
from store.models.story import SAMPLE_LIMIT

PARAGRAPHS = [f"Paragraph {at:02}. {'It rained and nobody came. ' * 12}" for at in range(40)]


def test_short_sample_is_read_as_it_is() -> None:
    sample = "The tide went out.\n\nNobody said so.\n"

    assert sample_read(sample) == sample


def test_long_sample_is_read_in_whole_paragraphs_from_all_of_it() -> None:
    sample = "\n\n".join(PARAGRAPHS)

    read = sample_read(sample)

    parts = [part.split("\n\n") for part in read.split("\n\n[…]\n\n")]
    numbers = [[int(paragraph[10:12]) for paragraph in part] for part in parts]
    assert numbers == [[0, 1, 2], [19, 20, 21], [37, 38, 39]]
    assert all(paragraph.strip().endswith("came.") for part in parts for paragraph in part)
    assert 0.7 * SAMPLE_READ < len(read) <= SAMPLE_READ


def test_endless_paragraph_is_read_in_sentences() -> None:
    read = sample_read(" ".join(f"Sentence {at:03} goes on and on." for at in range(500)))

    parts = read.split("\n\n[…]\n\n")
    assert len(parts) == 3
    assert parts[0].startswith("Sentence 000")
    assert parts[2].endswith("499 goes on and on.")
    assert all(part.endswith("on and on.") for part in parts)


def test_sample_without_any_end_is_cut() -> None:
    read = sample_read("word " * 4_000)

    assert read.startswith("word word")
    assert len(read) <= SAMPLE_READ


@given(
    some.lists(some.text("ab .\n", max_size=900), max_size=40).map("\n\n".join),
    some.integers(60, 4_000),
)
def test_what_is_read_is_never_longer_than_it_may_be(sample: str, most: int) -> None:
    assert len(sample_read(sample[:SAMPLE_LIMIT], most)) <= most
