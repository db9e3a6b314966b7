"""The fields of a person, with the attributes that the writer names."""

from __future__ import annotations

import streamlit as st

from pages.components.autosave import Box, text_box
from pages.components.edit_fields import Fields
from pages.components.editing import free_name
from pages.components.lock_toggle import with_lock
from pages.components.wording import LIVES
from store.models.cast import Character, Trait

_NEW_TRAIT = "Something else"


def show(fields: Fields, person: Character) -> None:
    """Show all that can be said of a person."""
    fields.text("name", "Name")
    _aliases(fields, person)
    fields.choice("life", "Life", LIVES)
    fields.text("occupation", "What they do")
    fields.text("motivation", "What they want", is_long=True)
    fields.text("secrets", "What they hide", is_long=True)
    fields.text("personality", "What they are like", is_long=True)
    fields.text("age", "Age")
    fields.text("gender", "Gender")
    fields.text("affiliations", "Whom they belong to")
    fields.text("health", "Health")
    fields.text("status", "How things stand with them")
    _traits(fields, person)


def _aliases(fields: Fields, person: Character) -> None:
    text_box(
        Box(fields.key("aliases"), fields.label("aliases", "Also called (with commas between)")),
        ", ".join(person.aliases),
        lambda text: fields.save(
            aliases=tuple(part.strip() for part in text.split(",") if part.strip())
        ),
    )


def _traits(fields: Fields, person: Character) -> None:
    with with_lock(
        person,
        "traits",
        lambda locked: fields.save(locked=locked),
        key=f"{fields.desk.key}lock",
    ):
        st.markdown("**More about them**")
        st.caption("Whatever your genre needs: rank, magic, a price on their head …")
    for place, trait in enumerate(person.traits):
        _trait(fields, person, place, trait)
    st.button(
        "Add a line",
        key=fields.key("add-trait"),
        icon=":material/add:",
        on_click=_add_trait,
        args=(fields, person),
    )


def _trait(fields: Fields, person: Character, place: int, trait: Trait) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container():
            text_box(
                Box(fields.key(f"trait-{place}-name"), "What"),
                trait.name,
                lambda text: _set_trait(fields, person, place, name=text),
            )
        with st.container():
            text_box(
                Box(fields.key(f"trait-{place}-value"), "How it is"),
                trait.value,
                lambda text: _set_trait(fields, person, place, value=text),
            )
        st.button(
            ":material/close:",
            key=fields.key(f"drop-trait-{place}"),
            type="tertiary",
            help="Take this line out",
            on_click=_drop_trait,
            args=(fields, person, place),
        )


def _set_trait(fields: Fields, person: Character, place: int, **values: str) -> None:
    traits = list(person.traits)
    traits[place] = Trait.model_validate({**dict(traits[place]), **values})
    fields.save(traits=tuple(traits))


def _add_trait(fields: Fields, person: Character) -> None:
    name = free_name(_NEW_TRAIT, {trait.name for trait in person.traits})
    fields.save(traits=(*person.traits, Trait(name=name)))


def _drop_trait(fields: Fields, person: Character, place: int) -> None:
    fields.save(traits=person.traits[:place] + person.traits[place + 1 :])
