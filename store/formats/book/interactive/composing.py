"""A story and its ways not taken as an interactive fiction.

Each chapter is a passage; a long one is several, parted at its scene breaks. Where chapters part, the
reader chooses by the goals. What has no text, a candidate or a chapter that is only plotted, is told
by what the plot says of its events. Where a way not taken ends, it leads back to where it parted.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, product
from string import ascii_lowercase
from typing import NamedTuple

from store.errors import StoreError
from store.formats.book.blocks import Block, Chapter, Paragraph, SceneBreak, SceneHeading
from store.formats.book.composing import UNTITLED, blocks_of, one_line, runs_of
from store.formats.book.interactive.model import (
    Choice,
    InteractiveFiction,
    Passage,
    PassageKind,
)
from store.formats.book.interactive.ways import Line, Parting, PlacedChapter, Way, Ways, ways_of
from store.formats.book.interactive.words import Words, words_in
from store.formats.book.languages import language_tag
from store.formats.book.plain_text import text_of
from store.formats.extract import writable
from store.models.manuscript import Draft
from store.models.plot import Event
from store.models.story import Story
from store.open import Store
from store.text import count_words, first_characters

LONGEST_PASSAGE = 1_500
"""The most words of a passage whose chapter has scene breaks to part it at."""
LONGEST_LABEL = 240
"""The most characters of a choice."""

_TITLE, _THE_END = "title_page", "the_end"
_SENTENCE = re.compile(r".+?(?:[.!?…]+[\"'”’)]*(?=\s)|[。！？]+[」』”’）]*)")


class NoWayNotTaken(StoreError):
    """A story was always told in one way only, so there is nothing for a reader to choose."""

    def __init__(self) -> None:
        super().__init__(
            "There is no way not taken in this story yet. It needs a chapter that had other candidates, "
            "or a what-if branch."
        )


def compose_interactive(store: Store, branch: str) -> InteractiveFiction:
    """Return a story with its ways not taken, seen from a branch.

    Raises:
        NotFound: if there is no such branch.
        NoWayNotTaken: if there are none.
    """
    ways = ways_of(store, branch)
    if not ways.partings:
        raise NoWayNotTaken
    return _Composer(store, ways).fiction()


class _Text(NamedTuple):
    """What is read of a chapter, by its title."""

    title: str
    blocks: tuple[Block, ...]


class _Stretch(NamedTuple):
    """A line, the letter that its passages are numbered with, and where its end leads back to."""

    line: Line
    letter: str
    back: str | None


class _Turn(NamedTuple):
    """How a passage ends."""

    closing: str
    choices: tuple[Choice, ...]


class _Composer:
    """Composes one fiction: first the passages of the main line, then those of each way."""

    def __init__(self, store: Store, ways: Ways) -> None:
        self._store = store
        self._ways = ways
        self._story = store.library.story_of(ways.main.branch.id)
        self._texts = _Texts(store)
        first = [self._texts.of(ways.main, one) for one in ways.main.chapters[:1]]
        self._language = _language(self._story, first)
        self._words = words_in(self._language)
        self._passages: list[Passage] = []
        self._ahead: deque[Iterator[Passage]] = deque()
        self._letters = _letters()

    def fiction(self) -> InteractiveFiction:
        """Return the whole."""
        story = self._story
        title, author = one_line(story.title) or UNTITLED, one_line(story.brief.author)
        self._passages.append(self._title_page(title, author))
        self._passages += self._of_line(_Stretch(self._ways.main, "", None))
        while self._ahead:
            self._passages += self._ahead.popleft()
        return InteractiveFiction(story.id, title, author, self._language, tuple(self._passages))

    def _title_page(self, title: str, author: str) -> Passage:
        blocks = (Paragraph(runs_of(author)),) if author else ()
        kind = PassageKind.TITLE
        main = _Stretch(self._ways.main, "", None)
        turn = self._turn(main, 0, Passage(_TITLE, "0", kind, title, blocks, "", ()))
        return Passage(_TITLE, "0", kind, title, blocks, turn.closing, turn.choices)

    def _of_line(self, stretch: _Stretch) -> Iterator[Passage]:
        kind = PassageKind.CHAPTER if stretch.back is None else PassageKind.WAY
        for index, one in enumerate(stretch.line.chapters, start=1):
            text = self._texts.of(stretch.line, one)
            head = _head(kind, f"{one.place}{stretch.letter}", Chapter(one.place, text.title, ()))
            turn = self._turn(stretch, index, head)
            yield from _parts(head, text.blocks, turn, self._words)

    def _turn(self, stretch: _Stretch, index: int, here: Passage) -> _Turn:
        """Return what follows on the passages up to an index of a line, of which `here` is the last.

        The passages of the ways that part here are composed later.
        """
        line = stretch.line
        ways = self._ways.partings.get(Parting(line, index), ())
        if not ways:
            return self._alone(stretch, index)
        back = here.id if here.kind is PassageKind.TITLE else f"after_{here.id}"
        targets = [self._target(stretch, index, way, back) for way in ways]
        labels = _distinct([self._label_of(line, index, way) for way in ways])
        choices = tuple(map(Choice, labels, targets))
        if index == len(line.chapters):
            choices += (self._way_out(stretch),)
        if here.kind is PassageKind.TITLE:
            return _Turn(self._words.first_question, choices)
        self._ahead.append(iter([_crossroads(here, back, self._words.question, choices)]))
        return _Turn(self._words.question, choices)

    def _alone(self, stretch: _Stretch, index: int) -> _Turn:
        """Return what follows where nothing parts."""
        chapters, words = stretch.line.chapters, self._words
        if index < len(chapters):
            label = words.go_on if index or stretch.back else words.begin
            return _Turn("", (Choice(label, _id(chapters[index].place, stretch.letter)),))
        if stretch.back is None:
            return _Turn(words.the_end, ())
        return _Turn(words.way_ends, (Choice(words.go_back, stretch.back),))

    def _way_out(self, stretch: _Stretch) -> Choice:
        """Return the choice of somebody who does not follow a way beyond a line's end."""
        if stretch.back is not None:
            return Choice(self._words.go_back, stretch.back)
        number = str(_place(stretch.line, len(stretch.line.chapters)))
        end = Passage(_THE_END, number, PassageKind.ENDING, self._words.the_end, (), "", ())
        self._ahead.append(iter([end]))
        return Choice(self._words.stop, _THE_END)

    def _target(self, stretch: _Stretch, index: int, way: Way, back: str) -> str:
        """Return the id of a way's first passage; if it is not the line itself, it is composed later."""
        line = stretch.line
        if way is line:
            return _id(line.chapters[index].place, stretch.letter)
        letter = next(self._letters)
        if isinstance(way, Line):
            self._ahead.append(self._of_line(_Stretch(way, letter, back)))
            return _id(way.chapters[0].place, letter)
        place = _place(line, index)
        head = _head(PassageKind.WAY, f"{place}{letter}", Chapter(place, one_line(way.title), ()))
        turn = _Turn(self._words.way_ends, (Choice(self._words.go_back, back),))
        blocks = self._texts.of_candidate(way.id)
        self._ahead.append(_parts(head, blocks, turn, self._words))
        return head.id

    def _label_of(self, line: Line, index: int, way: Way) -> str:
        if not isinstance(way, Line):
            return _label(way.goal)
        chapter = line.chapters[index] if way is line else way.chapters[0]
        goal = way.chosen_goal(chapter.key)
        # What the writer asked for is what follows on where the branch began.
        is_asked = way is not line and way.begins - 1 == way.branch.fork_chapter
        asked = way.branch.what_if if is_asked else ""
        title = self._texts.title_of(way, chapter)
        named = title if way is line else way.branch.name
        return _label(asked or goal or named) or self._words.go_on


