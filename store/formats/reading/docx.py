"""Word files (DOCX), read by mammoth. Macros are not looked at, and pictures are left out."""

from __future__ import annotations

import re
from dataclasses import replace

import mammoth
from lxml import etree

from store.formats.reading.archives import Archive
from store.formats.reading.hypertext import read_html
from store.formats.reading.parts import Document, Unreadable

_WANTED = re.compile(
    r"\[Content_Types\]\.xml|(?:_rels|word|docProps)/[^/]*\.(?:xml|rels)|word/_rels/[^/]*\.rels"
)
_DECLARES = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_PROPERTIES = "docProps/core.xml"
_CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True)
_STYLES = """
p[style-name='Title'] => h1.title:fresh
"""


def is_docx(content: bytes) -> bool:
    """Return whether a zip file is a Word file."""
    with Archive(content) as archive:
        return "word/document.xml" in archive.names


def read_docx(content: bytes) -> Document:
    """Return the document that a Word file is.

    Raises:
        Unreadable: if it is damaged, or more than a document.
    """
    with Archive(content) as archive:
        names = [name for name in archive.names if _WANTED.fullmatch(name)]
        for name in names:
            # Word writes neither; they are how a small file becomes a large one, or reads another.
            if _DECLARES.search(archive.read(name)):
                raise Unreadable("it declares entities, as no Word file does")
    with Archive(content) as archive:
        bounded = archive.rebuilt(set(names).__contains__)
    try:
        made = mammoth.convert_to_html(
            bounded, style_map=_STYLES, convert_image=mammoth.images.img_element(lambda _: {})
        )
    except Exception as problem:  # mammoth raises whatever a broken file leads to
        raise Unreadable("it is damaged, or no Word file") from problem
    body = read_html(f"<html><body>{made.value}</body></html>".encode())
    return replace(body, author=_author(content))


def _author(content: bytes) -> str:
    """Return who wrote it, as its properties have it; empty if they do not say."""
    with Archive(content) as archive:
        if _PROPERTIES not in archive.names:
            return ""
        try:
            found = etree.fromstring(archive.read(_PROPERTIES), _PARSER).findtext(_CREATOR)
        except etree.XMLSyntaxError:
            return ""
    return " ".join((found or "").split())
