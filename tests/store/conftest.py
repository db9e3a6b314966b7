"""A library of a test's own, and a story in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.models.story import Branch, Brief, Story
from store.open import Store


@pytest.fixture
def store(library_path: Path) -> Iterator[Store]:
    opened = Store.open(library_path)
    yield opened
    opened.close()


@pytest.fixture
def story(store: Store) -> Story:
    return store.library.create_story(Brief(premise="A keeper finds a door."), "The Lamp Room")


@pytest.fixture
def branch(store: Store, story: Story) -> Branch:
    return store.library.main_branch(story.id)
