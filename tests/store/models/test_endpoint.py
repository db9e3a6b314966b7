"""Which model each agent is given: kept by name, and read from what was stored before there was a choice."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from store.models.endpoint import EMBEDDED, Endpoint, ModelSettings

OLD = (
    '{"endpoint": {"name": "m", "base_url": "http://127.0.0.1:9/v1", "model": "m", '
    '"key_variable": "A_KEY", "context_window": 32768, "price_in": 0.0, "price_out": 0.0, '
    '"concurrency": 4, "timeout": 120.0, "dialect": "full"}, "model_file": ""}'
)
"""As editions kept it in which all agents asked the same model."""


def named(name: str, model: str = "m") -> Endpoint:
    return Endpoint(name=name, base_url="http://127.0.0.1:9/v1", model=model)


TWO = ModelSettings(
    others=(named("quick"), named("best")),
    agents={"exit": "quick", "scorer": "quick", "writer_novel": "best"},
)


def test_settings_of_before_are_read() -> None:
    settings = ModelSettings.model_validate_json(OLD)

    assert settings.endpoint is not None
    assert settings.endpoint.key_variable == "A_KEY"
    assert (settings.others, settings.agents) == ((), {})


def test_settings_are_kept_and_read_again() -> None:
    assert ModelSettings.model_validate_json(TWO.model_dump_json()) == TWO


@pytest.mark.parametrize("names", [("quick", "Quick"), ("",), (EMBEDDED,)])
def test_each_further_model_has_a_name_of_its_own(names: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError):
        ModelSettings(others=tuple(map(named, names)))


def test_model_that_is_renamed_keeps_its_agents() -> None:
    settings = TWO.with_other(named("quicker", "n"), was="quick")

    assert [one.name for one in settings.others] == ["quicker", "best"]
    assert settings.agents == {"exit": "quicker", "scorer": "quicker", "writer_novel": "best"}
    with pytest.raises(ValidationError):
        TWO.with_other(named("best"), was="quick")


def test_model_that_was_removed_meanwhile_is_added_again_when_it_is_saved() -> None:
    settings = TWO.without_other("quick").with_other(named("quick"), was="quick")

    assert [one.name for one in settings.others] == ["best", "quick"]


def test_agents_of_a_removed_model_ask_the_usual_one() -> None:
    settings = TWO.without_other("quick")

    assert [one.name for one in settings.others] == ["best"]
    assert settings.agents == {"writer_novel": "best"}


def test_agent_is_given_a_model_and_the_usual_one_again() -> None:
    given = TWO.with_agent("goals", EMBEDDED)

    assert given.agents["goals"] == EMBEDDED
    assert given.with_agent("goals", "") == TWO


def test_value_that_is_refused_is_not_repeated() -> None:
    typed = "a-key-typed-for-a-name" * 40

    with pytest.raises(ValidationError) as refused:
        Endpoint(base_url="http://127.0.0.1:9/v1", model=typed)
    with pytest.raises(ValidationError) as whole:
        ModelSettings.model_validate({"endpoint": {"base_url": "http://h.example", "model": typed}})

    assert "a-key-typed" not in str(refused.value) + str(whole.value)
