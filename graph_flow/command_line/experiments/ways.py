"""How a way of making a story is set: each leaves something out that the settings can leave out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph_flow.command_line.experiments.plan import Way
from graph_flow.command_line.experiments.records import Experiment, Making, StoryTask
from graph_flow.command_line.making import Wanted
from graph_flow.llm.transport.offer import EMBEDDED_URL
from store.models.endpoint import ModelSettings
from store.models.story import Brief, OutlineUse, StorySettings

_WOVEN: Mapping[str, Any] = {"is_sketched": False}
"""What leaves something out of the weaving is woven: a story that follows its sketch has none to leave out."""
_SET: Mapping[Way, Mapping[str, Any]] = {
    Way.FULL: {},
    Way.WITHOUT_SKETCHES: _WOVEN,
    Way.WITHOUT_GOALS: {**_WOVEN, "goals": 1},
    Way.WITHOUT_PLOTWEAVE: {**_WOVEN, "is_woven": False},
    Way.WITHOUT_RECALL: {**_WOVEN, "recalls": False},
    Way.OUTLINE_FIRST: {**_WOVEN, "outline_use": OutlineUse.FOLLOW},
    Way.DIRECT: {"is_direct": True},
}


def settings_for(way: Way, making: Making) -> StorySettings:
    """Return the settings of a story that is made in a way."""
    settings = StorySettings(
        goals=making.goals,
        roles=making.roles,
        chapter_cap=making.chapters,
        words=making.words,
        words_per_scene=making.form.spec.scene_words,
    )
    return settings.model_copy(update=_SET[way])


def wanted_of(way: Way, making: Making) -> Wanted:
    """Return how much of a story is to be made."""
    return Wanted(
        chapters=making.chapters,
        is_written=making.is_written,
        has_outline=way is Way.OUTLINE_FIRST,
    )


def brief_of(experiment: Experiment, task: StoryTask) -> Brief:
    """Return what the writer of a story would have typed."""
    making = experiment.making
    return Brief(
        premise=experiment.premises[task.premise],
        form=making.form,
        language=making.language,
        wishes=making.wishes,
    )


def models_for(experiment: Experiment, task: StoryTask) -> ModelSettings:
    """Return the model that a story is made by; the seed goes with each call."""
    endpoint = experiment.models[task.model]
    if endpoint.base_url == EMBEDDED_URL:
        return ModelSettings(is_embedded=True)
    return ModelSettings(endpoint=endpoint.model_copy(update={"seed": task.seed}))
