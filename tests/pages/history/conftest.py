"""Fixtures of the History page: a story with chapters to look back at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.models.story import Story
from store.open import Store
from tests.pages.desk import Desk
from tests.pages.told_story import tell_into


@pytest.fixture
def told(desk: Desk, library_path: Path) -> Story:
    """A story of three plotted chapters."""
    return desk.workbench.library.story(tell_into(library_path))


@pytest.fixture
def store(desk: Desk, library_path: Path) -> Iterator[Store]:  # noqa: ARG001 - the desk comes first
    """The library of the desk, from behind."""
    opened = Store.open(library_path)
    yield opened
    opened.close()
