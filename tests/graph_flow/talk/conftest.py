"""A small story in the library, and an able model that answers."""

from __future__ import annotations

import pytest

from graph_flow.workbench.beside.talk import TalkService
from graph_flow.workbench.workbench import Workbench
from store.models.cast import Character, Life
from store.models.desk.talk import TalkTurn
from store.models.endpoint import Endpoint, ModelSettings
from store.models.plot import Event, Part, Participation
from store.models.prototype import AnyEntity
from store.open import Store
from tests.desk import Desk
from tests.store.builders import CAST, CHAPTER_ONE, adding, begin, changing, go_on

SECONDS = 60

HIDDEN = "canarymeadow"
"""Stands only in what Hale hides, and in what he did alone."""
LATER = "canarylantern"
"""Stands only in what Mara learns in chapter 2."""
HALE = Character(
    id="hale", name="Hale", occupation="inspector", secrets=f"He buried the {HIDDEN} letters."
)
ALONE = Event(id="alone", title="Alone", summary=f"Hale digs up the {HIDDEN} box.", position=2)
HALE_ALONE = Participation(id="hale-alone", character="hale", event="alone", part=Part.ACTS)
FOUND = Event(id="found", title="The find", summary=f"Mara finds the {LATER} under the stairs.")
MARA_FOUND = Participation(id="mara-found", character="mara", event="found", part=Part.ACTS)
TOBIAS = Character(id="tobias", name="Tobias", occupation="ferryman")

KNOWN: tuple[AnyEntity, ...] = (*(one for one in CAST if one.id != "hale"),)


@pytest.fixture
def branch(desk: Desk, store: Store) -> str:
    """A story of three chapters: in the second Mara finds something, in the third Tobias comes and Hale dies."""
    endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=32_000)
    desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
    branch = desk.branch(desk.story())
    begin(store, branch, adding(HALE, *KNOWN))
    go_on(store, branch, adding(*CHAPTER_ONE, ALONE, HALE_ALONE), "The door")
    go_on(store, branch, adding(FOUND, MARA_FOUND), "The find")
    go_on(store, branch, adding(TOBIAS), "The ferry")
    go_on(store, branch, changing(HALE, life=Life.DEAD), "The fall")
    return branch


@pytest.fixture
def talk(desk: Desk) -> TalkService:
    return desk.workbench.talk


def answered(workbench: Workbench, turn: TalkTurn) -> TalkTurn:
    """Wait for the answer to a question, and return both as they are kept."""
    assert workbench.talk.wait(turn.branch, turn.person, SECONDS)
    turns = workbench.talk.turns(turn.branch, turn.person, turn.chapter)
    return next(one for one in turns if one.id == turn.id)
