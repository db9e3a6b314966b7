"""What the continuity check found, on a list and on the cards of candidates."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.words import plain
from store.models.base import WHOLE
from store.models.cast import Character, Life
from store.models.plot import Event, Participation, Thread, ThreadState
from store.models.prototype import AnyEntity, Snapshot
from store.models.run import PlotChapters
from store.models.story import GateMode, Story
from tests.pages.desk import (
    HOSTILE,
    SECONDS_FOR_A_PAGE,
    Desk,
    button,
    expect_only_text,
    expect_whole,
    labels,
    words,
)
from tests.store.builders import altered
from tests.wording import says

GHOST = Character(id="ghost", name=HOSTILE, life=Life.DEAD)
NO_GOALS_GATE = {
    "gates": {"configuration": GateMode.ASK, "goals": GateMode.GO_ON, "candidates": GateMode.ASK}
}


def page() -> None:
    import streamlit as st

    from pages.components import notices
    from pages.components.frame.frame import OpenStory
    from pages.components.graphs import findings
    from pages.serving.services import workbench

    branch = workbench().library.main_branch(st.session_state["story"])
    opened = OpenStory(
        story=workbench().library.story(branch.story),
        branch=branch,
        branches=(branch,),
        status=workbench().branches.status(branch.id),
        progress=None,
        chapter=0,
    )
    notices.show()
    st.header(findings.label(branch.id))
    findings.show(opened, lambda id_: st.session_state.update(looked_at=id_))


def listed(story: Story) -> AppTest:
    window = AppTest.from_function(page, default_timeout=SECONDS_FOR_A_PAGE)
    window.session_state["story"] = story.id
    return window.run()


def edit(desk: Desk, story: Story, *entities: AnyEntity) -> None:
    """Let the writer add or change something in the story as it is now."""
    head = desk.workbench.prototype.snapshot(desk.branch(story))
    whole = {**head.entities, **{one.id: one for one in entities}}
    desk.workbench.story.edit(desk.branch(story), Snapshot(entities=whole))


@pytest.fixture
def haunted(desk: Desk) -> Story:
    """A story in whose chapter somebody acts who was dead from the beginning."""
    story = desk.founded()
    edit(desk, story, GHOST)
    desk.do(story, PlotChapters(chapters=1, is_autopilot=True))
    feast = Event(id="feast", title="The feast", summary="They feast.", position=9)
    edit(desk, story, feast, Participation(id="p", character="ghost", event="feast"))
    return story


def test_a_story_without_findings_says_so(desk: Desk) -> None:
    window = listed(desk.founded())

    expect_whole(window)
    assert "Nothing in the story contradicts itself" in words(window)
    assert window.header[0].value == "Continuity"


def test_a_finding_leads_to_its_evidence(haunted: Story) -> None:
    window = listed(haunted)

    expect_whole(window)
    expect_only_text(window, HOSTILE)
    assert window.header[0].value == "Continuity (1)"
    assert plain(
        "has been dead since the beginning, but acts in “The feast” (chapter 1)."
    ) in words(window)
    button(window, plain("“The feast”")).click().run()
    assert window.session_state["looked_at"] == "feast"


def test_a_finding_is_meant_so_with_a_reason_and_taken_back(desk: Desk, haunted: Story) -> None:
    window = listed(haunted)
    button(window, "This is intended …").click().run()
    assert "This is intended …" not in labels(window)

    window.text_input[0].set_value("He is a *ghost*.")
    button(window, "Mark as intended").click().run()

    expect_whole(window)
    [view] = desk.workbench.continuity.findings(desk.branch(haunted))
    assert view.intended == "He is a *ghost*."
    assert window.header[0].value == "Continuity"
    assert plain("He is a *ghost*.") in words(window)
    assert "Intended (1)" in words(window)
    button(window, "Withdraw").click().run()
    assert window.header[0].value == "Continuity (1)"
    assert desk.workbench.continuity.findings(desk.branch(haunted))[0].intended is None


def test_without_a_reason_it_is_asked_for(desk: Desk, haunted: Story) -> None:
    window = listed(haunted)
    button(window, "This is intended …").click().run()

    button(window, "Mark as intended").click().run()

    expect_whole(window)
    assert "cannot be empty" in words(window)
    assert desk.workbench.continuity.findings(desk.branch(haunted))[0].intended is None
    button(window, "Cancel").click().run()
    assert "This is intended …" in labels(window)


def test_many_findings_come_a_page_at_a_time(desk: Desk, haunted: Story) -> None:
    for number in range(25):
        event = Event(id=f"e{number}", title=f"Event {number}", summary="It happens.")
        part = Participation(id=f"p{number}", character="ghost", event=event.id)
        edit(desk, haunted, event, part)
    window = listed(haunted)

    assert labels(window).count("This is intended …") == 20
    button(window, "Show 20 more").click().run()
    assert labels(window).count("This is intended …") == 26
    assert "Show 20 more" not in labels(window)


def test_threads_that_are_open_are_listed(desk: Desk) -> None:
    story = desk.founded()
    edit(desk, story, Thread(id="key", title="the <key>", state=ThreadState.PLANTED))

    window = listed(story)

    assert plain("the <key>") in words(window)
    assert "Nothing in the story contradicts itself" in words(window)


def test_a_candidate_shows_its_findings_and_the_writer_may_mean_them(desk: Desk) -> None:
    story = desk.choosing(NO_GOALS_GATE)
    head = desk.workbench.prototype.snapshot(desk.branch(story))
    edit(desk, story, *(altered(person, life=Life.DEAD) for person in head.characters))
    window = desk.window("plot", story)

    expect_whole(window)
    views = desk.workbench.plot.candidates(desk.branch(story), 1)
    finding = views[0].findings[0].finding
    assert plain(finding.sentence) in words(window)
    assert all(plain(item.label) in words(window) for item in finding.evidence)
    place = f"finding-{views[0].candidate.id}-{finding.key}"
    window.button(key=f"{place}-mean").click().run()
    window.text_input(key=f"{place}-why").set_value("All of them are ghosts.")
    window.button(key=f"{place}-keep").click().run()

    expect_whole(window)
    assert "Intended: All of them are ghosts\\." in words(window)


def test_a_candidate_says_who_tried_to_change_what_is_locked(desk: Desk) -> None:
    story = desk.founded(NO_GOALS_GATE)
    head = desk.workbench.prototype.snapshot(desk.branch(story))
    parts: list[AnyEntity] = [*head.characters, *head.relationships]
    locked = [altered(one, locked=(WHOLE,)) for one in parts]
    edit(desk, story, *locked)
    desk.do(story, PlotChapters())
    window = desk.window("plot", story)

    expect_whole(window)
    views = desk.workbench.plot.candidates(desk.branch(story), 1)
    tried = [warning for view in views for warning in view.warnings]
    assert tried
    assert all(says(warning, "locked") for warning in tried)
    assert all(plain(warning) in words(window) for warning in tried)
    standing = [
        desk.workbench.prototype.snapshot(desk.branch(story)).entities[one.id] for one in locked
    ]
    assert standing == locked
