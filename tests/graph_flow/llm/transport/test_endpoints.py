from __future__ import annotations

from pathlib import Path

import pytest

from graph_flow.llm.errors import KeyGiven, KeyMissing
from graph_flow.llm.transport.endpoints import (
    NO_KEY,
    Connection,
    EndpointBook,
    LocalFile,
    called,
    embedded_endpoint,
    with_dialect,
)
from graph_flow.llm.transport.key_guard import HIDDEN
from graph_flow.llm.transport.offer import EMBEDDED_URL, OPENAI_URL, OwnModels, tidy_address
from store.models.endpoint import EMBEDDED, Dialect, Endpoint, ModelSettings, ModelStrength


class Local:
    """A local model that only counts."""

    def __init__(self, file: LocalFile | None) -> None:
        self.file = file
        self.starts = 0
        self.is_stopped = False

    def ensure(self) -> Connection:
        self.starts += 1
        return Connection(embedded_endpoint(self.file), "local-key", is_embedded=True)

    def revive(self, failed: Connection) -> None:
        assert failed.is_embedded
        self.starts += 1

    def stop(self) -> None:
        self.is_stopped = True


class Shelf:
    """An endpoint book with everything that it reads."""

    def __init__(self, settings: ModelSettings | None = None, **variables: str) -> None:
        self.settings = settings or ModelSettings()
        self.variables = variables
        self.locals: list[Local] = []
        self.looked_up: list[str] = []
        self.book = EndpointBook(lambda: self.settings, OwnModels(self.read), self.make)

    def read(self, name: str) -> str | None:
        self.looked_up.append(name)
        return self.variables.get(name)

    def make(self, file: LocalFile | None) -> Local:
        self.locals.append(Local(file))
        return self.locals[-1]


MINE = Endpoint(name="Mine", base_url="http://mine.example/v1", model="m", key_variable="MINE_KEY")


def test_a_key_that_lies_about_never_leads_to_a_bill() -> None:
    shelf = Shelf(OPENAI_API_KEY="sk-somebody-else", OPENAI_BASE_URL="http://other.example/v1")

    assert shelf.book.current().base_url == EMBEDDED_URL
    assert shelf.book.connect().is_embedded


def test_settings_come_before_the_environment() -> None:
    shelf = Shelf(ModelSettings(endpoint=MINE), TELLWRIGHT_MODEL="other", MINE_KEY="key")

    assert shelf.book.current() == MINE
    assert shelf.book.connect().key == "key"
    assert shelf.locals == []


def test_the_environment_names_a_model_at_openai() -> None:
    shelf = Shelf(TELLWRIGHT_MODEL="gpt-x", OPENAI_API_KEY="sk-mine")

    connection = shelf.book.connect()

    assert (connection.endpoint.base_url, connection.endpoint.model) == (OPENAI_URL, "gpt-x")
    assert connection.key == "sk-mine"


def test_the_environment_names_a_model_elsewhere_without_a_key() -> None:
    shelf = Shelf(TELLWRIGHT_MODEL="qwen", OPENAI_BASE_URL="http://localhost:11434/v1/")

    connection = shelf.book.connect()

    assert connection.endpoint.base_url == "http://localhost:11434/v1"
    assert connection.key == NO_KEY


def test_openai_without_a_key_says_so() -> None:
    with pytest.raises(KeyMissing, match="OPENAI_API_KEY"):
        Shelf(TELLWRIGHT_MODEL="gpt-x").book.connect()


def test_an_endpoint_without_a_key_variable_never_gets_the_environments_key() -> None:
    keyless = MINE.model_copy(update={"key_variable": None})
    shelf = Shelf(ModelSettings(endpoint=keyless), OPENAI_API_KEY="sk-secret")

    assert shelf.book.connect().key == NO_KEY


def test_looking_at_the_embedded_endpoint_starts_nothing() -> None:
    shelf = Shelf()

    assert shelf.book.current() == embedded_endpoint()
    assert shelf.locals == []


def test_settings_can_change_while_the_app_runs() -> None:
    shelf = Shelf()
    shelf.book.connect()
    shelf.settings = ModelSettings(model_file="/models/big.gguf")

    connection = shelf.book.connect()

    assert [local.is_stopped for local in shelf.locals] == [True, False]
    assert shelf.locals[1].file == LocalFile(Path("/models/big.gguf"))
    assert connection.endpoint.model == "big"


