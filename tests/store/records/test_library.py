"""Stories, branches and settings in the library."""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.errors import NotFound, StoreError
from store.formats.bundle import export_bundle, import_bundle
from store.models.base import new_id
from store.models.endpoint import Endpoint, ModelSettings
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.story import Branch, Brief, Gate, GateMode, Story, StorySettings
from store.open import Store
from tests.store.builders import CHAPTER_ONE, adding, begin, go_on


def test_ids_are_random_and_fit_into_an_address() -> None:
    ids = {new_id() for _ in range(1_000)}
    assert len(ids) == 1_000
    assert all(len(id_) == 22 and set(id_) <= set("0123456789abcdef") for id_ in ids)


def test_ids_begin_with_the_time_in_which_they_are_made() -> None:
    times = [new_id()[:12] for _ in range(1_000)]
    assert times == sorted(times)


def test_a_story_is_kept_with_its_main_branch(store: Store, story: Story) -> None:
    assert store.library.story(story.id) == story
    main = store.library.main_branch(story.id)
    assert store.library.branches(story.id) == [main]
    assert store.library.branch(main.id) == main
    assert store.library.story_of(main.id) == story
    assert main.parent is None


def test_story_that_is_touched_again_and_again_is_not_in_memory_as_often(
    store: Store, story: Story, branch: Branch
) -> None:
    for number in range(60):
        store.library.rename(story.id, f"Title {number}")
        assert store.library.story_of(branch.id).title == f"Title {number}"
    gc.collect()

    of_memory = [one for one in gc.get_objects() if isinstance(one, Story) and one.id == story.id]
    assert len(of_memory) < 20


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=300), st.text(max_size=50))
def test_whatever_is_typed_comes_back(store: Store, premise: str, wishes: str) -> None:
    """Chinese, Arabic, HTML, SQL, NUL: text is text. What is no text at all is refused."""
    try:
        brief = Brief(premise=premise, wishes=wishes)
    except ValueError:
        return
    story = store.library.create_story(brief)
    assert store.library.story(story.id).brief == brief


@pytest.mark.parametrize("premise", ["'; DROP TABLE stories; --", "守塔人", "حارس المنارة", "<b>"])
def test_hostile_and_foreign_premises(store: Store, premise: str) -> None:
    story = store.library.create_story(Brief(premise=premise), premise)
    assert store.library.story(story.id).title == premise
    assert store.library.story(story.id).brief.premise == premise


def test_what_the_writer_wants_can_change(store: Store, story: Story) -> None:
    brief = Brief(premise="Another", form=Form.SCREENPLAY, language="Deutsch")
    settings_ = StorySettings(goals=2, gates={Gate.GOALS: GateMode.ASK})
    store.library.change_brief(story.id, lambda _: brief)
    store.library.change_settings(story.id, lambda _: settings_)
    renamed = store.library.rename(story.id, "  Another title ")
    assert (renamed.brief, renamed.settings, renamed.title) == (brief, settings_, "Another title")
    assert renamed.touched > story.touched


def test_a_title_that_is_too_long_is_refused(store: Store, story: Story) -> None:
    with pytest.raises(StoreError, match="at most 400"):
        store.library.rename(story.id, "x" * 401)
    assert store.library.story(story.id).title == story.title


def test_the_last_touched_story_comes_first(store: Store, story: Story) -> None:
    second = store.library.create_story(Brief(), "Second")
    assert [card.story.id for card in store.library.stories()] == [second.id, story.id]
    store.library.rename(story.id, "Touched")
    assert [card.story.id for card in store.library.stories()] == [story.id, second.id]


def test_a_deleted_story_can_be_restored(store: Store, story: Story) -> None:
    assert store.library.delete(story.id).deleted is not None
    assert store.library.stories() == []
    assert store.library.story(story.id).title == story.title
    assert store.library.restore(story.id).deleted is None
    assert [card.story.id for card in store.library.stories()] == [story.id]


def test_a_card_counts_chapters_and_the_book_the_words_of_the_newest_texts(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE))
    fork = store.library.fork(branch.id, 1, "What if")
    go_on(store, fork.id, adding(CHAPTER_ONE[0].model_copy(update={"id": "cellar"})))
    plan = WritingPlan(id="plan", branch=branch.id, chapter=1, attempt=1, form=Form.NOVEL)
    draft = store.manuscript.start_draft(plan, "One")
    store.manuscript.update_draft_text(draft.id, "One two three four five")
    store.manuscript.save_text(branch.id, 1, "One two three")
    card = store.library.stories()[0]
    assert (card.chapters, card.branch) == (1, branch.id)
    assert store.contents.length(branch.id) == (1, 3)


