"""A story is read as a whole by somebody who knows only its text, and revised once more."""

from __future__ import annotations

from typing import Any

import pytest

from graph_flow.command_line import main
from graph_flow.errors import WorkbenchError
from graph_flow.workbench.beside.contents import Seen
from graph_flow.workbench.workbench import Workbench
from store.models.manuscript import Draft, DraftState, RemarkKind
from store.models.run import ReadStory, RunState, WriteChapter
from store.models.story import Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, refuse, say, say_json
from tests.graph_flow.scripting import agent_of, asked, request_of
from tests.graph_flow.telling.bridge import PLAN, plotted, telling

LONG = 3_000
"""Words of a chapter, three of which are no short story any more."""
CHAPTERS = {
    1: "Amos stopped at the pin.\n\nHe put his thumb to it, and it came away white.",
    2: "Ruth laid the log open. There was a stub where a page had been.",
    3: "He read the page aloud, and nobody looked up.",
}
READING: dict[str, Any] = {
    "understood": "An old man has hidden something. I guess that the bridge fell.",
    "best": ["nobody looked up"],
    "remarks": [
        {
            "kind": "unclear",
            "quote": "There was a stub where a page had been.",
            "remark": "What is a log?",
            "remedy": "Say whose book it is.",
        },
        {"kind": "flat", "quote": "words that nobody wrote", "remark": "Who says so?"},
        {"kind": "missing", "quote": "", "remark": "What becomes of Amos?"},
    ],
}
REVISION: dict[str, Any] = {
    "passages": [
        {"old": "Ruth laid the log open.", "new": "Ruth laid the bridge’s log open."},
        {"old": "nobody looked up.", "new": "nobody looked up. He went home on foot."},
    ]
}


def reading(**others: Any) -> Any:
    """Return what an able model says of a story of which it has written each chapter."""

    def write(sent: Sent) -> Reply:
        if "## 1. Part 1" in request_of(sent):
            return say("\n\n".join(f"## {at}. Part {at}\n\n{CHAPTERS[at]}" for at in CHAPTERS))
        [chapter] = [at for at in CHAPTERS if f"chapter {at} of 3" in request_of(sent)]
        return say(CHAPTERS[chapter])

    said = {"first_reader": say_json(READING), "last_revision": say_json(REVISION)}
    plan = {**PLAN, "scenes": PLAN["scenes"][:1]}
    said["story_plan"] = say_json({"chapters": [plan] * len(CHAPTERS)})
    silent = say_json({"told": [], "echoes": [], "remarks": []})
    return telling(
        **{"plan": say_json(plan), "writer_novel": write, "review": silent, **said, **others}
    )


@pytest.fixture
def written(able: Desk, story_store: Store) -> Story:
    """Return a story of three chapters, all of them written."""
    able.server.answer = reading()
    story = plotted(able, story_store, chapters=3, words=LONG)
    for chapter in CHAPTERS:
        able.do(story, WriteChapter(chapter=chapter, is_autopilot=True))
    return story


def text_of(workbench: Workbench, branch: str, chapter: int) -> Draft:
    found = workbench.manuscript.draft(branch, chapter)
    assert found is not None
    return found


def read(able: Desk, story: Story, **task: Any) -> list[Draft]:
    """Have a story read, and return its chapters."""
    assert able.do(story, ReadStory(**task)).state is RunState.DONE
    return [text_of(able.workbench, able.branch(story), chapter) for chapter in CHAPTERS]


def test_chapters_are_revised_where_a_reader_of_all_of_them_stumbles(
    able: Desk, written: Story
) -> None:
    first, second, third = read(able, written)

    assert first.text == CHAPTERS[1]
    assert second.text == "Ruth laid the bridge’s log open. There was a stub where a page had been."
    assert third.text.endswith("nobody looked up. He went home on foot.")
    assert [draft.state for draft in (second, third)] == [DraftState.REVISED] * 2
    before = able.workbench.manuscript.versions(able.branch(written), 2)[1]
    assert [(one.kind, one.remark) for one in before.remarks] == [
        (RemarkKind.UNCLEAR, "What is a log?")
    ]
    assert second.revises == before.version


