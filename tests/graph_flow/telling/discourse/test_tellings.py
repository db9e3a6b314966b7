"""A story told in two tellings: its own, and one with a frame; from one plot, which is planned once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from graph_flow.command_line import files
from graph_flow.errors import WorkbenchError
from graph_flow.telling.discourse.arranging import ShownEvent
from graph_flow.telling.discourse.coverage import TextOf
from store.models.delta import Change, Delta
from store.models.desk.telling import Arrangement, Telling
from store.models.form import Form
from store.models.manuscript import DraftState, PartTime, Structure
from store.models.plot import Event
from store.models.run import RunState, WriteChapter
from store.models.story import Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say
from tests.graph_flow.scripting import agent_of, asked, request_of
from tests.graph_flow.telling.bridge import AMOS, TEXT, events_of, plotted, telling
from tests.store.builders import adding, altered, go_on

CHAPTERS = 3


@pytest.fixture
def story(able: Desk, story_store: Store) -> Story:
    """A story of three chapters, all written as a novel."""
    able.server.answer = telling(writer_novel=_write, writer_screenplay=_write)
    made = plotted(able, story_store, CHAPTERS, chapter_cap=CHAPTERS, words=3_000)
    run = able.do(made, WriteChapter(chapter=1, then=(2, 3), is_autopilot=True))
    assert run.state is RunState.DONE
    able.server.history.clear()
    return made


def _write(sent: Sent) -> Reply:
    """Write each chapter in other words, so that no two prompts are alike."""
    found = re.search(r"chapter (\d+)", request_of(sent))
    return say(f"{TEXT}\n\nSo ended {found and found.group(1)}.")


def make(
    desk: Desk,
    story: Story,
    arrangement: Arrangement = Arrangement.FRAME,
    form: Form = Form.NOVEL,
    name: str = "Looking back",
) -> Telling:
    return desk.workbench.tellings.make(desk.branch(story), name, form, arrangement)


def write(desk: Desk, story: Story, made: Telling) -> None:
    task = desk.workbench.tellings.writing(made.id, is_autopilot=True)
    assert desk.do(story, task).state is RunState.DONE


def states(desk: Desk, story: Story, made: Telling) -> list[TextOf]:
    table = desk.workbench.tellings.table(desk.branch(story))
    [column] = [one for one in table.columns if one.telling and one.telling.id == made.id]
    return [table.state(row, column) for row in table.rows if row.chapter]


def edit_event(desk: Desk, story: Story, event: str, **values: object) -> None:
    branch = desk.branch(story)
    before = desk.workbench.prototype.snapshot(branch).get(Event, event)
    desk.workbench.story.commit_edit(
        branch, Delta(changes=(Change(before=before, after=altered(before, **values)),)), 2
    )


def test_frame_is_told_from_the_story_s_own_plans_and_nothing_is_planned_again(
    able: Desk, story: Story
) -> None:
    branch, made = able.branch(story), make(able, story)
    own = able.workbench.manuscript.plan(branch, 1)
    assert own is not None

    write(able, story, made)

    assert asked(able.server, "plan") == []
    assert [agent_of(one) for one in able.server.history].count("writer_novel") == CHAPTERS
    texts = [one.draft for one in able.workbench.tellings.texts(made.id)]
    assert [one.state for one in texts] == [DraftState.APPROVED] * CHAPTERS
    assert [one.title for one in texts] == ["Part 1", "Part 2", "Part 3"]
    first = able.workbench.manuscript.plan(branch, made.keys[0])
    assert first is not None
    assert first.structure is Structure.FRAME
    beats = [scene.beat for scene in own.scenes if set(scene.events) & {"c1e0", "c1e1", "c1e2"}]
    assert [scene.beat for scene in first.scenes][1:] == beats
    # The book has the texts that it had.
    draft = able.workbench.manuscript.draft(branch, 1)
    assert draft is not None
    assert "So ended 1." in draft.text
    assert states(able, story, made) == [TextOf.CURRENT] * 9


def test_glimpse_of_the_end_tells_its_reader_nothing_of_what_it_means(
    able: Desk, story: Story
) -> None:
    made = make(able, story)
    write(able, story, made)
    plans = [able.workbench.manuscript.plan(able.branch(story), key) for key in made.keys]
    first, *_, last = [plan for plan in plans if plan is not None]
    assert first.scenes[0].events == last.scenes[-1].events == ("c3e2",)
    assert first.scenes[0].reveals == ()
    # What the reader has learned is not revealed to them again.
    revealed = [key for plan in plans if plan is not None for key in plan.reveals]
    assert len(revealed) == len(set(revealed))


def test_writer_is_told_when_a_scene_happens_and_how_its_people_were_then(
    able: Desk, story_store: Store
) -> None:
    able.server.answer = telling(writer_novel=_write)
    made_story = plotted(able, story_store, 1, chapter_cap=3)
    branch = able.branch(made_story)
    blind = altered(AMOS, status="blind")
    go_on(story_store, branch, Delta(changes=(Change(before=AMOS, after=blind),)), "Nothing")
    go_on(story_store, branch, adding(*events_of(3)), "Part 3")
    made = make(able, made_story)
    able.server.history.clear()

    write(able, made_story, made)

    first, second = (request_of(one) for one in asked(able.server, "writer_novel"))
    assert "It is the frame of the story" in first
    assert "It is a flashback" in first
    assert "chapter 1 of 2" in first
    # The first chapter is mostly in the past, where Amos can see.
    assert "blind" not in first
    assert "blind" in second


def test_table_says_what_is_missing_and_only_what_has_changed_is_written_again(
    able: Desk, story: Story
) -> None:
    tellings, branch = able.workbench.tellings, able.branch(story)
    made = make(able, story)
    assert states(able, story, made) == [TextOf.MISSING] * 9
    assert tellings.to_write(made.id) == list(made.keys)
    write(able, story, made)
    assert tellings.to_write(made.id) == []
    with pytest.raises(WorkbenchError, match="All of this telling is written"):
        tellings.writing(made.id)

    edit_event(able, story, "c2e0", summary="Amos climbs down again.")

    table = tellings.table(branch)
    by_event = {row.event: [table.state(row, one) for one in table.columns] for row in table.rows}
    assert by_event["c2e0"] == [TextOf.STALE, TextOf.STALE]
    assert by_event["c2e1"] == [TextOf.CURRENT, TextOf.CURRENT]
    assert by_event["c1e0"] == [TextOf.CURRENT, TextOf.CURRENT]
    assert by_event["fall"] == [TextOf.NOT_SHOWN, TextOf.NOT_SHOWN]
    assert tellings.to_write(made.id) == [made.keys[1]]
    able.server.history.clear()
    write(able, story, made)
    [request] = [request_of(one) for one in asked(able.server, "writer_novel")]
    assert "Amos climbs down again." in request
    assert states(able, story, made) == [TextOf.CURRENT] * 9


def test_stale_text_can_be_said_to_fit(able: Desk, story: Story) -> None:
    made = make(able, story)
    write(able, story, made)
    edit_event(able, story, "c2e0", summary="Amos climbs down again.")
    able.workbench.tellings.still_fits(made.id)
    assert able.workbench.tellings.to_write(made.id) == []
    # The book's own text is still stale.
    assert able.workbench.branches.stale(able.branch(story))


def test_another_form_of_the_same_order_is_rendered_without_planning(
    able: Desk, story: Story
) -> None:
    made = make(able, story, Arrangement.LINEAR, Form.SCREENPLAY, "For the screen")
    write(able, story, made)
    assert {agent_of(one) for one in able.server.history} <= {
        "writer_screenplay",
        "review",
        "revise",
    }
    texts = able.workbench.tellings.texts(made.id)
    assert [one.draft.form for one in texts] == [Form.SCREENPLAY] * CHAPTERS


def test_reader_of_a_frame_knows_the_end_first(able: Desk, story: Story) -> None:
    tellings, branch = able.workbench.tellings, able.branch(story)
    made = make(able, story)
    assert [one.known for one in tellings.knowledge(branch, None)] == [3, 6, 9]
    assert [one.known for one in tellings.knowledge(branch, made)] == [4, 7, 9]
    last = {one.event: one.reader for one in tellings.first_known(branch, made)}["c3e2"]
    assert last == 1


def test_telling_goes_on_with_what_was_plotted_since(
    able: Desk, story: Story, story_store: Store
) -> None:
    tellings, made = able.workbench.tellings, make(able, story)
    assert tellings.not_shown(made.id) == 0
    go_on(story_store, able.branch(story), adding(*events_of(4)), "Part 4")
    assert states(able, story, made)[-3:] == [TextOf.NOT_SHOWN] * 3
    assert tellings.not_shown(made.id) == 1
    longer = tellings.go_on(made.id)
    assert longer.chapters[-1].events == ("c4e0", "c4e1", "c4e2")
    assert tellings.not_shown(made.id) == 0


def test_event_that_was_removed_is_told_no_more(able: Desk, story: Story) -> None:
    made = make(able, story)
    branch = able.branch(story)
    snapshot = able.workbench.prototype.snapshot(branch)
    gone = [one for one in snapshot.entities.values() if "c2e0" in one.id]
    delta = Delta(changes=tuple(Change(before=one) for one in gone))
    able.workbench.story.commit_edit(branch, delta, 2)
    write(able, story, made)
    plan = able.workbench.manuscript.plan(branch, made.keys[1])
    assert plan is not None
    assert "c2e0" not in {event for scene in plan.scenes for event in scene.events}
    assert len(states(able, story, made)) == 8


def test_bad_telling_is_refused_with_a_reason(able: Desk, story: Story, story_store: Store) -> None:
    make(able, story)
    with pytest.raises(WorkbenchError, match="Another telling has this name"):
        make(able, story, name="looking BACK")
    with pytest.raises(ValidationError):
        make(able, story, name="  ")
    short = plotted(able, story_store, 1)
    with pytest.raises(WorkbenchError, match="not enough of the story"):
        make(able, short, Arrangement.IN_MEDIAS_RES)
    nothing = plotted(able, story_store, 0)
    assert able.workbench.tellings.possible(able.branch(nothing)) == []
    with pytest.raises(WorkbenchError, match="Nothing is plotted yet"):
        make(able, nothing)


def test_telling_is_renamed_put_away_and_brought_back(able: Desk, story: Story) -> None:
    tellings, branch = able.workbench.tellings, able.branch(story)
    made = make(able, story)
    write(able, story, made)
    assert tellings.rename(made.id, "From the end").name == "From the end"
    tellings.put_away(made.id)
    assert tellings.of(branch) == []
    tellings.bring_back(made.id)
    assert [one.name for one in tellings.of(branch)] == ["From the end"]
    assert tellings.to_write(made.id) == []


def test_chapter_is_arranged_by_the_writer_and_its_text_is_out_of_date(
    able: Desk, story: Story
) -> None:
    tellings, branch = able.workbench.tellings, able.branch(story)
    made = make(able, story, Arrangement.LINEAR)
    write(able, story, made)
    key = made.keys[0]
    wanted = [
        ShownEvent("c1e2"),
        ShownEvent("fall", PartTime.FLASHBACK, "opal"),
        ShownEvent("c1e0", point_of_view="amos"),
        ShownEvent("c1e2"),
        ShownEvent("gone since"),
    ]

    changed = tellings.show_in(made.id, key, wanted)

    assert [(part.chapter, part.events, part.time) for part in changed.chapters[0].parts] == [
        (1, ("c1e2",), PartTime.PRESENT),
        (0, ("fall",), PartTime.FLASHBACK),
        (1, ("c1e0",), PartTime.PRESENT),
    ]
    table = tellings.table(branch)
    [column] = [one for one in table.columns if one.telling]
    by_event = {row.event: table.state(row, column) for row in table.rows}
    assert by_event["c1e2"] is TextOf.STALE  # it came behind the others
    assert by_event["fall"] is TextOf.MISSING
    assert by_event["c1e1"] is TextOf.NOT_SHOWN
    assert by_event["c2e0"] is TextOf.CURRENT
    assert tellings.is_stale(made.id)
    assert [one.state for one in tellings.chapters(made.id)] == [
        TextOf.MISSING,
        TextOf.CURRENT,
        TextOf.CURRENT,
    ]
    able.server.history.clear()
    write(able, story, made)
    assert len(asked(able.server, "writer_novel")) == 1
    plan = able.workbench.manuscript.plan(branch, key)
    assert plan is not None
    assert [scene.events for scene in plan.scenes] == [("c1e2",), ("fall",), ("c1e0",)]
    assert [scene.point_of_view for scene in plan.scenes] == ["ruth", "opal", "amos"]
    assert not tellings.is_stale(made.id)


def test_somebody_who_is_not_there_sees_nothing(able: Desk, story: Story) -> None:
    made = make(able, story, Arrangement.LINEAR)
    key = made.keys[0]
    able.workbench.tellings.show_in(made.id, key, [ShownEvent("c1e0", point_of_view="opal")])
    write(able, story, made)
    plan = able.workbench.manuscript.plan(able.branch(story), key)
    assert plan is not None
    assert [scene.point_of_view for scene in plan.scenes] == ["amos"]


def test_chapters_are_moved_added_taken_out_and_put_back_with_their_texts(
    able: Desk, story: Story
) -> None:
    tellings = able.workbench.tellings
    made = make(able, story, Arrangement.LINEAR)
    write(able, story, made)
    one, two, three = made.keys
    assert tellings.move_chapter(made.id, three, -1).keys == (one, three, two)
    assert tellings.move_chapter(made.id, one, -5).keys == (one, three, two)
    assert tellings.move_chapter(made.id, one, 9).keys == (three, two, one)
    assert tellings.take_out(made.id, two).keys == (three, one)
    fresh = tellings.add_chapter(made.id, three)
    assert fresh.key not in made.keys
    assert fresh.events == ()
    assert tellings.put_in(made.id, two).keys == (three, fresh.key, one, two)
    # Nothing has to be written again, and what shows nothing has nothing to be written.
    assert tellings.to_write(made.id) == []
    assert tellings.rename_chapter(made.id, two, " The  pin ").chapters[-1].title == "The pin"
    assert tellings.rename_chapter(made.id, two, "").chapters[-1].title is None
    with pytest.raises(WorkbenchError, match="no such chapter"):
        tellings.take_out(made.id, 1)
    with pytest.raises(WorkbenchError, match="no such chapter"):
        tellings.put_in(made.id, two)
    for key in (three, fresh.key, one):
        tellings.take_out(made.id, key)
    with pytest.raises(WorkbenchError, match="at least one chapter"):
        tellings.take_out(made.id, two)


def test_telling_is_exported_by_its_name(able: Desk, story: Story, tmp_path: Path) -> None:
    made = make(able, story, name="Looking back")
    export = ["export", story.id, "--format", "txt", "--out", str(tmp_path / "book.txt")]
    assert files.run([*export, "--telling", "looking BACK"], able.library) == 2
    able.workbench.tellings.take_out(made.id, made.keys[0])
    write(able, story, made)
    assert files.run([*export, "--telling", "looking BACK"], able.library) == 0
    assert (tmp_path / "book.txt").read_bytes().count(b"So ended") == CHAPTERS - 1
    assert files.run([*export, "--telling", "Nobody's"], able.library) == 2
