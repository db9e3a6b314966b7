"""What is made of the outline agents' answers, whatever they answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.outline.answers import (
    EventAnswer,
    EventsAnswer,
    PartAnswer,
    PartsAnswer,
    StorylineAnswer,
    StorylinesAnswer,
    WholeOutline,
    WholeReview,
    widened_events,
    widened_parts,
)
from graph_flow.outline.entities import (
    Storyline,
    completed,
    event_count,
    event_of,
    events_from,
    interwoven,
    labelled,
    line_count,
    most_whole_events,
    outline_from,
    part_count,
    parts_from,
    remarks_from,
    shares,
    storylines_from,
    whole_event_count,
    whole_part_count,
)
from tests.graph_flow.outline.outlines import event, part

CAST = ["Mara Lenz", "Hale"]
FAIR = event("fair", action="Everybody dances until the roof falls in.", title="The Fair")


def storyline(name: str, newcomer: str = "nobody", lead: str = "Hale") -> StorylineAnswer:
    return StorylineAnswer(
        name=name, lead=lead, about="Somebody wants the bell.", newcomer=newcomer
    )


def an_event(title: str, action: str) -> EventAnswer:
    return EventAnswer(
        title=title,
        who=["Hale", "Hale"],
        setting="a square",
        action=action,
        conflict="the rain",
        twist="no rain",
    )


@given(st.integers(1, 5_000))
def test_outline_has_a_bounded_number_of_events_on_a_few_storylines(chapters: int) -> None:
    events = event_count(chapters)
    lines = line_count(events)
    assert 3 <= events <= 24
    assert 1 <= lines <= 4
    assert sum(shares(events, lines)) == events
    assert min(shares(events, lines)) >= 2
    assert 1 <= part_count(events, chapters) <= 4


@pytest.mark.parametrize(
    ("chapters", "words", "events"),
    [(3, 3_600, 3), (12, 14_400, 12), (24, 16_800, 24), (30, 75_000, 37), (500, 1_000_000, 40)],
)
def test_able_model_outlines_more_events_for_longer_chapters(
    chapters: int, words: int, events: int
) -> None:
    assert whole_event_count(chapters, words) == events


@pytest.mark.parametrize(
    ("events", "words", "most", "each"),
    [(3, 3_600, 4, 2), (12, 14_400, 18, 2), (24, 16_800, 28, 1), (37, 75_000, 55, 3)],
)
def test_able_model_outlines_as_much_as_the_chapters_have_words_for(
    events: int, words: int, most: int, each: int
) -> None:
    assert most_whole_events(events, words) == most
    assert whole_part_count(events, words) == each


def test_storylines_of_the_same_name_are_called_after_people() -> None:
    answer = StorylinesAnswer(lines=[storyline("The Bell")] * 4)
    names = [line.name for line in storylines_from(answer, CAST)]
    assert names == ["The Bell", "Hale", "Mara Lenz"]


@pytest.mark.parametrize(
    ("name", "newcomer"),
    [
        ("Odo Brand", "Odo Brand"),
        ("nobody", None),
        ("Nobody.", None),
        ("nothing", None),
        ("mara", None),
        ("X.", None),
        ("she", None),
    ],
)
def test_newcomer_is_somebody_who_is_not_there_yet(name: str, newcomer: str | None) -> None:
    [line] = storylines_from(StorylinesAnswer(lines=[storyline("The Bell", name)]), CAST)
    assert line.newcomer == newcomer


def test_event_that_is_there_already_is_left_out_and_a_title_is_not_given_twice() -> None:
    answer = EventsAnswer(
        events=[
            an_event("Another Name", "Everybody dances until the roof falls in."),
            an_event("The Fair", "Hale counts the money twice and finds a false coin."),
        ]
    )
    [found] = events_from(widened_events(answer, "The bell"), [FAIR])
    assert found.title == "Hale counts the money twice and"
    assert found.characters == ("Hale",)


def test_storyline_without_events_is_one_event() -> None:
    made = event_of(Storyline("The Bell", "Somebody wants it.", "Hale", "Odo Brand"))
    assert (made.title, made.line, made.characters) == (
        "The Bell",
        "The Bell",
        ("Hale", "Odo Brand"),
    )


def test_later_draft_loses_no_event_that_it_has_nothing_for() -> None:
    old = [event("one"), event("two"), event("three")]
    assert [one.id for one in completed([event("new")], old)] == ["new", "two", "three"]
    assert completed([event("new", title="two")], old)[1:] == [old[2]]


def test_storylines_take_turns() -> None:
    lines = [[event(f"{line}{at}") for at in range(count)] for line, count in (("a", 4), ("b", 2))]
    assert [one.id for one in interwoven(lines)] == ["a0", "b0", "a1", "a2", "b1", "a3"]


def test_parts_of_an_answer_are_tidied() -> None:
    events = labelled([FAIR, event("trial")])
    said = [
        ("E1", "E1. The roof falls on the band.", "chapter 2"),
        ("E1", "The roof falls on the band.", "chapter 3"),
        ("E2", "What was told already.", "chapter 3"),
        ("E9", "It belongs to nothing at all.", "chapter 1"),
        ("E2", "The judge is asleep at noon.", "chapter zero"),
    ]
    answer = PartsAnswer(
        parts=[PartAnswer(event=label, happens=text, chapter=where) for label, text, where in said]
    )
    placed = [part("told", "fair").model_copy(update={"text": "What was told already."})]

    found = parts_from(widened_parts(answer), events, placed)

    assert [(one.event, one.text, one.chapter) for one in found] == [
        ("fair", "The roof falls on the band.", 2),
        ("trial", "The judge is asleep at noon.", None),
    ]


def test_links_of_a_whole_outline_name_events_in_any_way() -> None:
    events = [
        {"title": "The Fair", "line": "The bell", "action": "Everybody dances."},
        {"title": "the fair.", "line": "The bell", "action": "Everybody dances."},
        {"title": "The 39 Steps", "line": "The bell", "action": "Hale counts them."},
    ]
    links = [
        {"source": 1, "link": "It causes the other", "target": "E3"},
        {"source": "E3. The 39 Steps", "link": "pays off", "target": "The Fair"},
        {"source": "The 39 steps", "link": "parallels", "target": "the fair"},
        {"source": "the fair", "link": "causes", "target": 1},
        {"source": 2, "link": "causes", "target": 3},
        {"source": 1, "link": "is near", "target": 3},
        {"source": 1, "link": "causes", "target": 10**60},
    ]
    found, joined = outline_from(WholeOutline.model_validate({"events": events, "links": links}))

    titles = {one.id: one.title for one in found}
    assert list(titles.values()) == ["The Fair", "The 39 Steps"]
    assert [(titles[one.source], one.link.value, titles[one.target]) for one in joined] == [
        ("The Fair", "causes", "The 39 Steps"),
        ("The 39 Steps", "pays off", "The Fair"),
        ("The 39 Steps", "parallels", "The Fair"),
    ]


def test_remark_names_events_by_their_titles_and_may_be_about_the_whole_outline() -> None:
    weak = [
        {"event": "none", "remark": "E1–E2 are too long for E9."},
        {"event": 2, "remark": "Who asks?"},
    ]
    review = WholeReview.model_validate({"weak": weak, "goal_reached_in": "E2", "holds": False})
    remarks = remarks_from(review, labelled([FAIR, event("trial")]))
    assert [(one.event, one.text) for one in remarks] == [
        (None, f"“{FAIR.title}”–“{event('trial').title}” are too long for E9."),
        ("trial", "Who asks?"),
    ]
