"""The whole kit of a mystery: case, booklets, clues, guide and checks; and its handouts. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from graph_flow.telling.mystery.booklets import (
    HERE,
    RULES,
    Booklet,
    BookletPart,
    Section,
    booklet_of,
    round_title,
)
from graph_flow.telling.mystery.case import Case, Lack, case_of
from graph_flow.telling.mystery.checks import Sufficiency, spoilt, sufficiency
from graph_flow.telling.mystery.clues import clues_of
from graph_flow.telling.mystery.guide import guide_sections, guide_text
from graph_flow.telling.mystery.leaks import Leak, LeakCheck
from store.formats.book.blocks import Block, Book, Chapter, Paragraph, Run
from store.formats.book.composing import UNTITLED
from store.formats.book.languages import language_tag
from store.formats.extract import writable
from store.models.desk.mystery import Clue, GuidePart, Mystery, booklet_key
from store.models.form import Form
from store.models.prototype import Snapshot
from store.models.story import Story
from store.text import clip

GUIDE, CARDS = "Host guide", "Clue cards"
_TURN = "Do not turn this page before the host says so."
_TITLE = 200


@dataclass(frozen=True)
class Ground:
    """What a mystery is made of before anything is written: the case, what each player knows, the clues.

    It changes only with the story, and with who did what to whom.
    """

    case: Case

    @cached_property
    def booklets(self) -> tuple[Booklet, ...]:
        """The booklets of those who play; none while something is missing."""
        case = self.case
        return () if case.lacks else tuple(booklet_of(case, one) for one in case.players)

    @cached_property
    def clues(self) -> tuple[Clue, ...]:
        """The clues that the story holds by itself."""
        return clues_of(self.case)

    @cached_property
    def leak_check(self) -> LeakCheck:
        """What looks for what texts give away."""
        return LeakCheck(self.case)


@dataclass(frozen=True)
class Kit:
    """A mystery as it stands: from the story's own sentences, and what was decided and written of it."""

    ground: Ground
    kept: Mystery | None

    @property
    def case(self) -> Case:
        """Which crime it is, and who plays."""
        return self.ground.case

    @property
    def booklets(self) -> tuple[Booklet, ...]:
        """The booklets of those who play; none while something is missing."""
        return self.ground.booklets

    @property
    def lacks(self) -> tuple[Lack, ...]:
        """What is missing before there is anything to play."""
        return self.case.lacks

    @property
    def clues(self) -> tuple[Clue, ...]:
        """The clues: those of the story, unless they were changed."""
        changed = self.kept.clues if self.kept else None
        return self.ground.clues if changed is None else changed

    @cached_property
    def checked(self) -> Sufficiency:
        """Whether the clues suffice."""
        return sufficiency(self.case, self.clues)

    @cached_property
    def spoilt(self) -> list[str]:
        """Whose part the story spoils, in a writer's words."""
        return spoilt(self.case, self.booklets)

    @cached_property
    def leaks(self) -> Mapping[str, list[Leak]]:
        """What the written texts give away, by the key of the text; those that give nothing away are left out."""
        found: dict[str, list[Leak]] = {}
        for booklet in self.booklets:
            for number, part in enumerate(booklet.parts):
                key = booklet_key(booklet.person.id, number)
                if text := self.text_of(key):
                    found[key] = self.ground.leak_check.of(key, part.knows, text)
        if opening := self.text_of(GuidePart.OPENING):
            found[GuidePart.OPENING] = self.ground.leak_check.of_everybody(self.booklets, opening)
        return {key: leaks for key, leaks in found.items() if leaks}

    @cached_property
    def outdated(self) -> frozenset[str]:
        """The keys of the texts that were written when their person knew something else."""
        return frozenset(
            key
            for booklet in self.booklets
            for number, part in enumerate(booklet.parts)
            if (
                text := self.kept.texts.get(key := booklet_key(booklet.person.id, number))
                if self.kept
                else None
            )
            and text.text
            and text.material not in {"", material_mark(part)}
        )

    @cached_property
    def guide(self) -> list[Section]:
        """The host guide."""
        return guide_sections(self.case, self.kept, self.clues, self.checked)

    def guide_text(self, part: GuidePart) -> str:
        """Return a part of the guide as it stands."""
        return guide_text(self.case, self.clues, self.kept, part)

    def text_of(self, key: str) -> str:
        """Return what was written of a text; empty if nothing was."""
        text = self.kept.texts.get(key) if self.kept else None
        return text.text if text else ""

    def sections_of(self, booklet: Booklet, number: int) -> list[Section]:
        """Return a part of a booklet as its player reads it: written, or as the story has it."""
        part = booklet.parts[number]
        written = self.text_of(booklet_key(booklet.person.id, number))
        if not written:
            return list(part.sections)
        fixed = [one for one in part.sections if one.heading in {HERE, RULES}]
        return [Section("", tuple(written.split("\n\n"))), *fixed]


