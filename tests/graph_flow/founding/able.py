"""A desk whose model is able, and what such a model says when it founds a story."""

from __future__ import annotations

from typing import Any

from tests.fakes.scripted_server import say_json
from tests.graph_flow.scripting import Say, saying

FOUNDATION: dict[str, Any] = {
    "title": "The Span",
    "background": "The old bridge at Harrow fell nineteen years ago. It was said to be the flood.",
    "long_term_goal": "The story ends when Amos signs, or refuses, in front of the town.",
    "themes": "guilt, trust",
    "tone": "dry",
}

CAST: dict[str, Any] = {
    "people": [
        {
            "name": "Amos Vale",
            "part": "the inspector",
            "gender": "man",
            "age": 71,
            "occupation": "retired bridge inspector",
            "personality": "exact about steel, vague about people",
            "history": "He passed a cracked pin at Harrow and has kept the page ever since.",
            "want": "To see the span before he dies, and not to have to sign it.",
            "fear": "That Ruth reads the page.",
            "misbelief": "That silence has protected her.",
            "secret": "He tore the page about the pin out of the log.",
            "voice": "Short; talks of weather. “It holds. That is all I say.”",
        },
        {
            "name": "Ruth Vale",
            "gender": "woman",
            "history": "She built the new span to outdo him.",
            "want": "His signature.",
            "secret": "She has found a crack of her own.",
        },
        {"name": "Opal Dray", "history": "Her son drove over the bridge.", "secret": "none"},
        {"part": "a man without a name"},
    ],
    "relationships": [
        {
            "person": "Ruth",
            "toward": "Amos Vale",
            "tie": "Kinship (his daughter)",
            "strength": "8 of 10",
            "awareness": "both know",
            "reason": "He missed her graduation.",
            "colour": "grey",
        },
        {"person": "Opal", "toward": "the council", "tie": "distrust"},
        {"person": "Opal", "toward": "Amos", "tie": "gratitude of a kind"},
        {
            "person": "Amos",
            "toward": "Opal Dray",
            "tie": "debt",
            "strength": 44,
            "reason": "Her son.",
        },
    ],
    "past": [
        {
            "title": "The page goes",
            "happened": "Amos tears the page out of the log and Ruth sees him do it.",
            "years_before": "about 18.9 years",
            "acted": "Amos",
            "saw": ["Ruth Vale", "Amos", "the clerk"],
        },
        {
            "title": "The pin is passed",
            "happened": "Amos passes a pin that is cracked.",
            "years_before": 20,
            "acted": ["Amos Vale"],
        },
        {
            "title": "The fall",
            "happened": "The bridge falls and takes Opal’s son with it.",
            "years_before": 19,
            "affected": ["Opal"],
            "told": ["Amos and Ruth"],
        },
        {
            "title": "The settlement",
            "happened": "The council pays Opal’s husband to be silent about the pin.",
            "years_before": 18,
            "told": [{"name": "Opal", "learned": "That the money was a widow’s pension."}],
        },
    ],
    "places": [{"name": "The span", "place": "over the river", "time": "dawn"}],
}

SPINE: dict[str, Any] = {
    "inciting": "The town asks Amos to sign.",
    "turns": ["Chapter 1: Ruth finds the stub.", "Chapter 2: Opal asks him outright."],
    "crisis": "To sign is to lie to her; to refuse is to ruin her.",
    "ending": "Amos reads the page aloud on the span.",
    "cost": "His name, and Ruth’s contract.",
    "last_image": "A pen on the rail.",
    "arcs": [
        {"person": "Amos", "arc": "He learns that silence was for himself."},
        {"person": "the town", "arc": "It forgets."},
    ],
}


def able_answers(**others: Any) -> Say:
    """Return what an able model says; `others` are answers of agents that differ."""
    found = {"foundation": FOUNDATION, "cast": CAST, "spine": SPINE, "founding_review": {}}
    said = found | others
    return saying(**{agent: say_json(answer) for agent, answer in said.items()})
