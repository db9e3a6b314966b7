"""The story as linked data: the triples of `store.formats.triples` as Turtle and as JSON-LD."""

from __future__ import annotations

import json
from typing import Any

from rdflib import RDF, RDFS, Graph
from rdflib.term import Node

from store.formats.extract import Extract
from store.formats.triples import TERMS, story_prefix, triples_of


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
