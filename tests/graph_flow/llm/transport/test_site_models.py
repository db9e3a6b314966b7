"""On a site, writers use its models, or a key of their own where it says; nothing else is called."""

from __future__ import annotations

import pytest

from graph_flow.llm.errors import KeyMissing, NotOffered
from graph_flow.llm.transport.endpoints import Connection, EndpointBook, embedded_endpoint
from graph_flow.llm.transport.offer import KeyRing, SiteModels
from store.models.endpoint import Endpoint, ModelSettings

OURS = Endpoint(
    name="Ours", base_url="https://m.example/v1", model="m", key_variable="SITE_KEY", price_in=2.0
)
OWN = "https://api.openai.com/v1"
VARIABLES = {"SITE_KEY": "key-of-the-site", "OTHER_SECRET": "cookie-secret"}


def models(*, has_sample: bool = True, keys: KeyRing | None = None) -> SiteModels:
    return SiteModels((OURS,), (OWN, OURS.base_url), has_sample, VARIABLES.get, keys or KeyRing())


class Book:
    """An endpoint book over settings that a writer might have made up."""

    def __init__(self, settings: ModelSettings, offer: SiteModels) -> None:
        self.files: list[object] = []
        self.book = EndpointBook(lambda: settings, offer, self.local)

    def local(self, file: object) -> Local:
        self.files.append(file)
        return Local()

    def connect(self) -> Connection:
        return self.book.connect()


class Local:
    def ensure(self) -> Connection:
        return Connection(embedded_endpoint(), "local", is_embedded=True)

    def revive(self, failed: Connection) -> None:
        raise AssertionError(failed)

    def stop(self) -> None:
        pass


def test_site_s_model_is_everybody_s_usual_one_with_the_site_s_key() -> None:
    connection = Book(ModelSettings(), models()).connect()

    assert (connection.endpoint.model, connection.key) == ("m", "key-of-the-site")
    assert "key-of-the-site" not in repr(connection)


def test_writer_s_own_words_about_a_model_of_the_site_do_not_count() -> None:
    cheaper = OURS.model_copy(update={"price_in": 0.0, "key_variable": "OTHER_SECRET"})

    connection = Book(ModelSettings(endpoint=cheaper), models()).connect()

    assert connection.endpoint == OURS
    assert connection.key == "key-of-the-site"


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/v1", "http://169.254.169.254/", "https://evil.example/v1"]
)
def test_no_other_address_is_called(address: str) -> None:
    mine = Endpoint(name="Mine", base_url=address, model="m", key_variable="SITE_KEY")

    with pytest.raises(NotOffered):
        Book(ModelSettings(endpoint=mine), models()).connect()


@pytest.mark.parametrize("address", [OWN, f"{OWN}/chat/completions", OURS.base_url])
def test_site_s_secrets_are_never_sent_for_a_writer_s_own_model(address: str) -> None:
    keys = KeyRing()
    mine = Endpoint(name="Mine", base_url=address, model="other", key_variable="SITE_KEY")
    book = Book(ModelSettings(endpoint=mine), models(keys=keys))

    with pytest.raises(KeyMissing):
        book.connect()
    keys.keep(address, "key-of-the-writer")
    assert book.connect().key == "key-of-the-writer"
    assert "key-of-the-writer" not in repr(keys)
    keys.keep(address, " ")
    assert not keys.has(address)


def test_no_model_file_of_a_writer_s_is_opened() -> None:
    settings = ModelSettings(is_embedded=True, model_file="/etc/passwd")
    book = Book(settings, models())

    assert book.connect().is_embedded
    assert book.files == [None]


def test_site_without_the_sample_model_says_so() -> None:
    with pytest.raises(NotOffered, match="no sample model"):
        Book(ModelSettings(is_embedded=True), models(has_sample=False)).connect()
