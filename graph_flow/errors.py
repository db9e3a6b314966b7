"""What can go wrong when a page asks for something; each message is a sentence for the writer."""

from __future__ import annotations


class WorkbenchError(Exception):
    """The workbench cannot do now what it was asked to do."""


class BranchBusy(WorkbenchError):
    """A run is already at work on this branch."""


class AlreadyAnswered(WorkbenchError):
    """The question has already been answered, perhaps in another window."""


class NothingToContinue(WorkbenchError):
    """This branch has no run that can be continued."""


class PremiseUnusable(WorkbenchError):
    """The premise is empty, or longer than the model can read.

    `fits` is how many of its characters the model can read.
    """

    def __init__(self, message: str, fits: int = 0) -> None:
        super().__init__(message)
        self.fits = fits


class NotSignedIn(WorkbenchError):
    """Nobody is signed in, or they may not be here."""


class SiteUnusable(WorkbenchError):
    """The settings of a site are missing or wrong; the message is for whoever runs it."""


class PlottingFailed(WorkbenchError):
    """A relay produced no candidate."""
