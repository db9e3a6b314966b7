"""Settings: which model writes, keys that are refused, and how a story is made."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.settings.model import Source
from store.models.endpoint import Dialect, Endpoint, ModelSettings, ModelStrength
from store.models.story import Gate
from tests.fakes.scripted_server import refuse
from tests.pages.desk import Desk, button, expect_whole, turn_to, words
from tests.wording import says

KEYS = [
    "sk-proj-4f9Kd02mXz71LqPw8RtY",
    "gsk_a81bC92dE03fG14hI25jK",
    "AIzaSyD4f9Kd02mXz71LqPw8RtYuIoP",
    "9f86d081884c7d659a2feaa0c55ad015",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0",
]


def own_model(desk: Desk, **fields: str) -> AppTest:
    """Open Settings on a model of one's own, with these fields typed."""
    window = desk.window("settings")
    window.radio(key="model-source").set_value("own").run()
    typed = {"model-url": desk.server.url, "model-name": "big", **fields}
    for key, text in typed.items():
        window.text_input(key=key).set_value(text)
    return window


def submit(window: AppTest, label: str) -> AppTest:
    button(window, label).click().run()
    expect_whole(window)
    return window


def test_own_endpoint_is_saved_and_used(desk: Desk) -> None:
    window = own_model(desk, **{"model-key-variable": "MY_MODEL_KEY"})

    submit(window, "Save")

    endpoint = desk.workbench.models.settings().endpoint
    assert endpoint is not None
    assert (endpoint.base_url, endpoint.model) == (desk.server.url, "big")
    assert endpoint.key_variable == "MY_MODEL_KEY"
    assert "In use now: **big**" in words(window)


@pytest.mark.parametrize("key", KEYS)
def test_pasted_key_is_refused_and_kept_nowhere(desk: Desk, library_path: Path, key: str) -> None:
    for label in ("Save", "Test connection"):
        window = own_model(desk, **{"model-key-variable": key})

        submit(window, label)

        assert "This looks like the key itself" in words(window)
        assert window.text_input(key="model-key-variable").value == ""
        assert window.text_input(key="model-name").value == "big"
        assert key not in words(window)
        assert key not in repr(window.session_state)
    assert desk.workbench.models.settings() == ModelSettings()
    assert desk.server.history == []
    files = library_path.parent.glob(f"{library_path.name}*")
    assert not any(key.encode() in file.read_bytes() for file in files)


MODEL_KEY = "correct-horse-battery-staple"
"""What the variable of a model holds in these tests: it does not look like a key."""


@pytest.mark.parametrize("key", [*KEYS, "Bearer 4f9Kd02mXz71", MODEL_KEY])
@pytest.mark.parametrize(
    ("field", "label"), [("model-name", "“Model”"), ("model-url", "“Address”")]
)
def test_key_that_is_typed_for_another_line_is_refused_and_kept_nowhere(
    desk: Desk,
    library_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    field: str,
    label: str,
    key: str,
) -> None:
    monkeypatch.setenv("MY_MODEL_KEY", MODEL_KEY)
    known = ModelSettings(endpoint=Endpoint(base_url="https://h.example/v1", model="usual"))
    desk.workbench.models.change_settings(lambda _: known)
    for button_label in ("Save", "Test connection"):
        window = own_model(desk, **{"model-key-variable": "MY_MODEL_KEY", field: key})

        submit(window, button_label)

        said = words(window)
        assert f"What was typed for {label} looks like a key" in said
        assert window.text_input(key=field).value == ""
        assert window.text_input(key="model-key-variable").value == "MY_MODEL_KEY"
        assert len(window.warning) == 0
        assert key not in said
        assert key not in repr(window.session_state)
    assert desk.workbench.models.settings() == known
    assert desk.server.history == []
    files = library_path.parent.glob(f"{library_path.name}*")
    assert not any(key.encode() in file.read_bytes() for file in files)


def test_key_that_is_typed_for_the_path_of_a_file_is_refused(desk: Desk) -> None:
    window = desk.window("settings")
    window.radio(key="model-source").set_value("file").run()

    window.text_input(key="model-file").set_value(KEYS[0])
    submit(window, "Save")

    assert "looks like a key" in words(window)
    assert window.text_input(key="model-file").value == ""
    assert KEYS[0] not in repr(window.session_state)


def test_connection_is_tested_without_being_saved(desk: Desk) -> None:
    window = submit(own_model(desk), "Test connection")

    assert "Answers in" in window.success[0].value
    assert desk.workbench.models.settings() == ModelSettings()


def test_failed_test_says_what_is_wrong(desk: Desk) -> None:
    window = own_model(desk)
    desk.server.queue(refuse(401, "no such key"))

    submit(window, "Test connection")

    assert says(window.error[0].value, "key")
    assert window.text_input(key="model-name").value == "big"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"model-url": "localhost:1234"}, "must begin with http"),
        ({"model-url": "https://me:secret@host/v1"}, "password or key"),
        ({"model-url": "http://[broken"}, "not a valid address"),
        ({"model-name": "  "}, "Name the model"),
        ({"model-key-variable": "MY KEY"}, "letters, digits and underscores"),
    ],
)
def test_fields_that_cannot_be_right_are_refused(
    desk: Desk, fields: dict[str, str], reason: str
) -> None:
    window = submit(own_model(desk, **fields), "Save")

    assert reason in words(window)
    assert desk.workbench.models.settings() == ModelSettings()