class _Texts:
    """Reads what is read of chapters and candidates."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._drafts: dict[Line, dict[int, Draft]] = {}

    def title_of(self, line: Line, one: PlacedChapter) -> str:
        """Return what a chapter is called in its book."""
        draft = self._draft(line, one)
        return one_line(draft.title if draft else one.chapter.title or line.title_of(one.key))

    def of(self, line: Line, one: PlacedChapter) -> _Text:
        """Return a chapter: its text or, if it has none, what happens in it."""
        draft = self._draft(line, one)
        blocks = blocks_of(draft.text, draft.form.spec.layout) if draft else ()
        if not blocks and one.chapter.is_plotted:
            there = self._store.excerpts.of_chapter(line.branch.id, one.key)
            blocks = _told(there.events_of(one.key))
        return _Text(self.title_of(line, one), blocks)

    def of_candidate(self, candidate: str) -> tuple[Block, ...]:
        """Return what would happen by a candidate's plot."""
        added = self._store.proposals.candidate(candidate).delta.additions()
        return _told(one for one in added if isinstance(one, Event))

    def _draft(self, line: Line, one: PlacedChapter) -> Draft | None:
        if line not in self._drafts:
            keys = [chapter.key for chapter in line.chapters]
            texts = self._store.contents.texts(line.branch.id, keys)
            self._drafts[line] = {text.place: text.draft for text in texts}
        return self._drafts[line].get(one.place)


