"""The book as EPUB 3: one XHTML document a chapter, a table of contents, and a title page.

The same book is the same bytes: the date of its last change is a fixed one.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from html import escape
from uuid import NAMESPACE_URL, uuid5

from store.formats.book.blocks import Book, Chapter
from store.formats.book.hypertext import STYLE, chapter_html, chapter_id

_MEDIA_TYPE = b"application/epub+zip"
_NO_DATE = (1980, 1, 1, 0, 0, 0)
"""The first date that a zip file can hold."""
_MODIFIED = "2000-01-01T00:00:00Z"
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_CONTAINER = (
    f'{_XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">\n'
    '<rootfiles><rootfile full-path="EPUB/package.opf" '
    'media-type="application/oebps-package+xml"/></rootfiles>\n</container>\n'
)
_RIGHT_TO_LEFT = ("ar", "he", "fa", "ur", "yi")


def export_epub(book: Book) -> bytes:
    """Return the book as the bytes of an EPUB file."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        # Readers know the file by this one, which comes first and is not compressed.
        _put(file, "mimetype", _MEDIA_TYPE, zipfile.ZIP_STORED)
        _put(file, "META-INF/container.xml", _CONTAINER.encode())
        for name, content in _documents(book):
            _put(file, f"EPUB/{name}", content.encode())
    return target.getvalue()


def _put(
    file: zipfile.ZipFile, name: str, content: bytes, packing: int = zipfile.ZIP_DEFLATED
) -> None:
    entry = zipfile.ZipInfo(name, _NO_DATE)
    entry.compress_type = packing
    entry.external_attr = 0o644 << 16
    file.writestr(entry, content)


def _documents(book: Book) -> Iterator[tuple[str, str]]:
    yield "package.opf", _package(book)
    yield "style.css", STYLE
    yield "contents.xhtml", _document(book, book.title, _contents(book))
    yield "title.xhtml", _document(book, book.title, _title_page(book))
    for chapter in book.chapters:
        body = f'<section epub:type="chapter">\n{chapter_html(chapter)}\n</section>'
        yield _file_of(chapter), _document(book, chapter.heading, body)


def _file_of(chapter: Chapter) -> str:
    return f"{chapter_id(chapter)}.xhtml"


def _document(book: Book, title: str, body: str) -> str:
    direction = ' dir="rtl"' if book.language.split("-")[0] in _RIGHT_TO_LEFT else ""
    return (
        f'{_XML}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops" lang="{book.language}" '
        f'xml:lang="{book.language}"{direction}>\n<head>\n<title>{escape(title)}</title>\n'
        '<link rel="stylesheet" type="text/css" href="style.css"/>\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _title_page(book: Book) -> str:
    author = f'\n<p class="author">{escape(book.author)}</p>' if book.author else ""
    return f'<section epub:type="titlepage">\n<h1>{escape(book.title)}</h1>{author}\n</section>'


def _contents(book: Book) -> str:
    title = f'<li><a href="title.xhtml">{escape(book.title)}</a></li>'
    entries = "\n".join(
        f'<li><a href="{_file_of(one)}">{escape(one.heading)}</a></li>' for one in book.chapters
    )
    listed = "\n".join(part for part in (title, entries) if part)
    return (
        f'<nav epub:type="toc" id="toc">\n<h1>{escape(book.title)}</h1>\n'
        f"<ol>\n{listed}\n</ol>\n</nav>"
    )


def _package(book: Book) -> str:
    identifier = uuid5(NAMESPACE_URL, f"tellwright:{book.identifier}").urn
    creator = f"<dc:creator>{escape(book.author)}</dc:creator>\n" if book.author else ""
    items = "".join(
        f'<item id="{chapter_id(one)}" href="{_file_of(one)}" '
        'media-type="application/xhtml+xml"/>\n'
        for one in book.chapters
    )
    order = "".join(f'<itemref idref="{chapter_id(one)}"/>\n' for one in book.chapters)
    is_from_right = book.language.split("-")[0] in _RIGHT_TO_LEFT
    direction = ' page-progression-direction="rtl"' if is_from_right else ""
    return (
        f'{_XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        f'unique-identifier="id" xml:lang="{book.language}">\n'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        f'<dc:identifier id="id">{identifier}</dc:identifier>\n'
        f"<dc:title>{escape(book.title)}</dc:title>\n{creator}"
        f"<dc:language>{book.language}</dc:language>\n"
        f'<meta property="dcterms:modified">{_MODIFIED}</meta>\n</metadata>\n<manifest>\n'
        '<item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" '
        'properties="nav"/>\n<item id="style" href="style.css" media-type="text/css"/>\n'
        '<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>\n'
        f'{items}</manifest>\n<spine{direction}>\n<itemref idref="title"/>\n{order}</spine>\n'
        "</package>\n"
    )