def test_what_is_not_there_is_said(store: Store, story: Story, branch: Branch) -> None:
    for ask in (
        lambda: store.library.story("none"),
        lambda: store.library.branch("none"),
        lambda: store.library.main_branch("none"),
        lambda: store.library.story_of("none"),
        lambda: store.library.delete("none"),
        lambda: store.library.fork(branch.id, 0, "From nothing"),
    ):
        with pytest.raises(NotFound):
            ask()
    assert store.library.stories()[0].story.id == story.id


def test_a_branch_starts_at_a_chapter_that_is_told(store: Store, branch: Branch) -> None:
    begin(store, branch.id)
    fork = store.library.fork(branch.id, 0, "What if")
    assert [one.id for one in store.library.branches(branch.story)] == [branch.id, fork.id]
    with pytest.raises(NotFound, match="Chapter 3"):
        store.library.fork(branch.id, 3, "Too far")


def test_settings_of_the_app(store: Store) -> None:
    endpoint = Endpoint(base_url="http://127.0.0.1:9/v1", model="m", key_variable="A_KEY")
    wanted = ModelSettings(endpoint=endpoint)
    assert store.library.read_setting("model", ModelSettings) is None
    store.library.change_setting("model", ModelSettings(), lambda _: ModelSettings())
    store.library.change_setting("model", ModelSettings(), lambda _: wanted)
    assert store.library.read_setting("model", ModelSettings) == wanted


def test_a_setting_that_cannot_be_read_is_said(store: Store) -> None:
    store.library.change_setting("model", Brief(), lambda _: Brief(premise="not a model"))
    with pytest.raises(StoreError, match="set it again"):
        store.library.read_setting("model", ModelSettings)


def test_stories_put_away_are_listed_the_last_one_first(store: Store, story: Story) -> None:
    second = store.library.create_story(Brief(), "Second")
    assert store.library.stories_put_away() == []
    store.library.delete(second.id)
    store.library.delete(story.id)
    assert [one.id for one in store.library.stories_put_away()] == [story.id, second.id]
    store.library.restore(second.id)
    assert [one.id for one in store.library.stories_put_away()] == [story.id]
    assert [card.story.id for card in store.library.stories()] == [second.id]


def test_branch_that_is_put_away_is_not_listed_and_otherwise_as_it_was(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    fork = store.library.fork(branch.id, 0, "What if")
    child = store.library.fork(fork.id, 0, "And then")
    go_on(store, fork.id, adding(*CHAPTER_ONE))
    before = store.prototype.snapshot(fork.id)

    away = store.library.put_branch_away(fork.id)

    assert away.deleted is not None
    assert store.library.put_branch_away(fork.id) == away
    assert store.library.branches(branch.story) == [branch, child]
    assert [one.id for one in store.library.all_branches(branch.story)] == [
        branch.id,
        fork.id,
        child.id,
    ]
    assert store.prototype.snapshot(fork.id) == before
    store.prototype.verify(child.id)
    with pytest.raises(StoreError, match="already a branch called"):
        store.library.rename_branch(child.id, "What if")
    assert store.library.bring_branch_back(fork.id) == fork
    assert store.library.branches(branch.story) == [branch, fork, child]


def test_open_branch_that_is_put_away_leaves_the_main_one_open(
    store: Store, branch: Branch
) -> None:
    begin(store, branch.id)
    fork = store.library.fork(branch.id, 0, "What if")
    store.library.switch_branch(branch.story, fork.id)
    store.library.put_branch_away(fork.id)
    assert store.library.open_branch(branch.story) == branch
    assert store.library.stories()[0].branch == branch.id
    with pytest.raises(NotFound, match="archived"):
        store.library.switch_branch(branch.story, fork.id)


def test_main_branch_cannot_be_put_away(store: Store, branch: Branch) -> None:
    with pytest.raises(StoreError, match="delete the story"):
        store.library.put_branch_away(branch.id)
    assert store.library.branches(branch.story) == [branch]


def test_branch_that_is_put_away_is_in_the_story_s_file(
    store: Store, story: Story, branch: Branch
) -> None:
    begin(store, branch.id)
    away = store.library.put_branch_away(store.library.fork(branch.id, 0, "What if").id)
    copy = import_bundle(store, export_bundle(store, story.id))
    [_, other] = store.library.all_branches(copy.id)
    assert (other.name, other.deleted) == ("What if", away.deleted)
    assert len(store.library.branches(copy.id)) == 1
