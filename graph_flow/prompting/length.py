"""How long a story is, where in it a chapter stands, and where it goes: what agents are told. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from store.models.endpoint import ModelStrength
from store.models.form import Form
from store.models.story import StorySettings
from store.text import Unit

ABLE_WORDS = 1_200
"""Words of a chapter that an able model writes unless the writer says otherwise."""
_CHARACTERS_PER_WORD = 5 / 3
"""How many characters of Chinese or Japanese say about what a word of English says."""

_SHORT, _NOVELLA = 8_000, 15_000
"""The most words of a short story, and of a novella."""
_MIDDLE, _BOOK = 20, 100
"""The most chapters of a story that is not long, and of one book; what has more is a serial."""
_TURN_WORDS = 1_200
"""Words that a turn or a revelation takes, with what leads to it and what comes of it."""
_OF_PREMISE, _CHAPTERS_OF_PREMISE = 1 / 8, 3
"""The share of a longer story in which all that its premise tells happens, and the chapters of a serial in
which it does."""
_CHAPTER_SKETCHES = 2
"""In how many ways a later chapter of a longer story is told before it is plotted."""
_OPENING_WORDS = 3_000
"""Words of the opening of a longer story that is told before anything of it is worked out."""

_WORDS_PER_BEAT, _MOST_BEATS = 300, 3
"""Words that it takes to tell an event in a scene, and the most events that a turn may add."""

_MORE_AT_THE_END = 2
"""How many turns a relay has more in the last chapter: what a story turns on is asked and answered."""


class Phase(StrEnum):
    """What a chapter does for the whole, by its place in it."""

    OPENING = "opening"
    TIGHTENING = "tightening"
    TURN = "turn"
    ENDING = "ending"


_ENDS_OF_PHASES = (
    (0.3, Phase.OPENING),
    (0.6, Phase.TIGHTENING),
    (0.8, Phase.TURN),
    (1.0, Phase.ENDING),
)
"""The share of the story at which each phase ends."""

_ADVICE = {
    Phase.OPENING: (
        "The story opens: what sets it off happens on the page, people want things from each "
        "other, and the reader begins to ask."
    ),
    Phase.TIGHTENING: (
        "The story tightens: what was set off closes in, every step costs somebody something, and "
        "there is less that they can still do."
    ),
    Phase.TURN: (
        "The story turns: what people believed proves wrong, and something is done that cannot be "
        "taken back."
    ),
    Phase.ENDING: ("The story comes to its end: what was opened is answered, debts fall due."),
}
_CLOSING = " Nothing new is begun."
_LAST = (
    "This is the last chapter. The story ends in it: what the premise promises happens on the page, "
    "what the reader waits to know is told, and whoever matters has their last word or refuses it."
)


def phase_of(chapter: int, planned: int) -> Phase:
    """Return the phase of a chapter, counted from 1, of a story of a planned number of chapters."""
    if chapter >= planned:
        return Phase.ENDING
    share = (chapter - 0.5) / planned
    return next(phase for end, phase in _ENDS_OF_PHASES if share < end)


def is_last(chapter: int, settings: StorySettings) -> bool:
    """Return whether a story is to end with this chapter."""
    return settings.planned is not None and chapter >= settings.planned


def is_near_end(chapter: int, settings: StorySettings) -> bool:
    """Return whether a chapter is in the last tenth of a story."""
    return settings.planned is not None and chapter > 0.9 * settings.planned


def may_open(chapter: int, settings: StorySettings) -> bool:
    """Return whether a chapter may begin something new: near the end, only if the writer wants it."""
    return settings.opens_late or not is_near_end(chapter, settings)


def usual_length(unit: Unit) -> int:
    """Return how long a chapter is that an able model writes unless the writer says otherwise."""
    return ABLE_WORDS if unit == "words" else round(ABLE_WORDS * _CHARACTERS_PER_WORD)


def length_words(settings: StorySettings, unit: Unit = "words") -> str:
    """Say how long a story is to be."""
    words = settings.words or usual_length(unit)
    if settings.planned is None:
        return f"a serial without a planned end, in chapters of about {words} {unit}"
    if settings.planned == 1:
        return f"one chapter of about {words} {unit}"
    return f"{settings.planned} chapters of about {words} {unit} each"


def is_short(settings: StorySettings) -> bool:
    """Return whether a story is planned to be short enough to be read at one sitting."""
    return breadth_of(settings) is Breadth.SHORT_STORY


class Breadth(StrEnum):
    """How much happens in a story, whatever its form: as in the kind of fiction after which it is named."""

    SHORT_STORY = "short story"
    NOVELLA = "novella"
    NOVEL = "novel"


_BREADTHS = {
    Breadth.SHORT_STORY: (
        "It is a short story: one thing at its heart, one secret that everything turns on, two or "
        "three people who act, two or three past events, one object that matters. A reader must "
        "never have to put it together like a puzzle. "
    ),
    Breadth.NOVELLA: (
        "It is as long as a novella: one line that everything else serves, and one beside it that "
        "belongs to somebody else and crosses it; four to six people who act; two or three secrets, "
        "each of which comes out by itself and changes what people do. "
    ),
    Breadth.NOVEL: (
        "It is as long as a novel: one line that carries it from the first page to the last, and two "
        "to four beside it, each somebody’s own want, with turns and an end of its own, which make "
        "trouble on the main line; six to twelve people who act; several secrets, each of which "
        "comes out by itself and changes what people do. It must never feel like a short story that "
        "has been stretched. "
    ),
}
_TOO_MUCH = (
    "choose people, secrets, past events and turns to fit, for a person or a secret without a scene "
    "is one too many."
)
_TOO_LITTLE = (
    "choose people, secrets, past events and turns to fill it, and to fit: chapters in which nothing "
    "is done that cannot be undone are as bad as a secret without a scene."
)


def breadth_of(settings: StorySettings) -> Breadth:
    """Return how much happens in a story of this length; a serial has as much as a novel."""
    if settings.planned is None:
        return Breadth.NOVEL
    words = settings.planned * (settings.words or ABLE_WORDS)
    if words <= _SHORT:
        return Breadth.SHORT_STORY
    return Breadth.NOVELLA if words <= _NOVELLA else Breadth.NOVEL


class StoryLength(StrEnum):
    """How much of itself a story can be told at once: the longer it is, the less of it fits in a prompt."""

    SHORT = "short"
    MIDDLE = "middle"
    LONG = "long"


def length_of(settings: StorySettings, chapter: int) -> StoryLength:
    """Return how long a story is taken to be in one of its chapters; a serial may grow as long as any.

    A book is taken for a shorter one until its twentieth chapter: what little has happened still fits. A serial
    is kept flat from its first.
    """
    if is_short(settings):
        return StoryLength.SHORT
    if not may_grow_long(settings):
        return StoryLength.MIDDLE
    is_book = settings.planned is not None and settings.planned <= _BOOK
    return StoryLength.MIDDLE if is_book and chapter < _MIDDLE else StoryLength.LONG


def may_grow_long(settings: StorySettings) -> bool:
    """Return whether a story is to have more chapters than those told as a shorter one's; a serial may."""
    return settings.planned is None or settings.planned > _MIDDLE


