"""A book that was brought is read into the story in one run; what it says waits until the writer takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graph_flow.workbench.beside.book_reading import BookReadingService, Taken
from store.models.cast import Life
from store.models.endpoint import Endpoint, ModelSettings
from store.models.run import Caps, PlotChapters, Run, RunState
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, refuse, say_json
from tests.graph_flow.scripting import asked, request_of, saying
from tests.graph_flow.telling.comparing.conftest import Facts
from tests.store.builders import begin

ROPE = "Poole, the ferryman, threw Mara the rope that was Anselm's."
DIED = "Poole drowned under the pier, and Mara saw it."
SONG = "Poole stood at the wheel and sang."
HOME = "Mara rowed home alone."
BOOK = (ROPE, DIED, SONG, HOME)
POOLE = {"name": "Poole", "who": "ferryman", "quote": ROPE}
FACTS: dict[str, Facts] = {
    ROPE: {
        "people": [POOLE],
        "ties": [
            {
                "source": "Mara",
                "target": "Poole",
                "tie": "debt",
                "reason": "the rope",
                "quote": ROPE,
            }
        ],
        "events": [
            {
                "title": "The rope",
                "summary": "Poole throws Mara a rope and saves her from the water.",
                "present": ["Poole", "Mara"],
                "quote": ROPE,
            }
        ],
    },
    DIED: {
        "changes": [{"of": "Poole", "field": "life", "value": "dead", "quote": DIED}],
        "events": [
            {
                "title": "Under the pier",
                "summary": "Poole drowns.",
                "present": [{"name": "Poole", "part": "is affected"}, "Mara"],
                "quote": DIED,
            }
        ],
    },
    SONG: {
        "events": [
            {
                "title": "The song",
                "summary": "Poole sings at the wheel.",
                "present": ["Poole"],
                "quote": SONG,
            }
        ]
    },
    HOME: {
        "events": [
            {
                "title": "The rope",
                "summary": "Poole throws Mara a rope and saves her from the water.",
                "present": ["Poole", "Mara"],
                "quote": HOME,
            },
            {"title": "Home", "summary": "Mara rows home.", "present": ["Mara"], "quote": HOME},
        ]
    },
}

Script = Callable[[Sent], Reply]


def told(sent: Sent) -> Reply:
    """Say of a chapter what stands in it."""
    text = request_of(sent).rpartition("Passage 1")[2]
    return say_json(next(facts for line, facts in FACTS.items() if line in text))


@pytest.fixture
def branch(desk: Desk, store: Store) -> str:
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    branch = desk.branch(desk.story())
    begin(store, branch)
    for chapter, text in enumerate(BOOK, start=1):
        desk.workbench.desk.begin_chapter(branch, chapter)
        desk.workbench.manuscript.save_text(branch, chapter, text)
    return branch


@pytest.fixture
def reading(desk: Desk) -> BookReadingService:
    return desk.workbench.book_reading


def read(desk: Desk, branch: str, script: Script = told, caps: Caps | None = None) -> Run:
    desk.server.answer = saying(changed_facts=script)
    run = desk.workbench.runs.start(branch, desk.workbench.book_reading.task(branch, caps))
    return desk.settle(run)


def doubts(reading: BookReadingService, branch: str) -> list[tuple[int, str]]:
    """Return what the writer has to decide on, with the chapters."""
    found = reading.found(branch)
    return [
        (one.comparison.chapter, line.doubt) for one in found for line in one.lines if line.doubt
    ]


def take_all(reading: BookReadingService, branch: str) -> Taken:
    return reading.take(branch, {one.comparison.id: one.undoubted for one in reading.found(branch)})


def test_whole_book_is_read_in_one_run_and_nothing_is_canon_before_it_is_taken(
    desk: Desk, branch: str, reading: BookReadingService, store: Store
) -> None:
    assert reading.unread(branch) == [1, 2, 3, 4]
    assert reading.estimate(branch).calls == 4
    before = store.prototype.snapshot(branch)

    run = read(desk, branch)

    assert (run.state, run.at_chapter) == (RunState.DONE, 4)
    assert store.prototype.snapshot(branch) == before
    assert reading.unread(branch) == []
    assert [one.comparison.chapter for one in reading.found(branch)] == [1, 2, 3, 4]

    assert take_all(reading, branch) == Taken(chapters=4, lines=6, lost=0)

    now = store.prototype.snapshot(branch)
    assert [[one.title for one in now.events_of(chapter)] for chapter in range(1, 5)] == [
        ["The rope"],
        ["Under the pier"],
        [],
        ["Home"],
    ]
    assert [one.life for one in now.characters if one.name == "Poole"] == [Life.DEAD]
    assert reading.found(branch) == []
    assert desk.workbench.continuity.findings(branch) == []


def test_later_chapters_know_whom_and_what_earlier_ones_have_brought(
    desk: Desk, branch: str
) -> None:
    read(desk, branch)
    second = request_of(asked(desk.server, "changed_facts")[1])
    assert "Poole (ferryman)" in second
    assert "Mara feels debt toward Poole" in second.replace("Mara Lenz", "Mara")
    assert "Chapter 1, The rope: Poole throws Mara a rope" in second
    last = request_of(asked(desk.server, "changed_facts")[3])
    assert "Poole (ferryman). now: dead" in last


def test_what_contradicts_itself_is_left_to_the_writer(
    desk: Desk, branch: str, reading: BookReadingService, store: Store
) -> None:
    read(desk, branch)
    [(third, dead), (fourth, twice)] = doubts(reading, branch)
    assert third == 3
    assert dead == "Poole has been dead since chapter 2, but acts in “The song” (chapter 3)."
    assert fourth == 4
    assert twice == "This may be “The rope” of chapter 1 already, told again."

    every = {one.comparison.id: range(len(one.lines)) for one in reading.found(branch)}
    reading.take(branch, every)  # the writer means it

    told_in = {
        one.title: store.prototype.snapshot(branch).first_chapter_of(one.id)
        for one in store.prototype.snapshot(branch).events
    }
    assert told_in["The song"] == 3
    assert {one.finding.rule for one in desk.workbench.continuity.findings(branch)} == {"dead"}


def test_somebody_else_of_the_same_name_and_a_tie_to_nobody_are_left_to_the_writer(
    desk: Desk, branch: str, reading: BookReadingService, store: Store
) -> None:
    cook = {"name": "Poole", "who": "cook", "quote": ROPE}
    tie = {"source": "Mara", "target": "Anselm", "tie": "enmity", "quote": ROPE}
    nobody = {"source": "Mara", "target": "Greta", "tie": "enmity", "quote": ROPE}

    def script(sent: Sent) -> Reply:
        if ROPE not in request_of(sent).rpartition("Passage 1")[2]:
            return say_json({})
        return say_json({"people": [POOLE, cook, POOLE], "ties": [tie, nobody]})

    read(desk, branch, script)
    first = reading.found(branch)[0]
    assert [line.doubt for line in first.lines] == [
        "",
        "Poole is known already, as ferryman. Take this only if it is somebody else of that name.",
        "Nobody in the story is called Anselm, and nothing is said of them but a tie.",
        "",
    ]
    assert first.lines[3].needs == (2,)
    assert first.undoubted == [0]
    assert first.comparison.unknown == ("Greta",)
    take_all(reading, branch)
    assert [one.name for one in store.prototype.snapshot(branch).characters].count("Poole") == 1


def test_reading_that_meets_its_cap_or_fails_goes_on_where_it_was(
    desk: Desk, branch: str, reading: BookReadingService
) -> None:
    def failing(sent: Sent) -> Reply:
        is_song = SONG in request_of(sent).rpartition("Passage 1")[2]
        return refuse(400, "no") if is_song else told(sent)

    capped = read(desk, branch, failing, Caps(calls=1))
    assert capped.is_capped
    assert [one.comparison.chapter for one in reading.found(branch)] == [1]

    assert desk.settle(desk.workbench.runs.resume(branch, "book")).is_capped
    failed = desk.settle(desk.workbench.runs.resume(branch, "book"))
    assert failed.state is RunState.FAILED
    assert [one.comparison.chapter for one in reading.found(branch)] == [1, 2]
    assert reading.unread(branch) == [3, 4]

    read(desk, branch)
    assert [one.comparison.chapter for one in reading.found(branch)] == [1, 2, 3, 4]
    texts = [
        request_of(one).rpartition("Passage 1")[2] for one in asked(desk.server, "changed_facts")
    ]
    assert [sum(line in text for text in texts) for line in (ROPE, DIED, HOME)] == [1, 1, 1]


def test_lines_about_whom_the_writer_did_not_take_are_left_out_and_said(
    desk: Desk, branch: str, reading: BookReadingService, store: Store
) -> None:
    read(desk, branch)
    chosen = {one.comparison.id: set(one.undoubted) for one in reading.found(branch)}
    first = reading.found(branch)[0].comparison.id
    chosen[first] = set()

    taken = reading.take(branch, chosen)

    assert (taken.chapters, taken.lost) == (4, 2)
    now = store.prototype.snapshot(branch)
    assert "Poole" not in [one.name for one in now.characters]
    assert [one.title for one in now.events_of(4)] == ["Home"]


def test_text_changed_since_it_was_read_is_read_again(
    desk: Desk, branch: str, reading: BookReadingService, store: Store
) -> None:
    read(desk, branch)
    store.manuscript.save_text(branch, 4, f"{HOME} It was late.")
    assert reading.unread(branch) == [4]
    read(desk, branch)
    assert len(asked(desk.server, "changed_facts")) == 5


def test_story_goes_on_after_the_book(
    desk: Desk, branch: str, reading: BookReadingService, store: Store
) -> None:
    read(desk, branch)
    take_all(reading, branch)
    story: Any = desk.workbench.library.story_of(branch)
    desk.do(story, PlotChapters(is_autopilot=True))
    head = store.prototype.head(branch)
    assert head is not None
    assert head.chapter == 5
    assert any("Mara rows home." in one.prompt for one in asked(desk.server, "goals"))
