"""The Word file, read back by python-docx and by mammoth."""

from __future__ import annotations

import io

import mammoth
from docx import Document
from docx.oxml.ns import qn
from lxml import html

from store.formats.book.docx import export_docx
from tests.store.formats.book.test_writers import HOSTILE, book, whole


def test_every_kind_of_paragraph_has_a_style() -> None:
    document = Document(io.BytesIO(export_docx(whole())))
    shown = [(one.style.name, one.text) for one in document.paragraphs if one.style]
    assert shown == [
        ("Title", HOSTILE),
        ("Title Page", HOSTILE),
        ("Title Page", "about 100 words"),
        ("Heading 1", f"1. {HOSTILE}"),
        ("Manuscript Text", f"{HOSTILE}\nsecond line"),
        ("Scene Break", "#"),
        ("Manuscript Text", "The lamp was out. <img src=x onerror=alert(1)>"),
        ("Heading 1", f"2. {HOSTILE}"),
        ("Scene Heading", "INT. LAMP ROOM - NIGHT"),
        ("Action", "Mara waits."),
        ("Character", "MARA"),
        ("Parenthetical", "(softly)"),
        ("Dialogue", "It is locked."),
        ("Transition", "CUT TO:"),
        ("Heading 1", f"3. {HOSTILE}"),
    ]
    assert document.core_properties.title == HOSTILE


def test_emphasis_and_headings_are_what_they_are_for_another_reader() -> None:
    page = html.fromstring(mammoth.convert_to_html(io.BytesIO(export_docx(whole()))).value)
    assert [one.text_content() for one in page.xpath("//em")] == ["lamp", "locked"]
    assert [one.text_content() for one in page.xpath("//strong")] == ["out"]
    assert [one.text_content() for one in page.xpath("//h1")] == [
        *([HOSTILE] if page.xpath("//h1")[0].text_content() == HOSTILE else []),
        *(f"{place}. {HOSTILE}" for place in (1, 2, 3)),
    ]
    assert page.xpath("//script|//img") == []


def test_header_counts_pages_but_not_on_the_first() -> None:
    [section] = Document(io.BytesIO(export_docx(whole()))).sections
    assert section.different_first_page_header_footer
    header = section.header.paragraphs[0]
    assert [one.text for one in header._element.iter(qn("w:instrText"))] == [" PAGE "]
    assert section.first_page_header.is_linked_to_previous


def test_eastern_scripts_have_a_font_and_a_language() -> None:
    document = Document(io.BytesIO(export_docx(book(language="zh-Hans"))))
    properties = document.styles["Manuscript Text"].element.rPr
    assert properties.find(qn("w:rFonts")).get(qn("w:eastAsia")) == "SimSun"
    assert properties.find(qn("w:lang")).get(qn("w:eastAsia")) == "zh-Hans"


def test_same_book_is_the_same_bytes() -> None:
    assert export_docx(whole()) == export_docx(whole())
