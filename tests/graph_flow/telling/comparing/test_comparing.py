"""What a text that was changed by hand says of its story: every line rests on the text and on the story."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph_flow.errors import WorkbenchError
from graph_flow.views import SideState
from graph_flow.workbench.beside.comparing import ComparingService
from graph_flow.workbench.workbench import Workbench
from store.errors import StoryMoved
from store.models.cast import Character, Relationship
from store.models.edits.comparison import ComparisonState
from store.models.endpoint import ModelSettings, ModelStrength
from store.models.plot import Event
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Sent, refuse
from tests.graph_flow.scripting import asked, request_of, saying
from tests.graph_flow.telling.comparing.conftest import (
    DARK,
    STAIRS,
    TEXT,
    WAIT,
    Facts,
    compared,
    ended,
    label_of,
)
from tests.store.builders import changing

LAUGH = "On the stairs Ilse Vogt, the pilot, laughed at her."
AFRAID = "Mara was afraid of the dark now."
CHANGED = "\n\n".join([STAIRS, f"{DARK} {LAUGH} {AFRAID}", WAIT])

ILSE = {"name": "Ilse Vogt", "who": "pilot", "quote": "Ilse Vogt, the pilot, laughed"}
LAUGHS = {
    "title": "Laughter",
    "summary": "Ilse Vogt laughs at Mara on the stairs.",
    "present": [{"name": "Ilse Vogt", "part": "acts"}, "Mara"],
    "place": "the Lamp Room",
    "quote": LAUGH,
}


def fear(sent: Sent, quote: str = AFRAID) -> Facts:
    return {
        "of": label_of(sent, "Mara (light"),
        "field": "fear",
        "value": "the dark",
        "quote": quote,
    }


def everything(sent: Sent) -> Facts:
    """A person, what happens with her, and what becomes of Mara."""
    return {"people": [ILSE], "events": [LAUGHS], "changes": [fear(sent)]}


def mara(store: Store, branch: str, chapter: int | None = None) -> Character:
    return store.prototype.snapshot(branch, chapter).get(Character, "mara")


def use_small_model(desk: Desk) -> None:
    def small(settings: ModelSettings) -> ModelSettings:
        endpoint = settings.endpoint
        assert endpoint is not None
        return ModelSettings(endpoint=endpoint.model_copy(update={"strength": ModelStrength.SMALL}))

    desk.workbench.models.change_settings(small)


def test_only_a_text_that_was_changed_by_hand_is_offered(
    branch: str, comparing: ComparingService, store: Store
) -> None:
    assert comparing.to_compare(branch, 1) is None
    assert comparing.to_compare(branch, 7) is None

    store.manuscript.save_text(branch, 1, CHANGED)
    text = comparing.to_compare(branch, 1)
    assert text is not None
    assert [(one.before, one.events) for one in text.passages] == [(DARK, ("after",))]
    assert not text.is_plot

    store.manuscript.save_text(branch, 1, TEXT)
    assert comparing.to_compare(branch, 1) is None
    with pytest.raises(WorkbenchError, match="Nothing in this text has changed"):
        comparing.compare(branch, 1)


def test_agent_is_shown_what_was_changed_and_what_the_story_has(desk: Desk, branch: str) -> None:
    compared(desk, branch, {}, CHANGED)
    [sent] = asked(desk.server, "changed_facts")
    request = request_of(sent)
    assert "- E1. The door is locked (Lamp room; Mara acts) – Chapter 1: Mara finds" in request
    assert f"(tells E2), as it was:\n{DARK}\nAs it is now:\n{DARK} {LAUGH}" in request
    assert STAIRS not in request
    assert "Chapter 1: Mara finds the door locked." in request
    assert "Mara finds the letters" not in request
    assert "Mara feels distrust toward Hale, 7 of 10" in request


def test_nothing_changes_until_it_is_taken_and_then_as_one_edit_of_the_chapter(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    before = store.prototype.commits(branch)
    found = compared(desk, branch, everything, CHANGED)

    assert found.state is ComparisonState.OPEN
    assert [line.quote for line in found.lines] == [ILSE["quote"], AFRAID, LAUGH]
    words = [line.changes[0].text for line in comparing.lines(found)]
    assert words[0] == "new person: Ilse Vogt: pilot"
    assert words[1] == "Mara’s fear: the dark"
    assert words[2].startswith("Laughter (Lamp room; Ilse Vogt acts, Mara acts)")
    assert store.prototype.commits(branch) == before

    assert comparing.take(found.id, {0, 1, 2}) == [0, 1, 2]

    [edit] = [one for one in store.prototype.commits(branch) if one not in before]
    assert (edit.kind, edit.chapter) == ("edit", 1)
    now = store.prototype.snapshot(branch, 1)
    ilse = next(one for one in now.characters if one.name == "Ilse Vogt")
    *_, laughter = now.events_of(1)
    assert laughter.title == "Laughter"
    assert {part.character for part in now.participations_in(laughter.id)} == {ilse.id, "mara"}
    assert mara(store, branch).fear == "the dark"
    told = store.manuscript.draft(branch, 1)
    assert told is not None
    assert [one.events for one in told.paragraphs] == [
        ("locked",),
        ("after", laughter.id),
        ("after",),
    ]
    assert comparing.to_compare(branch, 1) is None
    with pytest.raises(WorkbenchError, match="decided on that already"):
        comparing.take(found.id, {0})


def test_place_is_found_by_its_name_and_an_unknown_one_is_said(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    in_lamp_room = {**LAUGHS, "present": ["Mara"], "place": "lamp room"}
    in_attic = {**in_lamp_room, "title": "Again", "summary": "She laughs.", "place": "the attic"}
    found = compared(desk, branch, {"events": [in_lamp_room, in_attic]}, CHANGED)
    comparing.take(found.id, {0, 1})
    now = store.prototype.snapshot(branch, 1)
    places = [now.scene_of(one.id) for one in now.events_of(1)[2:]]
    assert [one and one.id for one in places] == ["lamp-room", None]
    assert found.unknown == ("the attic",)


def test_who_is_not_in_the_story_is_left_out_and_said(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    found = compared(
        desk,
        branch,
        {
            "events": [
                {**LAUGHS, "present": ["Ilse Vogt", "P44"]},
                {**LAUGHS, "title": "Both", "present": ["Greta", "Mara"]},
            ],
            "ties": [{"source": "Greta", "target": "P1", "tie": "rivalry", "quote": LAUGH}],
            "changes": [{"of": "P99", "field": "fear", "value": "dogs", "quote": AFRAID}],
            "gone": [{"of": "E44", "quote": DARK}],
        },
        CHANGED,
    )
    assert [line.changes[0].text for line in comparing.lines(found)] == [
        "Both (Lamp room; Mara acts): Ilse Vogt laughs at Mara on the stairs."
    ]
    assert found.unknown == ("Greta", "Ilse Vogt", "P44")
    comparing.take(found.id, {0})
    assert [one.name for one in store.prototype.snapshot(branch).characters] == ["Mara", "Hale"]


@pytest.mark.parametrize("name", ["Mara", "she", "Hale"])
def test_nobody_comes_into_the_story_twice_by_itself(desk: Desk, branch: str, name: str) -> None:
    lines = compared(desk, branch, {"people": [{**ILSE, "name": name}]}, CHANGED).lines
    assert all("somebody else of that name" in line.doubt for line in lines)
    assert len(lines) == (name != "she")


def test_line_that_needs_a_refused_one_falls_with_it(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    found = compared(desk, branch, everything, CHANGED)
    assert [line.needs for line in found.lines] == [(), (), (0,)]
    assert comparing.take(found.id, {1, 2}) == [1]
    now = store.prototype.snapshot(branch, 1)
    assert [one.title for one in now.events_of(1)] == ["The door is locked", "The lamp dies"]
    assert mara(store, branch).fear == "the dark"


@pytest.mark.parametrize("quote", ["", "the", "Mara was afraid of dogs.", STAIRS])
def test_line_without_words_of_the_changed_text_falls_away(
    desk: Desk, branch: str, quote: str
) -> None:
    found = compared(desk, branch, lambda sent: {"changes": [fear(sent, quote)]}, CHANGED)
    assert (found.lines, found.unsupported) == ((), 1)


def test_quote_may_differ_in_quotation_marks_and_line_breaks(desk: Desk, branch: str) -> None:
    text = f"{STAIRS}\n\n“I am\nafraid”, said Mara.\n\n{WAIT}"
    quote = '"I am afraid", said Mara.'
    found = compared(desk, branch, lambda sent: {"changes": [fear(sent, quote)]}, text)
    assert len(found.lines) == 1


def test_what_is_locked_stays_and_is_said(desk: Desk, branch: str, store: Store) -> None:
    desk.workbench.story.commit_edit(branch, changing(mara(store, branch, 1), locked=("fear",)), 1)
    found = compared(desk, branch, lambda sent: {"changes": [fear(sent)]}, CHANGED)
    assert (found.lines, found.kept) == ((), ("Mara: fear",))


def test_event_that_no_longer_happens_goes_with_all_that_belongs_to_it(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    found = compared(
        desk,
        branch,
        lambda sent: {"gone": [{"of": label_of(sent, "finds the door locked"), "quote": STAIRS}]},
        "\n\n".join(["Mara climbed the stairs.", DARK, WAIT]),
    )
    comparing.take(found.id, {0})
    now = store.prototype.snapshot(branch)
    assert {"locked", "mara-locked", "in-lamp-room", "cause"}.isdisjoint(now.entities)
    assert "after" in now.entities


def test_somebody_who_is_no_longer_there_is_only_taken_out_of_the_event(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    found = compared(
        desk,
        branch,
        {"gone": [{"of": "E1", "person": "Mara", "quote": STAIRS}]},
        "\n\n".join(["The door was locked.", DARK, WAIT]),
    )
    comparing.take(found.id, {0})
    now = store.prototype.snapshot(branch, 1)
    assert now.participations_in("locked") == []
    assert "locked" in now.entities


def test_tie_that_exists_changes_and_another_is_new(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    ties = [
        {"source": "Mara", "target": "Hale", "tie": "distrust", "strength": 9, "quote": LAUGH},
        {"source": "Hale", "target": "Mara", "tie": "Debt", "strength": 4, "quote": AFRAID},
        {"source": "Hale", "target": "Hale", "tie": "debt", "quote": AFRAID},
    ]
    found = compared(desk, branch, {"ties": ties}, CHANGED)
    comparing.take(found.id, {0, 1})
    held = list(store.prototype.snapshot(branch).of(Relationship))
    assert [(one.source, one.tie.value, one.strength) for one in held] == [
        ("mara", "distrust", 9),
        ("hale", "debt", 4),
    ]


def test_two_lines_about_one_person_are_taken_apart_or_together(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    found = compared(
        desk,
        branch,
        lambda sent: {
            "changes": [
                fear(sent),
                {**fear(sent), "field": "status", "value": "alone in the dark"},
                {**fear(sent), "field": "Situation", "value": "alone on the stairs"},
            ]
        },
        CHANGED,
    )
    assert len(found.lines) == 2
    comparing.take(found.id, {0, 1})
    assert (mara(store, branch).fear, mara(store, branch).status) == (
        "the dark",
        "alone on the stairs",
    )


def test_what_depends_on_it_is_stale_and_this_text_is_not(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    found = compared(desk, branch, everything, CHANGED)
    assert store.staleness.open_marks(branch) == []
    comparing.take(found.id, {0, 1, 2})
    marks = {(one.target_kind, one.chapter) for one in store.staleness.open_marks(branch)}
    assert ("draft", 2) in marks
    assert ("event", 2) in marks
    assert ("draft", 1) not in marks


def test_refused_comparison_changes_nothing_and_is_not_offered_again(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    before = store.prototype.commits(branch)
    comparing.refuse(compared(desk, branch, everything, CHANGED).id)
    assert store.prototype.commits(branch) == before
    assert comparing.to_compare(branch, 1) is None

    more = CHANGED.replace(WAIT, "She waited for Hale.")
    store.manuscript.save_text(branch, 1, more)
    text = comparing.to_compare(branch, 1)
    assert text is not None
    assert [one.before for one in text.passages] == [WAIT]


def test_nothing_chosen_is_not_taken(desk: Desk, branch: str, comparing: ComparingService) -> None:
    found = compared(desk, branch, everything, CHANGED)
    for chosen in (set[int](), {2}, {77}):
        with pytest.raises(WorkbenchError, match="Choose what is to change"):
            comparing.take(found.id, chosen)
    assert comparing.current(branch, 1) == found


def test_what_has_changed_since_is_not_overwritten(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    found = compared(desk, branch, lambda sent: {"changes": [fear(sent)]}, CHANGED)
    desk.workbench.story.commit_edit(branch, changing(mara(store, branch, 1), age="forty"), 1)
    desk.workbench.story.commit_edit(branch, changing(mara(store, branch, 1), fear="the sea"), 1)
    with pytest.raises(StoryMoved, match="Mara has been changed"):
        comparing.take(found.id, {0})
    assert mara(store, branch).fear == "the sea"
    assert comparing.current(branch, 1) == found


def test_another_change_of_the_same_person_is_kept(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    found = compared(desk, branch, lambda sent: {"changes": [fear(sent)]}, CHANGED)
    desk.workbench.story.commit_edit(branch, changing(mara(store, branch, 1), age="forty"), 1)
    comparing.take(found.id, {0})
    assert (mara(store, branch).fear, mara(store, branch).age) == ("the dark", "forty")


def test_comparison_is_there_after_a_restart_and_says_if_the_text_has_changed(
    desk: Desk, branch: str, store: Store, open_workbench: Callable[[], Workbench]
) -> None:
    found = compared(desk, branch, everything, CHANGED)
    later = open_workbench().comparing
    assert later.current(branch, 1) == found
    assert later.is_current(found)
    store.manuscript.save_text(branch, 1, f"{CHANGED} So did I.")
    assert not later.is_current(found)


def test_comparison_that_was_paid_for_survives_a_crash(
    desk: Desk, branch: str, store: Store, open_workbench: Callable[[], Workbench]
) -> None:
    found = compared(desk, branch, everything, CHANGED)
    dead = found.model_copy(update={"lines": (), "state": ComparisonState.ASKED})
    store.comparisons.change(dead)  # as if it had died before this
    before = len(desk.server.history)

    later = open_workbench()
    assert later.comparing.compare(branch, 1).id == found.id
    again = ended(later, branch)
    assert [line.quote for line in again.lines] == [line.quote for line in found.lines]
    assert len(desk.server.history) == before


def test_failed_comparison_says_why_and_can_be_made_again(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    store.manuscript.save_text(branch, 1, CHANGED)
    desk.server.answer = saying(changed_facts=refuse(401, "No such key"))
    begun = comparing.compare(branch, 1)
    assert ended(desk.workbench, branch).state is ComparisonState.ASKED
    seen = comparing.seen(branch, 1)
    assert seen is not None
    assert seen.state is SideState.FAILED
    assert seen.message
    again = compared(desk, branch, everything)
    assert (again.id, again.state) == (begun.id, ComparisonState.OPEN)


def test_small_model_says_one_thing_of_those_who_exist(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    use_small_model(desk)
    found = compared(
        desk,
        branch,
        {
            "passage": "A1",
            "is_new": "something new happens",
            "happens": "Somebody laughs at Mara in the dark.",
            "who": ["Mara"],
            "person": "Mara",
            "situation": "afraid, on the stairs",
        },
        CHANGED,
    )
    assert [line.quote for line in found.lines] == [DARK, DARK]
    comparing.take(found.id, {0, 1})
    assert mara(store, branch).status == "afraid, on the stairs"
    *_, event = store.prototype.snapshot(branch, 1).events_of(1)
    assert isinstance(event, Event)
    assert event.summary == "Somebody laughs at Mara in the dark."


def test_small_model_is_not_asked_of_what_was_only_taken_out(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    use_small_model(desk)
    store.manuscript.save_text(branch, 1, f"{STAIRS}\n\n{DARK}")
    text = comparing.to_compare(branch, 1)
    assert text is not None
    assert comparing.estimate(branch, text).calls == 0
    comparing.compare(branch, 1)
    found = ended(desk.workbench, branch)
    assert (found.state, found.lines) == (ComparisonState.OPEN, ())
    assert asked(desk.server, "changed_facts") == []


def test_able_model_is_asked_of_what_was_taken_out(desk: Desk, branch: str) -> None:
    compared(desk, branch, {}, f"{STAIRS}\n\n{WAIT}")
    [sent] = asked(desk.server, "changed_facts")
    assert "As it is now:\n(nothing: it was taken out)" in request_of(sent)


def test_branch_that_began_later_knows_what_was_decided(
    desk: Desk, branch: str, comparing: ComparingService, store: Store
) -> None:
    comparing.refuse(compared(desk, branch, everything, CHANGED).id)
    fork = store.library.fork(branch, 2, "What if").id
    assert comparing.to_compare(fork, 1) is None
