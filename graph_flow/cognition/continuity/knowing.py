"""Nobody acts on what they cannot know. Pure.

Knowledge is inferred from the graphs: people know of an event if they take part in it or hear of
it; they may have heard of it from anybody who knows and with whom they share a later event; and
they may find out what happened at a place by going there. What cannot have reached a person in
any of these ways, they cannot know. The rule errs on the side of silence: meeting is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from graph_flow.cognition.continuity.chronicle import Chronicle, Scope
from graph_flow.cognition.continuity.finding import Finding, Rule, Severity, evidence, key_of, label
from store.models.cast import Awareness, Character, Relationship
from store.models.plot import Event, EventLink, LinkKind, Part
from store.prototype.states import Version
from store.text import capital

_LEADS_TO = frozenset({LinkKind.CAUSES, LinkKind.ENABLES})


def find_unknown(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield people who act because of an event of which they cannot know.

    The rule looks at links by which one event causes or enables another. An event without people
    is taken to be public, and one that is later in the story than its effect is ignored.
    """
    course = _Course(chronicle)
    for link in scope.in_kind(chronicle, EventLink):
        cause, effect = chronicle.find(Event, link.source), chronicle.find(Event, link.target)
        if link.link not in _LEADS_TO or cause is None or effect is None:
            continue
        actors = [
            person
            for part in chronicle.parts.get(effect.id, ())
            if part.part is Part.ACTS and (person := chronicle.find(Character, part.character))
        ]
        if actors and not course.can_reach(cause, effect):
            yield _unknown(chronicle, link, (cause, effect), actors)


class _Course:
    """The events of a story in the order in which they happen, and how news of them spreads."""

    def __init__(self, chronicle: Chronicle) -> None:
        self._chronicle = chronicle

    @cached_property
    def _events(self) -> list[Event]:
        key = self._chronicle.moment
        return sorted(self._chronicle.of_kind(Event), key=lambda event: (key(event), event.id))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {event.id: at for at, event in enumerate(self._events)}

    def can_reach(self, cause: Event, effect: Event) -> bool:
        """Return whether anybody in `effect` can know of `cause` by then."""
        people, places = self._people(cause), self._place(cause)
        if not people or people & self._people(effect) or places & self._place(effect):
            return True
        if self._chronicle.moment(cause) >= self._chronicle.moment(effect):
            return True
        wanted = self._people(effect), self._place(effect)
        for event in self._events[self._places[cause.id] + 1 : self._places[effect.id]]:
            there, here = self._people(event), self._place(event)
            if there & people or here & places:
                people |= there
                places |= here if there & people else frozenset()
            if people & wanted[0]:
                return True
        return bool(places & wanted[1])

    def _people(self, event: Event) -> set[str]:
        return {part.character for part in self._chronicle.parts.get(event.id, ())}

    def _place(self, event: Event) -> set[str]:
        scene = self._chronicle.scenes.get(event.id)
        return {scene} if scene else set()


def _unknown(
    chronicle: Chronicle, link: EventLink, ends: tuple[Event, Event], actors: list[Character]
) -> Finding:
    cause, effect = ends
    names = " and ".join(person.name for person in actors)
    does, them = ("acts", names) if len(actors) == 1 else ("act", "them")
    return Finding(
        key=key_of(Rule.UNKNOWN, [link.id], [chronicle.first_chapter_of(effect.id)]),
        rule=Rule.UNKNOWN,
        severity=Severity.DOUBT,
        chapters=tuple(
            sorted({chronicle.first_chapter_of(cause.id), chronicle.first_chapter_of(effect.id)})
        ),
        sentence=f"In “{effect.title}” (chapter {chronicle.first_chapter_of(effect.id)}), {names} {does} because "
        f"of “{cause.title}”, but nobody who knew of it can have told {them}.",
        evidence=evidence(chronicle, cause, effect, *actors),
    )


def find_hidden(chronicle: Chronicle, scope: Scope) -> Iterator[Finding]:
    """Yield people who return a relationship that is hidden from them, without meeting its holder.

    That is the case if a relationship of the same kind in the other direction begins in a chapter
    before and after which the first one is hidden, and in which the two share no event.
    """
    for answer in scope.in_kind(chronicle, Relationship):
        for relationship in chronicle.relationships.get(answer.target, ()):
            is_alike = relationship.target == answer.source and relationship.tie is answer.tie
            if is_alike and _is_hidden(relationship) and not answer.is_mutual:
                yield from _of_answer(chronicle, relationship, answer)


def _of_answer(
    chronicle: Chronicle, relationship: Relationship, answer: Relationship
) -> Iterator[Finding]:
    chapter = _begun(chronicle, answer)
    was_hidden = all(
        _is_hidden(chronicle.state_at(relationship.id, end)) for end in (chapter - 1, chapter)
    )
    if (
        chapter > 0
        and was_hidden
        and not chronicle.meet_in(relationship.source, relationship.target, chapter)
    ):
        yield _hidden(chronicle, relationship, answer, chapter)


def _is_hidden(entity: object) -> bool:
    return (
        isinstance(entity, Relationship)
        and entity.awareness is Awareness.HIDDEN
        and not entity.is_mutual
    )


def _begun(chronicle: Chronicle, relationship: Relationship) -> int:
    """Return the chapter since which a relationship has been of its present kind."""
    begun = chronicle.first_chapter_of(relationship.id)
    before: Version | None = None
    for at in chronicle.timelines.get(relationship.id, ()):
        was = before.entity.tie if before and isinstance(before.entity, Relationship) else None
        if (
            isinstance(at.entity, Relationship)
            and at.entity.tie is relationship.tie
            and was is not relationship.tie
        ):
            begun = at.chapter
        before = at
    return begun


def _hidden(
    chronicle: Chronicle, relationship: Relationship, answer: Relationship, chapter: int
) -> Finding:
    target = label(chronicle, relationship.target)
    return Finding(
        key=key_of(Rule.HIDDEN, [relationship.id, answer.id], [chapter]),
        rule=Rule.HIDDEN,
        severity=Severity.DOUBT,
        chapters=(chapter,),
        sentence=f"{capital(label(chronicle, relationship.id))} is hidden, but {target} returns it in "
        f"chapter {chapter}, where the two do not meet.",
        evidence=evidence(chronicle, relationship, answer),
    )
