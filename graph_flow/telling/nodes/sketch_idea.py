"""Stage 1: a story told whole from one of the ideas for it, before anything of it is worked out."""

from __future__ import annotations

from langgraph.runtime import Runtime

from graph_flow.llm.errors import UnusableAnswer
from graph_flow.prompting.length import story_length, words_wanted
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import SKETCH
from graph_flow.telling.discourse.in_one_piece import tokens_of
from graph_flow.telling.material.lines import WHOLE_PREMISE, cut
from graph_flow.telling.material.sample import sample_read
from graph_flow.telling.material.style import style_for
from store.models.endpoint import ModelStrength
from store.models.proposals import SKETCH_LIMIT, Sketch
from store.text import count_words

_LEAST, _ENOUGH = 0.5, 0.8
"""How much of its length a sketch has at least to be of use, and to be complete."""


def sketch_idea(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save the sketch of one idea of the configuration.

    Only an able model is asked. A sketch that is far too short is left out.
    """
    context, idea = runtime.context, state["idea"]
    if context.strength(SKETCH) is ModelStrength.SMALL:
        return {}
    job = _job(context, state, context.configuration.ideas[idea - 1])
    try:
        text = context.write_text(job).strip()
    except UnusableAnswer:
        return {}
    if count_words(text) >= _LEAST * story_length(context.settings, context.unit):
        sketch = Sketch(idea=idea, text=text[:SKETCH_LIMIT])
        context.store.proposals.save_sketch(context.branch, sketch)
    return {}


def _job(context: StoryContext, state: StoryState, idea: str) -> Job:
    brief, settings = context.brief, context.settings
    planned = story_length(settings, context.unit)
    chapters = range(1, (settings.planned or 1) + 1)
    return Job(
        agent=SKETCH,
        step=f"0/{state['round']}/sketch/{state['idea']}",
        words="Telling a story that it could become",
        variables={
            "premise": cut(brief.premise, WHOLE_PREMISE),
            "wishes": brief.wishes,
            "form": brief.form.spec.described,
            "is_prose": brief.form.spec.is_prose,
            "idea": idea,
            "style": style_for(settings, brief.form),
            "sample": sample_read(settings.style_sample),
            "chapters": [
                f"{at}. (about {words_wanted(at, settings, context.unit)} {context.unit})"
                for at in chapters
            ],
            "planned": planned,
        },
        turn=state["round"],
        tokens=tokens_of(context, chapters),
        enough=int(planned * _ENOUGH),
    )