def _told(events: Iterable[Event]) -> tuple[Block, ...]:
    """Return events in the words of the plot, with what is said in them."""
    in_order = sorted(events, key=lambda event: event.position)
    texts = (f"{event.summary}\n{event.spoken}" for event in in_order)
    lines = chain.from_iterable(writable(text).split("\n") for text in texts)
    return tuple(Paragraph(runs_of(line.strip())) for line in lines if line.strip())


def _language(story: Story, texts: Sequence[_Text]) -> str:
    beginning = " ".join(text_of(block) for text in texts for block in text.blocks)
    return language_tag(story.brief.language, beginning[:2_000])


def _letters() -> Iterator[str]:
    """Yield a, b, … z, aa, ab, …"""
    for length in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=length))


def _id(place: int, letter: str) -> str:
    return f"chapter_{place}{letter}"


def _place(line: Line, index: int) -> int:
    """Return which place in the book a way has that follows on the chapters up to an index."""
    if index < len(line.chapters):
        return line.chapters[index].place
    return line.chapters[-1].place + 1 if line.chapters else 1


def _head(kind: PassageKind, number: str, chapter: Chapter) -> Passage:
    """Return the passage that a chapter begins with, still empty."""
    return Passage(f"chapter_{number}", number, kind, chapter.heading, (), "", ())


def _crossroads(here: Passage, id_: str, question: str, choices: tuple[Choice, ...]) -> Passage:
    return Passage(id_, here.number, PassageKind.CROSSROADS, here.heading, (), question, choices)


def _parts(
    head: Passage, blocks: tuple[Block, ...], turn: _Turn, words: Words
) -> Iterator[Passage]:
    """Yield the passages of a chapter, each of which leads to the next."""
    parts = list(_parted(blocks))
    for number, part in enumerate(parts, start=1):
        is_first, is_last = number == 1, number == len(parts)
        ahead = Choice(words.go_on, f"{head.id}_{number + 1}")
        yield Passage(
            id=head.id if is_first else f"{head.id}_{number}",
            number=head.number if is_first else f"{head.number}.{number}",
            kind=head.kind,
            heading=head.heading if is_first else "",
            blocks=part,
            closing=turn.closing if is_last else "",
            choices=turn.choices if is_last else (ahead,),
        )


def _parted(blocks: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    """Yield stretches of whole scenes; there is one at least, which may be empty."""
    held: list[Block] = []
    for scene in _scenes(blocks):
        if held and _words([*held, *scene]) > LONGEST_PASSAGE:
            yield tuple(held)
            held = [one for one in scene if not isinstance(one, SceneBreak)]
        else:
            held += scene
    yield tuple(held)


def _scenes(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the blocks of each scene, with the break or heading that it begins with."""
    held: list[Block] = []
    for block in blocks:
        if held and isinstance(block, SceneBreak | SceneHeading):
            yield held
            held = []
        held.append(block)
    if held:
        yield held


def _words(blocks: Sequence[Block]) -> int:
    return count_words(" ".join(map(text_of, blocks)))


def _label(text: str) -> str:
    """Return a choice on one line: all of a text, its first sentence, or as much as there is room for."""
    line = one_line(text)
    if len(line) <= LONGEST_LABEL:
        return line
    sentence = _SENTENCE.match(line)
    if sentence and len(sentence[0]) <= LONGEST_LABEL:
        return sentence[0]
    return f"{first_characters(line, LONGEST_LABEL - 1)}…"


def _distinct(labels: Sequence[str]) -> list[str]:
    """Return labels of which no two are the same: further ones are numbered."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for label in labels:
        seen[label] += 1
        found.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return found
