"""The forms in which a story can be taken out as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from store.formats.extract import Extract
from store.formats.graphml import export_plot_graph, export_role_graph
from store.formats.linked_data import export_jsonld, export_turtle
from store.formats.tables import export_tables


class DataForm(StrEnum):
    """What a story as data can be."""

    TABLES = "tables"
    ROLE_GRAPH = "role graph"
    PLOT_GRAPH = "plot graph"
    TURTLE = "turtle"
    JSON_LD = "json-ld"


class FileKind(NamedTuple):
    """How a file of a form is called and sent. `suffix` comes after the name of the story."""

    suffix: str
    mime: str


FILE_KINDS: Mapping[DataForm, FileKind] = {
    DataForm.TABLES: FileKind(" tables.zip", "application/zip"),
    DataForm.ROLE_GRAPH: FileKind(" role graph.graphml", "application/xml"),
    DataForm.PLOT_GRAPH: FileKind(" plot graph.graphml", "application/xml"),
    DataForm.TURTLE: FileKind(".ttl", "text/turtle"),
    DataForm.JSON_LD: FileKind(".jsonld", "application/ld+json"),
}

_TEXTS: Mapping[DataForm, Callable[[Extract], str]] = {
    DataForm.ROLE_GRAPH: export_role_graph,
    DataForm.PLOT_GRAPH: export_plot_graph,
    DataForm.TURTLE: export_turtle,
    DataForm.JSON_LD: export_jsonld,
}


def export_data(extract: Extract, form: DataForm) -> bytes:
    """Return a story in one of the forms: text in UTF-8, or a zip of tables."""
    if form is DataForm.TABLES:
        return export_tables(extract)
    return _TEXTS[form](extract).encode()
