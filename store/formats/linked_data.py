"""The story as semantic triples (METHOD: subject, predicate, object, plus properties), in Turtle and JSON-LD.

Whatever has properties of its own, a relationship or a part in an event too, is a node; beside it
stands the direct triple, so that "who distrusts whom" is one step away. Names are URNs: they
belong to no website, and mean the same in every copy of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from rdflib import RDF, RDFS, Graph, Literal, Namespace, URIRef
from rdflib.term import Node

from store.formats.extract import Extract, name_of, writable
from store.models.cast import Character, Relationship
from store.models.plot import EventLink, Foundation, Occurrence, Participation
from store.models.prototype import REFERENCES, AnyEntity


def export_turtle(extract: Extract) -> str:
    """Return the triples of a story as Turtle."""
    return _graph(extract).serialize(format="turtle")


def export_jsonld(extract: Extract) -> str:
    """Return the triples of a story as JSON-LD, in the order in which things came to be."""
    graph = _graph(extract)
    prefix = str(story_prefix(extract))
    context = {"@vocab": str(TERMS), "story": prefix, "rdf": str(RDF), "rdfs": str(RDFS)}
    text = graph.serialize(format="json-ld", context=context)
    # The library gives nodes and values in an order that differs from run to run.
    document: dict[str, Any] = json.loads(text)
    order = _order(extract, prefix)
    document["@graph"].sort(key=lambda node: order[node["@id"]])
    for node in document["@graph"]:
        for value in node.values():
            if isinstance(value, list):
                value.sort(key=str)
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _graph(extract: Extract) -> Graph:
    graph = Graph(bind_namespaces="none")
    graph.bind("", TERMS)
    graph.bind("story", story_prefix(extract))
    graph.bind("rdf", RDF)
    graph.bind("rdfs", RDFS)
    for triple in triples_of(extract):
        graph.add(triple)
    return graph


def _order(extract: Extract, prefix: str) -> dict[str, int]:
    subjects: dict[Node, None] = dict.fromkeys(triple[0] for triple in triples_of(extract))
    return {str(node).replace(prefix, "story:", 1): place for place, node in enumerate(subjects)}


Triple = tuple[Node, Node, Node]

TERMS = Namespace("urn:tellwright:terms#")

_BARE_EDGES = (Occurrence, EventLink)
"""What says no more than the direct triple does."""
_APART = {"id", "kind", "name", "title", "invented", "locked", "traits"}


def triples_of(extract: Extract) -> Iterator[Triple]:
    """Yield a story's triples, the story itself first, then all of it in order of appearance.

    What our terms mean follows at the end, for those that were used.
    """
    used: dict[str, None] = {}
    for triple in _told(extract):
        for node in triple[1:]:
            if isinstance(node, URIRef) and node.startswith(TERMS):
                used[node.removeprefix(TERMS)] = None
        yield triple
    yield from _declared(used)


def story_prefix(extract: Extract) -> Namespace:
    """Return what the names of all that is in a story begin with."""
    return Namespace(f"urn:tellwright:story:{extract.story}#")


def _told(extract: Extract) -> Iterator[Triple]:
    names = _Names(extract)
    story = names.story
    yield story, RDF.type, TERMS.Story
    yield story, RDFS.label, Literal(writable(extract.title))
    yield story, TERMS.branch, Literal(writable(extract.branch))
    yield story, TERMS.asOfChapter, Literal(extract.snapshot.chapter)
    for entity in extract.snapshot.entities.values():
        if isinstance(entity, Foundation):
            yield from _properties(story, entity, names)
            continue
        if not isinstance(entity, _BARE_EDGES):
            yield from _node(entity, names)
        yield from _direct(entity, names)


def _node(entity: AnyEntity, names: _Names) -> Iterator[Triple]:
    subject = names.of(entity.id)
    yield subject, RDF.type, TERMS[type(entity).__name__]
    if name := name_of(entity):
        yield subject, RDFS.label, Literal(name)
    yield subject, TERMS.fromChapter, Literal(names.extract.snapshot.told_in(entity.id))
    yield from _properties(subject, entity, names)
    if isinstance(entity, Character):
        yield from _traits(subject, entity)


def _properties(subject: URIRef, entity: AnyEntity, names: _Names) -> Iterator[Triple]:
    ends = REFERENCES.get(entity.kind, {})
    for field in type(entity).model_fields:
        if field in _APART:
            continue
        value = getattr(entity, field)
        for one in value if isinstance(value, tuple) else (value,):
            if one is None or one == "":
                continue
            yield subject, TERMS[_term(field)], names.of(one) if field in ends else _literal(one)


def _traits(subject: URIRef, person: Character) -> Iterator[Triple]:
    for number, trait in enumerate(person.traits, 1):
        node = URIRef(f"{subject}-trait-{number}")
        yield subject, TERMS.trait, node
        yield node, RDF.type, TERMS.Trait
        yield node, RDFS.label, Literal(writable(trait.name))
        yield node, TERMS.value, Literal(writable(trait.value))


def _direct(entity: AnyEntity, names: _Names) -> Iterator[Triple]:
    match entity:
        case Relationship():
            source, target = names.of(entity.source), names.of(entity.target)
            towards = TERMS[f"{entity.tie.value}Towards"]
            yield source, towards, target
            if entity.is_mutual:
                yield target, towards, source
        case Participation():
            yield names.of(entity.character), TERMS.inEvent, names.of(entity.event)
        case Occurrence():
            yield names.of(entity.event), TERMS.occurredIn, names.of(entity.scene)
        case EventLink():
            link = TERMS[_term(entity.link.value)]
            yield names.of(entity.source), link, names.of(entity.target)


class _Names:
    def __init__(self, extract: Extract) -> None:
        self.extract = extract
        self._prefix = story_prefix(extract)
        self.story = self._prefix.story

    def of(self, entity_id: str) -> URIRef:
        """Return the name of an entity; its kind stands first, for those who read the file."""
        kind = self.extract.snapshot.entities[entity_id].kind
        return self._prefix[f"{kind}-{entity_id}"]


def _literal(value: object) -> Literal:
    if isinstance(value, StrEnum):
        return Literal(value.value)
    return Literal(writable(value) if isinstance(value, str) else value)


def _term(words: str) -> str:
    first, *rest = words.replace("_", " ").split()
    return first + "".join(word.capitalize() for word in rest)


def _declared(used: Mapping[str, None]) -> Iterator[Triple]:
    for term in used:
        sort = RDFS.Class if term[0].isupper() else RDF.Property
        yield TERMS[term], RDF.type, sort
        yield TERMS[term], RDFS.comment, Literal(MEANINGS[term])


MEANINGS: Mapping[str, str] = {
    "Story": "A story on one line of chapters, as of one chapter.",
    "Character": "A person of the story.",
    "Relationship": "What one person is to another.",
    "Scene": "A place at a time, with its mood.",
    "Event": "Something that happens.",
    "Participation": "One person's part in one event.",
    "Thread": "Something that the reader is made to wait for.",
    "Trait": "An attribute of a person that the writer named.",
    "branch": "The line of chapters that the story is told on.",
    "asOfChapter": "The last chapter that is taken into account.",
    "fromChapter": "The chapter that first tells of it; 0 is the beginning.",
    "background": "The world, its nature and its past.",
    "longTermGoal": "The condition that ends the story.",
    "themes": "What the story is about.",
    "tone": "How the story sounds.",
    "aliases": "Another name of the person.",
    "gender": "The person's gender.",
    "age": "The person's age.",
    "occupation": "What the person does.",
    "affiliations": "Whom the person belongs to.",
    "personality": "What the person is like.",
    "motivation": "What the person wants.",
    "health": "The person's health.",
    "status": "How things stand with the person.",
    "secrets": "What the person hides.",
    "life": "Whether the person is living, missing or dead.",
    "trait": "An attribute that the writer named.",
    "value": "What a trait is.",
    "source": "Where a relationship starts.",
    "target": "Whom a relationship is towards.",
    "tie": "The kind of a relationship.",
    "strength": "How strong a relationship is, 1 to 10.",
    "isMutual": "Whether a relationship goes both ways.",
    "awareness": "Who knows of a relationship: both (mutual), only its source (one-sided), "
    "or its source, who hides it (hidden).",
    "reason": "Why a relationship is as it is.",
    "place": "Where a scene is.",
    "time": "When a scene is.",
    "atmosphere": "The mood of a scene.",
    "summary": "What happens in an event.",
    "consequences": "What comes of an event.",
    "position": "The place of an event among those of its chapter, from 0.",
    "storyOrder": "When an event happens, on a scale on which chapter n begins at n; "
    "without it, when it is told.",
    "storyDate": "When an event happens, by the story's own calendar.",
    "character": "Who takes part.",
    "event": "What somebody takes part in.",
    "part": "How somebody takes part: acts, is affected, witnesses or is told.",
    "emotion": "What somebody feels in an event.",
    "impact": "What an event does to somebody.",
    "description": "What a thread is about.",
    "state": "How far a thread has come: planned, planted, paid off or dropped.",
    "plantedIn": "The chapter in which a thread is planted, or is meant to be.",
    "paidOffIn": "The chapter in which a thread is paid off, or is meant to be.",
    "inEvent": "Joins a person to an event that they take part in.",
    "occurredIn": "Joins an event to its scene.",
    "kinshipTowards": "Is kin to.",
    "romanceTowards": "Loves.",
    "friendshipTowards": "Is a friend of.",
    "allianceTowards": "Stands with.",
    "mentorshipTowards": "Guides.",
    "serviceTowards": "Serves.",
    "rivalryTowards": "Competes with.",
    "distrustTowards": "Distrusts.",
    "enmityTowards": "Is an enemy of.",
    "debtTowards": "Is in debt to.",
    "causes": "Makes another event happen.",
    "enables": "Makes another event possible.",
    "foreshadows": "Hints at another event.",
    "paysOff": "Brings what another event promised.",
    "contradicts": "Cannot both be true with another event.",
    "parallels": "Mirrors another event.",
    "before": "Happens before another event.",
}
"""What each term means, in a sentence."""
