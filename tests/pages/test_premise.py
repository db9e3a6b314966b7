"""The premise: typed text is kept, the cast is drafted, edited and approved."""

from __future__ import annotations

from contextlib import closing

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.words import plain
from store.formats.character_card import export_card
from store.formats.reading.files import NamedFile
from store.models.base import WHOLE
from store.models.cast import Character, Life, Relationship, RelationshipKind
from store.models.proposals import Sketch
from store.models.prototype import Snapshot
from store.models.run import Initialize, RunState
from store.models.story import Story
from store.open import Store
from tests.desk import PREMISE
from tests.fakes.scripted_server import refuse, say
from tests.graph_flow.scripting import saying
from tests.pages.desk import (
    HOSTILE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    primaries,
    texts_of,
    turn_to,
    words,
)
from tests.store.builders import altered
from tests.wording import says

SECONDS = 60
MARA = Character(id="mara", name="Mara", motivation="to leave", invented=("motivation",))
HALE = Character(id="hale", name="Hale", invented=("name",))
TIE = Relationship(id="tie", source="mara", target="hale", tie=RelationshipKind.DISTRUST)


def premise(desk: Desk, story: Story) -> AppTest:
    window = desk.window("premise", story)
    expect_whole(window)
    return window


def with_cast(desk: Desk, *entities: Character | Relationship) -> Story:
    """Return a story whose proposed cast is known."""
    story = desk.drafted()
    branch = desk.branch(story)
    ground = desk.workbench.story.proposed_snapshot(branch).foundation
    whole = {one.id: one for one in (ground, *(entities or (MARA, HALE, TIE)))}
    desk.workbench.story.save_configuration(branch, "The lamp", Snapshot(entities=whole))
    return story


def key_of(desk: Desk, story: Story, *parts: str) -> str:
    branch = desk.branch(story)
    configuration = desk.workbench.proposals.configuration(branch)
    assert configuration is not None
    edition = "head" if desk.workbench.branches.status(branch).is_founded else configuration.id
    return "-".join([branch, edition, *parts])


def typed(window: AppTest, key: str, text: str) -> AppTest:
    fields = {one.key: one for one in (*window.text_input, *window.text_area)}
    fields[key].set_value(text)
    return window.run()


def person(desk: Desk, story: Story, id_: str) -> Character:
    return desk.workbench.story.proposed_snapshot(desk.branch(story)).get(Character, id_)


def test_without_a_story_it_leads_to_the_library(desk: Desk) -> None:
    window = desk.window("premise")

    expect_whole(window)
    button(window, "Go to the library").click().run()

    assert texts_of(window.title) == ["Library"]


def test_empty_premise_says_what_to_do(desk: Desk) -> None:
    window = premise(desk, desk.story(premise=""))

    button(window, "Draft the cast").click().run()

    expect_whole(window)
    assert "Say in a line or two what your story is about" in words(window)
    assert desk.server.history == []


def test_premise_is_kept_as_it_is_typed(desk: Desk) -> None:
    story = desk.story(premise="")
    window = premise(desk, story)

    typed(window, f"brief-{story.id}-premise", "他把灯关了。\nمنارة ' OR 1=1; --")

    assert (
        desk.workbench.library.story(story.id).brief.premise == "他把灯关了。\nمنارة ' OR 1=1; --"
    )
    turn_to(window, "settings")
    turn_to(window, "premise")
    assert window.text_area[0].value == "他把灯关了。\nمنارة ' OR 1=1; --"


@pytest.mark.parametrize("letter", ["long ", "灯"])
def test_too_long_premise_is_kept_and_can_be_shortened(desk: Desk, letter: str) -> None:
    text = (letter * 100_000)[:100_000]
    story = desk.story(premise=text)
    window = premise(desk, story)

    button(window, "Draft the cast").click().run()

    expect_whole(window)
    assert desk.server.history == []
    assert desk.workbench.library.story(story.id).brief.premise == text
    assert "100,000 characters" in words(window)
    window.button(key="shorten").click().run()
    expect_whole(window)
    shortened = desk.workbench.library.story(story.id).brief.premise
    assert 0 < len(shortened) < len(text)
    assert text.startswith(shortened)
    button(window, "Draft the cast").click().run()
    assert desk.settle(story).state is RunState.WAITING


