"""What calls used, in a writer's words, and what a story has used so far."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import RunEstimate
from pages.components.services import workbench
from pages.components.words import clock, counted, plain
from store.models.run import Caps, Spending, Totals


def chapter_name(chapter: int) -> str:
    """Return the name of a chapter on the Cost page; 0 is what came before the first."""
    return f"Chapter {chapter:,}" if chapter else "Before the first chapter"


def money(amount: float, digits: int | None = None) -> str:
    """Return money as a page shows it; an amount below a cent is not rounded to nothing.

    `digits` fixes the number of decimals, so the amounts in a table look alike.
    """
    if digits is None:
        digits = 4 if 0 < amount < 0.01 else 2
    return f"{amount:,.{digits}f}"


def facts(totals: Totals) -> str:
    """Return calls, tokens, time and money in one line. Not Markdown."""
    tokens = f"{totals.tokens_in:,} tokens in, {totals.tokens_out:,} out"
    time = f"{clock(totals.milliseconds / 1000)} of model time"
    cost = f" · {money(totals.cost)} at your prices" if totals.cost else ""
    return f"{counted(totals.calls, 'call', 'calls')} · {tokens} · {time}{cost}"


def trouble(spending: Spending) -> str:
    """Say how many calls failed or had to be repeated; empty if all went well."""
    said = []
    if spending.failed:
        said.append(f"{counted(spending.failed, 'call', 'calls')} got no answer")
    if spending.repeated:
        said.append(
            f"{counted(spending.repeated, 'answer', 'answers')} could not be used "
            "and had to be asked for again"
        )
    return f"{' and '.join(said)}. What they used is counted." if said else ""


def used_of(totals: Totals, allowed: Caps) -> str:
    """Return what a run has used, out of its caps if it has any. Not Markdown."""
    tokens = totals.tokens_in + totals.tokens_out
    said = [
        f"{totals.calls:,}{_of(allowed.calls)} calls",
        f"{tokens:,}{_of(allowed.tokens)} tokens",
    ]
    if totals.cost or allowed.cost:
        most = f" of {money(allowed.cost)}" if allowed.cost else ""
        said.append(f"{money(totals.cost)}{most} at your prices")
    return " · ".join(said)


def estimate_facts(estimate: RunEstimate) -> str:
    """Return the tokens that a run is likely to take. Not Markdown."""
    return f"About {estimate.tokens_in:,} tokens in and {estimate.tokens_out:,} out."


def _of(most: int | None) -> str:
    return f" of {most:,}" if most else ""


def show(branch: str) -> None:
    """Show calls, tokens, time and money of a branch."""
    totals = workbench().ledger.totals(branch=branch)
    if not totals.calls:
        st.caption("Nothing has been used yet.")
        return
    st.markdown(plain(facts(totals)))
