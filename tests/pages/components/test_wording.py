"""How pages put things."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as some

from graph_flow.views import RunEstimate
from pages.components.words import (
    AWARENESS,
    DRAFT_STATES,
    LINKS,
    LIVES,
    PARTS,
    RELATIONSHIP_WORDS,
    THREAD_STATES,
    card_facts,
    estimate_sentence,
    marks,
    plain,
    prose,
    relationship_sentence,
    touched,
    window,
)
from pages.components.write.strings import STRUCTURES, THREAD_MOVES
from store.formats.book.layout import lay_out
from store.models.cast import Awareness, Character, Life, Relationship, RelationshipKind
from store.models.desk.contents import BookLength
from store.models.form import Form, Layout
from store.models.manuscript import DraftState, Structure, ThreadMove
from store.models.plot import LinkKind, Part, ThreadState
from store.models.story import Brief, Story, StoryCard
from tests.wording import says

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
NAMES = {"mara": "Mara", "hale": "Hale"}
TIE = Relationship(id="t", source="mara", target="hale", tie=RelationshipKind.DISTRUST, strength=7)


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (AWARENESS, Awareness),
        (DRAFT_STATES, (None, *DraftState)),
        (LINKS, LinkKind),
        (LIVES, Life),
        (PARTS, Part),
        (RELATIONSHIP_WORDS, RelationshipKind),
        (STRUCTURES, Structure),
        (THREAD_MOVES, ThreadMove),
        (THREAD_STATES, ThreadState),
    ],
)
def test_every_choice_has_words(
    words: Mapping[StrEnum | None, object], kinds: Collection[StrEnum | None]
) -> None:
    assert list(words) == list(kinds)


def test_relationship_is_a_sentence() -> None:
    hidden = TIE.model_copy(update={"awareness": Awareness.ONE_SIDED})
    sentence = relationship_sentence(hidden, NAMES)
    assert says(sentence, "**Mara**", "distrusts", "**Hale**", 7, 10)
    assert sentence.count("Hale") == 2, "and who of them does not know"


def test_whoever_hides_a_relationship_knows_of_it() -> None:
    hidden = TIE.model_copy(update={"awareness": Awareness.HIDDEN})
    mutual = hidden.model_copy(update={"is_mutual": True})

    assert relationship_sentence(hidden, NAMES).endswith("7 of 10, Mara keeps it secret")
    assert relationship_sentence(mutual, NAMES).endswith("7 of 10, both keep it secret")
    assert "reader" not in AWARENESS[Awareness.HIDDEN]


@pytest.mark.parametrize("kind", list(RelationshipKind))
@pytest.mark.parametrize("awareness", list(Awareness))
def test_every_relationship_can_be_told(kind: RelationshipKind, awareness: Awareness) -> None:
    one_way = TIE.model_copy(update={"tie": kind, "awareness": awareness})
    mutual = one_way.model_copy(update={"is_mutual": True})

    assert relationship_sentence(one_way, NAMES).startswith("**Mara** ")
    assert relationship_sentence(mutual, NAMES).startswith("**Mara** and **Hale** ")


def test_marks_that_are_alike_are_shown_once() -> None:
    made_up = Character(id="m", name="Mara", age="40", invented=("age", "name"))
    mixed = made_up.model_copy(update={"invented": ("age",)})

    assert marks(made_up, ("name", "age", "health")) == {
        "name": " :orange-badge[invented]",
        "age": "",
        "health": "",
    }
    assert marks(mixed, ("name", "age")) == {
        "name": " :gray-badge[yours]",
        "age": " :orange-badge[invented]",
    }


@given(some.text(max_size=300))
def test_prose_leaves_no_markup(text: str) -> None:
    for shown in (
        prose(text),
        *(lay_out(text, layout, plain) for layout in (Layout.PROSE, Layout.LINES)),
    ):
        # An empty text in small letters shows nothing.
        bare = shown.replace(":small[]", "").replace("\\\\", "")
        for mark in "<>[]`*_$:#":
            assert mark not in bare.replace(f"\\{mark}", "")


def test_prose_keeps_paragraphs() -> None:
    assert prose("One.\n\nTwo\nlines.\n\n\n") == f"{plain('One.')}\n\n{plain('Two lines.')}"


@pytest.mark.parametrize(
    ("ago", "told"),
    [
        (timedelta(seconds=30), "just now"),
        (timedelta(minutes=20), "20 minutes ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(days=1), "yesterday"),
        (timedelta(days=9), "9 days ago"),
        (timedelta(days=60), "05 March 2026"),
    ],
)
def test_age_of_a_story_is_told(ago: timedelta, told: str) -> None:
    assert touched(NOW - ago, NOW) == told


def test_card_tells_form_length_and_age() -> None:
    story = Story(id="s", brief=Brief(form=Form.SCREENPLAY), created=NOW, touched=NOW)
    card = StoryCard(story=story, branch="b", chapters=2)

    assert (
        card_facts(card, BookLength(2, 1200), NOW)
        == "Screenplay · 2 chapters · 1,200 words · just now"
    )
    assert card_facts(card, BookLength(0, 0), NOW) == "Screenplay · just now"


def test_estimate_tells_money_only_where_there_are_prices() -> None:
    free = RunEstimate(calls=12, tokens_in=9000, tokens_out=800, cost=0)
    dear = free.model_copy(update={"cost": 0.256})

    assert estimate_sentence(free) == "About 12 calls to the model."
    assert "about 0.26 at your prices" in estimate_sentence(dear)


@given(some.integers(1, 500), some.data(), some.integers(1, 40))
def test_window_holds_its_place(length: int, data: some.DataObject, size: int) -> None:
    at = data.draw(some.integers(0, length - 1))
    shown = window(length, at, size)

    assert at in shown
    assert len(shown) == min(length, size)
    assert shown[0] >= 0
    assert shown[-1] < length
