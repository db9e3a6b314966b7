"""The structure of the code stays such that a newcomer finds the way: no circles, no crowded folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.measures.structure.source_tree import Source, read_sources, widest_folders

ROOT = Path(__file__).parents[1]

WIDEST = 17
"""Entries of a folder: more of them are not taken in at a glance."""


@pytest.fixture(scope="module")
def source() -> Source:
    return read_sources(ROOT)


def test_no_module_imports_itself_however_far_around(source: Source) -> None:
    assert source.cycles == []


def test_no_folder_is_crowded(source: Source) -> None:
    assert {one: size for one, size in widest_folders(source).items() if size > WIDEST} == {}
