"""What the documentation says of the code is so."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

from graph_flow.command_line.experiments.plan import Plan, Way
from pages.serving.settings import SiteSettings
from pages.serving.site import WRITERS
from store.hosting.registry import FILE as REGISTRY

ROOT = Path(__file__).parents[1]
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/ARCHITECTURE.md",
    "docs/BENCHMARKS.md",
    "docs/DATASETS.md",
    "docs/EVALUATION.md",
    "docs/EXPERIMENTS.md",
    "docs/HOSTING.md",
    "docs/SCALE.md",
)

_PLACE = re.compile(r"`(\w+/[\w/]+\.py)(?::(\w+))?`")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_and_function_that_is_named_is_there(document: str) -> None:
    missing = [
        (path, name)
        for path, name in _PLACE.findall((ROOT / document).read_text("utf-8"))
        if not (ROOT / path).is_file() or (name and name not in definitions_of(ROOT / path))
    ]
    assert missing == []


def test_site_s_settings_are_explained_each_by_its_name() -> None:
    told = (ROOT / "docs/HOSTING.md").read_text("utf-8")
    missing = [name for name in SiteSettings.model_fields if f"`{name}`" not in told]
    assert missing == []


def test_settings_of_a_plan_are_explained_each_by_its_name() -> None:
    told = (ROOT / "docs/EXPERIMENTS.md").read_text("utf-8")
    missing = [name for name in Plan.model_fields if f"`{name}`" not in told]
    assert missing == []
    assert [way for way in Way if f"`{way}`" not in told] == []


@pytest.mark.parametrize("file", ["compose.yaml", "litestream.yml"])
def test_files_for_containers_are_read_and_name_what_is_there(file: str) -> None:
    folder = ROOT / "docs" / "hosting"
    whole = yaml.safe_load((folder / file).read_text("utf-8"))
    if file == "litestream.yml":
        folders = [one.get("dir") or one["path"] for one in whole["dbs"]]
        assert folders == [f"/site/{WRITERS}", f"/site/{REGISTRY}"]
        return
    services = whole["services"]
    mounted = [volume.split(":")[0] for one in services.values() for volume in one["volumes"]]
    for name in mounted:
        assert (folder / name).is_file() if name.startswith("./") else name in whole["volumes"]
    assert (folder / services["app"]["build"]["context"] / "app.py").is_file()
    made = (ROOT / services["app"]["build"]["dockerfile"]).read_text("utf-8")
    assert '"tellwright", "serve"' in made.replace(".venv/bin/", "")


def definitions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
