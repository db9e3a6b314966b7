"""Where a text and its story do not say the same: untold events, and what the story knows nothing of. Pure.

Nothing here asks a model, so it points at what is worth a look and proves nothing: which words an event and a passage
share says little of what the passage means.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from math import log
from typing import NamedTuple

from graph_flow.views import change_lines
from store.models.cast import Relationship
from store.models.desk.consistency import NotedFact
from store.models.edits.comparison import ComparisonState, TextComparison
from store.models.manuscript import PARAGRAPH_BREAK
from store.models.plot import Event, Occurrence, Participation
from store.models.prototype import REFERENCES, AnyEntity, Snapshot
from store.text import count_words, is_unspaced, own_names, units_of

LEAST_SHARED = 0.3
"""The least share of an event's words, the rare ones counting more, that some passage of its chapter has if it tells it.

Of twenty events of our specimens it finds 13 when their passage is cut out, and 1 that is told after all.
"""
_WINDOW_PARAGRAPHS, _WINDOW_WORDS = 3, 150
"""A passage: at least so many paragraphs, and at least so many words."""
_STEM = 5
"""Letters by which words are compared, so that their endings do not count."""
_SHORTEST = 4
_FEW = 5
"""Words of an event of which one is enough: there are too few to miss any."""


class Untold(StrEnum):
    """Why something of the story seems not to be in the text."""

    NO_PASSAGE = "no passage"
    """By what is kept of the text, no part of it tells this event."""
    FEW_WORDS = "few words"
    """No passage of its chapter shares more than a few words with it."""
    NOT_REVEALED = "not revealed"
    """Its plan was to tell the reader, who has not been told by the end of the chapter."""


class Untellable(StrEnum):
    """Whence it is known that the text says something that the story has not."""

    COMPARED = "compared"
    """It was found when text and story were compared, and is not part of the story."""
    NOBODY = "nobody"
    """It is about somebody, or something, whose name the story has not."""
    NEW = "new"
    """The judge of consistency has noted it, and the chapter's part of the story has few of its words."""


class NotInText(NamedTuple):
    """Something that happens in a chapter of the story, or was to be told in it. `place` is that of the chapter."""

    place: int
    why: Untold
    title: str
    said: str


class NotInStory(NamedTuple):
    """Something that a chapter says, with the words that say so."""

    place: int
    why: Untellable
    said: str
    quote: str


def untold_events(
    events: Iterable[Event], text: str, told: Collection[str]
) -> Iterator[tuple[Event, Untold]]:
    """Yield those events of a chapter of the story that its text seems not to tell.

    `told` are the ids of those that it tells by what is kept of it; none: not known which.
    """
    passages = _Passages(text)
    for event in events:
        if told and event.id not in told:
            yield event, Untold.NO_PASSAGE
        elif passages.share_of(f"{event.title} {event.summary}") < LEAST_SHARED:
            yield event, Untold.FEW_WORDS


class _Passages:
    """The passages of a text, as the words in them."""

    def __init__(self, text: str) -> None:
        paragraphs = [one for one in text.split(PARAGRAPH_BREAK) if one.strip()]
        self._words = [set(_stems(one)) for one in paragraphs]
        self._in = Counter(word for words in self._words for word in words)
        self._last = _ends([count_words(one) for one in paragraphs])

    def share_of(self, said: str) -> float:
        """Return the largest share of something's words that one passage has, 0 to 1; 1 if it has none to miss."""
        wanted = {
            word: log(1 + len(self._words) / max(1, self._in[word])) for word in set(_stems(said))
        }
        whole = sum(wanted.values())
        if not whole:
            return 1.0
        shares = (
            sum(wanted[word] for word in wanted.keys() & set[str]().union(*self._words[first:last]))
            for first, last in enumerate(self._last)
        )
        share = max(shares, default=0.0) / whole
        return 1.0 if share and len(wanted) < _FEW else share


def _ends(lengths: Sequence[int]) -> list[int]:
    """Return, for each paragraph, behind which one the passage ends that begins with it."""
    ends = []
    for first in range(len(lengths)):
        last, words = first, 0
        while last < len(lengths) and (last - first < _WINDOW_PARAGRAPHS or words < _WINDOW_WORDS):
            words += lengths[last]
            last += 1
        ends.append(last)
    return ends


