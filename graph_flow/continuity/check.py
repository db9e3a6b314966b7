"""The continuity check as a whole: of a story, and of what a candidate adds to it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from graph_flow.continuity.absence import find_vanished
from graph_flow.continuity.chronicle import Chronicle, Scope
from graph_flow.continuity.dangling import find_lost, find_removed
from graph_flow.continuity.finding import Finding
from graph_flow.continuity.foreshadowing import find_open, find_payoffs
from graph_flow.continuity.jumps import find_jumps
from graph_flow.continuity.knowing import find_hidden, find_unknown
from graph_flow.continuity.mortality import find_the_dead
from graph_flow.continuity.presence import find_two_places
from store.models.delta import Delta

RULES: tuple[Callable[[Chronicle, Scope], Iterator[Finding]], ...] = (
    find_the_dead,
    find_two_places,
    find_unknown,
    find_hidden,
    find_removed,
    find_payoffs,
    find_jumps,
)
"""The rules that look at what a candidate adds as well as at a whole story."""


def check_story(chronicle: Chronicle, *, is_over: bool) -> list[Finding]:
    """Return all findings of a story, in the order of its chapters.

    `is_over` says that no chapter is to come: only then is an open thread a finding.
    """
    scope = Scope.whole(chronicle)
    found = [finding for rule in RULES for finding in rule(chronicle, scope)]
    found += find_vanished(chronicle)
    if is_over:
        found += find_open(chronicle)
    return _in_order(found)


def check_delta(before: Chronicle, delta: Delta, chapter: int) -> list[Finding]:
    """Return what a Delta that fits a story would add to its findings, as told by `chapter`.

    The cost follows the Delta and what the people in it have lived through.
    """
    after, scope = before.after(delta, chapter), Scope.of(delta)
    known = {finding.key for rule in RULES for finding in rule(before, scope)}
    found = (finding for rule in RULES for finding in rule(after, scope))
    return _in_order(finding for finding in found if finding.key not in known)


def check_losses(before: Chronicle, proposed: Delta) -> list[Finding]:
    """Return what of a Delta, as it was once proposed, refers to what was removed since."""
    return _in_order(find_lost(before, proposed))


def _in_order(findings: Iterable[Finding]) -> list[Finding]:
    each = {finding.key: finding for finding in findings}
    return sorted(each.values(), key=lambda finding: (finding.chapters, finding.key))
