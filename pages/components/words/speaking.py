"""Which language the pages are in, and the words of a module in that language.

Each window has its own language. What is shown is looked up in the thread that draws the page; whatever runs
without a window, such as a run, is in English.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from graph_flow.errors import WorkbenchError
from pages.serving.services import workbench
from store.errors import StoreError
from store.models.base import Record


class Language(StrEnum):
    """A language of the pages. The values are stored, and are what a browser calls it."""

    ENGLISH = "en"
    CHINESE = "zh-Hans"

    @property
    def spec(self) -> LanguageSpec:
        """What is known about the language."""
        return LANGUAGES[self]


@dataclass(frozen=True)
class LanguageSpec:
    """What is known about a language: its own name for itself, and the package with its words."""

    name: str
    package: str = ""
    """Empty for the language of the `strings` modules themselves."""


LANGUAGES: Mapping[Language, LanguageSpec] = {
    Language.ENGLISH: LanguageSpec("English"),
    Language.CHINESE: LanguageSpec("简体中文", "pages.components.languages.chinese"),
}


class InterfaceSettings(Record):
    """How the pages are shown. A language of None is the browser's."""

    language: Language | None = None


_SETTING = "interface"
_WINDOW = "language of this window"
_COMPONENTS = "pages.components."

_spoken: ContextVar[Language | None] = ContextVar("language of the page", default=None)
"""What this thread has found out: every run of a page and of a fragment has a thread of its own."""


def spoken() -> Language:
    """Return the language of the page that is being drawn; without a page, English."""
    return _spoken.get() or _found_out()


def speak(language: Language) -> None:
    """Show the pages in a language from now on: in this window, and in those opened later.

    Raises:
        WorkbenchError, StoreError: if that cannot be kept; this window has the language anyway.
    """
    speak_here(language)
    workbench().library.change_setting(
        _SETTING,
        InterfaceSettings(),
        lambda now: now.model_copy(update={"language": language}),
    )


def speak_here(language: Language) -> None:
    """Show this window in a language; those opened later are as they would have been."""
    st.session_state[_WINDOW] = language
    _spoken.set(language)


def of_locale(locale: str | None) -> Language:
    """Return the language for what a browser asks for, such as `zh-CN`; English if it is not among ours."""
    asked = (locale or "").replace("_", "-").lower().split("-")[0]
    return next((one for one in Language if one.value.split("-")[0] == asked), Language.ENGLISH)


class Labelled(NamedTuple):
    """The key of a widget, and the place of the option that it has at first."""

    key: str
    first: int


def labelled(key: str, options: Sequence[object], usual: object) -> Labelled:
    """Return the key, in this language, of a widget that offers words of ours.

    Browsers remember a choice by its label, so the widget of another language is another. It has at first what
    was chosen in the language before, or else `usual`.
    """
    keys = {one: key if one is Language.ENGLISH else f"{key}-{one.value}" for one in Language}
    here = keys.pop(spoken())
    before = [st.session_state[one] for one in keys.values() if one in st.session_state]
    return Labelled(here, options.index(next((one for one in before if one in options), usual)))


def _found_out() -> Language:
    if get_script_run_ctx(suppress_warning=True) is None:
        return Language.ENGLISH
    known: Language | None = st.session_state.get(_WINDOW)
    if known is None:
        try:
            kept = workbench().library.read_setting(_SETTING, InterfaceSettings)
        except (WorkbenchError, StoreError):
            # Nobody is signed in, or nothing can be read: the page says so, in the browser's language.
            return of_locale(st.context.locale)
        known = (kept and kept.language) or of_locale(st.context.locale)
    speak_here(known)
    return known


class _Spoken(ModuleType):
    """A module whose public names are looked up in the language that is spoken, then in its own."""

    def __getattribute__(self, name: str) -> object:
        of_module = super().__getattribute__
        if not name.startswith("_"):
            language = spoken()
            if language is not Language.ENGLISH:
                found = counterpart(language, of_module("__name__"))
                if name in found:
                    return found[name]
        return of_module(name)


def speaks(module: str) -> None:
    """Have the words of a module looked up in the language that is spoken.

    It says so at its end with its own `__name__`. A name that is missing in the other language is that of
    the module; so is whatever the module itself refers to.
    """
    sys.modules[module].__class__ = _Spoken


@cache
def counterpart(language: Language, module: str) -> Mapping[str, object]:
    """Return the words of a module in another language than its own, by name; empty if there are none."""
    name = module.removeprefix(_COMPONENTS).removesuffix(".strings")
    return words_in(language, name)


@cache
def words_in(language: Language, name: str) -> Mapping[str, object]:
    """Return what a module of a language's package holds, by name; empty if there is no such module."""
    full = f"{language.spec.package}.{name}"
    try:
        found = import_module(full)
        if hasattr(found, "__path__"):
            found = import_module(f"{full}.page")
    except ModuleNotFoundError as missing:
        if missing.name is None or not full.startswith(missing.name.removesuffix(".page")):
            raise
        return {}
    return vars(found)
