"""The book as a Word file: prose in standard manuscript format, scripts as they are laid out for filming.

Every kind of paragraph has a style of its own, so a writer can change the looks of all at once. The
same book is the same bytes.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from docx import Document
from docx.document import Document as WordDocument
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_LINE_SPACING
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Inches, Pt
from docx.styles.style import ParagraphStyle
from docx.text.paragraph import Paragraph as WordParagraph

from store.formats.book.blocks import (
    Action,
    Block,
    Book,
    Cue,
    Dialogue,
    Paragraph,
    Parenthetical,
    Run,
    SceneBreak,
    SceneHeading,
    Transition,
)
from store.text import clip, length_unit

_SERIF, _TYPEWRITER = "Times New Roman", "Courier New"
_EASTERN = {"zh": "SimSun", "ja": "MS Mincho", "ko": "Batang"}
_SCENE_BREAK = "#"
_NO_DATE = (1980, 1, 1, 0, 0, 0)
_MADE = datetime(2000, 1, 1)
_LONGEST_HEADER = 40


@dataclass(frozen=True)
class _Look:
    """How paragraphs of a kind look; lengths are in inches, `above` is in points."""

    font: str = _SERIF
    line: float = 2.0
    first: float = 0.0
    left: float = 0.0
    right: float = 0.0
    above: float = 0.0
    align: WD_ALIGN_PARAGRAPH = WD_ALIGN_PARAGRAPH.LEFT
    is_kept_with_next: bool = False
    is_bold: bool = False


_LOOKS: Mapping[str, _Look] = {
    "Manuscript Text": _Look(first=0.5),
    "Title Page": _Look(line=1.0, align=WD_ALIGN_PARAGRAPH.CENTER),
    "Scene Break": _Look(align=WD_ALIGN_PARAGRAPH.CENTER),
    "Scene Heading": _Look(_TYPEWRITER, 1.0, above=24, is_kept_with_next=True, is_bold=True),
    "Action": _Look(_TYPEWRITER, 1.0, above=12),
    "Character": _Look(_TYPEWRITER, 1.0, left=2.2, above=12, is_kept_with_next=True),
    "Parenthetical": _Look(_TYPEWRITER, 1.0, left=1.6, right=1.9, is_kept_with_next=True),
    "Dialogue": _Look(_TYPEWRITER, 1.0, left=1.0, right=1.5),
    "Transition": _Look(_TYPEWRITER, 1.0, above=12, align=WD_ALIGN_PARAGRAPH.RIGHT),
}


_TEXT = "Manuscript Text"
_HANDOUT = replace(_LOOKS[_TEXT], line=1.0, first=0.0, above=8)
"""How text looks that is not for an editor, but for those who play."""


def export_docx(book: Book) -> bytes:
    """Return the book as the bytes of a DOCX file."""
    document = Document()
    writing = _Writing(document, book)
    writing.describe()
    writing.title_page()
    for chapter in book.chapters:
        writing.heading(chapter.title if book.is_handout else chapter.heading)
        for block in chapter.blocks:
            writing.block(block)
    target = io.BytesIO()
    document.save(target)
    return _undated(target.getvalue())


class _Writing:
    def __init__(self, document: WordDocument, book: Book) -> None:
        self._document = document
        self._book = book
        self._is_script = book.is_script
        looks = {**_LOOKS, _TEXT: _HANDOUT} if book.is_handout else _LOOKS
        self._styles = {name: self._style(name, look) for name, look in looks.items()}
        self._heading = self._heading_style()

    def describe(self) -> None:
        """Set the page, the header, and what the file says of itself."""
        book, [section] = self._book, self._document.sections
        section.page_width, section.page_height = Inches(8.5), Inches(11)
        section.left_margin = Inches(1.5 if self._is_script else 1)
        section.right_margin = section.top_margin = section.bottom_margin = Inches(1)
        section.different_first_page_header_footer = True
        header = section.header.paragraphs[0]
        header.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        names = [book.author.split()[-1]] if book.author and not book.is_handout else []
        shown = " / ".join([*names, clip(book.title, _LONGEST_HEADER)])
        header.add_run(f"{shown} / ")
        _add_page_number(header)
        properties = self._document.core_properties
        properties.title, properties.author = book.title[:255], book.author[:255]
        properties.language, properties.comments = book.language, ""
        properties.created = properties.modified = _MADE

    def title_page(self) -> None:
        """Write the title, the author and the length, as an editor expects them."""
        title = self._document.add_paragraph(style="Title")
        title.add_run(self._book.title)
        lines = [self._book.author] if self._book.author else []
        rounded = max(100, round(self._book.words, -2))
        unit = length_unit(self._book.language)
        length = [] if self._book.is_handout else [f"about {rounded:,} {unit}"]
        for line in [*lines, *length]:
            self._document.add_paragraph(line, self._styles["Title Page"])

    def heading(self, text: str) -> None:
        """Begin a chapter on a page of its own."""
        self._document.add_paragraph(text, self._heading)

    def block(self, block: Block) -> None:
        """Write a block."""
        match block:
            case Paragraph():
                self._runs(_TEXT, block.runs)
            case SceneBreak():
                self._runs("Scene Break", (Run(_SCENE_BREAK),))
            case Action() | Dialogue():
                self._runs(type(block).__name__, block.runs)
            case Cue():
                self._runs("Character", (Run(block.name),))
            case SceneHeading():
                self._runs("Scene Heading", (Run(block.text),))
            case Parenthetical():
                self._runs("Parenthetical", (Run(f"({block.text})"),))
            case Transition():
                self._runs("Transition", (Run(block.text),))

    def _runs(self, style: str, runs: tuple[Run, ...]) -> None:
        paragraph = self._document.add_paragraph(style=self._styles[style])
        for run in runs:
            added = paragraph.add_run(run.text)
            if run.is_emphasized:
                added.italic = True
            if run.is_strong:
                added.bold = True

    def _style(self, name: str, look: _Look) -> ParagraphStyle:
        style = self._document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        assert isinstance(style, ParagraphStyle)  # noqa: S101 - says what python-docx does not
        style.quick_style = True
        self._set_font(style, look.font)
        style.font.bold = look.is_bold
        form = style.paragraph_format
        form.line_spacing_rule = WD_LINE_SPACING.DOUBLE if look.line > 1 else WD_LINE_SPACING.SINGLE
        form.first_line_indent, form.left_indent = Inches(look.first), Inches(look.left)
        form.right_indent, form.space_before, form.space_after = (
            Inches(look.right),
            Pt(look.above),
            Pt(0),
        )
        form.alignment, form.keep_with_next = look.align, look.is_kept_with_next
        form.widow_control = True
        return style

    def _heading_style(self) -> ParagraphStyle:
        for name, above in (("Title", 220), ("Heading 1", 180)):
            found = self._document.styles[name]
            assert isinstance(found, ParagraphStyle)  # noqa: S101 - as above
            style: ParagraphStyle = found
            self._set_font(style, _TYPEWRITER if self._is_script else _SERIF)
            style.font.bold, style.font.color.rgb = False, None
            # Word's own title has a line under it.
            for line in style.element.findall(f".//{qn('w:pBdr')}"):
                line.getparent().remove(line)
            form = style.paragraph_format
            form.alignment, form.space_before, form.space_after = (
                WD_ALIGN_PARAGRAPH.CENTER,
                Pt(above),
                Pt(24),
            )
        form.page_break_before = True
        return style

    def _set_font(self, style: ParagraphStyle, font: str) -> None:
        """Set a font in 12 points, for eastern scripts too, and the language."""
        style.font.name, style.font.size = font, Pt(12)
        properties = style.element.get_or_add_rPr()
        fonts = properties.find(qn("w:rFonts"))
        eastern = _EASTERN.get(self._book.language.split("-")[0], font)
        for attribute in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{attribute}"), None)
        fonts.set(qn("w:eastAsia"), eastern)
        fonts.set(qn("w:cs"), font)
        language = OxmlElement("w:lang")
        is_eastern = self._book.language.split("-")[0] in _EASTERN
        language.set(qn("w:eastAsia" if is_eastern else "w:val"), self._book.language)
        properties.append(language)


def _add_page_number(paragraph: WordParagraph) -> None:
    """Add the field that Word shows as the number of the page."""
    run = paragraph.add_run()
    for kind, text in (("begin", None), (None, " PAGE "), ("end", None)):
        element = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            element.set(qn("w:fldCharType"), kind)
        element.text = text
        run._element.append(element)  # type: ignore[arg-type]


def _undated(content: bytes) -> bytes:
    """Return a zip file whose entries have no date of their own."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(target, "w") as file:
        for one in source.infolist():
            entry = zipfile.ZipInfo(one.filename, _NO_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, source.read(one))
    return target.getvalue()
