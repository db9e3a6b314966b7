"""A story with its ways not taken as passages: what is offered where, and what is read of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.errors import NotFound, StoreError
from store.formats.book.blocks import Paragraph, SceneBreak, plain_text
from store.formats.book.interactive.composing import (
    LONGEST_LABEL,
    LONGEST_PASSAGE,
    NoWayNotTaken,
    compose_interactive,
)
from store.formats.book.interactive.model import InteractiveFiction, Passage, PassageKind
from store.formats.book.interactive.ways import count_ways
from store.formats.bundle import export_bundle, import_bundle
from store.models.base import new_id
from store.models.desk.contents import ContentsEntry
from store.models.form import Form
from store.models.proposals import CandidateState
from store.open import Store
from tests.store.formats.book.interactive.forking_story import (
    LAMP,
    SEA,
    STAY,
    begin_story,
    choose,
    forking_story,
    keep,
    plot,
    propose,
    write,
)


def labels(passage: Passage) -> list[str]:
    return [choice.label for choice in passage.choices]


def follow(fiction: InteractiveFiction, *chosen: str) -> Passage:
    """Return where the reader comes who makes these choices."""
    here = fiction.start
    for label in chosen:
        [target] = [choice.target for choice in here.choices if choice.label == label]
        here = fiction.by_id[target]
    return here


def read(passage: Passage) -> list[str]:
    """Return what is read on a passage, above its last line."""
    return [
        plain_text(block.runs) if isinstance(block, Paragraph) else "* * *"
        for block in passage.blocks
    ]


def test_reader_chooses_where_there_were_other_ways_and_goes_on_where_there_were_none(
    store: Store,
) -> None:
    fiction = compose_interactive(store, forking_story(store))

    assert (fiction.title, fiction.author, fiction.language) == ("The Lamp Room", "Ada Moor", "en")
    assert labels(fiction.start) == [LAMP, SEA, STAY]
    first = follow(fiction, LAMP)
    assert first.heading == "1. Mara opens the lamp room"
    assert read(first) == ["The door gave way.", "* * *", "Beyond it was the lamp."]
    assert labels(first) == ["Go on"]
    second = follow(fiction, LAMP, "Go on")
    assert labels(second) == ["The lamp is lit.", "The lamp is broken.", "The tower burns down."]
    last = follow(fiction, LAMP, "Go on", "The lamp is lit.")
    assert (last.closing, last.choices) == ("The end", ())


def test_way_not_taken_is_told_from_its_plot_and_leads_back(store: Store) -> None:
    fiction = compose_interactive(store, forking_story(store))

    way = follow(fiction, LAMP, "Go on", "The lamp is broken.")

    assert way.kind is PassageKind.WAY
    assert way.heading == "3. The lamp is broken"
    assert read(way) == [
        "The lamp is broken, and it begins.",
        "Then it is over.",
        "Mara: “So.”",
    ]
    assert way.closing == "This is how it would have ended."
    back = follow(fiction, LAMP, "Go on", "The lamp is broken.", *labels(way))
    assert back.kind is PassageKind.CROSSROADS
    assert not back.blocks
    assert back.choices == follow(fiction, LAMP, "Go on").choices


def test_candidate_kept_as_a_branch_is_told_by_the_text_of_the_branch_as_far_as_that_goes(
    store: Store,
) -> None:
    fiction = compose_interactive(store, forking_story(store))

    at_sea = follow(fiction, SEA)

    assert read(at_sea) == ["The boat was small."]
    assert labels(at_sea) == ["She finds the island.", "The boat is lost."]
    end = follow(fiction, SEA, "She finds the island.")
    assert end.heading == "2. She finds the island"
    [back] = end.choices
    assert fiction.by_id[back.target] is fiction.start
    lost = follow(fiction, SEA, "The boat is lost.", "Go back to where the ways part")
    assert labels(lost) == labels(at_sea)


def test_what_if_is_chosen_by_the_writer_s_own_words(store: Store) -> None:
    fiction = compose_interactive(store, forking_story(store))

    fire = follow(fiction, LAMP, "Go on", "The tower burns down.")

    assert fire.heading == "3. Sparks fall on the stairs"
    assert fire.kind is PassageKind.WAY


def test_ways_are_counted_and_those_with_text_too(store: Store) -> None:
    assert count_ways(store, forking_story(store)) == (5, 1)


def test_story_told_in_one_way_only_says_what_is_needed(store: Store) -> None:
    _, branch = begin_story(store)
    plot(store, branch, 1, LAMP)
    propose(store, branch, 2, [SEA, STAY])
    assert count_ways(store, branch) == (0, 0), "what has not been decided is no way not taken"

    with pytest.raises(NoWayNotTaken, match="other candidates, or a what-if branch"):
        compose_interactive(store, branch)
    with pytest.raises(NotFound):
        compose_interactive(store, "none")


def test_branch_has_what_it_left_as_its_way_not_taken(store: Store) -> None:
    main = forking_story(store)
    story = store.library.branch(main).story
    [kept] = [one.id for one in store.library.branches(story) if one.name == "At sea"]

    fiction = compose_interactive(store, kept)

    assert follow(fiction, SEA).kind is PassageKind.CHAPTER
    assert follow(fiction, SEA, "She finds the island.").choices == ()
    lamp = follow(fiction, LAMP, "Go on", "The lamp is lit.")
    assert lamp.kind is PassageKind.WAY
    assert set(labels(fiction.start)) == {LAMP, SEA, STAY}


def test_earlier_draft_of_what_was_chosen_is_no_other_way(store: Store) -> None:
    _, branch = begin_story(store)
    woven, other = propose(store, branch, 1, [LAMP, SEA])
    again = propose(store, branch, 1, [SEA])[0]
    own = woven.model_copy(update={"id": "edited", "is_by_writer": True, "title": "Edited"})
    choose(store, store.proposals.save_candidate(own))

    fiction = compose_interactive(store, branch)

    assert labels(fiction.start) == [LAMP, SEA]
    assert follow(fiction, LAMP).heading == "1. Edited"
    assert count_ways(store, branch) == (1, 0), f"{other.id} and {again.id} have one goal"


def test_unfinished_candidate_is_not_offered(store: Store) -> None:
    _, branch = begin_story(store)
    chosen, broken = propose(store, branch, 1, [LAMP, SEA])
    store.proposals.conclude(broken.id, is_given_up=True)
    choose(store, chosen)

    assert store.proposals.candidate(broken.id).state is CandidateState.GIVEN_UP
    assert count_ways(store, branch) == (0, 0)


def test_candidate_kept_twice_is_two_ways_that_the_reader_can_tell_apart(store: Store) -> None:
    _, branch = begin_story(store)
    [sea] = plot(store, branch, 1, LAMP, SEA)
    keep(store, sea, "At sea")
    keep(store, sea, "Away")

    fiction = compose_interactive(store, branch)

    assert labels(fiction.start) == [LAMP, SEA, f"{SEA} (2)"]


def test_way_beyond_the_end_can_be_left_alone(store: Store) -> None:
    _, branch = begin_story(store)
    plot(store, branch, 1, LAMP)
    [ahead] = propose(store, branch, 2, [SEA])
    keep(store, ahead, "At sea")

    fiction = compose_interactive(store, branch)

    assert labels(fiction.start) == ["Begin"]
    assert labels(follow(fiction, "Begin")) == [SEA, "End the story here"]
    end = follow(fiction, "Begin", "End the story here")
    assert (end.kind, end.heading, end.choices) == (PassageKind.ENDING, "The end", ())
    beyond = follow(fiction, "Begin", SEA)
    assert beyond.heading == "2. Mara takes to the sea"


def test_archived_branch_is_no_way(store: Store) -> None:
    main = forking_story(store)
    story = store.library.branch(main).story
    for branch in store.library.branches(story):
        if branch.id != main:
            store.library.put_branch_away(branch.id)

    fiction = compose_interactive(store, main)

    assert labels(fiction.start) == [LAMP, SEA, STAY], "the candidate is still there"
    assert read(follow(fiction, SEA))[0] == "Mara takes to the sea, and it begins."
    assert count_ways(store, main) == (3, 0)


def test_chapter_taken_back_and_restored_or_told_anew_is_where_its_branches_part(
    store: Store,
) -> None:
    _, branch = begin_story(store)
    lamp, sea = propose(store, branch, 1, [LAMP, SEA])
    choose(store, lamp)
    store.library.fork(branch, 1, "Early")
    store.prototype.undo(branch)
    store.prototype.redo(branch)
    late = store.library.fork(branch, 1, "Late")
    plot(store, late.id, 2, STAY)

    fiction = compose_interactive(store, branch)
    assert labels(fiction.start) == [LAMP, SEA]
    assert labels(follow(fiction, LAMP)) == [STAY, "End the story here"]

    store.prototype.undo(branch)
    store.proposals.reopen(branch, 1)
    choose(store, sea)
    fiction = compose_interactive(store, branch)
    assert follow(fiction, SEA).kind is PassageKind.CHAPTER
    assert follow(fiction, LAMP).kind is PassageKind.WAY
    assert labels(follow(fiction, LAMP)) == [STAY, "Go back to where the ways part"]


def test_typed_chapters_are_read_in_the_order_of_the_book(store: Store) -> None:
    _, branch = begin_story(store)
    plot(store, branch, 1, LAMP, SEA)
    plot(store, branch, 2, "Hale follows her up.", STAY)
    key = store.contents.new_key(branch)
    store.manuscript.begin_by_hand(branch, key, Form.NOVEL)
    store.manuscript.save_text(branch, key, "A letter from home.")
    entries = [
        ContentsEntry(chapter=1),
        ContentsEntry(chapter=key, title="A letter"),
        ContentsEntry(chapter=2),
    ]
    store.contents.keep(branch, entries)

    fiction = compose_interactive(store, branch)

    letter = follow(fiction, LAMP, "Go on")
    assert (letter.heading, read(letter)) == ("2. A letter", ["A letter from home."])
    assert labels(letter) == ["Hale follows her up.", STAY]
    assert follow(fiction, LAMP, "Go on", STAY).heading == "3. Mara waits for Hale"


def test_what_if_that_was_only_typed_is_a_way(store: Store) -> None:
    _, branch = begin_story(store)
    plot(store, branch, 1, LAMP)
    plot(store, branch, 2, STAY)
    typed = store.library.fork(branch, 1, "The flood")
    store.manuscript.begin_by_hand(typed.id, 2, Form.NOVEL)
    store.manuscript.save_text(typed.id, 2, "The water rose.")

    fiction = compose_interactive(store, branch)

    assert labels(follow(fiction, "Begin")) == [STAY, "The flood"]
    assert read(follow(fiction, "Begin", "The flood")) == ["The water rose."]
    assert count_ways(store, branch) == (1, 1)


def test_chapter_that_was_cut_leaves_its_ways_to_the_next(store: Store) -> None:
    _, branch = begin_story(store)
    plot(store, branch, 1, LAMP)
    plot(store, branch, 2, "Hale follows her up.", SEA)
    plot(store, branch, 3, STAY)
    cut = ContentsEntry(chapter=2, is_removed=True, is_plotted=True)
    store.contents.keep(branch, [ContentsEntry(chapter=1), cut, ContentsEntry(chapter=3)])

    fiction = compose_interactive(store, branch)

    assert labels(follow(fiction, "Begin")) == [SEA, STAY]
    assert follow(fiction, "Begin", SEA).heading == "2. Mara takes to the sea"


def test_long_chapter_is_parted_at_its_scenes(store: Store) -> None:
    _, branch = begin_story(store)
    plot(store, branch, 1, LAMP, SEA)
    scene = " ".join(["word"] * (LONGEST_PASSAGE // 2 - 10))
    write(store, branch, 1, "\n\n***\n\n".join([scene, scene, scene]))

    fiction = compose_interactive(store, branch)

    first = follow(fiction, LAMP)
    assert [type(block) for block in first.blocks] == [Paragraph, SceneBreak, Paragraph]
    second = follow(fiction, LAMP, "Go on")
    assert [type(block) for block in second.blocks] == [Paragraph]
    assert (second.id, second.number, second.heading) == ("chapter_1_2", "1.2", "")
    assert second.closing == "The end"
    write(store, branch, 1, f"{scene} {scene} {scene}")
    assert follow(compose_interactive(store, branch), LAMP).closing == "The end", (
        "a scene is never parted"
    )


def test_long_goal_is_told_by_its_first_sentence_or_cut_at_a_word(store: Store) -> None:
    _, branch = begin_story(store)
    sentence = f"{'Mara opens the door. ' * 20}"
    endless = "Hale " * 100
    plot(store, branch, 1, LAMP, sentence, endless, "灯" * 200 + "。" + "塔" * 200)

    chosen, first, cut, chinese = labels(compose_interactive(store, branch).start)

    assert chosen == LAMP
    assert first == "Mara opens the door."
    assert cut.endswith("Hale…")
    assert len(cut) <= LONGEST_LABEL
    assert chinese == "灯" * 200 + "。"


def test_story_in_chinese_speaks_chinese(store: Store) -> None:
    story, branch = begin_story(store, "灯室")
    store.library.change_brief(
        story.id, lambda brief: brief.model_copy(update={"language": "中文", "author": "王小明"})
    )
    plot(store, branch, 1, "玛拉打开了灯室。", "玛拉出海。")

    fiction = compose_interactive(store, branch)

    assert (fiction.start.heading, fiction.start.closing) == ("灯室", "故事怎样开始？")
    assert labels(fiction.start) == ["玛拉打开了灯室。", "玛拉出海。"]
    assert follow(fiction, "玛拉出海。").closing == "故事本会这样结束。"
    assert labels(follow(fiction, "玛拉出海。")) == ["回到岔路口"]


def test_imported_story_has_the_same_ways(store: Store) -> None:
    main = forking_story(store)
    whole = export_bundle(store, store.library.branch(main).story)
    there = store.library.main_branch(import_bundle(store, whole).id).id

    mine, theirs = compose_interactive(store, main), compose_interactive(store, there)

    assert theirs.passages == mine.passages
    assert theirs.identifier != mine.identifier


def test_candidate_that_was_kept_before_another_was_chosen_has_its_text(store: Store) -> None:
    _, branch = begin_story(store)
    lamp, sea = propose(store, branch, 1, [LAMP, SEA])
    kept = keep(store, sea, "At sea")
    write(store, kept.id, 1, "The boat was small.")
    choose(store, lamp)

    fiction = compose_interactive(store, branch)

    assert labels(fiction.start) == [LAMP, SEA]
    assert read(follow(fiction, SEA)) == ["The boat was small."]


def plot_on(store: Store, branch: str, number: int) -> None:
    goals = [f"Goal {one}." for one in range(number % 4 + 1)]
    plot(store, branch, chapter_of(store, branch) + 1, *goals)


def keep_one(store: Store, branch: str, number: int) -> None:
    chapter = max(1, chapter_of(store, branch) - number % 2)
    for one in store.proposals.candidates(branch, chapter)[number % 3 : number % 3 + 1]:
        keep(store, one, new_id())


def ask_what_if(store: Store, branch: str, number: int) -> None:
    chapter = min(chapter_of(store, branch), number)
    store.library.fork(branch, chapter, new_id(), "What if?" * (number % 2))


def type_chapter(store: Store, branch: str, number: int) -> None:
    key = store.contents.next_typed(branch)
    store.manuscript.begin_by_hand(branch, key, Form.NOVEL)
    store.manuscript.save_text(branch, key, "The water rose. " * number)


def chapter_of(store: Store, branch: str) -> int:
    head = store.prototype.head(branch)
    return head.chapter if head else 0


_STEPS: tuple[Callable[[Store, str, int], object], ...] = (
    *(plot_on, plot_on, keep_one, ask_what_if, type_chapter),
    lambda store, branch, _: store.prototype.undo(branch),
    lambda store, branch, _: store.prototype.redo(branch),
    lambda store, branch, _: store.library.put_branch_away(branch),
)


@given(steps=st.lists(st.tuples(st.sampled_from(_STEPS), st.integers(0, 5)), max_size=12))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_writer_does_no_passage_is_a_dead_end(
    store: Store, steps: list[tuple[Callable[[Store, str, int], object], int]]
) -> None:
    story, _ = begin_story(store)
    for step, number in steps:
        branches = store.library.branches(story.id)
        with suppress(StoreError):  # there was nothing to keep, to take back, to begin from …
            step(store, branches[number % len(branches)].id, number)
    for branch in store.library.branches(story.id):
        with suppress(NoWayNotTaken):
            fiction = compose_interactive(store, branch.id)
            ends = [one for one in fiction.passages if not one.choices]
            assert len(ends) == 1
            assert ends[0].kind in {PassageKind.CHAPTER, PassageKind.ENDING}
            assert all(len(set(labels(one))) == len(one.choices) for one in fiction.passages)
