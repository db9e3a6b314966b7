"""What an able model says of four people at a ferry, at any length."""

from __future__ import annotations

from itertools import count
from typing import Any

from graph_flow.workbench.workbench import Workbench
from store.models.plot import Event
from tests.fakes.scripted_server import Reply, Sent, say_json
from tests.graph_flow.scripting import (
    request_of,
)

ROUND = {"goals": 3, "roles": 3, "rounds": 1}
PEOPLE = ("Amos Verrall", "Judith Verrall", "Opal Pruitt", "Calder Stroud")

PREMISE = "Amos Verrall is asked to sign off one last bridge, the one whose fall he covered up."


class _Numbers:
    """By what sentences differ. A test has them from 1, or its requests would grow with those of others."""

    def __init__(self) -> None:
        self.all = count(1)


_numbers = _Numbers()


def number_from_one() -> None:
    """Begin a test: number the sentences from 1 again."""
    _numbers.all = count(1)


def prose(letters: int) -> str:
    """Return sentences of about so many letters, which nothing else repeats."""
    sentence = (
        f"At low water number {next(_numbers.all)} comes up the river with all its lights out. "
    )
    return (sentence * (1 + letters // len(sentence)))[:letters].rpartition(" ")[0] + "."


def cast(letters: int = 220) -> Reply:
    """Draft four people who have much to hide, and what lies between and behind them."""
    facts = ("personality", "history", "want", "fear", "misbelief", "secret", "voice")
    return say_json(
        {
            "people": [
                {"name": name, "occupation": "ferryman", **{one: prose(letters) for one in facts}}
                for name in PEOPLE
            ],
            "relationships": [
                {"person": one, "toward": other, "tie": "debt", "reason": prose(letters)}
                for one in PEOPLE
                for other in PEOPLE
                if one != other
            ],
            "past": [
                {
                    "title": f"What happened {at}",
                    "happened": prose(letters),
                    "years_before": 19 - at,
                    "acted": [PEOPLE[at % 4]],
                    "saw": [PEOPLE[(at + 1) % 4]],
                }
                for at in range(6)
            ],
            "places": [{"name": "The office"}, {"name": "The ferry"}],
        }
    )


def goals(sent: Sent) -> Reply:
    """Set goals that have nothing in common, each with its relay."""
    del sent
    paths = [
        ("The pin", "Amos asks Judith for the missing page before the council can burn it."),
        ("Low water", "Opal refuses every crossing until somebody tells her who rang that bell."),
        ("A signature", "Calder brings ink, flattery and an old debt into the sickroom at dawn."),
    ]
    return say_json(
        {
            "goals": [
                {
                    "title": title,
                    "goal": f"{goal} {prose(200)}",
                    "turn": "Somebody cannot go home.",
                    "relay": ["Judith", "Opal Pruitt", "Amos"],
                    "where": "The old pier",
                    "moves": ["R1", "T9"],
                }
                for title, goal in paths
            ]
        }
    )


def beats(sent: Sent, *, each: int = 300, number: int = 3, **said: Any) -> Reply:
    """Act at length, before the eyes of others."""
    me = request_of(sent).rpartition("What does ")[2].partition(" do?")[0]
    others = [one for one in PEOPLE if one != me][:2]
    beat = {
        "title": "On the pier",
        "observed": f"{me} waits. {prose(each)}",
        "inner": prose(each),
        "said": [prose(each // 2)],
        "place": "The old pier",
        "present": [
            {"name": one, "part": "witnesses", "learns": prose(each // 2)} for one in others
        ],
        **{name: prose(each // 2) for name in ("emotion", "consequence", "outcome", "plants")},
        "changes": [{"field": "motivation", "value": prose(each // 2)}],
        "feelings": [
            {"toward": one, "tie": "debt", "strength": 7, "reason": prose(each // 2)}
            for one in others
        ],
        **said,
    }
    return say_json({"beats": [beat] * number})


def events_of(workbench: Workbench, branch: str) -> list[Event]:
    """Return the events of the newest chapter."""
    snapshot = workbench.prototype.snapshot(branch)
    return snapshot.events_of(snapshot.chapter)
