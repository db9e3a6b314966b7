"""Cost: what the story has used, by agent and by chapter, down to the single call."""

from __future__ import annotations

import streamlit as st

from pages.components import notices
from pages.components.frame import frame
from pages.components.runs import spending, strings
from pages.serving.services import workbench

opened = frame.show_story(strings.COST_TITLE, "cost")
st.title(strings.COST_TITLE, anchor=False)
notices.show()

with frame.showing_errors():
    line = workbench().ledger.of_line(opened.branch.id)
    if not line.agents:
        frame.send_to_premise(strings.COST_NONE, strings.COST_NONE_ADVICE)
        st.stop()
    spending.totals(
        line,
        workbench().ledger.of_story(opened.story.id),
        has_branches=len(opened.branches) > 1,
    )
    spending.by_agent(line)
    spending.by_chapter(line)
    spending.notes(workbench().runs.noted(opened.branch.id))
    spending.calls_of_chapter(opened.branch.id, line)
