"""What an endpoint enforces is found out, kept through bad answers, and found out again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from graph_flow.llm.dialects import BROKEN_IN_A_ROW, GOOD_BEFORE_TRIAL
from graph_flow.llm.errors import UnusableAnswer
from store.models.endpoint import Dialect
from tests.fakes import scripted_server as fake
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, say, say_json
from tests.graph_flow.llm.desk import ASKED, DINNER, Desk

MakeDesk = Callable[..., Desk]

BROKEN = say("With pleasure! Who shall come?")
GOOD = say_json(DINNER)
KINDS = {
    "json_schema": "enforced",
    "json_object": "json",
    "text": "words",
}


def ask(desk: Desk, times: int = 1) -> None:
    """Ask for so many objects, each with a prompt of its own."""
    for _ in range(times):
        desk.gateway.structured(desk.request(f"dinner {len(desk.ledger.calls)}"), ASKED)


def kinds(desk: Desk) -> list[str]:
    """Return what was asked of each answer's form."""
    return [KINDS[sent.response_format.get("type", "text")] for sent in desk.server.history]


def ignoring(sent: Sent) -> Reply | None:
    """Take a schema and ignore it, as some endpoints do, unless it is said in words."""
    is_said = "It must follow this JSON schema" in sent.prompt
    return GOOD if is_said else BROKEN


def test_one_broken_answer_changes_nothing(desk: Desk) -> None:
    desk.server.queue(BROKEN, GOOD)

    ask(desk, 2)

    assert kinds(desk) == ["enforced"] * 3
    assert '"enum":["calm","angry"]' in desk.server.history[1].messages[-1]["content"]
    assert desk.dialects == []


def test_broken_answers_count_only_in_a_row(desk: Desk) -> None:
    for _ in range(4):
        desk.server.queue(*[BROKEN] * (BROKEN_IN_A_ROW - 1), GOOD, GOOD)

    ask(desk, 8)

    assert set(kinds(desk)) == {"enforced"}


def test_an_endpoint_that_ignores_schemas_is_found_out(desk: Desk) -> None:
    """Shown the schema as part of its mistake it answers well, which is no sign of enforcement."""
    desk.server.answer = ignoring

    ask(desk, BROKEN_IN_A_ROW + 2)

    assert kinds(desk) == ["enforced"] * (2 * BROKEN_IN_A_ROW - 1) + ["json"] * 3
    assert '"enum":["calm","angry"]' in desk.server.history[-1].messages[0]["content"]


def test_a_bad_hour_is_over_after_some_good_answers(desk: Desk) -> None:
    desk.server.queue(*[BROKEN] * BROKEN_IN_A_ROW)
    with pytest.raises(UnusableAnswer):
        ask(desk)

    ask(desk, GOOD_BEFORE_TRIAL + 2)

    expected = ["enforced"] * BROKEN_IN_A_ROW + ["json"] * GOOD_BEFORE_TRIAL + ["enforced"] * 2
    assert kinds(desk) == expected


def test_trials_in_vain_come_ever_more_rarely(desk: Desk) -> None:
    desk.server.answer = ignoring

    ask(desk, BROKEN_IN_A_ROW * 3 + 7 * GOOD_BEFORE_TRIAL - 1)

    tried = [place for place, kind in enumerate(kinds(desk)) if kind == "enforced"]
    spans = [later - place - 1 for place, later in pairwise(tried)]
    # The last of the broken answers is asked again for JSON only, and that answer counts for nothing.
    assert [span for span in spans if span] == [GOOD_BEFORE_TRIAL + 1, 2 * GOOD_BEFORE_TRIAL + 1]
    assert len(tried) == 3 * (2 * BROKEN_IN_A_ROW - 1)


def test_a_trial_that_succeeds_leaves_no_mark(desk: Desk) -> None:
    for _ in range(2):
        desk.server.queue(*[BROKEN] * BROKEN_IN_A_ROW)
        with pytest.raises(UnusableAnswer):
            ask(desk)
        before = len(desk.server.history)
        ask(desk, GOOD_BEFORE_TRIAL + BROKEN_IN_A_ROW)
        assert kinds(desk)[before:] == ["json"] * GOOD_BEFORE_TRIAL + ["enforced"] * BROKEN_IN_A_ROW


def test_what_broken_answers_taught_is_not_saved(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    """Another run, after a restart, begins with the schema again."""
    desk = make_desk(server)
    server.answer = ignoring
    ask(desk, BROKEN_IN_A_ROW + 1)
    assert kinds(desk)[-1] == "json"

    ask(make_desk(server))

    assert desk.dialects == []
    assert kinds(desk)[-2:] == ["enforced"] * 2


def test_a_refusal_of_the_schema_is_learned_at_once_and_saved(make_desk: MakeDesk) -> None:
    with ScriptedServer(dialect=Dialect.JSON_ONLY) as server:
        desk = make_desk(server)
        ask(desk, GOOD_BEFORE_TRIAL + 2)

        assert desk.dialects == [Dialect.STRICT, Dialect.JSON_ONLY]
        assert kinds(desk).count("enforced") == 2, "and what was refused is not tried again"


@pytest.mark.parametrize(
    "reply", [fake.refuse(500, "oops"), fake.page(), fake.cut('{"guests": ['), fake.broken_json()]
)
def test_faults_of_the_endpoint_say_nothing_about_schemas(desk: Desk, reply: Reply) -> None:
    for _ in range(2 * BROKEN_IN_A_ROW):
        desk.server.queue(reply, GOOD)

    ask(desk, 2 * BROKEN_IN_A_ROW)

    assert set(kinds(desk)) == {"enforced"}


def test_a_connection_test_mends_what_was_saved_in_a_bad_hour(
    server: ScriptedServer, make_desk: MakeDesk
) -> None:
    desk = make_desk(server, dialect=Dialect.NONE)

    report = desk.gateway.test_connection(desk.endpoint)

    assert report.dialect is Dialect.FULL
    assert desk.dialects == [Dialect.FULL]
