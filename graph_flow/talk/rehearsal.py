"""The rehearsal room: a person of the story answers, and knows only what that person can know."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.cognition.knowledge import Knowledge, knowledge_of
from graph_flow.cognition.memory import (
    BudgetedLines,
    PromptBudget,
    own_ties,
    recollect_wholly,
    within,
)
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.talk.agents import PERSON_TALK
from graph_flow.talk.material import said_lines
from store.models.cast import Life
from store.models.desk.talk import TalkTurn
from store.models.endpoint import ModelStrength
from store.models.prototype import Snapshot
from store.prototype.excerpts import Query

_MEMORIES, _TIES, _SAID = 0.3, 0.1, 0.15
"""Shares of the model's window."""
_MOST_MEMORIES, _MOST_TIES, _MOST_SAID, _MOST_PEOPLE = 30, 10, 16, 12
_PEOPLE = PromptBudget(400, _MOST_PEOPLE)
_WORLD, _SELF = 700, 600
"""Characters of the world, and of each thing that is said of the person."""
_SPOKEN = 4_000
_ENOUGH = 30
"""Words after which what is said may end at a whole sentence."""


def answer_as(
    context: StoryContext, turn: TalkTurn, before: Sequence[TalkTurn], step: str
) -> TalkTurn:
    """Return what the writer says to a person, with that person's answer.

    Raises:
        KeyError: if the story has no such person as of this chapter.
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    person = turn.person or ""
    said = said_lines(before, "You", context.memory_budget(PERSON_TALK, _SAID, _MOST_SAID))
    text = " ".join([*said[-2:], turn.question])
    snapshot = context.store.excerpts.of_people(context.branch, turn.chapter, [person], text)
    known = knowledge_of(snapshot, person)
    variables: Variables = {
        **person_s_knowledge(
            known,
            snapshot,
            text,
            context.memory_budget(PERSON_TALK, _MEMORIES, _MOST_MEMORIES),
            context.memory_budget(PERSON_TALK, _TIES, _MOST_TIES),
        ),
        "said": said,
        "question": turn.question,
    }
    name = known.character.name
    job = Job(PERSON_TALK, step, f"{name} answers", variables, enough=_ENOUGH)
    answer = _spoken(context.write_text(job), name)
    if context.strength(PERSON_TALK) is ModelStrength.SMALL:
        answer = answer.partition("\n")[0].strip()  # below it, it talks with itself
    return turn.model_copy(update={"answer": answer})


def person_s_knowledge(
    known: Knowledge, snapshot: Snapshot, text: str, memory: PromptBudget, ties: PromptBudget
) -> Variables:
    """Return what a person is told of themselves and the story: what they know, and nothing else. Pure.

    `text` is what they are to be reminded of.
    """
    me = known.character
    before, now = recollect_wholly(known, snapshot, Query(text=text), memory)
    life = "" if me.life is Life.LIVING else me.life.value
    return {
        "name": me.name,
        "who": _listed(me.age, me.gender, me.occupation, me.affiliations),
        "personality": me.personality,
        "own_past": cut(me.history, _SELF),
        "motivation": cut(me.motivation, _SELF),
        "fear": cut(me.fear, _SELF),
        "belief": cut(me.misbelief, _SELF),
        "secret": cut(me.secrets, _SELF),
        "voice": cut(me.voice, _SELF),
        "condition": _listed(me.health, me.status, life),
        "traits": [f"{one.name}: {one.value}" if one.value else one.name for one in me.traits],
        "background": cut(known.world, _WORLD),
        "ties": own_ties(known, snapshot, (), ties),
        "memories": BudgetedLines(
            (*before.lines, *now.lines), before.lines.left_out + now.lines.left_out
        ),
        "people": within((_listed(one.name, one.occupation) for one in known.people), _PEOPLE),
    }


def _listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _spoken(answer: str, name: str) -> str:
    """Return what was said, without the name of whoever says it before it."""
    said = answer.strip()
    first, colon, rest = said.partition(":")
    if colon and first.strip(" *_").casefold() in {name.casefold(), "you"}:
        said = rest.strip().removeprefix("**").strip()
    return cut(said, _SPOKEN)
