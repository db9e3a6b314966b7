"""Chinese has all that the pages say in English: the same names, parameters, keys and gaps, and no English."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from markdown_it import MarkdownIt

from graph_flow.agents import AGENTS, STAGES
from graph_flow.prompting.agent import SHARED_LABELS
from graph_flow.prompting.sources import EXAMPLE, INSTRUCTIONS
from pages.components.languages.chinese.records import SENTENCES, WORDS
from pages.components.words import speaking
from pages.components.words.speaking import Language
from store.formats.exports import FORMATS
from store.models.cast import Awareness, Life, RelationshipKind, Trait
from store.models.fields import shown_fields
from store.models.form import FORMS
from store.models.outline import OutlineEvent, OutlineLink, SubEvent
from store.models.plot import LinkKind, Part, ThreadState
from store.models.prototype import ENTITY_TYPES
from store.models.scoring import JUDGES, general_rules
from store.records.library import MAIN_BRANCH

ROOT = Path(__file__).parents[4]
COMPONENTS = ROOT / "pages" / "components"
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in COMPONENTS.rglob("strings.py")
)
SPOKEN = [*MODULES, "pages.components.words"]

NO_WORDS = {"counted", "window", "plain", "prose", "emphasised", "clock"}
"""What `words` has beside words: the plural is English, the rest is signs and numbers."""
SAME = {
    "Tellwright",
    "CSV",
    "JSON",
    "PDF",
    "Markdown",
    "Fountain",
    "Final Draft",
    "Twine",
    "Ink",
    "–",
    "scoring-rules.json",
    "OK",
}
"""Names, the same in every language."""
_EXAMPLE = re.compile(
    r"https?://\S+|[A-Z]+(?:_[A-Z]+)+|[\w~/.-]+\.gguf|deepseek-chat|:material/\w+:"
)
_GAP = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
_WORD = re.compile(r"[a-z]{2,}", re.IGNORECASE)
_HAN = re.compile(r"[\u4e00-\u9fff]")

MARKDOWN = MarkdownIt()


def words_of(module: ModuleType) -> dict[str, object]:
    """Return what a module itself says: constants of words, and functions that put them together."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (
            value.__module__ == module.__name__
            if inspect.isfunction(value)
            else name.isupper() and (isinstance(value, str) or any(texts(value)))
        )
    }


def texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for one in value.values():
                yield from texts(one)
        case tuple() | list():
            for one in value:
                yield from texts(one)


def pairs(name: str) -> list[tuple[str, object, object]]:
    """Return each name of a module, with what it is in English and in Chinese."""
    english = words_of(import_module(name))
    chinese = speaking.counterpart(Language.CHINESE, name)
    return [(one, value, chinese[one]) for one, value in english.items() if one in chinese]


@pytest.mark.parametrize("module", SPOKEN)
def test_every_name_has_its_counterpart(module: str) -> None:
    english = words_of(import_module(module))
    chinese = speaking.counterpart(Language.CHINESE, module)

    assert chinese, "there is no module for it in Chinese"
    assert sorted(english.keys() - chinese.keys() - NO_WORDS) == []


@pytest.mark.parametrize("module", SPOKEN)
def test_chinese_has_no_names_that_english_has_not(module: str) -> None:
    chinese = speaking.counterpart(Language.CHINESE, module)
    own = words_of(import_module(str(chinese["__name__"])))
    shared = words_of(import_module("pages.components.words"))

    assert sorted(own.keys() - words_of(import_module(module)).keys() - shared.keys()) == []


@pytest.mark.parametrize("module", SPOKEN)
def test_functions_take_the_same(module: str) -> None:
    differ = [
        name
        for name, english, chinese in pairs(module)
        if callable(english)
        and (not callable(chinese) or parameters(english) != parameters(chinese))
    ]

    assert differ == []


def parameters(function: Callable[..., object]) -> list[tuple[str, object, object, object]]:
    return [
        (one.name, one.kind, one.default, one.annotation)
        for one in inspect.signature(function).parameters.values()
    ]


@pytest.mark.parametrize("module", SPOKEN)
def test_mappings_have_the_same_keys_and_shapes(module: str) -> None:
    differ = [
        name
        for name, english, chinese in pairs(module)
        if not callable(english) and shape(english) != shape(chinese)
    ]

    assert differ == []


def shape(value: object) -> object:
    match value:
        case Mapping():
            return {key: shape(one) for key, one in value.items()}
        case tuple() | list():
            return [shape(one) for one in value]
        case str():
            return str
    return value


