"""What can be wrong with an experiment; each message is a sentence for whoever runs it."""

from __future__ import annotations

from store.errors import StoreError


class ExperimentError(StoreError):
    """The experiment cannot go on."""


class PlanUnusable(ExperimentError):
    """The plan cannot be carried out as it is written."""


class ResultsUnusable(ExperimentError):
    """The place of the results cannot be read or written, or holds other results."""


class ClaimLost(ExperimentError):
    """Another worker has taken a story over, because this one was silent for too long."""


class WrongVersion(ExperimentError):
    """A worker runs another version of Tellwright than the one that the experiment began with."""
