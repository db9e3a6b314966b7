"""The product's source as a tree of modules: how large they are, and which imports which."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median, quantiles

import networkx as nx

PACKAGES = ("graph_flow", "pages", "store")

_SHORTEST = 3
"""Lines; a module that is not longer is a package's docstring."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Module:
    """One file of the product."""

    name: str
    path: Path
    lines: int
    tree: ast.Module

    @property
    def package(self) -> str:
        """The package at the top that the module belongs to."""
        return self.name.partition(".")[0]

    @property
    def functions(self) -> list[int]:
        """The lengths of its functions and methods, in lines."""
        return [
            (node.end_lineno or node.lineno) - node.lineno + 1
            for node in ast.walk(self.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]

    @property
    def definitions(self) -> list[str]:
        """The names of its public functions and classes."""
        return [
            node.name
            for node in self.tree.body
            if isinstance(node, Definition) and not node.name.startswith("_")
        ]


@dataclass(frozen=True)
class Source:
    """All modules of the product, by name."""

    modules: Mapping[str, Module]

    @cached_property
    def imports(self) -> nx.DiGraph[str]:
        """Which module imports which."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.modules)
        for name, module in self.modules.items():
            graph.add_edges_from((name, other) for other in self._imported(module) if other != name)
        return graph

    @property
    def cycles(self) -> list[set[str]]:
        """The sets of modules that import each other, however far around."""
        return [one for one in nx.strongly_connected_components(self.imports) if len(one) > 1]

    @property
    def with_one_importer(self) -> list[str]:
        """The modules that exactly one other imports."""
        return sorted(name for name, count in self.imports.in_degree() if count == 1)

    @property
    def with_one_definition(self) -> list[str]:
        """The modules with exactly one public function or class."""
        return sorted(name for name, one in self.modules.items() if len(one.definitions) == 1)

    def _imported(self, module: Module) -> Iterator[str]:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    yield from (name for name in (whole, node.module) if name in self.modules)


@dataclass(frozen=True)
class Package:
    """The figures of one package. Lengths are in lines; `widest` counts the entries of a folder."""

    name: str
    modules: int
    lines: int
    file_median: int
    function_median: int
    function_p90: int
    function_max: int
    widest: int
    widest_folder: str


def read_sources(root: Path) -> Source:
    """Read the modules of the product below a folder; those that only hold a docstring are left out."""
    modules = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            text = path.read_text("utf-8")
            lines = len(text.splitlines())
            name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
            if lines > _SHORTEST:
                modules[name] = Module(name, path, lines, ast.parse(text))
    return Source(modules)


def packages_of(source: Source) -> list[Package]:
    """Return the figures of each package."""
    return [_package(name, source) for name in PACKAGES]


def widest_folders(source: Source) -> Counter[str]:
    """Count the entries of every folder: its modules, and its folders."""
    folders: dict[str, set[str]] = {}
    for name in source.modules:
        *parents, _ = parts = name.split(".")
        for depth in range(1, len(parents) + 1):
            folders.setdefault(".".join(parts[:depth]), set()).add(parts[depth])
    return Counter({folder: len(entries) for folder, entries in folders.items()})


def _package(name: str, source: Source) -> Package:
    modules = [one for one in source.modules.values() if one.package == name]
    lengths = [one.lines for one in modules]
    functions = [length for one in modules for length in one.functions]
    widest = {
        folder: count
        for folder, count in widest_folders(source).items()
        if folder.partition(".")[0] == name
    }
    folder = max(widest, key=lambda one: widest[one])
    return Package(
        name=name,
        modules=len(modules),
        lines=sum(lengths),
        file_median=round(median(lengths)),
        function_median=round(median(functions)),
        function_p90=round(quantiles(functions, n=10)[-1]),
        function_max=max(functions),
        widest=widest[folder],
        widest_folder=folder,
    )
