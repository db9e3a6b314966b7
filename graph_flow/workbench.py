"""The one door from the UI and the command line: start, answer, stop, read, edit, take away.

Every method returns at once; what takes long goes on in a thread of the runner.
"""

from __future__ import annotations

from graph_flow.doors.candidates import CandidateDoor
from graph_flow.doors.continuity import ContinuityDoor
from graph_flow.doors.goals import GoalDoor
from graph_flow.doors.history import HistoryDoor
from graph_flow.doors.ledger import LedgerDoor
from graph_flow.doors.library import LibraryDoor
from graph_flow.doors.models import ModelDoor
from graph_flow.doors.outlines import OutlineDoor
from graph_flow.doors.pictures import PictureDoor
from graph_flow.doors.prototype import PrototypeDoor
from graph_flow.doors.runs import RunDoor
from graph_flow.doors.scoring import ScoringDoor
from graph_flow.doors.search import SearchDoor
from graph_flow.doors.telling import TellingDoor


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
