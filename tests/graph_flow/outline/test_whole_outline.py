"""An outline by an able model: drafted whole, as the detail of the spine, and never cut for a small one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from store.models.outline import Outline
from store.models.run import DraftOutline, Initialize
from store.models.story import Gate, GateMode, Story
from tests.desk import Desk, Settings
from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.founding.able import SPINE, able_answers
from tests.graph_flow.scripting import Say, agent_of, asked, request_of, saying

PREMISE = "A retired inspector is asked to sign off one last bridge, which his daughter built."
SETTINGS: Settings = {
    "gates": dict.fromkeys(Gate, GateMode.GO_ON)
    | dict.fromkeys((Gate.CONFIGURATION, Gate.OUTLINE), GateMode.ASK),
    "chapter_cap": 3,
    "words": 4_000,
    "goals": 1,
    "roles": 2,
}
LONG = (
    "Ruth holds the torn stub against the light and asks her father where the rest of it is. " * 20
)
STUB: dict[str, Any] = {
    "title": "The Stub",
    "line": "The page",
    "who": ["Ruth Vale", "Amos Vale", "A clerk", "Opal Dray"],
    "setting": "The site office, at dusk, with the heater on and the window open on the river.",
    "action": LONG,
    "conflict": "He talks of the weather, and she has a deadline at noon.",
    "twist": "She puts the stub back where it was.",
}
PEN: dict[str, Any] = {
    "title": "The Pen",
    "line": "The span",
    "who": ["Amos Vale"],
    "action": "Amos lays the pen on the rail.",
}
OUTLINE: dict[str, Any] = {
    "lines": [{"name": "The page", "about": "Ruth wants it."}, {"name": "The span"}],
    "events": [STUB, PEN],
    "links": [{"source": 1, "link": "causes", "target": 2}],
}
PARTS: dict[str, Any] = {
    "parts": [
        {"event": "E1", "happens": "Ruth finds the stub. " * 30, "chapter": 1},
        {"event": "E1", "happens": "Ruth asks him.", "chapter": "chapter 2"},
        {"event": "E2. The Pen", "happens": "He lays it down.", "chapter": 3},
    ]
}
AGREES: dict[str, Any] = {"weak": [], "goal_reached_in": "E2", "holds": True}
NONSENSE = say("Once upon a time there was no JSON at all.")


def answers(**others: Any) -> Say:
    """Return what an able model says that outlines the story of the bridge."""
    said = {"outline": OUTLINE, "reviewer": AGREES, "planner": PARTS} | others
    ready = {
        agent: answer if callable(answer) or isinstance(answer, Reply) else say_json(answer)
        for agent, answer in said.items()
    }
    return saying(**ready, **{agent: _founding(agent) for agent in ("foundation", "cast", "spine")})


def _founding(agent: str) -> Say:
    found = able_answers()
    return lambda sent: found(sent) if agent_of(sent) == agent else None


def founded(desk: Desk, **settings: Any) -> Story:
    story = desk.story(premise=PREMISE, settings={**SETTINGS, **settings})
    desk.do(story, Initialize())
    desk.answer(story)
    desk.server.history.clear()
    return story


def outlined(desk: Desk, **others: Any) -> tuple[Story, Outline]:
    """Begin a story and have it outlined, up to the question."""
    story = founded(desk)
    desk.server.answer = answers(**others)
    desk.do(story, DraftOutline())
    found = desk.workbench.outline.newest(desk.branch(story))
    assert found is not None
    return story, found


def test_outline_that_its_reader_likes_takes_three_calls(able_desk: Desk) -> None:
    outlined(able_desk)
    called = [agent_of(sent) for sent in able_desk.server.history]
    assert called == ["outline", "reviewer", "planner"]


def test_outline_that_its_reader_never_likes_takes_the_calls_that_were_estimated(
    able_desk: Desk,
) -> None:
    story = founded(able_desk)
    expected = able_desk.workbench.runs.estimate(able_desk.branch(story), DraftOutline()).calls
    weak = [{"event": "E2", "remark": "Nobody wants anything of him here."}]
    able_desk.server.answer = answers(reviewer=AGREES | {"weak": weak})
    able_desk.do(story, DraftOutline())
    called = [agent_of(sent) for sent in able_desk.server.history]
    assert called == ["outline", "reviewer", "outline", "reviewer", "planner"]
    assert expected == len(called)
    found = able_desk.workbench.outline.newest(able_desk.branch(story))
    assert found is not None
    assert [one.text for one in found.remarks] == ["Nobody wants anything of him here."]
    assert found.sub_events
    assert "“The Pen”: Nobody wants anything" in request_of(asked(able_desk.server, "planner")[0])


def test_nothing_of_an_able_model_s_outline_is_cut_or_moved(able_desk: Desk) -> None:
    _, found = outlined(able_desk)
    stub, pen = found.events
    assert stub.action == LONG.strip()
    assert (stub.setting, stub.conflict) == (STUB["setting"], STUB["conflict"])
    assert stub.characters == tuple(STUB["who"])
    assert [(one.source, one.link.value, one.target) for one in found.links] == [
        (stub.id, "causes", pen.id)
    ]
    assert [(part.event, part.text, part.chapter) for part in found.sub_events] == [
        (stub.id, ("Ruth finds the stub. " * 30).strip(), 1),
        (stub.id, "Ruth asks him.", 2),
        (pen.id, "He lays it down.", 3),
    ]
    assert len(asked(able_desk.server)) == 3


@pytest.mark.parametrize("agent", ["outline", "reviewer", "planner"])
def test_outline_is_the_detail_of_the_spine(able_desk: Desk, agent: str) -> None:
    outlined(able_desk)
    [sent] = asked(able_desk.server, agent)
    request = request_of(sent)
    assert all(SPINE[field] in request for field in ("inciting", "crisis", "ending", "last_image"))
    assert all(turn in request for turn in SPINE["turns"])
    assert "3 chapters of about 4000 words" in request


@pytest.mark.parametrize("agent", ["outline", "reviewer"])
def test_whoever_outlines_knows_what_is_hidden_and_what_happened_before(
    able_desk: Desk, agent: str
) -> None:
    outlined(able_desk)
    request = request_of(asked(able_desk.server, agent)[0])
    assert "He tore the page about the pin out of the log." in request
    assert "The council pays Opal’s husband to be silent about the pin." in request
    assert "known to Amos Vale, Ruth Vale" in request
    assert PREMISE in request


def test_next_draft_has_the_last_one_and_what_its_reader_said(able_desk: Desk) -> None:
    remark = {"event": "E2", "remark": "Nobody wants anything of him here."}
    said = iter([{"weak": [remark], "goal_reached_in": "E2", "holds": False}])
    better = PEN | {"event": "E2", "action": "Ruth takes the pen out of his hand and signs."}
    drafts = iter([OUTLINE, {"order": ["E1", "E2"], "events": [better], "links": []}])
    _, found = outlined(
        able_desk,
        outline=lambda _: say_json(next(drafts)),
        reviewer=lambda _: say_json(next(said, AGREES)),
    )
    first, second = asked(able_desk.server, "outline")
    assert "Nobody wants anything" not in request_of(first)
    assert "only those that change" in second.prompt
    assert [one.action for one in found.events] == [LONG.strip(), better["action"]]
    assert [one.link.value for one in found.links] == ["causes"]
    request = request_of(second)
    assert "“The Pen”: Nobody wants anything of him here." in request
    assert LONG.strip() in request
    assert "E1 causes E2" in request
    assert found.remarks == ()


def test_parts_that_stand_before_their_cause_are_put_in_order(able_desk: Desk) -> None:
    turned = [part | {"chapter": at} for part, at in zip(PARTS["parts"], (2, 3, 1), strict=True)]
    _, found = outlined(able_desk, planner={"parts": turned})
    assert [part.text[:14] for part in found.sub_events] == [
        "Ruth finds the",
        "Ruth asks him.",
        "He lays it dow",
    ]
    assert sorted(part.chapter or 0 for part in found.sub_events) == [1, 2, 3]


@pytest.mark.parametrize(
    ("chapters", "words", "count", "groups"),
    [
        (3, 4_000, 2, [(1, 3, 2)]),
        (24, 700, 24, [(1, 24, 24)]),
        (30, 2_500, 38, [(1, 16, 19), (15, 30, 19)]),
        (100, 1_200, 40, [(1, 33, 13), (32, 66, 13), (65, 100, 14)]),
    ],
)
def test_as_many_events_are_split_at_once_as_an_answer_has_room_for(
    able_desk: Desk, chapters: int, words: int, count: int, groups: list[tuple[int, int, int]]
) -> None:
    story = founded(able_desk, chapter_cap=chapters, words=words)
    titles = [f"The {at}th span" for at in range(1, count + 1)]
    events = [
        STUB | {"title": title, "action": _unlike(at)} for at, title in enumerate(titles, start=1)
    ]
    able_desk.server.answer = answers(
        outline={"lines": OUTLINE["lines"], "events": events},
        planner=lambda sent: say_json({"parts": _one_part_each(request_of(sent))}),
    )

    able_desk.do(story, DraftOutline())

    requests = [request_of(sent) for sent in asked(able_desk.server, "planner")]
    assert [_group(request) for request in requests] == groups
    assert all(title in request for request in requests for title in titles)
    found = able_desk.workbench.outline.newest(able_desk.branch(story))
    assert found is not None
    told = [part.event for part in found.sub_events]
    assert told == [event.id for event in found.events], "the order of the story stays"
    at = [part.chapter or 0 for part in found.sub_events]
    assert at == sorted(at)
    assert (at[0], at[-1]) == (1, chapters) or count < chapters


def _group(request: str) -> tuple[int, int, int]:
    """Return the first and the last chapter of a planner's request, and how many events it holds."""
    said = re.search(r"For chapters (\d+) to (\d+)", request)
    assert said is not None
    return int(said[1]), int(said[2]), len(_labels(request))


