"""E-books (EPUB 2 and 3) without a lock: the documents of the spine, in its order."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from lxml import etree

from store.formats.reading.archives import Archive
from store.formats.reading.hypertext import read_html
from store.formats.reading.parts import Document, Part, Unreadable

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"


def is_epub(content: bytes) -> bool:
    """Return whether a zip file is an e-book."""
    with Archive(content) as archive:
        return _CONTAINER in archive.names


def read_epub(content: bytes) -> Document:
    """Return the document that an e-book is, all of its chapters in one.

    Raises:
        Unreadable: if it is damaged or locked.
    """
    with Archive(content) as archive:
        package_name = _first(
            _xml(archive.read(_CONTAINER)), "//*[local-name()='rootfile']/@full-path"
        )
        package = _xml(archive.read(package_name))
        folder = posixpath.dirname(package_name)
        locked = _locked(archive)
        parts: list[Part] = []
        # A document stands in the spine once; a file that says otherwise would be read for ever.
        for href in dict.fromkeys(_spine(package)):
            name = posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))
            if name in locked:
                raise Unreadable(
                    "it is locked against copying: only an e-book without a lock can be read"
                )
            parts += read_html(archive.read(name)).parts
    return Document(
        tuple(parts),
        title=_first(package, "//*[local-name()='metadata']/*[local-name()='title']/text()"),
        author=_first(package, "//*[local-name()='metadata']/*[local-name()='creator']/text()"),
        language=_first(package, "//*[local-name()='metadata']/*[local-name()='language']/text()"),
    )


def _locked(archive: Archive) -> set[str]:
    """Return the names of the entries that only a reader with a licence can decrypt."""
    if _ENCRYPTION not in archive.names:
        return set()
    found = _xml(archive.read(_ENCRYPTION)).xpath("//*[local-name()='CipherReference']/@URI")
    return {unquote(str(one)) for one in found} if isinstance(found, list) else set()


def _spine(package: etree._Element) -> list[str]:
    """Return where the documents are; the table of contents, which is made of them, is left out."""
    items = {
        item.get("id", ""): item
        for item in _all(package, "//*[local-name()='manifest']/*[local-name()='item']")
    }
    order = [one.get("idref", "") for one in _all(package, "//*[local-name()='itemref']")]
    found = [items[one] for one in order if one in items]
    return [
        item.get("href", "")
        for item in found
        if "html" in item.get("media-type", "") and "nav" not in item.get("properties", "").split()
    ]


def _xml(content: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.LxmlError, ValueError) as problem:
        raise Unreadable("it is damaged") from problem
    if root is None:
        raise Unreadable("it is damaged")
    return root


def _all(root: etree._Element, path: str) -> list[etree._Element]:
    found = root.xpath(path)
    return (
        [one for one in found if isinstance(one, etree._Element)] if isinstance(found, list) else []
    )


def _first(root: etree._Element, path: str) -> str:
    found = root.xpath(path)
    return " ".join(str(found[0]).split()) if isinstance(found, list) and found else ""