def test_model_file_is_asked_for_little_unless_it_is_said_to_be_able() -> None:
    shelf = Shelf(ModelSettings(model_file="/models/big.gguf"))
    small = shelf.book.connect().endpoint
    shelf.settings = shelf.settings.model_copy(update={"file_strength": ModelStrength.ABLE})
    able = shelf.book.connect().endpoint

    assert (small.strength, able.strength) == (ModelStrength.SMALL, ModelStrength.ABLE)
    assert [local.is_stopped for local in shelf.locals] == [True, False]
    assert able.context_window > small.context_window
    shelf.settings = ModelSettings(file_strength=ModelStrength.ABLE)
    assert shelf.book.current().strength is ModelStrength.SMALL


@pytest.mark.parametrize(
    ("said", "strength"),
    [
        ("", ModelStrength.ABLE),
        ("able", ModelStrength.ABLE),
        (" Small ", ModelStrength.SMALL),
        ("strong", ModelStrength.ABLE),
    ],
)
def test_model_of_the_environment_is_able_unless_that_says_otherwise(
    said: str, strength: ModelStrength
) -> None:
    shelf = Shelf(TELLWRIGHT_MODEL="m", TELLWRIGHT_STRENGTH=said)

    assert shelf.book.current().strength is strength


def test_the_same_local_model_is_used_again_until_it_is_closed() -> None:
    shelf = Shelf()
    shelf.book.connect()
    shelf.book.revive(shelf.book.connect())

    assert [local.starts for local in shelf.locals] == [3]
    shelf.book.close()
    assert shelf.locals[0].is_stopped


OTHER = Endpoint(name="Other", base_url="http://other.example/v1/", model="o")


def test_an_agent_asks_what_it_was_given_and_all_others_what_is_usual() -> None:
    agents = {"exit": "Other", "goals": EMBEDDED, "plan": "One that is gone"}
    shelf = Shelf(ModelSettings(endpoint=MINE, others=(OTHER,), agents=agents))

    assert shelf.book.current("exit") == OTHER
    assert shelf.book.current("goals") == embedded_endpoint()
    assert shelf.book.current("plan") == shelf.book.current("role") == MINE
    assert shelf.book.current_of(["exit", "role"]) == {"exit": OTHER, "role": MINE}


def test_an_agent_can_be_given_another_model_than_that_of_the_environment() -> None:
    shelf = Shelf(
        ModelSettings(others=(OTHER,), agents={"exit": "Other"}), TELLWRIGHT_MODEL="usual"
    )

    assert shelf.book.current("exit") == OTHER
    assert shelf.book.current("role").model == "usual"


def test_a_dialect_is_kept_wherever_the_endpoint_is() -> None:
    settings = ModelSettings(endpoint=MINE, others=(OTHER,))
    found = OTHER.model_copy(update={"base_url": tidy_address(OTHER.base_url)})

    learnt = with_dialect(settings, found, Dialect.STRICT)

    assert learnt.endpoint == MINE
    assert learnt.others == (OTHER.model_copy(update={"dialect": Dialect.STRICT}),)


def test_a_connection_does_not_show_its_key() -> None:
    connection = Connection(MINE, "sk-secret-0123456789")

    assert "sk-secret" not in repr(connection)
    assert connection.redact("it is sk-secret-0123456789!") == "it is [key]!"


def test_a_short_key_is_no_reason_to_change_a_text() -> None:
    assert Connection(MINE, "ollama").redact("an ollama here") == "an ollama here"


@pytest.mark.parametrize(
    "pasted",
    [
        "http://h.example/v1",
        " http://h.example/v1/ ",
        "http://h.example/v1/chat/completions",
        "http://h.example/v1/chat/completions/",
    ],
)
def test_a_pasted_address_is_tidied(pasted: str) -> None:
    assert tidy_address(pasted) == "http://h.example/v1"


def test_embedded_model_that_the_writer_chose_comes_before_the_environment_s(
    tmp_path: Path,
) -> None:
    environment = {"TELLWRIGHT_MODEL": "gpt-x", "OPENAI_API_KEY": "sk-mine"}
    sample = Shelf(ModelSettings(is_embedded=True), **environment)
    file = Shelf(
        ModelSettings(is_embedded=True, model_file=str(tmp_path / "a.gguf")), **environment
    )

    assert sample.book.current().base_url == EMBEDDED_URL
    assert file.book.current().base_url == EMBEDDED_URL
    assert Shelf(ModelSettings(), **environment).book.current().model == "gpt-x"


