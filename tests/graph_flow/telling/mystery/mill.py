"""A story that is a mystery: a miller was drowned before it begins, and two chapters look back on it."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.telling.mystery.kit import Kit, kit_of
from store.deltas.delta import apply
from store.models.cast import Character, Life, Relationship, RelationshipKind
from store.models.desk.mystery import Mystery
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
from store.models.prototype import FOUNDATION_ID, AnyEntity, Snapshot
from store.open import Store
from tests.store.builders import adding, begin, go_on

TOM, ADA, BEN, CLEO, DORA = "tom", "ada", "ben", "cleo", "dora"
NIGHT = -0.01
"""When the crime happened, in years before the story."""

PEOPLE: tuple[Character, ...] = (
    Character(id=TOM, name="Tom Reed", occupation="miller", life=Life.DEAD),
    Character(
        id=ADA,
        name="Ada Finch",
        occupation="lock keeper",
        motivation="to keep the sluice",
        secrets="She pulled the sluice bar while he stood below.",
        voice="Dry.",
    ),
    Character(
        id=BEN,
        name="Ben Oakes",
        occupation="carter",
        secrets="He sells the flour twice.",
        fear="the magistrate",
    ),
    Character(id=CLEO, name="Cleo Marsh", occupation="teacher", secrets="She is a runaway nun."),
    Character(id=DORA, name="Dora Pike", occupation="cook", secrets="She cannot read."),
)
WEIR = Scene(id="weir", name="The weir", place="below the mill", time="night")
INN = Scene(id="inn", name="The inn", place="across the river", time="night")
CHURCH = Scene(id="church", name="The church", place="on the hill", time="night")

Entities = list[AnyEntity]


def event(id_: str, summary: str, scene: str, parts: dict[str, Part], **more: object) -> Entities:
    """Return an event with its place and its people."""
    told = Event.model_validate(
        {"id": id_, "title": id_.replace("-", " ").capitalize(), "summary": summary, **more}
    )
    return [
        told,
        Occurrence(id=f"{id_}-at", event=id_, scene=scene),
        *(
            Participation(id=f"{id_}-{person}", character=person, event=id_, part=part)
            for person, part in parts.items()
        ),
    ]


def link(source: str, target: str, kind: LinkKind) -> EventLink:
    return EventLink(id=f"{source}-{target}", source=source, target=target, link=kind)


GROUND: Entities = [
    Foundation(id=FOUNDATION_ID, background="A mill on a slow river.", truth="Ada drowned Tom."),
    *PEOPLE,
    *(WEIR, INN, CHURCH),
    Relationship(
        id="grudge",
        source=ADA,
        target=TOM,
        tie=RelationshipKind.ENMITY,
        reason="he meant to have her put out of the lock house",
    ),
    Relationship(
        id="friends", source=CLEO, target=DORA, tie=RelationshipKind.FRIENDSHIP, reason="letters"
    ),
]
CRIME: Entities = event(
    "drowning",
    "Ada Finch opens the sluice while Tom Reed mends the weir, and he drowns.",
    "weir",
    {ADA: Part.ACTS, TOM: Part.IS_AFFECTED},
    consequences="The sluice bar lies in the reeds, cut half through.",
    story_order=NIGHT,
    position=2,
)
BEFORE: Entities = [
    *event(
        "quarrel",
        "Tom tells Ada before the cook that she will lose the lock house.",
        "inn",
        {TOM: Part.ACTS, ADA: Part.IS_AFFECTED, DORA: Part.WITNESSES},
        story_order=-0.1,
    ),
    *event(
        "saw-borrowed",
        "Ada borrows the carter's saw.",
        "inn",
        {ADA: Part.ACTS, BEN: Part.IS_AFFECTED},
        story_order=-0.05,
        position=1,
    ),
    *event(
        "lantern",
        "A lantern goes down to the weir, in Ada's hand.",
        "weir",
        {ADA: Part.ACTS},
        story_order=NIGHT,
        position=5,
    ),
    link("quarrel", "drowning", LinkKind.CAUSES),
    link("saw-borrowed", "drowning", LinkKind.ENABLES),
]
ALIBIS: Entities = [
    *event(
        "late-supper",
        "Dora serves Ben and Cleo until the bell for midnight.",
        "inn",
        {DORA: Part.ACTS, BEN: Part.IS_AFFECTED, CLEO: Part.IS_AFFECTED},
        story_order=NIGHT,
        position=3,
    ),
    *event(
        "vigil",
        "Cleo, Ben and Dora keep watch by the candles.",
        "church",
        {CLEO: Part.ACTS, BEN: Part.ACTS, DORA: Part.ACTS},
        story_order=NIGHT,
        position=4,
    ),
]
CHAPTERS: tuple[Entities, ...] = (
    [
        *event(
            "wet-boots",
            "Ben sees Ada hang wet boots by the lock house stove.",
            "weir",
            {ADA: Part.ACTS, BEN: Part.WITNESSES},
        ),
        link("drowning", "wet-boots", LinkKind.CAUSES),
    ],
    [
        *event(
            "bar-burned",
            "Ada burns the other half of the bar, and Cleo smells the tar.",
            "weir",
            {ADA: Part.ACTS, CLEO: Part.WITNESSES},
        ),
        link("drowning", "bar-burned", LinkKind.CAUSES),
    ],
)


def states(*chapters: Sequence[AnyEntity]) -> list[Snapshot]:
    """Return a story as of each of its chapters, the beginning first."""
    found: list[Snapshot] = []
    now = Snapshot()
    for chapter, entities in enumerate(chapters):
        now = apply(now, adding(*entities), chapter)
        found.append(now)
    return found


def in_library(store: Store, branch: str) -> None:
    """Tell the story, with clues that suffice, into a library."""
    begin(store, branch, adding(*GROUND, *CRIME, *BEFORE, *ALIBIS))
    for number, entities in enumerate(CHAPTERS, start=1):
        go_on(store, branch, adding(*entities), f"Part {number}")


def whole() -> list[Snapshot]:
    """Return the story, with clues that suffice."""
    return states([*GROUND, *CRIME, *BEFORE, *ALIBIS], *CHAPTERS)


def bare() -> list[Snapshot]:
    """Return the same with nothing but the crime."""
    return states([*GROUND, *CRIME], [], [])


def kit(told: Sequence[Snapshot], kept: Mystery | None = None) -> Kit:
    """Return the mystery of a story."""
    return kit_of(lambda chapter: told[chapter], len(told) - 1, kept)
