"""What the store and the engine say, put into another language when it is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.components.words.messages import gaps_filled, in_language, said, template
from pages.components.words.speaking import Language
from store.deltas.sentences import describe
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.delta import Change, Delta
from store.models.plot import Event, EventLink, LinkKind, Part, Participation, Thread, ThreadState
from store.models.prototype import AnyEntity, Snapshot

MARA, HALE = Character(id="m", name="Mara"), Character(id="h", name="Hale")
FLOOD = Event(id="f", title="The flood", summary="Water.")


def chinese(message: str) -> str:
    return in_language(Language.CHINESE, message)


@pytest.mark.parametrize(
    ("english", "other"),
    [
        ("Motivation", "动机"),
        ("motivation", "动机"),
        ("Sample model, offline", "示例模型（离线）"),
        ("Chapter 3 is already plotted.", "第 3 章已构想完毕。"),
        ("There is already a rule called “a “b” c”.", "已有名为“a “b” c”的规则。"),
        ("Mara’s motivation: to go (before: to stay)", "Mara的动机：to go（原为：to stay）"),
        ("Mara’s hat: red", "Mara’s hat: red"),
        ("It rained all night.", "It rained all night."),
        ("", ""),
        ("It rained. Nothing was changed.", "It rained. 什么都没有改动。"),
    ],
)
def test_message_is_said_in_chinese_as_far_as_it_is_known(english: str, other: str) -> None:
    assert chinese(english) == other


def test_without_a_page_a_message_stays_as_it_is() -> None:
    assert said("Motivation") == "Motivation"


def changed(before: AnyEntity, after: AnyEntity) -> Change:
    return Change(before=before, after=after)


TIE = Relationship(
    id="t", source="m", target="h", tie=RelationshipKind.DISTRUST, strength=7, reason="He lied."
)
LINK = EventLink(id="l", source="f", target="g", link=LinkKind.CAUSES)
LAMP = Thread(id="p", title="The lamp", state=ThreadState.PLANTED)


@pytest.mark.parametrize(
    ("change", "said_of_it"),
    [
        (Change(after=TIE), "Mara对Hale：猜疑，强度 7/10：He lied."),
        (
            changed(TIE, TIE.model_copy(update={"strength": 4})),
            "Mara对Hale：猜疑，强度 4（原为 7）",
        ),
        (
            changed(TIE, TIE.model_copy(update={"tie": RelationshipKind.ROMANCE})),
            "Mara对Hale：恋情：类型：恋情（原为：猜疑）",
        ),
        (Change(after=LINK), "“The flood”导致“The fire”"),
        (
            changed(LAMP, LAMP.model_copy(update={"state": ThreadState.PAID_OFF})),
            "伏笔“The lamp”：已回收（原为：已埋下）",
        ),
        (changed(MARA, MARA.model_copy(update={"locked": ("motivation",)})), "Mara：动机锁定"),
        (Change(before=FLOOD), "移除：“The flood”"),
    ],
)
def test_changes_to_the_story_are_chinese_sentences(change: Change, said_of_it: str) -> None:
    fire = Event(id="g", title="The fire", summary="Smoke.")
    snapshot = Snapshot(entities={one.id: one for one in (MARA, HALE, FLOOD, fire)})

    [sentence] = describe(Delta(changes=(change,)), snapshot)

    assert chinese(sentence.text) == said_of_it


def test_event_is_told_with_those_who_take_part() -> None:
    acts = Participation(id="1", character="m", event="f", part=Part.ACTS)
    sees = Participation(id="2", character="h", event="f", part=Part.WITNESSES)
    delta = Delta(changes=tuple(Change(after=one) for one in (FLOOD, acts, sees)))

    [sentence] = describe(delta, Snapshot(entities={"m": MARA, "h": HALE}))

    assert chinese(sentence.text) == "The flood（Mara行动、Hale目睹）：Water."


@given(st.lists(st.text(min_size=1), min_size=2, max_size=2), st.text(min_size=1))
def test_gaps_hold_all_that_is_between_the_fixed_parts(parts: list[str], middle: str) -> None:
    one = template("{a}<" + middle.replace("{", "").replace("}", "") + ">{b}.", "")
    message = f"{parts[0]}{one.literals[1]}{parts[1]}."

    filled = gaps_filled(one, message)

    assert filled is not None
    assert filled["a"] + one.literals[1] + filled["b"] + "." == message


@pytest.mark.parametrize("message", ["", "“”", "“a", "a” is here.", "“” is here.", "“a” is here"])
def test_message_that_does_not_fit_fills_no_gaps(message: str) -> None:
    assert gaps_filled(template("“{a}” is here.", ""), message) is None


def test_long_hostile_message_is_left_as_it_is_at_once() -> None:
    hostile = "’s : “” (before: " * 5_000

    assert chinese(hostile) == hostile
    assert chinese(hostile[:19_000])
