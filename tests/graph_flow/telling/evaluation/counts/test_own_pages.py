"""Phrases that a text has and its writer's own pages hardly have, in languages that nobody has a list for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from graph_flow.telling.evaluation.counts.own_pages import LEAST_OWN, overused

SYLLABLES = "ka mi sol ter un ve lo ri da na sti po gra ul em tor fel is".split()
FOREIGN = "qo ey bru ach wem zil hin jo pax nyt dwe oos".split()
SIGNS = "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开"


def vocabulary(seed: int, syllables: Sequence[str] = SYLLABLES, words: int = 3_000) -> list[str]:
    """Make up the words of a language."""
    chosen = Random(seed)
    return ["".join(chosen.choices(syllables, k=chosen.randint(1, 4))) for _ in range(words)]


def pages(
    language: Sequence[str], seed: int, count: int, words: int, phrase: str = "", joiner: str = " "
) -> list[str]:
    """Write pages in a language, whose words are as rare as they are late; `phrase` begins every fifth sentence."""
    chosen = Random(seed)
    rarity = [1 / (at + 2) for at in range(len(language))]
    written = []
    for _ in range(count):
        sentences = []
        for at in range(words // 12):
            said = joiner.join(chosen.choices(language, rarity, k=12))
            sentences.append(f"{phrase}{joiner}{said}" if phrase and at % 5 == 0 else said)
        written.append(". ".join(sentences) + ".")
    return written


GERMAN, OTHER = vocabulary(1), vocabulary(2, FOREIGN)
OWN = pages(GERMAN, 3, 20, 2_000)


def test_a_phrase_that_the_writer_does_not_use_is_found_with_its_chapters() -> None:
    worn = f"{GERMAN[700]} {GERMAN[40]} {GERMAN[900]}"
    texts = [*pages(GERMAN, 4, 3, 1_000, phrase=worn), *pages(GERMAN, 5, 1, 1_000)]

    found = overused(texts, OWN)

    [phrase] = found.phrases
    assert found.is_known
    assert found.own_words == pytest.approx(40_000, rel=0.01)
    assert phrase.words == worn
    assert phrase.by_chapter[:3] == (17, 17, 17)
    assert phrase.by_chapter[3] == 0
    assert phrase.count == sum(phrase.by_chapter)
    assert phrase.rate > 10 * phrase.own_rate
    assert found.in_chapter(1) == [(worn, 17)]
    assert found.in_chapter(4) == []


def test_a_longer_turn_of_phrase_is_named_once() -> None:
    worn = " ".join(GERMAN[at] for at in (700, 40, 900, 810, 1_200, 950))

    found = overused(pages(GERMAN, 4, 4, 1_000, phrase=worn), OWN).phrases

    assert 1 <= len(found) <= 2
    assert all(one.words in worn for one in found)
    assert len(found[0].words.split()) == 4


def test_what_the_writer_uses_as_often_is_none() -> None:
    worn = f"{GERMAN[700]} {GERMAN[40]} {GERMAN[900]}"
    own = pages(GERMAN, 3, 20, 2_000, phrase=worn)

    assert overused(pages(GERMAN, 4, 4, 1_000, phrase=worn), own).phrases == ()
    assert overused(pages(GERMAN, 6, 8, 2_000), OWN).phrases == ()


def test_what_a_story_is_about_is_no_worn_out_phrase() -> None:
    lamp = "lampion"
    texts = pages([*GERMAN[:30], lamp, *GERMAN[30:]], 4, 4, 2_000)
    assert sum(text.count(lamp) for text in texts) > 20

    assert not any(lamp in one.words for one in overused(texts, OWN).phrases)


def test_names_of_the_story_are_left_out() -> None:
    texts = pages(GERMAN, 4, 4, 1_000, phrase="Mevrouw Dallo")

    assert [one.words for one in overused(texts, OWN).phrases] == ["mevrouw dallo"]
    assert overused(texts, OWN, names=["Dallo"]).phrases == ()


def test_one_scene_alone_makes_no_habit() -> None:
    worn = f"{GERMAN[700]} {GERMAN[40]} {GERMAN[900]}. "
    texts = [*pages(GERMAN, 4, 3, 2_000), worn * 20 + pages(GERMAN, 5, 1, 2_000)[0]]

    assert overused(texts, OWN).phrases == ()


def test_too_few_pages_tell_nothing_and_say_how_many_there_are() -> None:
    texts = pages(GERMAN, 4, 3, 1_000, phrase="so so la la")

    few = overused(texts, OWN[:2])

    assert not few.is_known
    assert few.phrases == ()
    assert 0 < few.own_words < LEAST_OWN
    assert not overused(texts, []).is_known
    assert not overused([], OWN).is_known
    assert not overused(["", "…"], OWN).is_known


def test_pages_in_another_language_do_not_count() -> None:
    texts = pages(GERMAN, 4, 3, 1_000, phrase="so so la la")

    assert not overused(texts, pages(OTHER, 3, 20, 2_000)).is_known
    mixed = overused(texts, [*pages(OTHER, 3, 20, 2_000), *OWN])
    assert mixed.own_words == pytest.approx(40_000, rel=0.01)


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    signs = list(SIGNS) + [chr(0x5200 + at) for at in range(600)]
    own = pages(signs, 3, 10, 3_000, joiner="")
    worn = "嘴角微微上扬"
    found = overused(pages(signs, 4, 3, 1_500, phrase=worn, joiner=""), own)

    assert found.is_known
    assert any(worn in one.words for one in found.phrases)
    assert overused(pages(signs, 6, 3, 1_500, joiner=""), own).phrases == ()
