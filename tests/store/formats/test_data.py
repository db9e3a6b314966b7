"""The story as data: golden files, reading back with other people's programs, hostile names."""

from __future__ import annotations

import csv
import io
import zipfile

import networkx as nx
import pytest
from hypothesis import given, settings
from rdflib import RDF, RDFS, Graph, Literal

from store.formats.exports import (
    DATA,
    JSON_LD,
    PLOT_GRAPH,
    ROLE_GRAPH,
    TABLES,
    TURTLE,
    DataFormat,
)
from store.formats.extract import Extract, writable
from store.formats.linked_data import MEANINGS, TERMS, story_prefix
from store.models.cast import Character, RelationshipKind, Trait
from store.models.delta import Delta
from store.models.plot import LinkKind
from store.models.prototype import ENTITY_TYPES, REFERENCES, AnyEntity, Snapshot
from tests.store.builders import CAST, CHAPTER_ONE, MARA, adding, fold, histories
from tests.store.formats.rich_story import (
    GOLDEN,
    NAME,
    encoded,
    golden_files,
    rich_extract,
    rich_story,
)

# rdflib reads JSON-LD by way of a class of its own that it means to replace.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")

GRAPHS = (ROLE_GRAPH, PLOT_GRAPH)
LINKED = {TURTLE: "turtle", JSON_LD: "json-ld"}
HOSTILE = (
    "</data></node><!--",
    "]]>",
    "a\x00b\x08c\x0b\x1f",
    '""" . :x :y "',
    "\\u0022\\",
    '{"@id": "x"}',
    "line\r\nline\rline",
    "\u2028\u2029\x85",
    "\ufffe\uffff\ufdd0",
    "\u202eabc\u202c شمس ‏",
    "👩🏽‍🚀🏴‍☠️",
    "灯塔",
)


def content_of(extract: Extract, form: DataFormat) -> bytes:
    return encoded(form.write(extract))


def graph_of(extract: Extract, form: DataFormat) -> nx.MultiDiGraph[str]:
    graph = nx.parse_graphml(content_of(extract, form).decode(), force_multigraph=True)
    assert isinstance(graph, nx.MultiDiGraph)
    return graph


def triples_in(extract: Extract, form: DataFormat) -> Graph:
    return Graph().parse(data=content_of(extract, form), format=LINKED[form])


def tables_of(extract: Extract) -> dict[str, list[dict[str, str]]]:
    with zipfile.ZipFile(io.BytesIO(content_of(extract, TABLES))) as archive:
        assert archive.testzip() is None
        return {
            name: list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8-sig"))))
            for name in archive.namelist()
        }


def extract_with(*entities: AnyEntity) -> Extract:
    return Extract("s", "Story", "main", fold([adding(*entities)]))


def test_files_are_as_they_were() -> None:
    made = dict(golden_files())

    assert {path.name for path in GOLDEN.iterdir()} == set(made)
    for name, content in made.items():
        assert content == (GOLDEN / name).read_bytes(), name


def test_same_story_makes_the_same_zip() -> None:
    assert content_of(rich_extract(), TABLES) == content_of(rich_extract(), TABLES)


def test_role_graph_is_read_by_networkx() -> None:
    graph = graph_of(rich_extract(), ROLE_GRAPH)

    assert set(graph.nodes) == {"mara", "hale", "zoe"}
    assert graph.nodes["mara"]["label"] == "Mara"
    assert graph.nodes["mara"]["aliases"] == "The Keeper; M."
    assert graph.nodes["mara"]["traits"] == "rank: captain; magic: "
    assert graph.edges["mara", "hale", "distrust"]["weight"] == 7
    assert graph.edges["mara", "zoe", "sisters"]["awareness"] == "hidden"
    assert graph.graph["chapter"] == 1


def test_plot_graph_is_read_by_networkx() -> None:
    graph = graph_of(rich_extract(), PLOT_GRAPH)

    places, events = {"lamp-room"}, {"wreck", "locked", "after"}
    assert set(graph.nodes) == {"mara", "hale", "zoe", "thread"} | places | events
    assert graph.nodes["after"]["story_order"] == -1.5
    assert graph.nodes["wreck"]["from_chapter"] == 0
    assert graph.edges["mara", "locked", "mara-locked"]["inner"] == "He must not see the oil."
    assert graph.edges["mara", "locked", "mara-locked"]["label"] == "acts"
    assert graph.edges["locked", "lamp-room", "in-lamp-room"]["label"] == "occurs in"
    assert graph.edges["locked", "after", "cause"]["label"] == "causes"


@pytest.mark.parametrize("form", LINKED)
def test_triples_say_what_is_so(form: DataFormat) -> None:
    extract = rich_extract()
    graph = triples_in(extract, form)
    story = story_prefix(extract)
    relationship = story["relationship-sisters"]

    assert (story["character-zoe"], RDFS.label, Literal(NAME)) in graph
    assert (relationship, RDF.type, TERMS.Relationship) in graph
    assert (relationship, TERMS.source, story["character-mara"]) in graph
    assert (relationship, TERMS.strength, Literal(7)) in graph
    assert (relationship, TERMS.called, Literal("my “little” sister")) in graph
    assert (story["character-mara"], TERMS.kinshipTowards, story["character-zoe"]) in graph
    assert (story["character-zoe"], TERMS.kinshipTowards, story["character-mara"]) in graph
    assert (story["character-hale"], TERMS.distrustTowards, None) not in graph
    assert (story["character-mara"], TERMS.inEvent, story["event-locked"]) in graph
    assert (story["event-locked"], TERMS.occurredIn, story["scene-lamp-room"]) in graph
    assert (story["event-after"], TERMS.paysOff, story["event-locked"]) in graph
    assert (story["event-after"], TERMS.storyOrder, Literal(-1.5)) in graph
    assert (story.story, TERMS.longTermGoal, Literal("Mara leaves.")) in graph
    assert (story.story, TERMS.ending, Literal("The lamp stays dark.")) in graph
    assert (story["event-wreck"], TERMS.fromChapter, Literal(0)) in graph


