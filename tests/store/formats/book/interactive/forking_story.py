"""A story whose ways part: candidates that were not chosen, one of them kept, and what-if branches.

`python -m tests.store.formats.book.interactive.forking_story` writes its files anew; look at what
changed in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from graph_flow.branching.keeping import commit_candidate, keep_candidate
from store.formats.book.interactive.composing import compose_interactive
from store.formats.book.interactive.ink import export_ink
from store.formats.book.interactive.model import InteractiveFiction
from store.formats.book.interactive.twee import export_twee
from store.models.base import new_id
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.plot import Event
from store.models.proposals import Candidate, Chooser, Goal
from store.models.story import Branch, Brief, Story
from store.open import Store
from tests.store.builders import adding, begin

GOLDEN = Path(__file__).parents[1] / "golden"
LAMP, SEA, STAY = "Mara opens the lamp room.", "Mara takes to the sea.", "Mara waits for Hale."


def propose(store: Store, branch: str, chapter: int, goals: Sequence[str]) -> list[Candidate]:
    """Have a candidate for each goal, in whose plot two things happen."""
    round_ = store.proposals.next_round(branch, chapter)
    return [_candidate(store, branch, chapter, (round_, at), text) for at, text in enumerate(goals)]


def choose(store: Store, candidate: Candidate) -> None:
    """Make a candidate its chapter."""
    commit_candidate(store, candidate, new_id(), Chooser.WRITER)


def plot(store: Store, branch: str, chapter: int, chosen: str, *others: str) -> list[Candidate]:
    """Plot a chapter; return the candidates that were not chosen."""
    first, *rest = propose(store, branch, chapter, [chosen, *others])
    choose(store, first)
    return rest


def write(store: Store, branch: str, chapter: int, text: str, title: str | None = None) -> None:
    """Write the text of a plotted chapter."""
    plan = WritingPlan(id=new_id(), branch=branch, chapter=chapter, attempt=1, form=Form.NOVEL)
    named = title or store.prototype.title_of(branch, chapter)
    store.manuscript.update_draft_text(store.manuscript.start_draft(plan, named).id, text)


def begin_story(store: Store, title: str = "The Lamp Room") -> tuple[Story, str]:
    """Begin a story; return it with the id of its branch."""
    brief = Brief(premise="A keeper.", language="English", author="Ada Moor")
    story = store.library.create_story(brief, title)
    branch = store.library.main_branch(story.id).id
    begin(store, branch)
    return story, branch


def keep(store: Store, candidate: Candidate, name: str) -> Branch:
    """Keep a candidate as a branch."""
    return keep_candidate(store, candidate, candidate.branch, name)


def forking_story(store: Store) -> str:
    """Tell the story; return the id of its main branch.

    Chapter 1: three goals, one of whose candidates was kept as a branch, written, and goes on for a
    chapter that had two goals itself. Chapter 2: one goal. Chapter 3, the last: two goals. A what-if
    begins at the end of chapter 2.
    """
    _, branch = begin_story(store)
    at_sea, _ = plot(store, branch, 1, LAMP, SEA, STAY)
    plot(store, branch, 2, "Hale follows her up.")
    plot(store, branch, 3, "The lamp is lit.", "The lamp is broken.")
    write(store, branch, 1, "The *door* gave way.\n\n***\n\nBeyond it was the lamp.")
    write(store, branch, 2, "He came up the stairs.")
    kept = keep(store, at_sea, "At sea")
    write(store, kept.id, 1, "The boat was small.")
    plot(store, kept.id, 2, "She finds the island.", "The boat is lost.")
    what_if = store.library.fork(branch, 2, "The fire", "The tower burns down.")
    plot(store, what_if.id, 3, "Sparks fall on the stairs.")
    return branch


def composed(store: Store) -> InteractiveFiction:
    """Return the story as it is in the golden files: with an id that is always the same."""
    fiction = compose_interactive(store, forking_story(store))
    return replace(fiction, identifier="0123456789abcdef")


def _candidate(
    store: Store, branch: str, chapter: int, place: tuple[int, int], text: str
) -> Candidate:
    round_, position = place
    title = text.rstrip(".")[:60]
    own = {"branch": branch, "chapter": chapter, "round": round_, "title": title}
    goal = Goal(id=new_id(), position=position, text=text, **own)
    store.proposals.save_goals([goal])
    first = Event(id=new_id(), title="It begins", summary=f"{title}, and it begins.")
    then = Event(
        id=new_id(), title="It ends", summary="Then it is over.", spoken="Mara: “So.”", position=1
    )
    delta = adding(first, then)
    return store.proposals.save_candidate(Candidate(id=new_id(), goal=goal.id, delta=delta, **own))


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        library = Store.open(Path(folder) / "library.db")
        golden = composed(library)
        library.close()
    (GOLDEN / "lamp.twee").write_text(export_twee(golden), "utf-8")
    (GOLDEN / "lamp.ink").write_text(export_ink(golden), "utf-8")
