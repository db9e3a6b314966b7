"""Stage 1: which of several stories that were told whole is worked out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, count, islice

from langgraph.runtime import Runtime

from graph_flow.founding.agents import SHARE_OF_SKETCHES, SKETCH_READER
from graph_flow.founding.answers import SKETCH_READING_SCHEMA, SketchedStory
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.proposals import Sketch

_BEGINNING, _CHARACTERS = 60, 400
"""Words of a sketch, and at most characters, that stand for a story that nobody has retold."""


def choose_sketch(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save which sketch a reader prefers, and each story as that reader retells it.

    As many are read at once as the reader's model has room for; the one that is preferred is read again with
    the next. Without an answer that can be used, the first of them stands.
    """
    context = runtime.context
    sketches = context.configuration.sketches
    if not sketches:
        return {}
    said: dict[int, SketchedStory] = {}
    best, rest = 0, list(range(1, len(sketches)))
    for number in count(1):
        together = _together(context, [best, *rest], sketches)
        if len(together) < 2:
            break
        rest = rest[len(together) - 1 :]
        step = f"0/{state['round']}/sketch_reader/{number}"
        reading = context.ask_whole(
            _job(context, state, step, [sketches[at] for at in together]), SKETCH_READING_SCHEMA
        )
        if reading is None:
            continue
        for story in reading.stories:
            if 0 < story.number <= len(together):
                said.setdefault(together[story.number - 1], story)
        if reading.best <= len(together):
            best = together[reading.best - 1]
    _keep(context, sketches, said, best)
    return {}


def _together(
    context: StoryContext, places: Sequence[int], sketches: Sequence[Sketch]
) -> list[int]:
    """Return as many places of sketches, from the first, as are read at once: two, if there are any."""
    filled = accumulate(estimate_tokens(sketches[at].text) for at in places)
    fitting = sum(tokens <= _room(context) for tokens in filled)
    return list(places[: max(2, fitting)])


def _room(context: StoryContext) -> float:
    return context.window(SKETCH_READER) * SHARE_OF_SKETCHES


def _cut_to(text: str, tokens: float) -> str:
    """Return a text, without its end if it is longer than two that are read together may be."""
    share = tokens / max(1, estimate_tokens(text))
    return text if share >= 1 else text[: int(len(text) * share)]


def _keep(
    context: StoryContext, sketches: Sequence[Sketch], said: dict[int, SketchedStory], best: int
) -> None:
    stories = [said.get(at, SketchedStory()) for at in range(len(sketches))]
    told = [
        sketch.model_copy(update={"idea": place, "remark": story.remark})
        for place, (sketch, story) in enumerate(zip(sketches, stories, strict=True), start=1)
    ]
    ideas = [
        story.idea or _beginning(sketch.text)
        for sketch, story in zip(sketches, stories, strict=True)
    ]
    context.store.proposals.save_configuration(
        context.configuration.model_copy(
            update={"sketches": tuple(told), "ideas": tuple(ideas), "idea": best + 1}
        )
    )


def _job(context: StoryContext, state: StoryState, step: str, sketches: Sequence[Sketch]) -> Job:
    return Job(
        agent=SKETCH_READER,
        step=step,
        words="Reading the stories that it could become",
        variables={
            "premise": context.brief.premise,
            "wishes": context.brief.wishes,
            "sketches": [_cut_to(one.text, _room(context) / 2) for one in sketches],
        },
        turn=state["round"],
    )


def _beginning(text: str) -> str:
    words = (
        word for line in text.splitlines() if not line.startswith("#") for word in line.split()
    )
    return " ".join(islice(words, _BEGINNING))[:_CHARACTERS] + " …"
