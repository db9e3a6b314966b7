"""Which stories a library lists, and which of them a search finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from store.database.database import Database
from store.models.base import dump_json
from store.models.story import Brief, StoryCard
from store.text import fold

UNTOUCHED = "(stories.title = '' AND stories.brief = :blank AND stories.touched = stories.created)"
"""Is true of a story that was begun and left: nothing was ever typed in it or made of it."""

BLANK: Mapping[str, str] = {"blank": dump_json(Brief().model_dump(mode="json"))}
"""What `UNTOUCHED` compares with."""

_PEOPLE = """
SELECT DISTINCT branches.story, names.term FROM names JOIN branches ON branches.id = names.branch_id
WHERE names.kind = 'character'
"""


def names_of_people(database: Database) -> dict[str, list[str]]:
    """Return the names that people have ever had, folded, by story; of all branches."""
    found: dict[str, list[str]] = {}
    for story, name in database.tuples(_PEOPLE):
        found.setdefault(story, []).append(name)
    return found


def matching(
    cards: Iterable[StoryCard], names: Mapping[str, Iterable[str]], text: str
) -> list[StoryCard]:
    """Return the stories whose title, premise and names, taken together, hold every word of a text."""
    words = fold(text).split()

    def holds(card: StoryCard) -> bool:
        story = card.story
        said = [fold(story.title), fold(story.brief.premise), *names.get(story.id, ())]
        return all(any(word in one for one in said) for word in words)

    return [card for card in cards if holds(card)]
