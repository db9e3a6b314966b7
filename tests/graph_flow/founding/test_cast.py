"""Stage 1 without the model: names in a premise, who is in the cast, and what was invented."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_flow.founding.answers import (
    CastAnswer,
    CharacterAnswer,
    PastEvent,
    PersonAnswer,
    PersonUpdate,
    RelationshipsAnswer,
    ScenesAnswer,
    WholeFoundation,
    WholePerson,
    pairs_of,
    relationships_schema,
)
from graph_flow.founding.cast import (
    bare_character,
    character_from,
    foundation_from,
    is_from,
    is_unborn,
    names_in,
    past_from,
    relationships_from,
    roster,
    scenes_from,
    whole_character_from,
    with_updates,
)
from store.models.cast import Character
from store.models.plot import Part, Participation
from store.text import name_key


def person(name: str) -> PersonAnswer:
    return PersonAnswer(name=name, part="somebody of the story")


def cast(*names: str) -> CastAnswer:
    return CastAnswer(people=[person(name) for name in names])


@pytest.mark.parametrize(
    ("premise", "names"),
    [
        ("The keeper Mara finds that Hale lies.", ["Mara", "Hale"]),
        ("Mara, the keeper, finds a key.", ["Mara"]),
        ("Mara's brother has gone.", ["Mara"]),
        (
            "She gives Anne-Sophie O'Brien a box with Hale’s letters.",
            ["Anne-Sophie O'Brien", "Hale"],
        ),
        ("How The Whole Town Went Dark: here the keeper Mara tells it.", ["Mara"]),
        ("Mara leaves. Nobody but Mara knows why.", ["Mara"]),
        ("She trusts Captain Edmund Hale and old Tobin.", ["Captain Edmund Hale", "Tobin"]),
        ("One day Mara Lenz meets Hale. Later Mara lies.", ["Mara Lenz", "Hale"]),
        ("The sisters Ann and Annabel quarrel.", ["Ann", "Annabel"]),
    ],
)
def test_people_whom_a_premise_names_are_found(premise: str, names: list[str]) -> None:
    assert names_in(premise) == names


@pytest.mark.parametrize(
    "premise",
    [
        "Nobody comes. Everybody waits.",
        "A ship sails from Lisbon to the Azores and across Spain.",
        "two sisters inherit a barge",
        "灯塔看守人玛拉发现门锁着，海尔船长在说谎。",
        "تجد مارا أن الباب مغلق وأن القبطان هيل يكذب.",
        "",
    ],
)
def test_places_beginnings_and_scripts_without_capitals_give_no_names(premise: str) -> None:
    assert names_in(premise) == []


def test_crowd_gives_a_few_names_only() -> None:
    crowd = "Here come " + ", ".join(f"Name{chr(97 + at)}" for at in range(20))

    assert 0 < len(names_in(crowd)) < 10


@given(
    st.lists(st.sampled_from("Mara Hale Ida Bo the of keeper , . ' Lenz Old".split()), max_size=60)
)
def test_everybody_whom_any_premise_names_is_in_the_cast(words: list[str]) -> None:
    named = names_in(" ".join(words))

    people = roster(cast("Tobin", "Ximena"), named)

    said = [set(one.name.casefold().split()) for one in people]
    for name in named:
        assert any(
            set(name.casefold().split()) >= words or words >= set(name.casefold().split())
            for words in said
        )


def test_premise_s_people_come_first_and_stand_once() -> None:
    people = roster(cast("Tobin", "Captain Hale", "Mara Lenz"), ["Mara", "Hale"])

    assert [one.name for one in people] == ["Captain Hale", "Mara Lenz", "Tobin"]


def test_name_that_the_agent_forgot_is_added() -> None:
    people = roster(cast("Tobin", "Ida"), ["Mara"])

    assert [one.name for one in people] == ["Mara", "Tobin", "Ida"]


def test_family_is_not_taken_for_one_person() -> None:
    people = roster(cast("Mara Lenz", "Tobin"), ["Mara Lenz", "Ida Lenz"])

    assert {one.name for one in people} == {"Mara Lenz", "Ida Lenz", "Tobin"}


@given(
    st.lists(
        st.sampled_from(["Mara", "mara", "MARA", "Mara  Lenz", "Mara Lenz", "Ida"]), min_size=1
    )
)
def test_cast_has_no_two_people_of_one_name(names: list[str]) -> None:
    people = roster(cast(*names), [])

    keys = [name_key(one.name) for one in people]
    assert len(keys) == len(set(keys))
    assert set(keys) == {name_key(name) for name in names}


CHARACTER = CharacterAnswer(
    gender="woman",
    age="thirty",
    occupation="lighthouse keeper",
    personality="quiet, stubborn, fond of rain",
    motivation="She wants to leave the rock.",
    secret="She let the lamp go out one night.",
)


def test_what_the_premise_does_not_say_is_marked_as_invented() -> None:
    mara = character_from(person("Mara"), CHARACTER, "Mara is a lighthouse keeper.")

    assert mara.name == "Mara"
    assert mara.secrets == CHARACTER.secret
    assert {"age", "personality", "motivation", "secrets"} <= set(mara.invented)
    assert not {"name", "occupation"} & set(mara.invented)
    assert list(mara.invented) == sorted(mara.invented)


def test_whatever_is_asked_of_a_person_becomes_an_attribute_of_theirs() -> None:
    someone = character_from(person("Mara"), CHARACTER, "")

    for name in CharacterAnswer.model_fields:
        attribute = "secrets" if name == "secret" else name
        assert getattr(someone, attribute) == getattr(CHARACTER, name)
        assert attribute in someone.invented


def test_person_of_whom_nothing_could_be_drafted_is_kept_by_name() -> None:
    bare = bare_character(person("Mara"), "Mara leaves.")

    assert bare.name == "Mara"
    assert "name" not in bare.invented


def test_ground_keeps_the_writer_s_own_words_as_the_writer_s() -> None:
    answer = WholeFoundation(
        title="The Rock",
        background="A rock in the northern sea, two days from any harbour.",
        long_term_goal="The story ends when Mara knows why the lamp went out.",
        themes="loneliness and duty",
        tone="dry and tender",
    )

    ground = foundation_from(
        answer, "It ends when Mara knows why the lamp went out. The story is told."
    )

    assert ground.background == answer.background
    assert "long_term_goal" not in ground.invented
    assert {"background", "themes", "tone"} == set(ground.invented)


def test_text_counts_as_the_writer_s_only_where_it_says_the_same() -> None:
    premise = "Mara keeps the lamp on a rock in the northern sea."

    assert is_from("Mara keeps the lamp on a northern rock", premise)
    assert not is_from("Somebody quarrels about honey between villages", premise)


def test_what_an_agent_makes_of_a_premise_s_words_can_change_with_the_story() -> None:
    """One and a half sentences of it were taken for the writer's, and stayed as they were for good."""
    premise = (
        "A clerk finds a jar in her dead mother's handwriting, promised to a man that she fears."
    )
    person = WholePerson(name="Annis", fear="That her mother knew. That it is her handwriting.")

    annis = whole_character_from(person, premise)
    later = with_updates([annis], [PersonUpdate(person="Annis", fear="That he asks again.")])

    assert [one.fear for one in later] == ["That he asks again."]


