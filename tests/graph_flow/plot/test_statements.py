"""What a chapter's plot asks of the library: what a step needs is read once and handed on."""

from __future__ import annotations

import pytest

from store.models.run import PlotChapters
from tests.desk import Desk, going_on
from tests.statements import recorded, without_nested

_MOST_READS, _MOST_STATEMENTS = 325, 680
"""For a run of one chapter, with its checkpoints and its calls: three goals, three people each. What is read
is the same in each run, but for a few; what is written is as much as people do and new places are named.
"""

_READS_OF_THOSE_AT_HAND = 3
"""For the prompt of the goals, for casting them all, and for weaving them all."""


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The SQL statements that any connection is given from now on; to be asked for before a desk."""
    return recorded(monkeypatch)


def test_a_chapter_is_plotted_with_a_bounded_number_of_statements(
    statements: list[str], desk: Desk
) -> None:
    desk.server.answer = going_on
    story = desk.founded({"goals": 3, "roles": 3})
    desk.do(story, PlotChapters(chapters=1, is_autopilot=True))
    statements.clear()

    desk.do(story, PlotChapters(chapters=1, is_autopilot=True))

    asked = without_nested(statements)
    reads = [one for one in asked if one.lstrip().startswith("SELECT")]
    assert 0 < len(reads) < _MOST_READS, "\n".join(reads)
    assert len(asked) < _MOST_STATEMENTS, "\n".join(asked)
    first_people = [one for one in asked if one.startswith("SELECT id FROM characters")]
    assert len(first_people) == _READS_OF_THOSE_AT_HAND
