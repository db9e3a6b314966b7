"""A book that was brought without a premise gets one from its text, and goes on from there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.errors import WorkbenchError
from graph_flow.founding.book_premise import ends_of
from graph_flow.llm.tokens import estimate_tokens
from store.formats.reading.files import NamedFile
from store.models.cast import Character
from store.models.run import Initialize, PlotChapters
from store.models.story import Gate, GateMode, Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say
from tests.graph_flow.scripting import asked, request_of, saying
from tests.graph_flow.telling.comparing.conftest import compared

PREMISE = "Mara keeps the lamp. Hale came back with the last ship."
BOOK = b"# The lamp\n\nMara climbed the stairs.\n\n# The ship\n\nHale came ashore."
SECONDS = 60


def brought(desk: Desk, content: bytes = BOOK) -> Story:
    story = desk.workbench.files.import_book([NamedFile("The lamp room.md", content)])
    going_on = dict.fromkeys(Gate, GateMode.GO_ON)
    return desk.workbench.library.change_settings(
        story.id,
        lambda now: now.model_copy(update={"gates": going_on, "goals": 1, "roles": 1}),
    )


def premise_of(desk: Desk, story: Story) -> str:
    return desk.workbench.library.story(story.id).brief.premise


def draft(desk: Desk, branch: str) -> None:
    desk.server.answer = saying(book_premise=lambda _: say(PREMISE))
    desk.workbench.book_premise.draft(branch)
    assert desk.workbench.book_premise.wait(branch, SECONDS)


def test_premise_is_drafted_from_the_text_and_only_once(desk: Desk) -> None:
    story = brought(desk)
    branch = desk.branch(story)
    service = desk.workbench.book_premise
    assert service.is_wanted(branch)
    assert service.estimate(branch).calls == 1

    draft(desk, branch)

    assert premise_of(desk, story) == PREMISE
    [sent] = asked(desk.server, "book_premise")
    assert (
        "1. The lamp\n\nMara climbed the stairs.\n\n2. The ship\n\nHale came ashore."
        in request_of(sent)
    )
    assert not service.is_wanted(branch)
    with pytest.raises(WorkbenchError, match="no text without a premise"):
        service.draft(branch)


def test_what_the_writer_types_meanwhile_stays(desk: Desk) -> None:
    story = brought(desk)
    branch = desk.branch(story)

    def answer(_: Sent) -> Reply:
        desk.workbench.library.change_brief(
            story.id, lambda now: now.model_copy(update={"premise": "Mine."})
        )
        return say(PREMISE)

    desk.server.answer = saying(book_premise=answer)
    desk.workbench.book_premise.draft(branch)
    assert desk.workbench.book_premise.wait(branch, SECONDS)

    assert premise_of(desk, story) == "Mine."


def test_nothing_is_offered_without_text(desk: Desk) -> None:
    story = desk.story(premise="")
    assert not desk.workbench.book_premise.is_wanted(desk.branch(story))


def test_book_goes_on_behind_its_own_chapters_once_they_are_read_in(
    desk: Desk, store: Store
) -> None:
    story = brought(desk)
    branch = desk.branch(story)
    draft(desk, branch)
    desk.do(story, Initialize())
    before = texts_of(store, branch)

    for chapter, happens in ((1, "Mara climbs."), (2, "Hale comes.")):
        found = compared(desk, branch, _happens(store, branch, happens), chapter=chapter)
        assert found.is_plot
        desk.workbench.comparing.take(found.id, range(len(found.lines)))
    desk.server.answer = None
    desk.do(story, PlotChapters(is_autopilot=True))

    head = store.prototype.head(branch)
    assert head is not None
    assert head.chapter == 3
    assert texts_of(store, branch) == before


def texts_of(store: Store, branch: str) -> list[str]:
    return [one.draft.text for one in store.contents.texts(branch)]


def _happens(store: Store, branch: str, happens: str) -> dict[str, object]:
    people: list[Character] = list(store.prototype.snapshot(branch).characters)
    return {
        "passage": "A1",
        "is_new": "something new happens",
        "happens": happens,
        "who": [people[0].name],
        "person": "nobody",
        "situation": "as before",
    }


@given(
    st.lists(st.text(alphabet="ab c", min_size=1, max_size=300), min_size=1, max_size=30),
    st.integers(20, 400),
)
def test_ends_of_a_text_fit_and_are_its_ends(paragraphs: list[str], tokens: int) -> None:
    text = "\n\n".join(paragraphs)
    opening, newest = ends_of(text, tokens)

    assert text.startswith(opening)
    assert text.endswith(newest)
    assert estimate_tokens(opening) + estimate_tokens(newest) <= tokens + 2
    if newest:
        assert estimate_tokens(text) > tokens
    else:
        assert opening == text
