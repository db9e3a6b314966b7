"""Writing with an able model: what its review changed, what the reader knows, and the style."""

from __future__ import annotations

from typing import Any

from pages.components.write import strings
from pages.components.write.plan import without_aim
from pages.components.write.streaming import text_so_far
from store.models.cast import Character
from store.models.form import Form, Narration, Tense
from store.models.manuscript import (
    Draft,
    PlannedScene,
    Recollection,
    RemarkKind,
    ReviewRemark,
    SceneMode,
    WritingPlan,
    told_scenes,
)
from store.models.run import Activity
from store.models.story import SAMPLE_LIMIT, GateMode, Story
from tests.pages.desk import HOSTILE, Desk, button, expect_only_text, expect_whole, words
from tests.pages.prose import look_beside

ALL_GO_ON: dict[str, Any] = {
    "gates": {
        "configuration": GateMode.ASK,
        "plan": GateMode.GO_ON,
        "draft": GateMode.GO_ON,
    }
}
REMARK = ReviewRemark(kind=RemarkKind.FLAT, quote=HOSTILE, remark="It says too little.")


def reviewed(desk: Desk) -> tuple[Story, Draft]:
    """Return a story whose first chapter has been reviewed."""
    story = desk.written(ALL_GO_ON)
    manuscript = desk.workbench.manuscript
    draft = manuscript.draft(desk.branch(story), 1)
    assert draft is not None
    return story, manuscript.save_review(draft.id, (), (REMARK,))


def test_remarks_are_shown_as_text(desk: Desk) -> None:
    story, _ = reviewed(desk)

    window = desk.window("write", story)

    expect_whole(window)
    assert "It says too little" in words(window)
    expect_only_text(window, HOSTILE)


def test_revision_is_shown_as_a_difference_and_can_be_taken_back(desk: Desk) -> None:
    story, draft = reviewed(desk)
    manuscript = desk.workbench.manuscript
    manuscript.save_revision(draft, f"{draft.text}\n\nA gull sat down on it.", ["secret:mara"])

    window = desk.window("write", story)

    expect_whole(window)
    assert "A gull sat down on it" in words(window)
    button(window, "Undo the revision").click().run()
    expect_whole(window)
    newest = manuscript.draft(desk.branch(story), 1)
    assert newest is not None
    assert newest.text == draft.text
    # What only the revision told is not told.
    assert newest.told == draft.told
    assert "Undo the revision" not in words(window)


def test_remarks_on_a_revision_are_shown_beside_what_it_changed(desk: Desk) -> None:
    story, draft = reviewed(desk)
    manuscript = desk.workbench.manuscript
    revision = manuscript.save_revision(draft, f"{draft.text}\n\nA gull sat down on it.")
    remark = ReviewRemark(kind=RemarkKind.UNCLEAR, quote="A gull", remark="What gull is this?")
    manuscript.save_review(revision.id, (), (remark,))

    window = desk.window("write", story)

    expect_whole(window)
    for part in ("What gull is this", "It says too little", "Undo the revision"):
        assert part in words(window)


def test_text_that_the_writer_changed_meanwhile_stays_the_newest(desk: Desk) -> None:
    story, draft = reviewed(desk)
    manuscript = desk.workbench.manuscript
    own = manuscript.save_text(desk.branch(story), 1, "My own text.")

    kept = manuscript.save_revision(draft, "The model's text.")

    assert kept == own


def test_style_and_reviews_are_kept_with_the_story(desk: Desk) -> None:
    story, _ = reviewed(desk)
    window = look_beside(desk.window("write", story), "Style")

    notes = next(one for one in window.text_area if one.label == "How it should sound")
    notes.set_value("No similes.").run()
    sample = next(one for one in window.text_area if one.label == "A piece of your own prose")
    sample.set_value("Das Wasser ging zurück. " * 10_000).run()

    expect_whole(window)
    settings = desk.workbench.library.story(story.id).settings
    assert settings.style_notes == "No similes."
    assert len(settings.style_sample) == SAMPLE_LIMIT
    assert "Only the first 20,000 characters are kept." in words(window)
    assert "of its 20,000 characters are read" in words(window)
    sample.set_value("Das Wasser ging zurück.").run()
    assert "All of it is read" in words(window)


def test_tense_person_and_words_to_avoid_are_kept_and_found_in_the_text(desk: Desk) -> None:
    story, draft = reviewed(desk)
    window = look_beside(desk.window("write", story), "Style")
    assert "Words to avoid, in this text" not in words(window)

    next(one for one in window.selectbox if one.label == "Tense").select(Tense.PAST).run()
    next(one for one in window.selectbox if one.label == "Told in the").select(
        Narration.CLOSE
    ).run()
    box = next(one for one in window.text_area if one.label == "Words to avoid")
    box.set_value(f"{draft.text.split()[0]}\nnowhereinit").run()
    next(one for one in window.toggle if one.label.startswith("Worn-out")).set_value(True).run()

    expect_whole(window)
    settings = desk.workbench.library.story(story.id).settings
    assert (settings.tense, settings.narration) == (Tense.PAST, Narration.CLOSE)
    assert settings.avoids_worn
    found = next(one for one in words(window).splitlines() if one.startswith("Words to avoid, in"))
    assert draft.text.split()[0] in found
    assert "nowhereinit" not in found