def test_premise_beyond_what_is_kept_stays_in_the_field(desk: Desk) -> None:
    story = desk.story()
    window = premise(desk, story)

    typed(window, f"brief-{story.id}-premise", "x" * 200_001)

    expect_whole(window)
    assert "at most 200,000 characters" in words(window)
    assert len(window.text_area[0].value or "") == 200_001
    assert desk.workbench.library.story(story.id).brief.premise == PREMISE
    turn_to(window, "settings")
    turn_to(window, "premise")
    assert len(window.text_area[0].value or "") == 200_001


def test_wishes_are_saved_with_the_story(desk: Desk) -> None:
    story = desk.story()
    window = premise(desk, story)

    next(box for box in window.selectbox if box.label == "Form").set_value("screenplay")
    window.number_input(key=f"length-{story.id}-chapter_cap").set_value(7)
    typed(window, f"brief-{story.id}-wishes", "No magic.")

    kept = desk.workbench.library.story(story.id)
    assert (kept.brief.form, kept.brief.wishes) == ("screenplay", "No magic.")
    assert kept.settings.chapter_cap == 7


def test_cast_is_drafted_in_the_background_and_then_waits(desk: Desk) -> None:
    desk.server.latency = 0.3
    story = desk.story()
    window = premise(desk, story)

    button(window, "Draft the cast").click().run()
    expect_whole(window)
    assert window.main.button(key="stop").label == "Stop"

    desk.settle(story)
    window.run()
    expect_whole(window)
    assert primaries(window) == ["Approve and begin"]
    assert len(desk.workbench.story.proposed_snapshot(desk.branch(story)).characters) >= 2


def test_failed_run_tells_why_and_goes_on(desk: Desk) -> None:
    desk.server.queue(refuse(401, "no such key"))
    story = desk.story()
    run = desk.do(story, Initialize())
    window = premise(desk, story)

    assert run.state is RunState.FAILED
    assert plain(run.message) in words(window)
    assert window.text_area[0].value == PREMISE
    window.main.button(key="continue").click().run()

    assert desk.settle(story).state is RunState.WAITING
    window.run()
    expect_whole(window)
    assert primaries(window) == ["Approve and begin"]


def test_edited_field_is_the_writers_own(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)
    assert "invented" in words(window)
    button(window, "Edit Mara").click().run()

    typed(window, key_of(desk, story, "mara", "motivation"), "to stay after all")

    assert person(desk, story, "mara").motivation == "to stay after all"
    assert person(desk, story, "mara").invented == ()
    assert person(desk, story, "hale") == HALE


def test_refused_edit_stays_in_its_field(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)
    button(window, "Edit Mara").click().run()

    typed(window, key_of(desk, story, "mara", "name"), "   ")

    expect_whole(window)
    assert person(desk, story, "mara").name == "Mara"
    assert "Not saved yet" in words(window)
    turn_to(window, "settings")
    turn_to(window, "premise")
    assert window.text_input(key=key_of(desk, story, "mara", "name")).value == "   "


def test_ground_and_title_are_saved_as_they_are_edited(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)

    typed(window, key_of(desk, story, "title"), "The last lamp")
    typed(window, key_of(desk, story, "long_term_goal"), "the lamp goes out")

    branch = desk.branch(story)
    configuration = desk.workbench.proposals.configuration(branch)
    assert configuration is not None
    assert configuration.title == "The last lamp"
    ground = desk.workbench.story.proposed_snapshot(branch).foundation
    assert ground.long_term_goal == "the lamp goes out"
    assert "long_term_goal" not in ground.invented
    assert len(desk.workbench.story.proposed_snapshot(branch).characters) == 2


def test_hostile_names_are_shown_as_text(desk: Desk) -> None:
    stranger = Character(id="x", name=HOSTILE, motivation=HOSTILE, secrets=HOSTILE)
    relationship = Relationship(
        id="t", source="x", target="mara", tie=RelationshipKind.DEBT, reason=HOSTILE
    )
    story = with_cast(desk, MARA, stranger, relationship)
    window = premise(desk, story)

    expect_only_text(window, HOSTILE)
    assert plain(HOSTILE) in words(window)
    button(window, f"Edit {plain(HOSTILE)}").click().run()
    expect_whole(window)
    expect_only_text(window, HOSTILE)


