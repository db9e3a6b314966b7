"""The one door from the UI and the command line: start, answer, stop, read, edit, take away.

Every method returns at once; what takes long goes on in a thread of the runner.
"""

from __future__ import annotations

from graph_flow.workbench.branches import HistoryDoor
from graph_flow.workbench.library import LedgerDoor, LibraryDoor, ModelDoor
from graph_flow.workbench.outline import OutlineDoor
from graph_flow.workbench.plot import CandidateDoor, ContinuityDoor, GoalDoor
from graph_flow.workbench.runs import RunDoor
from graph_flow.workbench.scoring import ScoringDoor
from graph_flow.workbench.story import PictureDoor, PrototypeDoor, SearchDoor, TellingDoor


class Workbench(
    LibraryDoor,
    HistoryDoor,
    RunDoor,
    PrototypeDoor,
    OutlineDoor,
    GoalDoor,
    CandidateDoor,
    ScoringDoor,
    PictureDoor,
    TellingDoor,
    ContinuityDoor,
    SearchDoor,
    ModelDoor,
    LedgerDoor,
):
    """Everything that a writer can do, for the pages and the command line."""

    def close(self) -> None:
        """Stop all runs and the embedded model, and close the library."""
        self._runner.close()
        self._gateway.close()
        self._store.close()
