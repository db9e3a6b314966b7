"""Each message in another language is one that the sources still say, with all that is filled into it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, product
from pathlib import Path

import pytest

from pages.components.languages.chinese.messages import MESSAGES

ROOT = Path(__file__).parents[4]
SAID_IN = ("store", "graph_flow", "pages/serving")
GAP = "{}"
_PLACEHOLDER = re.compile(r"\{(\w+)(?::\w+)?\}")
_SENTENCE_ENDS = re.compile(r"(?<=[.!?…”])\s+")
_MOST_WAYS = 64

PUT_TOGETHER = {
    "{chapter} is not as it was saved.",
    "Chapter {chapter} (branch “{branch}”)",
    "These events have no part for a chapter to tell: {named}.",
    "These parts have no chapter yet: {named}.",
    "These parts are in a chapter already plotted (up to chapter {chapter}): {named}.",
    "These parts come after the story’s last chapter, which is {last}: {named}.",
    "{label} turns from {before} into {after} in chapter {chapter}, although nothing happens between the two "
    "there.",
    "{label} jumps from {before} to {after} in chapter {chapter}, although nothing happens between the two "
    "there.",
    *("opens: {thread}", "is planned: {thread}", "is planted: {thread}"),
    *("opens and closes: {thread}", "closes: {thread}"),
    *(
        "{source} + {target}: {change}",
        "{source} ± {target}: {change}",
        "{source} − {target}: {change}",
    ),
    *("+ {text}", "± {text}", "− {text}"),
    "{words} {new} (before: {old})",
    "part {at} of {count} of {chapter}",
    "Part {at} of {count} of {chapter}",
}
"""Messages put together by several functions: each of their fixed parts is looked for by itself."""

Names = Mapping[str, Sequence[ast.expr]]
"""What is assigned to names."""


def ways(node: ast.expr | None, names: Names) -> list[str]:
    """Return what a string expression can say, with a gap for whatever is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return [re.sub(r"\{[^{}]*\}", GAP, text)]
        case ast.IfExp(body=body, orelse=orelse):
            return [*ways(body, names), *ways(orelse, names)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return joined([ways(left, names), ways(right, names)])
        case ast.JoinedStr(values=values):
            parts = [one.value if isinstance(one, ast.FormattedValue) else one for one in values]
            return joined([ways(one, names) for one in parts])
        case ast.Name(id=name):
            return [GAP, *(way for one in names.get(name, ()) for way in ways(one, {}))]
    return [GAP]


def joined(parts: Sequence[Sequence[str]]) -> list[str]:
    found = ("".join(one) for one in islice(product(*parts), _MOST_WAYS))
    return [re.sub(r"(?:\{\})+", GAP, one) for one in found]


def assigned(statements: Iterable[ast.AST]) -> Names:
    found = defaultdict[str, list[ast.expr]](list)
    for statement in statements:
        if isinstance(statement, ast.Assign):
            for name, value in each_assigned(statement.targets[0], statement.value):
                found[name].append(value)
    return found


def each_assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ast.Tuple(elts=targets), ast.IfExp(body=body, orelse=orelse):
            yield from each_assigned(target, body)
            yield from each_assigned(target, orelse)
        case ast.Tuple(elts=targets), ast.Tuple(elts=values):
            for one, its in zip(targets, values, strict=True):
                yield from each_assigned(one, its)


def said_in(path: Path) -> Iterator[str]:
    module = ast.parse(path.read_text(encoding="utf-8"))
    constants = assigned(module.body)
    for node in ast.walk(module):
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp):
            yield from ways(node, constants)
        elif isinstance(node, ast.FunctionDef):
            inside = list(ast.walk(node))
            names = {**constants, **assigned(inside)}
            if names.keys() - constants.keys():
                for one in inside:
                    if isinstance(one, ast.JoinedStr | ast.BinOp):
                        yield from ways(one, names)


@cache
def said() -> frozenset[str]:
    """Return all that the sources can say, and each run of sentences of it."""
    found = set()
    for place in SAID_IN:
        path = ROOT / place
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for text in said_in(module):
                sentences = _SENTENCE_ENDS.split(text.strip())
                starts = range(len(sentences)) if len(sentences) < 9 else []
                found |= {
                    uncapital(" ".join(sentences[start:end]))
                    for start in starts
                    for end in range(start + 1, len(sentences) + 1)
                }
    return frozenset(found)


def template(text: str) -> str:
    return _PLACEHOLDER.sub(GAP, text)


def uncapital(text: str) -> str:
    return text[:1].lower() + text[1:]


def is_said(message: str) -> bool:
    if message in PUT_TOGETHER:
        parts = [one.strip(" .:") for one in template(message).split(GAP)]
        return all(any(uncapital(part) in text for text in said()) for part in parts)
    return uncapital(template(message)) in said()


def gaps(text: str) -> set[str]:
    return set(_PLACEHOLDER.findall(text))


def test_messages_are_said_in_the_sources() -> None:
    missing = [one for one in MESSAGES if not is_said(one)]

    assert missing == [], "the English has been reworded"


@pytest.mark.parametrize(
    "reworded", ["The library is shut.", "“{name}” has been deleted for good."]
)
def test_a_message_that_is_not_said_is_noticed(reworded: str) -> None:
    assert not is_said(reworded)


def test_placeholders_are_those_of_the_english() -> None:
    unknown = {one: gaps(said_of_it) - gaps(one) for one, said_of_it in MESSAGES.items()}

    assert {one: names for one, names in unknown.items() if names} == {}


def test_what_is_filled_in_is_not_lost() -> None:
    lost = {one: gaps(one) - gaps(said_of_it) for one, said_of_it in MESSAGES.items()}

    assert {one: names for one, names in lost.items() if names} == {}
