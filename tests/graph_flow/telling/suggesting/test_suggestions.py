"""Suggestions for a text: asked for with the writer's briefing, kept, and never put in by themselves."""

from __future__ import annotations

import threading
from zlib import crc32

import pytest

from graph_flow.errors import WorkbenchError
from graph_flow.telling.suggesting.passage import NOTHING, UNCHANGED
from graph_flow.views import SideState
from graph_flow.workbench.beside.suggestions import Spot, SuggestionService
from store.models.base import new_id
from store.models.desk.suggestion import (
    WISH_LIMIT,
    Suggestion,
    SuggestionKind,
    SuggestionState,
)
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength
from store.models.form import Form
from store.models.manuscript import PlannedScene, TextParagraph, WritingPlan
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, in_halves, refuse, say, say_json
from tests.graph_flow.scripting import agent_of, asked, request_of, saying
from tests.store.builders import CAST, CHAPTER_ONE, LOCKED, adding, begin, go_on

SECONDS = 60
FIRST = "The lamp went out at nine, and nobody came down the stairs to see why."
PASSAGE = "Mara counted the steps in the dark."
LAST = "There were forty-one of them."
TEXT = f"{FIRST}\n\n{PASSAGE} {LAST}"
BETTER = "In the dark Mara counted, one hand on the wall."


@pytest.fixture
def branch(desk: Desk, store: Store) -> str:
    """A story of one chapter, planned and written, with an able model."""
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    branch = desk.branch(desk.story())
    begin(store, branch, adding(*CAST))
    go_on(store, branch, adding(*CHAPTER_ONE), "The door")
    scene = PlannedScene(events=(LOCKED.id,), beat="Her pride keeps her silent.", words=200)
    plan = WritingPlan(
        id=new_id(), branch=branch, chapter=1, attempt=1, form=Form.NOVEL, scenes=(scene,)
    )
    draft = store.manuscript.start_draft(store.manuscript.save_plan(plan), "The door")
    store.manuscript.update_draft_text(draft.id, TEXT)
    store.manuscript.finish_draft(draft.id, (), [(LOCKED.id,), (LOCKED.id,)])
    return branch


@pytest.fixture
def suggestions(desk: Desk) -> SuggestionService:
    return desk.workbench.suggestions


def spot(words: str = PASSAGE, text: str = TEXT) -> Spot:
    start = text.index(words)
    return Spot(start, start + len(words), crc32(text.encode()))


def ask(
    desk: Desk,
    branch: str,
    kind: SuggestionKind = SuggestionKind.REWRITE,
    wish: str = "",
    at: Spot | None = None,
) -> Suggestion:
    """Ask for a suggestion, and return it as it is kept once work on it has ended."""
    suggestion = desk.workbench.suggestions.ask(branch, 1, at or spot(), kind, wish)
    return ended(desk, suggestion)


def ended(desk: Desk, suggestion: Suggestion) -> Suggestion:
    assert desk.workbench.suggestions.wait(suggestion.id, SECONDS)
    seen = desk.workbench.suggestions.of(suggestion.branch, 1)
    return next(one.suggestion for one in seen if one.suggestion.id == suggestion.id)


def test_suggestion_is_kept_with_its_place_and_changes_nothing(
    desk: Desk, store: Store, branch: str
) -> None:
    desk.server.answer = saying(passage=say(BETTER))

    found = ask(desk, branch, at=spot(f" {LAST}"))

    assert (found.quote, found.at, found.text) == (LAST, TEXT.index(LAST), BETTER)
    assert found.before == TEXT[: TEXT.index(LAST)]
    assert found.state is SuggestionState.OPEN
    draft = store.manuscript.draft(branch, 1)
    assert draft is not None
    assert draft.text == TEXT
    assert [call.agent for call in store.calls.newest(branch)] == ["passage"]


def test_agent_knows_what_the_writer_of_the_chapter_knows_and_the_text_around(
    desk: Desk, store: Store, branch: str
) -> None:
    desk.workbench.library.change_settings(
        store.library.story_of(branch).id,
        lambda now: now.model_copy(update={"style_notes": "No adverbs."}),
    )
    desk.server.answer = saying(passage=say(BETTER))

    ask(desk, branch, SuggestionKind.VOICE, "As a child would tell it.")

    [sent] = asked(desk.server, "passage")
    request = request_of(sent)
    for wanted in (
        *("Her pride keeps her silent.", LOCKED.summary, "No adverbs.", FIRST, LAST),
        *("As a child would tell it.", "Mara", f"The passage, 7 words:\n\n{PASSAGE}"),
    ):
        assert wanted in request


@pytest.mark.parametrize("kind", [kind for kind in SuggestionKind if not kind.is_at_cursor])
def test_each_kind_asks_for_something_else(desk: Desk, branch: str, kind: SuggestionKind) -> None:
    desk.server.answer = saying(passage=say(BETTER))
    ask(desk, branch, kind, "As a child would tell it.")
    ask(desk, branch, SuggestionKind.REWRITE)
    one, other = (sent.messages[0]["content"] for sent in asked(desk.server, "passage"))
    assert (one == other) == (kind is SuggestionKind.REWRITE)


