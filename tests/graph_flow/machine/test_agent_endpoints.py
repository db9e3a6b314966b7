"""Agents with an endpoint of their own: each is asked where the writer says, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graph_flow.errors import PremiseUnusable
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from graph_flow.workbench.workbench import Workbench
from store.models.endpoint import EMBEDDED, Dialect, Endpoint, ModelSettings, ModelStrength
from store.models.run import Initialize, PlotChapters, WriteChapter
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import ScriptedServer, refuse
from tests.graph_flow.scripting import agent_of, asked, request_of

KEYS = {"USUAL_KEY": "sk-usual-0123456789abcdef", "OTHER_KEY": "sk-other-0123456789abcdef"}


@pytest.fixture
def other() -> Iterator[ScriptedServer]:
    """A second model, which some agents are given."""
    with ScriptedServer(answer=going_on) as running:
        yield running


@pytest.fixture
def two(library_path: Path, server: ScriptedServer, other: ScriptedServer) -> Iterator[Desk]:
    """A desk whose usual model is the first server; both have a key of their own."""
    workbench: Workbench = assemble(
        library_path, Terms(OwnModels(KEYS.get)), lambda _seconds, _stop: None
    )
    yield Desk(workbench, server, library_path)
    server.release()
    other.release()
    workbench.close()


Give = Callable[..., None]

LESS = {"strength": ModelStrength.SMALL}
"""What is asked of small models makes the most agents speak."""


@pytest.fixture
def give(two: Desk, other: ScriptedServer) -> Give:
    """Give some agents the second model, of which fields may be set."""

    def give(*agents: str, usual: dict[str, object] | None = None, **fields: object) -> None:
        first = {"base_url": two.server.url, "model": "usual", "key_variable": "USUAL_KEY"} | LESS
        second = {
            "name": "The other",
            "base_url": other.url,
            "model": "other",
            "key_variable": "OTHER_KEY",
        } | LESS
        two.workbench.models.change_settings(
            lambda _: ModelSettings(
                endpoint=Endpoint.model_validate(first | (usual or {})),
                others=(Endpoint.model_validate(second | fields),),
                agents=dict.fromkeys(agents, "The other"),
            )
        )

    return give


def askers(server: ScriptedServer) -> set[str]:
    """Return the agents that asked a server."""
    return {agent_of(sent) for sent in server.history}


def test_one_agent_asks_its_own_model_and_all_others_the_usual_one(
    two: Desk, give: Give, other: ScriptedServer
) -> None:
    give("role")

    two.plotted(1, {"goals": 2, "roles": 2})

    assert askers(other) == {"role"}
    assert askers(two.server) == {
        "foundation", "cast", "character", "ties", "scenes", "goals", "scorer", "exit",
    }  # fmt: skip
    assert {sent.body["model"] for sent in other.history} == {"other"}
    assert {sent.body["model"] for sent in two.server.history} == {"usual"}


def test_a_key_goes_to_its_own_address_only(two: Desk, give: Give, other: ScriptedServer) -> None:
    give("role", "writer_novel")

    two.written({"goals": 1, "roles": 2})

    for server, variable in ((two.server, "USUAL_KEY"), (other, "OTHER_KEY")):
        sent = [f"{one.headers} {one.body}" for one in server.history]
        [strange] = set(KEYS) - {variable}
        assert sent
        assert all(KEYS[variable] in one for one in sent)
        assert not any(KEYS[strange] in one for one in sent)


def test_text_that_streams_comes_from_the_writer_s_model(
    two: Desk, give: Give, other: ScriptedServer
) -> None:
    give("writer_novel")

    two.written({"goals": 1, "roles": 1})

    assert askers(other) == {"writer_novel"}
    assert "writer_novel" not in askers(two.server)


def test_ledger_names_the_model_that_was_asked_and_takes_its_price(two: Desk, give: Give) -> None:
    give("scorer", price_in=10.0)

    story = two.plotted(1, {"goals": 2, "roles": 1})

    spent = two.workbench.ledger.of_line(two.branch(story)).agents
    assert {one.agent for one in spent if one.cost} == {"scorer"}
    estimate = two.workbench.runs.estimate(two.branch(story), PlotChapters())
    [scorer] = [one for one in spent if one.agent == "scorer"]
    assert estimate.is_priced
    assert estimate.cost == pytest.approx(scorer.cost / scorer.calls)
    assert not two.workbench.runs.estimate(two.branch(story), WriteChapter(chapter=1)).is_priced


def test_prompt_is_as_long_as_the_agent_s_own_model_can_read(
    two: Desk, give: Give, other: ScriptedServer
) -> None:
    give("scorer", context_window=4_096)

    two.plotted(1, {"goals": 2, "roles": 1})

    [small] = asked(other, "scorer")
    assert "Why" not in request_of(small)
    entrants = (small.schema or {})["properties"]
    assert all(
        field["type"] == "integer"
        for card in entrants.values()
        for name, field in card["properties"].items()
        if name != "Why"
    )


def test_small_usual_model_does_not_hold_a_larger_one_back(
    two: Desk, give: Give, other: ScriptedServer
) -> None:
    give("plot", usual={"context_window": 4_096})

    two.plotted(1, {"goals": 1, "roles": 2, "is_woven": False})

    [sent] = asked(other, "plot")
    assert (sent.schema or {})["properties"]["moves"]["maxItems"] == 5


def test_no_endpoint_gets_more_calls_at_once_than_it_takes(
    two: Desk, give: Give, other: ScriptedServer
) -> None:
    give("role", usual={"concurrency": 4}, concurrency=1)

    two.plotted(2, {"goals": 3, "roles": 2})

    assert other.most_at_once == 1


def test_dialect_is_remembered_for_the_endpoint_that_has_it(
    two: Desk, give: Give, other: ScriptedServer
) -> None:
    give("goals", base_url=f"{other.url}/", dialect=Dialect.FULL)
    story = two.founded({"goals": 1, "roles": 1})
    other.queue(refuse(400, "response_format json_schema is not supported"))

    two.do(story, PlotChapters(is_autopilot=True))

    settings = two.workbench.models.settings()
    [found] = settings.others
    assert found.dialect is not None
    assert found.dialect is not Dialect.FULL
    assert settings.endpoint is not None
    assert settings.endpoint.dialect is None
    assert settings.agents == {"goals": "The other"}


def test_premise_fits_the_smallest_model_that_reads_it(two: Desk, give: Give) -> None:
    premise = "lighthouse " * 2_000
    story = two.story(premise=premise)

    give("exit", "writer_novel", context_window=4_096)
    assert two.workbench.models.premise_limit(premise) == len(premise)

    give("character", context_window=4_096)
    assert two.workbench.models.premise_limit(premise) < len(premise)
    with pytest.raises(PremiseUnusable):
        two.workbench.runs.start(two.branch(story), Initialize())


def test_agent_can_be_given_the_embedded_model(two: Desk, give: Give) -> None:
    give("role")
    settings = two.workbench.models.settings().with_agent("exit", EMBEDDED)
    two.workbench.models.change_settings(lambda _: settings)

    uses = {use.label: use.agents for use in two.workbench.models.uses()}

    assert uses["The other"] == ("role",)
    assert uses["Sample model, offline"] == ("exit",)
    assert two.workbench.models.chip().label == "usual and 2 more"
    assert not two.workbench.models.chip().is_embedded


def test_settings_that_change_during_a_run_count_from_the_next_call_on(
    two: Desk, give: Give, other: ScriptedServer
) -> None:
    give()
    story = two.plotted(1, {"goals": 1, "roles": 1})
    assert other.history == []

    give("goals", "role", "scorer", "exit")
    before = len(two.server.history)
    two.do(story, PlotChapters(is_autopilot=True))

    assert len(two.server.history) == before
    assert askers(other) == {"goals", "role", "scorer", "exit"}
