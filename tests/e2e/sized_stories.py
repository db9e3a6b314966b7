"""Stories of any size, told through the real write path, for pictures of the Graphs page.

`python -m tests.e2e.sized_stories FOLDER` saves pictures of every view at every size.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from store.models.cast import Awareness, Character, Life, Relationship, RelationshipKind
from store.models.delta import Change, Delta
from store.models.plot import (
    Event,
    EventLink,
    Foundation,
    LinkKind,
    Occurrence,
    Part,
    Participation,
    Scene,
    Thread,
    ThreadState,
)
from store.models.prototype import FOUNDATION_ID, AnyEntity
from store.models.story import Brief
from store.open import Store
from tests.e2e.browsing import DESKTOP, PHONE, Size, launch, open_window, visit, wait_until_drawn
from tests.e2e.running_app import RunningApp
from tests.e2e.screenshots import save
from tests.store.builders import adding, altered, begin, go_on

_FIRST = (
    "Mara Hale Ida Tobin Ansel Brida Corin Della Edric Fenna Garrow Hester Ivo Junia Kester".split()
)
_LAST = "Lenz Okafor Vance Marsh Quill Thorne Abara Weir Sayer Holm Pike Rowan Strand".split()
_DEEDS = "finds hides burns steals mends forgets guards sells follows answers buries opens".split()
_THINGS = "the ledger|the second key|a letter|the harbour bell|the old chart|the lamp|the boat"
_PLACES = "quay tower cellar chapel market reef archive ferry garden mill".split()


class Scale(NamedTuple):
    """How large a story is: its people, those of them who begin it, and its chapters."""

    name: str
    people: int
    cast: int
    chapters: int


SCALES = (
    Scale("5", people=5, cast=3, chapters=3),
    Scale("50", people=50, cast=8, chapters=24),
    Scale("500", people=500, cast=40, chapters=60),
    Scale("long", people=200, cast=12, chapters=1000),
)


def tell_sized(store: Store, scale: Scale, seed: int = 7) -> str:
    """Tell a story of a size into a library; return its id. The same seed tells the same story."""
    story = store.library.create_story(Brief(premise="A harbour town."), f"Story of {scale.name}")
    teller = _Teller(scale, random.Random(seed))
    branch = store.library.main_branch(story.id).id
    begin(store, branch, adding(*teller.beginning()))
    for chapter in range(1, scale.chapters + 1):
        go_on(store, branch, teller.chapter(chapter), f"Chapter {chapter}")
    return story.id


class _Teller:
    def __init__(self, scale: Scale, dice: random.Random) -> None:
        self._scale = scale
        self._dice = dice
        self._people: dict[str, Character] = {}
        self._relationships: dict[str, Relationship] = {}
        self._events: list[str] = []
        self._number = 0

    def beginning(self) -> list[AnyEntity]:
        ground = Foundation(id=FOUNDATION_ID, background="A harbour.", long_term_goal="It ends.")
        cast = [self._person() for _ in range(self._scale.cast)]
        relationships = [relationship for person in cast[1:] for relationship in self._bind(person)]
        return [ground, *cast, *relationships]

    def chapter(self, number: int) -> Delta:
        turns = list(self._turns())
        newcomers = [self._person() for _ in range(self._coming(number))]
        relationships = [
            relationship for person in newcomers for relationship in self._bind(person)
        ]
        changes = [
            Change(after=one) for one in (*newcomers, *relationships, *self._events_of(number))
        ]
        if number % 5 == 0:
            thread = Thread(
                id=f"t{number}", title=f"What {self._name()} saw", state=ThreadState.PLANTED
            )
            changes.append(Change(after=thread.model_copy(update={"planted_in": number})))
        return Delta(changes=(*changes, *turns))

    def _coming(self, number: int) -> int:
        left = self._scale.people - self._scale.cast
        spread = max(1, min(self._scale.chapters, 150))
        return (left * min(number, spread)) // spread - (left * min(number - 1, spread)) // spread

    def _person(self) -> Character:
        self._number += 1
        person = Character(
            id=f"p{self._number}", name=self._own_name(), occupation="of the harbour"
        )
        self._people[person.id] = person
        return person

    def _name(self) -> str:
        return f"{self._dice.choice(_FIRST)} {self._dice.choice(_LAST)}"

    def _own_name(self) -> str:
        name = self._name()
        taken = {person.name for person in self._people.values()}
        while name in taken:
            first, last = self._name().split()
            name = f"{first} {self._dice.choice('ABCDEFGHIJKLMNOP')}. {last}"
        return name

    def _bind(self, person: Character) -> Iterator[Relationship]:
        others = [id_ for id_ in self._people if id_ != person.id]
        # Early people are better known: most towns have a few who know everybody.
        for _ in range(self._dice.choice((1, 1, 2))):
            other = others[int(len(others) * self._dice.random() ** 2.2)]
            self._number += 1
            relationship = Relationship(
                id=f"r{self._number}",
                source=person.id,
                target=other,
                tie=self._dice.choice(list(RelationshipKind)),
                strength=self._dice.randint(1, 10),
                is_mutual=self._dice.random() < 0.5,
                awareness=self._dice.choice([Awareness.MUTUAL, Awareness.MUTUAL, *Awareness]),
            )
            self._relationships[relationship.id] = relationship
            yield relationship

    def _events_of(self, chapter: int) -> Iterator[AnyEntity]:
        places = self._dice.sample(_PLACES, 2)
        if chapter <= len(_PLACES):
            yield Scene(id=f"s{chapter}", name=f"The {_PLACES[chapter - 1]}")
        for position in range(self._dice.choice((2, 3, 3, 4))):
            event = self._event(chapter, position)
            yield event
            where = min(chapter, _PLACES.index(places[position % 2]) + 1)
            yield Occurrence(id=f"o{event.id}", event=event.id, scene=f"s{where}")
            for person in self._present():
                part = self._dice.choice(list(Part))
                id_ = f"{person}-{event.id}"
                yield Participation(id=id_, character=person, event=event.id, part=part)
            if self._events and self._dice.random() < 0.7:
                earlier = self._events[-min(len(self._events), self._dice.choice((1, 2, 3, 9)))]
                link = self._dice.choice(list(LinkKind)[:4])
                yield EventLink(id=f"l{event.id}", source=earlier, target=event.id, link=link)
            self._events.append(event.id)

    def _event(self, chapter: int, position: int) -> Event:
        who, deed = self._dice.choice(_FIRST), self._dice.choice(_DEEDS)
        title = f"{who} {deed} {self._dice.choice(_THINGS.split('|'))}"
        order = chapter - 2.5 if self._dice.random() < 0.08 and chapter > 3 else None
        return Event(
            id=f"e{chapter}-{position}",
            title=title,
            summary=f"{title}, and nothing is as before.",
            position=position,
            story_order=order,
        )

    def _present(self) -> list[str]:
        people = list(self._people)
        count = self._dice.choice((1, 2, 2, 3))
        return list({people[int(len(people) * self._dice.random() ** 3)] for _ in range(count)})

    def _turns(self) -> Iterator[Change]:
        """Let a tie grow stronger, one end, and now and then somebody die or go missing."""
        for id_ in self._dice.sample(
            list(self._relationships), min(2, len(self._relationships) - 1)
        ):
            relationship = self._relationships.pop(id_)
            if self._dice.random() < 0.3:
                yield Change(before=relationship)
            else:
                self._relationships[id_] = altered(
                    relationship, strength=relationship.strength % 10 + 1
                )
                yield Change(before=relationship, after=self._relationships[id_])
        living = [one for one in self._people.values() if one.life is Life.LIVING]
        if self._dice.random() < 0.15 and len(living) > 4:
            person = self._dice.choice(living)
            life = self._dice.choice((Life.DEAD, Life.MISSING))
            self._people[person.id] = altered(person, life=life)
            yield Change(before=person, after=self._people[person.id])


VIEWS = ("Role Graph", "Plot Graph", "Timeline", "Compare")


def take(page: Page, size: Size, folder: Path, name: str) -> None:
    """Save a picture of each view of the Graphs page that a window is on."""
    for view in VIEWS:
        page.get_by_test_id("stButtonGroup").get_by_text(view, exact=True).first.click()
        wait_until_drawn(page)
        page.wait_for_timeout(600)
        save(page, size, folder / f"{name}-{view.lower().replace(' ', '-')}.png")


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(prog="sized_stories", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--scale", choices=[one.name for one in SCALES], help="only this size")
    parser.add_argument("--dark", action="store_true", help="as a system in the dark asks for it")
    parser.add_argument("--phone", action="store_true", help="in a window as small as a phone")
    asked = parser.parse_args(arguments)
    asked.folder.mkdir(parents=True, exist_ok=True)
    size = PHONE if asked.phone else DESKTOP
    app = RunningApp(asked.folder / "app")
    scales = [scale for scale in SCALES if asked.scale in (None, scale.name)]
    app.library.parent.mkdir(parents=True, exist_ok=True)
    store = Store.open(app.library)
    stories = {scale.name: tell_sized(store, scale) for scale in scales}
    store.close()
    with app, sync_playwright() as playwright:
        browser = launch(playwright)
        for name, story in stories.items():
            page = open_window(browser, size, is_dark=asked.dark)
            visit(page, f"{app.url}/graphs?story={story}")
            wait_until_drawn(page)
            take(page, size, asked.folder, f"{name}{'-phone' if asked.phone else ''}")
            page.context.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