def compared(
    place: int, comparison: TextComparison | None, text: str, snapshot: Snapshot
) -> Iterator[NotInStory]:
    """Yield what was found when a text was compared with its story and is no part of it, while it is still so."""
    if comparison is None or comparison.text != text:
        return
    if comparison.state in {ComparisonState.OPEN, ComparisonState.REFUSED}:
        new = {one.id: one for line in comparison.lines for one in line.delta.additions()}
        known = snapshot.model_copy(update={"entities": {**snapshot.entities, **new}})
        for line in comparison.lines:
            said = "; ".join(one.text for one in change_lines(line.delta, known))
            yield NotInStory(place, Untellable.COMPARED, said, line.quote)


class StoryIndex:
    """A story by chapters: what happens in each, and in which words the story speaks of it."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._events: defaultdict[int, list[Event]] = defaultdict(list)
        self._around: defaultdict[str, list[AnyEntity]] = defaultdict(list)
        for event in snapshot.events:
            self._events[snapshot.first_chapter_of(event.id)].append(event)
        for one in snapshot.entities.values():
            for of in _ends_of(one):
                self._around[of].append(one)
        texts = (text for one in snapshot.entities.values() for text in _texts_of(one))
        self._words = {word for text in texts for word in units_of(text)}

    def events_of(self, chapter: int) -> Sequence[Event]:
        """Return what happens in a chapter, in order."""
        return self._events.get(chapter, ())

    def words_of(self, chapter: int) -> StoryWords:
        """Return the words of what happens in a chapter, of those who are in it, and of where it is."""
        parts = [one for event in self.events_of(chapter) for one in self._around[event.id]]
        people = {one.character for one in parts if isinstance(one, Participation)}
        ties = [
            one
            for person in people
            for one in self._around[person]
            if isinstance(one, Relationship)
        ]
        ids = people | {one.scene for one in parts if isinstance(one, Occurrence)}
        ids |= {end for one in ties for end in (one.source, one.target)}
        there = [self.snapshot.entities[one] for one in sorted(ids)]
        return StoryWords(
            [self.snapshot.foundation, *self.events_of(chapter), *there, *parts, *ties]
        )

    def knows(self, name: str) -> bool:
        """Return whether the story says a name anywhere, or a part of it."""
        words = list(units_of(" ".join(own_names(name))))
        if any(is_unspaced(word[0]) for word in words):
            return all(word in self._words for word in words)
        return any(word in self._words for word in words if word not in _ARTICLES)


_ARTICLES = frozenset({"the", "a", "an", "of", "and"})


class StoryWords:
    """The words of a part of a story, the rare ones counting more."""

    def __init__(self, entities: Iterable[AnyEntity]) -> None:
        lines = [set(_stems(" ".join(_texts_of(one)))) for one in entities]
        self._lines = len(lines)
        self._in = Counter(word for words in lines for word in words)

    def share_of(self, said: str, names: Iterable[str]) -> float:
        """Return the share of something's words that are among them, apart from names; 1 if it has no others."""
        wanted = set(_stems(said)) - set(_stems(" ".join(names)))
        weights = {word: log(1 + self._lines / max(1, self._in[word])) for word in wanted}
        whole = sum(weights.values())
        return sum(weights[word] for word in wanted if self._in[word]) / whole if whole else 1.0


def noted(
    place: int, facts: Iterable[NotedFact], story: StoryIndex, chapter: int
) -> Iterator[NotInStory]:
    """Yield the facts that a judge has noted of a text and that its chapter of the story seems not to have."""
    words = story.words_of(chapter)
    for one in facts:
        if one.who and not any(map(story.knows, one.who)):
            yield NotInStory(place, Untellable.NOBODY, one.fact, one.quote)
        elif words.share_of(one.fact, one.who) < LEAST_SHARED:
            yield NotInStory(place, Untellable.NEW, one.fact, one.quote)


def _ends_of(entity: AnyEntity) -> tuple[str, ...]:
    """Return the ids of what something belongs to: an event's people and place, somebody's ties."""
    match entity:
        case Participation() | Occurrence():
            return (entity.event,)
        case Relationship():
            return (entity.source, entity.target)
    return ()


def _texts_of(entity: AnyEntity) -> Iterator[str]:
    """Yield all that is said in words of something."""
    references = REFERENCES.get(entity.kind, {})
    for name, value in entity:
        if name in {"id", "kind"} or name in references:
            continue
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from (one for one in value if isinstance(one, str))


def _stems(text: str) -> Iterator[str]:
    """Yield the words of a text that say something, without their endings."""
    for word in units_of(text):
        if len(word) >= _SHORTEST or is_unspaced(word[0]) or word.isdigit():
            yield word[:_STEM]
