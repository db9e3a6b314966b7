"""Long chapters: answers get the room that they need, and what is too long is read in parts."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as some

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.telling.revising import parts_of, remarks_by_part
from store.models.endpoint import Endpoint, ModelSettings
from store.models.manuscript import Draft, RemarkKind, ReviewRemark
from store.models.run import Run, RunState, WriteChapter
from store.models.story import Story
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.scripting import asked, request_of
from tests.graph_flow.telling.bridge import plotted, telling

BREAK = "\n\n* * *\n\n"


def scene(name: str, paragraphs: int) -> str:
    """Return the text of a scene, of which each sentence occurs once."""
    return "\n\n".join(
        f"In {name} it is line {at} that counts. Amos says nothing in {name} of line {at}, and "
        f"Ruth does not ask him in {name} what he means by line {at}."
        for at in range(paragraphs)
    )


def with_window(desk: Desk, tokens: int) -> None:
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=tokens)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))


def written(desk: Desk, story: Story) -> tuple[Run, Draft]:
    run = desk.do(story, WriteChapter(chapter=1))
    draft = desk.workbench.manuscript.draft(desk.branch(story), 1)
    assert draft is not None
    return run, draft


def remark(name: str, line: int) -> dict[str, str]:
    return {
        "kind": "flat",
        "quote": f"In {name} it is line {line} that counts.",
        "remark": "It says too little.",
    }


@pytest.mark.parametrize(("paragraphs", "remarks"), [(20, 6), (120, 19)])
def test_answers_have_room_for_the_length_of_the_chapter(
    able: Desk, story_store: Store, paragraphs: int, remarks: int
) -> None:
    text = scene("the office", paragraphs)
    able.server.answer = telling(
        writer_novel=say(text), review=say_json({"remarks": [remark("the office", 3)]})
    )

    run, draft = written(able, plotted(able, story_store, words=draft_words(paragraphs)))

    assert run.state is RunState.DONE
    [review], [revise] = asked(able.server, "review"), asked(able.server, "revise")
    assert f"at most {remarks}," in review.prompt
    assert review.body["max_tokens"] == 880 + 220 * remarks
    assert revise.body["max_tokens"] == max(2_600, int(1.3 * estimate_tokens(draft.text)))


def draft_words(paragraphs: int) -> int:
    return 33 * paragraphs


def test_chapter_that_does_not_fit_is_reviewed_and_revised_scene_by_scene(
    able: Desk, story_store: Store
) -> None:
    with_window(able, 6_000)
    scenes = [scene(name, 30) for name in ("the office", "the ferry")]
    number = count()

    def review(sent: Sent) -> Reply:
        is_first = "part 1 of 2" in request_of(sent)
        missing = {"kind": "missing", "remark": "Where is Opal?"}
        said = remark("the office", 3) if is_first else remark("the ferry", 4)
        return say_json({"told": ["F1"] if is_first else [], "remarks": [said, missing]})

    def revise(sent: Sent) -> Reply:
        old = (
            "In the office it is line 3"
            if "part 1" in request_of(sent)
            else "In the ferry it is line 4"
        )
        return say_json({"passages": [{"old": f"{old} that counts.", "new": "It counts."}]})

    able.server.answer = telling(
        writer_novel=lambda _: say(scenes[next(number)]), review=review, revise=revise
    )
    story = plotted(able, story_store, words=2_000)

    run, draft = written(able, story)

    assert run.state is RunState.DONE
    for agent in ("review", "revise"):
        requests = [request_of(sent) for sent in asked(able.server, agent)]
        assert ["part 1 of 2" in one for one in requests] == [True, False]
        assert [scenes[0][-60:] in one for one in requests] == [True, False]
        assert [scenes[1][-60:] in one for one in requests] == [False, True]
        assert not any("Where is Opal?" in one for one in requests)
    assert draft.text == BREAK.join(scenes).replace(
        "In the office it is line 3 that counts.", "It counts."
    ).replace("In the ferry it is line 4 that counts.", "It counts.")
    assert draft.told == ("secret:amos",)


def test_what_is_too_long_for_the_reviewer_is_said_in_a_note(
    able: Desk, story_store: Store
) -> None:
    with_window(able, 6_000)
    endless = scene("the office", 60).replace("\n\n", " ")
    texts = iter([scene("the ferry", 10), endless])
    able.server.answer = telling(
        writer_novel=lambda _: say(next(texts)),
        review=say_json({"told": [], "remarks": [remark("the ferry", 3)]}),
    )

    run, draft = written(able, plotted(able, story_store, words=2_000))

    assert run.state is RunState.DONE
    assert len(asked(able.server, "review")) == 1
    assert any("Part 2 of 2 of chapter 1 was not reviewed" in note for note in run.notes)
    assert draft.told == ("secret:amos",), "it was to be told, and may be in what was not read"


@given(
    some.lists(some.lists(some.text("ab .", min_size=1), min_size=1).map("\n\n".join)).map(
        BREAK.join
    ),
    some.integers(1, 60),
)
def test_parts_of_a_text_are_the_text(text: str, tokens: int) -> None:
    parts = parts_of(text, tokens, BREAK)

    assert "".join(parts) == text
    assert all(parts[1:])


def test_parts_are_whole_scenes_or_else_whole_paragraphs() -> None:
    short, long = scene("the office", 4), scene("the ferry", 12)
    most = estimate_tokens(short) * 2 + 40

    parts = parts_of(BREAK.join([short, short, long, short]), most, BREAK)

    assert parts[0].strip(" \n*") == BREAK.join([short, short])
    assert all(estimate_tokens(part) <= most for part in parts)
    assert all(part.strip(" \n*").endswith(".") for part in parts)


def test_remark_belongs_to_the_part_that_it_quotes_or_to_the_last() -> None:
    first, second, missing = (
        ReviewRemark(kind=RemarkKind.FLAT, quote=quote, remark="Why?")
        for quote in ("a b", "c d", "")
    )

    assert remarks_by_part(["a b.", "c d.", "e f."], [missing, second, first]) == [
        [first],
        [second],
        [missing],
    ]
