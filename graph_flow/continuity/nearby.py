"""The continuity check of candidates as they are scored, at a cost that does not grow with the story. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from graph_flow.continuity.check import check_delta, check_losses
from graph_flow.continuity.chronicle import Chronicle
from graph_flow.continuity.finding import Finding, Rule
from store.deltas.locks import fit
from store.models.delta import Delta
from store.models.prototype import Snapshot
from store.prototype.neighbourhood import Vicinity


def check_nearby(near: Vicinity, deltas: Sequence[Delta]) -> list[list[Finding]]:
    """Return for each of some Deltas for the next chapter what it would add to a story's findings.

    `near` is what is around them: only that is laid out, where `ContinuityChecker` lays out the
    whole story. So of the past some things are taken on trust: that word of an event from further
    back has come to whoever acts on it, and that a flashback meets nobody who is elsewhere then.
    """
    before = Chronicle.of(near.snapshot, near.timelines)
    return [_findings(near, before, delta) for delta in deltas]


def _findings(near: Vicinity, before: Chronicle, proposed: Delta) -> list[Finding]:
    fitting = _fitting(proposed, near.snapshot)
    found = check_delta(before, fitting, before.chapter + 1)
    sure = [one for one in found if one.rule is not Rule.UNKNOWN or _is_near(one, near)]
    return [*check_losses(before, proposed), *sure]


def _fitting(proposed: Delta, snapshot: Snapshot) -> Delta:
    """Return as much of a Delta as the story takes as it is now."""
    fitting, _ = fit(proposed, snapshot)
    return fitting


def _is_near(finding: Finding, near: Vicinity) -> bool:
    """Return whether all that lies between a cause and its effect was looked at."""
    return min(finding.chapters) >= near.whole_from