@pytest.mark.parametrize("module", SPOKEN)
def test_nothing_is_left_in_english(module: str) -> None:
    same = [
        (name, text)
        for name, english, chinese in pairs(module)
        if not callable(english)
        for text, other in zip(texts(english), texts(chinese), strict=True)
        if text == other and text not in SAME and _WORD.search(_EXAMPLE.sub("", text))
    ]

    assert same == []


@pytest.mark.parametrize("module", SPOKEN)
def test_gaps_are_those_of_the_english(module: str) -> None:
    differ = [
        (name, text, other)
        for name, english, chinese in pairs(module)
        if not callable(english)
        for text, other in zip(texts(english), texts(chinese), strict=True)
        if set(_GAP.findall(text)) != set(_GAP.findall(other))
    ]

    assert differ == []


GIVEN: Mapping[str, object] = {
    "str": "«given»",
    "int": 4321,
    "float": 4321.0,
    "bool": True,
    "int | None": 4321,
    "Sequence[str]": ["«given»"],
    "Sequence[int]": [4321],
}
"""What stands for an argument, by its type; a function with other types is not tried."""


ONLY_SIGNS = {"window_title", "rule_score", "chapter_of"}
"""Functions whose Chinese says with a sign what is a word in English."""


def sentences(module: str) -> Iterator[tuple[str, str, str]]:
    """Yield the functions of a module, with what they say of `GIVEN` in English and in Chinese."""
    for name, english, chinese in pairs(module):
        if name in NO_WORDS or not (callable(english) and callable(chinese)):
            continue
        types = {one.name: one.annotation for one in inspect.signature(english).parameters.values()}
        if all(wanted in GIVEN for wanted in types.values()):
            given = {one: GIVEN[str(wanted)] for one, wanted in types.items()}
            with suppress(KeyError):  # a text that is one of a few keys
                yield name, str(english(**given)), str(chinese(**given))


@pytest.mark.parametrize("module", SPOKEN)
def test_sentences_say_what_they_are_given_as_in_english(module: str) -> None:
    for name, said, other in sentences(module):
        assert ("«given»" in said) == ("«given»" in other), name
        assert bool(re.search("4.?321", said)) == bool(re.search("4.?321", other)), name


@pytest.mark.parametrize("module", SPOKEN)
def test_sentences_are_chinese(module: str) -> None:
    english = [
        (name, other)
        for name, said, other in sentences(module)
        if _WORD.search(said.replace("given", "")) and not _HAN.search(other)
    ]

    assert [one for one in english if one[0] not in ONLY_SIGNS] == []


@pytest.mark.parametrize("module", SPOKEN)
def test_emphasis_ends_where_it_should(module: str) -> None:
    """Markdown takes no sign for the end of emphasis that stands between a full stop and a letter."""
    constants = [
        (name, one, another)
        for name, english, other in pairs(module)
        if not callable(english)
        for one, another in zip(texts(english), texts(other), strict=True)
    ]
    broken = [
        other
        for _, english, other in (*constants, *sentences(module))
        if has_stars(other) and not has_stars(english)
    ]

    assert broken == []


def has_stars(text: str) -> bool:
    return "*" in MARKDOWN.renderInline(text)


# What records and agents are called


def labels() -> Iterator[str]:
    """Yield the words of the store and the engine that pages show."""
    for model in (*ENTITY_TYPES.values(), OutlineEvent, OutlineLink, SubEvent, Trait):
        for known in shown_fields(model).values():
            yield from (known.label, known.meaning)
    for spec in FORMS.values():
        yield from (spec.label, spec.writer_label)
    yield from STAGES
    for agent in AGENTS.values():
        yield from (agent.label, *agent.labels.values())
    yield from (*SHARED_LABELS.values(), EXAMPLE, INSTRUCTIONS)
    for file in FORMATS.values():
        yield from (file.label, file.about)
    yield from (judge.about for judge in JUDGES.values() if judge.about)
    for rule in general_rules():
        yield from (rule.name, rule.question)
    for kind in (RelationshipKind, Awareness, Life, Part, LinkKind, ThreadState):
        yield from (str(one) for one in kind)
    yield MAIN_BRANCH


def test_every_label_of_a_record_has_a_chinese_one() -> None:
    assert sorted({one for one in labels() if one not in SAME} - WORDS.keys()) == []


FOR_SENTENCES = {"yes", "no", "hears of it", "comes before", "no longer known"}
"""Words that `store.deltas.sentences` uses besides the labels."""


def test_every_chinese_label_is_of_something() -> None:
    assert sorted(WORDS.keys() - set(labels()) - FOR_SENTENCES) == []


def test_sentences_lose_nothing_that_is_filled_in() -> None:
    for english, chinese in SENTENCES.items():
        assert set(_GAP.findall(english)) == set(_GAP.findall(chinese)), english
