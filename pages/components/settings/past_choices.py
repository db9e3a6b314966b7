"""The writer's choices compared with the scores, and weights that would fit them better."""

from __future__ import annotations

import streamlit as st

from graph_flow.scoring.preferences import LEAST_CHOICES, PastChoices, RulePreference
from pages.components import places
from pages.components.settings import strings
from pages.components.settings.rules import change_rules
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench


def show(story_id: str) -> None:
    """Show how often the writer agreed with the scores, rule by rule, with a suggestion."""
    past = workbench().scoring.past_choices(story_id)
    if not past.choices:
        st.markdown(strings.CHOICES_MISSING)
        places.link("plot", strings.CHOICES_GO_TO_PLOT, icon=":material/account_tree:")
        return
    st.markdown(strings.choices_agreed(past.agreed, past.choices))
    _table(past)
    _suggestion(story_id, past)


def _table(past: PastChoices) -> None:
    now, then = _shares(past, suggested=False), _shares(past, suggested=True)
    differs = any(rule.difference is not None for rule in past.rules)
    rows = [
        {
            strings.CHOICES_RULE: plain(said(rule.name)),
            strings.CHOICES_NOW: now[rule.key],
            **({strings.CHOICES_SUGGESTED: then[rule.key]} if past.suggested else {}),
            **({strings.CHOICES_DIFFERENCE: _difference(rule)} if differs else {}),
        }
        for rule in past.rules
        if rule.weight or rule.difference is not None
    ]
    if rows:
        st.table(rows, border="horizontal", hide_index=True)
    if differs:
        st.caption(strings.CHOICES_DIFFERENCE_ABOUT)


def _suggestion(story_id: str, past: PastChoices) -> None:
    if past.choices < LEAST_CHOICES:
        st.caption(strings.weights_later(LEAST_CHOICES))
    elif past.agreed_then is None:
        st.caption(strings.WEIGHTS_FIT)
    else:
        st.markdown(strings.weights_suggested(past.agreed_then, past.agreed_now))
        st.button(
            strings.WEIGHTS_USE,
            type="primary",
            icon=":material/balance:",
            key="use-weights",
            on_click=_use,
            args=(story_id, past.suggested),
        )


def _use(story_id: str, weights: dict[str, float]) -> None:
    change_rules(
        story_id,
        strings.WEIGHTS_USED,
        lambda story: workbench().scoring.weigh_rules(story, weights),
    )


def _shares(past: PastChoices, *, suggested: bool) -> dict[str, str]:
    """Return the share of the total that each rule has, as text."""
    weights = past.suggested if suggested else {rule.key: rule.weight for rule in past.rules}
    whole = sum(weights.values())
    return {
        key: strings.share(weight / whole) if weight else strings.RULE_OFF
        for key, weight in weights.items()
    }


def _difference(rule: RulePreference) -> str:
    """Return a difference with its sign; empty if none is known."""
    if rule.difference is None:
        return ""
    points = round(rule.difference, 1)
    return f"{points:+.1f}".replace("-", "−") if points else "0"
