"""How the text of a story is to sound, as its agents are told, and the words that are to be avoided. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from graph_flow.llm.tokens import estimate_tokens
from store.models.endpoint import ModelStrength
from store.models.form import Form, Narration, Tense
from store.models.story import StorySettings
from store.text import is_unspaced

_WORN = Path(__file__).with_name("worn_phrases.txt")
_TOLD = 700
"""Tokens of the words to avoid of which an agent is told: the writer's own first."""
_NAMED = 24
"""How many of the words that stand in a text anyway are named."""
_TENSES: Mapping[Tense, str] = {Tense.PAST: "past tense", Tense.PRESENT: "present tense"}
_NARRATIONS: Mapping[Narration, str] = {
    Narration.FIRST: "first person: whoever's eyes a scene is seen through says “I”",
    Narration.CLOSE: "third person, close to whoever's eyes a scene is seen through",
    Narration.DISTANT: "third person, from outside: nobody's thoughts are told",
    Narration.OMNISCIENT: "third person, by a narrator who knows everybody's thoughts",
    Narration.SECOND: "second person: whoever's eyes a scene is seen through is “you”",
}
_QUOTES = str.maketrans("’‘‛", "'''")


def style_for(
    settings: StorySettings, form: Form, strength: ModelStrength = ModelStrength.ABLE
) -> str:
    """Return how a text is to sound, for an agent's prompt; empty if the writer has not said.

    An able model is told all of it, a small one only tense and person, in one short line.
    """
    manner = _manner(settings, form)
    if strength is ModelStrength.SMALL:
        return manner
    phrases = _within(avoided(settings), _TOLD)
    words = f"Words and phrases that must not occur: {'; '.join(phrases)}." if phrases else ""
    return " ".join(filter(None, [settings.style_notes, manner, words]))


def avoided(settings: StorySettings) -> list[str]:
    """Return the words and phrases to avoid, each once: the writer's own, then ours if they are wanted."""
    own = (" ".join(line.split()) for line in settings.words_to_avoid.splitlines())
    ours = worn_phrases() if settings.avoids_worn else ()
    return list(dict.fromkeys(filter(None, chain(own, ours))))


def found_in(text: str, phrases: Sequence[str]) -> dict[str, int]:
    """Return which phrases stand in a text, and how often, the most frequent first.

    Capitals and kinds of apostrophes do not count, and phrases are found as whole words; `*` stands
    for any letters.
    """
    folded = text.translate(_QUOTES).casefold()
    counts = {one: _count(folded, one.translate(_QUOTES).casefold()) for one in phrases}
    return dict(sorted(((one, n) for one, n in counts.items() if n), key=lambda it: -it[1]))


def found_lines(text: str, settings: StorySettings) -> list[str]:
    """Return the words to avoid that stand in a text anyway, for its reviewer: "suddenly" (3 times)."""
    found = found_in(text, avoided(settings))
    return [f'"{one}" ({n} times)' if n > 1 else f'"{one}"' for one, n in found.items()][:_NAMED]


@cache
def worn_phrases() -> tuple[str, ...]:
    """Return the turns of phrase that language models wear out, in English."""
    lines = _WORN.read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def _manner(settings: StorySettings, form: Form) -> str:
    """Return tense and person; what is played has its own."""
    if not form.spec.is_prose:
        return ""
    said = [_TENSES.get(settings.tense), _NARRATIONS.get(settings.narration)]
    words = "; ".join(filter(None, said))
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _within(phrases: Sequence[str], tokens: int) -> list[str]:
    def taken() -> Iterator[str]:
        left = tokens
        for phrase in phrases:
            left -= estimate_tokens(phrase) + 1
            if left < 0:
                return
            yield phrase

    return list(taken())


def _count(folded: str, phrase: str) -> int:
    # Looking for a word of it first is far quicker, and most phrases are not there.
    longest = max(re.split(r"[\s*]+", phrase), key=len)
    if not longest or longest not in folded:
        return 0
    return len(_pattern(phrase).findall(folded))


@lru_cache(maxsize=1_024)
def _pattern(phrase: str) -> re.Pattern[str]:
    words = (re.escape(word).replace(r"\*", r"\w*") for word in phrase.split())
    before = "" if is_unspaced(phrase[0]) else r"(?<!\w)"
    after = "" if is_unspaced(phrase[-1]) else r"(?!\w)"
    return re.compile(before + r"\s+".join(words) + after)
