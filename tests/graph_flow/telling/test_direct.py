"""The direct way: one prompt a chapter, with the text so far, and chapters like any others."""

from __future__ import annotations

import pytest

from graph_flow.errors import WorkbenchError
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.telling.direct import place_of, titled, without_story_title
from graph_flow.telling.material.earlier import fitting
from store.formats.exports import MARKDOWN
from store.models.manuscript import DraftState
from store.models.run import DraftOutline, Initialize, PlotChapters, RunState, WriteChapter
from store.models.story import Brief, Story, StorySettings
from store.open import Store
from tests.desk import PREMISE, Desk
from tests.fakes.scripted_server import Reply, Sent, refuse, say
from tests.graph_flow.scripting import asked

LAST = "the story ends in it"


def chapter_text(number: int) -> str:
    return f"## The door {number}\n\nMara opens door {number}.\n\nIt is dark behind it."


def telling(sent: Sent) -> Reply:
    """Write the chapter that the request asks for."""
    number = sent.prompt.rpartition("Now write chapter ")[2].split()[0].rstrip(",")
    return say(chapter_text(int(number)))


@pytest.fixture
def direct(desk: Desk) -> Story:
    """A story that is made directly, of two chapters, of which none is there yet."""
    desk.server.answer = telling
    return desk.story(settings={"is_direct": True, "chapter_cap": 2, "words": 200})


def test_chapters_are_written_from_premise_and_text_so_far(
    desk: Desk, store: Store, direct: Story
) -> None:
    branch = desk.branch(direct)

    desk.do(direct, Initialize())
    run = desk.do(direct, PlotChapters(chapters=2))

    assert run.state is RunState.DONE
    first, second = (sent.prompt for sent in desk.server.history)
    assert PREMISE in first
    assert "in about 200 words" in first
    assert LAST not in first
    assert "Mara opens door 1." in second
    assert LAST in second
    assert [one.title for one in desk.workbench.story.chapters(branch)] == [
        "The door 1",
        "The door 2",
    ]
    assert store.prototype.snapshot(branch).entities == {}
    draft = store.manuscript.draft(branch, 2)
    assert draft is not None
    assert draft.text == "Mara opens door 2.\n\nIt is dark behind it."
    assert draft.state is DraftState.DRAFTED
    assert len(asked(desk.server, "direct")) == len(desk.server.history)


def test_chapter_is_written_again_as_a_new_version(desk: Desk, store: Store, direct: Story) -> None:
    branch = desk.branch(direct)
    desk.do(direct, Initialize())
    desk.do(direct, PlotChapters(chapters=2))

    desk.do(direct, WriteChapter(chapter=1))

    assert len(store.manuscript.versions(branch, 1)) == 2
    assert desk.workbench.branches.status(branch).plotted == 2
    assert "Mara opens door" not in desk.server.history[-1].prompt


def test_failed_chapter_goes_on_where_it_was(desk: Desk, store: Store, direct: Story) -> None:
    branch = desk.branch(direct)
    desk.do(direct, Initialize())
    desk.server.queue(say(chapter_text(1)), refuse(401, "no such key"))

    failed = desk.do(direct, PlotChapters(chapters=2))
    plotted = desk.workbench.branches.status(branch).plotted
    done = desk.settle(desk.workbench.runs.resume(branch))

    assert (failed.state, plotted) == (RunState.FAILED, 1)
    assert done.state is RunState.DONE
    assert desk.workbench.branches.status(branch).plotted == 2
    assert [len(store.manuscript.versions(branch, one)) for one in (1, 2)] == [1, 1]


def test_direct_story_has_no_outline_and_can_be_exported(desk: Desk, direct: Story) -> None:
    branch = desk.branch(direct)
    desk.do(direct, Initialize())
    desk.do(direct, PlotChapters())

    with pytest.raises(WorkbenchError, match="directly"):
        desk.workbench.runs.start(branch, DraftOutline())
    assert b"The door 1" in desk.workbench.files.export(branch, MARKDOWN)


def test_estimate_counts_the_calls_to_the_one_agent(desk: Desk, direct: Story) -> None:
    branch = desk.branch(direct)

    assert desk.workbench.runs.estimate(branch, Initialize()).calls == 0
    assert desk.workbench.runs.estimate(branch, PlotChapters(chapters=2)).calls == 2
    assert desk.workbench.runs.estimate(branch, WriteChapter(chapter=1)).calls == 1