def test_what_was_found_out_stays_where_the_endpoint_does(desk: Desk) -> None:
    known = Endpoint(
        base_url=desk.server.url,
        model="big",
        dialect=Dialect.JSON_ONLY,
        strength=ModelStrength.SMALL,
    )
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=known))

    submit(own_model(desk), "Save")
    kept = desk.workbench.models.settings().endpoint
    submit(own_model(desk, **{"model-name": "other"}), "Save")
    other = desk.workbench.models.settings().endpoint

    assert kept is not None
    assert kept.dialect is Dialect.JSON_ONLY
    assert other is not None
    assert other.dialect is None


def test_own_endpoint_is_able_unless_the_writer_says_that_it_is_small(desk: Desk) -> None:
    window = submit(own_model(desk), "Save")
    usual = desk.workbench.models.settings().endpoint

    window.radio(key="model-strength").set_value(ModelStrength.SMALL)
    submit(window, "Save")
    chosen = desk.workbench.models.settings().endpoint

    assert usual is not None
    assert usual.strength is ModelStrength.ABLE
    assert chosen is not None
    assert chosen.strength is ModelStrength.SMALL


def test_model_file_must_be_there(desk: Desk, tmp_path: Path) -> None:
    window = desk.window("settings")
    window.radio(key="model-source").set_value("file").run()

    window.text_input(key="model-file").set_value(str(tmp_path / "none.gguf"))
    submit(window, "Save")
    assert "There is no file at this path" in words(window)

    file = tmp_path / "some.gguf"
    file.write_bytes(b"GGUF")
    window.text_input(key="model-file").set_value(str(file))
    submit(window, "Save")
    assert desk.workbench.models.settings() == ModelSettings(model_file=str(file), is_embedded=True)

    window.radio(key="model-file-strength").set_value(ModelStrength.ABLE)
    submit(window, "Save")
    assert desk.workbench.models.settings().file_strength is ModelStrength.ABLE


def test_without_a_story_only_the_model_is_set(desk: Desk) -> None:
    window = desk.window("settings")

    expect_whole(window)
    assert "Open a story" in words(window)
    assert len(window.toggle) == 0


def test_gates_and_sizes_are_saved_with_the_story(desk: Desk) -> None:
    story = desk.story()
    window = desk.window("settings", story)

    window.toggle(key=f"gate-{story.id}-goals").set_value(False).run()
    window.number_input(key=f"setting-{story.id}-goals").set_value(2).run()
    window.number_input(key=f"setting-{story.id}-words_per_scene").set_value(90).run()

    expect_whole(window)
    kept = desk.workbench.library.story(story.id).settings
    assert not kept.asks(Gate.GOALS)
    assert kept.asks(Gate.PLAN)
    assert (kept.goals, kept.words_per_scene, kept.roles) == (2, 90, 3)
    turn_to(window, "premise")
    turn_to(window, "settings")
    assert not window.toggle(key=f"gate-{story.id}-goals").value


def test_parts_of_the_method_are_left_out_and_taken_in_again(desk: Desk) -> None:
    story = desk.story()
    window = desk.window("settings", story)

    window.number_input(key=f"setting-{story.id}-rounds").set_value(2).run()
    window.toggle(key=f"direct-{story.id}").set_value(True).run()
    window.toggle(key=f"without-{story.id}-is_woven").set_value(True).run()
    window.toggle(key=f"without-{story.id}-recalls").set_value(True).run()

    expect_whole(window)
    kept = desk.workbench.library.story(story.id).settings
    assert (kept.rounds, kept.is_woven, kept.recalls) == (2, False, False)
    assert kept.is_direct
    window.toggle(key=f"without-{story.id}-recalls").set_value(False).run()
    assert desk.workbench.library.story(story.id).settings.recalls


def test_cost_of_a_story_is_told(desk: Desk) -> None:
    story = desk.drafted()
    totals = desk.workbench.ledger.totals(branch=desk.branch(story))

    window = desk.window("settings", story)

    expect_whole(window)
    assert totals.calls > 0
    assert f"{totals.calls} calls · {totals.tokens_in:,} tokens in" in words(window)


def test_what_is_shown_is_what_is_called_whatever_the_environment_names(desk: Desk) -> None:
    """With the model's variable set, the sample model must not be the environment's under its name."""
    window = desk.window("settings")
    [source] = [one for one in window.radio if one.key == "model-source"]
    assert source.value is Source.ENVIRONMENT
    assert "scripted at 127" in source.proto.captions[0]

    submit(own_model(desk), "Save")
    window = desk.window("settings")
    [source] = [one for one in window.radio if one.key == "model-source"]
    assert source.value is Source.OWN
    assert source.options[0] == "The model named in the environment"

    submit(source.set_value(Source.SAMPLE).run(), "Save")
    assert desk.workbench.models.chip().is_embedded
    window = desk.window("settings")
    [source] = [one for one in window.radio if one.key == "model-source"]
    assert source.value is Source.SAMPLE

    submit(source.set_value(Source.ENVIRONMENT).run(), "Save")
    assert not desk.workbench.models.chip().is_embedded


def test_page_says_before_the_first_call_which_model_is_asked_and_where(desk: Desk) -> None:
    story = desk.story()

    [said] = [one.value for one in desk.window("premise", story).caption if "calls to" in one.value]

    assert "scripted at 127" in said.replace("\\", "")


def test_writer_says_for_how_many_chapters_prompts_are_kept(desk: Desk) -> None:
    story = desk.founded()
    kept = desk.workbench.prompts.kept()
    window = desk.window("settings", story)
    [box] = [one for one in window.selectbox if "given and answered" in one.label]

    assert f"{kept.calls} calls in " in words(window)
    assert box.value == "20"
    box.set_value("all").run()
    expect_whole(window)
    assert desk.workbench.prompts.keeping.chapters is None
    [box] = [one for one in window.selectbox if "given and answered" in one.label]
    box.set_value("5").run()
    assert desk.workbench.prompts.keeping.chapters == 5
