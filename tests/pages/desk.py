"""A writer at the desk: pages opened without a browser, on a real workbench and a scripted model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from graph_flow.workbench import Workbench
from store.models.run import Decision, Initialize, PlotChapters, Run, RunState, Task, WriteChapter
from store.models.story import Brief, Gate, GateMode, Story, StorySettings
from tests.fakes.scripted_server import Reply, ScriptedServer, Sent, say_json

APP = Path(__file__).parents[2] / "app.py"

HOSTILE = "<b>x</b> **y** [l](javascript:a()) $z^2$ :rocket: ![i](//x/i.png)"
"""A name that is markup in every language that a page might take it for."""

GOAL_REACHED = "Mara stands in the lamp room and knows what Hale did there."

PREMISE = (
    "Mara Lenz keeps the lamp. Hale came back with the last ship. It ends when Mara knows why."
)

Settings = dict[str, Any]
"""Settings of a story that differ from those of these tests, by field."""

_SECONDS_TO_RUN = 30
_SECONDS_FOR_A_PAGE = 30


def verdict(*, is_reached: bool) -> Reply:
    """Say whether the story has reached its goal, as the exit agent does."""
    return say_json({"reason": GOAL_REACHED, "events": ["E1"], "is_reached": is_reached})


def going_on(sent: Sent) -> Reply | None:
    """Make everything up but the end of the story, which would come by chance."""
    is_exit = "is_reached" in (sent.schema or {}).get("properties", {})
    return verdict(is_reached=False) if is_exit else None


class Desk:
    """A library with a model at hand, and the windows that are open on it."""

    def __init__(self, workbench: Workbench, server: ScriptedServer) -> None:
        self.workbench = workbench
        self.server = server

    def window(self, page: str = "app", story: Story | None = None) -> AppTest:
        """Open a page in a window of its own, as another person would."""
        window = AppTest.from_file(str(APP), default_timeout=_SECONDS_FOR_A_PAGE)
        if story is not None:
            window.session_state["story"] = story.id
        window.run()
        return window if page == "app" else turn_to(window, page)

    def story(self, *, premise: str = PREMISE, settings: Settings | None = None) -> Story:
        """Begin a story; every gate asks unless the settings say otherwise."""
        story = self.workbench.create_story(Brief(premise=premise))
        every = {gate: GateMode.ASK for gate in Gate}
        wanted = StorySettings.model_validate({"gates": every, **(settings or {})})
        return self.workbench.save_story_settings(story.id, wanted)

    def branch(self, story: Story) -> str:
        """Return the id of a story's branch."""
        return self.workbench.main_branch(story.id).id

    def do(self, story: Story, task: Task) -> Run:
        """Do a task until it is done or asks."""
        return self.settle(self.workbench.start(self.branch(story), task))

    def answer(self, story: Story, decision: Decision | None = None) -> Run:
        """Answer the question that waits, and go on until the next."""
        question = self.workbench.pending(self.branch(story))[0]
        return self.settle(self.workbench.decide(question, decision or Decision()))

    def settle(self, run: Run | Story) -> Run:
        """Wait until a run, or the newest run of a story, rests; return it as it is then."""
        branch = run.branch if isinstance(run, Run) else self.branch(run)
        progress = self.workbench.progress(branch)
        assert progress is not None
        assert self.workbench.wait(progress.run, _SECONDS_TO_RUN), "the run does not come to rest"
        rested = self.workbench.progress(branch)
        assert rested is not None
        assert rested.run.state is not RunState.RUNNING
        return rested.run

    def drafted(self, settings: Settings | None = None) -> Story:
        """Begin a story up to the cast that waits for approval."""
        story = self.story(settings=settings)
        self.do(story, Initialize())
        return story

    def founded(self, settings: Settings | None = None) -> Story:
        """Begin a story up to its approved cast."""
        story = self.drafted(settings)
        self.answer(story)
        return self.workbench.story(story.id)

    def plotted(self, chapters: int = 1, settings: Settings | None = None) -> Story:
        """Begin a story up to some plotted chapters."""
        story = self.founded(settings)
        self.do(story, PlotChapters(chapters=chapters, is_autopilot=True))
        return story

    def written(self, settings: Settings | None = None) -> Story:
        """Begin a story up to one written and approved chapter."""
        story = self.plotted(1, settings)
        self.do(story, WriteChapter(chapter=1, is_autopilot=True))
        return story


def turn_to(window: AppTest, page: str) -> AppTest:
    """Turn a window to another page."""
    return window.switch_page("app.py" if page == "app" else f"pages/{page}.py").run()


def button(window: AppTest, label: str) -> Button:
    """Return the one button with this label."""
    found = [one for one in window.button if one.label == label]
    assert len(found) == 1, f"{len(found)} buttons say {label!r}; there are {labels(window)}"
    return found[0]


def labels(window: AppTest) -> list[str]:
    """Return what the buttons of a page say."""
    return [one.label for one in window.button]


def primaries(window: AppTest) -> list[str]:
    """Return what the primary buttons of a page say."""
    pressed = (*window.main.button, *window.main.download_button)
    return [one.label for one in pressed if one.proto.type == "primary"]


def words(window: AppTest) -> str:
    """Return all that a page says outside of fields to type in, as Markdown."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "error", "warning", "info")
    said = [text for kind in kinds for text in texts_of(window.get(kind))]
    said += texts_of([*window.toast, *window.success])
    said += [one.label for one in (*window.expander, *window.button, *window.text_area)]
    return "\n".join(said)


def expect_whole(window: AppTest) -> None:
    """Fail if a page shows an error that nobody has put into words, or more than one primary."""
    assert [one.message for one in window.exception] == []
    assert len(primaries(window)) <= 1, f"more than one primary: {primaries(window)}"


def expect_only_text(window: AppTest, *texts: str) -> None:
    """Fail if words that are not ours are shown as markup, anywhere on a page."""
    said = words(window)
    assert not any(text in said for text in texts), "shown without being escaped"
    assert not any(one.allow_html for one in window.markdown), "HTML is allowed somewhere"


def texts_of(elements: Iterable[object]) -> list[str]:
    """Return the values of elements as text."""
    return [str(getattr(one, "value", "")) for one in elements]
