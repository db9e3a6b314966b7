"""A site opens a library for each writer, and closes those that nobody uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest

from graph_flow.errors import NotSignedIn
from graph_flow.llm.transport.endpoints import Connection, embedded_endpoint
from pages.serving import site as module
from pages.serving.settings import FILE
from pages.serving.site import Site
from store.errors import StoreError
from store.hosting.records import AuditEvent, Identity
from store.hosting.registry import Registry
from store.models.story import Brief
from tests.pages.serving.test_settings import AUTH

ANN = Identity(issuer="https://id.example", subject="1", email="ann@school.example", name="Ann")
BEN = Identity(issuer="https://id.example", subject="2", email="ben@school.example")
EVE = Identity(issuer="https://id.example", subject="3", email="eve@elsewhere.example")


class Local:
    def __init__(self) -> None:
        self.stops = 0

    def ensure(self) -> Connection:
        return Connection(embedded_endpoint(), "local", is_embedded=True)

    def revive(self, failed: Connection) -> None:
        raise AssertionError(failed)

    def stop(self) -> None:
        self.stops += 1


@pytest.fixture
def local() -> Local:
    return Local()


@pytest.fixture
def open_site(tmp_path: Path, local: Local) -> Iterator[Callable[[str], Site]]:
    made: list[Site] = []

    def open_it(more: str = "") -> Site:
        people = '[site]\nwriters = ["*@school.example"]\nadmins = ["ann@school.example"]\n'
        (tmp_path / FILE).write_text(AUTH + people + more, encoding="utf-8")
        made.append(Site(tmp_path, lambda _name: None, lambda _file: local))
        return made[-1]

    yield open_it
    for one in made:
        one.close()


def test_each_writer_has_a_library_of_their_own(
    open_site: Callable[[str], Site], tmp_path: Path
) -> None:
    site = open_site("")
    ann, ben = site.sign_in(ANN, "a"), site.sign_in(BEN, "b")
    story = site.workbench_of(ann.id).library.create_story(Brief(premise="A lamp."))

    assert site.workbench_of(ann.id) is site.workbench_of(ann.id)
    assert site.workbench_of(ben.id).library.stories() == []
    with pytest.raises(StoreError):
        site.workbench_of(ben.id).library.story(story.id)
    assert sorted(path.parent.name for path in tmp_path.glob("writers/*/library.db")) == sorted(
        [ann.id, ben.id]
    )
    assert (site.is_admin(ann), site.is_admin(ben)) == (True, False)


def test_only_those_named_are_let_in_and_each_sign_in_is_noted_once(
    open_site: Callable[[str], Site],
) -> None:
    site = open_site("")
    site.sign_in(ANN, "a")
    site.sign_in(ANN, "a")
    with pytest.raises(NotSignedIn):
        site.sign_in(EVE, "e")

    assert [one.id for one in site.writers()] == [ANN.writer]
    assert [(one.event, one.writer) for one in site.audit()] == [
        (AuditEvent.REFUSED, EVE.writer),
        (AuditEvent.SIGN_IN, ANN.writer),
    ]


def test_windows_that_open_at_once_share_one_workbench(open_site: Callable[[str], Site]) -> None:
    site = open_site("")
    writer = site.sign_in(ANN, "a").id
    begin, found = Barrier(8), []

    def open_it() -> None:
        begin.wait()
        found.append(site.workbench_of(writer))

    threads = [Thread(target=open_it) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert len({id(one) for one in found}) == 1


def test_library_that_nobody_uses_is_closed_and_opened_again(
    open_site: Callable[[str], Site], local: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE", 0.0)
    monkeypatch.setattr(module, "_LEAST_OPEN", 0.0)
    site = open_site("")
    ann, ben = site.sign_in(ANN, "a").id, site.sign_in(BEN, "b").id
    first, other = site.workbench_of(ann), site.workbench_of(ben)
    story = first.library.create_story(Brief(premise="A lamp."))

    site.keep_safe({ben})

    assert (first.is_closed, other.is_closed) == (True, False)
    assert site.open_libraries == 1
    assert [card.story.id for card in site.workbench_of(ann).library.stories()] == [story.id]
    assert local.stops == 0  # the model is the others' too
    assert site.states()[ann].stories == 1


def test_writer_who_is_shut_out_comes_in_no_more_until_let_in(
    open_site: Callable[[str], Site],
) -> None:
    site = open_site("")
    writer = site.sign_in(BEN, "b").id
    present = site.workbench_of(writer)

    site.shut_out(writer, True)

    assert present.is_closed
    with pytest.raises(NotSignedIn, match="closed it to you"):
        site.sign_in(BEN, "b")
    site.shut_out(writer, False)
    assert site.sign_in(BEN, "b").id == writer


def test_there_are_as_many_stories_as_the_site_grants(open_site: Callable[[str], Site]) -> None:
    library = open_site("stories = 2\n").workbench_of(ANN.writer).library
    first = library.create_story(Brief(premise="A lamp."))
    library.create_story(Brief(premise="A lamp."))

    with pytest.raises(StoreError, match="2 stories"):
        library.create_story(Brief(premise="A lamp."))
    library.delete(first.id)
    library.create_story(Brief(premise="A lamp."))
    with pytest.raises(StoreError, match="2 stories"):
        library.restore(first.id)


def test_backup_is_restored_for_one_writer_alone(open_site: Callable[[str], Site]) -> None:
    site = open_site("")
    ann, ben = site.sign_in(ANN, "a").id, site.sign_in(BEN, "b").id
    kept = site.workbench_of(ann).library.create_story(Brief(premise="A lamp."))
    others = site.workbench_of(ben).library.create_story(Brief(premise="A lamp."))
    backup = site.workbench_of(ann).backups.make()
    site.workbench_of(ann).library.create_story(Brief(premise="A lamp."))

    assert site.restore(ann, backup.path) is not None

    assert [one.story.id for one in site.workbench_of(ann).library.stories()] == [kept.id]
    assert [one.story.id for one in site.workbench_of(ben).library.stories()] == [others.id]
    assert AuditEvent.RESTORE in {one.event for one in site.audit()}


def test_two_processes_share_what_is_known_of_the_writers(
    open_site: Callable[[str], Site], tmp_path: Path
) -> None:
    first, second = open_site(""), open_site("")
    writer = first.sign_in(BEN, "b").id
    second.shut_out(writer, True)

    with pytest.raises(NotSignedIn):
        first.sign_in(BEN, "b")
    assert Registry(tmp_path).writer(writer).is_shut_out