def test_both_forms_hold_the_same_triples() -> None:
    turtle, json_ld = (triples_in(rich_extract(), form) for form in LINKED)

    assert set(turtle) == set(json_ld)


def test_every_term_has_a_meaning() -> None:
    fields = {
        field
        for model in ENTITY_TYPES.values()
        if model.__name__ not in {"Occurrence", "EventLink"}
        for field in model.model_fields
    } - {"id", "kind", "name", "title", "invented", "locked", "traits"}
    words = [*fields, *LinkKind, *(f"{kind}Towards" for kind in RelationshipKind)]
    terms = {
        "".join(w[:1].upper() + w[1:] for w in word.replace("_", " ").split()) for word in words
    }

    meant = {term[:1].upper() + term[1:] for term in MEANINGS}

    assert terms <= meant


def test_tables_hold_every_thing_with_the_names_of_what_it_refers_to() -> None:
    tables = tables_of(rich_extract())

    rows = {row["id"]: row for name, rows in tables.items() if name != "traits.csv" for row in rows}
    assert set(rows) == set(rich_story().entities)
    assert rows["zoe"]["name"] == NAME
    assert rows["sisters"]["source_name"] == "Mara"
    assert rows["after"]["story_order"] == "-1.5"
    assert rows["spine"]["cost"] == "'=Everybody’s trust"
    assert [row["value"] for row in tables["traits.csv"]] == ["captain", ""]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", " =", "\r\n=", "＝"])
def test_cell_that_a_spreadsheet_would_run_is_text(start: str) -> None:
    # The models take the space at the ends away; an old library may hold it.
    trait = Trait.model_construct(name=f"{start}1", value=f"{start}cmd()")
    person = MARA.model_copy(
        update={"secrets": f"{start}1+1", "aliases": (f"{start}1",), "traits": (trait,)}
    )

    tables = tables_of(extract_with(person))

    cells = [cell for rows in tables.values() for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.strip()[:1] in {"=", "+", "-", "@", "＝"}]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", DATA)
def test_hostile_text_breaks_no_file(text: str, form: DataFormat) -> None:
    # What a title or name may not hold is kept out by the models; an old library may hold it.
    person = Character.model_construct(**{**dict(MARA), "name": text, "secrets": text})
    snapshot = Snapshot.model_construct(chapter=0, entities={"mara": person}, first_chapter={})
    extract = Extract("s", text, text, snapshot)

    assert names_in(extract, form) == {writable(text)}


def names_in(extract: Extract, form: DataFormat) -> set[str]:
    """Return what the people of a file are called, read back."""
    if form is TABLES:
        rows = tables_of(extract)["characters.csv"]
        return {row[field].removeprefix("'") for row in rows for field in ("name", "secrets")}
    if form in LINKED:
        graph = triples_in(extract, form)
        people = [*graph.subjects(RDF.type, TERMS.Character)]
        return {
            str(graph.value(one, term)) for one in people for term in (RDFS.label, TERMS.secrets)
        }
    nodes = graph_of(extract, form).nodes
    return {nodes[one][field] for one in nodes for field in ("label", "secrets")}


def test_other_scripts_and_emoji_stay() -> None:
    kept = "灯塔 شمس 👩🏽‍🚀 \u202eabc\u202c Zoë\nnext"

    assert writable(kept) == kept
    assert writable("a\x00\x08\ufffeb\r\nc") == "a\ufffd\ufffd\ufffdb\nc"


@settings(max_examples=25)
@given(histories())
def test_any_story_is_read_back_whole(deltas: list[Delta]) -> None:
    snapshot = fold(deltas)
    extract = Extract("s", "Story", "main", snapshot)
    roles, plot = (graph_of(extract, form) for form in GRAPHS)
    turtle = triples_in(extract, TURTLE)

    tables = tables_of(extract)
    assert sum(len(rows) for name, rows in tables.items() if name != "traits.csv") == len(
        snapshot.entities
    )
    assert roles.number_of_edges() == len(snapshot.relationships)
    edges = {entity.id for entity in snapshot.entities.values() if REFERENCES.get(entity.kind)}
    assert plot.number_of_edges() == len(edges) - len(snapshot.relationships)
    assert len(set(turtle.subjects(RDF.type, TERMS.Event))) == len(snapshot.events)


def test_story_before_its_beginning_makes_whole_files() -> None:
    extract = Extract("s", "", "main", Snapshot())

    assert all(content_of(extract, form) for form in DATA)
    assert len(graph_of(extract, PLOT_GRAPH)) == 0


def test_chapter_is_the_one_that_was_asked_for() -> None:
    early = Extract("s", "Story", "main", fold([adding(*CAST)]))
    late = Extract("s", "Story", "main", fold([adding(*CAST), adding(*CHAPTER_ONE)]))

    assert len(graph_of(early, PLOT_GRAPH)) == 2
    assert len(graph_of(late, PLOT_GRAPH)) == 6
