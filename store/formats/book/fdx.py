"""The book as Final Draft XML (FDX), in which screenplays are passed on."""

from __future__ import annotations

from lxml import etree

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

_SCENE_BREAK = "* * *"


def export_fdx(book: Book) -> bytes:
    """Return the book as the bytes of an FDX file; a chapter's heading begins it as a general line."""
    root = etree.Element("FinalDraft", DocumentType="Script", Template="No", Version="5")
    content = etree.SubElement(root, "Content")
    for chapter in book.chapters:
        _add(content, "General", (Run(chapter.heading, is_strong=True),), is_centered=True)
        for block in chapter.blocks:
            _add(content, *_paragraph(block))
    page = etree.SubElement(etree.SubElement(root, "TitlePage"), "Content")
    for line in (book.title, book.author):
        if line:
            _add(page, "General", (Run(line),), is_centered=True)
    return etree.tostring(
        root, encoding="UTF-8", xml_declaration=True, pretty_print=True, standalone=False
    )


def _paragraph(block: Block) -> tuple[str, tuple[Run, ...]]:
    match block:
        case Paragraph() | Action():
            return "Action", block.runs
        case SceneBreak():
            return "General", (Run(_SCENE_BREAK),)
        case SceneHeading():
            return "Scene Heading", (Run(block.text),)
        case Cue():
            return "Character", (Run(block.name),)
        case Dialogue():
            return "Dialogue", block.runs
        case Parenthetical():
            return "Parenthetical", (Run(f"({block.text})"),)
        case Transition():
            return "Transition", (Run(block.text),)


def _add(
    content: etree._Element, kind: str, runs: tuple[Run, ...], *, is_centered: bool = False
) -> None:
    paragraph = etree.SubElement(content, "Paragraph", Type=kind)
    if is_centered:
        paragraph.set("Alignment", "Center")
    for run in runs:
        text = etree.SubElement(paragraph, "Text")
        text.text = run.text
        styles = {"Bold": run.is_strong, "Italic": run.is_emphasized}
        if any(styles.values()):
            text.set("Style", "+".join(name for name, is_on in styles.items() if is_on))
