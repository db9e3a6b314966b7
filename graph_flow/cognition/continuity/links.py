"""Continuity of links: foreshadowing, lost references, sudden turns in relationships. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from graph_flow.cognition.continuity.chronicle import Chronicle, Scope
from graph_flow.cognition.continuity.finding import (
    Evidence,
    Finding,
    Rule,
    Severity,
    evidence,
    key_of,
    label,
)
from store.deltas.names import Names, references
from store.models.cast import Relationship, RelationshipKind
from store.models.delta import Delta
from store.models.plot import Event, EventLink, LinkKind, Thread, ThreadState
from store.models.prototype import REFERENCES, AnyEntity, EntityKind, Snapshot
from store.text import capital


def find_payoffs(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield payoffs that are told before their preparation, and threads that were never planted.

    What counts for the reader is the order of the telling, not that of the story.
    """
    for link in scope.in_kind(chronicle, EventLink):
        yield from _of_link(chronicle, link)
    for thread in scope.in_kind(chronicle, Thread):
        yield from _of_thread(chronicle, thread)


def find_open(chronicle: Chronicle) -> Iterator[Finding]:
    """Yield the threads that are still open; meant for a story that is over."""
    for thread in open_threads(chronicle):
        planted = thread.planted_in
        since = "" if planted is None else f", planted in chapter {planted},"
        yield Finding(
            key=key_of(Rule.OPEN, [thread.id], []),
            rule=Rule.OPEN,
            severity=Severity.DOUBT,
            chapters=(chronicle.chapter if planted is None else planted,),
            sentence=f"The thread “{thread.title}”{since} is still open at the end.",
            evidence=evidence(chronicle, thread),
        )


def open_threads(chronicle: Chronicle) -> list[Thread]:
    """Return the threads that are planted but neither paid off nor dropped."""
    threads = chronicle.of_kind(Thread)
    return [thread for thread in threads if thread.state is ThreadState.PLANTED]


def _of_link(chronicle: Chronicle, link: EventLink) -> Iterator[Finding]:
    if link.link is LinkKind.PAYS_OFF:
        plant, payoff = chronicle.find(Event, link.target), chronicle.find(Event, link.source)
    elif link.link is LinkKind.FORESHADOWS:
        plant, payoff = chronicle.find(Event, link.source), chronicle.find(Event, link.target)
    else:
        return
    if plant is None or payoff is None:
        return
    if chronicle.telling_order(payoff) >= chronicle.telling_order(plant):
        return
    chapters = chronicle.first_chapter_of(payoff.id), chronicle.first_chapter_of(plant.id)
    yield Finding(
        key=key_of(Rule.PAYOFF, [link.id], chapters),
        rule=Rule.PAYOFF,
        severity=Severity.CONTRADICTION,
        chapters=tuple(sorted(set(chapters))),
        sentence=f"“{payoff.title}” (chapter {chapters[0]}) is told before “{plant.title}” "
        f"(chapter {chapters[1]}), which prepares it.",
        evidence=evidence(chronicle, payoff, plant),
    )


def _of_thread(chronicle: Chronicle, thread: Thread) -> Iterator[Finding]:
    planted, paid_off = thread.planted_in, thread.paid_off_in
    if planted is not None and paid_off is not None and paid_off < planted:
        chapters: tuple[int, ...] = (paid_off, planted)
        what = f"is paid off in chapter {paid_off}, before chapter {planted} plants it"
    elif thread.state is ThreadState.PAID_OFF and not chronicle.was_planted(thread):
        chapters = (chronicle.first_chapter_of(thread.id) if paid_off is None else paid_off,)
        what = "is paid off, but no chapter plants it"
    else:
        return
    yield Finding(
        key=key_of(Rule.PAYOFF, [thread.id], chapters),
        rule=Rule.PAYOFF,
        severity=Severity.CONTRADICTION,
        chapters=chapters,
        sentence=f"The thread “{thread.title}” {what}.",
        evidence=evidence(chronicle, thread),
    )


def find_removed(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield what refers to something that is not in the story.

    As long as the library is intact, nothing that is committed does.
    """
    entities = (chronicle.entities.get(id_) for id_ in scope.ids)
    for entity in entities:
        if entity is not None:
            yield from _of_entity(chronicle, entity, {})


def find_lost(chronicle: Chronicle, delta: Delta) -> Iterator[Finding]:
    """Yield the parts of a proposed Delta that refer to something removed since it was made."""
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
            yield _loss_finding(chronicle, entity, (target, wanted), added)


def _loss_finding(
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
        sentence=f"{label} needs {target_label}, {which} is no longer in the story.",
        evidence=(Evidence(id=entity.id, label=label, chapter=told),),
    )


def _remembered(chronicle: Chronicle, entity_id: str) -> dict[str, AnyEntity]:
    """Return the last known state of a removed entity, if there is one."""
    states = (at.entity for at in reversed(chronicle.timelines.get(entity_id, ())))
    last = next((state for state in states if state is not None), None)
    return {} if last is None else {entity_id: last}


def _around(chronicle: Chronicle, entity: AnyEntity) -> dict[str, AnyEntity]:
    ids = references(entity).values()
    return {id_: chronicle.entities[id_] for id_ in ids if id_ in chronicle.entities}


_STEP = 4
"""A change of strength by this much or more is a jump."""

_WARM = frozenset(
    {
        RelationshipKind.ROMANCE,
        RelationshipKind.FRIENDSHIP,
        RelationshipKind.ALLIANCE,
        RelationshipKind.MENTORSHIP,
    }
)
_COLD = frozenset({RelationshipKind.RIVALRY, RelationshipKind.DISTRUST, RelationshipKind.ENMITY})


def find_jumps(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield relationships that jump in a chapter in which the two people share no event.

    A relationship jumps if its strength changes by 4 or more, or if it turns from a kind of
    closeness into a kind of enmity or back. Kinship, marriage, service and debt are neither. Hearing of an
    event counts as taking part in it.
    """
    for relationship in scope.in_kind(chronicle, Relationship):
        for before, after in pairwise(chronicle.timelines.get(relationship.id, ())):
            if not isinstance(before.entity, Relationship):
                continue
            if not isinstance(after.entity, Relationship):
                continue
            how = _jump(before.entity, after.entity)
            if how and not chronicle.meet_in(
                relationship.source, relationship.target, after.chapter
            ):
                yield _jump_finding(chronicle, after.entity, after.chapter, how)


def _jump(before: Relationship, after: Relationship) -> str:
    if _is_flip(before.tie, after.tie):
        return f"turns from {before.tie} into {after.tie}"
    if abs(before.strength - after.strength) >= _STEP:
        return f"jumps from {before.strength} to {after.strength}"
    return ""


def _is_flip(one: RelationshipKind, other: RelationshipKind) -> bool:
    return (one in _WARM and other in _COLD) or (one in _COLD and other in _WARM)


def _jump_finding(
    chronicle: Chronicle, relationship: Relationship, chapter: int, how: str
) -> Finding:
    people = [
        entity
        for id_ in (relationship.source, relationship.target)
        if (entity := chronicle.entities.get(id_)) is not None
    ]
    return Finding(
        key=key_of(Rule.JUMP, [relationship.id], [chapter]),
        rule=Rule.JUMP,
        severity=Severity.DOUBT,
        chapters=(chapter,),
        sentence=f"{capital(label(chronicle, relationship.id))} {how} in chapter {chapter}, "
        "although nothing happens between the two there.",
        evidence=evidence(chronicle, relationship, *people),
    )
