"""How the text is to sound reaches those who write and read it, and words to avoid are found without a model."""

from __future__ import annotations

import pytest

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.style import (
    avoided,
    found_in,
    found_lines,
    style_for,
    worn_phrases,
)
from store.models.endpoint import ModelStrength
from store.models.form import Form, Narration, Tense
from store.models.run import RunState, WriteChapter
from store.models.story import StorySettings
from store.open import Store
from tests.desk import Desk
from tests.graph_flow.scripting import asked, request_of
from tests.graph_flow.telling.bridge import TEXT, plotted

NOTES = "Short sentences."
WISHES = StorySettings(
    style_notes=NOTES,
    tense=Tense.PAST,
    narration=Narration.CLOSE,
    words_to_avoid="suddenly\n a  sense of \n\nsuddenly",
)
MANNER = "Past tense; third person, close to whoever's eyes a scene is seen through."


def test_able_model_is_told_all_and_a_small_one_tense_and_person() -> None:
    assert style_for(WISHES, Form.NOVEL) == (
        f"{NOTES} {MANNER} Words and phrases that must not occur: suddenly; a sense of."
    )
    assert style_for(WISHES, Form.NOVEL, ModelStrength.SMALL) == MANNER


def test_nothing_is_said_where_the_writer_has_said_nothing() -> None:
    for strength in ModelStrength:
        assert style_for(StorySettings(), Form.NOVEL, strength) == ""


def test_screenplay_has_a_tense_and_a_person_of_its_own() -> None:
    assert MANNER not in style_for(WISHES, Form.SCREENPLAY)
    assert NOTES in style_for(WISHES, Form.SCREENPLAY)


@pytest.mark.parametrize("narration", [one for one in Narration if one is not Narration.ANY])
def test_every_person_can_be_told_of(narration: Narration) -> None:
    told = style_for(StorySettings(narration=narration), Form.NOVEL)
    assert told
    assert told != style_for(StorySettings(narration=Narration.CLOSE), Form.NOVEL) or (
        narration is Narration.CLOSE
    )


def test_worn_phrases_come_after_the_writer_s_own_and_only_if_wanted() -> None:
    assert avoided(WISHES) == ["suddenly", "a sense of"]
    both = avoided(WISHES.model_copy(update={"avoids_worn": True}))
    assert both[:2] == ["suddenly", "a sense of"]
    assert len(both) == 1 + len(worn_phrases())  # "a sense of" is among them
    assert len(worn_phrases()) >= 60
    assert len(set(worn_phrases())) == len(worn_phrases())


def test_long_list_is_told_as_far_as_there_is_room_and_found_whole() -> None:
    words = "\n".join(f"forbidden phrase number {number}" for number in range(180))
    settings = StorySettings(words_to_avoid=words)
    assert estimate_tokens(style_for(settings, Form.NOVEL)) < 900
    assert found_in("The forbidden phrase number 179.", avoided(settings)) == {
        "forbidden phrase number 179": 1
    }


@pytest.mark.parametrize(
    ("text", "phrase", "count"),
    [
        ("Suddenly, it was suddenly dark.", "suddenly", 2),
        ("Unsuddenly.", "suddenly", 0),
        ("She couldn’t help\nbut laugh.", "couldn't help but", 1),
        ("He whispered; whispers.", "whisper*", 2),
        ("He whispered.", "whisper", 0),
        ("She clenched her jaw.", "clenched * jaw", 1),
        ("What (?)", "(?)", 1),
        ("灯突然灭了。", "突然", 1),
        ("Plötzlich.", "plötzlich", 1),
        ("", "suddenly", 0),
    ],
)
def test_words_are_found_as_whole_words_in_any_script(text: str, phrase: str, count: int) -> None:
    assert found_in(text, [phrase]) == ({phrase: count} if count else {})


@pytest.mark.parametrize(
    ("phrase", "count"), [("*", 0), ("* *", 0), ("(", 1), ("[a", 0), ("\\", 1), ("tha*b*", 0)]
)
def test_what_means_something_in_a_pattern_is_looked_for_as_it_is(phrase: str, count: int) -> None:
    found = found_in("Some ( text ) with [all] that \\ can stand in it.", [phrase])
    assert found == ({phrase: count} if count else {})


def test_each_of_our_own_phrases_is_found() -> None:
    for phrase in worn_phrases():
        said = phrase.replace("*", "it").capitalize()
        assert found_in(f"{said}, they say.", [phrase]) == {phrase: 1}, phrase


def test_most_frequent_comes_first_and_the_reviewer_is_told_how_often() -> None:
    settings = StorySettings(words_to_avoid="dark\ncold")
    assert found_lines("Cold. Dark, cold.", settings) == ['"cold" (2 times)', '"dark"']


def test_everybody_who_writes_or_reads_a_chapter_is_told(able: Desk, story_store: Store) -> None:
    story = plotted(able, story_store)
    common = max(TEXT.split(), key=lambda word: (TEXT.split().count(word), word.isalpha()))
    able.workbench.library.change_settings(
        story.id,
        lambda now: now.model_copy(
            update={
                "tense": Tense.PAST,
                "narration": Narration.CLOSE,
                "words_to_avoid": f"{common}\nnowhereinit",
            }
        ),
    )
    assert able.do(story, WriteChapter(chapter=1)).state is RunState.DONE
    for agent in ("plan", "writer_novel", "review", "revise"):
        [sent] = asked(able.server, agent)
        assert f"{MANNER} Words and phrases that must not occur: {common}; nowhereinit." in (
            request_of(sent)
        )
    [review] = asked(able.server, "review")
    [found] = [one for one in request_of(review).splitlines() if one.startswith("Of the words")]
    assert f'"{common}" (' in found
    assert "nowhereinit" not in found


def test_small_model_is_told_tense_and_person(desk: Desk) -> None:
    story = desk.plotted(1, {"goals": 2, "roles": 2})
    desk.workbench.library.change_settings(
        story.id,
        lambda now: now.model_copy(
            update={"tense": Tense.PAST, "narration": Narration.CLOSE, "style_notes": NOTES}
        ),
    )
    desk.do(story, WriteChapter(chapter=1, is_autopilot=True))
    written = asked(desk.server, "writer_novel")
    assert written
    assert all(f"How it is told: {MANNER}" in request_of(one) for one in written)
