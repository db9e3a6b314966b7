"""Making a suggestion: the agent is asked with the writer's briefing, and its answer is read."""

from __future__ import annotations

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.agent import Agent
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.telling.suggesting.agents import GO_ON, NEXT_STEPS, PASSAGE
from graph_flow.telling.suggesting.answers import PART_SCHEMA, WHOLE_SCHEMA, OptionsAnswer, widened
from graph_flow.telling.suggesting.material import small_material, whole_material
from graph_flow.telling.suggesting.passage import Passage, read_answer
from store.models.desk.suggestion import Suggestion, SuggestionKind
from store.models.endpoint import ModelStrength
from store.models.manuscript import Draft
from store.text import count_words

_GO_ON = 200
"""Words that an agent goes on for."""
_TOKENS_PER_WORD = 2.2
_LENGTH = {
    SuggestionKind.EXPAND: 3.0,
    SuggestionKind.DIALOGUE: 2.5,
    SuggestionKind.AS_ASKED: 3.0,
    SuggestionKind.AS_PLANNED: 2.5,
    SuggestionKind.SHOW: 2.5,
}
"""How many times as long as its passage an answer may become; otherwise half as long again."""
_USUAL_LENGTH = 1.5
_LEAST = 300
"""Tokens that an answer may have in any case."""

_WORDS = {
    SuggestionKind.GO_ON: "Going on from the cursor",
    SuggestionKind.OPTIONS: "Thinking of what could happen next",
}


_AGENTS = {SuggestionKind.GO_ON: GO_ON, SuggestionKind.OPTIONS: NEXT_STEPS}


def agent_for(kind: SuggestionKind) -> Agent:
    """Return the agent that makes a kind of suggestion."""
    return _AGENTS.get(kind, PASSAGE)


def suggest(
    context: StoryContext, asked: Suggestion, draft: Draft, passage: Passage, step: str
) -> Suggestion:
    """Return what is suggested for a passage of a draft; without words, `doubt` says why.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    job = _job(context, asked, draft, passage, step)
    if asked.kind is SuggestionKind.OPTIONS:
        forms = AnswerForms[OptionsAnswer](WHOLE_SCHEMA, PART_SCHEMA, widened)
        options = context.ask_in_form(job, forms).options
        return asked.model_copy(update={"options": options, "doubt": ""})
    read = read_answer(context.write_text(job), passage, asked.kind)
    return asked.model_copy(update={"text": read.text, "doubt": read.doubt})


def _job(
    context: StoryContext, asked: Suggestion, draft: Draft, passage: Passage, step: str
) -> Job:
    agent = agent_for(asked.kind)
    is_small = context.strength(agent) is ModelStrength.SMALL
    known = (
        small_material(context, draft.chapter, passage)
        if is_small
        else whole_material(context, draft, passage)
    )
    is_text = asked.kind is not SuggestionKind.OPTIONS
    words = _GO_ON if asked.kind.is_at_cursor else count_words(passage.text)
    return Job(
        agent=agent,
        step=step,
        words=_WORDS.get(asked.kind, "Finding other words for a passage"),
        variables={
            **known,
            "kind": asked.kind.value,
            "passage": passage.text,
            "wish": asked.wish,
            "last": asked.text or "\n".join(asked.options),
            "words": words,
        },
        turn=asked.attempt,
        tokens=_most(asked.kind, passage) if is_text and not is_small else None,
        enough=_enough(asked.kind, is_small=is_small),
    )


def _enough(kind: SuggestionKind, *, is_small: bool) -> int | None:
    """Return after how many words an answer that was cut off may end; None: it has to be whole."""
    if is_small:
        return 1
    return _GO_ON // 2 if kind is SuggestionKind.GO_ON else None


def _most(kind: SuggestionKind, passage: Passage) -> int:
    """Return how many tokens an answer may have, so that none is cut off that is of any use."""
    if kind is SuggestionKind.GO_ON:
        return int(_GO_ON * _TOKENS_PER_WORD * 2)
    return _LEAST + int(estimate_tokens(passage.text) * _LENGTH.get(kind, _USUAL_LENGTH))
