"""What a story's outline is for when its chapters are plotted: a choice of the writer's."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.components.autosave import bind, saver
from pages.components.editing import with_fields
from pages.components.services import workbench
from store.models.story import OutlineUse, Story

USES: Mapping[OutlineUse, str] = {
    OutlineUse.IGNORE: "Leave it aside",
    OutlineUse.GUIDE: "Take it as a guide",
    OutlineUse.FOLLOW: "Follow it",
}

_MEANS: Mapping[OutlineUse, str] = {
    OutlineUse.IGNORE: "The story goes where its people take it; the outline waits.",
    OutlineUse.GUIDE: "The goals of a chapter are set with an eye on what the outline has for it.",
    OutlineUse.FOLLOW: "What the outline has for a chapter is its goal; its people find the way there.",
}


def choose(story: Story, place: str) -> None:
    """Show the choice, saved when it is changed; `place` tells one such field from another."""
    key = f"{place}-outline-use-{story.id}"
    stored = workbench().story(story.id).settings.outline_use
    bound = bind(key, stored)

    def save(use: OutlineUse) -> None:
        settings = workbench().story(story.id).settings
        workbench().save_story_settings(story.id, with_fields(settings, outline_use=use))

    st.segmented_control(
        "The outline, when a chapter is plotted",
        list(OutlineUse),
        default=bound.value,
        format_func=USES.__getitem__,
        required=True,
        key=bound.key,
        on_change=saver(key, bound, save),
    )
    st.caption(_MEANS[bound.value])
