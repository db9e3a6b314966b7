"""Small stories to check, told chapter by chapter."""

from __future__ import annotations

from collections.abc import Iterable

from graph_flow.cognition.continuity.chronicle import Chronicle
from graph_flow.cognition.continuity.finding import Finding, Rule
from store.deltas.delta import apply, canonical
from store.models.cast import Character
from store.models.delta import Change, Delta
from store.models.plot import Event, EventLink, LinkKind, Occurrence, Part, Participation, Scene
from store.models.prototype import AnyEntity, Snapshot

MARA = Character(id="mara", name="Mara")
HALE = Character(id="hale", name="Hale")
IDA = Character(id="ida", name="Ida")
CAST = (MARA, HALE, IDA)
QUAY = Scene(id="quay", name="Quay", place="the harbour", time="9 pm")
TOWER = Scene(id="tower", name="Tower", place="the rock", time="9 pm")
BARN = Scene(id="barn", name="Barn", place="the farm")

Told = Iterable[AnyEntity]


def event(id_: str, *acting: str, at: Scene | None = None, **values: object) -> list[AnyEntity]:
    """Return an event, who acts in it, and its scene; `values` are fields of the event."""
    fields: dict[str, object] = {"id": id_, "title": f"The {id_}", "summary": f"The {id_} happens."}
    parts = [part(id_, person) for person in acting]
    place = [Occurrence(id=f"{id_}-at", event=id_, scene=at.id)] if at else []
    return [Event.model_validate(fields | values), *parts, *place]


def part(event_id: str, person: str, kind: Part = Part.ACTS) -> Participation:
    return Participation(id=f"{person}-in-{event_id}", character=person, event=event_id, part=kind)


def link(source: str, kind: LinkKind, target: str) -> EventLink:
    return EventLink(id=f"{source}-{kind.name}-{target}", source=source, target=target, link=kind)


def delta_to(standing: Snapshot, told: Told) -> Delta:
    """Return the Delta by which entities come, or become what is told."""
    changes = (Change(before=standing.entities.get(one.id), after=one) for one in told)
    return canonical(Delta(changes=tuple(changes)))


def story(*chapters: Told) -> Chronicle:
    """Return a story as its chapters tell it, beginning with chapter 0."""
    standing, chronicle = Snapshot(), Chronicle.of(Snapshot(), {})
    for chapter, told in enumerate(chapters):
        delta = delta_to(standing, told)
        standing = apply(standing, delta, chapter)
        chronicle = chronicle.after(delta, chapter)
    return chronicle


def rules(findings: Iterable[Finding]) -> list[Rule]:
    return [finding.rule for finding in findings]


def sentences(findings: Iterable[Finding]) -> list[str]:
    return [finding.sentence for finding in findings]
