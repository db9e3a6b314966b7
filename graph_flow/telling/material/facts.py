"""What the reader is to learn of the people and of what came before, and what they know of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from graph_flow.cognition.omniscient import known_by, years_words
from store.models.cast import Character
from store.models.manuscript import FactKey, PlannedScene
from store.models.plot import Event
from store.models.prototype import Snapshot
from store.open import Store

_SAME_SECRET = 0.7
"""How alike two texts are that tell the same secret, of 1."""


@dataclass(frozen=True)
class Fact:
    """Something that the reader is to learn in the course of the story, and who knows it as it begins.

    What happened before the story may have a title.
    """

    key: FactKey
    text: str
    known: str = ""
    title: str = ""


def facts_of(snapshot: Snapshot) -> list[Fact]:
    """Return all facts of a story: what people hide, what happened before, what they lived through.

    A secret comes first, because it is what a story is most often about.
    """
    return [*_secrets(snapshot), *_past(snapshot), *_histories(snapshot)]


def facts_untold(store: Store, branch: str, chapter: int) -> list[Fact]:
    """Return the facts that the reader does not know when a chapter begins."""
    told = store.manuscript.told_by(branch, store.contents.before(branch, chapter))
    snapshot = store.excerpts.of_telling(branch, max(1, store.contents.as_of(branch, chapter)))
    return [
        fact
        for fact in facts_of(snapshot)
        if fact.key not in told or _is_another(store, branch, fact.key, told[fact.key], snapshot)
    ]


def _is_another(store: Store, branch: str, key: FactKey, chapter: int, now: Snapshot) -> bool:
    """Return whether somebody hides something else now than when a chapter told what they hid."""
    kind, _, person = key.partition(":")
    if kind != "secret":
        return False
    began = max(0, store.contents.as_of(branch, chapter) - 1)
    then = store.prototype.partial(branch, began, {person}).entities.get(person)
    told = then.secrets if isinstance(then, Character) else ""
    hidden = now.get(Character, person).secrets
    return SequenceMatcher(None, told, hidden, autojunk=False).ratio() < _SAME_SECRET


def learners_of(snapshot: Snapshot, scene: PlannedScene, key: FactKey) -> list[str]:
    """Return the names of those who learn a fact in a scene, together with the reader."""
    return [
        snapshot.get(Character, one.person).name
        for one in scene.learners
        if one.fact == key and one.person in snapshot.entities
    ]


def _secrets(snapshot: Snapshot) -> Iterator[Fact]:
    for person in snapshot.characters:
        if person.secrets:
            yield Fact(f"secret:{person.id}", f"{person.name} hides: {person.secrets}")


def _past(snapshot: Snapshot) -> Iterator[Fact]:
    events = sorted(
        snapshot.events_of(0), key=lambda event: (event.story_order or 0, event.position)
    )
    for event in events:
        yield Fact(f"event:{event.id}", _happened(event), known_by(snapshot, event), event.title)


def _happened(event: Event) -> str:
    when = f"{years_words(-event.story_order)} before: " if event.story_order else ""
    return f"{when}{event.title}: {event.summary}" if event.title else f"{when}{event.summary}"


def _histories(snapshot: Snapshot) -> Iterator[Fact]:
    for person in snapshot.characters:
        if person.history:
            yield Fact(f"history:{person.id}", f"{person.name}’s past: {person.history}")
