"""Books from files: every word in its order, chapters where they begin, and hostile files refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.errors import BookUnreadable
from store.formats.book.blocks import Book, Chapter
from store.formats.book.composing import blocks_of
from store.formats.book.docx import export_docx
from store.formats.book.epub import export_epub
from store.formats.book.hypertext import export_html
from store.formats.book.plain_text import export_plain_text
from store.formats.reading import bounds
from store.formats.reading.chapters import FRONT
from store.formats.reading.files import NamedFile, ReadBook, read_files
from store.formats.reading.keeping import keep_as_story
from store.models.form import Form, Layout
from store.open import Store

Writer = Callable[[Book], str | bytes]
WRITERS: dict[str, Writer] = {
    "docx": export_docx,
    "epub": export_epub,
    "html": export_html,
    "txt": export_plain_text,
}
TEXTS = ("The *lamp* was out.\n\n* * *\n\nNobody & no one <came>.", "“Who’s there?” 守夜人。")


def a_book(*texts: str, title: str = "The Lamp Room") -> Book:
    chapters = tuple(
        Chapter(place, f"Night {place}", blocks_of(text, Layout.PROSE))
        for place, text in enumerate(texts, start=1)
    )
    return Book("s", title, "Ada Moor", "en", Form.NOVEL, 1200, chapters)


def read(name: str, content: bytes | str, *more: tuple[str, str]) -> ReadBook:
    files = [(name, content), *more]
    return read_files(
        [NamedFile(one, text.encode() if isinstance(text, str) else text) for one, text in files]
    )


def titles(book: ReadBook) -> list[str]:
    return [one.title for one in book.chapters]


@pytest.mark.parametrize("kind", WRITERS)
def test_what_is_exported_is_imported_again_word_for_word(kind: str) -> None:
    found = read(f"b.{kind}", WRITERS[kind](a_book(*TEXTS)))

    assert (found.title, found.author) == ("The Lamp Room", "Ada Moor")
    assert titles(found) == ["Night 1", "Night 2"]
    expected = TEXTS if kind != "txt" else tuple(one.replace("*lamp*", "lamp") for one in TEXTS)
    assert tuple(one.text for one in found.chapters) == expected


LINES = st.text(st.sampled_from(list("abc é守「」'’.!?<>&")), min_size=1, max_size=40).map(
    lambda line: " ".join(line.split())
)
PARAGRAPHS = st.lists(LINES.filter(lambda line: line[:1].isalpha()), min_size=1, max_size=20)


@settings(max_examples=8, deadline=None)
@given(paragraphs=PARAGRAPHS)
@pytest.mark.parametrize("kind", WRITERS)
def test_no_word_of_any_text_is_lost(kind: str, paragraphs: list[str]) -> None:
    text = "\n\n".join(paragraphs)
    found = read(f"b.{kind}", WRITERS[kind](a_book(text, "End of it, all of it.")))

    assert found.chapters[0].text.split() == text.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Chapter 1\n\nOne.\n\nChapter 2\n\nTwo.", ["Chapter 1", "Chapter 2"]),
        (
            "CHAPTER I. The Door\n\nOne.\n\nCHAPTER II\n\nTwo.",
            ["CHAPTER I. The Door", "CHAPTER II"],
        ),
        ("Prologue\n\nOne.\n\nChapter One\n\nTwo.", ["Prologue", "Chapter One"]),
        ("第一章 门\n\n门锁了。\n\n第二章\n\n没人来。", ["第一章 门", "第二章"]),
        ("1\n\nOne.\n\n2\n\nTwo.", ["1", "2"]),
        ("1. The door\n\nOne.\n\n2. Dawn\n\nTwo.", ["The door", "Dawn"]),
        ("Chapter 3\n\nOne.\n\nChapter 2\n\nTwo.", ["Chapter 3", "Chapter 2"]),
        (
            "PART ONE\n\nChapter 1\n\nOne.\n\nChapter 2\n\nTwo.",
            ["PART ONE: Chapter 1", "Chapter 2"],
        ),
        ("All in one.", [""]),
        ("In chapter 4 she said\n\nthat chapter 5 was lost.", [""]),
    ],
)
def test_chapters_of_plain_text_begin_where_a_reader_sees_it(
    text: str, expected: list[str]
) -> None:
    found = read("The lamp.txt", text)

    assert titles(found) == expected
    words = "".join(f"{one.title}{one.text}" for one in found.chapters)
    assert sum(map(str.isalpha, words)) == sum(map(str.isalpha, text))


def test_headings_of_markdown_have_parts_above_and_sections_beneath() -> None:
    found = read(
        "b.md",
        "---\ntitle: The Lamp\nauthor: Ada\nlanguage: en\n---\n\n# Part One\n\n## The door\n\nOne.\n\n"
        "### Inside\n\nTwo.\n\n## Dawn\n\n---\n\nThree *soft*\nline.\n\n# Part Two\n\n## Late\n\nFour.",
    )

    assert (found.title, found.author, found.language) == ("The Lamp", "Ada", "en")
    assert titles(found) == ["Part One: The door", "Dawn", "Part Two: Late"]
    assert found.chapters[0].text == "One.\n\n**Inside**\n\nTwo."
    assert found.chapters[1].text == "* * *\n\nThree *soft* line."


def test_several_files_are_in_the_order_of_their_numbers() -> None:
    found = read("chapter 10.txt", "Ten.", ("chapter 2.md", "Two."), ("01 - The_door.txt", "One."))

    assert titles(found) == ["The door", "chapter 2", "chapter 10"]
    assert [one.text for one in found.chapters] == ["One.", "Two.", "Ten."]


def test_text_before_the_first_heading_is_kept() -> None:
    found = read("b.md", "For my mother, who never liked it.\n\n# One\n\nA.\n\n# Two\n\nB.")

    assert titles(found) == [FRONT, "One", "Two"]
    assert found.chapters[0].text == "For my mother, who never liked it."


@pytest.mark.parametrize(
    ("front", "author", "is_kept"),
    [
        ("The Lamp\n\nby Ada Moor\n\nabout 3,000 words", "Ada Moor", False),
        ("**The Lamp**\n\nAda Moor", "Ada Moor", False),
        ("The Lamp\n\nFor Ada", "", True),
        ("The Lamp\n\nby Ada Moor\n\nNobody is left.", "", True),
        ("The Lamp\n\nAda Moor\n\nBen Moor", "", True),
    ],
)
def test_title_page_is_dropped_only_if_nothing_of_it_is_lost(
    front: str, author: str, is_kept: bool
) -> None:
    found = read("b.txt", f"{front}\n\nChapter 1\n\nA.\n\nChapter 2\n\nB.")

    assert (found.author, titles(found)[0] == FRONT) == (author, is_kept)
    assert found.title == ("b" if is_kept else "The Lamp")


def test_lines_that_were_broken_for_a_screen_are_joined() -> None:
    line = "It was a dark and stormy night and the rain fell in torrents on"
    found = read("b.txt", f"{line}\n{line}\nthe roof.\n\n{line}\nthe wall.")

    assert found.chapters[0].text == f"{line} {line} the roof.\n\n{line} the wall."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_encodings_of_chinese(encoding: str) -> None:
    text = "守夜的人睡着了，灯也灭了。没有人来敲门。"
    assert read("b.txt", text.encode(encoding)).chapters[0].text == text


def test_western_text_is_not_taken_for_chinese() -> None:
    text = "Elle était là, à côté du café, où l’on rêve."
    assert read("b.txt", text.encode("cp1252")).chapters[0].text == text


def test_word_file_without_heading_styles_is_read_by_its_lines() -> None:
    document = docx.Document()
    for line in ("Chapter 1", "One.", "Chapter 2", "Two."):
        document.add_paragraph().add_run(line).bold = line.startswith("Chapter")
    target = io.BytesIO()
    document.save(target)

    found = read("Draft.docx", target.getvalue())

    assert (found.title, titles(found)) == ("Draft", ["Chapter 1", "Chapter 2"])


def test_chapter_too_long_for_the_app_is_divided_and_nothing_is_lost() -> None:
    paragraph = "word " * 20_000
    found = read("b.txt", "\n\n".join([paragraph] * 30))

    assert titles(found) == ["Part 1", "Part 2", "Part 3", "Part 4"]
    assert all(len(one.text) <= bounds.CHAPTER_CHARACTERS for one in found.chapters)
    assert sum(one.text.count("word") for one in found.chapters) == 600_000


def test_heading_too_long_for_a_title_is_kept_whole_in_the_text() -> None:
    heading = "In which " + "somebody goes " * 12 + "home"
    found = read("b.md", f"# {heading}\n\nOne.\n\n# Two\n\nTwo.")

    assert len(found.chapters[0].title) <= bounds.TITLE_CHARACTERS
    assert f"**{heading}**" in found.chapters[0].text


def test_nothing_hostile_in_a_web_page_becomes_text_or_code() -> None:
    found = read(
        "b.html",
        '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><head><style>p{}</style></head>'
        "<body><script>alert(1)</script><p onclick='x()'>The <b>lamp</b>&x; &lt;script&gt;.</p>"
        "<p style='display:none'>hidden</p><!-- no --><iframe src='file:///etc/passwd'></iframe>"
        "<img src=x onerror=alert(1)></body></html>",
    )

    [chapter] = found.chapters
    assert "root:" not in chapter.text
    assert chapter.text.startswith("The **lamp**")
    assert "<script>." in chapter.text
    assert "hidden" not in chapter.text
    assert "alert" not in chapter.text


def test_depth_of_a_page_costs_no_word() -> None:
    found = read("b.html", "<div>" * 1_500 + "The lamp." + "</div>" * 1_500 + "<p>Out.</p>")
    assert [one.text for one in found.chapters] == ["The lamp.\n\nOut."]
    with pytest.raises(BookUnreadable, match="nested too deeply"):
        read("b.html", "<div>" * 100_000 + "The lamp." + "</div>" * 100_000 + "<p>Out.</p>")


def zipped(**entries: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return target.getvalue()


def changed_docx(change: Callable[[bytes], bytes], **more: bytes) -> bytes:
    source = zipfile.ZipFile(io.BytesIO(export_docx(a_book(*TEXTS))))
    entries = {name: source.read(name) for name in source.namelist()}
    entries["word/document.xml"] = change(entries["word/document.xml"])
    return zipped(**entries, **more)


def test_macro_in_a_word_file_is_left_out() -> None:
    found = read("b.docm", changed_docx(lambda xml: xml, **{"word/vbaProject.bin": b"Shell calc"}))
    assert titles(found) == ["Night 1", "Night 2"]


BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        (
            "b.docx",
            changed_docx(lambda xml: xml.replace(b"<w:document", BOMB + b"<w:document", 1)),
            "entities",
        ),
        ("b.docx", changed_docx(lambda xml: xml[: len(xml) // 2]), "damaged"),
        ("b.docx", b"PK\x03\x04 not a zip", "damaged"),
        ("b.docx", b"just text", "not what its name says"),
        ("b.epub", zipped(**{"META-INF/container.xml": b"<x/>"}), "missing"),
        ("b.odt", zipped(**{"content.xml": b"<x/>"}), "ODT"),
        ("b.zip", zipped(**{"../../etc/passwd": b"x"}), "DOCX, EPUB"),
        ("b.pdf", b"%PDF-1.7", "PDF"),
        ("b.doc", b"\xd0\xcf\x11\xe0 old", "old format"),
        ("b.rtf", b"{\\rtf1", "RTF"),
        ("b.exe", b"MZ", "DOCX, EPUB"),
        ("b.txt", b"\x00\x01\x02", "no text"),
        ("b.html", b"", "empty"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_name(
    name: str, content: bytes, reason: str
) -> None:
    with pytest.raises(BookUnreadable, match=reason) as refused:
        read(name, content)
    assert f"“{name}”" in str(refused.value)


def test_zip_bomb_is_stopped_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "UNPACKED_BYTES", 5_000_000)
    bomb = changed_docx(lambda xml: xml, **{"word/more.xml": b" " * 50_000_000})
    assert len(bomb) < 200_000
    with pytest.raises(BookUnreadable, match="more comes out of it"):
        read("b.docx", bomb)


def test_paths_in_an_e_book_are_names_in_it() -> None:
    package = (
        b'<package><manifest><item id="a" href="../../../../etc/passwd" '
        b'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
    )
    container = b'<container><rootfile full-path="EPUB/p.opf"/></container>'
    with pytest.raises(BookUnreadable, match="missing"):
        read("b.epub", zipped(**{"META-INF/container.xml": container, "EPUB/p.opf": package}))


@pytest.mark.parametrize("content", ["", "  \n\n ", "\ufeff"])
def test_file_without_text_is_no_book(content: str) -> None:
    with pytest.raises(BookUnreadable, match="no text"):
        read("b.txt", content)


def test_too_many_files_are_refused() -> None:
    with pytest.raises(BookUnreadable, match="at most"):
        read_files([NamedFile("a.txt", b"x")] * (bounds.FILES + 1))


def with_entries(content: bytes, **entries: str) -> bytes:
    """Return an e-book with some of its entries replaced or added."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        kept = {one: file.read(one) for one in file.namelist()}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, text in {**kept, **{one: text.encode() for one, text in entries.items()}}.items():
            file.writestr(name, text)
    return target.getvalue()


