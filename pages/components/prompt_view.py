"""What the agents were told: for each call what it heard, what was left out, and what came back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from graph_flow.views import Stage, ToldView
from pages.components import prompt_words
from pages.components.services import workbench
from pages.components.text import clock, plain
from pages.components.wording import counted
from store.models.run import Outcome, PromptSource

_OUTCOMES = {
    Outcome.TRUNCATED: "The answer was cut off.",
    Outcome.UNUSABLE: "The answer could not be used.",
    Outcome.FAILED: "No answer came.",
}


def show(branch: str, chapter: int, stage: Stage, words: str = "") -> None:
    """Show, folded, what the agents were told for a chapter; nothing is read until it is opened.

    `words` say of what, where more than one stands on a page.
    """
    label = "What the agents were told"
    with st.expander(
        f"{words}: {label[0].lower()}{label[1:]}" if words else label,
        icon=":material/forum:",
        key=f"told-{stage}-{chapter}",
        on_change="rerun",
    ) as folded:
        if folded.open:
            _calls(workbench().prompts(branch, chapter, stage), f"{stage}-{chapter}")


def _calls(told: Sequence[ToldView], key: str) -> None:
    if not told:
        st.caption("Nothing yet. Here you can read what each agent was given, once one has spoken.")
        return
    labels = labels_of(told)
    chosen = st.selectbox("Who was told", list(labels), key=f"told-to-{key}")
    if chosen in labels:
        _call(labels[chosen], key)


def labels_of(told: Sequence[ToldView]) -> dict[str, ToldView]:
    """Return calls by what a writer calls them; no two are called alike."""
    seen: Counter[str] = Counter()
    labels = {}
    for view in told:
        name = f"{view.words} · {view.about}" if view.about else view.words
        seen[name] += 1
        labels[name if seen[name] == 1 else f"{name} · time {seen[name]}"] = view
    return labels


def _call(view: ToldView, key: str) -> None:
    if view.outcome is not Outcome.OK:
        st.markdown(f":orange[{_OUTCOMES[view.outcome]} {plain(view.problem)}]")
    with st.container(key=f"heard-{key}"):
        st.markdown("**What it was told**")
        st.markdown(prompt_words.as_paragraphs(prompt_words.asked(view.prompt, view.sources)))
        st.markdown("**What it said**")
        st.markdown(prompt_words.as_said(view.answer) or "Nothing.")
    if view.sources:
        st.markdown("**What went in**")
        st.markdown(source_table(view.sources))
    st.markdown("**Cost**")
    st.markdown(plain(_cost(view)))
    if st.toggle("Word for word, with the instructions and the worked example", key=f"word-{key}"):
        st.markdown("**The prompt**")
        st.code(view.prompt, language=None, wrap_lines=True, height=320)
        st.markdown("**The answer**")
        st.code(view.answer or "(none)", language=None, wrap_lines=True)


def source_table(sources: Sequence[PromptSource]) -> str:
    """Return Markdown: what a prompt was made of, what of it was left out, and how long it is."""
    rows = [
        f"| {plain(source.name)} | {source.lines:,} | {_left_out(source)} | {source.tokens:,} |"
        for source in sources
    ]
    head = ["| From | Lines | Left out | Cost in tokens |", "|:--|--:|--:|--:|"]
    return "\n".join([*head, *rows])


def _left_out(source: PromptSource) -> str:
    return f"{source.left_out:,}" if source.left_out else "–"


def _cost(view: ToldView) -> str:
    tokens = f"{counted(view.tokens_in, 'token', 'tokens')} in, {view.tokens_out:,} out"
    price = f" · {view.cost:,.4f} at your prices" if view.cost else ""
    return f"{tokens} · {clock(view.milliseconds / 1000)}{price}"
