"""Settings: further models, and which agent is given which."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from graph_flow.agents import AGENTS
from store.models.endpoint import EMBEDDED, Endpoint, ModelSettings, ModelStrength
from tests.fakes.scripted_server import refuse
from tests.pages.desk import HOSTILE, Desk, expect_only_text, expect_whole, words

KEY = "sk-proj-4f9Kd02mXz71LqPw8RtY"


def adding(desk: Desk, **fields: str) -> AppTest:
    """Open Settings on the form of a further model, with these fields typed."""
    window = desk.window("settings")
    window.button(key="other-add").click().run()
    typed = {"url": desk.server.url, "name": "deep", **fields}
    for field, text in typed.items():
        window.text_input(key=f"other-{field}").set_value(text)
    return window


def press(window: AppTest, key: str) -> AppTest:
    window.button(key=key).click().run()
    expect_whole(window)
    return window


def give(window: AppTest, agent: str, model: str) -> AppTest:
    """Choose which model an agent asks; none is the usual one."""
    [box] = [one for one in window.selectbox if str(one.key).startswith(f"agent-{agent}-")]
    box.set_value(model).run()
    expect_whole(window)
    return window


def with_one(desk: Desk, name: str = "Best", **agents: str) -> Endpoint:
    """Let the settings have a further model already."""
    endpoint = Endpoint(
        name=name, base_url=desk.server.url, model="deep", strength=ModelStrength.SMALL
    )
    desk.workbench.models.change_settings(
        lambda _: ModelSettings(others=(endpoint,), agents=agents)
    )
    return endpoint


def test_further_model_is_added_and_given_to_an_agent(desk: Desk) -> None:
    window = press(adding(desk, called="Best", **{"key-variable": "BEST_KEY"}), "other-save")

    [kept] = desk.workbench.models.settings().others
    assert (kept.name, kept.model, kept.key_variable) == ("Best", "deep", "BEST_KEY")
    give(window, "writer_novel", "Best")

    assert desk.workbench.models.settings().agents == {"writer_novel": "Best"}
    assert "**Best**: Writer\n- **scripted**: all other agents" in words(window)
    assert desk.workbench.models.chip().label == "scripted and one more"


@pytest.mark.parametrize("field", ["called", "name", "url"])
def test_key_that_is_typed_for_a_further_model_is_refused(desk: Desk, field: str) -> None:
    for submit in ("other-save", "other-test"):
        window = press(adding(desk, **{field: KEY}), submit)

        assert "looks like a key" in words(window)
        assert window.text_input(key=f"other-{field}").value == ""
        assert KEY not in words(window) + repr(window.session_state)
    assert desk.workbench.models.settings() == ModelSettings()
    assert desk.server.history == []


def test_model_without_a_name_is_called_as_its_provider_does(desk: Desk) -> None:
    press(adding(desk), "other-save")

    assert [one.name for one in desk.workbench.models.settings().others] == ["deep"]


def test_every_agent_can_be_given_the_sample_model(desk: Desk) -> None:
    window = desk.window("settings")
    boxes = [str(one.key) for one in window.selectbox if str(one.key).startswith("agent-")]
    assert len(boxes) == len(AGENTS)

    give(window, "exit", EMBEDDED)
    assert desk.workbench.models.settings().agents == {"exit": EMBEDDED}
    give(window, "exit", "")
    assert desk.workbench.models.settings() == ModelSettings()
    assert "In use now: **scripted**" in words(window)


def test_where_there_is_one_model_only_there_is_nothing_to_choose(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TELLWRIGHT_MODEL")

    window = desk.window("settings")

    expect_whole(window)
    assert not [one for one in window.selectbox if str(one.key).startswith("agent-")]
    assert "Add a model" in words(window)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"url": "localhost:1234"}, "must begin with http"),
        ({"url": "https://me:secret@host/v1"}, "password or key"),
        ({"name": " "}, "Name the model"),
        ({"key-variable": "MY KEY"}, "letters, digits and underscores"),
        ({"called": "best"}, "same name"),
        ({"called": "Embedded"}, "needs a name"),
        ({"called": "The model above"}, "already has this name"),
    ],
)
def test_what_cannot_be_right_is_refused_and_stays_typed(
    desk: Desk, fields: dict[str, str], reason: str
) -> None:
    before = with_one(desk)

    window = press(adding(desk, **{"called": "New", **fields}), "other-save")

    assert reason in words(window)
    assert desk.workbench.models.settings().others == (before,)
    typed = {"called": "New", "url": desk.server.url, "name": "deep", **fields}
    for field, text in typed.items():
        assert window.text_input(key=f"other-{field}").value == text


@pytest.mark.parametrize("button", ["other-save", "other-test"])
def test_pasted_key_is_refused_and_kept_nowhere(desk: Desk, button: str) -> None:
    window = press(adding(desk, called="Best", **{"key-variable": KEY}), button)

    assert "This looks like the key itself" in words(window)
    assert window.text_input(key="other-key-variable").value == ""
    assert window.text_input(key="other-called").value == "Best"
    assert KEY not in words(window)
    assert KEY not in repr(window.session_state)
    assert desk.workbench.models.settings() == ModelSettings()
    assert desk.server.history == []


def test_connection_is_tested_before_and_after_it_is_saved(desk: Desk) -> None:
    window = press(adding(desk, called="Best"), "other-test")
    assert "Answers in" in window.success[0].value
    assert desk.workbench.models.settings() == ModelSettings()

    press(window, "other-save")
    desk.server.queue(refuse(401, "no such key"))
    press(window, "other-Best-test")
    assert "does not accept the key" in window.error[0].value
    assert desk.server.history[-1].body["model"] == "deep"


def test_model_is_renamed_and_keeps_its_agents(desk: Desk) -> None:
    with_one(desk, exit="Best")
    window = press(desk.window("settings"), "other-Best-edit")

    window.text_input(key="other-Best-called").set_value("Finest")
    press(window, "other-Best-save")

    settings = desk.workbench.models.settings()
    assert [one.name for one in settings.others] == ["Finest"]
    assert settings.agents == {"exit": "Finest"}


def test_editing_can_be_left_off(desk: Desk) -> None:
    before = with_one(desk)
    window = press(desk.window("settings"), "other-Best-edit")

    window.text_input(key="other-Best-called").set_value("Finest")
    press(window, "other-Best-cancel")

    assert desk.workbench.models.settings().others == (before,)
    assert window.button(key="other-Best-edit")


def test_removing_says_whom_it_concerns_and_asks_first(desk: Desk) -> None:
    with_one(desk, exit="Best", scorer="Best")
    window = press(desk.window("settings"), "other-Best-remove")
    assert r"to the model above\: Is the goal reached? · Scorer" in words(window)

    press(window, "other-Best-keep")
    assert desk.workbench.models.settings().others
    press(window, "other-Best-remove")
    press(window, "other-Best-sure")

    assert desk.workbench.models.settings() == ModelSettings()
    assert "In use now: **scripted**" in words(window)


def test_saving_the_usual_model_keeps_the_further_ones(desk: Desk) -> None:
    other = with_one(desk, exit="Best")
    window = desk.window("settings")

    window.radio(key="model-source").set_value("own").run()
    window.text_input(key="model-url").set_value(desk.server.url)
    window.text_input(key="model-name").set_value("big")
    [save] = [one for one in window.button if one.label == "Save"]
    save.click().run()

    settings = desk.workbench.models.settings()
    assert settings.endpoint is not None
    assert settings.others == (other,)
    assert settings.agents == {"exit": "Best"}


def test_name_of_a_model_is_only_text(desk: Desk) -> None:
    with_one(desk, HOSTILE, exit=HOSTILE)

    window = desk.window("settings")

    expect_whole(window)
    expect_only_text(window, HOSTILE)
