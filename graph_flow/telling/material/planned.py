"""What the planners of one chapter, and of a whole story, are told alike."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.cognition.memory import PromptBudget
from graph_flow.runtime.context import StoryContext
from graph_flow.telling.material.facts import Fact
from graph_flow.telling.material.lines import known_fact_lines, labelled
from store.models.cast import Character
from store.models.delta import Delta

_FACTS, _SHORT_STORY_FACTS = PromptBudget(tokens=540, lines=24), PromptBudget(2_600, 40)
_FACTS_TOGETHER = 5_400
"""The facts that the reader does not know, also in a short story, and their characters in that."""


def lines_of_facts(facts: Sequence[Fact], *, is_short: bool) -> Sequence[str]:
    """Return what the reader does not know yet, and who does, with labels; more in a short story."""
    if is_short:
        return labelled("F", known_fact_lines(facts, _FACTS_TOGETHER), _SHORT_STORY_FACTS)
    return labelled("F", known_fact_lines(facts), _FACTS)


def without_facts(people: Sequence[Character]) -> list[Character]:
    """Return people without what stands among the facts: their secrets and their past."""
    return [person.model_copy(update={"secrets": "", "history": ""}) for person in people]


def delta_of(context: StoryContext, chapter: int) -> Delta:
    """Return what a chapter committed, without what was edited in it since."""
    commits = context.store.prototype.chapters(context.branch, chapter)
    found = [commit for commit in commits if commit.chapter == chapter]
    return context.store.prototype.delta_of(found[-1].id) if found else Delta()
