"""The fields of a person, with the attributes that the writer names."""

from __future__ import annotations

import streamlit as st

from pages.components.fields.autosave import Box, text_box
from pages.components.fields.editing import free_name
from pages.components.fields.fields import Fields
from pages.components.notices import attempt
from pages.components.words import LIVES
from store.models.cast import Character, Trait

_NEW_TRAIT = "Something else"


def show(fields: Fields, person: Character) -> None:
    """Show all that can be said of a person."""
    fields.text("name", "Name")
    _aliases(fields, person)
    show_life(fields)
    fields.text("occupation", "What they do")
    fields.text("motivation", "What they want", is_long=True)
    fields.text("secrets", "What they hide", is_long=True)
    fields.text("personality", "What they are like", is_long=True)
    fields.text("age", "Age")
    fields.text("gender", "Gender")
    fields.text("affiliations", "Whom they belong to")
    fields.text("health", "Health")
    fields.text("status", "How things stand with them")
    st.markdown("**More about them**")
    show_traits(fields, person)


def show_life(fields: Fields) -> None:
    """Show whether a person is alive."""
    fields.choice("life", "Life", LIVES)


def show_traits(fields: Fields, person: Character) -> None:
    """Show the attributes that the writer names, with ways to add and to take out."""
    with fields.with_lock("traits"):
        st.caption("Whatever your genre needs: rank, magic, a price on their head …")
    for place, trait in enumerate(person.traits):
        with st.container(border=True):
            _trait(fields, person, place, trait)
    st.button(
        "Add a line",
        key=fields.key("add-trait"),
        icon=":material/add:",
        on_click=_add_trait,
        args=(fields, person),
    )


def _aliases(fields: Fields, person: Character) -> None:
    label = fields.label("aliases", "Also called (with commas between)")
    with fields.with_lock("aliases"):
        text_box(
            Box(fields.key("aliases"), label),
            ", ".join(person.aliases),
            lambda text: fields.save(aliases=_names(text)),
        )


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _trait(fields: Fields, person: Character, place: int, trait: Trait) -> None:
    text_box(
        Box(fields.key(f"trait-{place}-name"), "What"),
        trait.name,
        lambda text: _set_trait(fields, person, place, name=text),
    )
    text_box(
        Box(fields.key(f"trait-{place}-value"), "How it is"),
        trait.value,
        lambda text: _set_trait(fields, person, place, value=text),
    )
    st.button(
        "Take this line out",
        key=fields.key(f"drop-trait-{place}"),
        icon=":material/close:",
        type="tertiary",
        on_click=_drop_trait,
        args=(fields, person, place),
    )


def _set_trait(fields: Fields, person: Character, place: int, **values: str) -> None:
    traits = list(person.traits)
    traits[place] = Trait.model_validate({**dict(traits[place]), **values})
    fields.save(traits=tuple(traits))


def _add_trait(fields: Fields, person: Character) -> None:
    name = free_name(_NEW_TRAIT, {trait.name for trait in person.traits})
    attempt(lambda: fields.save(traits=(*person.traits, Trait(name=name))))


def _drop_trait(fields: Fields, person: Character, place: int) -> None:
    left = person.traits[:place] + person.traits[place + 1 :]
    attempt(lambda: fields.save(traits=left))
