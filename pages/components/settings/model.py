"""Which model writes: the sample model, a model file, or the writer's own endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Literal, NamedTuple

import streamlit as st
from pydantic import ValidationError

from graph_flow.agents import agent_label
from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from graph_flow.views import ModelUse
from pages.components import notices, words
from pages.components.settings import strings
from pages.components.settings.endpoint import (
    EndpointFields,
    FieldsRefused,
    choose_strength,
    endpoint_from,
    hide_key,
    keep_outcome,
    refuse_key,
    show_fields,
    show_line,
    show_outcome,
    try_connection,
)
from pages.components.words import plain
from pages.components.words.messages import said
from pages.components.words.speaking import labelled
from pages.serving.services import workbench
from store.errors import StoreError
from store.models.endpoint import Endpoint, ModelSettings, ModelStrength


class Source(StrEnum):
    """Where the model is."""

    ENVIRONMENT = "environment"
    SAMPLE = "sample"
    FILE = "file"
    OWN = "own"


class FileFields(NamedTuple):
    """The fields of a model file, as typed."""

    path: str
    strength: ModelStrength


Chosen = EndpointFields | FileFields | Literal[Source.SAMPLE, Source.ENVIRONMENT]
"""An endpoint, a model file, or what needs no fields."""

_PLACE = "model"
_FILE_PLACE = "model-file"


def show() -> None:
    """Show the model in use, and fields to choose another."""
    stored = workbench().models.settings()
    st.markdown(in_use(workbench().models.uses()))
    named = workbench().models.usual()
    sources, about = _choices(named)
    now = source_of(stored, has_environment=named is not None)
    key, index = labelled("model-source", list(sources), now)
    source = st.radio(
        strings.SOURCE,
        list(sources),
        index=index,
        format_func=sources.__getitem__,
        captions=list(about.values()),
        key=key,
    )
    with st.form("model", border=False):
        chosen = _fields(Source(source), stored)
        with st.container(horizontal=True):
            is_saved = st.form_submit_button(
                strings.MODEL_SAVE, type="primary", on_click=hide_key, args=(_PLACE,)
            )
            is_tested = st.form_submit_button(
                strings.CONNECTION_TEST, on_click=hide_key, args=(_PLACE,)
            )
    show_outcome(_PLACE)
    if is_saved or is_tested:
        _submit(chosen, stored, is_test=is_tested)


def in_use(uses: Sequence[ModelUse]) -> str:
    """Return Markdown that says which models are in use and, if several, by which agents."""
    if len(uses) == 1:
        return strings.model_in_use(plain(said(uses[0].label)))
    usual_last = sorted(uses, key=lambda use: use.is_usual)
    lines = [f"- {strings.model_used_by(plain(said(use.label)), _who(use))}" for use in usual_last]
    return "\n".join([strings.MODELS_IN_USE, *lines])


def _who(use: ModelUse) -> str:
    if use.is_usual:
        return strings.OTHER_AGENTS
    return plain(" · ".join(said(agent_label(one)) for one in use.agents))


def source_of(settings: ModelSettings, *, has_environment: bool = False) -> Source:
    """Return where the model is, according to the settings and the environment."""
    if settings.endpoint is not None:
        return Source.OWN
    if has_environment and not settings.is_embedded:
        return Source.ENVIRONMENT
    return Source.FILE if settings.model_file else Source.SAMPLE


def settings_from(chosen: Chosen, stored: ModelSettings) -> ModelSettings:
    """Return the settings for what was chosen: an endpoint, a model file, or the sample model.

    Raises:
        FieldsRefused: if they cannot be saved.
        ValidationError: if a number is out of its range.
    """
    if isinstance(chosen, EndpointFields):
        endpoint = endpoint_from(chosen, stored.endpoint)
        return stored.model_copy(update={"endpoint": endpoint, "is_embedded": False})
    if isinstance(chosen, Source):
        is_sample = chosen is Source.SAMPLE
        return stored.model_copy(
            update={"endpoint": None, "model_file": "", "is_embedded": is_sample}
        )
    file = Path(chosen.path.strip()).expanduser()
    if not file.is_file():
        raise FieldsRefused(strings.MODEL_FILE_MISSING)
    if file.suffix.casefold() != ".gguf":
        raise FieldsRefused(strings.MODEL_FILE_UNSUITABLE)
    return stored.model_copy(
        update={
            "endpoint": None,
            "is_embedded": True,
            "model_file": str(file),
            "file_strength": chosen.strength,
        }
    )


def _choices(named: str | None) -> tuple[dict[Source, str], dict[Source, str]]:
    """Return the label and the description of each choice.

    `named` is the model that the environment names, if it names one.
    """
    sources = {
        Source.SAMPLE: strings.SOURCE_SAMPLE,
        Source.FILE: strings.SOURCE_FILE,
        Source.OWN: strings.SOURCE_OWN,
    }
    about = {
        Source.SAMPLE: strings.SOURCE_SAMPLE_ABOUT,
        Source.FILE: strings.SOURCE_FILE_ABOUT,
        Source.OWN: strings.SOURCE_OWN_ABOUT,
    }
    if named is None:
        return sources, about
    environment = {Source.ENVIRONMENT: strings.SOURCE_ENVIRONMENT}
    of_environment = {Source.ENVIRONMENT: strings.source_environment_about(plain(said(named)))}
    return environment | sources, of_environment | about


def _fields(source: Source, stored: ModelSettings) -> Chosen:
    if source is Source.SAMPLE or source is Source.ENVIRONMENT:
        return source
    if source is Source.FILE:
        path = show_line(_PLACE, "file", stored.model_file)
        return FileFields(path, choose_strength(stored.file_strength, _FILE_PLACE))
    return show_fields(stored.endpoint or Endpoint(base_url="", model=""), _PLACE)


def _submit(chosen: Chosen, stored: ModelSettings, *, is_test: bool) -> None:
    try:
        refuse_key()
        settings = settings_from(chosen, stored)
        if is_test:
            _test(settings, stored)
        else:
            workbench().models.change_settings(lambda now: settings_from(chosen, now))
            notices.keep("done", strings.MODEL_SAVED)
    except ValidationError as error:
        keep_outcome(_PLACE, words.problem_of(error))
    except (FieldsRefused, StoreError, WorkbenchError, ModelError) as error:
        keep_outcome(_PLACE, str(error))
    st.rerun()


def _test(settings: ModelSettings, stored: ModelSettings) -> None:
    if settings.endpoint is None and settings != stored:
        raise FieldsRefused(strings.MODEL_UNSAVED)
    try_connection(settings.endpoint, _PLACE)
