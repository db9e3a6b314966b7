"""A chapter that was typed by hand is read into the story, and the plot goes on from it."""

from __future__ import annotations

import pytest

from graph_flow.errors import WorkbenchError
from graph_flow.workbench.beside.comparing import ComparingService
from store.models.proposals import CandidateState
from store.models.run import PlotChapters
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Sent
from tests.graph_flow.scripting import asked, request_of
from tests.graph_flow.telling.comparing.conftest import Facts, compared

FERRY = "Tobias tied the ferry to the pier."
PAID = "Mara paid him with her last coin."
LEFT = "They left before it was light."
TYPED = "\n\n".join([FERRY, PAID, "It was cold.", LEFT])
READ: Facts = {
    "people": [{"name": "Tobias", "who": "ferryman", "quote": FERRY}],
    "places": [{"name": "The pier", "quote": FERRY}],
    "events": [
        {
            "title": "The fare",
            "summary": "Mara pays Tobias for the crossing.",
            "place": "the pier",
            "present": ["Mara", "Tobias"],
            "quote": PAID,
        },
        {
            "title": "Away",
            "summary": "Mara and Tobias leave.",
            "present": ["Mara", "Tobias"],
            "quote": LEFT,
        },
    ],
}


def type_chapter(desk: Desk, branch: str, text: str = TYPED, chapter: int = 3) -> None:
    desk.workbench.desk.begin_chapter(branch, chapter)
    desk.workbench.manuscript.save_text(branch, chapter, text)


def test_chapter_is_plotted_from_its_text_as_if_it_had_been_chosen(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    type_chapter(desk, branch)
    found = compared(desk, branch, READ, chapter=3)
    assert found.is_plot
    assert "a chapter that its writer has typed" in asked(desk.server, "changed_facts")[0].prompt

    comparing.take(found.id, range(4))

    commit = next(one for one in store.prototype.commits(branch) if one.chapter == 3)
    assert (commit.kind, commit.title) == ("chapter", "Chapter 3")
    now = store.prototype.snapshot(branch)
    told = now.events_of(3)
    assert [one.title for one in told] == ["The fare", "Away"]
    assert [one and one.name for one in (now.scene_of(event.id) for event in told)] == [
        "The pier",
        None,
    ]
    [candidate] = store.proposals.candidates(branch, 3)
    assert (candidate.state, candidate.is_by_writer) == (CandidateState.CHOSEN, True)
    draft = store.manuscript.draft(branch, 3)
    assert draft is not None
    fare, away = (one.id for one in told)
    assert [one.events for one in draft.paragraphs] == [(fare,), (fare,), (fare,), (away,)]
    assert comparing.to_compare(branch, 3) is None


def test_next_chapter_can_be_woven_from_it(desk: Desk, store: Store) -> None:
    story = desk.plotted(1, {"goals": 2, "roles": 2})
    branch = desk.branch(story)
    type_chapter(desk, branch, chapter=2)
    people = store.prototype.snapshot(branch).characters
    text = desk.workbench.comparing.to_compare(branch, 2)
    assert text is not None
    assert text.is_plot
    found = compared(
        desk,
        branch,
        {
            "passage": "A1",
            "is_new": "something new happens",
            "happens": "Somebody pays for the ferry.",
            "who": [people[0].name],
            "person": "nobody",
            "situation": "as before",
        },
        chapter=2,
    )
    desk.workbench.comparing.take(found.id, {0})
    desk.do(story, PlotChapters(is_autopilot=True))
    head = store.prototype.head(branch)
    assert head is not None
    assert head.chapter == 3
    assert any("Somebody pays for the ferry." in one.prompt for one in asked(desk.server, "goals"))


def test_only_the_next_chapter_is_read_in_and_not_again_once_it_was_refused(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    type_chapter(desk, branch)
    type_chapter(desk, branch, "Later still, it snowed.", chapter=4)
    assert comparing.to_compare(branch, 4) is None
    comparing.refuse(compared(desk, branch, READ, chapter=3).id)
    assert comparing.to_compare(branch, 3) is None
    store.manuscript.save_text(branch, 3, f"{TYPED} It rained.")
    assert comparing.to_compare(branch, 3) is not None


def test_chapter_that_has_been_plotted_meanwhile_is_not_plotted_again(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    type_chapter(desk, branch)
    found = compared(desk, branch, READ, chapter=3)
    store.prototype.commit(branch, found.lines[0].delta, chapter=3, kind="chapter", origin="other")
    with pytest.raises(WorkbenchError, match="not the next chapter"):
        comparing.take(found.id, range(4))


def test_chapter_is_not_plotted_while_a_run_asks_about_its_plot(desk: Desk, store: Store) -> None:
    story = desk.choosing({"goals": 2, "roles": 2})
    branch = desk.branch(story)
    desk.workbench.manuscript.begin_by_hand(branch, 1, story.brief.form)
    desk.workbench.manuscript.save_text(branch, 1, TYPED)
    name = store.prototype.snapshot(branch).characters[0].name
    found = compared(
        desk,
        branch,
        {
            "passage": "A1",
            "is_new": "something new happens",
            "happens": "Somebody pays for the ferry.",
            "who": [name],
            "person": "nobody",
            "situation": "as before",
        },
    )
    with pytest.raises(WorkbenchError, match="waits for your answer"):
        desk.workbench.comparing.take(found.id, {0})


def test_long_text_is_read_in_parts_and_later_ones_know_whom_earlier_ones_brought(
    desk: Desk, branch: str, comparing: ComparingService
) -> None:
    long = "\n\n".join(
        [FERRY, *(f"The sea was grey on day {day}. " * 40 for day in range(60)), PAID]
    )

    def read(sent: Sent) -> Facts:
        request = request_of(sent)
        if FERRY in request:
            return {"people": READ["people"]}
        if PAID not in request:
            return {}
        label = next(
            line for line in request.splitlines() if "Tobias (ferryman)" in line
        ).removeprefix("- ")
        return {"events": [{**READ["events"][0], "present": [label.partition(".")[0]]}]}

    type_chapter(desk, branch, long)
    text = comparing.to_compare(branch, 3)
    assert text is not None
    estimate = comparing.estimate(branch, text)
    found = compared(desk, branch, read, chapter=3)
    assert len(asked(desk.server, "changed_facts")) == estimate.calls > 1
    assert [line.needs for line in found.lines] == [(), (0,)]
