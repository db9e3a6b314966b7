"""What a step of a run sees of what the writer changes meanwhile."""

from __future__ import annotations

from store.models.run import Initialize, PlotChapters, RunState
from store.models.story import Gate, GateMode
from store.open import Store
from tests.desk import Desk, going_on
from tests.fakes.scripted_server import Reply, Sent
from tests.graph_flow.scripting import agent_of

GO_ON = {"gates": {gate: GateMode.GO_ON for gate in Gate}, "rounds": 1}


def test_settings_that_change_in_a_step_count_in_the_next(desk: Desk, store: Store) -> None:
    story = desk.story(settings=GO_ON)
    desk.do(story, Initialize())
    settings = desk.workbench.library.story(story.id).settings

    def answer(sent: Sent) -> Reply | None:
        if agent_of(sent) == "goals":
            longer = settings.model_copy(update={"rounds": 2})
            desk.workbench.library.change_settings(story.id, lambda _: longer)
        return going_on(sent)

    desk.server.answer = answer
    assert desk.do(story, PlotChapters(chapters=1)).state is RunState.DONE
    for candidate in store.proposals.candidates(desk.branch(story), 1):
        assert {turn.round for turn in candidate.turns} == {1, 2}
