"""The forms: each is described, and the settings of a story follow the one that it has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from store.models.form import DEFAULT_FORM, FORMS, Form
from store.models.story import Brief, StorySettings
from store.open import Store

USUAL = DEFAULT_FORM.spec.scene_words
LONG = replace(DEFAULT_FORM.spec, scene_words=700)


def test_every_form_is_described_and_told_apart() -> None:
    assert set(FORMS) == set(Form)
    for told_apart in ("label", "writer", "writer_label"):
        assert len({getattr(spec, told_apart) for spec in FORMS.values()}) == len(Form)


@pytest.mark.parametrize("form", Form)
def test_new_story_has_the_usual_length_of_its_form(store: Store, form: Form) -> None:
    story = store.library.create_story(Brief(form=form))

    assert story.settings.words_per_scene == form.spec.scene_words
    assert store.library.story(story.id).settings == story.settings


def test_length_follows_the_form_until_the_writer_sets_one() -> None:
    settings = StorySettings()

    assert settings.words_per_scene == USUAL
    assert settings.for_form(DEFAULT_FORM.spec, LONG).words_per_scene == 700
    own = settings.model_copy(update={"words_per_scene": 90})
    assert own.for_form(DEFAULT_FORM.spec, LONG) == own


def test_story_that_takes_another_form_keeps_what_the_writer_set(store: Store) -> None:
    story = store.library.create_story(Brief())
    own = story.settings.model_copy(update={"words_per_scene": 90, "goals": 2})
    store.library.change_settings(story.id, lambda _: own)

    changed = store.library.change_brief(story.id, lambda _: Brief(form=Form.SCREENPLAY))

    assert changed.brief.form is Form.SCREENPLAY
    assert changed.settings == own
