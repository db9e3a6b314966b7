"""The premise as the writer types it, and their other wishes."""

from __future__ import annotations

import streamlit as st

from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.editing import with_fields, with_text
from pages.components.fields.two_texts import SharedText
from pages.components.premise import length, strings
from pages.components.words import prose
from pages.components.words.messages import said
from pages.serving.services import workbench
from store.models.form import FORMS
from store.models.story import Story
from store.text import first_characters


def show(story: Story, branch: str, *, height: int = 260) -> None:
    """Show the premise, the length and, folded, the other wishes; each is saved as it is typed."""
    with st.container(key="story-premise"):
        box = Box(
            f"brief-{story.id}-premise",
            strings.PREMISE,
            height=height,
            placeholder=strings.PREMISE_PLACEHOLDER,
        )
        _text(story, "premise", box)
    _fits(story)
    length.show(story, branch)
    with st.expander(strings.WISHES_FOLD, key="wishes"):
        _wishes(story)


def recall(story: Story, branch: str) -> None:
    """Show, folded, the premise and wishes that the story began from, and its length."""
    with st.expander(strings.RECALLED), st.container(key="story-recalled"):
        st.markdown(prose(story.brief.premise) or f":gray[{strings.RECALLED_NONE}]")
        if story.brief.wishes:
            st.markdown(strings.wishes_recalled(prose(story.brief.wishes)))
    length.show(story, branch)


def _fits(story: Story) -> None:
    premise = story.brief.premise
    limit = workbench().models.premise_limit(premise)
    if len(premise) <= limit:
        return
    st.warning(strings.premise_too_long(len(premise), limit), icon=":material/short_text:")
    start = first_characters(premise, limit)

    st.button(
        strings.premise_shorten(len(start)),
        key="shorten",
        on_click=_save,
        args=(story,),
        kwargs={"premise": start},
    )


def _wishes(story: Story) -> None:
    key = f"brief-{story.id}"
    left, right = st.columns(2)
    with left:
        box = Box(f"{key}-form", strings.FORM)
        labels = {form: said(spec.label) for form, spec in FORMS.items()}
        autosave.choice_box(box, labels, story.brief.form, lambda form: _save(story, form=form))
    with right:
        box = Box(f"{key}-language", strings.LANGUAGE, placeholder=strings.LANGUAGE_PLACEHOLDER)
        _text(story, "language", box)
    box = Box(f"{key}-wishes", strings.WISHES, height=100, placeholder=strings.WISHES_EXAMPLE)
    _text(story, "wishes", box)


def _text(story: Story, field: str, box: Box) -> None:
    def replace(found: str, typed: str) -> None:
        workbench().library.change_brief(
            story.id, lambda brief: with_text(brief, field, found, typed)
        )

    autosave.shared_text_box(box, getattr(story.brief, field), SharedText(replace))


def _save(story: Story, **values: object) -> None:
    workbench().library.change_brief(story.id, lambda brief: with_fields(brief, **values))