def _unlike(at: int) -> str:
    """Return a text that is like that of no other number."""
    return " ".join(str(at * by**3 % 9973) for by in range(2, 16))


def _labels(request: str) -> list[str]:
    return re.findall(r"^(E\d+)\. ", request, re.MULTILINE)


def _one_part_each(request: str) -> list[dict[str, Any]]:
    """Place the events of a request in turn, without a chapter for every fifth of them."""
    first, last, count = _group(request)
    return [
        {
            "event": label,
            "happens": _unlike(int(label[1:])),
            "chapter": None if at % 5 == 4 else first + (last - first) * at // count,
        }
        for at, label in enumerate(_labels(request))
    ]


def test_model_that_gives_no_outline_is_asked_in_parts_and_the_run_says_so(
    able_desk: Desk,
) -> None:
    def small(sent: Sent) -> Reply | None:
        is_whole = "lines" in json.dumps(sent.schema or {}) and "links" in json.dumps(sent.schema)
        return NONSENSE if is_whole else None

    story, found = outlined(able_desk, outline=small)
    assert found.events
    assert asked(able_desk.server, "storylines")
    assert asked(able_desk.server, "links")
    progress = able_desk.workbench.runs.progress(able_desk.branch(story))
    assert progress is not None
    assert any(note.startswith("Outline: the model gave no full") for note in progress.run.notes)


def test_small_answers_of_an_able_model_are_used_as_they_are(able_desk: Desk) -> None:
    short = {"events": [{"title": "The Pen", "action": "Amos lays the pen on the rail."}]}
    _, found = outlined(able_desk, outline=short, planner={"parts": []})
    [pen] = found.events
    assert (pen.line, pen.characters) == ("The main line", ())
    assert [part.text for part in found.sub_events] == ["Amos lays the pen on the rail."]
