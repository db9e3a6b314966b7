"""Writers: who uses this site and how much, for those who look after it. No story is shown."""

from __future__ import annotations

import streamlit as st

from pages.components import notices
from pages.components.frame import frame
from pages.components.settings.writers import strings, table
from pages.serving.services import signed_in, site

frame.show(strings.TITLE, "writers")
st.title(strings.TITLE, anchor=False)
notices.show()

with frame.showing_errors():
    served = site()
    if served is None or not served.is_admin(signed_in(served)):
        frame.empty_state(strings.NOT_YOURS, strings.NOT_YOURS_ADVICE)
        st.stop()
    table.show(served)
    table.shut_out(served, signed_in(served))
    table.server(served)
    table.audit(served)
