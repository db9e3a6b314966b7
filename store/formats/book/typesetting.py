"""The process that sets a book as a PDF: data in on standard input, the file out on standard output."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import typst

_TEMPLATE = Path(__file__).with_name("book.typ")
_FAILED = 3


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
        raise ValueError("; ".join(map(str, warnings)) or "there is more than one file")
    return made


def main() -> int:
    """Set the book on standard input; return 0 if its file went out on standard output."""
    try:
        made = _set(json.load(sys.stdin.buffer))
    except (typst.TypstError, ValueError) as problem:
        sys.stderr.write(str(problem))
        return _FAILED
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
