"""What holds of the continuity check whatever is told."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from graph_flow.cognition.continuity.check import RULES, check_delta, check_story
from graph_flow.cognition.continuity.chronicle import Chronicle, Scope
from graph_flow.cognition.continuity.finding import Finding
from store.deltas.delta import apply
from store.models.cast import Awareness, Character, Life, Relationship, RelationshipKind
from store.models.delta import Delta
from store.models.plot import (
    LinkKind,
    Part,
    Scene,
    Thread,
    ThreadState,
)
from store.models.prototype import AnyEntity, Snapshot
from tests.graph_flow.cognition.continuity.stories import delta_to, event, link, part, sentences
from tests.store.builders import altered

PEOPLE = [Character(id=f"p{at}", name=f"Person {at}") for at in range(4)]
SCENES = [
    Scene(id=f"s{at}", name=f"Scene {at}", place=f"Place {at}", time="noon") for at in range(3)
]
RELATIONSHIPS = [
    Relationship(
        id=f"t{at}",
        source=PEOPLE[at].id,
        target=PEOPLE[(at + 1) % 4].id,
        tie=RelationshipKind.FRIENDSHIP,
        awareness=awareness,
    )
    for at, awareness in enumerate([*Awareness, Awareness.MUTUAL])
]
Told = list[AnyEntity]
Story = list[Told]


def fold(told: Story) -> tuple[Snapshot, Chronicle, list[Delta]]:
    standing, chronicle = Snapshot(), Chronicle.of(Snapshot(), {})
    deltas = []
    for chapter, entities in enumerate(told):
        delta = delta_to(standing, entities)
        standing = apply(standing, delta, chapter)
        chronicle = chronicle.after(delta, chapter)
        deltas.append(delta)
    return standing, chronicle, deltas


@st.composite
def wild_stories(draw: st.DrawFn) -> Story:
    """Draw stories in which anything happens."""
    told: Story = [[*PEOPLE, *SCENES, *RELATIONSHIPS]]
    events: list[str] = []
    for chapter in range(1, draw(st.integers(2, 6))):
        told.append(draw(wild_chapters(chapter, events)))
    return told


@st.composite
def wild_chapters(draw: st.DrawFn, chapter: int, events: list[str]) -> Told:
    told: dict[str, AnyEntity] = {}
    for position in range(draw(st.integers(0, 3))):
        id_ = f"e{chapter}-{position}"
        when = draw(st.none() | st.sampled_from([0.5, 1.5, 2.0]))
        at = draw(st.none() | st.sampled_from(SCENES))
        whole = event(id_, at=at, position=position, story_order=when)
        whole += [
            part(id_, person.id, draw(st.sampled_from(list(Part))))
            for person in draw(st.lists(st.sampled_from(PEOPLE), unique=True, max_size=3))
        ]
        if events:
            kind = draw(st.sampled_from(list(LinkKind)))
            whole.append(link(draw(st.sampled_from(events)), kind, id_))
        events.append(id_)
        told |= {one.id: one for one in whole}
    relationship, person = draw(st.sampled_from(RELATIONSHIPS)), draw(st.sampled_from(PEOPLE))
    told[relationship.id] = altered(
        relationship,
        strength=draw(st.integers(1, 10)),
        tie=draw(st.sampled_from([relationship.tie, RelationshipKind.ENMITY])),
    )
    told[person.id] = altered(person, life=draw(st.sampled_from(list(Life))))
    thread = Thread(
        id=f"t{chapter}-0",
        title="a thread",
        state=draw(st.sampled_from(list(ThreadState))),
        paid_off_in=draw(st.none() | st.integers(0, 3)),
        planted_in=draw(st.none() | st.integers(0, 3)),
    )
    return [*told.values(), altered(thread, id=f"thread-{chapter}")]


@st.composite
def consistent_stories(draw: st.DrawFn) -> Story:
    """Draw stories as a careful writer tells them: nobody knows, is or feels what cannot be."""
    told: Story = [[*PEOPLE, *SCENES, *RELATIONSHIPS]]
    living, last = list(PEOPLE), ""
    opened: list[Thread] = []
    for chapter in range(1, draw(st.integers(2, 7))):
        # Everybody is there in every chapter, one scene after the other.
        scene = draw(st.sampled_from(SCENES))
        entities: Told = []
        for position in range(draw(st.integers(1, 3))):
            id_ = f"e{chapter}-{position}"
            entities += event(id_, *(one.id for one in living), at=scene, position=position)
            if last:
                kind = draw(st.sampled_from([LinkKind.CAUSES, LinkKind.FORESHADOWS]))
                entities.append(link(last, kind, id_))
            last = id_
        there = {one.id for one in living}
        for relationship in draw(st.lists(st.sampled_from(RELATIONSHIPS), unique=True)):
            if {relationship.source, relationship.target} <= there:
                entities.append(altered(relationship, strength=draw(st.integers(1, 10))))
        if len(living) > 1 and draw(st.booleans()):
            entities.append(altered(living.pop(), life=Life.DEAD))
        entities += [
            altered(one, state=ThreadState.PAID_OFF, paid_off_in=chapter) for one in opened
        ]
        opened = [
            Thread(
                id=f"thread{chapter}",
                title="a thread",
                state=ThreadState.PLANTED,
                planted_in=chapter,
            )
        ]
        entities += opened
        told.append(entities)
    told.append([altered(one, state=ThreadState.PAID_OFF, paid_off_in=len(told)) for one in opened])
    return told


def by_rules(chronicle: Chronicle) -> dict[str, Finding]:
    scope = Scope.whole(chronicle)
    return {finding.key: finding for rule in RULES for finding in rule(chronicle, scope)}


@given(consistent_stories())
def test_a_consistent_story_has_no_findings(told: Story) -> None:
    _, chronicle, _ = fold(told)
    assert sentences(check_story(chronicle, is_over=True)) == []


@given(wild_stories())
def test_what_a_chapter_adds_is_found_in_it_alone(told: Story) -> None:
    """A candidate's findings are those that the story would have more with it, no other ones."""
    _, before, _ = fold(told[:-1])
    standing, after, deltas = fold(told)
    added = {one.key: one for one in check_delta(before, deltas[-1], standing.chapter)}
    old, new = by_rules(before), by_rules(after)
    assert added == {key: one for key, one in new.items() if key not in old}


