"""What the writer chose against what the scores said, and weights that would say it better."""

from __future__ import annotations

import streamlit as st

from graph_flow.scoring.preferences import LEAST_CHOICES, PastChoices, RuleTaste
from pages.components import places
from pages.components.services import workbench
from pages.components.settings.rules import change_rules
from pages.components.words import counted, plain


def show(story_id: str) -> None:
    """Show how often the writer chose as the scores did, rule by rule, with a suggestion."""
    told = workbench().scoring.past_choices(story_id)
    if not told.choices:
        st.markdown(
            "When you choose among the candidates of a chapter, you see here how your choices "
            "compare with the scores, and which weights would fit them better."
        )
        places.link("plot", "Go to the plot", icon=":material/account_tree:")
        return
    chapters = counted(told.choices, "chapter", "chapters")
    st.markdown(f"You chose as the scores did in **{told.agreed}** of {chapters}.")
    _table(told)
    _suggestion(story_id, told)


def _table(told: PastChoices) -> None:
    now, then = _shares(told, suggested=False), _shares(told, suggested=True)
    differs = any(rule.difference is not None for rule in told.rules)
    rows = [
        {
            "Rule": plain(rule.name),
            "Now": now[rule.key],
            **({"Suggested": then[rule.key]} if told.suggested else {}),
            **({"Your choices": _difference(rule)} if differs else {}),
        }
        for rule in told.rules
        if rule.weight or rule.difference is not None
    ]
    if rows:
        st.table(rows, border="horizontal", hide_index=True)
    if differs:
        st.caption(
            "“Your choices”: by how many points of five what you chose is above what the scores "
            "preferred, on average of the chapters in which you chose something else."
        )


def _suggestion(story_id: str, told: PastChoices) -> None:
    if told.choices < LEAST_CHOICES:
        st.caption(
            f"From {LEAST_CHOICES} chapters on, weights that fit your choices are suggested."
        )
    elif told.agreed_then is None:
        st.caption("No weights near the present ones would fit more of your choices.")
    else:
        st.markdown(
            f"The suggested weights agree with **{told.agreed_then}** of your choices, "
            f"the present ones with {told.agreed_now}."
        )
        st.button(
            "Use these weights",
            type="primary",
            icon=":material/balance:",
            key="use-weights",
            on_click=_use,
            args=(story_id, told.suggested),
        )


def _use(story_id: str, weights: dict[str, float]) -> None:
    change_rules(
        story_id,
        "The suggested weights are in use.",
        lambda story: workbench().scoring.weigh_rules(story, weights),
    )


def _shares(told: PastChoices, *, suggested: bool) -> dict[str, str]:
    """Return what part of the whole each rule counts for, in words."""
    weights = told.suggested if suggested else {rule.key: rule.weight for rule in told.rules}
    whole = sum(weights.values())
    return {
        key: f"{100 * weight / whole:.0f}\N{NO-BREAK SPACE}%" if weight else "off"
        for key, weight in weights.items()
    }


def _difference(rule: RuleTaste) -> str:
    """Return a difference with its sign; empty where none is known."""
    if rule.difference is None:
        return ""
    points = round(rule.difference, 1)
    return f"{points:+.1f}".replace("-", "−") if points else "0"