def test_password_and_lock_are_said_as_what_they_are() -> None:
    plain = bytearray(with_entries(export_docx(a_book(*TEXTS))))
    for mark, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = plain.find(mark)
        while at >= 0:
            plain[at + flags] |= 1
            at = plain.find(mark, at + 4)
    with pytest.raises(BookUnreadable, match="locked with a password"):
        read("b.docx", bytes(plain))

    lock = '<encryption><CipherReference URI="EPUB/chapter-1.xhtml"/></encryption>'
    locked = with_entries(export_epub(a_book(*TEXTS)), **{"META-INF/encryption.xml": lock})
    with pytest.raises(BookUnreadable, match="locked against copying"):
        read("b.epub", locked)


def test_document_that_the_spine_names_again_and_again_is_read_once() -> None:
    content = export_epub(a_book(*TEXTS))
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        name = next(one for one in file.namelist() if one.endswith(".opf"))
        package = file.read(name).decode()
    again = package.replace("</spine>", '<itemref idref="chapter-1"/>' * 5_000 + "</spine>")
    assert again != package
    assert titles(read("b.epub", with_entries(content, **{name: again}))) == ["Night 1", "Night 2"]


def test_book_without_a_language_has_that_of_its_script_and_its_chapters_length(
    store: Store,
) -> None:
    chapters = "\n\n".join(f"第{number}章\n\n{'灯灭了。' * 400}" for number in "一二三")
    story = keep_as_story(store, read("b.txt", chapters))
    assert (story.brief.language, story.brief.unit) == ("zh", "characters")
    assert story.settings.words == 1_200
    assert store.contents.length(store.library.main_branch(story.id).id).words == 3_600
