"""The words of each page stand together, in its `strings.py`, so that they can be translated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.components.words.speaking import Language, counterpart

PAGES = Path(__file__).parents[2] / "pages"
HOLD_WORDS = {"strings.py", "words"}
MODULES = sorted(
    path.relative_to(PAGES).as_posix()
    for path in PAGES.rglob("*.py")
    if path.name not in HOLD_WORDS and path.parent.name not in HOLD_WORDS
    if path.relative_to(PAGES).parts[:2] != ("components", "languages")
)
SPEAK = sorted(
    path.relative_to(PAGES).as_posix()
    for path in (*PAGES.rglob("strings.py"), PAGES / "components" / "words" / "__init__.py")
)
"""The modules whose words are looked up in the language that is spoken."""
IMPORTS = sorted(
    path.relative_to(PAGES.parent).as_posix()
    for path in (*PAGES.rglob("*.py"), PAGES.parent / "app.py")
    if path.relative_to(PAGES.parent).parts[1:3] != ("components", "languages")
)
OF_ALL = "pages.components.words"
LOOKED_UP = {"strings", "words", "wording", "of_page"}
"""What modules with words are called where they are used."""

PURE = {"plain"}
"""What the words of another language use of ours."""

SHOWN_BY = {
    *("title", "header", "subheader", "markdown", "caption", "text", "write", "code", "html"),
    *("button", "form_submit_button", "download_button", "link_button", "page_link", "Page"),
    *("text_input", "text_area", "number_input", "selectbox", "multiselect", "radio", "pills"),
    *("segmented_control", "checkbox", "toggle", "slider", "select_slider", "file_uploader"),
    *("expander", "tabs", "popover", "status", "spinner", "progress", "metric", "badge"),
    *("toast", "info", "warning", "error", "success", "empty_state", "send_to_premise"),
}
"""Functions that show their first argument."""
FIELDS = {"fields", "row"}
"""What the fields of an entity are called: their methods take the name of a field, and show its label."""
SHOWN_AS = {"label", "help", "placeholder", "caption", "captions", "body", "title", "text", "done"}
"""Arguments by name that are shown, whatever the function."""
_NO_WORDS = re.compile(
    r":[a-z]+(?:-(?:badge|background))?\[|:material/\w+:|<[^>]*>|&\w+;|\\n|[^\W\d_](?=\\)"
)
"""Markdown's directives, icons and tags."""
_WORD = re.compile(r"[^\W\d_]{2,}")


def shown(call: ast.Call) -> Iterator[ast.expr]:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if isinstance(function, ast.Attribute) and ast.unparse(function.value) in FIELDS:
        return
    if name in SHOWN_BY and call.args:
        yield call.args[0]
    for keyword in call.keywords:
        if keyword.arg in SHOWN_AS:
            yield keyword.value


def literals(shown_as: ast.expr) -> Iterator[str]:
    """Yield the texts of an expression that are not parts of another call, index or comparison."""
    match shown_as:
        case ast.Constant(value=str(text)):
            yield text
        case (
            ast.JoinedStr()
            | ast.BinOp(op=ast.Add())
            | ast.IfExp()
            | ast.BoolOp()
            | ast.List()
            | ast.Tuple()
        ):
            for part in ast.iter_child_nodes(shown_as):
                if isinstance(part, ast.expr) and not (
                    isinstance(shown_as, ast.IfExp) and part is shown_as.test
                ):
                    yield from literals(part)


def words_in(source: str) -> list[str]:
    return [
        text
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        for expression in shown(node)
        for text in literals(expression)
        if _WORD.search(_NO_WORDS.sub("", text))
    ]


def at_import(tree: ast.Module) -> Iterator[ast.expr | ast.stmt]:
    """Yield what runs when a module is imported: not its functions, but their defaults."""
    for statement in tree.body:
        if isinstance(statement, ast.AnnAssign):
            if statement.value is not None:
                yield statement.value
        elif not isinstance(
            statement, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
        ):
            yield statement
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            defaults = (*function.args.defaults, *function.args.kw_defaults)
            yield from filter(None, (*defaults, *function.decorator_list))


@pytest.mark.parametrize("module", MODULES)
def test_page_shows_only_words_of_its_strings(module: str) -> None:
    assert words_in((PAGES / module).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("module", MODULES)
def test_strings_are_looked_up_when_they_are_shown(module: str) -> None:
    """A word that is looked up when a module is imported would stay in one language."""
    tree = ast.parse((PAGES / module).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").endswith(".strings"), "import the module, not its names"
    if module.count("/") == 0:
        return  # a page is run anew each time it is shown
    names = [node for part in at_import(tree) for node in ast.walk(part)]
    assert [one for one in names if isinstance(one, ast.Name) and one.id in LOOKED_UP] == []


@pytest.mark.parametrize("module", SPEAK)
def test_modules_of_words_are_looked_up_in_other_languages(module: str) -> None:
    *_, last = ast.parse((PAGES / module).read_text(encoding="utf-8")).body
    assert ast.unparse(last) == "speaks(__name__)"


@pytest.mark.parametrize("module", IMPORTS)
def test_words_that_have_other_languages_are_not_imported_by_name(module: str) -> None:
    """An imported name would stay in the language in which its module was first imported."""
    spoken = counterpart(Language.CHINESE, OF_ALL)
    tree = ast.parse((PAGES.parent / module).read_text(encoding="utf-8"))
    assert [
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == OF_ALL
        for name in node.names
        if name.name in spoken and name.name not in PURE
    ] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('st.button("Save it", key="a b")', ["Save it"]),
        ('st.markdown(f":gray[{strings.NAME}]")', []),
        ('st.caption(f"{count} left")', [" left"]),
        ('st.text_input(strings.NAME, help="Why not")', ["Why not"]),
        ('st.title(strings.A if x == "plot" else "No plot")', ["No plot"]),
        ('st.html(f"<b>{words}</b>")', []),
    ],
)
def test_words_are_found_where_they_are_shown(source: str, found: list[str]) -> None:
    assert words_in(source) == found


SPECIAL = re.compile("[\u2190-\u2211\u2213-\u2bff\u2ff0-\u2fff\U0001f000-\U0001faff\ufe0f]")
"""Arrows, ballot marks, box drawing, dingbats, braille, emoji: not every text font has them. The minus may stay."""


@pytest.mark.parametrize("folder", ["pages", "graph_flow", "store", "assets"])
def test_what_is_shown_needs_no_special_font(folder: str) -> None:
    found = [
        f"{path.relative_to(PAGES.parent)}: {sign}"
        for path in [*(PAGES.parent / folder).rglob("*"), PAGES.parent / "app.py"]
        if path.suffix in {".py", ".js", ".css", ".md", ".toml"}
        and path.parent.name != "built"  # libraries of others
        for sign in SPECIAL.findall(path.read_text("utf-8"))
    ]

    assert found == [], "an icon (:material/...:) or words are shown on every machine"
