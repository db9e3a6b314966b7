"""The scoring rules of a story: weights, questions, scales; and the rules as a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from graph_flow.scoring.rules import Rules, shares
from pages.components.fields import autosave, downloads
from pages.components.fields.autosave import Box, bind, saver, text_box
from pages.components.fields.downloads import Download
from pages.components.fields.editing import with_fields
from pages.components.fields.keeping import show_problem
from pages.components.notices import attempt
from pages.components.settings import strings
from pages.components.words import plain
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.scoring import HIGHEST, ScoringRule

_HUNDRED = 100
_WEIGHT_WIDTH, _SHARE_WIDTH = 84, 44
"""Pixels."""


class _Before(NamedTuple):
    """The rules before the last change to several of them, and a description of that change."""

    words: str
    rules: Rules


def show(story_id: str) -> None:
    """Show the rules with their shares, and ways to edit and add them."""
    rules = workbench().scoring.rules(story_id)
    parts = shares(rules)
    st.caption(strings.RULES_ABOUT)
    if not any(parts.values()):
        st.warning(strings.RULES_ALL_OFF)
    for rule in rules:
        with st.container(border=True, gap="small", key=f"rule-card-{rule.key}"):
            _row(story_id, rule, parts[rule.key])
            if st.session_state.get(_open(story_id)) == rule.key:
                _fields(story_id, rule)
    _add(story_id)
    with st.container(horizontal=True):
        st.button(
            strings.RULES_RESTORE,
            icon=":material/settings_backup_restore:",
            key="restore-rules",
            on_click=change_rules,
            args=(story_id, strings.RULES_RESTORED, _restore),
        )


def change_rules(story_id: str, words: str, change: Callable[[str], object]) -> None:
    """Change several rules, say what was done, and keep the rules as they were for undoing."""
    before = workbench().scoring.rules(story_id)
    if attempt(lambda: change(story_id)):
        st.session_state[_kept(story_id)] = _Before(words, before)
        autosave.forget_unsaved(_prefix(story_id))


def offer_way_back(story_id: str) -> None:
    """Say what was last done to the rules, with a button that undoes it."""
    before: _Before | None = st.session_state.get(_kept(story_id))
    if before is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="rules-way-back"):
        st.markdown(f":green[:material/check:] {plain(before.words)}", width="content")
        st.button(
            strings.RULES_UNDO,
            icon=":material/undo:",
            type="tertiary",
            key="rules-take-back",
            on_click=_undo,
            args=(story_id, before.rules),
        )


def _row(story_id: str, rule: ScoringRule, share: float) -> None:
    is_open = st.session_state.get(_open(story_id)) == rule.key
    row = f"rule-row-{rule.key}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=row):
        question = f"  \n:gray[{plain(_said(rule, rule.question))}]" if rule.question else ""
        own = "" if rule.is_general else f" {strings.RULE_IS_OWN}"
        st.markdown(f"**{plain(_said(rule, rule.name))}**{own}{question}", width="stretch")
        with st.container(
            horizontal=True, vertical_alignment="center", gap="small", width="content"
        ):
            _weight(story_id, rule)
            part = strings.share(share) if rule.weight else f":gray[{strings.RULE_OFF}]"
            st.markdown(part, width=_SHARE_WIDTH)
            st.button(
                strings.RULE_CLOSE if is_open else strings.RULE_EDIT,
                key=f"{_prefix(story_id)}{rule.key}-open",
                icon=":material/expand_less:" if is_open else ":material/edit:",
                type="tertiary",
                help=strings.rule_edit_help(plain(_said(rule, rule.name))),
                on_click=_turn_to,
                args=(story_id, "" if is_open else rule.key),
            )


def _said(rule: ScoringRule, words: str) -> str:
    """Return words of a rule; those of a general one are ours, unless the writer has changed them."""
    return said(words) if rule.is_general else words


def _weight(story_id: str, rule: ScoringRule) -> None:
    _number(
        _Number(story_id, rule, "weight", strings.rule_weight(plain(_said(rule, rule.name)))),
        (0, _HUNDRED, round(rule.weight * _HUNDRED)),
        lambda hundredths: hundredths / _HUNDRED,
    )


def _fields(story_id: str, rule: ScoringRule) -> None:
    _text(story_id, rule, "name", strings.RULE_NAME)
    judge = rule.judge.spec
    if judge.about:
        st.caption(said(judge.about))
    if judge.is_agent:
        _text(story_id, rule, "question", strings.RULE_QUESTION)
    scale = st.columns([1, 2, 2])
    with scale[0]:
        _number(_Number(story_id, rule, "top", strings.RULE_TOP), (2, HIGHEST, rule.top), int)
    if judge.is_agent:
        with scale[1]:
            _text(story_id, rule, "low", strings.rule_score_means(1))
        with scale[2]:
            _text(story_id, rule, "high", strings.rule_score_means(rule.top))
    if not rule.is_general:
        st.button(
            strings.RULE_REMOVE,
            icon=":material/delete:",
            type="tertiary",
            key=f"{_prefix(story_id)}{rule.key}-out",
            on_click=_remove,
            args=(story_id, rule),
        )


class _Number(NamedTuple):
    story: str
    rule: ScoringRule
    field: str
    label: str


def _number(number: _Number, bounds: tuple[int, int, int], stored: Callable[[int], object]) -> None:
    """Show a field for a whole number in bounds; `stored` converts it for the store."""
    least, most, now = bounds
    key = f"{_prefix(number.story)}{number.rule.key}-{number.field}"
    bound = bind(key, now)

    def save(value: int) -> None:
        _save(number.story, number.rule.key, number.field, stored(value))

    is_weight = number.field == "weight"
    st.number_input(
        number.label,
        least,
        most,
        bound.value,
        step=5 if is_weight else 1,
        key=bound.key,
        label_visibility="collapsed" if is_weight else "visible",
        width=_WEIGHT_WIDTH if is_weight else "stretch",
        on_change=saver(key, bound, save),
    )
    show_problem(key)


def _text(story_id: str, rule: ScoringRule, field: str, label: str) -> None:
    def save(text: str) -> None:
        _save(story_id, rule.key, field, text)

    box = Box(f"{_prefix(story_id)}{rule.key}-{field}", label)
    text_box(box, getattr(rule, field), save)


def _save(story_id: str, key: str, field: str, value: object) -> None:
    workbench().scoring.change_rule(story_id, key, lambda rule: with_fields(rule, **{field: value}))
    # Undoing the earlier change would now undo this one too.
    st.session_state.pop(_kept(story_id), None)


def _add(story_id: str) -> None:
    added = int(st.session_state.get(_added(story_id), 0))
    with (
        st.form(f"add-rule-{added}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        name = st.text_input(
            strings.RULE_NEW,
            placeholder=strings.RULE_NEW_EXAMPLE,
            max_chars=80,
            key=f"new-rule-{added}",
        )
        if st.form_submit_button(strings.RULE_ADD, icon=":material/add:") and name.strip():
            _begin(story_id, name)


def _begin(story_id: str, name: str) -> None:
    """Add a rule and open it; a refused name stays in its field."""
    if attempt(lambda: workbench().scoring.add_rule(story_id, name)):
        st.session_state.pop(_kept(story_id), None)
        _turn_to(story_id, workbench().scoring.rules(story_id)[-1].key)
        st.session_state[_added(story_id)] = int(st.session_state.get(_added(story_id), 0)) + 1
    st.rerun()


def _remove(story_id: str, rule: ScoringRule) -> None:
    change_rules(
        story_id,
        strings.rule_removed(rule.name),
        lambda story: workbench().scoring.remove_rule(story, rule.key),
    )


def _restore(story_id: str) -> None:
    workbench().scoring.restore_rules(story_id)


def _undo(story_id: str, rules: Rules) -> None:
    if attempt(lambda: workbench().scoring.save_rules(story_id, rules)):
        st.session_state.pop(_kept(story_id), None)
        autosave.forget_unsaved(_prefix(story_id))


def _turn_to(story_id: str, key: str) -> None:
    st.session_state[_open(story_id)] = key


def _prefix(story_id: str) -> str:
    return f"rule-{story_id}-"


def _open(story_id: str) -> str:
    return f"open rule of {story_id}"


def _added(story_id: str) -> str:
    return f"rules added to {story_id}"


def _kept(story_id: str) -> str:
    return f"rules before in {story_id}"


_IMPORTED = "rules file taken in"
_LARGEST = 1
"""The most megabytes that a browser sends; the workbench limits the rules further."""


def show_exchange(story_id: str) -> None:
    """Show a button to download the rules, and a field for a file of rules."""
    scoring = workbench().scoring
    rules = Download(
        lambda: scoring.export_rules(story_id),
        strings.RULES_FILE_NAME,
        "application/json",
        about="rules",
    )
    downloads.button(strings.RULES_DOWNLOAD, rules, key="download-rules")
    file = st.file_uploader(
        strings.RULES_IMPORT,
        type="json",
        key=f"rules-file-{st.session_state.get(_IMPORTED, 0)}",
        max_upload_size=_LARGEST,
    )
    if file is not None:
        _import(story_id, file.getvalue())


def _import(story_id: str, content: bytes) -> None:
    """Import a file once: an empty field takes the place of the one that holds it."""
    st.session_state[_IMPORTED] = int(st.session_state.get(_IMPORTED, 0)) + 1
    change_rules(
        story_id,
        strings.RULES_IMPORTED,
        lambda story: workbench().scoring.import_rules(story, content),
    )
    st.rerun()