PASTED = "sk-proj-4f9Kd02mXz71LqPw8RtY"
OWN = "correct horse battery staple".replace(" ", "-")
"""A key that looks like a name."""


@pytest.mark.parametrize(
    "variables",
    [
        {"TELLWRIGHT_MODEL": PASTED},
        {"TELLWRIGHT_MODEL": f"gpt-4o {PASTED}"},
        {"TELLWRIGHT_MODEL": OWN, "OPENAI_API_KEY": OWN},
        {"TELLWRIGHT_MODEL": "gpt-x", "OPENAI_BASE_URL": f"https://{PASTED}@h.example/v1"},
        {"TELLWRIGHT_MODEL": "gpt-x", "OPENAI_BASE_URL": OWN, "OPENAI_API_KEY": OWN},
        {"TELLWRIGHT_MODEL": "eyJ" + "hbGciOiJIUzI1NiJ9" * 60},
    ],
)
def test_key_in_the_environment_where_a_name_belongs_is_not_used(variables: dict[str, str]) -> None:
    book = Shelf(None, **variables).book

    endpoint = book.current()
    with pytest.raises(KeyGiven) as refused:
        book.connect()

    assert HIDDEN in (endpoint.model, endpoint.base_url)
    said = f"{endpoint!r} {called(endpoint)} {refused.value!s} {refused.value!r}"
    for value in {*variables.values(), PASTED, OWN} - {"gpt-x"}:
        assert value[:20] not in said


def test_key_that_an_earlier_version_kept_is_not_used() -> None:
    endpoint = MINE.model_copy(update={"model": PASTED})
    other = OTHER.model_copy(update={"name": OWN})
    settings = ModelSettings(
        endpoint=endpoint, others=(other, OTHER), agents={"exit": OWN, "goals": "Other"}
    )
    shelf = Shelf(settings, MINE_KEY=OWN)

    cleaned = shelf.book.keys.without_keys(settings)

    assert PASTED not in cleaned.model_dump_json()
    assert OWN not in cleaned.model_dump_json()
    assert ModelSettings.model_validate_json(cleaned.model_dump_json()) == cleaned
    assert cleaned.agents["exit"] == cleaned.others[0].name
    assert cleaned.others[1] == OTHER
    assert shelf.book.current().model == HIDDEN
    for asked in (None, endpoint):
        with pytest.raises(KeyGiven):
            shelf.book.connect(asked)


def test_several_models_whose_names_were_keys_are_still_told_apart() -> None:
    others = tuple(OTHER.model_copy(update={"name": f"{PASTED}{at}"}) for at in range(3))
    shelf = Shelf(ModelSettings(others=others))

    cleaned = shelf.book.keys.without_keys(shelf.settings)

    assert len({one.name for one in cleaned.others}) == 3
    assert shelf.book.keys.without_keys(cleaned) == cleaned


def test_what_is_typed_is_a_key_if_a_variable_holds_it() -> None:
    shelf = Shelf(ModelSettings(endpoint=MINE, others=(OTHER,)), MINE_KEY=OWN, ANOTHER=OWN[::-1])

    assert shelf.book.keys.holds_key(OWN)
    assert shelf.book.keys.address_holds_key(f"http://{OWN}@h.example")
    assert not shelf.book.keys.holds_key(OWN[::-1])
    assert shelf.book.keys.holds_key(OWN[::-1], "ANOTHER")
    assert shelf.book.keys.address_holds_key(OWN[::-1], "ANOTHER")
    assert not shelf.book.keys.holds_key("gpt-x", "ANOTHER", "NOT_SET")


def test_password_in_an_address_is_not_shown() -> None:
    assert called(MINE.model_copy(update={"base_url": "http://me:secret@h.example:81/v1"})) == (
        "m at h.example:81"
    )


def test_usual_endpoint_is_looked_up_once_for_all_agents() -> None:
    shelf = Shelf(TELLWRIGHT_MODEL="mine")
    shelf.book.current_of(["exit"])
    once = len(shelf.looked_up)
    shelf.looked_up.clear()

    shelf.book.current_of(["", "exit", "goals", "role", "scorer"])

    assert len(shelf.looked_up) == once > 0
