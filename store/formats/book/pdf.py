"""The book as a tagged PDF (PDF/UA-1), set by typst in a process of its own.

The texts go in as data, so nothing in them can be a command. Setting a long novel takes close to a
gigabyte for some seconds: the process that does it, `store.formats.book.typesetting`, gives all of it
back when it ends.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

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
    command = [sys.executable, "-m", "store.formats.book.typesetting"]
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
    return {
        "title": book.title,
        "author": book.author,
        "language": tag.split("-")[0],
        "region": _REGIONS.get(tag),
        "is_script": book.is_script,
        "preferred": _preferred(tag, is_script=book.is_script),
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
