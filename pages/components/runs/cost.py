"""What calls used, in a writer's words, and what a story has used so far."""

from __future__ import annotations

import streamlit as st

from graph_flow.views import RunEstimate
from pages.components.runs import strings
from pages.components.words import clock, plain
from pages.serving.services import workbench
from store.models.run import Caps, Spending, Totals


def chapter_name(chapter: int) -> str:
    """Return the name of a chapter on the Cost page; 0 is what came before the first."""
    return strings.chapter_name(chapter) if chapter else strings.BEFORE_FIRST_CHAPTER


def money(amount: float, digits: int | None = None) -> str:
    """Return money as a page shows it; an amount below a cent is not rounded to nothing.

    `digits` fixes the number of decimals, so the amounts in a table look alike.
    """
    if digits is None:
        digits = 4 if 0 < amount < 0.01 else 2
    return f"{amount:,.{digits}f}"


def facts(totals: Totals) -> str:
    """Return calls, tokens, time and money in one line. Not Markdown."""
    said = [
        strings.calls_made(totals.calls),
        strings.tokens_used(totals.tokens_in, totals.tokens_out),
        strings.model_time(clock(totals.milliseconds / 1000)),
    ]
    if totals.cost:
        said.append(strings.at_your_prices(money(totals.cost)))
    return " · ".join(said)


def trouble(spending: Spending) -> str:
    """Say how many calls failed or had to be repeated; empty if all went well."""
    return strings.trouble(spending.failed, spending.repeated)


def used_of(totals: Totals, allowed: Caps) -> str:
    """Return what a run has used, out of its caps if it has any. Not Markdown."""
    tokens = totals.tokens_in + totals.tokens_out
    said = [
        strings.calls_out_of(totals.calls, allowed.calls),
        strings.tokens_out_of(tokens, allowed.tokens),
    ]
    if totals.cost or allowed.cost:
        most = money(allowed.cost) if allowed.cost else ""
        said.append(strings.money_out_of(money(totals.cost), most))
    return " · ".join(said)


def estimate_facts(estimate: RunEstimate) -> str:
    """Return the tokens that a run is likely to take. Not Markdown."""
    return strings.tokens_expected(estimate.tokens_in, estimate.tokens_out)


def show(branch: str) -> None:
    """Show calls, tokens, time and money of a branch."""
    totals = workbench().ledger.totals(branch=branch)
    if not totals.calls:
        st.caption(strings.USED_NOTHING)
        return
    st.markdown(plain(facts(totals)))
