"""What a writer typed is shown by Streamlit's page as it was typed, sign for sign."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import visit, wait_until_drawn
from tests.e2e.running_app import RunningApp

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[3]
SIGNS = ("<-", "->", "<->", "--", ">=", "<=", "~=")
"""What the page makes into one sign where it stands by itself."""
TYPED = (
    *SIGNS,
    *(f"Mara {sign} Hale" for sign in SIGNS),
    *(f"{sign} {sign}{sign} a{sign}b {sign}" for sign in SIGNS),
    *("---", "-----", "<-->", "-->", "<--", ">==", "=>", "<=>", "@--", "--@ ->@", "http->", ":->:"),
    *(":smile:", ":+1:", ":-1:", "so :rocket: so", ":woman-running:", "a:b:c", "::joy::", ":100:"),
    *(
        ":material/info:",
        ":material_info:",
        ":streamlit:",
        ":red[no]",
        ":small[]",
        ":blue-badge[x]",
    ),
    *(
        "$x^2$",
        "~~gone~~",
        "**b**",
        "[l](x)",
        "<b>x</b>",
        "&amp;",
        "a | b",
        "# h",
        "1. x",
        "- [ ] x",
    ),
    *("https://example.org", "www.example.org", "m@example.org", "10:30:45", "He said: “--”"),
    *("(c) (tm) ... '' \"\" 1/2 -> 2/1 <3 :) ;-) --> x", "*->* and *--* and *:smile:*"),
)
SCRIPT = """
import json
import streamlit as st
from pages.components.words import plain, emphasised
for number, text in enumerate(json.loads({typed!r})):
    with st.container(key=f"plain-{{number}}"):
        st.markdown(plain(text))
    with st.container(key=f"bold-{{number}}"):
        st.markdown(f"**{{plain(text)}}**")
    with st.container(key=f"line-{{number}}"):
        st.markdown(emphasised(text))
st.markdown("All is shown")
"""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[RunningApp]:
    script = tmp_path / "shown.py"
    script.write_text(SCRIPT.format(typed=json.dumps(TYPED)), encoding="utf-8")
    with RunningApp(tmp_path, {"PYTHONPATH": str(ROOT)}, script) as running:
        yield running


def test_nothing_that_was_typed_becomes_another_sign(app: RunningApp, page: Page) -> None:
    visit(page, app.url)
    expect(page.get_by_text("All is shown")).to_be_visible()
    wait_until_drawn(page)

    for way in ("plain", "bold", "line"):
        boxes = page.locator(f'[class*="st-key-{way}-"]')
        expect(boxes).to_have_count(len(TYPED))
        shown = [text.strip() for text in boxes.all_inner_texts()]
        typed = [text.replace("*", "") if way == "line" else text for text in TYPED]
        said = [text.replace("*", "") if way == "line" else text for text in shown]
        assert said == typed
        assert boxes.locator("a, img, svg, [role=img]").count() == 0
