"""Fields that save themselves, and follow what is changed elsewhere."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.pages.desk import SECONDS_FOR_A_PAGE


def page() -> None:
    import streamlit as st

    from graph_flow.errors import WorkbenchError
    from pages.components.fields import autosave, unsaved
    from pages.components.fields.autosave import Box
    from store.errors import LibraryUnavailable

    stored = st.session_state.setdefault(
        "stored", {"text": "old", "who": "m", "names": "Mara Hale"}
    )

    def check_room() -> None:
        if st.session_state.get("is full"):
            raise LibraryUnavailable("There is no room.", "make some room", is_passing=True)

    def save_text(text: str) -> None:
        check_room()
        if "no" in text:
            raise WorkbenchError("It says <no>.")
        stored["text"] = text.strip()

    def save_who(who: str) -> None:
        check_room()
        stored["who"] = who

    if (again := st.session_state.get("sent again")) is not None:
        del st.session_state["sent again"]
        unsaved.ledger()._savers["st-key-text"](again)  # as the browser has it done
    if not st.session_state.get("is elsewhere"):
        autosave.text_box(Box("text", "Text"), stored["text"], save_text)
        names = dict(zip("mh", stored["names"].split(), strict=True))
        autosave.choice_box(Box("who", "Who"), names, stored["who"], save_who)


def opened() -> AppTest:
    return AppTest.from_function(page, default_timeout=SECONDS_FOR_A_PAGE).run()


def store(window: AppTest, **values: str) -> None:
    window.session_state["stored"].update(values)


def test_what_is_typed_is_saved() -> None:
    window = opened()

    window.text_input[0].set_value("new").run()

    assert window.session_state["stored"]["text"] == "new"
    assert window.text_input[0].value == "new"


def test_field_keeps_what_was_typed_until_it_is_left_and_then_shows_what_was_made_of_it() -> None:
    """A pause saves, and a space before it must not draw the field anew under the cursor."""
    window = opened()
    key = window.text_input[0].key

    window.text_input[0].set_value("new ").run()
    assert window.text_input[0].value == "new "
    window.text_input[0].set_value("new words ").run()
    assert window.text_input[0].value == "new words "
    assert window.text_input[0].key == key
    assert window.session_state["stored"]["text"] == "new words"

    window.session_state["is elsewhere"] = True
    window.run()
    window.session_state["is elsewhere"] = False
    window.run()
    assert window.text_input[0].value == "new words"


def test_field_follows_what_is_stored_elsewhere() -> None:
    window = opened()
    window.text_input[0].set_value("mine").run()

    store(window, text="theirs")
    window.run()
    assert window.text_input[0].value == "theirs"

    window.text_input[0].set_value("mine again").run()
    assert window.session_state["stored"]["text"] == "mine again"


def test_refused_text_stays_with_the_reason_until_it_can_be_saved() -> None:
    window = opened()

    window.text_input[0].set_value("no way").run()
    assert window.session_state["stored"]["text"] == "old"
    assert window.warning[0].value == "Not saved yet. It says \\<no\\>\\."

    window.session_state["is elsewhere"] = True
    window.run()
    window.session_state["is elsewhere"] = False
    window.run()
    assert window.text_input[0].value == "no way"

    window.text_input[0].set_value("all right").run()
    assert window.session_state["stored"]["text"] == "all right"
    assert len(window.warning) == 0


def test_text_that_the_library_cannot_take_stays_and_is_to_be_sent_again() -> None:
    window = opened()
    window.session_state["is full"] = True

    window.text_input[0].set_value("typed on a full disk").run()

    assert window.text_input[0].value == "typed on a full disk"
    assert "There is no room" in window.warning[0].value
    assert "will be saved" in window.warning[0].value
    assert outcomes(window) == ["later"]

    window.session_state["is full"] = False
    window.session_state["sent again"] = "typed on a full disk"
    window.run()
    assert window.session_state["stored"]["text"] == "typed on a full disk"
    assert window.text_input[0].value == "typed on a full disk"
    assert len(window.warning) == 0


def test_choice_that_the_library_cannot_take_stays_and_is_the_writer_s_to_make_again() -> None:
    window = opened()
    window.session_state["is full"] = True

    window.selectbox[0].set_value("h").run()

    assert window.selectbox[0].value == "h"
    assert "then try again" in window.warning[0].value
    assert window.session_state["stored"]["who"] == "m"


def outcomes(window: AppTest) -> list[str]:
    """Return what the browser is told of what was typed."""
    return [
        str(one["outcome"]) for one in window.session_state["what becomes of what is typed"].answers
    ]


def test_browser_that_sees_a_late_run_only_is_told_what_is_stored() -> None:
    window = opened()
    for text in ("one", "two"):
        window.text_input[0].set_value(text).run()
        window.run()

        # A browser that draws the field for the first time begins with the default.
        assert window.text_input[0].proto.default == text
        assert not window.text_input[0].proto.set_value


def test_choice_is_saved_and_follows_what_it_is_called() -> None:
    window = opened()

    window.selectbox[0].set_value("h").run()
    assert window.session_state["stored"]["who"] == "h"

    store(window, names="Mara Inspector")
    window.run()
    assert window.selectbox[0].options == ["Mara", "Inspector"]
    assert window.selectbox[0].value == "h"
    assert window.session_state["stored"]["who"] == "h"


def succeeded() -> None:
    """Show a field whose successor the browser has not seen when it sends the old value along."""
    import streamlit as st

    from pages.components.fields.autosave import bind, saver

    saved: list[str] = st.session_state.setdefault("saved", [])
    found = bind("k", "old")
    send = saver("k", found, saved.append)
    st.session_state[found.key] = "old"
    successor = bind("k", "changed elsewhere")
    assert successor.key != found.key
    send()
    st.session_state[found.key] = "typed meanwhile"
    send()


def test_old_value_that_nobody_typed_is_not_saved_again() -> None:
    window = AppTest.from_function(succeeded, default_timeout=SECONDS_FOR_A_PAGE).run()

    assert not window.exception
    assert window.session_state["saved"] == ["typed meanwhile"]
