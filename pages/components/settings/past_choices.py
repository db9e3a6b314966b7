"""The writer's choices compared with the scores, and weights that would fit them better."""

from __future__ import annotations

import streamlit as st

from graph_flow.scoring.preferences import LEAST_CHOICES, PastChoices, RulePreference
from pages.components import places
from pages.components.services import workbench
from pages.components.settings.rules import change_rules
from pages.components.words import counted, plain


def show(story_id: str) -> None:
    """Show how often the writer agreed with the scores, rule by rule, with a suggestion."""
    past = workbench().scoring.past_choices(story_id)
    if not past.choices:
        st.markdown(
            "Once you have chosen among a chapter’s candidates, this shows how your choices compare "
            "with the scores, and which weights would fit them better."
        )
        places.link("plot", "Go to the plot", icon=":material/account_tree:")
        return
    chapters = counted(past.choices, "chapter", "chapters")
    st.markdown(f"You agreed with the scores in **{past.agreed}** of {chapters}.")
    _table(past)
    _suggestion(story_id, past)


def _table(past: PastChoices) -> None:
    now, then = _shares(past, suggested=False), _shares(past, suggested=True)
    differs = any(rule.difference is not None for rule in past.rules)
    rows = [
        {
            "Rule": plain(rule.name),
            "Now": now[rule.key],
            **({"Suggested": then[rule.key]} if past.suggested else {}),
            **({"Your choices": _difference(rule)} if differs else {}),
        }
        for rule in past.rules
        if rule.weight or rule.difference is not None
    ]
    if rows:
        st.table(rows, border="horizontal", hide_index=True)
    if differs:
        st.caption(
            "“Your choices”: how many points out of five your choice is above the one that the "
            "scores preferred, averaged over the chapters in which the two differ."
        )


def _suggestion(story_id: str, past: PastChoices) -> None:
    if past.choices < LEAST_CHOICES:
        st.caption(
            f"After {LEAST_CHOICES} chapters, weights that fit your choices will be suggested."
        )
    elif past.agreed_then is None:
        st.caption("No weights close to the current ones would fit more of your choices.")
    else:
        st.markdown(
            f"The suggested weights agree with **{past.agreed_then}** of your choices, "
            f"the current ones with {past.agreed_now}."
        )
        st.button(
            "Use these weights",
            type="primary",
            icon=":material/balance:",
            key="use-weights",
            on_click=_use,
            args=(story_id, past.suggested),
        )


def _use(story_id: str, weights: dict[str, float]) -> None:
    change_rules(
        story_id,
        "The suggested weights are in use.",
        lambda story: workbench().scoring.weigh_rules(story, weights),
    )


def _shares(past: PastChoices, *, suggested: bool) -> dict[str, str]:
    """Return the share of the total that each rule has, as text."""
    weights = past.suggested if suggested else {rule.key: rule.weight for rule in past.rules}
    whole = sum(weights.values())
    return {
        key: f"{100 * weight / whole:.0f}\N{NO-BREAK SPACE}%" if weight else "off"
        for key, weight in weights.items()
    }


def _difference(rule: RulePreference) -> str:
    """Return a difference with its sign; empty if none is known."""
    if rule.difference is None:
        return ""
    points = round(rule.difference, 1)
    return f"{points:+.1f}".replace("-", "−") if points else "0"