def test_what_is_missing_is_remarked_on_the_last_chapter(able: Desk, written: Story) -> None:
    *_, third = read(able, written)

    versions = able.workbench.manuscript.versions(able.branch(written), 3)
    before = next(one for one in versions if one.version == third.revises)
    assert [one.remark for one in before.remarks] == ["What becomes of Amos?"]


def test_reader_knows_the_text_alone_and_the_author_what_was_understood(
    able: Desk, written: Story
) -> None:
    task = ReadStory()
    expected = able.workbench.runs.estimate(able.branch(written), task).calls
    able.server.history.clear()

    read(able, written)

    reader, revision = able.server.history
    assert [agent_of(one) for one in (reader, revision)] == ["first_reader", "last_revision"]
    assert expected == 2
    for text in CHAPTERS.values():
        assert text in request_of(reader)
        assert text in request_of(revision)
    assert "tore the page out" not in reader.prompt
    assert "Amos reads the page aloud" not in reader.prompt
    assert "I guess that the bridge fell" in request_of(revision)
    assert "What is a log?" in request_of(revision)
    assert "nobody wrote" not in request_of(revision)


def test_what_the_writer_has_changed_is_read_and_left_as_it_is(able: Desk, written: Story) -> None:
    branch = able.branch(written)
    mine = f"{CHAPTERS[2]} I know."
    able.workbench.manuscript.save_text(branch, 2, mine)

    _, second, third = read(able, written)

    assert (second.text, second.state) == (mine, DraftState.EDITED)
    assert [one.remark for one in second.remarks] == ["What is a log?"]
    assert "on foot" in third.text
    [revision] = asked(able.server, "last_revision")
    assert "in the writer's own words: 2" in request_of(revision)
    assert "What is a log?" not in request_of(revision)


def test_on_autopilot_what_was_approved_stays_approved(able: Desk, written: Story) -> None:
    first, second, third = read(able, written, is_autopilot=True)

    assert [one.state for one in (first, second, third)] == [DraftState.APPROVED] * 3
    assert "bridge’s log" in second.text


def test_revision_after_the_reading_can_be_taken_back(able: Desk, written: Story) -> None:
    _, second, _ = read(able, written)

    able.workbench.manuscript.refuse_revision(able.branch(written), second)

    assert text_of(able.workbench, able.branch(written), 2).text == CHAPTERS[2]


@pytest.mark.parametrize("agent", ["first_reader", "last_revision"])
@pytest.mark.parametrize("answer", [say("I liked it very much."), say_json({"passages": "all"})])
def test_story_stays_as_it_is_if_nothing_of_an_answer_can_be_used(
    able: Desk, written: Story, agent: str, answer: Reply
) -> None:
    able.server.answer = reading(**{agent: answer})

    assert [draft.text for draft in read(able, written)] == list(CHAPTERS.values())


def test_passage_that_stands_in_the_story_twice_is_left_alone(able: Desk, written: Story) -> None:
    branch = able.branch(written)
    twice = {"passages": [{"old": "Ruth laid the log open.", "new": "Nobody came."}]}
    able.server.answer = reading(
        writer_novel=say(f"{CHAPTERS[2]} Amos went home."), last_revision=say_json(twice)
    )
    able.do(written, WriteChapter(chapter=3, is_autopilot=True))

    _, second, third = read(able, written)

    assert second.text == CHAPTERS[2]
    assert "Nobody came" not in third.text
    assert text_of(able.workbench, branch, 3).text == third.text


def test_story_too_long_for_the_model_is_not_read_and_the_run_says_so(
    able: Desk, written: Story
) -> None:
    long = "Amos stopped at the pin. " * 8_000
    able.workbench.manuscript.save_text(able.branch(written), 1, long)

    run = able.do(written, ReadStory())

    assert run.state is RunState.DONE
    assert "too long for the reader’s model" in " ".join(run.notes)
    assert asked(able.server, "first_reader") == []


