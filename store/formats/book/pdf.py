"""The book as a tagged PDF (PDF/UA-1), set by typst in a process of its own.

The texts go in as data, so nothing in them can be a command. Setting a long novel takes close to a
gigabyte for some seconds: the process that does it gives all of it back when it ends. Run as a
module, this is that process: the data comes in on standard input, the file goes out on standard output.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import typst

from store.errors import StoreError
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

LONGEST = 600
"""Seconds that a book may take to be set."""

_TEMPLATE = Path(__file__).with_name("book.typ")
_FAILED = 3
_SERIF = "Libertinus Serif"
"""What the engine brings along for Latin, Greek, Cyrillic and Hebrew."""
_TYPEWRITER = ("Courier Prime", "Courier New", "Liberation Mono", "DejaVu Sans Mono")
_FONTS = {
    "zh-hant": ("Noto Serif CJK TC", "Source Han Serif TC", "PMingLiU", "WenQuanYi Zen Hei"),
    "zh": ("Noto Serif CJK SC", "Source Han Serif SC", "SimSun", "Songti SC", "WenQuanYi Zen Hei"),
    "ja": ("Noto Serif CJK JP", "Source Han Serif JP", "MS Mincho", "Hiragino Mincho ProN"),
    "ko": ("Noto Serif CJK KR", "Source Han Serif KR", "Batang", "AppleMyungjo"),
}
"""The fonts that are preferred where they are installed, by language; any other will do."""
_REGIONS = {"zh-hans": "cn", "zh-hant": "tw"}
_UNSHOWN = re.compile(r"the text `\"(.*?)\"` could not be displayed", re.DOTALL)


class NotSet(StoreError):
    """A book could not be made into a PDF; the message says why."""


def export_pdf(book: Book) -> bytes:
    """Return the book as the bytes of a PDF file; the same book on the same machine is the same bytes.

    Raises:
        NotSet: if no installed font has a character of the book, or the file cannot be made.
    """
    data = json.dumps(_data(book)).encode()
    command = [sys.executable, "-m", "store.formats.book.pdf"]
    try:
        # The module is found from here wherever the program was started; the input is data only.
        made = subprocess.run(  # noqa: S603
            command,
            input=data,
            capture_output=True,
            timeout=LONGEST,
            cwd=Path(__file__).parents[3],
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as trouble:
        raise NotSet(
            "The PDF could not be made: it took too long. Nothing was changed."
        ) from trouble
    if made.returncode:
        raise NotSet(_said(made.stderr.decode(errors="replace")))
    return made.stdout


def _said(problem: str) -> str:
    unshown = _UNSHOWN.search(problem)
    if unshown is None:
        last = problem.strip().splitlines()[-1:] or ["the program ended without saying why"]
        return f"The PDF could not be made: {last[0]}."
    return (
        f"The PDF could not be made: no font on this computer can show “{unshown[1]}”. Install a "
        "font for this script, such as one of the Noto family, and try again."
    )


def _data(book: Book) -> dict[str, Any]:
    tag = book.language.lower()
    is_script = any(isinstance(one, Cue) for chapter in book.chapters for one in chapter.blocks)
    return {
        "title": book.title,
        "author": book.author,
        "language": tag.split("-")[0],
        "region": _REGIONS.get(tag),
        "is_script": is_script,
        "preferred": _preferred(tag, is_script=is_script),
        "chapters": [
            {"heading": chapter.heading, "blocks": [_block(one) for one in chapter.blocks]}
            for chapter in book.chapters
        ],
    }


def _preferred(tag: str, *, is_script: bool) -> list[str]:
    eastern = _FONTS.get(tag) or _FONTS.get(tag.split("-")[0], ())
    return [*(_TYPEWRITER if is_script else ()), _SERIF, *eastern]


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Paragraph() | Action() | Dialogue():
            return {"kind": type(block).__name__.lower(), "runs": [_run(run) for run in block.runs]}
        case SceneBreak():
            return {"kind": "scene break"}
        case SceneHeading():
            return {"kind": "scene heading", "text": block.text}
        case Cue():
            return {"kind": "cue", "text": block.name}
        case Parenthetical() | Transition():
            return {"kind": type(block).__name__.lower(), "text": block.text}


def _run(run: Run) -> dict[str, Any]:
    return {"text": run.text, "emphasized": run.is_emphasized, "strong": run.is_strong}


def _set(data: dict[str, Any]) -> bytes:
    """Set a book; whatever the engine warns of is a failure."""
    installed = {font.family for font in typst.Fonts().fonts()}
    data["fonts"] = [one for one in data.pop("preferred") if one in installed]
    compiler = typst.Compiler(
        str(_TEMPLATE), root=str(_TEMPLATE.parent), sys_inputs={"book": json.dumps(data)}
    )
    made, warnings = compiler.compile_with_warnings(
        format="pdf", pdf_standards=["ua-1"], timestamp=0
    )
    if warnings or not isinstance(made, bytes):
        raise NotSet("; ".join(map(str, warnings)) or "there is more than one file")
    return made


def main() -> int:
    """Set the book on standard input; return 0 if its file went out on standard output."""
    try:
        made = _set(json.load(sys.stdin.buffer))
    except (typst.TypstError, NotSet) as problem:
        sys.stderr.write(str(problem))
        return _FAILED
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
