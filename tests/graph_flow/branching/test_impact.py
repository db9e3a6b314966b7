"""What depends on an edit: who lived it, and what it led to."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graph_flow.branching.impact import Dependents, Edit, dependents
from store.deltas.delta import apply
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.delta import Change, Delta
from store.models.plot import Event, EventLink, LinkKind, Occurrence, Part, Participation, Scene
from store.models.prototype import AnyEntity, Snapshot

MARA = Character(id="mara", name="Mara")
HALE = Character(id="hale", name="Hale")
TIE = Relationship(id="tie", source="mara", target="hale", tie=RelationshipKind.DISTRUST)
TOWER = Scene(id="tower", name="Tower")


def event(chapter: int, *people: str, told: str = "") -> list[AnyEntity]:
    """An event of a chapter, who lives it, and who is only told of it."""
    id_ = f"e{chapter}"
    parts = [
        Participation(id=f"{one}-{id_}", character=one, event=id_, part=Part.ACTS) for one in people
    ]
    if told:
        parts.append(
            Participation(id=f"{told}-{id_}", character=told, event=id_, part=Part.IS_TOLD)
        )
    return [Event(id=id_, title=f"Event {chapter}", summary="It happens."), *parts]


def linked(source: int, target: int, link: LinkKind = LinkKind.CAUSES) -> EventLink:
    return EventLink(id=f"l{source}-{target}", source=f"e{source}", target=f"e{target}", link=link)


def story(*chapters: Sequence[AnyEntity]) -> Snapshot:
    """A story of two people and these chapters."""
    snapshot = Snapshot()
    beginning: tuple[AnyEntity, ...] = (MARA, HALE, TIE, TOWER)
    for number, entities in enumerate((beginning, *chapters)):
        delta = Delta(changes=tuple(Change(after=entity) for entity in entities))
        snapshot = apply(snapshot, delta, number)
    return snapshot


def changed(entity: AnyEntity, **values: object) -> Change:
    return Change(before=entity, after=entity.model_copy(update=values))


def of(
    snapshot: Snapshot, change: Change, chapter: int = 0, reach: int | None = None
) -> Dependents:
    """What depends on one change of a chapter."""
    ends = {} if reach is None else {change.id: reach}
    return dependents(snapshot, Edit(chapter, Delta(changes=(change,)), ends))


def test_later_events_that_a_changed_person_lives_depend_on_it() -> None:
    snapshot = story(event(1, "mara"), event(2, "hale", told="mara"), event(3, "mara", "hale"))

    found = of(snapshot, changed(MARA, status="ill"))

    assert list(found.events) == ["e1", "e3"]
    assert list(found.chapters) == [1, 3]
    assert found.events["e1"].startswith("Chapter 0 was changed: ")
    assert "ill" in found.events["e1"]


def test_change_reaches_as_far_as_nothing_else_changes_it() -> None:
    snapshot = story(event(1, "mara"), event(2, "mara"), event(3, "mara"))
    assert list(of(snapshot, changed(MARA, status="ill"), reach=3).events) == ["e1", "e2"]


def test_what_comes_before_the_edit_does_not_depend_on_it() -> None:
    snapshot = story(event(1, "mara"), event(2, "mara"), event(3, "mara"))
    found = of(snapshot, changed(MARA, status="ill"), chapter=2)
    assert list(found.events) == ["e3"]
    assert list(found.chapters) == [2, 3]


def test_tie_touches_the_events_that_both_are_in() -> None:
    snapshot = story(event(1, "mara"), event(2, "mara", "hale"), event(3, "hale", told="mara"))
    assert list(of(snapshot, changed(TIE, strength=9)).events) == ["e2", "e3"]


def test_scene_touches_what_occurs_there() -> None:
    there = Occurrence(id="there", event="e2", scene="tower")
    snapshot = story(event(1, "mara"), [*event(2, "hale"), there])
    assert list(of(snapshot, changed(TOWER, place="the rock")).events) == ["e2"]


@pytest.mark.parametrize("link", [LinkKind.CAUSES, LinkKind.ENABLES, LinkKind.FORESHADOWS])
def test_what_an_event_leads_to_depends_on_it_through_any_chain(link: LinkKind) -> None:
    snapshot = story(
        event(1), event(2), [*event(3), linked(1, 3, link)], [*event(4), linked(3, 4, link)]
    )
    first = snapshot.get(Event, "e1")

    found = of(snapshot, changed(first, summary="It happens otherwise."), chapter=1)

    assert list(found.events) == ["e3", "e4"]
    assert list(found.chapters) == [1, 3, 4]


@pytest.mark.parametrize("link", [LinkKind.PARALLELS, LinkKind.CONTRADICTS, LinkKind.BEFORE])
def test_other_links_lead_nowhere(link: LinkKind) -> None:
    snapshot = story(event(1), [*event(2), linked(1, 2, link)])
    first = snapshot.get(Event, "e1")
    assert of(snapshot, changed(first, summary="Otherwise."), chapter=1).events == {}


def test_payoff_depends_on_what_it_pays_off() -> None:
    snapshot = story(event(1), [*event(2), linked(2, 1, LinkKind.PAYS_OFF)])
    first = snapshot.get(Event, "e1")
    assert list(of(snapshot, changed(first, title="Other"), chapter=1).events) == ["e2"]


def test_circle_of_links_ends() -> None:
    around = [linked(1, 2, LinkKind.FORESHADOWS), linked(2, 1, LinkKind.ENABLES)]
    snapshot = story(event(1), [*event(2), *around])
    first = snapshot.get(Event, "e1")
    assert list(of(snapshot, changed(first, title="Other"), chapter=1).events) == ["e2"]
