"""The fields of an endpoint, checked and tested; a key never stays in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from pages.components.settings import strings
from pages.components.words import plain
from pages.components.words.messages import said
from pages.components.words.speaking import labelled
from pages.serving.services import workbench
from store.models.endpoint import Endpoint, ModelStrength

_WAS_KEY = "a key was typed for a name"
"""The session-state key for the parts of the form in which one was, which are empty now."""
_ADDRESS, _VARIABLE = "url", "key-variable"


def show_fields(known: Endpoint, place: str) -> EndpointFields:
    """Show the fields, filled with what is known; `place` distinguishes such forms."""
    base_url = show_line(place, _ADDRESS, known.base_url)
    model = show_line(place, "name", known.model)
    variable = show_line(place, _VARIABLE, known.key_variable or "")
    strength = choose_strength(known.strength, place)
    window, concurrency, timeout = _limits(known, place)
    price_in, price_out = _prices(known, place)
    return EndpointFields(
        base_url=base_url,
        model=model,
        key_variable=variable,
        context_window=window,
        concurrency=concurrency,
        timeout=timeout,
        price_in=price_in,
        price_out=price_out,
        strength=strength,
    )


def show_line(place: str, part: str, known: str) -> str:
    """Show a field for a line of text, one of `strings.LINES`, of which no key stays anywhere."""
    line, key = strings.LINES[part], f"{place}-{part}"
    # One that was emptied has its value, and Streamlit would warn of two.
    value = "" if key in st.session_state.get(_WAS_KEY, ()) else known
    return st.text_input(
        line.label, value, line.most, key=key, placeholder=line.example, help=line.help or None
    )


def choose_strength(known: ModelStrength, place: str) -> ModelStrength:
    """Ask how much a model can be asked for at once."""
    key, index = labelled(f"{place}-strength", list(ModelStrength), known)
    chosen = st.radio(
        strings.STRENGTH,
        list(ModelStrength),
        index=index,
        format_func=strings.STRENGTHS.__getitem__,
        captions=[strings.STRENGTHS_ABOUT[one] for one in ModelStrength],
        key=key,
    )
    return ModelStrength(chosen)


def _limits(known: Endpoint, place: str) -> tuple[int, int, float]:
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    window = left.number_input(
        strings.ENDPOINT_WINDOW,
        512,
        None,
        known.context_window,
        1024,
        key=f"{place}-window",
    )
    concurrency = middle.number_input(
        strings.ENDPOINT_CONCURRENCY, 1, 64, known.concurrency, key=f"{place}-concurrency"
    )
    timeout = right.number_input(
        strings.ENDPOINT_TIMEOUT,
        1.0,
        3600.0,
        known.timeout,
        10.0,
        key=f"{place}-timeout",
        help=strings.ENDPOINT_TIMEOUT_HELP,
    )
    return window, concurrency, timeout


def _prices(known: Endpoint, place: str) -> tuple[float, float]:
    """Show what a million tokens cost, in and out."""
    columns = st.columns(2)
    prices = (
        ("in", strings.ENDPOINT_PRICE_IN, known.price_in),
        ("out", strings.ENDPOINT_PRICE_OUT, known.price_out),
    )
    price_in, price_out = (
        column.number_input(
            label,
            0.0,
            None,
            price,
            0.1,
            format="%.3f",
            key=f"{place}-price-{way}",
        )
        for column, (way, label, price) in zip(columns, prices, strict=True)
    )
    return price_in, price_out


def hide_key(place: str) -> None:
    """Empty the fields of a form that hold a key, which must stay nowhere."""
    typed = {part: st.session_state.get(f"{place}-{part}") or "" for part in strings.LINES}
    found = {f"{place}-{part}": part for part in typed if _is_key(part, typed)}
    for key in found:
        st.session_state[key] = ""
    if found:
        st.session_state[_WAS_KEY] = found


def _is_key(part: str, typed: Mapping[str, str]) -> bool:
    """Return whether a key was typed for a part of a form."""
    text, variable = typed[part].strip(), typed[_VARIABLE].strip()
    if part == _VARIABLE and looks_like_key(text):
        return True
    variables = [variable] if _NAME.fullmatch(variable) and variable != text else []
    models = workbench().models
    is_key = models.address_holds_key if part == _ADDRESS else models.holds_key
    return is_key(text, *variables)


def refuse_key() -> None:
    """Refuse a form one of whose fields held a key when it was submitted.

    Raises:
        FieldsRefused: if one did.
    """
    found: Mapping[str, str] = st.session_state.pop(_WAS_KEY, {})
    if _VARIABLE in found.values():
        raise FieldsRefused(strings.ENDPOINT_IS_KEY)
    if found:
        labels = [strings.LINES[part].label for part in found.values()]
        raise FieldsRefused(strings.key_typed(labels))


def try_connection(endpoint: Endpoint | None, place: str) -> None:
    """Ask a model, by default the app's, for a word and for an object; keep the outcome."""
    with st.spinner(strings.CONNECTION_TESTING, show_time=True):
        report = workbench().models.test_connection(endpoint)
    keep_outcome(place, report.message, is_good=report.ok)


