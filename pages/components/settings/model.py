"""Which model writes: the one that comes with Tellwright, a model file, or an endpoint of one's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import streamlit as st
from pydantic import ValidationError

from graph_flow.errors import WorkbenchError
from graph_flow.llm.errors import ModelError
from pages.components import notices
from pages.components.fields.editing import problem_of
from pages.components.services import workbench
from pages.components.words import plain
from store.errors import StoreError
from store.models.endpoint import Endpoint, ModelSettings


class Source(StrEnum):
    """Where the model is."""

    SAMPLE = "sample"
    FILE = "file"
    OWN = "own"


_SOURCES: Mapping[Source, str] = {
    Source.SAMPLE: "The sample model",
    Source.FILE: "A model file on this computer",
    Source.OWN: "A model of my own",
}
_ABOUT: Mapping[Source, str] = {
    Source.SAMPLE: "Comes with Tellwright, works offline, costs nothing, and is very small: good to try "
    "everything out. A larger model writes far better.",
    Source.FILE: "Any GGUF file, run by Tellwright itself. A model of a few gigabytes writes clearly better, "
    "and takes its time.",
    Source.OWN: "Whatever speaks the OpenAI protocol: OpenAI, DeepSeek, OpenRouter, Ollama, LM Studio, "
    "vLLM, llama.cpp.",
}
_OUTCOME = "model test"
_VARIABLE = "model-key-variable"
_WAS_KEY = "a key was typed for a name"


def show() -> None:
    """Show the model in use, and the fields to use another one."""
    stored = workbench().model_settings()
    st.markdown(f"In use now: **{plain(workbench().model_chip().label)}**")
    sources, about = _choices()
    source = st.radio(
        "Where is your model?",
        list(Source),
        index=list(Source).index(source_of(stored)),
        format_func=sources.__getitem__,
        captions=list(about.values()),
        key="model-source",
    )
    with st.form("model", border=False):
        chosen = _fields(Source(source), stored)
        with st.container(horizontal=True):
            is_saved = st.form_submit_button("Save", type="primary", on_click=_hide_key)
            is_tested = st.form_submit_button("Test connection", on_click=_hide_key)
    _tell_outcome()
    if is_saved or is_tested:
        _submit(chosen, stored, is_test=is_tested)


def source_of(settings: ModelSettings) -> Source:
    """Return where the settings say that the model is."""
    if settings.endpoint is not None:
        return Source.OWN
    return Source.FILE if settings.model_file else Source.SAMPLE


def settings_from(chosen: EndpointFields | str | None, stored: ModelSettings) -> ModelSettings:
    """Return the settings for what was chosen: an endpoint, a model file, or the sample model.

    Raises:
        FieldsRefused: if they cannot be kept.
        ValidationError: if a number is out of its range.
    """
    if isinstance(chosen, EndpointFields):
        endpoint = endpoint_from(chosen, stored.endpoint)
        return ModelSettings(endpoint=endpoint, model_file=stored.model_file)
    if chosen is None:
        return ModelSettings()
    file = Path(chosen.strip()).expanduser()
    if not file.is_file():
        raise FieldsRefused("There is no file at this path. Give the whole path of a GGUF file.")
    if file.suffix.casefold() != ".gguf":
        raise FieldsRefused("This is not a GGUF file, which is what Tellwright can run.")
    return ModelSettings(model_file=str(file))


def _choices() -> tuple[dict[Source, str], dict[Source, str]]:
    """Return what each choice is called, and what is said of it."""
    sources, about = dict(_SOURCES), dict(_ABOUT)
    chip, settings = workbench().model_chip(), workbench().model_settings()
    if not chip.is_embedded and settings.endpoint is None:
        sources[Source.SAMPLE] = "The model that the environment names"
        about[Source.SAMPLE] = "The variable TELLWRIGHT_MODEL is set where Tellwright was started."
    return sources, about


def _fields(source: Source, stored: ModelSettings) -> EndpointFields | str | None:
    if source is Source.SAMPLE:
        return None
    if source is Source.FILE:
        return str(
            st.text_input(
                "Path of the GGUF file",
                stored.model_file,
                key="model-file",
                placeholder="~/models/a-larger-model.gguf",
            )
        )
    return _endpoint_fields(stored.endpoint or Endpoint(base_url="", model=""))


def _endpoint_fields(known: Endpoint) -> EndpointFields:
    base_url = st.text_input(
        "Address", known.base_url, key="model-url", placeholder="https://api.deepseek.com/v1"
    )
    model = st.text_input("Model", known.model, key="model-name", placeholder="deepseek-chat")
    variable = st.text_input(
        "Name of the variable that holds the key",
        known.key_variable or "",
        key=_VARIABLE,
        placeholder="OPENAI_API_KEY",
        help="Not the key itself. Tellwright reads the key from the environment, or from Streamlit’s "
        "secrets, when it calls the model. Leave it empty where no key is needed.",
    )
    window, concurrency, timeout = st.columns(3)
    left, right = st.columns(2)
    return EndpointFields(
        base_url=base_url,
        model=model,
        key_variable=variable,
        context_window=window.number_input(
            "How much it reads at once (tokens)", 512, None, known.context_window, 1024
        ),
        concurrency=concurrency.number_input("Calls at a time", 1, 64, known.concurrency),
        timeout=timeout.number_input("Seconds to wait", 1.0, 3600.0, known.timeout, 10.0),
        price_in=left.number_input(
            "Price of a million tokens in", 0.0, None, known.price_in, 0.1, format="%.3f"
        ),
        price_out=right.number_input(
            "Price of a million tokens out", 0.0, None, known.price_out, 0.1, format="%.3f"
        ),
    )


def _hide_key() -> None:
    """Empty the field for the name of the variable if it holds a key: it stays nowhere."""
    if looks_like_key(st.session_state.get(_VARIABLE, "")):
        st.session_state[_VARIABLE] = ""
        st.session_state[_WAS_KEY] = True


def _submit(chosen: EndpointFields | str | None, stored: ModelSettings, *, is_test: bool) -> None:
    try:
        if st.session_state.pop(_WAS_KEY, False):
            raise FieldsRefused(THIS_IS_A_KEY)
        settings = settings_from(chosen, stored)
        if is_test:
            _test(settings, stored)
        else:
            workbench().save_model_settings(settings)
            notices.keep("done", "Saved. The next call goes to this model.")
    except ValidationError as error:
        _keep_outcome(problem_of(error))
    except (FieldsRefused, StoreError, WorkbenchError, ModelError) as error:
        _keep_outcome(str(error))
    st.rerun()


def _test(settings: ModelSettings, stored: ModelSettings) -> None:
    if settings.endpoint is None and settings != stored:
        raise FieldsRefused("Save this choice first; then it can be tested.")
    with st.spinner("Asking the model for a word and for an object …", show_time=True):
        report = workbench().test_connection(settings.endpoint)
    _keep_outcome(report.message, is_good=report.ok)


def _keep_outcome(words: str, *, is_good: bool = False) -> None:
    st.session_state[_OUTCOME] = (words, is_good)


def _tell_outcome() -> None:
    outcome: tuple[str, bool] | None = st.session_state.pop(_OUTCOME, None)
    if outcome is None:
        return
    words, is_good = outcome
    (st.success if is_good else st.error)(plain(words))


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY_BEGINNINGS = (
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "hf_",
    "gsk_",
    "ghp_",
    "xai-",
    "aiza",
    "r8_",
    "nvapi-",
)
_SHORTEST_KEY = 20

THIS_IS_A_KEY = (
    "This looks like the key itself. Tellwright never stores a key: put it into an environment variable, "
    "OPENAI_API_KEY for instance, and write the name of that variable here. The field was emptied "
    "and nothing was kept."
)


class FieldsRefused(Exception):
    """What was typed cannot be kept; the text is a sentence for the writer, without what was typed."""


class EndpointFields(NamedTuple):
    """The fields as typed."""

    base_url: str
    model: str
    key_variable: str = ""
    context_window: int = 32_768
    price_in: float = 0.0
    price_out: float = 0.0
    concurrency: int = 4
    timeout: float = 120.0


def looks_like_key(text: str) -> bool:
    """Return whether a text looks like a key itself and not like the name of a variable.

    Variables are named in words; a key is long, and mixes digits with letters of both cases or
    has no words at all.
    """
    text = text.strip()
    if text.casefold().startswith(_KEY_BEGINNINGS):
        return True
    if len(text) < _SHORTEST_KEY:
        return False
    has_digits = any(character.isdigit() for character in text)
    has_small = any(character.islower() for character in text)
    return (has_digits and (has_small or "_" not in text)) or not _NAME.fullmatch(text)


def endpoint_from(fields: EndpointFields, known: Endpoint | None) -> Endpoint:
    """Return the endpoint that the fields describe.

    What was found out about `known` stays where address and model are the same.

    Raises:
        FieldsRefused: if a field cannot be right.
        ValidationError: if a number is out of its range.
    """
    address, model = fields.base_url.strip(), fields.model.strip()
    _check_address(address)
    if not model:
        raise FieldsRefused("Name the model, as its provider writes it.")
    is_same = known is not None and (known.base_url, known.model) == (address, model)
    return Endpoint(
        name=model[:80],
        base_url=address,
        model=model,
        key_variable=variable_from(fields.key_variable),
        context_window=fields.context_window,
        price_in=fields.price_in,
        price_out=fields.price_out,
        concurrency=fields.concurrency,
        timeout=fields.timeout,
        dialect=known.dialect if known is not None and is_same else None,
    )


def variable_from(text: str) -> str | None:
    """Return the name of a variable, or None where none is given.

    Raises:
        FieldsRefused: if it is a key, or cannot be a name.
    """
    name = text.strip()
    if not name:
        return None
    if looks_like_key(name):
        raise FieldsRefused(THIS_IS_A_KEY)
    if not _NAME.fullmatch(name):
        raise FieldsRefused(
            "The name of a variable has letters, digits and underscores only, and begins with no digit."
        )
    return name


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        has_host = bool(parts.hostname)
    except ValueError:
        raise FieldsRefused("This is not an address that can be read.") from None
    if parts.scheme not in {"http", "https"} or not has_host:
        raise FieldsRefused("The address begins with http:// or https:// and names a computer.")
    if parts.username or parts.password or parts.query:
        raise FieldsRefused(
            "The address must hold no password or key. Put the key into an environment variable "
            "and name that variable here."
        )
