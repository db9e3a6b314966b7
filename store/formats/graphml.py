"""The Role Graph and the Plot Graph as GraphML, for programs that draw and measure networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import networkx as nx

from store.deltas.names import references
from store.formats.extract import Cell, Extract, cell_of, name_of, writable
from store.models.cast import Character, Relationship
from store.models.fields import shown_fields
from store.models.plot import EventLink, Occurrence, Participation
from store.models.prototype import AnyEntity, Snapshot

Attributes = dict[str, Cell]

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_APART = {"name", "title", "traits"}
"""Fields that a graph shows in another way."""
_FIXED_LABELS: Mapping[type[AnyEntity], str] = {Occurrence: "occurs in"}
_LABEL_FIELDS: Mapping[type[AnyEntity], str] = {
    Relationship: "words",
    EventLink: "link",
    Participation: "part",
}


def export_role_graph(extract: Extract) -> str:
    """Return people and their relationships; the weight of an edge is its strength, 1 to 10."""
    snapshot = extract.snapshot
    return _graphml(extract, "Role Graph", snapshot.characters, snapshot.relationships)


def export_plot_graph(extract: Extract) -> str:
    """Return events with their people, scenes and links; threads have no edges."""
    snapshot = extract.snapshot
    nodes: list[AnyEntity] = [
        *snapshot.characters,
        *snapshot.scenes,
        *snapshot.events,
        *snapshot.threads,
    ]
    edges: list[AnyEntity] = [
        *snapshot.of(Participation),
        *snapshot.of(Occurrence),
        *snapshot.of(EventLink),
    ]
    return _graphml(extract, "Plot Graph", nodes, edges)


def _graphml(
    extract: Extract, name: str, nodes: Sequence[AnyEntity], edges: Sequence[AnyEntity]
) -> str:
    snapshot = extract.snapshot
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(
        name=name,
        story=writable(extract.title),
        branch=writable(extract.branch),
        chapter=snapshot.chapter,
    )
    for node in nodes:
        graph.add_node(node.id, label=name_of(node), **_attributes(node, snapshot))
    for edge in edges:
        source, target = references(edge).values()
        graph.add_edge(
            source, target, key=edge.id, label=_label(edge), **_attributes(edge, snapshot)
        )
    return "\n".join([_DECLARATION, *nx.generate_graphml(graph)]) + "\n"


def _label(edge: AnyEntity) -> str:
    fixed = _FIXED_LABELS.get(type(edge))
    return fixed or writable(str(getattr(edge, _LABEL_FIELDS[type(edge)])))


def _attributes(entity: AnyEntity, snapshot: Snapshot) -> Attributes:
    ends = references(entity)
    told: Attributes = {"kind": entity.kind, "from_chapter": snapshot.first_chapter_of(entity.id)}
    for field in shown_fields(type(entity)):
        if field in _APART or field in ends:
            continue
        value = cell_of(getattr(entity, field))
        if value != "":
            told[field] = value
    if isinstance(entity, Relationship):
        told["weight"] = entity.strength
    if isinstance(entity, Character) and entity.traits:
        told["traits"] = "; ".join(
            writable(f"{trait.name}: {trait.value}") for trait in entity.traits
        )
    return told
