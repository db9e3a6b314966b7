"""Outlines are kept version by version, shared with later branches, and never overwritten in silence."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from store.database.rows import now
from store.errors import BundleInvalid, NotFound, StoryMoved
from store.formats.bundle import export_bundle, import_bundle
from store.models.outline import Outline, OutlineEvent, OutlineLink, OutlineState, Remark, SubEvent
from store.models.plot import LinkKind
from store.models.proposals import Candidate, Goal, Telling
from store.models.story import Branch, Story
from store.open import Store
from tests.store.builders import CHAPTER_ONE, adding, begin, filed, summed

THEFT = OutlineEvent(id="theft", title="The theft", line="The bell", characters=("Mara",))
TRIAL = OutlineEvent(id="trial", title="The trial", line="The bell", characters=("Hale",))
LINK = OutlineLink(source="theft", target="trial", link=LinkKind.CAUSES)
STOLEN = SubEvent(id="stolen", event="theft", text="The bell is gone.", chapter=1)
JUDGED = SubEvent(id="judged", event="trial", text="Hale is judged.", chapter=2)


def outline_of(branch: Branch, **values: object) -> Outline:
    whole = {
        "id": "outline",
        "branch": branch.id,
        "events": (THEFT, TRIAL),
        "links": (LINK,),
        "sub_events": (STOLEN, JUDGED),
        "remarks": (Remark(event="trial", text="Who judges?"),),
        "created": now(),
        **values,
    }
    return Outline.model_validate(whole)


def accepted(outline: Outline) -> Outline:
    return outline.model_copy(update={"state": OutlineState.ACCEPTED})


def discarded(outline: Outline) -> Outline:
    return outline.model_copy(update={"state": OutlineState.DISCARDED})


def reworded(outline: Outline, text: str) -> Outline:
    return outline.model_copy(update={"review": text})


def test_outline_comes_back_as_it_was_saved(store: Store, branch: Branch) -> None:
    assert store.outlines.newest(branch.id) is None
    kept = store.outlines.save(outline_of(branch))
    assert store.outlines.newest(branch.id) == kept
    assert kept == outline_of(branch, version=1, created=kept.created)
    assert store.outlines.accepted(branch.id) is None


def test_change_that_was_made_from_an_older_version_is_refused(
    store: Store, branch: Branch
) -> None:
    first = store.outlines.save(outline_of(branch))
    second = store.outlines.save(reworded(first, "in one window"))
    with pytest.raises(StoryMoved, match="changed since"):
        store.outlines.save(reworded(first, "in the other"))
    with pytest.raises(StoryMoved):
        store.outlines.save(outline_of(branch, id="another"))
    assert store.outlines.newest(branch.id) == second


def test_story_goes_by_what_was_accepted_while_a_draft_is_under_work(
    store: Store, branch: Branch
) -> None:
    use = store.outlines.save(accepted(outline_of(branch)))
    draft = store.outlines.save(
        reworded(use, "better").model_copy(update={"state": OutlineState.DRAFT})
    )
    assert store.outlines.newest(branch.id) == draft
    assert store.outlines.accepted(branch.id) == use
    store.outlines.save(discarded(draft))
    assert store.outlines.newest(branch.id) == use


def test_what_is_discarded_or_laid_aside_can_be_taken_up_again(
    store: Store, branch: Branch
) -> None:
    with pytest.raises(NotFound):
        store.outlines.take_up(branch.id)
    draft = store.outlines.save(outline_of(branch))
    store.outlines.save(discarded(draft))
    assert store.outlines.newest(branch.id) is None
    back = store.outlines.take_up(branch.id)
    assert back == draft.model_copy(update={"version": 3})

    use = store.outlines.save(accepted(back))
    store.outlines.save(use.model_copy(update={"state": OutlineState.LAID_ASIDE}))
    assert store.outlines.accepted(branch.id) is None
    assert store.outlines.newest(branch.id) is None
    assert store.outlines.take_up(branch.id).state is OutlineState.ACCEPTED
    with pytest.raises(NotFound):
        store.outlines.take_up(branch.id)


def test_earlier_draft_is_under_work_again_when_a_later_one_is_discarded(
    store: Store, branch: Branch
) -> None:
    mine = store.outlines.save(outline_of(branch, id="mine"))
    theirs = store.outlines.save_draft(outline_of(branch, id="theirs"), "run/1", "draft/1")
    assert store.outlines.newest(branch.id) == theirs
    store.outlines.save(discarded(theirs))
    assert store.outlines.newest(branch.id) == mine


def test_draft_of_the_same_round_leaves_nothing_of_the_one_before(
    store: Store, branch: Branch
) -> None:
    first = store.outlines.save_draft(outline_of(branch, review="one"), "run/1", "draft/1")
    assert store.outlines.is_drafted(branch.id, "run/1", "draft/1")
    second = store.outlines.save_draft(outline_of(branch, review="two"), "run/1", "draft/2")
    assert second.version > first.version
    assert [one.review for one in store.outlines.versions(branch.id)] == ["two"]

    mine = store.outlines.save(reworded(second, "mine"))
    assert not store.outlines.is_drafted(branch.id, "run/1", "draft/2")
    store.outlines.save_draft(outline_of(branch, review="three"), "run/1", "draft/3")
    assert [one.review for one in store.outlines.versions(branch.id)] == ["two", "mine", "three"]
    assert mine.version == second.version + 1


def test_branch_reads_its_parent_s_outline_as_it_was_until_it_has_its_own(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    use = store.outlines.save(accepted(outline_of(branch)))
    fork = store.library.fork(branch.id, 0, "What if")
    store.outlines.save(accepted(reworded(use, "later, on the parent")))

    shared = store.outlines.accepted(fork.id)
    assert shared == use.model_copy(update={"branch": fork.id})
    own = store.outlines.save(reworded(shared, "on the branch"))
    assert store.outlines.accepted(fork.id) == own
    found = store.outlines.accepted(branch.id)
    assert found is not None
    assert found.review == "later, on the parent"


def test_old_versions_are_given_up_but_what_is_in_use_or_shared_is_not(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    use = store.outlines.save(accepted(outline_of(branch)))
    draft = store.outlines.save(use.model_copy(update={"state": OutlineState.DRAFT}))
    fork = store.library.fork(branch.id, 0, "What if")
    for at in range(100):
        draft = store.outlines.save(reworded(draft, f"change {at}"))
    assert len(store.outlines.versions(branch.id)) < 40
    assert store.outlines.accepted(branch.id) == use
    assert store.outlines.newest(branch.id) == draft
    shared = store.outlines.newest(fork.id)
    assert shared is not None
    assert (shared.version, shared.review) == (2, "")


def test_parts_are_told_by_what_was_chosen_and_committed(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    tell(store, branch, "passed-over", 1, Telling(part="judged", event="after"))
    tell(store, branch, "chosen", 1, Telling(part="stolen", event="locked"))
    assert store.outlines.told(branch.id) == []
    commit(store, branch.id, "run-chosen", 1)
    assert [(one.part, one.event, one.chapter) for one in store.outlines.told(branch.id)] == [
        ("stolen", "locked", 1)
    ]
    fork = store.library.fork(branch.id, 1, "What if")
    before = store.library.fork(branch.id, 0, "Before it")
    assert [one.part for one in store.outlines.told(fork.id)] == ["stolen"]
    assert store.outlines.told(before.id) == []

    store.prototype.undo(branch.id)
    assert store.outlines.told(branch.id) == []
    assert [one.part for one in store.outlines.told(fork.id)] == ["stolen"]


@pytest.mark.parametrize(
    "values",
    [
        {"events": (THEFT, THEFT)},
        {"sub_events": (STOLEN, STOLEN)},
        {"events": (THEFT,)},
        {"links": (OutlineLink(source="theft", target="nowhere", link=LinkKind.BEFORE),)},
        {"sub_events": (SubEvent(id="loose", event="nowhere", text=""),)},
        {"version": -1},
        {"remarks": (Remark(text="x"),) * 21},
    ],
)
def test_outline_that_does_not_hold_together_is_none(
    branch: Branch, values: dict[str, object]
) -> None:
    with pytest.raises(ValidationError):
        outline_of(branch, **values)


def test_event_is_taken_out_with_all_that_hangs_on_it(branch: Branch) -> None:
    left = outline_of(branch).without_event("trial")
    assert left.events == (THEFT,)
    assert left.sub_events == (STOLEN,)
    assert left.links == ()
    assert left.remarks == ()
    assert Outline.model_validate(left.model_dump()) == left


def tell(store: Store, branch: Branch, id_: str, chapter: int, *tells: Telling) -> None:
    goal = Goal(
        id=f"goal-{id_}",
        branch=branch.id,
        chapter=chapter,
        round=1,
        position=len(id_),
        title="Goal",
        text="Go.",
    )
    store.proposals.save_goals([goal])
    store.proposals.save_candidate(
        Candidate(
            id=id_,
            branch=branch.id,
            chapter=chapter,
            round=1,
            goal=goal.id,
            title="The door",
            delta=adding(*CHAPTER_ONE),
            tells=tells,
        )
    )


def commit(store: Store, branch: str, origin: str, chapter: int) -> None:
    store.prototype.commit(
        branch, adding(*CHAPTER_ONE), chapter=chapter, kind="chapter", origin=origin
    )


# In a story file


def test_outlines_travel_with_their_story_and_are_shared_as_before(
    store: Store, story: Story, branch: Branch
) -> None:
    begin(store, branch.id)
    use = store.outlines.save(accepted(outline_of(branch)))
    fork = store.library.fork(branch.id, 0, "What if")
    store.outlines.save(reworded(use, "after the branch began"))
    draft = store.outlines.newest(branch.id)

    taken = import_bundle(store, export_bundle(store, story.id))

    main, other = store.library.branches(taken.id)
    assert without_ids(store.outlines.newest(main.id)) == without_ids(draft)
    shared = store.outlines.newest(other.id)
    assert without_ids(shared) == without_ids(store.outlines.newest(fork.id))
    assert shared is not None
    assert shared.review == ""
    assert export_bundle(store, taken.id).count('"sub_events"') == 2


def without_ids(outline: Outline | None) -> dict[str, object]:
    return outline.model_dump(exclude={"id", "branch"}) if outline else {}


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ('"source":"theft"', '"source":"nowhere"'),
        ('"event":"trial"', '"event":"nowhere"'),
        ('"id":"stolen"', '"id":"judged"'),
        ('"version":1', '"version":-1'),
        ('"version":1', '"version":1e300'),
        ('"chapter":1', '"chapter":0'),
        ('"title":"The theft"', '"title":""'),
        ('"state":"draft"', '"state":"canon"'),
        ('"link":"causes"', '"link":"DROP TABLE"'),
    ],
)
def test_story_file_with_an_outline_that_is_none_changes_nothing(
    store: Store, story: Story, branch: Branch, was: str, becomes: str
) -> None:
    begin(store, branch.id)
    store.outlines.save(outline_of(branch))
    text = export_bundle(store, story.id)
    head, mark, outlines = text.partition('"outlines":')
    assert was in outlines
    with pytest.raises(BundleInvalid):
        import_bundle(store, summed(head + mark + outlines.replace(was, becomes)))
    assert len(store.library.stories()) == 1


def test_story_file_with_two_outlines_of_one_version_changes_nothing(
    store: Store, story: Story, branch: Branch
) -> None:
    begin(store, branch.id)
    store.outlines.save(reworded(store.outlines.save(outline_of(branch)), "again"))
    document = json.loads(export_bundle(store, story.id))
    for outline in document["branches"][0]["outlines"]:
        outline["version"] = 1
    with pytest.raises(BundleInvalid, match="contradicts itself"):
        import_bundle(store, filed(document))
    assert len(store.library.stories()) == 1


def test_outline_of_an_imported_story_may_hold_any_words(
    store: Store, story: Story, branch: Branch
) -> None:
    begin(store, branch.id)
    hostile = THEFT.model_copy(
        update={"title": "<script>alert(1)</script>", "action": "'; DROP TABLE outlines; --"}
    )
    store.outlines.save(outline_of(branch, events=(hostile, TRIAL)))
    taken = import_bundle(store, export_bundle(store, story.id))
    found = store.outlines.newest(store.library.main_branch(taken.id).id)
    assert found is not None
    assert found.events[0] == hostile
