"""Each paragraph of a text belongs to the scene that it tells, also where no line parts two scenes."""

from __future__ import annotations

from graph_flow.telling.passages import events_by_paragraph
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import PARAGRAPH_BREAK, PlannedScene, WritingPlan
from store.models.plot import Event
from store.models.prototype import Snapshot

EVENTS = {
    "e1": "The lamp goes out while Mara is on the stairs",
    "e2": "Hale finds the door of the gallery open",
    "e3": "Ida brings the second key by boat",
}
SNAPSHOT = Snapshot().model_copy(
    update={
        "entities": {
            id_: Event(id=id_, title=words, summary=words, position=at)
            for at, (id_, words) in enumerate(EVENTS.items())
        }
    }
)


def plan(*scenes: tuple[str, ...]) -> WritingPlan:
    return WritingPlan(
        id=new_id(),
        branch="b",
        chapter=1,
        attempt=1,
        form=Form.NOVEL,
        scenes=tuple(PlannedScene(events=events) for events in scenes),
    )


def told(*paragraphs: str, scenes: tuple[tuple[str, ...], ...]) -> list[str]:
    found = events_by_paragraph(PARAGRAPH_BREAK.join(paragraphs), plan(*scenes), SNAPSHOT)
    return ["".join(one) for one in found]


THREE = (("e1",), ("e2",), ("e3",))


def test_paragraphs_go_to_the_scenes_whose_words_they_use() -> None:
    found = told(
        "The lamp went out at nine.",
        "She stood on the stairs and listened.",
        "He climbed to the gallery; the door was open.",
        "Nobody answered him.",
        "The boat came in the morning with the second key.",
        scenes=THREE,
    )
    assert found[:3] == ["e1", "e1", "e2"]
    assert found[3] in {"e2", "e3"}  # it says nothing of either
    assert found[4] == "e3"


def test_scenes_keep_their_order_even_where_an_earlier_one_is_named_again() -> None:
    found = told(
        "The lamp went out on the stairs.",
        "The door of the gallery was open.",
        "He thought of the lamp.",
        "Then the boat brought the key.",
        scenes=THREE,
    )
    assert found == sorted(found)
    assert found[1:] == ["e2", "e2", "e3"]


def test_text_that_says_nothing_of_its_scenes_is_shared_out_by_length() -> None:
    found = told(*["Nothing."] * 9, scenes=THREE)
    assert found == sorted(found)
    assert set(found) == {"e1", "e2", "e3"}


def test_plan_without_events_leaves_paragraphs_without_any() -> None:
    assert told("The lamp.", "The door.", scenes=((),)) == ["", ""]
    assert told("The lamp.", "The door.", scenes=()) == ["", ""]


def test_long_text_has_events_for_each_of_its_paragraphs() -> None:
    assert len(told(*["The key turned."] * 3_000, scenes=THREE)) == 3_000