def keep_outcome(place: str, words: str, *, is_good: bool = False) -> None:
    """Keep a message, plain text, to show in a form the next time the page runs."""
    st.session_state[_outcome(place)] = (words, is_good)


def show_outcome(place: str) -> None:
    """Show the message that was kept for a form, once."""
    outcome: tuple[str, bool] | None = st.session_state.pop(_outcome(place), None)
    if outcome is None:
        return
    words, is_good = outcome
    (st.success if is_good else st.error)(plain(said(words)))


def _outcome(place: str) -> str:
    return f"outcome in {place}"


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


class FieldsRefused(Exception):
    """What was typed cannot be saved; the message is for the writer and never repeats it."""


class EndpointFields(NamedTuple):
    """The fields as typed. `name` is the writer's name for the model; empty: the provider's."""

    base_url: str
    model: str
    key_variable: str = ""
    context_window: int = 32_768
    price_in: float = 0.0
    price_out: float = 0.0
    concurrency: int = 4
    timeout: float = 120.0
    strength: ModelStrength = ModelStrength.ABLE
    name: str = ""


def looks_like_key(text: str) -> bool:
    """Return whether a text looks like a key rather than the name of a variable.

    A variable's name is made of words; a key is long, and mixes digits with letters of both cases
    or has no words at all.
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

    What was found out about `known` is kept if address and model are the same.

    Raises:
        FieldsRefused: if a field cannot be right.
        ValidationError: if a number is out of its range.
    """
    address, model = fields.base_url.strip(), fields.model.strip()
    _check_address(address)
    if not model:
        raise FieldsRefused(strings.ENDPOINT_NO_MODEL)
    is_same = known is not None and (known.base_url, known.model) == (address, model)
    return Endpoint(
        name=(fields.name.strip() or model)[: strings.NAME_LIMIT],
        base_url=address,
        model=model,
        key_variable=variable_from(fields.key_variable),
        context_window=fields.context_window,
        price_in=fields.price_in,
        price_out=fields.price_out,
        concurrency=fields.concurrency,
        timeout=fields.timeout,
        strength=fields.strength,
        dialect=known.dialect if known is not None and is_same else None,
    )


def variable_from(text: str) -> str | None:
    """Return the name of a variable, or None if none is given.

    Raises:
        FieldsRefused: if it is a key, or cannot be a name.
    """
    name = text.strip()
    if not name:
        return None
    if looks_like_key(name):
        raise FieldsRefused(strings.ENDPOINT_IS_KEY)
    if not _NAME.fullmatch(name):
        raise FieldsRefused(strings.ENDPOINT_NOT_VARIABLE)
    return name


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        has_host = bool(parts.hostname)
    except ValueError:
        raise FieldsRefused(strings.ENDPOINT_NO_ADDRESS) from None
    if parts.scheme not in {"http", "https"} or not has_host:
        raise FieldsRefused(strings.ENDPOINT_INCOMPLETE_ADDRESS)
    if parts.username or parts.password or parts.query:
        raise FieldsRefused(strings.ENDPOINT_KEY_IN_ADDRESS)
