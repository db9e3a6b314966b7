"""Which people and places of a story a chapter's text names, against those that its events involve. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from graph_flow.cognition.knowledge import named_in
from store.models.base import Record
from store.models.cast import Character
from store.models.plot import Occurrence, Participation, Scene
from store.models.prototype import Snapshot
from store.text import fold, is_unspaced

_WORD = re.compile(r"[^\W_]+")
_TELLING = 4
"""Letters of a word of a place's name that tells it from others; shorter ones are mostly articles."""


class ChapterNaming(Record):
    """The people and places of a chapter, by their names.

    `named` are those that its events involve and its text names, `missing` those that it does not name,
    `besides` those that it names though no event of it involves them.
    """

    named: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        """The share of what its events involve that the text names; None if they involve nobody."""
        involved = len(self.named) + len(self.missing)
        return len(self.named) / involved if involved else None


@dataclass
class Involved:
    """Whom and what the events of each chapter involve; it is found in one pass over the story."""

    story: Snapshot
    by_chapter: Mapping[int, dict[str, None]] = field(init=False)
    places: Mapping[str, list[_PlaceName]] = field(init=False)

    def __post_init__(self) -> None:
        found: defaultdict[int, dict[str, None]] = defaultdict(dict)
        for one in self.story.entities.values():
            match one:
                case Participation():
                    found[self.story.first_chapter_of(one.event)][one.character] = None
                case Occurrence():
                    found[self.story.first_chapter_of(one.event)][one.scene] = None
        self.by_chapter = found
        self.places = {
            one.id: [_PlaceName.of(name) for name in dict.fromkeys((one.name, one.place)) if name]
            for one in self.story.scenes
        }

    def naming(self, chapter: int, text: str) -> ChapterNaming:
        """Return what a chapter's text names; whoever comes later in the story is not looked for."""
        involved = self.by_chapter.get(chapter, {})
        ever: list[Character | Scene] = [*self.story.characters, *self.story.scenes]
        known = [one for one in ever if self.story.first_chapter_of(one.id) <= chapter]
        people = [one for one in known if isinstance(one, Character)]
        read = _Read.of(text)
        said = named_in(text, people)
        said |= {
            one.id
            for one in known
            if isinstance(one, Scene) and any(map(read.names, self.places[one.id]))
        }

        def names(holds: Callable[[str], bool]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(one.name for one in known if holds(one.id)))

        named = names(lambda id_: id_ in involved and id_ in said)
        missing = names(lambda id_: id_ in involved and id_ not in said)
        besides = names(lambda id_: id_ not in involved and id_ in said)
        return ChapterNaming(named=named, missing=missing, besides=besides)


@dataclass(frozen=True)
class _PlaceName:
    """The name of a place for comparison, and its words that tell it from others."""

    name: str
    words: tuple[str, ...]

    @classmethod
    def of(cls, name: str) -> _PlaceName:
        folded = fold(name)
        if any(map(is_unspaced, folded)):
            return cls(folded, ())
        words = _WORD.findall(folded)
        return cls(folded, tuple(one for one in words if len(one) >= _TELLING) or tuple(words))


@dataclass(frozen=True)
class _Read:
    """A text for comparison, with the words of each of its paragraphs."""

    text: str
    words: frozenset[str]
    by_paragraph: Sequence[frozenset[str]]

    @classmethod
    def of(cls, text: str) -> _Read:
        folded = fold(text)
        by_paragraph = [frozenset(_WORD.findall(one)) for one in folded.split("\n")]
        return cls(folded, frozenset().union(*by_paragraph), by_paragraph)

    def names(self, place: _PlaceName) -> bool:
        """Return whether a text names a place: by all telling words of its name in one paragraph."""
        if not place.words:
            return place.name in self.text
        return self.words.issuperset(place.words) and any(
            one.issuperset(place.words) for one in self.by_paragraph
        )
