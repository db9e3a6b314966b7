"""The formats in which a story can be exported: what each is for, its file, and what writes it.

The Export page and the command line read `DOCUMENTS`, `INTERACTIVE`, `WHOLE_STORY` and `DATA`. A new format is a
module that writes it, and an entry here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from store.formats.book.blocks import Book
from store.formats.book.composing import compose
from store.formats.book.docx import export_docx
from store.formats.book.epub import export_epub
from store.formats.book.fdx import export_fdx
from store.formats.book.fountain import export_fountain
from store.formats.book.hypertext import export_html
from store.formats.book.interactive.composing import compose_interactive
from store.formats.book.interactive.ink import export_ink
from store.formats.book.interactive.model import InteractiveFiction
from store.formats.book.interactive.twee import export_twee
from store.formats.book.pdf import export_pdf
from store.formats.book.plain_text import export_plain_text
from store.formats.bundle import export_bundle
from store.formats.extract import Extract, Manuscript, extract_of, manuscript_of
from store.formats.graphml import export_plot_graph, export_role_graph
from store.formats.linked_data import export_jsonld, export_turtle
from store.formats.markdown import export_markdown
from store.formats.tables import export_tables
from store.models.form import Form, Layout
from store.open import Store


class Source(NamedTuple):
    """What to export. Data formats are as of `chapter`; None is the newest.

    What is for reading is the book, or the `telling` of this id.
    """

    store: Store
    branch: str
    chapter: int | None = None
    telling: str | None = None

    @property
    def manuscript(self) -> Manuscript:
        """The written chapters."""
        return manuscript_of(self.store, self.branch, self.telling)


@dataclass(frozen=True)
class ExportFormat(ABC):
    """A format: its name for the writer, and the name and type of its file.

    `key` is what the command line calls it.
    """

    key: str
    label: str
    about: str
    """What it holds and what it is good for."""
    suffix: str
    """What follows the story's title in the name of the file."""
    media_type: str

    def export(self, source: Source) -> bytes:
        """Return the file; text is in UTF-8.

        Raises:
            NotFound: if there is no such branch.
        """
        content = self._content(source)
        return content.encode() if isinstance(content, str) else content

    @abstractmethod
    def _content(self, source: Source) -> str | bytes:
        """Return the content of the file."""


@dataclass(frozen=True)
class DocumentFormat(ExportFormat):
    """The written chapters of a branch, for reading."""

    write: Callable[[Manuscript], str | bytes]

    def _content(self, source: Source) -> str | bytes:
        return self.write(source.manuscript)


@dataclass(frozen=True)
class BookFormat(ExportFormat):
    """The written chapters of a branch as a book; some kinds of file are for scripts alone."""

    write: Callable[[Book], str | bytes]
    is_for_scripts: bool = False
    is_set: bool = False
    """Whether it is set in type, which takes some seconds and can lack a font."""

    def suits(self, form: Form) -> bool:
        """Return whether a story that is told in a form makes sense as such a file."""
        return not self.is_for_scripts or form.spec.layout is Layout.LINES

    def _content(self, source: Source) -> str | bytes:
        return self.write(compose(source.manuscript))


@dataclass(frozen=True)
class InteractiveFormat(ExportFormat):
    """A branch with the ways not taken, among which a reader chooses.

    Its `export` also raises `NoWayNotTaken`.
    """

    write: Callable[[InteractiveFiction], str]

    def _content(self, source: Source) -> str:
        return self.write(compose_interactive(source.store, source.branch))


@dataclass(frozen=True)
class StoryFormat(ExportFormat):
    """The whole story with all its branches, which a library can import again."""

    write: Callable[[Store, str], str | bytes]

    def _content(self, source: Source) -> str | bytes:
        return self.write(source.store, source.store.library.branch(source.branch).story)


@dataclass(frozen=True)
class DataFormat(ExportFormat):
    """The people, relationships and events of a branch as of one chapter, for other programs."""

    write: Callable[[Extract], str | bytes]

    def _content(self, source: Source) -> str | bytes:
        return self.write(extract_of(source.store, source.branch, source.chapter))


MARKDOWN = DocumentFormat(
    "md",
    "Markdown",
    "The chapters as one Markdown file, to read, print or take to another editor.",
    ".md",
    "text/markdown",
    export_markdown,
)

