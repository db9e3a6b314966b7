"""The kit of a mystery, from a story's own sentences: the case, the booklets, the clues, and the checks."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from docx import Document
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_flow.telling.mystery.booklets import Booklet, booklet_of, public_people
from graph_flow.telling.mystery.case import case_of, crimes, round_ends
from graph_flow.telling.mystery.kit import CARDS, GUIDE, handouts_of, known_lines, part_text
from graph_flow.telling.mystery.leaks import LeakCheck, LeakKind
from store.deltas.delta import apply
from store.formats.book.handouts import export_handouts, file_name
from store.models.cast import Character, Life
from store.models.desk.mystery import Clue, GuidePart, Mystery, MysteryText, Point, booklet_key
from store.models.plot import Part
from store.models.prototype import AnyEntity, Snapshot
from store.models.story import Brief, Story
from tests.graph_flow.cognition.canaries import Story as CanaryStory
from tests.graph_flow.cognition.canaries import canaries_in, may_know, stories
from tests.graph_flow.telling.mystery.mill import (
    ADA,
    BEN,
    CLEO,
    DORA,
    GROUND,
    TOM,
    bare,
    event,
    kit,
    states,
    whole,
)
from tests.store.builders import altered

HOSTILE = ("../../etc/passwd", "CON", "a/b\\c:d", "<b>&x</b>", "Ada\u0000", "😀" * 30, "中文名字")


def kept(**values: object) -> Mystery:
    return Mystery.model_validate(
        {"id": "m", "branch": "b", "created": datetime(2026, 1, 1, tzinfo=UTC), **values}
    )


def told_in(booklet: Booklet, number: int) -> str:
    part = booklet.parts[number]
    return "\n".join(line for one in part.sections for line in one.lines)


def of(person: str, *told: Snapshot) -> Booklet:
    made = kit(told or whole())
    return next(one for one in made.booklets if one.person.id == person)


# The case


def test_death_is_the_crime_and_those_who_act_in_it_did_it() -> None:
    case = kit(whole()).case
    assert case.crime is not None
    assert (case.crime.id, case.victim and case.victim.id) == ("drowning", TOM)
    assert [one.id for one in case.culprits] == [ADA]
    assert [one.id for one in case.players] == [ADA, BEN, CLEO, DORA]
    assert case.lacks == ()


def test_without_any_dead_it_is_the_secret_that_the_fewest_know() -> None:
    living = [altered(one, life=Life.LIVING) if one.id == TOM else one for one in GROUND]
    open_secret = event("theft", "The bell is stolen.", "inn", {
        BEN: Part.ACTS, DORA: Part.IS_AFFECTED, ADA: Part.WITNESSES, CLEO: Part.WITNESSES,
    })  # fmt: skip
    hidden = event("fraud", "Ben cheats Dora.", "inn", {BEN: Part.ACTS, DORA: Part.IS_AFFECTED})
    [now] = states([*living, *open_secret, *hidden])
    assert [one.id for one in crimes(now)] == ["fraud", "theft"]


def test_writer_decides_otherwise() -> None:
    case = kit(whole(), kept(crime="quarrel", culprits=[BEN], victim=DORA, left_out=[CLEO])).case
    assert case.crime is not None
    assert (case.crime.id, [one.id for one in case.culprits]) == ("quarrel", [BEN])
    assert [one.id for one in case.players] == [ADA, BEN]


def test_what_is_gone_from_the_story_is_guessed_again() -> None:
    case = kit(whole(), kept(crime="gone", culprits=["gone"], victim="gone", until=99)).case
    assert case.crime is not None
    assert (case.crime.id, [one.id for one in case.culprits]) == ("drowning", [ADA])


@pytest.mark.parametrize(
    ("decided", "words"),
    [
        ({"left_out": [BEN, CLEO]}, "Too few people play"),
        ({"left_out": [ADA]}, "not among the people who are played"),
    ],
)
def test_what_is_missing_is_said(decided: dict[str, object], words: str) -> None:
    made = kit(whole(), kept(**decided))
    assert words in " ".join(one.words for one in made.lacks)
    assert made.booklets == ()


def test_story_in_which_nothing_happens_has_no_crime() -> None:
    made = kit(states(GROUND))
    assert ["There is no crime yet" in one.words for one in made.lacks] == [True]
    assert (made.booklets, made.clues) == ((), ())
    assert made.guide


@pytest.mark.parametrize(
    ("last", "rounds", "ends"),
    [(6, 3, [2, 4, 6]), (2, 3, [1, 2, 2]), (0, 2, [0, 0]), (5, 4, [2, 3, 4, 5])],
)
def test_chapters_are_shared_out_among_the_rounds(last: int, rounds: int, ends: list[int]) -> None:
    assert round_ends(0, last, rounds) == ends


# The booklets


def test_booklet_has_what_its_person_knows_and_learns_by_round() -> None:
    ben = of(BEN)
    assert "He sells the flour twice." in told_in(ben, 0)
    assert "borrows the carter's saw" in told_in(ben, 0)
    assert "wet boots" not in told_in(ben, 0)
    assert "wet boots" in told_in(ben, 1)
    assert not ben.parts[2].has_news
    for hidden in ("runaway nun", "cannot read", "sluice bar", "drowns", "lock house."):
        assert all(hidden not in told_in(ben, number) for number in (0, 2, 3))


def test_only_who_did_it_is_told_to_keep_that() -> None:
    assert "You did it" in told_in(of(ADA), 0)
    assert all("You did it" not in told_in(of(one), 0) for one in (BEN, CLEO, DORA))


def test_who_is_said_to_have_done_it_without_a_memory_of_it_learns_nothing_of_it() -> None:
    made = kit(whole(), kept(culprits=[BEN]))
    ben = next(one for one in made.booklets if one.person.id == BEN)
    assert "drown" not in told_in(ben, 0)
    assert "You did it" not in told_in(ben, 0)
    assert any("remembers nothing of it" in one for one in made.spoilt)
    # Ada was there, and knows.
    assert any("Ada Finch knows from the beginning who did it" in one for one in made.spoilt)


@settings(max_examples=60, deadline=None)
@given(stories(), st.integers(2, 4))
def test_no_booklet_holds_a_word_that_its_person_cannot_know(
    story: CanaryStory, rounds: int
) -> None:
    told: list[Snapshot] = []
    now = Snapshot()
    for chapter, delta in enumerate(story.deltas):
        now = apply(now, delta, chapter)
        told.append(now)
    case = case_of(lambda chapter: told[chapter], len(told) - 1, kept(rounds=rounds))
    public = canaries_in(
        " ".join(one.model_dump_json(exclude={"id"}) for one in public_people(case))
    )
    for person in case.beginning.characters:
        booklet = booklet_of(case, person)
        assert len(booklet.parts) == 1 + rounds
        for part, state in zip(booklet.parts, case.states, strict=True):
            allowed = may_know(state, person.id, []) | public
            shown = f"{part.sections} {part_text(part)} {known_lines(part)}"
            assert canaries_in(shown) <= allowed


@settings(max_examples=40, deadline=None)
@given(stories(), st.data())
def test_any_canary_in_a_written_text_is_found(story: CanaryStory, data: st.DataObject) -> None:
    """Whatever word a text holds that its reader cannot know, the check names its sentence."""
    case = case_of(lambda _: story.snapshot, story.snapshot.chapter, None)
    person = data.draw(st.sampled_from(story.snapshot.characters))
    part = booklet_of(case, person).parts[0]
    others = [one for one in story.snapshot.characters if one.id != person.id]
    victim = data.draw(st.sampled_from(others))
    field = data.draw(st.sampled_from(["secrets", "history", "fear", "misbelief"]))
    sentence = f"They say it was {getattr(victim, field)} all along."
    found = LeakCheck(case).of("", part.knows, f"You come in. {sentence} You sit down.")
    assert [one.sentence for one in found] == [sentence]
    assert LeakCheck(case).of("", part.knows, f"It is {person.secrets}. You know that.") == []


# The check of written texts


def leaks(text: str, person: str = BEN) -> list[LeakKind]:
    made = kit(whole(), kept(texts={booklet_key(person, 0): MysteryText(text=text)}))
    found = made.leaks.get(booklet_key(person, 0), [])
    return [one.kind for one in found]


def test_text_that_gives_away_what_its_reader_cannot_know_is_found() -> None:
    assert leaks("You are Ben Oakes, and you sell the flour twice.") == []
    quoted = "You know that she pulled the sluice bar while he stood below."
    assert leaks(quoted) == [LeakKind.QUOTE]
    assert leaks("Cleo was once a nun, and a runaway from there.") == [LeakKind.WORDS]
    assert leaks(quoted, ADA) == []


def test_words_that_anybody_could_use_are_no_leak() -> None:
    """A sentence is not taken from a long secret because both say what every text says."""
    secret = (
        "That night there was nobody else in the house, because they had gone down with everybody. "
        "She took the silver candlestick from under the stairs and buried it behind the chapel."
    )
    told = states(
        [
            altered(one, secrets=secret) if one.id == CLEO else one
            for one in whole()[0].entities.values()
        ]
    )
    case = kit(told).case
    part = next(one for one in kit(told).booklets if one.person.id == BEN).parts[0]
    check = LeakCheck(case)
    assert check.of("", part.knows, "That was because everybody had gone to bed.") == []
    [found] = check.of("", part.knows, "A silver candlestick was buried by the chapel stairs.")
    assert found.kind is LeakKind.WORDS


def test_secret_in_a_script_without_spaces_is_found() -> None:
    secret = "她把银烛台埋在教堂后面。"
    told = states(
        [
            altered(one, secrets=secret) if one.id == CLEO else one
            for one in whole()[0].entities.values()
        ]
    )
    part = next(one for one in kit(told).booklets if one.person.id == BEN).parts[0]
    check = LeakCheck(kit(told).case)
    assert check.of("", part.knows, "你是车夫。你什么也不知道。") == []
    [found] = check.of("", part.knows, "你是车夫。你知道银烛台埋在教堂后面。")
    assert found.sentence == "你知道银烛台埋在教堂后面。"


def test_name_that_nobody_has_heard_is_found() -> None:
    stranger = Character(id="eve", name="Eve Sable", life=Life.MISSING)
    told = states([*GROUND, *whole()[0].entities.values()][len(GROUND) :], [stranger])
    text = MysteryText(text="You have seen Eve Sable.")
    made = kit(told, kept(texts={booklet_key(BEN, 0): text}))
    [found] = made.leaks[booklet_key(BEN, 0)]
    assert (found.kind, found.words) == (LeakKind.NAME, "Eve Sable")


def test_opening_that_gives_the_answer_away_is_found() -> None:
    text = MysteryText(
        text="Tom is dead. Ada Finch opened the sluice while Tom Reed mended the weir."
    )
    made = kit(whole(), kept(texts={GuidePart.OPENING: text}))
    assert GuidePart.OPENING in made.leaks
    assert kit(whole()).leaks == {}


# The clues


def test_clues_of_the_story_suffice() -> None:
    made = kit(whole())
    assert made.checked.lacking == ()
    assert all(len(found) >= 2 for found in made.checked.points.values())
    crime = made.case.crime
    assert crime is not None
    assert all(crime.summary not in clue.text for clue in made.clues)
    by_title = {one.title: one for one in made.clues}
    assert by_title["Wet boots"].round == 1
    assert by_title["Bar burned"].round == 2
    assert by_title["Wet boots"].finder == BEN


def test_what_is_not_sufficient_is_said_with_what_to_add() -> None:
    lacking = kit(bare()).checked.lacking
    assert any("No clue shows who did it. Add a clue: what Ada Finch did" in one for one in lacking)
    assert sum("Nothing speaks for" in one for one in lacking) == 3


def test_clue_that_rests_on_nothing_or_comes_too_late_does_not_count() -> None:
    def clue(id_: str, **values: object) -> Clue:
        every = {"id": id_, "round": 1, "title": id_, "text": "x", "supports": [*Point]}
        return Clue.model_validate({**every, "events": ["quarrel"], **values})

    clears = [BEN, CLEO, DORA]
    good = [clue(one, clears=clears) for one in ("one", "two")]
    assert kit(whole(), kept(clues=good)).checked.suffices
    spoilings: list[dict[str, object]] = [{"events": ["gone"]}, {"events": []}, {"round": 4}]
    for spoiled in spoilings:
        clues = [good[0], clue("two", clears=clears, **spoiled)]
        checked = kit(whole(), kept(clues=clues)).checked
        assert len(checked.lacking) == 4 + 3
        assert all(
            one.startswith(("Only one clue shows", "Only one clue speaks"))
            for one in checked.lacking
        )


# The files


def story_called(title: str) -> Story:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Story(id="s", title=title, brief=Brief(premise="x"), created=moment, touched=moment)


def opened(told: Sequence[Snapshot], mystery: Mystery | None = None) -> dict[str, str]:
    packed = export_handouts(handouts_of(kit(told, mystery), story_called("The mill")))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {
            name: "\n".join(one.text for one in Document(io.BytesIO(archive.read(name))).paragraphs)
            for name in archive.namelist()
        }


def test_kit_is_a_guide_a_booklet_for_each_player_and_cards() -> None:
    files = opened(whole(), kept(texts={booklet_key(CLEO, 0): MysteryText(text="You *are* Cleo.")}))
    assert list(files) == [
        f"00 {GUIDE}.docx", "01 Ada Finch.docx", "02 Ben Oakes.docx", "03 Cleo Marsh.docx",
        "04 Dora Pike.docx", f"05 {CARDS}.docx",
    ]  # fmt: skip
    assert "It was Ada Finch." in files[f"00 {GUIDE}.docx"]
    assert "He sells the flour twice." in files["02 Ben Oakes.docx"]
    assert "runaway nun" not in files["02 Ben Oakes.docx"]
    assert "You *are* Cleo." in files["03 Cleo Marsh.docx"]
    assert "runaway nun" not in files["03 Cleo Marsh.docx"]  # her written text takes its place
    assert "Round 2: Bar burned" in files[f"05 {CARDS}.docx"]
    assert "It points to" not in files[f"05 {CARDS}.docx"]


def test_hostile_names_make_safe_files() -> None:
    names = iter((*HOSTILE, *HOSTILE))
    first: list[AnyEntity] = [
        altered(one, name=next(names), secrets="=cmd()</w:p>\u0007")
        if isinstance(one, Character) and one.id != TOM
        else one
        for one in whole()[0].entities.values()
    ]
    files = opened(states(first, [], []))
    assert len(files) == 6
    assert len({one.casefold() for one in files}) == 6
    assert not any(set('/\\:<>"|?*\u0000') & set(name) or ".." in name for name in files)
    assert "=cmd()</w:p>" in files[next(one for one in files if one.startswith("01"))]


@given(st.text(max_size=90), st.text(max_size=90))
def test_no_two_files_have_one_name(one: str, other: str) -> None:
    assert file_name(1, one) != file_name(2, other)
    assert len(file_name(1, one)) <= 70