def test_what_does_not_fit_is_cut_from_the_oldest_on() -> None:
    texts = [f"## {n}\n\nFirst {n}.\n\n{'Middle. ' * 50}\n\nLast {n}." for n in (1, 2, 3)]
    whole = sum(map(estimate_tokens, texts))

    assert fitting(texts, whole) == "\n\n".join(texts)
    cut = fitting(texts, whole - 100)
    assert "First 1.\n\n[…]\n\nLast 1." in cut
    assert cut.endswith(texts[2])
    assert estimate_tokens(cut) <= whole - 100
    newest = estimate_tokens(texts[2])
    assert fitting(texts, newest + 1) == texts[2]
    assert fitting(texts, newest - 1).count("[…]") == 3
    assert fitting(texts, 45).count("[…]") == 2
    assert fitting(texts, 0) == ""


@pytest.mark.parametrize(
    ("answer", "title", "text"),
    [
        ("## The door\n\nIt is dark.", "The door", "It is dark."),
        ("# **The door**\nIt is dark.", "The door", "It is dark."),
        ("It is dark.\n\nVery.", "Chapter 3", "It is dark.\n\nVery."),
        ("## The door", "Chapter 3", "## The door"),
    ],
)
def test_title_is_the_heading_of_the_answer_if_it_has_one(
    answer: str, title: str, text: str
) -> None:
    assert titled(answer, 3) == (title, text)


def test_place_says_how_many_chapters_there_will_be() -> None:
    three = StorySettings(chapter_cap=3)

    assert place_of(2, three) == "2 of 3"
    assert place_of(3, three) == f"3 of 3, the last: {LAST}"
    assert place_of(3, StorySettings(chapter_cap=3, is_open_ended=True)) == "3"


def test_wishes_and_form_are_asked_for(desk: Desk) -> None:
    desk.server.answer = telling
    story = desk.story(settings={"is_direct": True})
    brief = Brief(premise=PREMISE, wishes="No ghosts.")
    desk.workbench.library.change_brief(story.id, lambda _: brief)

    desk.do(story, Initialize())
    desk.do(story, PlotChapters())

    [sent] = desk.server.history
    assert "No ghosts." in sent.prompt
    assert "novel" in sent.prompt


@pytest.mark.parametrize(
    ("answer", "title", "rest"),
    [
        (
            "# The Long Hall\n\n## The door\n\nIt is dark.",
            "The Long Hall",
            "## The door\n\nIt is dark.",
        ),
        ("# The Long Hall\n# The door\nIt is dark.", "The Long Hall", "# The door\nIt is dark."),
        ("**“The Long Hall”**\n\n## The door\nDark.", "The Long Hall", "## The door\nDark."),
        ("Title: *The Long Hall*\n## The door\nDark.", "The Long Hall", "## The door\nDark."),
        ("# The Long Hall\n\nIt is dark.", "The Long Hall", "It is dark."),
        ("# Chapter One: The door\n\nIt is dark.", "", "# Chapter One: The door\n\nIt is dark."),
        ("# Kapitel 1: Nebel\n\nEs ist dunkel.", "", "# Kapitel 1: Nebel\n\nEs ist dunkel."),
        ("## The door\n\nIt is dark.", "", "## The door\n\nIt is dark."),
        ("It is dark.\n\nVery.", "", "It is dark.\n\nVery."),
        ("# The Long Hall", "", "# The Long Hall"),
    ],
)
def test_title_of_the_story_stands_above_its_first_chapter(
    answer: str, title: str, rest: str
) -> None:
    assert without_story_title(answer) == (title, rest)


def test_long_heading_is_cut_to_a_title() -> None:
    title, text = titled(f"## {'The door ' * 30}\n\nIt is dark.", 1)

    assert len(title) <= 80
    assert text == "It is dark."


def with_title(sent: Sent) -> Reply:
    """Write the chapter that the request asks for, below a title of the story if that is wanted."""
    reply = telling(sent)
    asks = "Title of the story" in sent.prompt
    return say(f"# The Long Hall\n\n{chapter_text(1)}") if asks else reply


def test_first_chapter_comes_with_the_title_of_the_story(
    desk: Desk, store: Store, direct: Story
) -> None:
    desk.server.answer = with_title
    desk.do(direct, Initialize())
    desk.do(direct, PlotChapters(chapters=2))

    assert ["Title of the story" in one.prompt for one in desk.server.history] == [True, False]
    assert desk.workbench.library.story(direct.id).title == "The Long Hall"
    draft = store.manuscript.draft(desk.branch(direct), 1)
    assert draft is not None
    assert (draft.title, draft.text.partition("\n")[0]) == ("The door 1", "Mara opens door 1.")


def test_title_that_the_writer_has_given_stays(desk: Desk, direct: Story) -> None:
    desk.server.answer = with_title
    desk.workbench.library.rename(direct.id, "My own")
    desk.do(direct, Initialize())
    desk.do(direct, PlotChapters())

    assert "Title of the story" not in desk.server.history[0].prompt
    assert desk.workbench.library.story(direct.id).title == "My own"
