"""A changed text is compared with its story: an agent says what is different, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from graph_flow.errors import WorkbenchError
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.telling.comparing.agents import CHANGED_FACTS
from graph_flow.telling.comparing.answers import (
    FACTS_SCHEMA,
    ChangedFacts,
    part_schema,
    passage_labels,
    widened,
)
from graph_flow.telling.comparing.doubts import with_doubts
from graph_flow.telling.comparing.material import material_for
from graph_flow.telling.comparing.passages import in_parts
from graph_flow.telling.comparing.proposed import Proposed, proposed_before
from graph_flow.telling.comparing.reading import Findings
from store.models.edits.comparison import ChangedPassage, ComparisonState, TextComparison
from store.models.endpoint import ModelStrength
from store.models.prototype import Snapshot

_PART, _MOST_TOKENS = 0.3, 12_000
"""What a call is given of a text: at most a share of the model's window, and so many tokens."""
_SMALL_PART = 400
"""Tokens that a small model reads at once."""
_MOST_PARTS = 24


def compare(context: StoryContext, comparison: TextComparison, step: str) -> TextComparison:
    """Return a comparison with what was found; the writer has yet to decide on it.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop.
        WorkbenchError: if the text is too long for the model.
    """
    before = _before(context, comparison)
    story = before.story
    found = Findings(story, comparison.chapter)
    strength = context.strength(CHANGED_FACTS)
    parts = in_parts(
        readable(comparison.passages, strength),
        part_tokens(strength, context.window(CHANGED_FACTS)),
    )
    if len(parts) > _MOST_PARTS:
        raise WorkbenchError(
            "This is too much text for the model in use to compare. "
            "Choose a model with a larger context window in Settings."
        )
    for number, passages in enumerate(parts, start=1):
        known = _with_additions(story, found)
        material = material_for(context, known, comparison, passages)
        place = f" (part {number} of {len(parts)})" if len(parts) > 1 else ""
        job = Job(
            CHANGED_FACTS,
            f"{step}/{number}",
            f"Comparing chapter {comparison.chapter} with the story{place}",
            material.variables,
        )
        names = [one.name for one in material.people]
        found.read(context.ask_in_form(job, _forms(passages, names)), material.named, passages)
    return comparison.model_copy(
        update={
            "lines": with_doubts(found.lines, before.chronicle, story, comparison.chapter),
            "kept": tuple(found.kept),
            "unknown": tuple(found.unknown),
            "unsupported": found.unsupported,
            "state": ComparisonState.OPEN,
        }
    )


def _before(context: StoryContext, comparison: TextComparison) -> Proposed:
    """Return the story that a text is compared with: before a chapter that is to get its plot of it."""
    chapter = comparison.chapter + (not comparison.is_plot)
    return proposed_before(context.store, context.branch, chapter)


def readable(
    passages: Sequence[ChangedPassage], strength: ModelStrength
) -> Sequence[ChangedPassage]:
    """Return the passages that a model is shown: a small one says nothing of what was taken out."""
    if strength is ModelStrength.ABLE:
        return passages
    return [one for one in passages if one.now]


def part_tokens(strength: ModelStrength, window: int) -> int:
    """Return about how many tokens of a text one call to a model is given."""
    if strength is ModelStrength.SMALL:
        return _SMALL_PART
    return min(int(window * _PART), _MOST_TOKENS)


def _with_additions(story: Snapshot, found: Findings) -> Snapshot:
    """Return the story with the people and places that earlier parts of a text bring in."""
    new = {one.id: one for one in found.added() if one.kind in {"character", "scene"}}
    return story.model_copy(update={"entities": {**story.entities, **new}})


def _forms(passages: Sequence[ChangedPassage], people: Sequence[str]) -> AnswerForms[ChangedFacts]:
    part = part_schema(passage_labels(passages), people)
    return AnswerForms(FACTS_SCHEMA, part, partial(widened, passages=passages))
