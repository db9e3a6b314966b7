"""Make things up that follow a JSON schema: deterministic for a seed, different between seeds."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

Schema = dict[str, Any]

_NAMES = [
    "Odile",
    "Bertin",
    "Sunniva",
    "Karim",
    "Wenceslas",
    "Iolanthe",
    "Tamsin",
    "Ruggero",
    "Piet",
    "Naledi",
    "Casimir",
    "Yevgenia",
    "Aurelio",
    "Hesper",
    "Mirko",
    "Zenobia",
    "Lucan",
    "Farida",
    "Torvald",
    "Ximena",
    "Baptiste",
    "Oriel",
    "Jorunn",
    "Amadou",
]
_PLACES = [
    "quarry",
    "orchard",
    "ferry",
    "archive",
    "tannery",
    "viaduct",
    "greenhouse",
    "cellar",
    "rooftop",
    "weir",
    "chapel",
    "market",
    "brickyard",
    "observatory",
    "stairwell",
    "causeway",
    "kiln",
    "balcony",
    "depot",
    "vineyard",
]
_ADJECTIVES = [
    "narrow",
    "rusted",
    "patient",
    "borrowed",
    "unlit",
    "crooked",
    "tender",
    "salted",
    "hollow",
    "brisk",
    "faded",
    "stubborn",
    "quiet",
    "tilted",
    "sudden",
    "northern",
    "careful",
    "bitter",
    "amber",
    "spare",
]
_NOUNS = [
    "ledger",
    "kettle",
    "bridle",
    "compass",
    "letter",
    "lantern",
    "promise",
    "ladder",
    "violin",
    "receipt",
    "key",
    "map",
    "glove",
    "verdict",
    "rumour",
    "harvest",
    "bell",
    "trunk",
    "recipe",
    "debt",
]
_VERBS = [
    "hides",
    "carries",
    "mends",
    "refuses",
    "counts",
    "follows",
    "borrows",
    "burns",
    "finds",
    "guards",
    "sells",
    "remembers",
    "questions",
    "opens",
    "trades",
    "buries",
    "measures",
    "returns",
]
_WHEN = [
    "before dawn",
    "after the rain",
    "at the third bell",
    "in the heat of noon",
    "on market day",
    "at low water",
    "during the roll call",
    "when the lamps go out",
    "on the last day of harvest",
    "behind closed shutters",
]

_STRANGERS = ["a ferryman", "the miller", "a clerk", "somebody", "the youngest", "an old hand"]

_LONGEST_FREE_STRING = 90
_DEEPEST = 8


def invent(schema: Schema, chance: random.Random) -> Any:
    """Return a value that follows a schema, with limits also taken from its descriptions."""
    return _Inventor(schema, chance).value(schema, "", 0)


def prose(chance: random.Random, words: int) -> str:
    """Return about so many words of pseudo-prose, in paragraphs."""
    paragraphs, count = [], 0
    while count < words:
        sentences = [sentence(chance) for _ in range(chance.randint(3, 6))]
        paragraphs.append(" ".join(sentences))
        count += len(paragraphs[-1].split())
    return "\n\n".join(paragraphs)


def sentence(chance: random.Random, people: Sequence[str] = tuple(_NAMES)) -> str:
    """Return one pseudo-sentence of six to twelve words, of one of some people."""
    who, when = chance.choice(people), chance.choice(_WHEN)
    what = f"{chance.choice(_ADJECTIVES)} {chance.choice(_NOUNS)}"
    where = f"{chance.choice(_ADJECTIVES)} {chance.choice(_PLACES)}"
    shapes = (
        f"{who[0].upper()}{who[1:]} {chance.choice(_VERBS)} the {what} in the {where}.",
        f"{when[0].upper()}{when[1:]} {who} {chance.choice(_VERBS)} a {what}.",
        f"The {what} is gone from the {where}, and {who} knows it.",
    )
    return chance.choice(shapes)


def schema_in(prompt: str) -> Schema | None:
    """Return the JSON schema that a prompt describes, if it does; the first one counts."""
    decoder = json.JSONDecoder()
    for place in [match.start() for match in re.finditer(r'\{"', prompt)]:
        try:
            found, _ = decoder.raw_decode(prompt, place)
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("type") == "object" and "properties" in found:
            return found
    return None


class _Inventor:
    def __init__(self, root: Schema, chance: random.Random) -> None:
        self._definitions: dict[str, Schema] = root.get("$defs", {})
        self._chance = chance
        self._given_names: set[str] = set()

    def value(self, schema: Schema, name: str, depth: int) -> Any:
        schema = self._resolved(schema)
        if "enum" in schema:
            return self._chance.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        for union in ("anyOf", "oneOf"):
            if union in schema:
                return self.value(self._member(schema[union], depth), name, depth)
        make = self._makers().get(str(schema.get("type")))
        return make(schema, name, depth) if make else None

    def _makers(self) -> dict[str, Callable[[Schema, str, int], Any]]:
        return {
            "object": self._object,
            "array": self._array,
            "string": self._string,
            "integer": lambda schema, _name, _depth: self._integer(schema),
            "number": lambda schema, _name, _depth: float(self._integer(schema)),
            "boolean": lambda _schema, _name, _depth: self._chance.random() < 0.3,
        }

    def _resolved(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            schema = self._definitions[str(schema["$ref"]).rsplit("/", 1)[-1]]
        return schema

    def _member(self, members: list[Schema], depth: int) -> Schema:
        empty = [member for member in members if member.get("type") == "null"]
        full = [member for member in members if member not in empty]
        if empty and (depth > _DEEPEST or not full or self._chance.random() < 0.3):
            return empty[0]
        return self._chance.choice(full)

    def _object(self, schema: Schema, _name: str, depth: int) -> dict[str, Any]:
        properties: dict[str, Schema] = schema.get("properties", {})
        return {name: self.value(child, name, depth + 1) for name, child in properties.items()}

    def _array(self, schema: Schema, name: str, depth: int) -> list[Any]:
        least = _limit(schema, "minItems", "at least {} items", 0)
        most = _limit(schema, "maxItems", "at most {} items", max(3, least))
        count = least if depth > _DEEPEST else self._chance.randint(max(least, min(1, most)), most)
        child = schema.get("items", {"type": "string"})
        items: list[Any] = []
        for _ in range(4 * count):
            item = self.value(child, name, depth + 1)
            if len(items) < count and (item not in items or len(items) < least):
                items.append(item)
        return items

    def _integer(self, schema: Schema) -> int:
        least = _limit(schema, "minimum", "at least {}", 0)
        most = _limit(schema, "maximum", "at most {}", least + 9)
        return self._chance.randint(least, max(least, most))

    def _string(self, schema: Schema, name: str, _depth: int) -> str:
        least = _limit(schema, "minLength", "at least {} characters", 0)
        most = _limit(schema, "maxLength", "at most {} characters", _LONGEST_FREE_STRING)
        text = self._name() if name in {"name", "who", "character"} else self._line(name)
        while len(text) < least:
            text = f"{text} {sentence(self._chance)}"
        if len(text) <= most:
            return text
        return text[:most].rsplit(" ", 1)[0].rstrip(" ,.") if most > 12 else text[:most]

    def _name(self) -> str:
        free = [name for name in _NAMES if name not in self._given_names]
        name = self._chance.choice(free or _NAMES)
        self._given_names.add(name)
        return name

    def _line(self, name: str) -> str:
        if name in {"title", "place", "scene"}:
            return f"The {self._chance.choice(_ADJECTIVES)} {self._chance.choice(_PLACES)}"
        # What somebody does names nobody else: it is theirs whoever is asked.
        return sentence(self._chance, _STRANGERS if name == "action" else _NAMES)


def _limit(schema: Schema, keyword: str, words: str, otherwise: int) -> int:
    """Return a limit, from its keyword or from the words that strict endpoints get instead."""
    if keyword in schema:
        return int(schema[keyword])
    said = re.search(re.escape(words).replace(r"\{\}", r"(-?\d+)"), schema.get("description", ""))
    return int(said.group(1)) if said else otherwise