MARA = Character(id="mara", name="Mara")
HALE = Character(id="hale", name="Hale")


def relationships(*whos: str) -> RelationshipsAnswer:
    relationship = {"tie": "debt", "strength": 4, "awareness": "hidden", "reason": "he paid once"}
    return RelationshipsAnswer.model_validate(
        {"relationships": [relationship | {"who": who} for who in whos]}
    )


def test_ties_join_the_people_named() -> None:
    [relationship] = relationships_from(relationships("Hale toward Mara"), [MARA, HALE])

    assert (relationship.source, relationship.target) == ("hale", "mara")
    assert {"tie", "strength", "awareness", "reason"} <= set(relationship.invented)


def test_tie_that_is_said_twice_stands_once() -> None:
    assert len(relationships_from(relationships(*["Hale toward Mara"] * 3), [MARA, HALE])) == 1


def test_scene_that_is_said_twice_stands_once() -> None:
    room = {"name": "Lamp room", "place": "the tower", "time": "night", "atmosphere": "cold"}
    answer = ScenesAnswer.model_validate({"scenes": [room, room | {"name": "LAMP ROOM"}]})

    [scene] = scenes_from(answer.scenes)

    assert scene.name == "Lamp room"
    assert "name" in scene.invented


@given(st.lists(st.sampled_from(["Mara", "Hale", "Ida", "Tobin"]), unique=True, min_size=2))
def test_ties_can_be_answered_only_between_two_different_people(names: list[str]) -> None:
    pairs = pairs_of(names)

    assert set(pairs.values()) == {(a, b) for a in names for b in names if a != b}


