"""Stage 1: a story told from the premise alone, or a longer one begun, before anything of it is worked out."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.founding.agents import SKETCHES
from graph_flow.founding.cast import settled_fields, settled_people
from graph_flow.founding.earlier import stories_turned_down
from graph_flow.founding.following import wishes_for
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.prompting.headings import parted_from_road
from graph_flow.prompting.length import (
    breadth_of,
    form_words,
    is_short,
    length_words,
    scope_words,
    sketch_length,
    sketched_chapters,
    words_wanted,
)
from graph_flow.prompting.sample import sample_read
from graph_flow.prompting.style import style_for
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import SKETCH
from graph_flow.telling.discourse.in_one_piece import tokens_of
from graph_flow.telling.material.lines import WHOLE_PREMISE, cut
from store.deltas.delta import apply
from store.models.base import PASSAGE_LIMIT
from store.models.endpoint import ModelStrength
from store.models.proposals import SKETCH_LIMIT, Sketch
from store.models.prototype import Snapshot
from store.text import count_words

_LEAST, _ENOUGH = 0.5, 0.8
"""How much of its length a sketch has at least to be of use, and to be complete."""
_OF_ROAD = 1_200
"""Tokens in which it is said where a longer story goes."""


def sketch_story(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save one of the stories that the premise could become, told whole, or its opening if it is longer.

    Only an able model is asked. A sketch that is far too short is left out.
    """
    context, place = runtime.context, state["sketch"]
    if context.strength(SKETCH) is ModelStrength.SMALL:
        return {}
    try:
        answer = context.write_text(_job(context, state, place)).strip()
    except UnusableAnswer:
        return {}
    is_whole = is_short(context.settings)
    road, text = ("", answer) if is_whole else parted_from_road(answer)
    if count_words(text) >= _LEAST * sketch_length(context.settings, context.unit):
        sketch = Sketch(
            idea=place,
            is_whole=is_whole,
            road=road[:PASSAGE_LIMIT],
            text=text[:SKETCH_LIMIT],
            wishes=wishes_for(context.story),
        )
        context.store.proposals.save_sketch(context.branch, sketch)
    return {}


def _job(context: StoryContext, state: StoryState, place: int) -> Job:
    brief, settings = context.brief, context.settings
    chapters = sketched_chapters(settings, context.unit)
    planned = sketch_length(settings, context.unit)
    is_whole = is_short(settings)
    kept = apply(Snapshot(), context.configuration.delta, 0)
    return Job(
        agent=SKETCH,
        step=f"0/{state['round']}/sketch/{place}",
        words="Telling a story that it could become",
        variables={
            "premise": cut(brief.premise, WHOLE_PREMISE),
            "wishes": brief.wishes,
            "form": form_words(brief.form, settings),
            "is_prose": brief.form.spec.is_prose,
            "kept": [*settled_fields(kept.foundation), *settled_people(kept)],
            "seen": stories_turned_down(context, state),
            "style": style_for(settings, brief.form),
            "sample": sample_read(settings.style_sample),
            "chapters": [
                f"{at}. (about {words_wanted(at, settings, context.unit)} {context.unit})"
                for at in chapters
            ],
            "planned": planned,
            "breadth": breadth_of(settings),
            "length": length_words(settings, context.unit),
            "scope": scope_words(settings),
            "place": place,
            "count": SKETCHES,
        },
        turn=state["round"],
        tokens=tokens_of(context, chapters) + (0 if is_whole else _OF_ROAD),
        enough=int(planned * _ENOUGH),
    )
