"""A text beside the story that it tells: what only one of them has."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph_flow.telling.evaluation.card.spoiling import specimens
from graph_flow.telling.evaluation.consistency.beside_story import (
    Untellable,
    Untold,
    untold_events,
)
from graph_flow.workbench.beside.evaluating import EvaluationService
from store.models.desk.evaluation import Evaluation
from store.models.edits.comparison import ComparisonState, FoundLine, TextComparison
from store.models.form import Form
from store.models.manuscript import PARAGRAPH_BREAK
from store.models.plot import Event
from store.models.story import Branch, Brief
from store.open import Store
from tests.desk import Desk
from tests.graph_flow.telling.evaluation.conftest import book
from tests.graph_flow.telling.evaluation.consistency.judges import (
    contradiction,
    found,
    judging,
)
from tests.store.builders import CHAPTER_ONE, adding, begin, go_on

NOW = datetime(2026, 11, 25, tzinfo=UTC)
TOLD = (
    "Mara climbed to the lamp room and found its door locked. She shook it, and was afraid.\n\n"
    "Behind it the lamp went out. Everything was dark from then on, and the sea went on.\n\n"
    "Skipper Wendel had hired three cooks in Lisbon."
)
UNTOLD = "The tide turned before noon.\n\nNobody said anything about breakfast, and nobody ate."

EVENTS: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {
    "the_ferry": [
        (
            "The gate opens",
            "Marit opens the ferry's gate at six and waits on the ramp with the tickets for her "
            "passengers.",
            ("It was six",),
        ),
        (
            "Jonas boards",
            "Jonas comes last to the ferry with an empty birdcage and pays his fare in old coins.",
            ("They came slowly", "“Who is it", "“For what"),
        ),
        (
            "One too few",
            "In the middle of the river Marit counts her passengers and finds one missing.",
            ("At seven she",),
        ),
        (
            "The coat and boots",
            "Marit gives the wheel to the boy and finds Jonas's coat and boots under the bench, "
            "with a coin in one of them.",
            ("She gave the wheel",),
        ),
        (
            "The legend",
            "Marit remembers that her mother told her about a man who crosses each autumn and never "
            "lands.",
            ("Marit looked at",),
        ),
        (
            "Turning back",
            "Marit lands her passengers, hangs the cage by the lamp and returns for others.",
            ("At nine they",),
        ),
    ],
    "the_piano": [
        (
            "Agnes prepares",
            "Deaf old Agnes writes down the time at which her piano will be taken away.",
            ("The piano was",),
        ),
        (
            "Something inside",
            "The mover Viktor listens at the piano and hears that something is inside it.",
            ("Viktor came", "“There is something"),
        ),
        (
            "The brothers",
            "Agnes says her brothers used to hide tobacco in the piano.",
            ("“There are four",),
        ),
        ("Stuck", "The piano gets stuck in the staircase and nobody can move it.", ("By eleven",)),
        (
            "The letters",
            "Viktor opens the piano and they find envelopes between hammers and strings; Agnes reads "
            "one by her eldest brother.",
            ("At noon", "There was no"),
        ),
        (
            "Reading aloud",
            "Agnes reads the letters aloud to the empty house, and answers them, while Viktor sits "
            "on the stairs.",
            ("At one",),
        ),
        (
            "It stays",
            "Agnes closes the piano again and decides that it remains on the stairs.",
            ("When it struck",),
        ),
    ],
    "the_survey": [
        (
            "The map",
            "Irene finishes her map of a deserted village, which still lacks a name, and notices planted "
            "beans.",
            ("At four",),
        ),
        (
            "Goats",
            "Tomas says goats did it, but Irene recognises the knots as her grandmother's.",
            ("“Goats,”", "“Goats do"),
        ),
        (
            "Camp",
            "They pitch a tent, and Irene finds north by the moss because her compass is broken.",
            ("At five",),
        ),
        (
            "The well",
            "Tomas fetches water from the well and comes back late with wet hair.",
            ("By six",),
        ),
        (
            "The hand",
            "Tomas tells Irene that a hand at the bottom of the well moved his lamp aside.",
            ("He thought", "“Is it"),
        ),
        (
            "The name",
            "Irene writes the name of the valley on the map: Downstairs.",
            ("Irene did not",),
        ),
        (
            "Leaving",
            "They take up the stakes and Irene leaves the map under a stone.",
            ("At seven they",),
        ),
    ],
}
"""What happens in our specimens, in other words, with how the paragraphs begin that tell it."""


def test_events_that_are_not_told_are_found_more_often_than_others_are_doubted() -> None:
    doubted = missed = 0
    texts = {one.key: one.text for one in specimens()}
    for name, events in EVENTS.items():
        for at, (title, summary, begins) in enumerate(events):
            event = Event(id=f"e{at}", title=title, summary=summary)
            paragraphs = texts[name].split(PARAGRAPH_BREAK)
            rest = [one for one in paragraphs if not one.lstrip().startswith(begins)]
            assert len(rest) == len(paragraphs) - len(begins)
            doubted += any(untold_events([event], texts[name], ()))
            missed += not any(untold_events([event], PARAGRAPH_BREAK.join(rest), ()))

    assert (doubted, missed) == (1, 7), "of twenty: what the documentation says"


def test_what_no_part_of_a_text_tells_is_untold_whatever_its_words() -> None:
    event = Event(id="locked", title="The door is locked", summary="Mara finds the door locked.")

    assert list(untold_events([event], TOLD, ())) == []
    assert list(untold_events([event], TOLD, ("locked",))) == []
    assert list(untold_events([event], TOLD, ("other",))) == [(event, Untold.NO_PASSAGE)]
    assert list(untold_events([event], UNTOLD, ())) == [(event, Untold.FEW_WORDS)]


def written(store: Store, text: str) -> Branch:
    """Return a branch of one plotted chapter, with a text."""
    story = store.library.create_story(Brief(premise="A keeper.", language="English"), "The Lamp")
    branch = store.library.main_branch(story.id)
    begin(store, branch.id)
    go_on(store, branch.id, adding(*CHAPTER_ONE), "The door")
    store.manuscript.begin_by_hand(branch.id, 1, Form.NOVEL)
    store.manuscript.save_text(branch.id, 1, text)
    return branch


def judged(service: EvaluationService, branch: Branch) -> Evaluation:
    evaluation = service.of_story(branch.id)
    service.finish(evaluation)
    return evaluation


FACTS = [
    {"who": ["Mara"], "fact": "Mara found the door locked.", "quote": "found its door locked"},
    {"who": ["Wendel"], "fact": "Wendel is a skipper.", "quote": "Skipper Wendel had hired"},
    {"who": ["Mara"], "fact": "Mara hired cooks in Lisbon.", "quote": "three cooks in Lisbon"},
]


def test_a_text_is_set_beside_its_story(
    service: EvaluationService, able: Desk, store: Store
) -> None:
    able.server.answer = judging(
        lambda _: found(FACTS, [contradiction("found its door locked", "went out. Everything")])
    )
    evaluation = judged(service, written(store, TOLD))

    beside = able.workbench.consistency.beside_story(evaluation)

    assert beside is not None
    assert beside.chapters == 1
    assert beside.not_in_text == []
    assert [(one.why, one.said) for one in beside.not_in_story] == [
        (Untellable.NOBODY, "Wendel is a skipper."),
        (Untellable.NEW, "Mara hired cooks in Lisbon."),
    ]
    assert beside.not_in_story[0].quote == "Skipper Wendel had hired"


def test_what_the_text_leaves_out_is_said(
    service: EvaluationService, able: Desk, store: Store
) -> None:
    able.server.answer = judging(lambda _: found())
    evaluation = judged(service, written(store, UNTOLD))

    beside = able.workbench.consistency.beside_story(evaluation)

    assert beside is not None
    assert [(one.title, one.why) for one in beside.not_in_text] == [
        ("The door is locked", Untold.FEW_WORDS),
        ("The lamp dies", Untold.FEW_WORDS),
    ]


@pytest.mark.parametrize("state", [ComparisonState.OPEN, ComparisonState.TAKEN])
def test_what_a_comparison_found_and_nobody_took_is_not_in_the_story(
    service: EvaluationService, able: Desk, store: Store, state: ComparisonState
) -> None:
    able.server.answer = judging(lambda _: found())
    branch = written(store, TOLD)
    hired = Event(id="hired", title="Three cooks", summary="Wendel hires three cooks.")
    line = FoundLine(delta=adding(hired), quote="had hired three cooks")
    store.comparisons.add(
        TextComparison(
            id="c", branch=branch.id, chapter=1, text=TOLD, lines=(line,), state=state, created=NOW
        )
    )
    beside = able.workbench.consistency.beside_story(judged(service, branch))

    assert beside is not None
    said = [one.said for one in beside.not_in_story if one.why is Untellable.COMPARED]
    assert len(said) == (state is ComparisonState.OPEN)
    assert all("Three cooks" in one for one in said)


def test_only_texts_that_are_as_they_were_judged_are_compared(
    service: EvaluationService, able: Desk, store: Store
) -> None:
    able.server.answer = judging(lambda _: found())
    branch = written(store, TOLD)
    evaluation = judged(service, branch)
    store.manuscript.save_text(branch.id, 1, UNTOLD)

    assert able.workbench.consistency.beside_story(evaluation) is None


def test_a_text_from_a_file_has_no_story(service: EvaluationService, able: Desk) -> None:
    able.server.answer = judging(lambda _: found())
    evaluation = service.of_book(book([TOLD]))
    service.finish(evaluation)

    assert not able.workbench.consistency.has_story(evaluation)
    assert able.workbench.consistency.beside_story(evaluation) is None
