"""Fixtures of plots by able models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from store.models.endpoint import Endpoint, ModelSettings
from store.models.run import Initialize
from store.models.story import Story
from tests.desk import Desk
from tests.graph_flow.plot.able.ferry import PREMISE, ROUND, beats, cast, goals, number_from_one
from tests.graph_flow.scripting import (
    saying,
)


@pytest.fixture
def begin_able(desk: Desk) -> Callable[..., Story]:
    """Found a story with an able model, with settings that differ from a test's usual ones."""

    def begin(**settings: Any) -> Story:
        number_from_one()
        endpoint = Endpoint(base_url=desk.server.url, model="scripted", context_window=128_000)
        desk.workbench.models.change_settings(lambda _: ModelSettings(endpoint=endpoint))
        desk.server.answer = saying(cast=cast(), goals=goals, role=beats)
        story = desk.story(premise=PREMISE, settings=ROUND | settings)
        desk.do(story, Initialize())
        desk.answer(story)
        desk.server.history.clear()
        return story

    return begin
