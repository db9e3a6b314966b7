"""How much a story of some length can hold, in words for whoever invents it."""

from __future__ import annotations

import pytest

from graph_flow.agents import AGENTS
from graph_flow.prompting.length import (
    Breadth,
    StoryLength,
    breadth_of,
    form_words,
    length_of,
    may_open,
    place_words,
    premise_due,
    scope_words,
    words_wanted,
)
from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.story import StorySettings


@pytest.mark.parametrize(
    ("chapters", "words", "room"),
    [
        (3, 1_200, "about 3 turns or revelations in all"),
        (3, None, "about 3 turns or revelations in all"),
        (1, 300, "about one turn or revelation in all"),
        (7, 2_000, "about 12 turns or revelations in all"),
        (12, 2_000, "about 20 scenes"),
    ],
)
def test_longer_story_has_room_for_more(chapters: int, words: int | None, room: str) -> None:
    assert room in scope_words(StorySettings(chapter_cap=chapters, words=words))


def test_serial_has_room_by_the_chapter() -> None:
    said = scope_words(StorySettings(is_open_ended=True, words=2_500))

    assert "A chapter has room for about 2 turns" in said


@pytest.mark.parametrize(
    ("settings", "last"),
    [
        (StorySettings(chapter_cap=8, words=1_200), 1),
        (StorySettings(chapter_cap=24, words=700), 3),
        (StorySettings(chapter_cap=30, words=2_500), 4),
        (StorySettings(is_open_ended=True), 3),
    ],
)
def test_longer_story_begins_with_what_its_premise_tells(
    settings: StorySettings, last: int
) -> None:
    when = "in the first chapter" if last == 1 else f"by the end of chapter {last}"

    assert f"{when} all that the premise tells has happened" in scope_words(settings)
    due = [bool(premise_due(chapter, settings)) for chapter in range(1, 9)]
    assert due == [chapter <= last for chapter in range(1, 9)]
    assert "by the end of this chapter" in premise_due(last, settings)


def test_short_story_says_nothing_of_when_its_premise_is_due() -> None:
    settings = StorySettings(chapter_cap=3)

    assert "Its first chapters" not in scope_words(settings)
    assert premise_due(1, settings) == ""


@pytest.mark.parametrize("opens_late", [False, True])
def test_near_the_end_nothing_new_is_begun_unless_the_writer_wants_it(opens_late: bool) -> None:
    settings = StorySettings(chapter_cap=20, opens_late=opens_late)

    assert may_open(18, settings)
    assert may_open(19, settings) is opens_late
    assert ("Nothing new is begun" not in place_words(19, settings)) is opens_late


@pytest.mark.parametrize(
    ("agent", "forbids"), [("goals", "begin nothing new"), ("scorer", "opens something new")]
)
def test_agents_are_told_to_begin_nothing_near_the_end_unless_the_writer_wants_it(
    agent: str, forbids: str
) -> None:
    prompt = AGENTS[agent].prompt(ModelStrength.ABLE)
    near = dict.fromkeys(prompt.variables, "") | {"is_near_end": True}

    said = [prompt.messages(near | {"may_open": may})[0].content for may in (False, True)]

    assert [forbids in one for one in said] == [True, False]
    assert all("The end is near" in one for one in said)


@pytest.mark.parametrize(("chapters", "is_short"), [(3, True), (6, True), (12, False)])
def test_short_story_is_to_have_one_thing_at_its_heart(chapters: int, is_short: bool) -> None:
    said = scope_words(StorySettings(chapter_cap=chapters))

    assert ("one thing at its heart" in said) is is_short


@pytest.mark.parametrize(
    ("settings", "breadth"),
    [
        (StorySettings(chapter_cap=6), Breadth.SHORT_STORY),
        (StorySettings(chapter_cap=7), Breadth.NOVELLA),
        (StorySettings(chapter_cap=3, words=4_000), Breadth.NOVELLA),
        (StorySettings(chapter_cap=12), Breadth.NOVELLA),
        (StorySettings(chapter_cap=13), Breadth.NOVEL),
        (StorySettings(chapter_cap=3, is_open_ended=True), Breadth.NOVEL),
    ],
)
def test_as_much_happens_as_there_are_words_for(settings: StorySettings, breadth: Breadth) -> None:
    assert breadth_of(settings) is breadth
    if settings.planned:
        assert f"a {breadth}" in scope_words(settings)


@pytest.mark.parametrize(
    ("planned", "words", "last"),
    [(3, None, 1_600), (3, 900, 900), (30, None, 1_200), (1, None, 1_200)],
)
def test_last_chapter_of_a_short_story_is_longer_unless_the_writer_says_how_long(
    planned: int, words: int | None, last: int
) -> None:
    settings = StorySettings(chapter_cap=planned, words=words)

    assert words_wanted(planned, settings) == last
    assert planned == 1 or words_wanted(1, settings) == (words or 1_200)


@pytest.mark.parametrize(
    ("form", "chapters", "named"),
    [
        (Form.NOVEL, 3, "short story in chapters"),
        (Form.NOVEL, 40, "novel"),
        (Form.SCREENPLAY, 3, "screenplay"),
    ],
)
def test_novel_of_a_few_pages_is_called_a_short_story(
    form: Form, chapters: int, named: str
) -> None:
    assert form_words(form, StorySettings(chapter_cap=chapters)) == named


@pytest.mark.parametrize(
    ("settings", "chapter", "length"),
    [
        (StorySettings(chapter_cap=6), 6, StoryLength.SHORT),
        (StorySettings(chapter_cap=3, words=4_000), 3, StoryLength.MIDDLE),
        (StorySettings(chapter_cap=20), 20, StoryLength.MIDDLE),
        (StorySettings(chapter_cap=21), 19, StoryLength.MIDDLE),
        (StorySettings(chapter_cap=21), 20, StoryLength.LONG),
        (StorySettings(chapter_cap=101), 1, StoryLength.LONG),
        (StorySettings(chapter_cap=3, is_open_ended=True), 1, StoryLength.LONG),
    ],
)
def test_story_is_as_long_as_it_is_planned_a_book_not_at_once_and_a_serial_from_the_start(
    settings: StorySettings, chapter: int, length: StoryLength
) -> None:
    assert length_of(settings, chapter) is length
