"""From a whole plan to scenes: every event is told, and nothing that was not offered is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.telling.answers import WholePlan
from graph_flow.telling.material.facts import facts_of
from graph_flow.telling.planning import Offered, scenes_planned
from store.deltas.delta import apply
from store.models.cast import Character
from store.models.plot import Thread
from store.models.prototype import Snapshot
from tests.graph_flow.telling.test_scenes import chapter_of
from tests.store.builders import adding

THREAD = Thread(id="key", title="the key")
SNAPSHOT = apply(
    chapter_of(("quay", "mara"), ("vault", "hale"), ("quay", "ida"), ("vault", "mara")),
    adding(Character(id="old", name="Old Jory", secrets="he has the key", history="a thief")),
    1,
)
OFFERED = Offered(SNAPSHOT.events_of(1), facts_of(SNAPSHOT), (), [THREAD])

LABELS = st.lists(
    st.sampled_from(["C1", "c2", "3", "C4.", "C9", "C1, C2", "F1", "F2", "x", ""]), max_size=4
)
PLANS = st.lists(
    st.fixed_dictionaries(
        {
            "events": LABELS,
            "reveals": LABELS,
            "recalls": LABELS,
            "where": st.sampled_from(["Quay", "the vault", ""]),
            "point_of_view": st.sampled_from(["Mara", "nobody", ""]),
            "threads": st.just([{"thread": "T1", "move": "plant"}, {"thread": "T8"}]),
            "weight": st.integers(1, 10),
        }
    ),
    min_size=1,
    max_size=5,
).map(lambda scenes: WholePlan.model_validate({"scenes": scenes}))


@given(PLANS)
def test_every_event_is_told_and_every_fact_once_whatever_the_plan_says(answer: WholePlan) -> None:
    scenes = scenes_planned(answer, OFFERED, SNAPSHOT, 1_200)

    assert {event for scene in scenes for event in scene.events} == {"e0", "e1", "e2", "e3"}
    revealed = [key for scene in scenes for key in scene.reveals]
    assert len(set(revealed)) == len(revealed)
    assert set(revealed) <= {"secret:old", "history:old"}
    assert all([cue.thread for cue in scene.threads] == ["key"] for scene in scenes)
    assert abs(sum(scene.words for scene in scenes) - 1_200) <= 5 * len(scenes)


@pytest.mark.parametrize(
    ("where", "place"),
    [("Quay", "quay"), ("the far end of the quay", "quay"), ("", "quay"), ("Her attic", None)],
)
def test_scene_is_where_its_plan_says_even_where_the_story_has_no_such_place(
    where: str, place: str | None
) -> None:
    answer = WholePlan.model_validate({"scenes": [{"events": ["C1"], "where": where}]})

    [scene] = scenes_planned(answer, OFFERED, SNAPSHOT, 900)

    assert (scene.scene, scene.where) == (place, where)


def test_forgotten_event_goes_to_the_nearest_scene_and_there_to_its_own_place() -> None:
    told = {"scenes": [{"events": ["C1"]}, {"events": ["C2", "C4"]}]}
    answer = WholePlan.model_validate(told)

    scenes = scenes_planned(answer, OFFERED, SNAPSHOT, 900)

    assert [scene.events for scene in scenes] == [("e0",), ("e1", "e2", "e3")]


def test_story_without_past_has_no_facts() -> None:
    assert facts_of(Snapshot()) == []