def test_voice_is_changed_beside_the_text_as_an_edit_of_the_story(desk: Desk) -> None:
    story, _ = reviewed(desk)
    branch = desk.branch(story)
    before = len(desk.workbench.branches.steps(branch).entries)
    window = look_beside(desk.window("write", story), "Style")
    chosen = next(one for one in window.selectbox if one.label == "Whose voice")
    label = "How they speak, with a line of theirs"
    next(one for one in window.text_area if one.label == label).set_value(
        "Never a please. “Ask the tide.”"
    ).run()

    expect_whole(window)
    person = desk.workbench.prototype.snapshot(branch, 1).get(Character, str(chosen.value))
    assert person.voice == "Never a please. “Ask the tide.”"
    assert "voice" not in person.invented
    assert len(desk.workbench.branches.steps(branch).entries) == before + 1

    chosen.select_index(1).run()
    other = next(one for one in window.selectbox if one.label == "Whose voice").value
    assert other != person.id
    name = next(one for one in window.text_input if one.label == "Name")
    name.set_value("Ottoline").run()
    assert (
        desk.workbench.prototype.snapshot(branch, 1).get(Character, str(other)).name == "Ottoline"
    )


def test_whole_plan_shows_what_belongs_to_each_scene(desk: Desk) -> None:
    story = desk.written(ALL_GO_ON)
    branch = desk.branch(story)
    manuscript = desk.workbench.manuscript
    plan = manuscript.plan(branch, 1)
    assert plan is not None
    person = desk.workbench.prototype.snapshot(branch, 1).characters[0]
    scene = plan.scenes[0].model_copy(
        update={
            "mode": SceneMode.SUMMARY,
            "words": 120,
            "reveals": (f"secret:{person.id}", "secret:gone"),
        }
    )
    manuscript.save_plan(
        plan.model_copy(update={"scenes": (scene,), "withheld": "who rang the bell"})
    )

    window = desk.window("write", story)

    expect_whole(window)
    shown = words(window)
    for said in ("as a summary of about 120 words", "The reader learns", "who rang the bell"):
        assert said in shown
    assert "What the reader does not know yet" in shown


def test_text_stays_on_the_page_while_it_is_reviewed(desk: Desk) -> None:
    story, draft = reviewed(desk)
    now = desk.workbench.runs.progress(desk.branch(story))
    assert now is not None
    reading = now.model_copy(update={"activities": (Activity(agent="review", words="Reading"),)})
    planning = now.model_copy(update={"activities": (Activity(agent="plan", words="Planning"),)})

    assert draft.text in text_so_far(draft, reading)
    assert text_so_far(draft, planning).strip() == ""


def test_what_a_scene_reveals_can_be_left_out() -> None:
    scene = PlannedScene(reveals=("secret:a", "secret:b"), recall=(Recollection(event="e"),))
    plan = WritingPlan(
        id="p", branch="b", chapter=1, attempt=1, form=Form.NOVEL, scenes=(PlannedScene(), scene)
    )

    assert without_aim(plan, 1, "reveals", 0).reveals == ("secret:b",)
    assert without_aim(plan, 1, "recall", 0).scenes[1].recall == ()


def test_plan_is_changed_beside_the_text_and_marks_only_its_passage(desk: Desk) -> None:
    story, _ = reviewed(desk)
    branch = desk.branch(story)
    window = desk.window("write", story)
    assert "has changed since" not in words(window)

    beats = [one for one in window.text_area if one.label == strings.SCENE_BEAT]
    plan = desk.workbench.manuscript.plan(branch, 1)
    assert plan is not None
    assert [one.value for one in beats] == [scene.beat for scene in plan.scenes]
    beats[0].set_value("She burns the letters instead.").run()

    expect_whole(window)
    changed = desk.workbench.manuscript.plan(branch, 1)
    assert changed is not None
    assert changed.scenes[0].beat == "She burns the letters instead."
    assert words(window).count("has changed since") == 2  # above the tabs, and with its scene
    button(window, "The text still fits").click().run()
    assert "has changed since" not in words(window)


def test_what_a_scene_reveals_can_be_left_out_and_brought_back(desk: Desk) -> None:
    story, _ = reviewed(desk)
    branch, manuscript = desk.branch(story), desk.workbench.manuscript
    plan = manuscript.plan(branch, 1)
    assert plan is not None
    fact = f"secret:{desk.workbench.prototype.snapshot(branch, 1).characters[0].id}"
    told = plan.scenes[0].model_copy(update={"reveals": (fact,)})
    planned = manuscript.save_plan(plan.model_copy(update={"scenes": (told, *plan.scenes[1:])}))
    manuscript.save_scenes(branch, 1, told_scenes(planned))

    window = desk.window("write", story)
    reveals = [one for one in window.toggle if one.label.startswith("The reader learns")]
    assert [one.value for one in reveals] == [True]
    for is_on in (False, True):
        reveals[0].set_value(is_on).run()
        expect_whole(window)
        now = manuscript.plan(branch, 1)
        assert now is not None
        assert now.scenes[0].reveals == ((fact,) if is_on else ())
        assert ("has changed since" in words(window)) is not is_on
        reveals = [one for one in window.toggle if one.label.startswith("The reader learns")]


def test_scene_says_that_its_text_was_changed_by_hand(desk: Desk) -> None:
    story, draft = reviewed(desk)
    desk.workbench.manuscript.save_text(desk.branch(story), 1, f"She ran. {draft.text}")
    window = desk.window("write", story)
    expect_whole(window)
    assert words(window).count(strings.TEXT_CHANGED) == 1
