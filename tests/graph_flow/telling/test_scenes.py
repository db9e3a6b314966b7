"""From events to scenes of a telling: every event told once, whatever the plan's agent answers."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from graph_flow.telling.agents import WRITERS
from graph_flow.telling.answers import PlanAnswer, PlannedSceneAnswer
from graph_flow.telling.scenes import (
    SceneGroup,
    joined_scenes,
    people_in,
    planned_scenes,
    scene_facts,
    scene_groups,
    tail,
)
from store.deltas.delta import apply
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.manuscript import (
    PlannedScene,
    Recollection,
    Structure,
    ThreadCue,
    ThreadMove,
    WritingPlan,
)
from store.models.plot import Event, Occurrence, Participation, Scene
from store.models.prototype import AnyEntity, Snapshot
from tests.store.builders import adding

PEOPLE = [Character(id=name.lower(), name=name) for name in ("Mara", "Hale", "Ida")]
PLACES = [Scene(id=name.lower(), name=name) for name in ("Quay", "Vault")]
CROWD = Relationship(id="owes", source="mara", target="hale", tie=RelationshipKind.DEBT)


def chapter_of(*events: tuple[str | None, str]) -> Snapshot:
    """Return a story whose first chapter has these events, each by its place and its person."""
    entities: list[AnyEntity] = []
    for position, (place, person) in enumerate(events):
        id_ = f"e{position}"
        event = Event(id=id_, title=id_, summary=f"Event {position} happens.", position=position)
        entities += [event, Participation(id=f"p{position}", character=person, event=id_)]
        if place:
            entities.append(Occurrence(id=f"o{position}", event=id_, scene=place))
    beginning = apply(Snapshot(), adding(*PEOPLE, *PLACES, CROWD), 0)
    return apply(beginning, adding(*entities), 1)


def events_of(groups: list[SceneGroup]) -> list[list[str]]:
    return [[event.id for event in group.events] for group in groups]


def test_what_follows_in_one_place_is_told_in_one_scene() -> None:
    groups = scene_groups(
        chapter_of(("quay", "mara"), ("quay", "hale"), ("vault", "ida"), ("quay", "mara")), 1
    )

    assert events_of(groups) == [["e0", "e1"], ["e2"], ["e3"]]
    assert [person.name for person in groups[0].people] == ["Mara", "Hale"]


def test_events_without_a_place_stand_alone() -> None:
    groups = scene_groups(chapter_of((None, "mara"), (None, "hale"), ("quay", "ida")), 1)

    assert events_of(groups) == [["e0"], ["e1"], ["e2"]]


def test_chapter_without_events_has_no_scenes() -> None:
    assert scene_groups(chapter_of(("quay", "mara")), 2) == []


PLANS = st.builds(
    PlanAnswer,
    structure=st.sampled_from(list(Structure)),
    reveal=st.just("that the key is gone"),
    scenes=st.lists(
        st.builds(
            PlannedSceneAnswer,
            scene=st.sampled_from(["S1", "S2", "S3"]),
            point_of_view=st.sampled_from(["Mara", "Hale", "Ida", "nothing"]),
            beat=st.just("It makes the reader doubt her."),
        ),
        max_size=5,
    ),
)


@given(PLANS)
def test_every_event_is_told_once_whatever_the_plan_says(answer: PlanAnswer) -> None:
    snapshot = chapter_of(("quay", "mara"), ("vault", "hale"), ("quay", "ida"))
    groups = scene_groups(snapshot, 1)

    scenes = planned_scenes(answer, groups, snapshot)

    assert Counter(event for scene in scenes for event in scene.events) == Counter(
        ["e0", "e1", "e2"]
    )
    assert len(scenes) == len(groups)
    for scene in scenes:
        assert scene.beat
        assert scene.point_of_view in {"mara", "hale", "ida"}
        assert scene.scene == (found.id if (found := snapshot.scene_of(scene.events[0])) else None)


def test_plan_s_order_and_eyes_are_kept() -> None:
    snapshot = chapter_of(("quay", "mara"), ("vault", "hale"))
    answer = PlanAnswer(
        structure=Structure.FLASHBACK,
        reveal="that the key is gone",
        scenes=[
            PlannedSceneAnswer(scene="S2", point_of_view="Ida", beat="He is afraid of the dark."),
            PlannedSceneAnswer(scene="S1", point_of_view="Mara", beat="She counts the steps."),
        ],
    )

    scenes = planned_scenes(answer, scene_groups(snapshot, 1), snapshot)

    assert [(scene.events, scene.point_of_view) for scene in scenes] == [
        (("e1",), "ida"),
        (("e0",), "mara"),
    ]


def plan(*scenes: PlannedScene) -> WritingPlan:
    return WritingPlan(
        id="plan",
        branch="b",
        chapter=1,
        attempt=1,
        form=Form.NOVEL,
        scenes=scenes,
        recall=(Recollection(event="e0", why="he once paid for her"),),
        threads=(ThreadCue(thread="t", move=ThreadMove.PLANT, how="a key on a nail"),),
    )


def test_writer_is_told_who_is_there_where_and_what_to_keep_in_mind() -> None:
    snapshot = chapter_of(("quay", "mara"), ("quay", "hale"), ("vault", "ida"))
    scene = PlannedScene(scene="quay", events=("e0", "e1"))

    facts = "\n".join(scene_facts(plan(scene), scene, snapshot))

    for said in ("Quay", "Mara", "Hale", "debt", "he once paid for her", "a key on a nail"):
        assert said in facts
    assert "Ida" not in facts


def test_what_has_been_removed_since_is_left_out() -> None:
    scene = PlannedScene(scene="gone", events=("gone", "e0"))

    facts = scene_facts(plan(scene), scene, chapter_of(("quay", "mara")))

    assert any("Mara" in fact for fact in facts)


def test_people_in_events_stand_once() -> None:
    snapshot = chapter_of(("quay", "mara"), ("quay", "mara"), ("quay", "ida"))

    assert [one.name for one in people_in(snapshot, snapshot.events)] == ["Mara", "Ida"]


def test_scenes_of_a_novel_are_set_apart_and_those_of_a_screenplay_begin_themselves() -> None:
    assert joined_scenes(["One. \n", "\nTwo."], Form.NOVEL) == "One.\n\n* * *\n\nTwo."
    assert joined_scenes(["INT. QUAY", "EXT. SEA"], Form.SCREENPLAY) == "INT. QUAY\n\nEXT. SEA"


def test_writer_of_every_form_has_a_prompt_that_takes_the_same_facts() -> None:
    prompts = [WRITERS[form].prompt(ModelStrength.SMALL) for form in Form]

    assert {prompt.variables for prompt in prompts} == {prompts[0].variables}


@given(st.text(), st.integers(1, 9))
def test_tail_is_the_last_words(text: str, words: int) -> None:
    assert tail(text, words).split() == text.split()[-words:]