WORD = BookFormat(
    "docx",
    "Word, as a manuscript",
    "Standard manuscript format, double spaced: for an editor, an agent, or to write on in Word or "
    "LibreOffice.",
    ".docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    export_docx,
)
EPUB = BookFormat(
    "epub",
    "E-book",
    "EPUB 3, for e-readers, tablets and phones.",
    ".epub",
    "application/epub+zip",
    export_epub,
)
PDF = BookFormat(
    "pdf",
    "PDF",
    "Set as pages, to print or to read anywhere.",
    ".pdf",
    "application/pdf",
    export_pdf,
    is_set=True,
)
FOUNTAIN = BookFormat(
    "fountain",
    "Fountain",
    "Plain text that screenwriting programs open: Highland, Beat, Fade In, WriterDuet.",
    ".fountain",
    "text/plain",
    export_fountain,
    is_for_scripts=True,
)
FINAL_DRAFT = BookFormat(
    "fdx",
    "Final Draft",
    "FDX, the format in which the film business passes screenplays on.",
    ".fdx",
    "application/xml",
    export_fdx,
    is_for_scripts=True,
)
WEB_PAGE = BookFormat(
    "html",
    "Web page",
    "One page that any browser shows, with nothing to load and nothing that runs.",
    ".html",
    "text/html",
    export_html,
)
PLAIN_TEXT = BookFormat(
    "txt",
    "Plain text",
    "The words alone, for any program.",
    ".txt",
    "text/plain",
    export_plain_text,
)

TWINE = InteractiveFormat(
    "twee",
    "Twine",
    "Twee 3, which Twine imports: every passage on a map, to play, to style and to publish as a web page.",
    ".twee",
    "text/plain",
    export_twee,
)
INK = InteractiveFormat(
    "ink",
    "Ink",
    "The language of inkle’s games: open it in Inky, or play it in Unity, Unreal, Godot or a web page.",
    ".ink",
    "text/plain",
    export_ink,
)

WHOLE_STORY = StoryFormat(
    "json",
    "Whole story",
    "Everything in one JSON file: premise, cast, plot, candidates, every version of the text. For "
    "a backup or another machine; import it in the library to get the story back. It contains "
    "no keys.",
    ".json",
    "application/json",
    export_bundle,
)

TABLES = DataFormat(
    "tables",
    "Tables for a spreadsheet",
    "A zip of CSV files, one for each kind: people, relationships, places, events, threads …",
    " tables.zip",
    "application/zip",
    export_tables,
)
ROLE_GRAPH = DataFormat(
    "role-graph",
    "Role Graph for a network program",
    "GraphML: who is what to whom, to draw and measure in Gephi, yEd or Cytoscape.",
    " role graph.graphml",
    "application/xml",
    export_role_graph,
)
PLOT_GRAPH = DataFormat(
    "plot-graph",
    "Plot Graph for a network program",
    "GraphML: events, who is in them, where they happen, and what leads to what.",
    " plot graph.graphml",
    "application/xml",
    export_plot_graph,
)
TURTLE = DataFormat(
    "turtle",
    "Facts for a knowledge base",
    "Turtle: every fact as subject, predicate and object, ready to be queried.",
    ".ttl",
    "text/turtle",
    export_turtle,
)
JSON_LD = DataFormat(
    "json-ld",
    "Facts for a program",
    "JSON-LD: the same facts as JSON.",
    ".jsonld",
    "application/ld+json",
    export_jsonld,
)

DOCUMENTS: tuple[DocumentFormat | BookFormat, ...] = (
    *(WORD, EPUB, PDF, FOUNTAIN, FINAL_DRAFT, MARKDOWN, WEB_PAGE, PLAIN_TEXT),
)
INTERACTIVE: tuple[InteractiveFormat, ...] = (TWINE, INK)
DATA: tuple[DataFormat, ...] = (TABLES, ROLE_GRAPH, PLOT_GRAPH, TURTLE, JSON_LD)

FORMATS: Mapping[str, ExportFormat] = {
    one.key: one for one in (*DOCUMENTS, *INTERACTIVE, WHOLE_STORY, *DATA)
}
"""Every format, by what the command line calls it."""
