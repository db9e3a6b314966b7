"""What an experiment will roughly use, before anything is asked."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from graph_flow.command_line.experiments.plan import Way
from graph_flow.command_line.experiments.records import Experiment, Kept, StoryTask
from graph_flow.command_line.experiments.ways import models_for, settings_for, wanted_of
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from graph_flow.workbench.workbench import Workbench
from store.models.run import (
    DraftOutline,
    Initialize,
    PlotChapters,
    ReadStory,
    Task,
    WriteChapter,
)
from store.models.story import Brief


class Estimate(Kept):
    """What stories will roughly use together; `most_calls` is what one of them will, at most."""

    stories: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    is_priced: bool = False
    most_calls: int = 0
    most_tokens: int = 0
    most_cost: float = 0.0


def estimate(experiment: Experiment, stories: Sequence[StoryTask]) -> Estimate:
    """Return what stories will roughly use, if none of them has begun.

    Raises:
        WorkbenchError: if a key stands where a model's name or address belongs.
    """
    counts = Counter((one.model, one.way) for one in stories)
    every = {(one.model, one.way): one for one in stories}
    whole = Estimate(stories=len(stories))
    with _scratch() as workbench:
        for kind, count in counts.items():
            whole = _plus(whole, _of_story(workbench, experiment, every[kind]), count)
    return whole


def _of_story(workbench: Workbench, experiment: Experiment, task: StoryTask) -> Estimate:
    workbench.models.change_settings(lambda _: models_for(experiment, task))
    story = workbench.library.create_story(Brief(premise="?", form=experiment.making.form))
    settings = settings_for(task.way, experiment.making)
    workbench.library.change_settings(story.id, lambda _: settings)
    branch = workbench.library.main_branch(story.id).id
    parts = [workbench.runs.estimate(branch, one) for one in _tasks(experiment, task)]
    return Estimate(
        calls=sum(one.calls for one in parts),
        tokens_in=sum(one.tokens_in for one in parts),
        tokens_out=sum(one.tokens_out for one in parts),
        cost=sum(one.cost for one in parts),
        is_priced=any(one.is_priced for one in parts),
    )


def _plus(whole: Estimate, each: Estimate, count: int) -> Estimate:
    return Estimate(
        stories=whole.stories,
        calls=whole.calls + count * each.calls,
        tokens_in=whole.tokens_in + count * each.tokens_in,
        tokens_out=whole.tokens_out + count * each.tokens_out,
        cost=whole.cost + count * each.cost,
        is_priced=whole.is_priced or each.is_priced,
        most_calls=max(whole.most_calls, each.calls),
        most_tokens=max(whole.most_tokens, each.tokens_in + each.tokens_out),
        most_cost=max(whole.most_cost, each.cost),
    )


def _tasks(experiment: Experiment, task: StoryTask) -> Iterator[Task]:
    """Yield what is done for a story, one after the other."""
    wanted = wanted_of(task.way, experiment.making)
    yield Initialize()
    if wanted.has_outline:
        yield DraftOutline()
    yield PlotChapters(chapters=wanted.chapters)
    if not wanted.is_written or task.way is Way.DIRECT:
        return
    yield WriteChapter(chapter=1, then=tuple(range(2, wanted.chapters + 1)))
    yield ReadStory()


@contextmanager
def _scratch() -> Iterator[Workbench]:
    """Give out a workbench on a library that is gone afterwards."""
    with TemporaryDirectory(prefix="tellwright-") as folder:
        library = Path(folder, "library.db")
        with closing(assemble(library, Terms(OwnModels(os.environ.get)))) as workbench:
            yield workbench
