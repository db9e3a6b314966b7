"""What the agents were given: for each call its prompt, what was left out of it, and the answer."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from graph_flow.prompting.sources import EXAMPLE
from graph_flow.views import PromptRecord, Stage
from pages.components.runs import strings
from pages.components.words import clock, plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.run import Outcome, PromptSource
from store.text import capital


def show(branch: str, chapter: int, stage: Stage, part: str = "") -> None:
    """Show, folded, what the agents were given for a chapter; nothing is read until it is opened.

    `part` distinguishes several of these on one page.
    """
    # There is no icon: Streamlit would show it in place of the arrow that says that this opens.
    with st.expander(
        strings.calls_heading(part),
        key=f"told-{stage}-{chapter}",
        on_change="rerun",
    ) as folded:
        if folded.open:
            gone = workbench().prompts.summed_up(branch, chapter)
            records = workbench().story.prompts(branch, chapter, stage)
            if gone:
                st.caption(strings.calls_summed_up(gone))
            elif not records:
                st.caption(strings.CALLS_NONE)
            if records:
                _calls(records, f"{stage}-{chapter}")


def _calls(records: Sequence[PromptRecord], key: str) -> None:
    labels = {view.id: label for label, view in labels_of(records).items()}
    by_id = {view.id: view for view in records}
    chosen = st.selectbox(
        strings.CALL,
        list(labels),
        format_func=lambda call: labels.get(call, "?"),
        key=f"told-to-{key}",
    )
    if chosen in by_id:
        _call(by_id[chosen], key)


def labels_of(records: Sequence[PromptRecord]) -> dict[str, PromptRecord]:
    """Return calls by their labels for the writer; no two labels are alike."""
    seen: Counter[str] = Counter()
    labels = {}
    for view in records:
        name = f"{view.words} · {view.about}" if view.about else view.words
        seen[name] += 1
        labels[name if seen[name] == 1 else strings.call_repeated(name, seen[name])] = view
    return labels


def _call(view: PromptRecord, key: str) -> None:
    if view.outcome is not Outcome.OK:
        st.markdown(f":orange[{strings.OUTCOMES[view.outcome]} {plain(said(view.problem))}]")
    with st.container(key=f"heard-{key}"):
        st.markdown(f"**{strings.GIVEN}**")
        st.markdown(as_paragraphs(asked(view.prompt, view.sources)))
        st.markdown(f"**{strings.ANSWERED}**")
        st.markdown(as_said(view.answer) or strings.ANSWERED_NOTHING)
    if view.sources:
        st.markdown(f"**{strings.SOURCES}**")
        st.markdown(source_table(view.sources))
    st.markdown(f"**{strings.CALL_COST}**")
    st.markdown(plain(_cost(view)))
    if st.toggle(strings.WORD_FOR_WORD, key=f"word-{key}"):
        st.markdown(f"**{strings.PROMPT}**")
        st.code(view.prompt, language=None, wrap_lines=True, height=320)
        st.markdown(f"**{strings.ANSWER}**")
        st.code(view.answer or strings.ANSWER_NONE, language=None, wrap_lines=True)


def source_table(sources: Sequence[PromptSource]) -> str:
    """Return a Markdown table of the parts of a prompt, with what was left out and their length."""
    rows = [
        f"| {plain(said(source.name))} | {source.lines:,} | {_left_out(source)} | {source.tokens:,} |"
        for source in sources
    ]
    head = (
        f"| {strings.SOURCE_NAME} | {strings.SOURCE_LINES} | {strings.SOURCE_LEFT_OUT} "
        f"| {strings.SOURCE_TOKENS} |"
    )
    return "\n".join([head, "|:--|--:|--:|--:|", *rows])


def _left_out(source: PromptSource) -> str:
    return f"{source.left_out:,}" if source.left_out else "–"


def _cost(view: PromptRecord) -> str:
    said = [
        strings.call_tokens(view.tokens_in, view.tokens_out),
        clock(view.milliseconds / 1000),
    ]
    if view.cost:
        said.append(strings.at_your_prices(f"{view.cost:,.4f}"))
    return " · ".join(said)


_SPEAKER = re.compile(r"^\[(system|user|assistant)\]$\n?", re.MULTILINE)
_LABEL = re.compile(r"(?P<label>[^\s:.!?][^:.!?]{1,38}):(?P<rest>\s.*|)$")
_DEEPEST = 3


def asked(prompt: str, sources: Sequence[PromptSource]) -> str:
    """Return what a prompt says of the story, without instructions and worked examples."""
    speakers_and_words = _SPEAKER.split(prompt)[1:]
    turns = list(zip(speakers_and_words[::2], speakers_and_words[1::2], strict=True))
    given = [words.strip() for speaker, words in turns if speaker != "system"]
    examples = 2 * sum(source.lines for source in sources if source.name == EXAMPLE)
    return "\n".join(given[examples:] if len(given) > examples else given) or prompt.strip()


def as_paragraphs(text: str) -> str:
    """Return Markdown with a paragraph for each line, and labels at the start of lines in bold."""
    found: list[str] = []
    was_listed = False
    for line in filter(None, map(str.strip, text.splitlines())):
        is_listed = line.startswith("- ")
        if found and not (is_listed and was_listed):
            found.append("")
        found.append(f"{'- ' if is_listed else ''}{_with_label(line.removeprefix('- '))}")
        was_listed = is_listed
    return "\n".join(found)


def as_said(answer: str) -> str:
    """Return an answer as Markdown: a structured one as a list, any other as it is."""
    try:
        said = json.loads(answer)
    except (ValueError, RecursionError):
        said = None
    if isinstance(said, dict) and said:
        return "\n".join(_lines(said, 0))
    return as_paragraphs(answer)


def _with_label(line: str) -> str:
    found = _LABEL.match(line)
    if found is None:
        return plain(line)
    return f"**{plain(found['label'])}:** {plain(found['rest'])}".strip()


def _lines(said: Mapping[str, object], depth: int) -> list[str]:
    """Return a list in Markdown, with nested values in lists of their own."""
    found = []
    for name, value in said.items():
        head = f"{'  ' * depth}- **{_label(name)}:**"
        beneath: list[str] = []
        if isinstance(value, dict) and depth < _DEEPEST and _is_nested(value.values()):
            beneath = _lines(value, depth + 1)
        elif isinstance(value, list) and _is_nested([value]):
            beneath = [f"{'  ' * (depth + 1)}- {_inline(one, depth)}" for one in value]
        found += [head, *beneath] if beneath else [f"{head} {_inline(value, depth)}"]
    return found


def _is_nested(values: Iterable[object]) -> bool:
    """Return whether any of these values holds more than words, numbers, or a list of them."""
    lists = (value if isinstance(value, list) else [value] for value in values)
    return any(isinstance(one, dict | list) for several in lists for one in several)


def _inline(value: object, depth: int) -> str:
    if depth > _DEEPEST and isinstance(value, dict | list):
        return "…"
    if isinstance(value, dict):
        parts = {name: _inline(one, depth + 1) for name, one in value.items() if one != []}
        return " · ".join(f"{_label(name)}: {words}" for name, words in parts.items()) or "–"
    if isinstance(value, list):
        return ", ".join(_inline(one, depth + 1) for one in value) or "–"
    if isinstance(value, bool):
        return strings.YES if value else strings.NO
    return plain(str(value)) or "–"


def _label(name: str) -> str:
    words = name.replace("_", " ").strip()
    return plain(capital(words)) or "–"
