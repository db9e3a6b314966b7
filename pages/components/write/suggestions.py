"""What agents suggest for the text in the editor: handed to it, and asked for, taken or left by it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from streamlit.components.v2.types import ComponentRenderer

from graph_flow.errors import WorkbenchError
from graph_flow.views import SideState
from graph_flow.workbench.beside.suggestions import Spot, SuggestionSeen
from pages.components import words
from pages.components.fields.memory import values
from pages.components.fields.prose_editor import Paper
from pages.components.runs.panel import look_again
from pages.components.words import clock
from pages.components.words.messages import said
from pages.components.write import strings
from pages.serving.services import workbench
from store.errors import StoreError
from store.models.desk.suggestion import WISH_LIMIT, SuggestionKind

_SCRIPT = Path(__file__).parents[3] / "assets" / "editor" / "offers.js"
_SECONDS_BETWEEN_LOOKS = 0.4


class _Act(BaseModel):
    """What the writer did with a suggestion in the editor, or asked for."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    what: Literal["ask", "again", "option", "take", "leave", "stop"]
    id: Annotated[str, Field(max_length=64)] = ""
    kind: SuggestionKind = SuggestionKind.REWRITE
    wish: Annotated[str, Field(max_length=2 * WISH_LIMIT)] = ""
    option: int = 0
    spot: Spot = Spot(0, 0, 0)
    number: Annotated[int, Field(ge=0, lt=2**53)]


def show(branch: str, chapter: int, paper: Paper) -> None:
    """Hand the suggestions for a chapter to its editor; while one is coming, again and again."""
    is_coming = any(_is_coming(one) for one in workbench().suggestions.of(branch, chapter))
    look_again(
        lambda: _look(branch, chapter, paper, is_watched=is_coming),
        "write",
        _SECONDS_BETWEEN_LOOKS if is_coming else None,
    )


def _look(branch: str, chapter: int, paper: Paper, *, is_watched: bool) -> None:
    found = workbench().suggestions.of(branch, chapter)
    key = f"{paper.key}-offers"
    _offers()(
        key=key,
        data={
            "field": paper.key,
            "words": strings.OF_SUGGESTIONS,
            "about": words.estimate_words(workbench().suggestions.estimate(branch)),
            "shown": [_shown(one) for one in found],
            "problem": st.session_state.get(f"{key}-problem"),
            "heard": _heard(key),
        },
        on_acts_change=lambda: _take_in(branch, chapter, key),
    )
    if is_watched != any(_is_coming(one) for one in found):
        st.rerun()


def _is_coming(seen: SuggestionSeen) -> bool:
    return seen.work is not None and seen.work.state is SideState.WORKING


def _shown(seen: SuggestionSeen) -> dict[str, object]:
    one, work = seen.suggestion, seen.work
    is_coming = _is_coming(seen)
    is_empty = not (one.text or one.options)
    ended = said(work.message) if work and not is_coming else ""
    unsaid = strings.SUGGESTION_UNANSWERED if is_empty and not one.doubt else ""
    return {
        "id": one.id,
        "label": strings.OF_SUGGESTIONS[one.kind.value],
        "quote": one.quote,
        "before": one.before,
        "at": one.at,
        "text": one.text,
        "options": list(one.options),
        "doubt": "" if is_coming else ended or said(one.doubt) or unsaid,
        "coming": is_coming,
        "partial": work.text if work and is_coming else "",
        "doing": _doing(seen),
    }


def _doing(seen: SuggestionSeen) -> str:
    if seen.work is None or not _is_coming(seen):
        return ""
    doing = strings.SUGGESTION_WRITING if seen.work.text else strings.SUGGESTION_READING
    return f"{said(seen.work.trouble) or doing} · {clock(seen.work.seconds)}"


def _take_in(branch: str, chapter: int, key: str) -> None:
    """Do what the editor asks for and has not been heard of yet; what cannot be done is said there.

    The editor tells everything again until it has been heard.
    """
    acts = (values().get(key) or {}).get("acts")
    for one in acts if isinstance(acts, list) else ():
        try:
            act = _Act.model_validate(one)
        except ValidationError:
            continue
        if act.number <= _heard(key):
            continue
        st.session_state[f"{key}-heard"] = act.number
        st.session_state.pop(f"{key}-problem", None)
        try:
            _do(branch, chapter, act)
        except (WorkbenchError, StoreError) as problem:
            st.session_state[f"{key}-problem"] = {"words": said(str(problem)), "number": act.number}


def _heard(key: str) -> int:
    """Return the number of the newest act that was taken in."""
    heard: int = st.session_state.get(f"{key}-heard", 0)
    return heard


def _do(branch: str, chapter: int, act: _Act) -> None:
    suggestions = workbench().suggestions
    match act.what:
        case "ask":
            suggestions.ask(branch, chapter, act.spot, act.kind, act.wish)
        case "again":
            suggestions.ask_again(act.id, act.spot, act.wish)
        case "option":
            suggestions.go_on_with(act.id, act.option, act.spot)
        case "take":
            suggestions.take(act.id)
        case "leave":
            suggestions.leave(act.id)
        case "stop":
            suggestions.stop(act.id)


@st.cache_resource(show_spinner=False)
def _offers() -> ComponentRenderer:
    return st.components.v2.component(
        "tellwright_suggestions",
        html="<span hidden></span>",
        js=_SCRIPT.read_text("utf-8"),
        isolate_styles=False,
    )
