"""A story that goes by an outline: what it has is told, counted, carried over, and joined."""

from __future__ import annotations

from graph_flow.outline.current import with_outline_links
from store.models.delta import Delta
from store.models.outline import Outline, OutlineState
from store.models.plot import EventLink, LinkKind
from store.models.proposals import Candidate, Telling
from store.models.run import PlotChapters, RunState
from store.models.story import Gate, GateMode, OutlineUse
from store.open import Store
from tests.desk import Desk, Settings
from tests.fakes.scripted_server import Reply, Sent
from tests.graph_flow.outline.outlines import event, link, outline, part
from tests.graph_flow.plot.relays import moving
from tests.graph_flow.scripting import enumerated, saying

FOLLOWING: Settings = {
    "gates": dict.fromkeys(Gate, GateMode.GO_ON) | {Gate.CONFIGURATION: GateMode.ASK},
    "chapter_cap": 4,
    "goals": 1,
    "roles": 1,
    "outline_use": OutlineUse.FOLLOW,
}


def planned(branch: str) -> Outline:
    """Return an accepted outline: the theft in chapter 1, which causes the trial in chapter 2."""
    return outline(
        branch,
        events=(event("theft"), event("trial")),
        links=(link("theft", LinkKind.CAUSES, "trial"),),
        sub_events=(
            part("theft-1", "theft", 1),
            part("theft-2", "theft", 1),
            part("trial-1", "trial", 2),
        ),
        state=OutlineState.ACCEPTED,
    )


def telling(sent: Sent) -> Reply:
    """Tell the first part that is asked for."""
    has_parts = "tells" in (sent.schema or {})["properties"]
    return moving(sent, tells=enumerated(sent, "tells")[0] if has_parts else "nothing")


def test_parts_are_told_one_after_the_other_and_what_joins_them_is_kept(
    desk: Desk, store: Store
) -> None:
    branch = desk.branch(story := desk.founded(FOLLOWING))
    store.outlines.save(planned(branch))
    desk.server.answer = saying(role=telling)

    run = desk.do(story, PlotChapters(chapters=3, is_autopilot=True))

    assert run.state is RunState.DONE
    # One move a chapter tells one part: what is left of a chapter is told by the next.
    assert desk.workbench.outline.told_parts(branch) == {"theft-1": 1, "theft-2": 2, "trial-1": 3}
    events = {one.part: one.event for one in store.outlines.told(branch)}
    joined = {(one.source, one.link, one.target) for one in links_of(desk, branch)}
    assert (events["theft-2"], LinkKind.CAUSES, events["trial-1"]) in joined
    store.prototype.verify(branch)


def links_of(desk: Desk, branch: str) -> list[EventLink]:
    return list(desk.workbench.prototype.snapshot(branch).of(EventLink))


def test_chapter_that_is_taken_back_has_told_nothing(desk: Desk, store: Store) -> None:
    branch = desk.branch(story := desk.founded(FOLLOWING))
    store.outlines.save(planned(branch))
    desk.server.answer = saying(role=telling)
    desk.do(story, PlotChapters(chapters=2, is_autopilot=True))

    desk.workbench.branches.undo(branch)
    assert desk.workbench.outline.told_parts(branch) == {"theft-1": 1}
    desk.settle(story)
    desk.workbench.branches.redo(branch)
    assert desk.workbench.outline.told_parts(branch) == {"theft-1": 1, "theft-2": 2}


def test_link_to_what_is_no_longer_in_the_story_is_left_out(desk: Desk, store: Store) -> None:
    branch = desk.branch(story := desk.founded(FOLLOWING))
    plan = store.outlines.save(planned(branch))
    desk.server.answer = saying(role=telling)
    desk.do(story, PlotChapters(chapters=1, is_autopilot=True))
    candidate = Candidate(
        id="candidate",
        branch=branch,
        chapter=2,
        round=1,
        goal="goal",
        title="The trial",
        delta=Delta(),
        tells=(Telling(part="trial-1", event="not-in-the-story"),),
    )
    assert with_outline_links(store, plan, candidate) == candidate
