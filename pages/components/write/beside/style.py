"""How a story's text is to sound, and how often it is reviewed."""

from __future__ import annotations

import streamlit as st

from graph_flow.prompting.sample import sample_read
from graph_flow.prompting.style import worn_phrases
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.editing import with_fields, with_text
from pages.components.fields.keeping import show_problem
from pages.components.fields.two_texts import SharedText
from pages.components.write import strings as of_page
from pages.components.write.beside import strings
from pages.serving.services import workbench
from store.models.story import AVOIDED_LIMIT, SAMPLE_LIMIT, Story


def show(story: Story, typed: str = "") -> None:
    """Show the writer's wishes for the text; each change is saved at once.

    `typed` is what they have written themselves, of which a sample can be taken.
    """
    settings = story.settings
    key = f"style-{story.id}"
    _words_a_day(story)
    box = Box(
        f"{key}-notes",
        of_page.STYLE_NOTES,
        height=80,
        placeholder=strings.STYLE_NOTES_EXAMPLE,
    )
    _text(story, "style_notes", box)
    _manner(story)
    _avoided(story)
    _text(story, "style_sample", Box(f"{key}-sample", strings.STYLE_SAMPLE, height=120))
    if len(settings.style_sample) >= SAMPLE_LIMIT:
        st.caption(strings.STYLE_SAMPLE_CUT)
    if settings.style_sample:
        read = len(sample_read(settings.style_sample))
        st.caption(strings.style_sample_read(read, len(settings.style_sample)))
    elif typed.strip():
        st.button(
            strings.STYLE_SAMPLE_TAKE,
            key=f"{key}-take-sample",
            icon=":material/content_copy:",
            on_click=_save,
            args=(story,),
            kwargs={"style_sample": sample_read(typed, SAMPLE_LIMIT)},
        )
    st.caption(strings.STYLE_SAMPLE_ABOUT)
    autosave.choice_box(
        Box(f"{key}-reviews", strings.REVIEWS),
        strings.REVIEW_COUNTS,
        settings.reviews,
        lambda count: _save(story, reviews=count),
    )
    st.caption(strings.REVIEWS_ABOUT)


def _text(story: Story, field: str, box: Box, most: int = SAMPLE_LIMIT) -> None:
    def replace(found: str, typed: str) -> None:
        workbench().library.change_settings(
            story.id, lambda now: with_text(now, field, found, typed[:most])
        )

    autosave.shared_text_box(box, getattr(story.settings, field), SharedText(replace))


def _save(story: Story, **values: object) -> None:
    workbench().library.change_settings(story.id, lambda now: with_fields(now, **values))


def _manner(story: Story) -> None:
    """Show tense and person, of prose; what is played has its own."""
    if not story.brief.form.spec.is_prose:
        return
    settings = story.settings
    autosave.choice_box(
        Box(f"style-{story.id}-tense", strings.TENSE),
        strings.TENSES,
        settings.tense,
        lambda tense: _save(story, tense=tense),
    )
    autosave.choice_box(
        Box(f"style-{story.id}-narration", strings.NARRATION),
        strings.NARRATIONS,
        settings.narration,
        lambda narration: _save(story, narration=narration),
    )


def _avoided(story: Story) -> None:
    """Show which words the text is to do without."""
    box = Box(
        f"style-{story.id}-avoided",
        strings.WORDS_TO_AVOID,
        height=100,
        placeholder=strings.WORDS_TO_AVOID_EXAMPLE,
    )
    _text(story, "words_to_avoid", box, AVOIDED_LIMIT)
    autosave.toggle_box(
        Box(f"style-{story.id}-worn", strings.AVOIDS_WORN),
        story.settings.avoids_worn,
        lambda is_on: _save(story, avoids_worn=is_on),
        strings.avoids_worn_about(worn_phrases()),
    )


def _words_a_day(story: Story) -> None:
    bound = autosave.bind(f"style-{story.id}-day", story.settings.words_a_day)
    st.number_input(
        strings.WORDS_A_DAY,
        0,
        50_000,
        bound.value,
        100,
        key=bound.key,
        help=strings.WORDS_A_DAY_ABOUT,
        on_change=autosave.saver(
            f"style-{story.id}-day", bound, lambda count: _save(story, words_a_day=count)
        ),
    )
    show_problem(f"style-{story.id}-day")
