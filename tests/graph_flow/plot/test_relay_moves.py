"""What a move may bring into a story: people, answers to open questions, parts of the outline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graph_flow.plot.answers import SOMEBODY_NEW
from store.models.base import WHOLE
from store.models.cast import Character, Life
from store.models.outline import Outline, OutlineEvent, OutlineState, SubEvent
from store.models.plot import Event, Thread, ThreadState
from store.models.run import PlotChapters
from store.models.story import Gate, GateMode
from store.open import Store
from tests.fakes.scripted_server import Reply, Sent
from tests.graph_flow.plot.relays import QUESTION, Weaving, moving
from tests.graph_flow.scripting import Say, enumerated, request_of, saying
from tests.graph_flow.structure import expect_whole_prototype


def bring(name: str) -> Say:
    """Bring somebody new, where that is asked."""

    def say_so(sent: Sent) -> Reply:
        may_bring = "newcomer" in (sent.schema or {})["properties"]
        met = [SOMEBODY_NEW] if may_bring else []
        return moving(sent, together_with=met, newcomer=name, newcomer_is="ferryman with a limp")

    return say_so


def test_opening_role_may_bring_somebody_whom_the_others_can_meet(
    begin: Callable[..., Weaving],
) -> None:
    weaving = begin()

    weaving.weave(weaving.people[:3], role=bring("Osk Tallis"))

    opening, *later = weaving.asked
    assert SOMEBODY_NEW in enumerated(opening, "together_with", "[]")
    for sent in later:
        assert "Osk Tallis" in enumerated(sent, "together_with", "[]")
        assert "newcomer" not in (sent.schema or {})["properties"]
    snapshot = weaving.desk.workbench.prototype.snapshot(weaving.branch)
    expect_whole_prototype(snapshot)
    [newcomer] = [one for one in snapshot.characters if one.name == "Osk Tallis"]
    assert newcomer.occupation == "ferryman with a limp"


def test_no_other_comes_in_with_the_chapter_after(begin: Callable[..., Weaving]) -> None:
    weaving = begin(gates=dict.fromkeys(Gate, GateMode.GO_ON))
    weaving.desk.server.answer = saying(role=bring("Osk Tallis"))

    weaving.desk.do(weaving.story, PlotChapters(chapters=2))

    asked_for = ["newcomer" in (sent.schema or {})["properties"] for sent in weaving.asked]
    assert asked_for == [True, False, False, False, False, False]


def test_dead_are_not_brought_back_by_their_name(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    rook = Character(id="rook", name="Old Rook", aliases=("The Crow",), life=Life.DEAD)
    weaving.put(rook)
    before = {person.id for person in weaving.people}

    weaving.weave(weaving.people[:3], role=bring("the crow"))

    assert {person.id for person in weaving.people} == before
    for sent in weaving.asked:
        assert "Old Rook" not in enumerated(sent, "together_with", "[]")


def closing(sent: Sent) -> Reply:
    """Answer the first open question, where that is asked."""
    may_close = "closes" in (sent.schema or {})["properties"]
    return moving(sent, closes=enumerated(sent, "closes")[0] if may_close else "nothing")


def test_closing_role_may_answer_an_open_question(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    weaving.put(QUESTION)

    weaving.weave(weaving.people[:3], role=closing)

    *earlier, last = weaving.asked
    assert QUESTION.title in request_of(last)
    assert not any("closes" in (sent.schema or {})["properties"] for sent in earlier)
    thread = weaving.desk.workbench.prototype.snapshot(weaving.branch).get(Thread, "question")
    assert (thread.state, thread.paid_off_in) == (ThreadState.PAID_OFF, 1)


def test_thread_that_the_goal_moves_comes_first(begin: Callable[..., Weaving]) -> None:
    weaving = begin()
    others = [
        QUESTION.model_copy(update={"id": f"q{at}", "title": f"what {word} means"})
        for at, word in enumerate(["salt", "the bell", "the blue coat", "silence", "tar"])
    ]
    weaving.put(QUESTION, *others)

    weaving.weave(weaving.people[:3], role=closing, moves="question")

    assert enumerated(weaving.asked[-1], "closes")[0] == QUESTION.title
    thread = weaving.desk.workbench.prototype.snapshot(weaving.branch).get(Thread, "question")
    assert thread.state is ThreadState.PAID_OFF


@pytest.mark.parametrize(
    "change",
    [
        {"locked": (WHOLE,)},
        {"state": ThreadState.PAID_OFF, "paid_off_in": 0},
        {"state": ThreadState.PLANNED, "planted_in": None},
    ],
)
def test_what_is_locked_settled_or_not_planted_yet_is_not_offered(
    begin: Callable[..., Weaving], change: dict[str, Any]
) -> None:
    weaving = begin()
    thread = QUESTION.model_copy(update=change)
    weaving.put(thread)

    weaving.weave(weaving.people[:3], role=moving)

    assert not any("closes" in (sent.schema or {})["properties"] for sent in weaving.asked)
    assert (
        weaving.desk.workbench.prototype.snapshot(weaving.branch).get(Thread, "question") == thread
    )


def test_moves_tell_what_the_outline_has_for_the_chapter_each_once(
    begin: Callable[..., Weaving], store: Store
) -> None:
    weaving = begin()
    plan = outline(weaving.branch, "The bell rings at low water.", "The boat is gone.")
    store.outlines.save(plan)

    def tell(sent: Sent) -> Reply:
        has_parts = "tells" in (sent.schema or {})["properties"]
        return moving(sent, tells=enumerated(sent, "tells")[0] if has_parts else "nothing")

    parts = tuple(part.id for part in plan.sub_events)
    weaving.weave(weaving.people[:3], role=tell, parts=parts)

    shown = [[part.text in request_of(sent) for part in plan.sub_events] for sent in weaving.asked]
    assert shown == [[True, True], [False, True], [False, False]]
    [candidate] = weaving.candidates
    told = [one.id for one in candidate.delta.additions() if isinstance(one, Event)]
    assert [(one.part, one.event) for one in candidate.tells] == list(
        zip(parts, told, strict=False)
    )


def outline(branch: str, *texts: str) -> Outline:
    """Return an accepted outline with one event, whose parts are all for the first chapter."""
    event = OutlineEvent(id="tide", title="The tide", line="The harbour")
    return Outline(
        id="outline",
        branch=branch,
        events=(event,),
        sub_events=tuple(
            SubEvent(id=f"part{at}", event="tide", text=text, chapter=1)
            for at, text in enumerate(texts)
        ),
        state=OutlineState.ACCEPTED,
        created="2026-01-01T00:00:00Z",
    )
