"""The agents of a mystery, played by a scripted model: what each is told, and what is kept of what it says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import ValidationError

from graph_flow.errors import BranchBusy, WorkbenchError
from graph_flow.telling.mystery.leaks import LeakKind
from graph_flow.views import SideState, SideWorkSeen
from graph_flow.workbench.beside.mysteries import MysteryService, MysteryWork
from store.errors import ChangedElsewhere
from store.models.desk.mystery import GuidePart, Point, booklet_key
from store.models.story import Story
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.scripting import Held, agent_of, asked, request_of, saying, the_nth
from tests.graph_flow.telling.mystery.mill import ADA, BEN, CLEO, DORA, PEOPLE

LEAK = "You know that Cleo Marsh is a runaway nun."
CASE: dict[str, Any] = {
    "means": "Ada sawed the bar through and let the water go.",
    "motive": "He meant to put her out.",
    "opportunity": "Nobody was at the weir.",
    "false_trails": "Ben owes him money.",
    "clues": [
        {
            "title": "A saw",
            "text": "A saw with tar on its teeth.",
            "round": 9,
            "events": [" e2. ", "E99"],
            "supports": ["the means", "rubbish"],
            "clears": ["Cleo", "nobody at all"],
            "finder": "ben oakes",
            "deduction": "Only Ada had it.",
        },
        {"title": "", "text": "no title"},
        "rubbish",
    ],
}
GUIDE = {"opening": "The river is high.", "truth": "She did it.", "solution": "It was Ada Finch."}
VERDICT = {"culprit": "Finch", "reasons": "The saw, the boots, the bar.", "missing": "A witness."}
RUBBISH = say("no, I would rather not")


def booklet_text(sent: Sent) -> Reply:
    """Write a booklet for whoever it is for."""
    found = re.search(r"You write for (.+?), for the part “(.+?)”", request_of(sent))
    assert found
    return say(
        f"You are {found[1]}, and this is {found[2].lower()}. " + "You wait and listen. " * 8
    )


def playing(**others: Any) -> Any:
    said: dict[str, Any] = {
        "mystery_case": say_json(CASE),
        "mystery_booklet": booklet_text,
        "mystery_guide": say_json(GUIDE),
        "mystery_solver": say_json(VERDICT),
    }
    return saying(**{**said, **others})


@pytest.fixture
def mysteries(able: Desk) -> MysteryService:
    able.server.answer = playing()
    return able.workbench.mysteries


def ended(mysteries: MysteryService, branch: str) -> SideWorkSeen:
    assert mysteries.wait(branch, 60)
    seen = mysteries.seen(branch)
    assert seen is not None
    return seen


def test_each_booklet_is_written_from_its_person_s_knowledge_alone(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch = able.branch(mill)
    # Four beginnings, and the rounds in which somebody learns something: Ada two, Ben and Cleo one.
    assert len(mysteries.to_write(branch)) == 8

    mysteries.write_booklets(branch)

    assert ended(mysteries, branch).state is SideState.DONE
    kit = mysteries.kit(branch)
    assert kit.text_of(booklet_key(BEN, 1)).startswith("You are Ben Oakes, and this is round 1.")
    assert (mysteries.to_write(branch), kit.leaks) == ([], {})
    secrets = {one.name: one.secrets for one in PEOPLE if one.secrets}
    sent = asked(able.server, "mystery_booklet")
    assert len(sent) == 8
    for one in sent:
        [mine] = [name for name in secrets if f"You write for {name}," in request_of(one)]
        others = [text for name, text in secrets.items() if name != mine]
        assert not any(text in one.prompt for text in others)
        assert "Ada drowned Tom" not in one.prompt
        assert ("opens the sluice" in one.prompt) == (
            mine == "Ada Finch" and "Before" in one.prompt
        )
    with pytest.raises(WorkbenchError, match="Every booklet is written"):
        mysteries.write_booklets(branch)


def test_text_that_leaks_is_kept_and_shown_with_its_place(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch = able.branch(mill)
    able.server.answer = playing(
        mystery_booklet=say(f"You are Ben Oakes. {LEAK} " + "You wait and listen. " * 8)
    )

    mysteries.write_booklet(branch, BEN)

    assert ended(mysteries, branch).state is SideState.DONE
    [leak] = mysteries.kit(branch).leaks[booklet_key(BEN, 0)]
    assert (leak.sentence, leak.kind) == (LEAK, LeakKind.WORDS)
    mysteries.replace_text(
        branch, booklet_key(BEN, 0), mysteries.kit(branch).text_of(booklet_key(BEN, 0)), "You wait."
    )
    mysteries.use_story_s_own(branch, booklet_key(BEN, 1))
    assert mysteries.kit(branch).leaks == {}
    mysteries.bring_back(branch, booklet_key(BEN, 1))
    assert list(mysteries.kit(branch).leaks) == [booklet_key(BEN, 1)]


def test_case_keeps_what_names_something_that_exists(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch = able.branch(mill)
    before = mysteries.kit(branch).clues

    mysteries.make_case(branch)

    assert ended(mysteries, branch).state is SideState.DONE
    kit = mysteries.kit(branch)
    [clue] = kit.clues
    assert (clue.title, clue.round, clue.finder) == ("A saw", 3, BEN)
    assert (clue.supports, clue.clears) == ((Point.MEANS,), (CLEO,))
    assert len(clue.events) == 1
    assert kit.kept is not None
    assert kit.kept.means.startswith("Ada sawed")
    assert any("Only one clue shows how" in one for one in kit.checked.lacking)
    mysteries.use_story_s_clues(branch)
    assert mysteries.kit(branch).clues == before
    mysteries.bring_clues_back(branch)
    assert mysteries.kit(branch).clues == (clue,)


def test_guide_is_written_and_the_former_text_can_be_brought_back(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch = able.branch(mill)
    mysteries.replace_text(branch, GuidePart.OPENING, "", "I typed this.")

    mysteries.write_guide(branch)

    assert ended(mysteries, branch).state is SideState.DONE
    assert mysteries.kit(branch).guide_text(GuidePart.OPENING) == "The river is high."
    mysteries.bring_back(branch, GuidePart.OPENING)
    assert mysteries.kit(branch).guide_text(GuidePart.OPENING) == "I typed this."
    # However often it is written anew, what was typed is not lost.
    for _ in range(2):
        mysteries.write_guide(branch)
        ended(mysteries, branch)
    mysteries.bring_back(branch, GuidePart.OPENING)
    assert mysteries.kit(branch).guide_text(GuidePart.OPENING) == "I typed this."
    # What an agent wrote is not lost when the writer types over it.
    solution = mysteries.kit(branch).guide_text(GuidePart.SOLUTION)
    for typed in ("Mi", "Mine."):
        now = mysteries.kit(branch).guide_text(GuidePart.SOLUTION)
        mysteries.replace_text(branch, GuidePart.SOLUTION, now, typed)
    mysteries.bring_back(branch, GuidePart.SOLUTION)
    assert mysteries.kit(branch).guide_text(GuidePart.SOLUTION) == solution
    # Nothing was written of the false trails, so they are still the story's.
    kept = mysteries.kit(branch).kept
    assert kept is not None
    assert GuidePart.FALSE_TRAILS not in kept.texts


def test_solver_has_what_lies_on_the_table_and_no_more(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch = able.branch(mill)

    mysteries.try_to_solve(branch)

    assert ended(mysteries, branch).state is SideState.DONE
    [sent] = asked(able.server, "mystery_solver")
    assert not any(one.secrets in sent.prompt for one in PEOPLE if one.secrets)
    for hidden in ("Ada drowned Tom", "It points to", "opens the sluice", "In your booklet"):
        assert hidden not in sent.prompt
    kept = mysteries.kit(branch).kept
    assert kept is not None
    [trial] = kept.trials
    assert (trial.culprit, trial.reader, trial.missing) == (ADA, None, "A witness.")
    mysteries.try_to_solve(branch, DORA)
    ended(mysteries, branch)
    assert "She cannot read." in asked(able.server, "mystery_solver")[-1].prompt
    assert [one.reader for one in (mysteries.kit(branch).kept or kept).trials] == [None, DORA]


@pytest.mark.parametrize("work", ["make_case", "write_guide", "try_to_solve"])
def test_rubbish_ends_in_words_and_loses_nothing(
    able: Desk, mill: Story, mysteries: MysteryService, work: str
) -> None:
    branch = able.branch(mill)
    mysteries.replace_text(branch, GuidePart.OPENING, "", "I typed this.")
    kept = mysteries.kit(branch).kept
    able.server.answer = lambda _: RUBBISH

    getattr(mysteries, work)(branch)

    seen = ended(mysteries, branch)
    assert (seen.state, bool(seen.message)) == (SideState.FAILED, True)
    assert mysteries.kit(branch).kept == kept
    able.server.answer = playing()
    getattr(mysteries, work)(branch)
    assert ended(mysteries, branch).state is SideState.DONE


def test_stop_keeps_what_was_finished_and_nothing_is_asked_twice(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch = able.branch(mill)
    held = Held(the_nth("mystery_booklet", 3), playing())
    able.server.answer = held
    mysteries.write_booklets(branch)
    assert held.has_come.wait(60)
    with pytest.raises(BranchBusy):
        mysteries.make_case(branch)

    mysteries.stop(branch)
    held.let_go()

    assert ended(mysteries, branch).state is SideState.STOPPED
    assert len(mysteries.to_write(branch)) == 6
    mysteries.write_booklets(branch)
    assert ended(mysteries, branch).state is SideState.DONE
    prompts = [one.prompt for one in able.server.history if agent_of(one) == "mystery_booklet"]
    assert len(set(prompts)) == 8
    assert {one for one in prompts if prompts.count(one) > 1} <= {held.prompt}


def test_text_that_was_paid_for_and_not_kept_is_found_again(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    """Between an answer and its keeping, the app may be killed: the ledger has the answer."""
    branch = able.branch(mill)
    mysteries.write_booklet(branch, DORA)
    ended(mysteries, branch)
    calls = len(able.server.history)
    text = mysteries.kit(branch).text_of(booklet_key(DORA, 0))
    mysteries.change(branch, lambda it: it.model_copy(update={"texts": {}, "attempts": {}}))

    mysteries.write_booklet(branch, DORA)

    ended(mysteries, branch)
    assert mysteries.kit(branch).text_of(booklet_key(DORA, 0)) == text
    assert len(able.server.history) == calls
    # Asked again after that, it is a new question.
    mysteries.write_booklet(branch, DORA)
    ended(mysteries, branch)
    assert len(able.server.history) == calls + 1


def test_text_typed_meanwhile_stays_and_the_agent_s_waits_beside_it(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch, key = able.branch(mill), booklet_key(ADA, 0)
    held = Held(the_nth("mystery_booklet", 1), playing())
    able.server.answer = held
    mysteries.write_booklets(branch)
    assert held.has_come.wait(60)
    mysteries.replace_text(branch, key, "", "Mine.")
    held.let_go()

    assert ended(mysteries, branch).state is SideState.DONE
    assert mysteries.kit(branch).text_of(key) == "Mine."
    mysteries.bring_back(branch, key)
    assert mysteries.kit(branch).text_of(key).startswith("You are Ada Finch")


def test_story_that_changed_since_marks_the_text(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch = able.branch(mill)
    mysteries.write_booklet(branch, BEN)
    ended(mysteries, branch)
    assert mysteries.kit(branch).outdated == frozenset()
    mysteries.change(branch, lambda it: it.model_copy(update={"left_out": (DORA,)}))
    assert mysteries.kit(branch).booklets == ()
    mysteries.change(branch, lambda it: it.model_copy(update={"left_out": (), "until": 0}))
    assert mysteries.kit(branch).outdated == {booklet_key(BEN, 1)}


def test_clue_is_changed_added_and_removed(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch = able.branch(mill)
    first, *others = mysteries.kit(branch).clues
    mysteries.change_clue(
        branch, first.id, lambda one: one.model_copy(update={"title": "Another title"})
    )
    mysteries.add_clue(branch, "A glove", "A glove lies in the reeds.")
    titles = [one.title for one in mysteries.kit(branch).clues]
    assert titles == ["Another title", *(one.title for one in others), "A glove"]
    mysteries.remove_clue(branch, first.id)
    with pytest.raises(WorkbenchError, match="This clue is gone"):
        mysteries.remove_clue(branch, first.id)
    with pytest.raises(ValidationError):
        mysteries.add_clue(branch, "A glove", " ")
    with pytest.raises(ValidationError):
        mysteries.change_clue(branch, others[0].id, lambda one: one.model_copy(update={"round": 9}))


def test_text_of_two_windows_is_not_overwritten(
    able: Desk, mill: Story, mysteries: MysteryService
) -> None:
    branch = able.branch(mill)
    mysteries.replace_text(branch, GuidePart.TRUTH, "", "One.")
    with pytest.raises(ChangedElsewhere):
        mysteries.replace_text(branch, GuidePart.TRUTH, "", "Two.")
    mysteries.replace_text(branch, GuidePart.TRUTH, "One.", "Two.")
    mysteries.replace_text(branch, GuidePart.TRUTH, "Two.", "")
    assert mysteries.kit(branch).guide_text(GuidePart.TRUTH).startswith("Ada Finch opens")


def test_estimate_counts_the_calls(able: Desk, mill: Story, mysteries: MysteryService) -> None:
    estimate = mysteries.estimate(able.branch(mill), MysteryWork.BOOKLETS, 8)
    assert (estimate.calls, bool(estimate.models)) == (8, True)
