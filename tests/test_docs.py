"""What the documentation says of the code is so."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/BENCHMARKS.md")

_PLACE = re.compile(r"`(\w+/[\w/]+\.py)(?::(\w+))?`")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_and_function_that_is_named_is_there(document: str) -> None:
    missing = [
        (path, name)
        for path, name in _PLACE.findall((ROOT / document).read_text("utf-8"))
        if not (ROOT / path).is_file() or (name and name not in definitions_of(ROOT / path))
    ]
    assert missing == []


def definitions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
