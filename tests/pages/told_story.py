"""A story of three plotted chapters, told straight into a library, for the pages to show."""

from __future__ import annotations

from pathlib import Path

from store.models.cast import Awareness, Character, Relationship, RelationshipKind
from store.models.delta import Change, Delta
from store.models.plot import (
    Event,
    EventLink,
    Foundation,
    LinkKind,
    Occurrence,
    Part,
    Participation,
    Scene,
)
from store.models.prototype import FOUNDATION_ID, AnyEntity
from store.models.story import Brief, Story
from store.open import Store
from tests.store.builders import CAST, adding, altered, begin, go_on

HOSTILE_NAME = "<img src=x onerror=\"document.title='owned'\">"
"""A name that would run as a script wherever it is not shown as text."""

MARA = Character(
    id="mara",
    name="Mara",
    occupation="lighthouse keeper",
    motivation="to leave the rock",
    secrets="she broke the lamp",
)
HALE = Character(id="hale", name="Hale", occupation="inspector")
IDA = Character(id="ida", name="Ida", occupation="supply skipper")
TOBIN = Character(id="tobin", name="Tobin", occupation="apprentice")
STRANGER = Character(id="stranger", name=HOSTILE_NAME, occupation="castaway")

DISTRUST = Relationship(
    id="distrust",
    source="mara",
    target="hale",
    tie=RelationshipKind.DISTRUST,
    strength=7,
    awareness=Awareness.ONE_SIDED,
    reason="he asks about the lamp",
)
SERVICE = Relationship(
    id="service", source="hale", target="mara", tie=RelationshipKind.SERVICE, strength=3
)
SISTERS = Relationship(
    id="sisters",
    source="mara",
    target="ida",
    tie=RelationshipKind.KINSHIP,
    strength=9,
    is_mutual=True,
)
LESSONS = Relationship(
    id="lessons", source="mara", target="tobin", tie=RelationshipKind.MENTORSHIP, strength=5
)
DEBT = Relationship(
    id="debt",
    source="ida",
    target="hale",
    tie=RelationshipKind.DEBT,
    strength=4,
    awareness=Awareness.HIDDEN,
)
RESCUE = Relationship(
    id="rescue",
    source="stranger",
    target="tobin",
    tie=RelationshipKind.FRIENDSHIP,
    strength=6,
    is_mutual=True,
)

_CAST = (
    Foundation(id=FOUNDATION_ID, background="A rock in the sea.", long_term_goal="Mara leaves."),
    *(MARA, HALE, IDA, TOBIN),
    *(DISTRUST, SERVICE, SISTERS, LESSONS, DEBT),
)


def tell(store: Store, chapters: int = 3) -> Story:
    """Tell the story, or its first chapters, into a library."""
    story = store.library.create_story(Brief(premise="A keeper finds a door."), "The Lamp Room")
    branch = store.library.main_branch(story.id).id
    begin(store, branch, adding(*_CAST))
    changed = Change(before=DISTRUST, after=altered(DISTRUST, strength=9))
    parting = Change(before=SERVICE)
    moved = Change(before=MARA, after=altered(MARA, status="free to go"))
    told = (
        (adding(*_first()), "The inspection"),
        (_plus(adding(*_second()), changed), "A light at sea"),
        (_plus(adding(*_third()), parting, moved), "The door"),
    )
    for delta, title in told[:chapters]:
        go_on(store, branch, delta, title)
    return story


def tell_into(path: Path, chapters: int = 3) -> str:
    """Tell the story, or its first chapters, into a library file that may be new; return its id."""
    store = Store.open(path)
    try:
        return tell(store, chapters).id
    finally:
        store.close()


def tell_on(path: Path, story_id: str, chapters: int) -> None:
    """Go on with a story for some chapters in which Mara waits."""
    store = Store.open(path)
    try:
        branch = store.library.main_branch(story_id).id
        for number in range(chapters):
            waits = _event(f"waits-{number}", f"Mara waits ({number + 1})", "quay", 0, "mara")
            go_on(store, branch, adding(*waits))
    finally:
        store.close()


def begin_into(path: Path) -> str:
    """Tell only the beginning into a library file; return the story's id."""
    return _begin_into(path, adding(*CAST))


def begin_with_past_into(path: Path) -> str:
    """Tell the beginning, with what came before it, into a library file; return the story's id."""
    wreck = Event(id="past", title="The wreck", summary="A ship is lost.", story_order=-19.0)
    quarrel = Event(id="row", title="The quarrel", summary="Mara and Hale quarrel.", story_order=-2)
    saw = Participation(id="saw", character="mara", event="past", part=Part.WITNESSES)
    return _begin_into(path, adding(*CAST, wreck, quarrel, saw))


def _begin_into(path: Path, beginning: Delta) -> str:
    store = Store.open(path)
    try:
        story = store.library.create_story(Brief(premise="Two people."), "A Beginning")
        begin(store, store.library.main_branch(story.id).id, beginning)
        return story.id
    finally:
        store.close()


def _plus(delta: Delta, *changes: Change) -> Delta:
    return Delta(changes=(*delta.changes, *changes))


def _first() -> list[AnyEntity]:
    return [
        Scene(id="quay", name="The quay", place="the landing", time="morning"),
        Scene(id="lamp", name="The lamp room", place="the tower", atmosphere="cold"),
        *_event("arrival", "The inspector lands", "quay", 0, "hale", "ida"),
        *_event("locked", "The lamp room is locked", "lamp", 1, "mara", "hale"),
        *_event("lesson", "Tobin learns the signal", "lamp", 2, "mara", "tobin"),
        EventLink(id="l1", source="arrival", target="locked", link=LinkKind.CAUSES),
    ]


def _second() -> list[AnyEntity]:
    return [
        STRANGER,
        RESCUE,
        Scene(id="reef", name="The reef", place="north of the rock", time="night"),
        *_event("wreck", "A boat strikes the reef", "reef", 0, "stranger"),
        *_event("pulled", "Tobin pulls a stranger out of the surf", "reef", 1, "tobin", "stranger"),
        *_event("blame", "Hale writes down who kept the light", "quay", 2, "hale", "mara"),
        EventLink(id="l2", source="lesson", target="pulled", link=LinkKind.ENABLES),
        EventLink(id="l3", source="wreck", target="blame", link=LinkKind.CAUSES),
    ]


def _third() -> list[AnyEntity]:
    return [
        *_event("key", "Ida brings the second key", "quay", 0, "ida", "mara"),
        *_event("opened", "The door stands open", "lamp", 1, "mara", "hale"),
        *_event("farewell", "Mara hands Tobin the lamp", "lamp", 2, "mara", "tobin"),
        EventLink(id="l4", source="locked", target="opened", link=LinkKind.PAYS_OFF),
        EventLink(id="l5", source="key", target="opened", link=LinkKind.ENABLES),
    ]


def _event(id_: str, title: str, scene: str, position: int, *people: str) -> list[AnyEntity]:
    """Return an event with its place; the first of its people acts, the others witness it."""
    parts = (
        Participation(
            id=f"{person}-{id_}",
            character=person,
            event=id_,
            part=Part.WITNESSES if place else Part.ACTS,
            emotion="uneasy",
        )
        for place, person in enumerate(people)
    )
    return [
        Event(
            id=id_, title=title, summary=f"{title}, and nothing is as before.", position=position
        ),
        Occurrence(id=f"at-{id_}", event=id_, scene=scene),
        *parts,
    ]
