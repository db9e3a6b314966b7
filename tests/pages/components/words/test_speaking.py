"""Which language a page is in, and the words of a module in it."""

from __future__ import annotations

import threading

import pytest
from streamlit.testing.v1 import AppTest

from pages.components import words
from pages.components.library import strings
from pages.components.words.speaking import Language, counterpart, of_locale, spoken, words_in
from tests.pages.desk import SECONDS_FOR_A_PAGE


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("zh-CN", Language.CHINESE),
        ("zh", Language.CHINESE),
        ("zh_Hans_SG", Language.CHINESE),
        ("ZH-tw", Language.CHINESE),
        ("en-GB", Language.ENGLISH),
        ("fr-FR", Language.ENGLISH),
        ("zha", Language.ENGLISH),
        ("", Language.ENGLISH),
        (None, Language.ENGLISH),
    ],
)
def test_first_visit_has_the_browser_s_language(locale: str | None, language: Language) -> None:
    assert of_locale(locale) is language


def test_without_a_page_everything_is_in_english() -> None:
    assert spoken() is Language.ENGLISH
    assert strings.TITLE == "Library"


def page() -> None:
    import streamlit as st

    from pages.components import words as of_all
    from pages.components.library import strings as of_library
    from pages.components.words import speaking

    speaking.speak_here(speaking.Language.CHINESE)
    st.title(of_library.TITLE)
    st.text(of_library.import_book(3))
    st.text(of_all.duration(600))
    st.text(of_all.counted(2, "chapter", "chapters"))


def test_page_has_the_words_of_its_window() -> None:
    window = AppTest.from_function(page, default_timeout=SECONDS_FOR_A_PAGE).run()

    assert [one.value for one in window.title] == ["书库"]
    assert [one.value for one in window.text] == [
        "将这 3 个文件作为一本书导入",
        "10 分钟",
        "2 chapters",
    ], "what another language has no word for is English"


def test_windows_beside_each_other_keep_their_languages() -> None:
    seen: list[str] = []
    AppTest.from_function(page, default_timeout=SECONDS_FOR_A_PAGE).run()
    other = threading.Thread(target=lambda: seen.append(words.UNTITLED))
    other.start()
    other.join()

    assert [*seen, words.UNTITLED] == ["Untitled story"] * 2


def test_words_that_a_language_lacks_are_not_found() -> None:
    assert words_in(Language.CHINESE, "nothing") == {}
    assert counterpart(Language.CHINESE, "pages.components.write.strings")["TITLE"] == "写作"
    assert counterpart(Language.CHINESE, "pages.components.write.beside.strings")
