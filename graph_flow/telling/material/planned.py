"""What the planners of one chapter, and of a whole story, are told alike."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.cognition.memory import PromptBudget
from graph_flow.prompting.length import StoryLength
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.material.facts import Fact
from graph_flow.telling.material.lines import known_fact_lines, labelled
from store.models.cast import Character
from store.models.delta import Delta

_FACTS = {
    StoryLength.SHORT: (5_400, PromptBudget(tokens=2_600, lines=40)),
    StoryLength.MIDDLE: (3_200, PromptBudget(tokens=1_300, lines=40)),
    StoryLength.LONG: (2_400, PromptBudget(tokens=470, lines=24)),
}
"""The characters of all facts that the reader does not know, as far as possible, and their room."""


def lines_of_facts(facts: Sequence[Fact], length: StoryLength) -> Sequence[str]:
    """Return what the reader does not know yet, and who does, with labels."""
    together, room = _FACTS[length]
    return labelled("F", known_fact_lines(facts, together), room)


def without_facts(people: Sequence[Character]) -> list[Character]:
    """Return people without what stands among the facts: their secrets and their past."""
    return [person.model_copy(update={"secrets": "", "history": ""}) for person in people]


def delta_of(context: StoryContext, chapter: int) -> Delta:
    """Return what a chapter committed, without what was edited in it since."""
    commits = context.store.prototype.chapters(context.branch, chapter)
    found = [commit for commit in commits if commit.chapter == chapter]
    return context.store.prototype.delta_of(found[-1].id) if found else Delta()
