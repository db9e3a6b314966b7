"""Stage 1: which of several stories that were told whole is worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from langgraph.runtime import Runtime

from graph_flow.founding.agents import SHARE_OF_SKETCHES, SKETCH_READER
from graph_flow.founding.answers import (
    SKETCH_RANKING_SCHEMA,
    SKETCH_READING_SCHEMA,
    SketchedStory,
)
from graph_flow.founding.ranking import groups, orders, ranked, standing
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from store.models.proposals import Sketch

_BEGINNING, _CHARACTERS = 60, 400
"""Words of a sketch, and at most characters, that stand for a story that nobody has retold."""


def choose_sketch(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save which sketch several readers prefer together, and each story as the first of them retells it.

    As many are read at once as the readers' model has room for; if that is not all of them, those that
    stand highest are read once more. Without an answer that can be used, the first sketch stands.
    """
    context = runtime.context
    sketches = context.configuration.sketches
    if not sketches:
        return {}
    readings = _Readings(context, state["round"], sketches)
    for reader, order in enumerate(orders(len(sketches))):
        for group in readings.groups(order):
            readings.read(group, retells=reader == 0)
    best = readings.standing
    if len(readings.groups(best)) > 1:
        last = readings.read(readings.groups(best)[0], retells=False)
        best = last or best
    _keep(context, sketches, readings.told, best[0] if best else 0)
    return {}


@dataclass
class _Readings:
    """What readers say of the sketches, which go by their places from 0."""

    context: StoryContext
    round: int
    sketches: Sequence[Sketch]
    told: dict[int, SketchedStory] = field(default_factory=dict)
    rankings: list[list[int]] = field(default_factory=list)
    count: int = 0

    @property
    def standing(self) -> list[int]:
        """The sketches that are ranked, from the one that stands highest."""
        return standing(self.rankings)

    @property
    def _room(self) -> float:
        """Tokens of the sketches that are read at once."""
        return self.context.window(SKETCH_READER) * SHARE_OF_SKETCHES

    def groups(self, order: Sequence[int]) -> list[list[int]]:
        """Return which sketches are read at once; none if there is only one."""
        if len(order) < 2:
            return []
        return groups(order, [estimate_tokens(one.text) for one in self.sketches], self._room)

    def read(self, group: Sequence[int], *, retells: bool) -> list[int]:
        """Return some sketches as a reader ranks them; nothing without a usable answer."""
        self.count += 1
        schema = SKETCH_READING_SCHEMA if retells else SKETCH_RANKING_SCHEMA
        answer = self.context.ask_whole(self._job(group, retells=retells), schema)
        if answer is None:
            return []
        for story in answer.stories:
            if retells and story.number <= len(group):
                self.told[group[story.number - 1]] = story
        self.rankings.append(ranked(answer.ranking, group))
        return self.rankings[-1]

    def _job(self, group: Sequence[int], *, retells: bool) -> Job:
        brief, most = self.context.brief, self._room / 2
        return Job(
            agent=SKETCH_READER,
            step=f"0/{self.round}/sketch_reader/{self.count}",
            words="Reading the stories that it could become",
            variables={
                "premise": brief.premise,
                "wishes": brief.wishes,
                "sketches": [_cut_to(self.sketches[at].text, most) for at in group],
                "retells": retells,
            },
            turn=self.round,
        )


def _cut_to(text: str, tokens: float) -> str:
    """Return a text, without its end if it is longer than two that are read together may be."""
    share = tokens / max(1, estimate_tokens(text))
    return text if share >= 1 else text[: int(len(text) * share)]


def _keep(
    context: StoryContext, sketches: Sequence[Sketch], said: Mapping[int, SketchedStory], best: int
) -> None:
    stories = [said.get(at) for at in range(len(sketches))]
    told = [
        sketch.model_copy(update={"idea": place, "remark": story.remark if story else ""})
        for place, (sketch, story) in enumerate(zip(sketches, stories, strict=True), start=1)
    ]
    ideas = [
        (story.idea if story else "") or _beginning(sketch.text)
        for sketch, story in zip(sketches, stories, strict=True)
    ]
    context.store.proposals.save_configuration(
        context.configuration.model_copy(
            update={"sketches": tuple(told), "ideas": tuple(ideas), "idea": best + 1}
        )
    )


def _beginning(text: str) -> str:
    words = (
        word for line in text.splitlines() if not line.startswith("#") for word in line.split()
    )
    return " ".join(islice(words, _BEGINNING))[:_CHARACTERS] + " …"
