"""The fields of a person, including attributes that the writer defines."""

from __future__ import annotations

import streamlit as st

from pages.components import words
from pages.components.editor import strings
from pages.components.fields.autosave import text_box
from pages.components.fields.editing import free_name
from pages.components.fields.fields import Fields, text_field
from pages.components.notices import attempt
from pages.components.words.messages import said
from store.models.cast import Character, Trait
from store.models.fields import shown, shown_fields

_FIRST = (
    *("name", "occupation", "motivation", "secrets", "personality", "age", "gender"),
    *("history", "fear", "misbelief", "voice", "arc"),
)
"""The attributes that matter most to a writer; the rest follow."""


def text_fields() -> tuple[str, ...]:
    """Return the text attributes of a person, in the order shown."""
    fields = Character.model_fields
    texts = [name for name in shown_fields(Character) if fields[name].annotation is str]
    return (*_FIRST, *(name for name in texts if name not in _FIRST))


def show(fields: Fields, person: Character) -> None:
    """Show every field of a person."""
    name, *others = text_fields()
    fields.text(name)
    fields.names("aliases")
    show_life(fields)
    for field in others:
        fields.text(field)
    st.markdown(f"**{said(shown(person, 'traits').label)}**")
    show_traits(fields, person)


def show_life(fields: Fields) -> None:
    """Show whether a person is alive."""
    fields.choice("life", words.LIVES)


def show_traits(fields: Fields, person: Character) -> None:
    """Show the attributes that the writer defines, with buttons to add and remove them."""
    with fields.with_lock("traits"):
        st.caption(strings.TRAITS_HELP)
    for place, trait in enumerate(person.traits):
        with st.container(border=True):
            _trait(fields, person, place, trait)
    st.button(
        strings.TRAIT_ADD,
        key=fields.key("add-trait"),
        icon=":material/add:",
        on_click=_add_trait,
        args=(fields, person),
    )


def _trait(fields: Fields, person: Character, place: int, trait: Trait) -> None:
    text_box(
        text_field(trait, "name", fields.key(f"trait-{place}-name")),
        trait.name,
        lambda text: _set_trait(fields, person, place, name=text),
    )
    text_box(
        text_field(trait, "value", fields.key(f"trait-{place}-value")),
        trait.value,
        lambda text: _set_trait(fields, person, place, value=text),
    )
    st.button(
        strings.TRAIT_REMOVE,
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
    name = free_name(strings.NEW_TRAIT, {trait.name for trait in person.traits})
    attempt(lambda: fields.save(traits=(*person.traits, Trait(name=name))))


def _drop_trait(fields: Fields, person: Character, place: int) -> None:
    left = person.traits[:place] + person.traits[place + 1 :]
    attempt(lambda: fields.save(traits=left))
