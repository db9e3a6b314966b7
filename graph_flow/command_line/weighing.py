"""`tellwright compare --likelihood`: which of several versions of one text hangs together best."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from pydantic import BaseModel

from graph_flow.command_line.counting import Counted
from graph_flow.command_line.ending import DONE, FAILED, INTERRUPTED, say
from graph_flow.views import SideState
from store.models.run import Caps, Totals

if TYPE_CHECKING:  # they take a second to import, and whoever asks for help need not wait
    from graph_flow.workbench.beside.likelihood import WeighedVersion
    from graph_flow.workbench.beside.pairing import Contestant
    from graph_flow.workbench.workbench import Workbench

_LOOK_EVERY = 0.2


class WeighedText(BaseModel):
    """A version: its mean log-probability of a token, and what that gains by what stands before.

    `difference` is by how much the paragraphs that it shares with the first version are likelier in that one;
    with a 95 % interval, if one is known.
    """

    text: str
    likelihood: float
    gain: float
    tokens: int
    shared: int | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None


class WeighingReport(BaseModel):
    """The last line of `tellwright compare --likelihood --json`, in the order in which the versions were given.

    `judge` is what its card says; what was used is that of this run of the command.
    """

    texts: list[WeighedText]
    judge: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float


def weigh_versions(
    workbench: Workbench, texts: Sequence[Contestant], given: argparse.Namespace
) -> int:
    """Weigh versions of a text and return the exit code."""
    from graph_flow.workbench.beside.likelihood import likelihood_place

    service, place = workbench.likelihood, likelihood_place(texts)
    before = _used(workbench, place)
    say(f"Weighed by {service.judge.model}.")
    try:
        service.begin(texts, Caps(calls=given.max_calls))
        with closing(Counted("call", done=before.calls)) as display:
            while not service.wait(place, _LOOK_EVERY):
                seen = service.seen(place)
                words = (seen.trouble or seen.words) if seen else ""
                display.show(_used(workbench, place).calls, words)
    except KeyboardInterrupt:
        service.stop(place)
        service.wait(place)
        say("What was weighed is kept. To continue, run the same command again.")
        return INTERRUPTED
    seen = service.seen(place)
    if seen is None or seen.state is not SideState.DONE:
        say(seen.message if seen else "It was stopped.")
        say("What was weighed is kept. To continue, run the same command again.")
        return FAILED
    found: list[WeighedVersion] = seen.result if isinstance(seen.result, list) else []
    card = service.card
    says = card.says if card else "not tested"
    say(f"The model's card: {says}.")
    for one in found:
        say(_line(one))
    say("This compares versions of one text. It says nothing of how good any of them is.")
    if given.json:
        now = _used(workbench, place)
        report = WeighingReport(
            texts=[_weighed(one) for one in found],
            judge=says,
            calls=now.calls - before.calls,
            tokens_in=now.tokens_in - before.tokens_in,
            tokens_out=now.tokens_out - before.tokens_out,
            cost=now.cost - before.cost,
        )
        sys.stdout.write(f"{report.model_dump_json()}\n")
    return DONE


def _used(workbench: Workbench, place: str) -> Totals:
    from graph_flow.workbench.beside.evaluating import card_branch

    branches = (place, card_branch(workbench.likelihood.judge))
    parts = [workbench.ledger.totals(branch=one) for one in branches]
    return Totals(
        calls=sum(one.calls for one in parts),
        tokens_in=sum(one.tokens_in for one in parts),
        tokens_out=sum(one.tokens_out for one in parts),
        cost=sum(one.cost for one in parts),
    )


def _weighed(one: WeighedVersion) -> WeighedText:
    found, other = one.coherence, one.difference
    return WeighedText(
        text=one.name,
        likelihood=round(found.likelihood, 4),
        gain=round(found.gain, 4),
        tokens=found.tokens,
        shared=other.paragraphs if other else None,
        difference=round(other.mean, 4) if other else None,
        low=round(other.low, 4) if other and other.low is not None else None,
        high=round(other.high, 4) if other and other.high is not None else None,
    )


def _line(one: WeighedVersion) -> str:
    gain = f"{one.coherence.gain:+.3f} by what stands before  {one.name}"
    found = one.difference
    if found is None:
        return gain
    interval = (
        f" ({found.low:+.3f} to {found.high:+.3f})"
        if found.low is not None and found.high is not None
        else ""
    )
    shared = f"{found.paragraphs:,} shared paragraphs are {found.mean:+.3f}{interval}"
    return f"{gain}; its {shared} likelier in the first"
