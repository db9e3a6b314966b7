"""Library: open a story, or begin one. It is also the file that `streamlit run` starts."""

from __future__ import annotations

import streamlit as st

from pages.components import notices, places
from pages.components.frame import frame
from pages.components.library import begin, import_files, safety, strings
from pages.components.library import cards as library_cards
from pages.serving.guards import guards
from pages.serving.services import workbench
from pages.serving.window import opening_a_window


def show() -> None:
    """Show the page."""
    frame.show(strings.TITLE, "library")
    cards = []
    with frame.showing_errors():
        cards = workbench().library.stories()

    head, actions = st.columns([3, 2], vertical_alignment="bottom")
    head.title(strings.TITLE, anchor=False)
    with actions, st.container(horizontal=True, horizontal_alignment="right"):
        with st.popover(strings.IMPORT, icon=":material/upload_file:"):
            import_files.show_import()
        if st.button(strings.NEW_STORY, type="primary", icon=":material/add:", key="new-story"):
            with frame.showing_errors():
                places.go("premise", workbench().library.begin_story().id)
    notices.show()
    library_cards.offer_undo()

    if cards:
        with frame.showing_errors():
            library_cards.show(library_cards.find(cards))
        begin.offer_samples()
    else:
        begin.offer_former_library()
        begin.first_visit()
    with frame.showing_errors():
        if not workbench().library.is_untouched:
            safety.show()


if __name__ == "__main__":
    show()
else:
    # Streamlit looks for this in the file that it is to run, and serves it by this name.
    app = st.App(__file__, lifespan=opening_a_window, middleware=guards())
