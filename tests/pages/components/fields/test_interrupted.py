"""What becomes of a text when the browser asks for something else while it is being saved."""

from __future__ import annotations

from typing import Literal

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.desk import SECONDS_FOR_A_PAGE

Moment = Literal["while it is saved", "after the field is bound", "before the field is bound"]


def page() -> None:
    """Show a shared field; once, the next text comes at the moment that the session names."""
    import streamlit as st
    from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    from pages.components.fields import autosave
    from pages.components.fields.autosave import Box
    from pages.components.fields.two_texts import SharedText
    from store.errors import ChangedElsewhere

    stored = st.session_state.setdefault("stored", {"text": "old", "moment": "", "next": ""})

    def come(moment: str) -> None:
        if stored["moment"] != moment:
            return
        stored["moment"] = ""
        typed = WidgetState(id=stored["field"], string_value=stored["next"])
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        context.script_requests.request_rerun(
            RerunData(
                page_script_hash=context.page_script_hash,
                widget_states=WidgetStates(widgets=[typed]),
            )
        )

    def replace(found: str, typed: str) -> None:
        if stored["text"] not in (found, typed):
            raise ChangedElsewhere(stored["text"])
        stored["text"] = typed
        come("while it is saved")

    come("before the field is bound")
    if stored["moment"] == "after the field is bound" and stored["text"] != "old":
        autosave.bind("text", stored["text"])
        come("after the field is bound")
    autosave.shared_text_box(Box("text", "Text"), stored["text"], SharedText(replace))


def opened() -> AppTest:
    return AppTest.from_function(page, default_timeout=SECONDS_FOR_A_PAGE).run()


@pytest.mark.parametrize(
    "moment", ["while it is saved", "after the field is bound", "before the field is bound"]
)
def test_next_text_goes_on_from_the_one_before_whenever_it_comes(moment: Moment) -> None:
    window = opened()
    field = window.text_input[0]
    window.session_state["stored"].update(
        moment=moment, next="The lamp went out.", field=field.proto.id
    )

    field.set_value("The lamp").run()

    assert window.session_state["stored"]["moment"] == ""
    assert window.session_state["stored"]["text"] == "The lamp went out."
    assert window.text_input[0].value == "The lamp went out."
    assert not window.button, "two versions are offered, but there is only one writer"


def test_text_of_another_window_is_never_taken_for_one_s_own() -> None:
    """It was changed after this window had saved, and before it looked again."""
    window = opened()
    window.text_input[0].set_value("mine").run()
    window.session_state["stored"]["text"] = "theirs"

    window.text_input[0].set_value("mine, and more").run()

    assert window.session_state["stored"]["text"] == "theirs"
    assert [button.label for button in window.button] == ["Save mine", "Take the other"]
    window.button[0].click().run()
    assert window.session_state["stored"]["text"] == "mine, and more"
    assert not window.button
