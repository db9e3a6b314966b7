"""The pages in another language: every word of theirs, wherever a page is drawn, and nothing typed is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node

from pages.components.settings.model import Source
from pages.components.words.speaking import Language
from store.models.story import Story
from tests.pages.components.languages.test_chinese import SPOKEN, words_of
from tests.pages.components.languages.test_chinese import texts as constants
from tests.pages.desk import Desk, button, expect_whole, texts_of, turn_to

NAMES = re.compile(
    r"Tellwright|English|简体中文|GGUF|GB|MB|OpenAI|DeepSeek|OpenRouter|Ollama|LM Studio|vLLM|llama\.cpp|"
    r"TELLWRIGHT_MODEL|OPENAI_API_KEY|Streamlit|secrets|scripted|token|JSON|PNG|DOCX|EPUB|Markdown|Word|UTC|"
    r"PDF|LibreOffice|127\.0\.0\.1:\d+|\b[0-9a-f]{32}\b",
)
"""What is called the same in every language, or is named by the test."""
_MARKUP = re.compile(r":material/\w+:|:[a-z-]+\[|`[^`]*`|</?\w+[^>]*>|&\w+;")
_ENGLISH = re.compile(r"[A-Za-z]{2,}")
_NOT_SHOWN = {"id", "form_id", "element_id", "key", "user_key", "icon", "page", "page_script_hash"}
_NOT_SHOWN |= {"query_string", "media_file_id", "url", "help_icon", "type", "anchor", "language"}
_NOT_SHOWN |= {"group_id", "component_name", "default", "value", "pattern", "json", "css", "js"}
_NOT_SHOWN |= {"scroll_key", "persist_state", "width", "height", "file_urls", "raw_values"}


_CODE = {"bidi_component", "html", "unknown"}


def shown(window: AppTest) -> list[str]:
    """Return all texts that a page shows, its helps, placeholders and options too."""
    return [text for part in (window.main, window.sidebar) for text in texts(part)]


def texts(node: Node) -> Iterator[str]:
    if getattr(node, "type", "") not in _CODE:
        yield from texts_in(getattr(node, "proto", None))
    if isinstance(node, Block):
        for child in node.children.values():
            yield from texts(child)


def texts_in(message: object) -> Iterator[str]:
    """Yield the texts of one of Streamlit's messages, and of those within it."""
    if isinstance(message, str):
        yield message
    elif (fields := getattr(message, "ListFields", None)) is not None:
        for field, value in fields():
            if field.name not in _NOT_SHOWN:
                for one in value if field.is_repeated else [value]:
                    yield from texts_in(one)


def english_in(window: AppTest) -> list[str]:
    """Return the texts of a page that have English words in them."""
    return [
        text
        for text in shown(window)
        if _ENGLISH.search(NAMES.sub("", _MARKUP.sub(" ", text.replace("\\", ""))))
    ]


def to_chinese(window: AppTest) -> AppTest:
    return window.button(key=f"language-{Language.CHINESE.value}").click().run()


def test_switch_is_at_the_foot_of_every_page_and_is_kept(desk: Desk) -> None:
    window = to_chinese(desk.window())

    assert texts_of(window.title) == ["书库"]
    assert texts_of(turn_to(window, "settings").title) == ["设置"]
    later = desk.window("settings")
    assert texts_of(later.title) == ["设置"], "a window that is opened later has it too"

    names = later.selectbox(key=next(k for k in keys(later) if k.startswith("interface-language")))
    names.select(Language.ENGLISH).run()

    assert texts_of(later.title) == ["Settings"]
    assert texts_of(turn_to(window, "app").title) == ["书库"], "each window is as it was"


def keys(window: AppTest) -> list[str]:
    return [str(one.key) for one in window.selectbox]


@pytest.fixture
def fresh(desk: Desk) -> Story:
    return desk.workbench.library.create_story()


@pytest.mark.parametrize(
    "page", ["app", "premise", "settings", "export", "outline", "cost", "talk"]
)
def test_page_has_no_english_words(desk: Desk, fresh: Story, page: str) -> None:
    window = turn_to(to_chinese(desk.window(story=fresh)), page)

    expect_whole(window)
    assert shown(window)
    assert english_in(window) == []


STORIES = ("plot", "graphs", "write", "history", "rules", "premise", "talk", "cost", "export")


def test_pages_of_a_story_show_none_of_the_english_strings(desk: Desk) -> None:
    english = {text for module in SPOKEN for text in said_by(module)}
    story = desk.written()
    to_chinese(desk.window())

    for page in STORIES:
        window = desk.window(page, story)

        expect_whole(window)
        assert sorted(english.intersection(shown(window))) == [], page


def said_by(module: str) -> Iterator[str]:
    """Yield the constants of a module of words, but for names."""
    for value in words_of(import_module(module)).values():
        yield from (one for one in constants(value) if _ENGLISH.search(NAMES.sub("", one)))


def test_english_is_found_where_it_is_shown(desk: Desk) -> None:
    assert "Library" in english_in(desk.window())


def test_switching_keeps_what_is_typed(desk: Desk, fresh: Story) -> None:
    window = turn_to(desk.window(story=fresh), "premise")
    field = f"brief-{fresh.id}-premise"
    window.text_area(key=field).input("苏禾掌管潮水簿。")

    to_chinese(window)

    assert window.text_area(key=field).value == "苏禾掌管潮水簿。"
    assert button(window, "草拟人物表")
    assert desk.workbench.library.story(fresh.id).brief.premise == "苏禾掌管潮水簿。"
    assert desk.workbench.library.story(fresh.id).brief.language == "", "the story has its own"


def test_switching_keeps_what_is_chosen_among_labels(desk: Desk) -> None:
    window = desk.window("settings")
    window.radio(key="model-source").set_value(Source.OWN).run()

    to_chinese(window)

    assert window.radio(key=f"model-source-{Language.CHINESE.value}").value == Source.OWN
    assert "地址" in [one.label for one in window.text_input]
