"""The step of the first start that explains models and keys."""

from __future__ import annotations

import pytest

from graph_flow.llm.transport.offer import KeyRing, SiteModels
from graph_flow.workbench.models import ModelService
from pages.components.library import strings
from tests.pages.desk import Desk, button, expect_whole, labels, texts_of, turn_to, words


@pytest.fixture
def fresh(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A library without a story, and no model but the sample model."""
    monkeypatch.delenv("TELLWRIGHT_MODEL")
    assert desk.workbench.models.chip().is_embedded
    return desk


def test_first_start_explains_models_and_keys_once(fresh: Desk) -> None:
    window = fresh.window()
    expect_whole(window)
    said = words(window)
    for _, headline, about in strings.SETUP_PARTS:
        assert headline in said
        assert about in said
    assert labels(window).count("Start from this one") == 3, "nobody has to read it first"

    button(window, strings.SETUP_SKIP).click().run()

    assert strings.SETUP not in words(window)
    assert strings.SETUP not in words(fresh.window()), "nor in another window"


def test_step_leads_to_settings_which_explain_it_again(fresh: Desk) -> None:
    window = fresh.window()

    button(window, strings.SETUP_CONNECT).click().run()

    assert texts_of(window.title) == ["Settings"]
    assert strings.SETUP_AGAIN in [one.label for one in window.expander]
    assert strings.SETUP_PARTS[2][2] in words(window)
    assert strings.SETUP not in words(turn_to(window, "app"))


def test_step_is_left_out_for_whoever_has_begun_a_story(fresh: Desk) -> None:
    story = fresh.story()
    fresh.workbench.library.delete(story.id)

    assert strings.SETUP not in words(fresh.window())


def test_step_is_left_out_for_whoever_has_a_model(desk: Desk) -> None:
    assert strings.SETUP not in words(desk.window())


def test_step_is_left_out_where_a_site_provides_models(
    fresh: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = SiteModels((), (), True, lambda _: None, KeyRing())
    monkeypatch.setattr(ModelService, "of_site", property(lambda _: offer))

    window = fresh.window()
    assert strings.SETUP not in words(window)
    assert strings.SETUP_AGAIN not in [one.label for one in turn_to(window, "settings").expander]