def test_again_tells_what_was_suggested_and_what_the_writer_says_of_it(
    desk: Desk, branch: str, suggestions: SuggestionService
) -> None:
    desk.server.answer = saying(passage=say(BETTER))
    first = ask(desk, branch)
    desk.server.answer = saying(passage=say("She counted."))

    suggestions.ask_again(first.id, spot(), "Shorter.")
    second = ended(desk, first)

    assert second.text == "She counted."
    assert second.attempt == 2
    request = request_of(asked(desk.server, "passage")[-1])
    assert BETTER in request
    assert "The writer says: Shorter." in request


def test_suggestion_before_stays_if_another_one_fails(
    desk: Desk, branch: str, suggestions: SuggestionService
) -> None:
    desk.server.answer = saying(passage=say(BETTER))
    first = ask(desk, branch)
    desk.server.answer = lambda _: refuse(401, "no")

    suggestions.ask_again(first.id, spot())

    assert ended(desk, first).text == BETTER
    [seen] = suggestions.of(branch, 1)
    assert seen.work is not None
    assert seen.work.state is SideState.FAILED
    assert seen.work.message


def test_answer_that_was_paid_for_is_found_again(
    desk: Desk, store: Store, branch: str, suggestions: SuggestionService
) -> None:
    """As after a crash between the answer and the library."""
    desk.server.answer = saying(passage=say(BETTER))
    first = ask(desk, branch)
    store.suggestions.change(first.id, lambda kept: kept.model_copy(update={"text": ""}))

    suggestions.ask_again(first.id, spot())

    assert ended(desk, first).text == BETTER
    assert len(asked(desk.server, "passage")) == 1


def test_taken_and_left_suggestions_are_no_longer_shown_but_kept(
    desk: Desk, store: Store, branch: str, suggestions: SuggestionService
) -> None:
    desk.server.answer = saying(passage=say(BETTER))
    taken, left = ask(desk, branch), ask(desk, branch)
    suggestions.take(taken.id)
    suggestions.leave(left.id)
    assert suggestions.of(branch, 1) == []
    assert store.suggestions.get(taken.id).state is SuggestionState.TAKEN
    assert store.suggestions.get(left.id).text == BETTER


def test_leaving_a_suggestion_stops_the_work_on_it(
    desk: Desk, branch: str, suggestions: SuggestionService
) -> None:
    rest = threading.Event()
    desk.server.answer = saying(passage=in_halves(BETTER, rest))
    asked_for = suggestions.ask(branch, 1, spot(), SuggestionKind.REWRITE)
    suggestions.leave(asked_for.id)
    assert suggestions.wait(asked_for.id, SECONDS)
    rest.set()
    assert suggestions.of(branch, 1) == []


@pytest.mark.parametrize(("answer", "doubt"), [(PASSAGE, UNCHANGED), ("---", NOTHING)])
def test_answer_of_no_use_says_why(desk: Desk, branch: str, answer: str, doubt: str) -> None:
    desk.server.answer = saying(passage=say(answer))
    found = ask(desk, branch)
    assert (found.text, found.doubt) == ("", doubt)


def test_whole_chapter_with_remarks_gives_the_passage_alone(desk: Desk, branch: str) -> None:
    whole = (
        f"Here is the revised chapter:\n\n{FIRST}\n\n{BETTER} {LAST}\n\nNote: I changed one line."
    )
    desk.server.answer = saying(passage=say(whole))
    # The words around are too few to be known again on one side: four words are the least.
    assert ask(desk, branch).text == BETTER


def test_options_are_written_where_the_cursor_stood(
    desk: Desk, branch: str, suggestions: SuggestionService
) -> None:
    options = ["Hale comes in.", "The bell rings.", "She goes up."]
    desk.server.answer = saying(
        next_steps=say_json({"options": options}), go_on=say("And then the bell rang.")
    )
    end = Spot(len(TEXT), len(TEXT), crc32(TEXT.encode()))
    found = ask(desk, branch, SuggestionKind.OPTIONS, at=end)
    assert found.options == tuple(options)

    suggestions.go_on_with(found.id, 1, end)

    [seen] = suggestions.of(branch, 1)
    going = ended(desk, seen.suggestion)
    assert (going.kind, going.wish, going.text) == (
        *(SuggestionKind.GO_ON, "The bell rings.", "And then the bell rang."),
    )
    assert going.at == len(TEXT)
    assert "The writer says what happens: The bell rings." in request_of(
        asked(desk.server, "go_on")[0]
    )
    with pytest.raises(WorkbenchError, match="not among the options"):
        suggestions.go_on_with(found.id, 7, end)