def test_story_of_which_a_chapter_has_no_text_is_not_read(able: Desk, story_store: Store) -> None:
    able.server.answer = reading()
    story = plotted(able, story_store, chapters=2)
    able.do(story, WriteChapter(chapter=1, is_autopilot=True))

    with pytest.raises(WorkbenchError, match="all of its chapters first"):
        able.workbench.runs.start(able.branch(story), ReadStory())


def test_reading_that_failed_goes_on_and_pays_for_nothing_twice(able: Desk, written: Story) -> None:
    able.server.answer = reading(last_revision=refuse(401, "no such key"))
    failed = able.do(written, ReadStory())
    assert failed.state is RunState.FAILED
    able.server.answer = reading()

    able.workbench.runs.wait(able.workbench.runs.resume(able.branch(written)))

    assert len(asked(able.server, "first_reader")) == 1
    assert "bridge’s log" in text_of(able.workbench, able.branch(written), 2).text


def test_command_that_has_written_the_last_chapter_has_the_story_read_once(
    able: Desk, story_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    able.server.answer = reading()
    story = plotted(able, story_store, chapters=3, words=LONG)
    _take_over(able, monkeypatch)
    command = ["run", "--story", story.id, "--chapters", "3", "--write"]

    assert [main(command), main(command)] == [0, 0]

    assert len(asked(able.server, "first_reader")) == 1
    second = text_of(able.workbench, able.branch(story), 2)
    assert (second.state, "bridge’s log" in second.text) == (DraftState.APPROVED, True)


def test_command_without_reviews_does_not_have_the_story_read(
    able: Desk, story_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    able.server.answer = reading()
    story = plotted(able, story_store, chapters=3, reviews=0)
    _take_over(able, monkeypatch)

    assert main(["run", "--story", story.id, "--chapters", "3", "--write"]) == 0

    assert asked(able.server, "first_reader") == []


def _take_over(able: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command work on the library of the desk, with its model."""
    monkeypatch.setenv("TELLWRIGHT_LIBRARY", str(able.library))
    monkeypatch.setenv("TELLWRIGHT_MODEL", "scripted")
    monkeypatch.setenv("OPENAI_BASE_URL", able.server.url)


def test_story_is_read_in_the_order_of_the_book(able: Desk, written: Story) -> None:
    branch, contents = able.branch(written), able.workbench.contents
    contents.move(branch, 3, -2, Seen([1, 2, 3]))
    added = contents.add_chapter(branch, 1, Seen([3, 1, 2]))
    able.workbench.manuscript.save_text(branch, added.chapter, "Nobody plotted this.")
    able.do(written, ReadStory())
    [sent] = asked(able.server, "first_reader")
    texts = [CHAPTERS[3], CHAPTERS[1], "Nobody plotted this.", CHAPTERS[2]]
    places = [request_of(sent).index(text) for text in texts]
    assert places == sorted(places)
    assert "## 3. New chapter" in request_of(sent)
    assert str(added.chapter) not in request_of(sent)


def test_writer_of_a_chapter_reads_what_stands_before_it_in_the_book(
    able: Desk, written: Story
) -> None:
    branch, contents = able.branch(written), able.workbench.contents
    contents.move(branch, 2, -1, Seen([1, 2, 3]))
    added = contents.add_chapter(branch, 2, Seen([2, 1, 3]))
    able.workbench.manuscript.save_text(branch, added.chapter, "Nobody plotted this.")
    before = len(asked(able.server, "writer_novel"))
    able.do(written, WriteChapter(chapter=1, is_autopilot=True))
    [sent] = asked(able.server, "writer_novel")[before:]
    read_before = request_of(sent)
    assert read_before.index(CHAPTERS[2]) < read_before.index("Nobody plotted this.")
    assert CHAPTERS[3] not in read_before