def test_people_can_be_added_and_taken_out(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)

    button(window, "Add a person").click().run()
    button(window, "Done").click().run()
    button(window, "Add a person").click().run()
    expect_whole(window)
    snapshot = desk.workbench.story.proposed_snapshot(desk.branch(story))
    names = [one.name for one in snapshot.characters]
    assert names == ["Mara", "Hale", "Someone new", "Someone new 2"]

    button(window, "Done").click().run()
    button(window, "Edit Hale").click().run()
    window.button(key=key_of(desk, story, "leave", "hale")).click().run()
    assert "Hale leaves the story. 1 relationship goes with them." in words(window)
    button(window, "Keep").click().run()
    assert "Keep" not in labels(window)
    assert desk.workbench.story.proposed_snapshot(desk.branch(story)).relationships == [TIE]

    window.button(key=key_of(desk, story, "leave", "hale")).click().run()
    window.button(key=key_of(desk, story, "remove", "hale")).click().run()
    expect_whole(window)
    snapshot = desk.workbench.story.proposed_snapshot(desk.branch(story))
    assert "hale" not in snapshot.entities
    assert snapshot.relationships == []


def test_relationship_reads_as_a_sentence_and_is_edited(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)
    assert "**Mara** distrusts **Hale**, 5 of 10" in words(window)

    button(window, "Edit").click().run()
    window.slider(key=key_of(desk, story, "tie", "strength")).set_value(9).run()
    window.toggle(key=key_of(desk, story, "tie", "mutual")).set_value(True).run()

    expect_whole(window)
    assert "**Mara** and **Hale** distrust each other, 9 of 10" in words(window)


def test_tie_can_be_a_marriage_and_have_a_name_of_the_writer_s_own(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)
    button(window, "Edit").click().run()

    kinds = next(box for box in window.selectbox if box.label == "Kind")
    kinds.set_value(RelationshipKind.MARRIAGE).run()
    window.text_input(key=key_of(desk, story, "tie", "called")).set_value(HOSTILE).run()

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    said = f"**Mara** is married to **Hale** (“{plain(HOSTILE)}”), 5 of 10"
    assert said in words(window)
    [tie] = desk.workbench.story.proposed_snapshot(desk.branch(story)).relationships
    assert (tie.tie, tie.called) == (RelationshipKind.MARRIAGE, HOSTILE)


def test_nobody_is_tied_to_themselves(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)
    button(window, "Edit").click().run()

    next(box for box in window.selectbox if box.label == "Other person").set_value("mara").run()

    expect_whole(window)
    assert says(words(window), "relationship", "two")
    assert desk.workbench.story.proposed_snapshot(desk.branch(story)).relationships == [TIE]


def test_relationships_can_be_added_and_taken_out(desk: Desk) -> None:
    story = with_cast(desk, MARA, HALE)
    window = premise(desk, story)

    button(window, "Add a relationship").click().run()
    expect_whole(window)
    relationships = desk.workbench.story.proposed_snapshot(desk.branch(story)).relationships
    assert [(relationship.source, relationship.target) for relationship in relationships] == [
        ("mara", "hale")
    ]

    button(window, "Remove").click().run()
    assert desk.workbench.story.proposed_snapshot(desk.branch(story)).relationships == []


def test_drafting_again_tells_the_agent_the_note(desk: Desk) -> None:
    story = desk.drafted()
    window = premise(desk, story)
    window.text_area[0].set_value("Give Mara a <sister>.")
    desk.server.history.clear()

    window.button(
        key=f"again-{desk.workbench.runs.pending(desk.branch(story))[0].id}"
    ).click().run()
    desk.settle(story)

    assert any("Give Mara a <sister>." in sent.prompt for sent in desk.server.history)
    window.run()
    expect_whole(window)
    assert primaries(window) == ["Approve and begin"]


def test_approving_leads_to_the_plot(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)

    button(window, "Approve and begin").click().run()

    expect_whole(window)
    assert texts_of(window.title) == ["Plot"]
    desk.settle(story)
    turn_to(window, "plot")
    expect_whole(window)
    assert primaries(window) == ["Plot the first chapter"]
    assert desk.workbench.library.story(story.id).title == "The lamp"


def test_second_window_is_told_that_it_was_answered(desk: Desk) -> None:
    story = with_cast(desk)
    first, second = premise(desk, story), premise(desk, story)

    button(first, "Approve and begin").click().run()
    desk.settle(story)
    button(second, "Approve and begin").click().run()

    expect_whole(second)
    assert "already answered" in words(second)
    assert texts_of(second.title) == ["Premise"]
    assert "Approve and begin" not in labels(second)


def test_edit_after_approval_is_committed_and_said(desk: Desk) -> None:
    story = with_cast(desk)
    desk.answer(story)
    window = premise(desk, story)
    button(window, "Edit Mara").click().run()

    typed(window, key_of(desk, story, "mara", "occupation"), "keeper")

    branch = desk.branch(story)
    assert desk.workbench.prototype.snapshot(branch).get(Character, "mara").occupation == "keeper"
    assert any("Mara’s occupation" in one.value for one in window.toast)
    assert desk.workbench.story.edit(branch, desk.workbench.prototype.snapshot(branch)) is None


