"""Which agent uses which model, and the other models that agents can be given."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from pydantic import ValidationError

from graph_flow.agents import STAGES, agent_label
from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from graph_flow.llm.transport.endpoints import host_of
from graph_flow.prompting.agent import Agent
from pages.components import notices, words
from pages.components.fields.autosave import Box, choice_box
from pages.components.settings import strings
from pages.components.settings.endpoint import (
    EndpointFields,
    FieldsRefused,
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
from pages.serving.services import workbench
from store.errors import StoreError
from store.models.endpoint import EMBEDDED, Endpoint, ModelSettings

_USUAL = ""
_FORM = "form of a further model"
"""The session-state key for the name of the model being edited; empty for a new one."""
_REMOVE = "remove a further model"
_IN_A_ROW = 2


def show() -> None:
    """Show, folded, the model of each agent, and the other models."""
    settings = workbench().models.settings()
    with st.expander(strings.AGENTS):
        st.caption(strings.AGENTS_ABOUT)
        _other_models(settings)
        _agents(settings)


def _agents(settings: ModelSettings) -> None:
    models = _models(settings)
    if len(models) == 1:
        return
    for stage, agents in STAGES.items():
        st.markdown(f"**{said(stage)}**")
        for start in range(0, len(agents), _IN_A_ROW):
            row = agents[start : start + _IN_A_ROW]
            for column, agent in zip(st.columns(_IN_A_ROW), row, strict=False):
                with column:
                    _agent(agent, models, settings.agents.get(agent.name, _USUAL))


def _models(settings: ModelSettings) -> dict[str, str]:
    """Return the models that an agent can be given, with their labels."""
    models = _fixed_models()
    if workbench().models.chip().is_embedded:
        del models[EMBEDDED]
    return models | {one.name: one.name for one in settings.others}


def _fixed_models() -> dict[str, str]:
    return {_USUAL: strings.AGENT_MODEL_USUAL, EMBEDDED: said(workbench().models.embedded_label())}


def _agent(agent: Agent, models: Mapping[str, str], given: str) -> None:
    def save(name: str) -> None:
        workbench().models.change_settings(lambda now: now.with_agent(agent.name, name))

    box = Box(f"agent-{agent.name}", plain(said(agent.label)))
    choice_box(box, models, given if given in models else _USUAL, save)


def _other_models(settings: ModelSettings) -> None:
    st.markdown(f"**{strings.OTHER_MODELS}**")
    open_form: str | None = st.session_state.get(_FORM)
    for endpoint in settings.others:
        with st.container(border=True):
            if open_form == endpoint.name:
                _form(endpoint)
            else:
                _model(endpoint, settings)
    if open_form == "":
        with st.container(border=True):
            _form(None)
    else:
        st.button(
            strings.OTHER_ADD, icon=":material/add:", key="other-add", on_click=_open, args=("",)
        )


def _model(endpoint: Endpoint, settings: ModelSettings) -> None:
    place = _place(endpoint.name)
    st.markdown(f"**{plain(endpoint.name)}**")
    st.caption(plain(strings.model_at(endpoint.model, host_of(endpoint.base_url))))
    with st.container(horizontal=True):
        is_tested = st.button(strings.CONNECTION_TEST, key=f"{place}-test")
        st.button(strings.OTHER_EDIT, key=f"{place}-edit", on_click=_open, args=(endpoint.name,))
        is_removed = st.button(strings.OTHER_REMOVE, key=f"{place}-remove", type="tertiary")
    show_outcome(place)
    if is_tested:
        try_connection(endpoint, place)
        st.rerun()
    if is_removed:
        notices.ask(_REMOVE, endpoint.name)
    if notices.is_asked(_REMOVE, endpoint.name):
        _ask_to_remove(endpoint.name, settings)


def _ask_to_remove(name: str, settings: ModelSettings) -> None:
    agents = [said(agent_label(agent)) for agent, given in settings.agents.items() if given == name]
    st.markdown(plain(strings.other_remove_asked(name, " · ".join(agents))))
    with st.container(horizontal=True):
        is_sure = st.button(strings.OTHER_REMOVE_SURE, key=f"{_place(name)}-sure")
        st.button(strings.OTHER_KEEP, key=f"{_place(name)}-keep", on_click=notices.stop_asking)
    if is_sure:
        notices.stop_asking()
        notices.act(
            lambda: workbench().models.change_settings(lambda now: now.without_other(name)),
            strings.other_removed(name),
        )


def _form(known: Endpoint | None) -> None:
    place = _place(known.name if known else "")
    with st.form(place, border=False):
        name = show_line(place, "called", known.name if known else "")
        fields = show_fields(known or Endpoint(base_url="", model=""), place)
        with st.container(horizontal=True):
            is_saved = st.form_submit_button(
                strings.OTHER_SAVE, key=f"{place}-save", on_click=hide_key, args=(place,)
            )
            is_tested = st.form_submit_button(
                strings.CONNECTION_TEST, key=f"{place}-test", on_click=hide_key, args=(place,)
            )
            st.form_submit_button(
                strings.OTHER_CANCEL, key=f"{place}-cancel", type="tertiary", on_click=_close
            )
    show_outcome(place)
    if is_saved or is_tested:
        _submit(fields._replace(name=name), known, is_test=is_tested)


def _submit(fields: EndpointFields, known: Endpoint | None, *, is_test: bool) -> None:
    was = known.name if known else ""
    try:
        refuse_key()
        endpoint = endpoint_from(fields, known)
        if endpoint.name in _fixed_models().values():
            raise FieldsRefused(strings.OTHER_NAME_TAKEN)
        if is_test:
            try_connection(endpoint, _place(was))
        else:
            workbench().models.change_settings(lambda now: now.with_other(endpoint, was))
            notices.keep("done", strings.other_saved(endpoint.name))
            _close()
    except ValidationError as error:
        keep_outcome(_place(was), words.problem_of(error))
    except (FieldsRefused, StoreError, WorkbenchError, ModelError) as error:
        keep_outcome(_place(was), str(error))
    st.rerun()


def _place(name: str) -> str:
    return f"other-{name}" if name else "other"


def _open(name: str) -> None:
    st.session_state[_FORM] = name


def _close() -> None:
    st.session_state.pop(_FORM, None)