def test_whoever_was_in_two_places_before_is_not_found_there_again() -> None:
    kiss, fire, dance = (
        event(name, "p0", at=scene, story_order=0.5)
        for name, scene in (("kiss", SCENES[0]), ("fire", SCENES[1]), ("dance", SCENES[0]))
    )
    _, alone, _ = fold([[*PEOPLE, *SCENES], kiss])
    standing, apart, (*_, second) = fold([[*PEOPLE, *SCENES], kiss, fire])
    assert len(check_delta(alone, second, 2)) == 1
    assert check_delta(apart, delta_to(standing, dance), 3) == []


@given(wild_stories())
def test_laid_out_at_once_or_chapter_by_chapter_a_story_is_the_same(told: Story) -> None:
    standing, folded, _ = fold(told)
    at_once = Chronicle.of(standing, folded.timelines)
    assert check_story(at_once, is_over=True) == check_story(folded, is_over=True)


@given(wild_stories(), st.randoms(use_true_random=False))
def test_keys_do_not_depend_on_the_order_of_things(told: Story, shuffled: random.Random) -> None:
    standing, chronicle, _ = fold(told)
    ids = list(standing.entities)
    shuffled.shuffle(ids)
    entities = {id_: standing.entities[id_] for id_ in ids}
    mixed = Chronicle.of(standing.model_copy(update={"entities": entities}), chronicle.timelines)
    found, again = check_story(chronicle, is_over=True), check_story(mixed, is_over=True)
    assert [one.key for one in found] == [one.key for one in again]


@given(wild_stories())
def test_every_finding_names_chapters_and_evidence_that_are_there(told: Story) -> None:
    standing, chronicle, _ = fold(told)
    found = check_story(chronicle, is_over=True)
    assert len({one.key for one in found}) == len(found)
    for one in found:
        assert one.chapters == tuple(sorted(set(one.chapters)))
        assert one.evidence
        assert all(item.id in standing.entities and item.label for item in one.evidence)
        assert one.sentence.endswith(".")