def test_cast_of_one_has_no_ties() -> None:
    answer = relationships_schema(["Mara"]).validate({"relationships": []})

    assert relationships_from(answer, [MARA]) == []


def parts_in(**answer: object) -> dict[str, tuple[Part, str]]:
    """Return who of Ida and Max has which part in a past event, and what they learned of it."""
    event = PastEvent.model_validate({"title": "The fire", "happened": "Ida burns it."} | answer)
    people = [Character(id="ida", name="Ida", age="52"), Character(id="max", name="Max", age="19")]
    return {
        one.character: (one.part, one.learned)
        for one in past_from([event], people)
        if isinstance(one, Participation)
    }


def test_who_is_told_of_the_past_knows_what_they_learned_of_it() -> None:
    told = [{"name": "Max", "learned": "that it was lightning"}, {"learned": "of nobody"}, "Ida"]

    assert parts_in(told=told) == {
        "max": (Part.IS_TOLD, "that it was lightning"),
        "ida": (Part.IS_TOLD, ""),
    }


@pytest.mark.parametrize("told", ["Max", ["Max"], {"name": "Max"}, [{"name": "Ida and Max"}]])
def test_telling_somebody_may_be_said_in_several_ways(told: object) -> None:
    assert parts_in(told=told)["max"] == (Part.IS_TOLD, "")


def test_whom_the_past_concerns_without_their_knowing_has_no_part_in_it() -> None:
    assert parts_in(acted=["Ida"], happened="Ida burns what is Max’s.") == {"ida": (Part.ACTS, "")}


def test_who_was_affected_and_told_something_knows_only_that() -> None:
    told = [{"name": "Max", "learned": "that it was lightning"}]

    assert parts_in(affected=["Max"], told=told) == {"max": (Part.IS_TOLD, told[0]["learned"])}
    assert parts_in(affected=["Max"], saw=["Max"], told=told) == {"max": (Part.WITNESSES, "")}
    assert parts_in(affected=["Max"], told=["Max"]) == {"max": (Part.IS_AFFECTED, "")}


@pytest.mark.parametrize("there", ["acted", "affected", "saw"])
def test_nobody_has_lived_through_what_happened_before_they_were_born(there: str) -> None:
    both = ["Ida", "Max"]

    assert parts_in(years_before=20, **{there: both}).keys() == {"ida"}
    assert parts_in(years_before=19, **{there: both}).keys() == {"ida", "max"}
    assert parts_in(years_before=20, told=both, **{there: both})["max"] == (Part.IS_TOLD, "")


@pytest.mark.parametrize(
    ("age", "years", "is_so"),
    [
        ("19", 19.9, False),
        ("19", 20, True),
        ("about 40, looks 60", 55, False),
        ("in her 30s", 38, False),
        ("in her 30s", 40, True),
        ("17.5 years", 18, True),
        ("1,000 years", 900, False),
        ("middle-aged", 500, False),
        ("", 500, False),
    ],
)
def test_whether_somebody_was_born_is_told_from_the_numbers_in_their_age(
    age: str, years: float, is_so: bool
) -> None:
    assert is_unborn(age, years) is is_so
