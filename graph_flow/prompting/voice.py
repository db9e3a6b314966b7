"""Checks that an answer speaks for the right character, and in the story's language."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from pydantic import BaseModel

from graph_flow.cognition.knowledge import named_in
from graph_flow.llm.schema import AnswerSchema
from graph_flow.prompting.text import LEAST_SENTENCES, MOST_SENTENCES, PROSE
from store.database.word_index import word_sequence
from store.models.cast import Character
from store.text import fold

T = TypeVar("T", bound=BaseModel)

FOR_OTHERS = "what others do"
IN_ANOTHER_LANGUAGE = "in another language"
"""Phrases by which a complaint about an answer is recognized later."""

_ACTION = "action"
_FREE_TEXTS = (_ACTION, "observed", "emotion", "consequence")
"""The fields of a move or a beat that are written in the story's language."""
_LOOKED_AT = 400
"""How many characters are enough to recognize a text's script."""
_STEM, _ENDING = 3, 2
"""A word that begins like part of a name, without its last letters, may be an inflected form of it."""

_NAME_FIRST = frozenset({"LATIN"})
"""Scripts whose languages have spaces, and can begin a sentence with the bare name of who acts."""
_PLAIN_NAME = re.compile(r"(?:[^\W_]|[ .,'’()-])+")
"""A name that needs no escaping in JSON, in a grammar or (except for dots and brackets) in a regular
expression."""
_LONGEST_NAME = 60
"""Characters; a longer name would leave too few for the action."""
_NAMES = 256
"""How many patterns of names are cached; the same people act again and again."""


@dataclass(frozen=True)
class Voice:
    """Who is to speak, who else is there, and the scripts of what was given.

    `me` is None if an author speaks for everybody.
    """

    scripts: frozenset[str] = frozenset()
    me: Character | None = None
    others: tuple[Character, ...] = field(default=(), repr=False)


def voice_of(
    texts: Sequence[str], me: Character | None = None, others: Sequence[Character] = ()
) -> Voice:
    """Return the voice expected in answer to these texts."""
    scripts = frozenset(filter(None, (script_of(text[:_LOOKED_AT]) for text in texts)))
    return Voice(scripts, me, tuple(others))


def checked_for_speaker(schema: AnswerSchema[T], voice: Voice) -> AnswerSchema[T]:
    """Return a schema that asks for the same, and accepts only answers in the given voice."""

    def check(answer: T) -> None:
        said = answer.model_dump()
        _check_language(" ".join(_free_texts(said)), voice)
        if voice.me is not None:
            _check_speaker(str(said.get(_ACTION, "")), voice.me, voice.others)

    opening = action_pattern(voice)
    patterns = {**schema.patterns, _ACTION: opening} if opening else schema.patterns
    return replace(schema, check=check, patterns=patterns)


def action_pattern(voice: Voice) -> str | None:
    """Return a regular expression for an action that begins with the name of who answers.

    A small model that has to begin this way writes what its own character does. None if that might
    do harm: in the script of the name or the story, a sentence may not begin like that, or the
    name contains symbols that could break a grammar. The pattern includes the lengths, because
    grammars often ignore those given next to a pattern.
    """
    if voice.me is None or voice.scripts != _NAME_FIRST:
        return None
    return _beginning_with(voice.me.name)


@lru_cache(maxsize=_NAMES)
def _beginning_with(name: str) -> str | None:
    if len(name) > _LONGEST_NAME or not _PLAIN_NAME.fullmatch(name):
        return None
    if script_of(name * _LONGEST_NAME) not in _NAME_FIRST:
        return None
    escaped = re.sub(r"[.()]", r"\\\g<0>", name)
    return f"^{escaped} {PROSE}{{{LEAST_SENTENCES},{MOST_SENTENCES - len(name) - 1}}}$"


def _free_texts(said: object) -> Iterator[str]:
    if isinstance(said, dict):
        yield from (str(said[name]) for name in _FREE_TEXTS if name in said)
        yield from (text for value in said.values() for text in _free_texts(value))
    elif isinstance(said, list | tuple):
        yield from (text for value in said for text in _free_texts(value))


def _check_language(said: str, voice: Voice) -> None:
    """Check that a text is in one of the given scripts.

    Raises:
        ValueError: if it is clearly in another.
    """
    writing = script_of(said)
    if voice.scripts and writing is not None and writing not in voice.scripts:
        raise ValueError(f"this is {IN_ANOTHER_LANGUAGE}; answer in the language of the story")


def _check_speaker(action: str, me: Character, others: Sequence[Character]) -> None:
    """Check that an action is about the character who answers.

    Raises:
        ValueError: if it names only others. An action that names nobody is accepted.
    """
    if not is_said_of(me, action) and named_in(action, others):
        raise ValueError(
            f"the action tells {FOR_OTHERS}; tell what {me.name} does, with that name in it"
        )


def is_said_of(person: Character, text: str) -> bool:
    """Return whether a text may mention a person: by a name, or an inflected part of it.

    A name in another script than the text cannot be searched for, and may be there.
    """
    names = (person.name, *person.aliases)
    writing, own = script_of(text), {script_of(name * 10) for name in names}
    if named_in(text, [person]) or (writing is not None and writing not in own):
        return True
    stems = {
        part[: max(_STEM, len(part) - _ENDING)]
        for part in fold(person.name).split()
        if len(part) > _STEM
    }
    return any(word.startswith(stem) for stem in stems for word in word_sequence(text))


_ENOUGH = 24
"""How many letters it takes to recognize a script; those of dense scripts count twice."""
_MOST = 0.6
"""The least share of letters in a text's own script: names may be in another."""
_KANA = 0.08
"""The least share of kana that makes a text with Chinese characters Japanese."""

_CHINESE, _JAPANESE = "CJK", "JAPANESE"
_SYLLABLES = "HANGUL"


def script_of(text: str) -> str | None:
    """Return the script of most of a text; None if the text is too short, or mixed.

    Kana distinguish Japanese from Chinese. Languages that share a script are not distinguished.
    """
    letters: Counter[str] = Counter()
    for one, often in Counter(unicodedata.normalize("NFKC", text)).items():
        if unicodedata.category(one)[0] in "LM":
            letters[_script(one)] += often
    kana = letters.pop(_JAPANESE, 0)
    letters[_CHINESE] += kana
    [(script, count)] = letters.most_common(1)
    if letters.total() + letters[_CHINESE] + letters[_SYLLABLES] < _ENOUGH:
        return None
    if count < _MOST * letters.total():
        return None
    return _JAPANESE if script == _CHINESE and kana >= _KANA * count else script


@lru_cache(maxsize=4_096)
def _script(letter: str) -> str:
    """Return the first word of a letter's name: LATIN, CYRILLIC, ARABIC, HANGUL …"""
    script = unicodedata.name(letter, "?").split()[0]
    if script.startswith(("HIRAGANA", "KATAKANA")):
        return _JAPANESE
    return script