def is_long(settings: StorySettings, chapter: int) -> bool:
    """Return whether a story has grown so long by a chapter that its prompts have to be kept flat."""
    return length_of(settings, chapter) is StoryLength.LONG


def form_words(form: Form, settings: StorySettings) -> str:
    """Return the form of a story as prompts name it: a novel of a few pages is none."""
    if form is Form.NOVEL and is_short(settings):
        return "short story in chapters"
    return form.spec.described


def scope_words(settings: StorySettings) -> str:
    """Say how much a story of this length can hold."""
    chapters = settings.planned or 1
    turns = max(1, round(chapters * (settings.words or ABLE_WORDS) / _TURN_WORDS))
    room = "one turn or revelation" if turns == 1 else f"{turns} turns or revelations"
    if settings.planned is None:
        return (
            f"A chapter has room for about {room}, small ones included: begin with the people, "
            "secrets and past events that the first chapters have scenes for, since others can "
            f"come later.{_premise_words(settings)}"
        )
    breadth = breadth_of(settings)
    if breadth is Breadth.NOVEL:
        fill = f"That leaves room for about {turns} scenes: {_TOO_LITTLE}"
    else:
        fill = f"That leaves room for about {room} in all, small ones included: {_TOO_MUCH}"
    begins = "" if breadth is Breadth.SHORT_STORY else _premise_words(settings)
    return f"{_BREADTHS[breadth]}{fill}{begins}"


def _premise_words(settings: StorySettings) -> str:
    """Say how a longer story begins: with what whoever has read its premise is waiting for."""
    last = _last_of_premise(settings)
    when = "in the first chapter" if last == 1 else f"by the end of chapter {last}"
    return (
        f" Its first chapters belong to its premise: {when} all that the premise tells has happened before "
        "the reader’s eyes, and what it says is found out has been found out. They begin with one trouble, "
        "and nobody and nothing comes in before it is needed; whatever else there is to tell begins "
        "afterwards, out of that."
    )