def test_a_field_is_locked_and_unlocked_beside_it(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)
    button(window, "Edit Mara").click().run()

    window.button(key=key_of(desk, story, "lock", "mara", "motivation")).click().run()

    expect_whole(window)
    assert person(desk, story, "mara") == altered(MARA, locked=("motivation",))
    lock = window.button(key=key_of(desk, story, "lock", "mara", "motivation"))
    assert ":material/lock:" in lock.label
    lock.click().run()
    assert person(desk, story, "mara") == MARA


def test_people_ties_and_the_ground_can_be_locked(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)

    window.button(key=key_of(desk, story, "lock", "mara", WHOLE)).click().run()
    window.button(key=key_of(desk, story, "lock", "tie", WHOLE)).click().run()
    window.button(key=key_of(desk, story, "lock", "foundation", "tone")).click().run()

    expect_whole(window)
    proposed = desk.workbench.story.proposed_snapshot(desk.branch(story))
    assert proposed.get(Character, "mara").locked == (WHOLE,)
    assert proposed.relationships == [altered(TIE, locked=(WHOLE,))]
    assert proposed.foundation.locked == ("tone",)
    button(window, "Edit Mara").click().run()
    assert window.button(key=key_of(desk, story, "lock", "mara", "age")).disabled


def test_a_lock_after_approval_is_committed_and_said(desk: Desk) -> None:
    story = desk.founded()
    ground = desk.workbench.prototype.snapshot(desk.branch(story)).foundation
    window = premise(desk, story)

    window.button(key=key_of(desk, story, "lock", ground.id, "tone")).click().run()

    expect_whole(window)
    assert desk.workbench.prototype.snapshot(desk.branch(story)).foundation.locked == ("tone",)
    assert "tone locked" in words(window)


def test_life_and_the_attributes_of_a_genre_are_kept_as_they_are_typed(desk: Desk) -> None:
    story = desk.drafted()
    window = premise(desk, story)
    person = desk.workbench.story.proposed_snapshot(desk.branch(story)).characters[0]
    button(window, f"Edit {plain(person.name)}").click().run()

    [life] = [one for one in window.main.selectbox if one.label.startswith("Life")]
    life.select(Life.MISSING)
    window.run()
    button(window, "Add a line").click().run()
    [name] = [one for one in window.main.text_input if one.label == "Trait"]
    name.set_value("rank").run()

    expect_whole(window)
    kept = desk.workbench.story.proposed_snapshot(desk.branch(story)).get(Character, person.id)
    assert kept.life is Life.MISSING
    assert [trait.name for trait in kept.traits] == ["rank"]
    button(window, "Remove this line").click().run()
    assert not desk.workbench.story.proposed_snapshot(desk.branch(story)).characters[0].traits


def test_book_without_a_premise_is_offered_one_from_its_text(desk: Desk) -> None:
    story = desk.workbench.files.import_book([NamedFile("b.txt", b"The lamp went out.")])
    window = premise(desk, story)
    assert [one for one in labels(window) if "premise" in one] == [
        "Draft the premise from the text"
    ]
    expect_whole(window)

    desk.server.answer = saying(book_premise=lambda _: say("A lamp that goes out."))
    button(window, "Draft the premise from the text").click().run()
    assert desk.workbench.book_premise.wait(desk.branch(story), SECONDS)
    window.run()

    assert window.text_area[0].value == "A lamp that goes out."
    assert "Draft the premise from the text" not in labels(window)
    expect_whole(window)


def test_draft_of_a_premise_that_fails_says_why_and_can_be_tried_again(desk: Desk) -> None:
    story = desk.workbench.files.import_book([NamedFile("b.txt", b"The lamp went out.")])
    window = premise(desk, story)
    desk.server.answer = lambda _: refuse(401, "no such key")
    button(window, "Draft the premise from the text").click().run()
    assert desk.workbench.book_premise.wait(desk.branch(story), SECONDS)
    window.run()

    assert "key" in words(window)
    assert "Draft the premise from the text" in labels(window)
    expect_whole(window)


def test_people_come_from_cards_and_leave_as_cards(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)
    card = export_card(Character(id="x", name="Mara", personality=HOSTILE))
    key = key_of(desk, story, "card-file")
    window.file_uploader(key=key).upload("mara.json", card, "application/json").run()

    people = desk.workbench.story.proposed_snapshot(desk.branch(story)).characters
    assert [one.name for one in people] == ["Mara", "Hale", "Mara 2"]
    expect_whole(window)
    window.run()
    assert len(desk.workbench.story.proposed_snapshot(desk.branch(story)).characters) == 3
    assert {"Save as JSON", "Save as PNG"} <= {
        one.proto.label for one in window.get("download_button")
    }


