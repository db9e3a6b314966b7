"""Nothing in an exported text is a link, an image or HTML, in whatever program shows it.

Programs differ in what they make into a link without being told to. GitHub's and Streamlit's look
through the text when its escapes are gone, so an address is safe in a code span only; others look
between escapes, also for an address without a scheme.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby

import frontmatter
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from store.formats.extract import Manuscript
from store.formats.markdown import export_markdown
from store.models.form import Form
from store.models.manuscript import Draft, DraftState
from store.models.story import Brief
from store.texts.tellings import BookText

HARMLESS = {
    *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "hr"),
    *("text", "text_special", "code_inline", "softbreak", "hardbreak"),
    *("em_open", "em_close", "strong_open", "strong_close"),
}
FOUND_IN_TEXT = re.compile(
    r"https?://\w|ftp://\w|(?<![^\W_])(?:www\.|mailto:|xmpp:)\w|[-.\w+]@[-\w]+\.[-\w]",
    re.IGNORECASE,
)
"""What is made into a link wherever it stands in a text."""
FOUND_BETWEEN_ESCAPES = re.compile(r"//|\w\.(?:com|example)\b|\w@\w", re.IGNORECASE)
NOT_SHOWN = re.compile(r"[\s*_]|^ *-[ -]*$", re.MULTILINE)
"""Marks of emphasis and breaks between scenes, and white space."""

HOSTILE = [
    "![x](http://evil.example/pixel.png)",
    "![x](//evil.example/pixel.png)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "[x](javascript:alert(1))",
    "[x](file:///etc/passwd)",
    "[x](data:text/html,hello 'title')",
    "[x][y] and ![y] and [y]\n\n[y]: http://evil.example 'title'",
    "Text\n[y]: <http://evil.example>\n![y]",
    "![[http://evil.example/pixel.png]]",
    "<http://evil.example>",
    "<a@evil.example>",
    "<1a@evil.example>",
    "see www.evil.example or http://evil.example, (https://evil.example/a_(b)).",
    "_www.evil.example_ *http://evil.example* ~www.evil.example~ (www.evil.example)",
    "hTTps://evil.example/`www.evil.example`http://evil.example",
    "`code` http://evil.example/`x`{=html}",
    "http://evil.example{=html} `<img src=//evil.example>`{=html}",
    "a@evil.example mailto:a@evil.example xmpp:a@evil.example/b a+b.c_d-e@evil.example",
    "ftp://evil.example //evil.example/pixel.png evil.com x.evil.com/pixel.png?a=b a$@evil.com",
    "www.'evil.example www.\"[x]:/evil.example a@.evil.example data:#evil mailto:&evil javascript:[x]",
    "\\http://evil.example \\![x](http://evil.example) \\<img src=x> \\\\`x` \\",
    "<img src=http://evil.example/pixel.png> <img srcset='//evil.example/a 2x'>",
    "<script src=//evil.example></script><style>@import '//evil.example'</style>",
    "<iframe src=//evil.example></iframe><object data=//evil.example></object>",
    "<svg><image href='//evil.example'/></svg><!-- x --><?x ?><![CDATA[x]]>",
    "&lt;img src=http://evil.example&gt; &#60;img&#x3e; a &amp; b http&#58;//evil.example",
    "a | b\n--- | ---\n![x](http://evil.example) | www.evil.example",
    "a\n:-:\nb",
    "~~~{=html}\n<img src=//evil.example>\n~~~",
    "```\n```{=html}\n<img src=//evil.example>",
    "$\\includegraphics{http://evil.example}$ \\href{http://evil.example}{x} ^a^ @evil [@evil]",
    "x {style='background:url(//evil.example)'}",
    "[^1]\n\n[^1]: ![x](http://evil.example)",
]


def exported(text: str) -> str:
    """Return the Markdown of a story in which everything that somebody typed is this text."""
    draft = Draft(
        id="a",
        branch="b",
        chapter=1,
        version=1,
        form=Form.NOVEL,
        title=text[:80].strip() or "One",
        text=text,
        state=DraftState.DRAFTED,
        created=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return export_markdown(Manuscript("s", text, Brief(language=text[:60]), (BookText(1, draft),)))


def tokens_of(document: str, *, are_joined: bool = True) -> Iterator[Token]:
    """Yield what a program sees in a document, HTML and tables included."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    if not are_joined:
        reader.disable("text_join")
    for block in reader.parse(frontmatter.loads(document).content):
        yield block
        yield from block.children or ()


def expect_only_text(document: str) -> None:
    """Fail if anything in a document is, or could be made into, more than text."""
    assert {token.type for token in tokens_of(document)} <= HARMLESS
    for kind, run in groupby(tokens_of(document), key=lambda token: token.type):
        if kind == "text":
            assert not FOUND_IN_TEXT.search("".join(token.content for token in run))
    for token in tokens_of(document, are_joined=False):
        if token.type == "text":
            assert not FOUND_BETWEEN_ESCAPES.search(token.content)
    front = frontmatter.loads(document).metadata
    for value in (front.get("title", ""), front.get("language", "")):
        marks = {token.type for token in tokens_of(str(value))}
        assert marks.isdisjoint({"link_open", "image", "html_inline", "html_block"})
        assert not FOUND_IN_TEXT.search(str(value))


def shown(document: str) -> str:
    """Return all that is read in a document below its title, without its white space."""
    return "".join(
        token.content for token in tokens_of(document) if token.type in {"text", "code_inline"}
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_shown_and_nothing_in_it_is_live(text: str) -> None:
    document = exported(text)

    expect_only_text(document)
    assert NOT_SHOWN.sub("", shown(document)).count(NOT_SHOWN.sub("", text)) >= 2


PIECES = ["http://", "https://", "www.", "evil.example", "a@", "mailto:", "data:", "![x](", "[x]:"]
MARKS = "`*_~()[]{}<>!|.:&\\/'\"@$# \n1a守"


@settings(max_examples=300)
@given(text=st.lists(st.sampled_from([*PIECES, *MARKS]), min_size=1, max_size=12).map("".join))
def test_no_mixture_of_marks_and_addresses_is_live(text: str) -> None:
    expect_only_text(exported(text))


def test_address_is_shown_as_typed_and_prose_is_not_cluttered() -> None:
    text = "See http://a.example/*b*_c, or write to a_b@c.example. It is 3 a.m., and/or 3.5!"

    assert exported(text).endswith(
        "See `http://a.example/*b*_c`, or write to `a_b@c.example`. It is 3 a.m., and/or 3.5!\n"
    )