def _last_of_premise(settings: StorySettings) -> int:
    """Return the chapter of a longer story at whose end all has happened that its premise tells."""
    if settings.planned is None:
        return _CHAPTERS_OF_PREMISE
    return max(1, round(settings.planned * _OF_PREMISE))


def most_beats(chapter: int, settings: StorySettings) -> int:
    """Return how many events one turn of a relay may add, for a chapter to have room for them all."""
    words = words_wanted(chapter, settings)
    turns = settings.rounds * relay_turns(chapter, settings)
    room = round(words / (_WORDS_PER_BEAT * turns))
    return max(1, min(_MOST_BEATS, room))


def relay_turns(chapter: int, settings: StorySettings) -> int:
    """Return how many turns a round of a relay has whose goal an able model sets.

    In the last chapter there are more of them, unless everybody has several turns anyway.
    """
    is_longer = settings.rounds == 1 and is_last(chapter, settings)
    return settings.roles + _MORE_AT_THE_END * is_longer


def candidate_turns(chapter: int, settings: StorySettings, strength: ModelStrength) -> int:
    """Return how many calls one candidate takes: the turns of its relay, or a single author's."""
    if not settings.is_woven:
        return 1
    is_able = strength is ModelStrength.ABLE
    return settings.rounds * (relay_turns(chapter, settings) if is_able else settings.roles)


def calls_of_candidates(goals: int, sketched: int, turns: int) -> int:
    """Return how many calls the plots of a chapter take; those that a sketch has told take one each."""
    return sketched + max(0, goals - sketched) * turns


def words_wanted(chapter: int, settings: StorySettings, unit: Unit = "words") -> int:
    """Return about how long an able model is to make a chapter: as long as the writer says.

    If the writer does not, the last chapter of a short story gets a third more than the others: all
    that has been held back comes out in it.
    """
    if settings.words is not None:
        return settings.words
    is_end = is_short(settings) and is_last(chapter, settings) and chapter > 1
    usual = usual_length(unit)
    return usual * 4 // 3 if is_end else usual


def words_together(chapters: Iterable[int], settings: StorySettings, unit: Unit = "words") -> int:
    """Return about how long some chapters are to be together."""
    return sum(words_wanted(one, settings, unit) for one in chapters)


def story_length(settings: StorySettings, unit: Unit = "words") -> int:
    """Return about how long a whole story is to be: all its chapters, or one if it has no planned end."""
    return words_together(range(1, (settings.planned or 1) + 1), settings, unit)


def sketched_chapters(settings: StorySettings, unit: Unit = "words") -> range:
    """Return the chapters that are told before anything is worked out.

    They are all of a short story, and those that bring what the premise tells of a longer one, as far as
    they make an opening and no more.
    """
    if is_short(settings):
        return range(1, (settings.planned or 1) + 1)
    most = _OPENING_WORDS * usual_length(unit) // ABLE_WORDS // words_wanted(1, settings, unit)
    return range(1, max(1, min(most, _last_of_premise(settings))) + 1)


def chapter_sketches(settings: StorySettings) -> int:
    """Return in how many ways a chapter of a longer story is told before it is plotted, beyond its opening."""
    if not settings.is_sketched or settings.is_direct or is_short(settings):
        return 0
    return min(_CHAPTER_SKETCHES, settings.goals)


def sketch_length(settings: StorySettings, unit: Unit = "words") -> int:
    """Return about how long the text is that is told before anything is worked out."""
    return words_together(sketched_chapters(settings, unit), settings, unit)


def scaled(bound: int, words: int) -> int:
    """Return a bound meant for a chapter of the usual length, for one of so many words."""
    return max(bound, bound * words // ABLE_WORDS)


def place_words(chapter: int, settings: StorySettings) -> str:
    """Say where in its story a chapter stands, and what that asks of it."""
    planned = settings.planned
    if planned is None:
        return (
            f"This is chapter {chapter} of a serial without a planned end: it brings the present arc "
            "on, and leaves the reader wanting the next."
        )
    here = f"This is chapter {chapter} of {planned}."
    if is_last(chapter, settings):
        return f"{here} {_LAST}"
    phase = phase_of(chapter, planned)
    closing = _CLOSING if phase is Phase.ENDING and not settings.opens_late else ""
    return f"{here} {_ADVICE[phase]}{closing}"


def premise_due(chapter: int, settings: StorySettings) -> str:
    """Say when all has happened that the premise tells, in one of the first chapters of a longer story."""
    last = _last_of_premise(settings)
    if is_short(settings) or chapter > last:
        return ""
    when = "by the end of this chapter" if chapter == last else f"by the end of chapter {last}"
    return (
        f"All that the premise tells has happened before the reader’s eyes {when}. It comes first, and "
        "nobody and nothing comes in before it is needed."
    )
