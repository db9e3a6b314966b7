"""The story as semantic triples (METHOD: subject, predicate, object, plus properties), in Turtle and JSON-LD.

Whatever has properties of its own is a node, even a relationship or a part in an event; the direct
triple is added beside it, so "who distrusts whom" is one step away. Names are URNs: they belong to
no website, and mean the same in every copy of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from rdflib import RDF, RDFS, Graph, Literal, Namespace, URIRef
from rdflib.term import Node

from store.formats.extract import Extract, name_of, writable
from store.models.cast import Character, Relationship, Trait
from store.models.fields import shown_fields
from store.models.plot import EventLink, Foundation, Occurrence, Participation, Spine
from store.models.prototype import ENTITY_TYPES, REFERENCES, AnyEntity


def export_turtle(extract: Extract) -> str:
    """Return the triples of a story as Turtle."""
    return _graph(extract).serialize(format="turtle")


def export_jsonld(extract: Extract) -> str:
    """Return the triples of a story as JSON-LD, in the order in which things came to be."""
    graph = _graph(extract)
    prefix = str(story_prefix(extract))
    context = {"@vocab": str(TERMS), "story": prefix, "rdf": str(RDF), "rdfs": str(RDFS)}
    text = graph.serialize(format="json-ld", context=context)
    # rdflib gives nodes and values in an order that differs from run to run.
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
"""Edges that say no more than the direct triple does."""
_APART = {"name", "title", "traits"}
"""Fields that the triples show in another way."""


def triples_of(extract: Extract) -> Iterator[Triple]:
    """Yield a story's triples: the story itself, then everything in it in order of appearance.

    The meanings of the terms used follow at the end.
    """
    used: dict[str, None] = {}
    for triple in _facts(extract):
        for node in triple[1:]:
            if isinstance(node, URIRef) and node.startswith(TERMS):
                used[node.removeprefix(TERMS)] = None
        yield triple
    yield from _declared(used)


def story_prefix(extract: Extract) -> Namespace:
    """Return the prefix of all names in a story."""
    return Namespace(f"urn:tellwright:story:{extract.story}#")


def _facts(extract: Extract) -> Iterator[Triple]:
    names = _Names(extract)
    story = names.story
    yield story, RDF.type, TERMS.Story
    yield story, RDFS.label, Literal(writable(extract.title))
    yield story, TERMS.branch, Literal(writable(extract.branch))
    yield story, TERMS.asOfChapter, Literal(extract.snapshot.chapter)
    for entity in extract.snapshot.entities.values():
        if isinstance(entity, Foundation | Spine):
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
    yield subject, TERMS.fromChapter, Literal(names.extract.snapshot.first_chapter_of(entity.id))
    yield from _properties(subject, entity, names)
    if isinstance(entity, Character):
        yield from _traits(subject, entity)


def _properties(subject: URIRef, entity: AnyEntity, names: _Names) -> Iterator[Triple]:
    ends = REFERENCES.get(entity.kind, {})
    for field in shown_fields(type(entity)):
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
        """Return the name of an entity; its kind comes first, for those who read the file."""
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


def _meanings() -> dict[str, str]:
    """Return the meanings of the terms that are fields."""
    models = [model for model in ENTITY_TYPES.values() if model not in _BARE_EDGES]
    return {
        _term(name): field.meaning
        for model in (*models, Trait)
        for name, field in shown_fields(model).items()
        if name not in _APART
    }


MEANINGS: Mapping[str, str] = {
    **_meanings(),
    "Story": "A story on one branch, as of one chapter.",
    "Character": "A person of the story.",
    "Relationship": "What one person is to another.",
    "Scene": "A place at a time, with its mood.",
    "Event": "Something that happens.",
    "Participation": "One person's part in one event.",
    "Thread": "Something that is planted, to be paid off later.",
    "Trait": "An attribute of a person that the writer named.",
    "branch": "The branch of the story.",
    "asOfChapter": "The last chapter that is taken into account.",
    "fromChapter": "The chapter in which it first appears; 0 is the beginning.",
    "trait": "An attribute that the writer named.",
    "inEvent": "Joins a person to an event that they take part in.",
    "occurredIn": "Joins an event to its scene.",
    "kinshipTowards": "Is kin to.",
    "marriageTowards": "Is married to.",
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
    "paysOff": "Delivers what another event promised.",
    "contradicts": "Cannot be true together with another event.",
    "parallels": "Mirrors another event.",
    "before": "Happens before another event.",
}
"""What each term means, in a sentence."""