def test_what_is_no_card_is_said_and_adds_nobody(desk: Desk) -> None:
    story = with_cast(desk)
    window = premise(desk, story)
    key = key_of(desk, story, "card-file")
    window.file_uploader(key=key).upload("x.png", b"no picture", "image/png").run()

    assert "not a character card" in window.error[0].value
    assert len(desk.workbench.story.proposed_snapshot(desk.branch(story)).characters) == 2


IDEAS = ("Hale signs. *All* of it.", "Mara forges the log.", "The lamp is the buyer’s.")


def test_other_story_that_the_premise_could_become_is_drafted_in_place_of_this_one(
    desk: Desk,
) -> None:
    story = desk.drafted()
    branch = desk.branch(story)
    drafted = desk.workbench.proposals.configuration(branch)
    assert drafted is not None
    with closing(Store.open(desk.library)) as store:
        store.proposals.save_configuration(drafted.model_copy(update={"ideas": IDEAS, "idea": 1}))
    window = premise(desk, story)
    assert "2 other stories it could become" in [one.label for one in window.expander]
    shown = texts_of(window.markdown)
    assert [idea for idea in IDEAS if plain(idea) in shown] == list(IDEAS[1:])
    assert primaries(window) == ["Approve and begin"]
    desk.server.history.clear()

    next(one for one in reversed(window.button) if one.label == "Draft this one").click().run()

    desk.settle(story)
    window.run()
    expect_whole(window)
    assert any(IDEAS[2] in sent.prompt for sent in desk.server.history)
    now = desk.workbench.proposals.configuration(branch)
    assert now is not None
    assert (now.round, now.ideas, now.idea) == (2, IDEAS, 3)
    button(window, "Back to the previous draft").click().run()
    back = desk.workbench.proposals.configuration(branch)
    assert back is not None
    assert back.idea == 1


def test_sketches_are_shown_with_what_their_reader_says_and_nothing_in_them_is_markup(
    desk: Desk,
) -> None:
    story = desk.drafted()
    drafted = desk.workbench.proposals.configuration(desk.branch(story))
    assert drafted is not None
    sketches = (
        Sketch(
            idea=1, text="## 1. The *Quay*\n\nHale signed.\n\n* * *\n\nAnd swam.", remark="Wet."
        ),
        Sketch(idea=3, text="## 1. Salt\n\nThe lamp paid."),
    )
    told = {"ideas": IDEAS, "idea": 1, "sketches": sketches}
    with closing(Store.open(desk.library)) as store:
        store.proposals.save_configuration(drafted.model_copy(update=told))

    window = premise(desk, story)

    assert "The story as it was first told" in [one.label for one in window.expander]
    shown = [str(one.value) for one in window.markdown]
    parts = (f"**{plain('1. The *Quay*')}**", *map(plain, ("Hale signed.", "* * *", "And swam.")))
    assert "\n\n".join(parts) in shown
    assert f"**{plain('1. Salt')}**\n\n{plain('The lamp paid.')}" in shown
    assert [str(one.value) for one in window.info] == [f"Its reader: {plain('Wet.')}"]
    assert primaries(window) == ["Approve and begin"]


def test_sketches_can_be_read_while_the_others_are_told(desk: Desk) -> None:
    desk.server.queue(refuse(401, "no such key"))
    story = desk.story(premise=PREMISE)
    assert desk.do(story, Initialize()).state is RunState.FAILED
    opened = desk.workbench.proposals.configuration(desk.branch(story))
    assert opened is not None
    told = (Sketch(idea=2, text="# *Salt*\n\nAsh fell."), Sketch(idea=4, text="Snow fell."))
    with closing(Store.open(desk.library)) as store:
        store.proposals.save_configuration(opened.model_copy(update={"sketches": told}))

    window = premise(desk, story)

    labels = [one.label for one in window.expander]
    assert [label for label in labels if "Salt" in label or "Story" in label] == [
        f"Story 2: {plain('*Salt*')}",
        "Story 4",
    ]
    shown = [str(one.value) for one in window.markdown]
    assert plain("Ash fell.") in shown


def test_story_without_sketches_shows_none(desk: Desk) -> None:
    window = premise(desk, desk.drafted())
    assert "The story as it was first told" not in [one.label for one in window.expander]