def known_lines(part: BookletPart) -> list[str]:
    """Return all that a part of a booklet holds of its person, a line for each thing."""
    return [
        f"{one.heading}: {line}"
        for one in part.sections
        if one.heading != RULES
        for line in one.lines
    ]


def material_mark(part: BookletPart) -> str:
    """Return a hash of what a part of a booklet is written from."""
    return f"{crc32(chr(10).join(known_lines(part)).encode('utf-8', 'replace')):x}"


def kit_of(read: Callable[[int], Snapshot], newest: int, kept: Mystery | None) -> Kit:
    """Return the kit of a story; see `case_of`."""
    return Kit(Ground(case_of(read, newest, kept)), kept)


def decisions(kept: Mystery | None) -> tuple[object, ...]:
    """Return all that a writer has decided that the ground of a kit depends on."""
    if kept is None:
        return ()
    return (kept.crime, kept.victim, kept.culprits, kept.left_out, kept.rounds, kept.until)


def part_text(part: BookletPart) -> str:
    """Return a part of a booklet as the story has it, as one text to edit."""
    own = [one for one in part.sections if one.heading not in {HERE, RULES}]
    return "\n\n".join("\n".join(filter(None, (one.heading, *one.lines))) for one in own)


def handouts_of(kit: Kit, story: Story) -> list[Book]:
    """Return all that is handed out: the host guide, the booklets, and the clue cards."""
    title = story.title or UNTITLED
    return [
        _book(story, GUIDE, title, [(one.heading, [one]) for one in kit.guide]),
        *(
            _book(story, booklet.person.name, title, list(_parts(kit, booklet)))
            for booklet in kit.booklets
        ),
        _book(story, CARDS, title, [_card(one) for one in kit.clues]),
    ]


def _parts(kit: Kit, booklet: Booklet) -> Iterator[tuple[str, list[Section]]]:
    for number, part in enumerate(booklet.parts):
        sections = kit.sections_of(booklet, number)
        warning = [Section("", (_TURN,))] if number + 1 < len(booklet.parts) else []
        yield part.title, [*sections, *warning]


def _card(clue: Clue) -> tuple[str, list[Section]]:
    return f"{round_title(clue.round)}: {clue.title}", [Section("", (clue.text,))]


def _book(story: Story, title: str, of: str, parts: Sequence[tuple[str, list[Section]]]) -> Book:
    chapters = tuple(
        Chapter(place, _line(heading), tuple(_blocks(heading, sections)))
        for place, (heading, sections) in enumerate(parts, start=1)
    )
    sample = " ".join(line for _, sections in parts for one in sections for line in one.lines)
    return Book(
        identifier=story.id,
        title=_line(title),
        author=_line(of),
        language=language_tag(story.brief.language, sample[:2_000]),
        form=Form.NOVEL,
        words=0,
        chapters=chapters,
        is_handout=True,
    )


def _blocks(title: str, sections: Iterable[Section]) -> Iterator[Block]:
    for one in sections:
        if one.heading and one.heading != title:
            yield Paragraph((Run(writable(one.heading), is_strong=True),))
        yield from (Paragraph((Run(writable(line)),)) for line in one.lines)


def _line(text: str) -> str:
    return clip(writable(text), _TITLE) or "…"
