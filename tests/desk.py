"""A desk to work at: a real workbench on a library, and a scripted model that it talks to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_flow.prompting.length import is_short
from graph_flow.workbench.workbench import Workbench
from store.models.run import Decision, Initialize, PlotChapters, Run, RunState, Task, WriteChapter
from store.models.story import Brief, Gate, GateMode, Story, StorySettings
from tests.fakes.scripted_server import Reply, ScriptedMemory, ScriptedServer, Sent, say_json
from tests.libraries import KeptLibrary, is_untouched

GOAL_REACHED = "Mara stands in the lamp room and knows what Hale did there."

PREMISE = (
    "Mara Lenz keeps the lamp. Hale came back with the last ship. It ends when Mara knows why."
)

Settings = dict[str, Any]
"""Settings of a story that differ from those of these tests, by field."""

_SECONDS_TO_RUN = 120


def verdict(*, is_reached: bool) -> Reply:
    """Say whether the story has reached its goal, as the exit agent does."""
    return say_json(
        {
            "reason": GOAL_REACHED,
            "events": ["E1"],
            "is_reached": is_reached,
        }
    )


def going_on(sent: Sent) -> Reply | None:
    """Make everything up but the end of the story, which would come by chance."""
    is_exit = "is_reached" in (sent.schema or {}).get("properties", {})
    return verdict(is_reached=False) if is_exit else None


@dataclass(frozen=True)
class Prepared:
    """A story that was played once: the library it is in, and what the model was asked for it."""

    story: Story
    library: KeptLibrary
    memory: ScriptedMemory


_prepared: dict[tuple[str, str], Prepared] = {}
"""What desks of this process have played, by how far, and by the settings of the story."""


class Desk:
    """A library with a model at hand."""

    def __init__(self, workbench: Workbench, server: ScriptedServer, library: Path) -> None:
        self.workbench = workbench
        self.server = server
        self.library = library

    def story(self, *, premise: str = PREMISE, settings: Settings | None = None) -> Story:
        """Begin a story; every gate asks unless the settings say otherwise.

        A longer one gets no openings before it is founded, unless they say so: those take two dozen calls.
        """
        story = self.workbench.library.create_story(Brief(premise=premise))
        every = {gate: GateMode.ASK for gate in Gate}
        wanted = StorySettings.model_validate({"gates": every, **(settings or {})})
        if not is_short(wanted) and "is_sketched" not in (settings or {}):
            wanted = wanted.model_copy(update={"is_sketched": False})
        return self.workbench.library.change_settings(story.id, lambda _: wanted)

    def branch(self, story: Story) -> str:
        """Return the id of a story's branch."""
        return self.workbench.library.main_branch(story.id).id

    def do(self, story: Story, task: Task) -> Run:
        """Do a task until it is done or asks."""
        return self.settle(self.workbench.runs.start(self.branch(story), task))

    def answer(self, story: Story, decision: Decision | None = None) -> Run:
        """Answer the question that waits, and go on until the next."""
        question = self.workbench.runs.pending(self.branch(story))[0]
        return self.settle(self.workbench.runs.decide(question, decision or Decision()))

    def settle(self, run: Run | Story) -> Run:
        """Wait until a run, or the newest run of a story, rests; return it as it is then."""
        branch = run.branch if isinstance(run, Run) else self.branch(run)
        progress = self.workbench.runs.progress(branch)
        assert progress is not None
        assert self.workbench.runs.wait(progress.run, _SECONDS_TO_RUN), (
            "the run does not come to rest"
        )
        rested = self.workbench.runs.progress(branch)
        assert rested is not None
        assert rested.run.state is not RunState.RUNNING
        return rested.run

    def drafted(self, settings: Settings | None = None) -> Story:
        """Begin a story up to the cast that waits for approval."""

        def play() -> Story:
            story = self.story(settings=settings)
            self.do(story, Initialize())
            return story

        return self._prepared("drafted", settings, play)

    def founded(self, settings: Settings | None = None) -> Story:
        """Begin a story up to its approved cast."""

        def play() -> Story:
            story = self.drafted(settings)
            self.answer(story)
            return self.workbench.library.story(story.id)

        return self._prepared("founded", settings, play)

    def choosing(self, settings: Settings | None = None) -> Story:
        """Begin a story up to the first question that its plot asks: the goals, or a choice."""

        def play() -> Story:
            story = self.founded(settings)
            self.do(story, PlotChapters())
            return story

        return self._prepared("choosing", settings, play)

    def plotted(self, chapters: int = 1, settings: Settings | None = None) -> Story:
        """Begin a story up to some plotted chapters."""

        def play() -> Story:
            story = self.founded(settings)
            self.do(story, PlotChapters(chapters=chapters, is_autopilot=True))
            return story

        return self._prepared(f"plotted {chapters}", settings, play)

    def written(self, settings: Settings | None = None) -> Story:
        """Begin a story up to one written and approved chapter."""

        def play() -> Story:
            story = self.plotted(1, settings)
            self.do(story, WriteChapter(chapter=1, is_autopilot=True))
            return story

        return self._prepared("written", settings, play)

    def reviewing(self, settings: Settings | None = None) -> Story:
        """Begin a story up to the first question that the writing of a chapter asks."""

        def play() -> Story:
            story = self.plotted(1, settings)
            self.do(story, WriteChapter(chapter=1))
            return story

        return self._prepared("reviewing", settings, play)

    def _prepared(
        self, how_far: str, settings: Settings | None, play: Callable[[], Story]
    ) -> Story:
        """Play a story once, and copy it for whoever wants the same one in a new library.

        Everything is as if it had been played here, what the model was asked among it.
        """
        if not self._is_new():
            return play()
        key = how_far, StorySettings.model_validate(settings or {}).model_dump_json()
        if key not in _prepared:
            story = play()
            _prepared[key] = Prepared(story, KeptLibrary(self.library), self.server.memory)
        else:
            _prepared[key].library.copy_into(self.library)
            self.server.take_up(_prepared[key].memory)
        return _prepared[key].story

    def _is_new(self) -> bool:
        """Return whether nothing was done here yet, and the model says nothing special."""
        is_plain = self.server.answer is going_on and not self.server.has_been_told
        return is_plain and is_untouched(self.library)