def test_small_model_is_asked_for_the_same_in_few_words(desk: Desk, branch: str) -> None:
    desk.workbench.models.change_settings(
        lambda now: now.model_copy(
            update={
                "endpoint": now.endpoint
                and now.endpoint.model_copy(update={"strength": ModelStrength.SMALL})
            }
        )
    )
    sentences = ["Hale comes in with the key.", "The bell of the harbour rings."]

    def answer(sent: Sent) -> Reply:
        agent = agent_of(sent)
        return say_json({"options": sentences}) if agent == "next_steps" else say(BETTER)

    desk.server.answer = answer
    assert ask(desk, branch).text == BETTER
    options = ask(desk, branch, SuggestionKind.OPTIONS)
    assert options.options == tuple(sentences)
    assert len(asked(desk.server, "passage")[0].prompt) < 4_000


def test_chapter_typed_before_any_plot_gets_suggestions(desk: Desk, store: Store) -> None:
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    branch = desk.branch(desk.story())
    store.manuscript.begin_by_hand(branch, 1, Form.NOVEL)
    desk.server.answer = saying(go_on=say("Nobody saw it go out."))
    empty = Spot(0, 0, crc32(b""))
    assert ask(desk, branch, SuggestionKind.GO_ON, at=empty).text == "Nobody saw it go out."
    assert "this is its beginning" in request_of(asked(desk.server, "go_on")[0])


@pytest.mark.parametrize(
    ("at", "kind", "wish", "words"),
    [
        (Spot(0, 5, 1), SuggestionKind.REWRITE, "", "changed in the meantime"),
        (Spot(5, 5, crc32(TEXT.encode())), SuggestionKind.REWRITE, "", "Select some words"),
        (Spot(0, 10_000, crc32(TEXT.encode())), SuggestionKind.REWRITE, "", "changed in the"),
        (Spot(-4, 5, crc32(TEXT.encode())), SuggestionKind.REWRITE, "", "changed in the"),
        (spot(), SuggestionKind.AS_ASKED, "  ", "Say in a few words"),
        (spot(), SuggestionKind.VOICE, "", "Say in a few words"),
        (spot(), SuggestionKind.REWRITE, "x" * (WISH_LIMIT + 1), "2,000 are the most"),
    ],
)
def test_what_cannot_be_asked_is_said_and_nothing_is_called(
    desk: Desk, branch: str, at: Spot, kind: SuggestionKind, wish: str, words: str
) -> None:
    with pytest.raises(WorkbenchError, match=words):
        desk.workbench.suggestions.ask(branch, 1, at, kind, wish)
    assert desk.workbench.suggestions.of(branch, 1) == []
    assert asked(desk.server) == []


def test_passage_that_the_model_cannot_take_in_is_refused_in_words(
    desk: Desk, store: Store, branch: str
) -> None:
    text = "The lamp went out. " * 4_000
    store.manuscript.save_text(branch, 1, text)
    with pytest.raises(WorkbenchError, match="Select less, or choose a larger model"):
        desk.workbench.suggestions.ask(
            branch, 1, Spot(0, len(text), crc32(text.encode())), SuggestionKind.REWRITE
        )


def test_request_stays_small_in_a_very_long_chapter(desk: Desk, store: Store, branch: str) -> None:
    desk.server.answer = saying(passage=say(BETTER))
    ask(desk, branch)
    long = "\n\n".join([FIRST] * 3_000 + [PASSAGE] + [LAST] * 3_000)
    store.manuscript.save_text(branch, 1, long)
    ask(desk, branch, at=spot(text=long))
    small, large = (len(sent.prompt) for sent in asked(desk.server, "passage"))
    assert large < small + 16_000


def test_paragraphs_keep_what_they_tell_when_a_suggestion_is_taken(
    store: Store, branch: str
) -> None:
    draft = store.manuscript.save_text(branch, 1, TEXT.replace(PASSAGE, BETTER))
    assert [one.events for one in draft.paragraphs] == [(LOCKED.id,), (LOCKED.id,)]
    assert all(isinstance(one, TextParagraph) for one in draft.paragraphs)


def test_passage_whose_scene_has_another_plan_is_written_anew_by_it(
    desk: Desk, store: Store, branch: str, suggestions: SuggestionService
) -> None:
    draft, plan = store.manuscript.draft(branch, 1), store.manuscript.plan(branch, 1)
    assert draft is not None
    assert plan is not None
    scene = plan.scenes[0].model_copy(update={"beat": "She calls out at once."})
    store.manuscript.change_plan(plan, lambda now: now.model_copy(update={"scenes": (scene,)}))
    desk.server.answer = saying(passage=say(BETTER))

    asked_for = suggestions.ask_as_planned(branch, 1, [draft.paragraphs[1].id])

    found = ended(desk, asked_for)
    assert (found.quote, found.text) == (f"{PASSAGE} {LAST}", BETTER)
    [sent] = asked(desk.server, "passage")
    assert "She calls out at once." in sent.prompt
    with pytest.raises(WorkbenchError, match="changed in the meantime"):
        suggestions.ask_as_planned(branch, 1, ["gone"])
