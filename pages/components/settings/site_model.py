"""Which model writes, on a site for several writers: one of the site's, or one with the writer's key.

A key is kept in memory, never in a file, a page or a setting.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from graph_flow.llm.transport.offer import SiteModels
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
    show_line,
    show_outcome,
    try_connection,
)
from pages.components.words import plain
from pages.components.words.speaking import labelled
from pages.serving.services import workbench
from store.errors import StoreError
from store.models.endpoint import Endpoint, ModelSettings

_PLACE = "site-model"
_KEY = f"{_PLACE}-key"
_TYPED = "key that was typed a moment ago"
_SAMPLE = "sample"
_OWN = "own"
_SITE = "site "
"""Stands before the name of one of the site's models."""


def show(site: SiteModels) -> None:
    """Show the model in use, and what there is to choose from."""
    stored = workbench().models.settings()
    sources = _sources(site)
    if not sources:
        st.markdown(strings.SITE_NO_MODELS)
        return
    offered: list[str | None] = [*sources, None]
    chosen = _source_of(stored, site)
    key, index = labelled(f"{_PLACE}-source", offered, chosen if chosen in sources else None)
    source = st.radio(
        strings.SITE_SOURCE,
        list(sources),
        index=index if offered[index] is not None else None,
        format_func=lambda one: plain(sources[one][0]) if one in sources else "?",
        captions=[plain(about) for _label, about in sources.values()],
        key=key,
    )
    if source is None:
        return
    with st.form(_PLACE, border=False):
        fields = _fields(stored, site) if source == _OWN else None
        with st.container(horizontal=True):
            is_saved = st.form_submit_button(
                strings.MODEL_SAVE, type="primary", on_click=_take_key, key=f"{_PLACE}-save"
            )
            is_tested = st.form_submit_button(
                strings.CONNECTION_TEST, on_click=_take_key, key=f"{_PLACE}-test"
            )
    show_outcome(_PLACE)
    if is_saved or is_tested:
        _submit(source, fields, site, is_test=is_tested)


def _sources(site: SiteModels) -> dict[str, tuple[str, str]]:
    """Return what there is to choose from, with a label and a description each."""
    found = {
        f"{_SITE}{one.name}": (one.name, strings.site_model_about(one.model)) for one in site.models
    }
    if site.has_sample:
        found[_SAMPLE] = (strings.SOURCE_SAMPLE, strings.SOURCE_SAMPLE_ABOUT)
    if site.addresses:
        hosts = [urlsplit(one).netloc for one in site.addresses]
        found[_OWN] = (strings.SITE_OWN, strings.site_own_about(hosts))
    return found


def _source_of(settings: ModelSettings, site: SiteModels) -> str:
    own = settings.endpoint
    if own is not None:
        return f"{_SITE}{own.name}" if site.of_site(own) else _OWN
    usual = site.usual()
    return f"{_SITE}{usual.name}" if usual and not settings.is_embedded else _SAMPLE


def _fields(stored: ModelSettings, site: SiteModels) -> EndpointFields:
    known = stored.endpoint
    if known is None or site.of_site(known):
        known = Endpoint(base_url=site.addresses[0], model="")
    addresses = list(site.addresses)
    address = st.selectbox(
        strings.SITE_ADDRESS,
        addresses,
        index=addresses.index(known.base_url) if known.base_url in addresses else 0,
        key=f"{_PLACE}-address",
    )
    model = show_line(_PLACE, "name", known.model)
    has_key = site.keys.has(address)
    st.text_input(
        strings.SITE_KEY,
        type="password",
        key=_KEY,
        placeholder=strings.SITE_KEY_KNOWN if has_key else "",
        help=strings.SITE_KEY_HELP,
    )
    strength = choose_strength(known.strength, _PLACE)
    return EndpointFields(base_url=address, model=model, strength=strength)


def _take_key() -> None:
    """Empty the field of the key, which must stay nowhere, and remember it for this one submission."""
    hide_key(_PLACE)
    st.session_state[_TYPED] = str(st.session_state.get(_KEY) or "").strip()
    if _KEY in st.session_state:
        st.session_state[_KEY] = ""


def _submit(source: str, fields: EndpointFields | None, site: SiteModels, *, is_test: bool) -> None:
    key = str(st.session_state.pop(_TYPED, ""))
    try:
        refuse_key()
        endpoint = _endpoint(source, fields, site)
        if fields is not None and key:
            site.keys.keep(fields.base_url, key)
        if fields is not None and not site.keys.has(fields.base_url):
            raise FieldsRefused(strings.SITE_KEY_MISSING)
        if is_test:
            try_connection(endpoint or workbench().models.embedded(), _PLACE)
        else:
            changes = {"endpoint": endpoint, "is_embedded": source == _SAMPLE, "model_file": ""}
            workbench().models.change_settings(lambda now: now.model_copy(update=changes))
            notices.keep("done", strings.MODEL_SAVED)
    except ValidationError as error:
        keep_outcome(_PLACE, words.problem_of(error))
    except (FieldsRefused, StoreError, WorkbenchError, ModelError) as error:
        keep_outcome(_PLACE, str(error))
    st.rerun()


def _endpoint(source: str, fields: EndpointFields | None, site: SiteModels) -> Endpoint | None:
    """Return the endpoint that was chosen; None: the sample model.

    Raises:
        FieldsRefused: if a field cannot be right.
    """
    if fields is not None:
        return endpoint_from(fields, workbench().models.settings().endpoint)
    return next((one for one in site.models if f"{_SITE}{one.name}" == source), None)
