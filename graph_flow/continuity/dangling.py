"""Nothing leads to what was taken out of the story. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graph_flow.continuity.chronicle import Chronicle, Scope
from graph_flow.continuity.evidence import capital
from graph_flow.continuity.finding import Evidence, Finding, Rule, Severity, key_of
from store.deltas.names import Names, references
from store.models.delta import Delta
from store.models.prototype import REFERENCES, AnyEntity, EntityKind, Snapshot


def find_removed(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield what refers to something that is not in the story.

    What is committed never does, as long as the library is whole.
    """
    entities = (chronicle.entities.get(id_) for id_ in scope.ids)
    for entity in entities:
        if entity is not None:
            yield from _of_entity(chronicle, entity, {})


def find_lost(chronicle: Chronicle, delta: Delta) -> Iterator[Finding]:
    """Yield what of a proposed Delta has lost what it refers to since it was made."""
    added = {change.id: change.after for change in delta.changes if change.after is not None}
    for change in delta.changes:
        if change.after is not None and change.before is None:
            yield from _of_entity(chronicle, change.after, added)


def _of_entity(
    chronicle: Chronicle, entity: AnyEntity, added: Mapping[str, AnyEntity]
) -> Iterator[Finding]:
    for field, target in references(entity).items():
        wanted = REFERENCES[entity.kind][field]
        found = added.get(target) or chronicle.entities.get(target)
        if found is None or found.kind != wanted:
            yield _finding(chronicle, entity, (target, wanted), added)


def _finding(
    chronicle: Chronicle,
    entity: AnyEntity,
    target: tuple[str, EntityKind],
    added: Mapping[str, AnyEntity],
) -> Finding:
    lost, kind = target
    known = _remembered(chronicle, lost)
    names = Names(
        Snapshot.model_construct(entities={**known, **added, **_around(chronicle, entity)}), Delta()
    )
    told = chronicle.told.get(entity.id, chronicle.chapter)
    label = capital(names.label(entity))
    some, which = ("somebody", "who") if kind == "character" else ("something", "which")
    target_label = names.of(lost) if lost in known else some
    return Finding(
        key=key_of(Rule.REMOVED, [entity.id, lost], [told]),
        rule=Rule.REMOVED,
        severity=Severity.CONTRADICTION,
        chapters=(told,),
        sentence=f"{label} needs {target_label}, {which} is not in the story any more.",
        evidence=(Evidence(id=entity.id, label=label, chapter=told),),
    )


def _remembered(chronicle: Chronicle, entity_id: str) -> dict[str, AnyEntity]:
    """Return an entity that is gone as it was last, if anything is remembered of it."""
    states = (at.entity for at in reversed(chronicle.timelines.get(entity_id, ())))
    last = next((state for state in states if state is not None), None)
    return {} if last is None else {entity_id: last}


def _around(chronicle: Chronicle, entity: AnyEntity) -> dict[str, AnyEntity]:
    ids = references(entity).values()
    return {id_: chronicle.entities[id_] for id_ in ids if id_ in chronicle.entities}
