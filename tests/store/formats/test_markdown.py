"""The manuscript as Markdown: what is prose stays prose, whatever it looks like."""

from __future__ import annotations

from itertools import pairwise

import frontmatter
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from store.errors import NotFound
from store.formats.exports import MARKDOWN, Source
from store.models.delta import Delta
from store.models.form import Form
from store.models.manuscript import WritingPlan
from store.models.story import Branch, Brief, Story
from store.open import Store
from tests.store.builders import begin, go_on


def write(store: Store, branch: str, text: str, title: str = "One", **values: object) -> None:
    """Plot a chapter in which nothing happens, and write it."""
    if store.prototype.head(branch) is None:
        begin(store, branch)
    chapter = go_on(store, branch, Delta()).chapter
    plan = WritingPlan.model_validate(
        {
            "id": f"{branch}-{chapter}",
            "branch": branch,
            "chapter": chapter,
            "attempt": 1,
            "form": Form.NOVEL,
            **values,
        }
    )
    draft = store.manuscript.start_draft(plan, title)
    store.manuscript.update_draft_text(draft.id, text)


def markdown_of(store: Store, branch: str) -> str:
    return MARKDOWN.export(Source(store, branch)).decode()


def blocks(document: str) -> list[str]:
    """Return the kinds of blocks a reader's program sees below the front matter."""
    body = frontmatter.loads(document).content
    return [token.type for token in MarkdownIt().parse(body) if token.nesting >= 0]


def headings(document: str) -> list[str]:
    tokens = MarkdownIt().parse(frontmatter.loads(document).content)
    return [
        "".join(c.content for c in after.children or [])
        for t, after in pairwise(tokens)
        if t.type == "heading_open"
    ]


def test_front_matter_and_chapters_in_order(store: Store, branch: Branch) -> None:
    write(store, branch.id, "The door was locked.\n\nShe knocked.", "The door")
    write(store, branch.id, "Nobody came.", "Dawn")
    document = markdown_of(store, branch.id)
    assert document == (
        "---\nchapters: 2\nform: novel\ntitle: The Lamp Room\nwords: 8\n---\n\n"
        "# The Lamp Room\n\n## 1. The door\n\nThe door was locked.\n\nShe knocked.\n\n"
        "## 2. Dawn\n\nNobody came.\n"
    )


def test_a_story_without_chapters_or_title(store: Store) -> None:
    story = store.library.create_story(Brief())
    document = markdown_of(store, store.library.main_branch(story.id).id)
    assert frontmatter.loads(document).metadata["chapters"] == 0
    assert headings(document) == ["Untitled story"]


def test_the_newest_version_counts(store: Store, branch: Branch) -> None:
    write(store, branch.id, "Old words.")
    store.manuscript.save_text(branch.id, 1, "New words.")
    document = markdown_of(store, branch.id)
    assert "New words." in document
    assert "Old words." not in document


MARKS = set("\\`*_[]{}<|~$^@&/.#")
HOSTILE = st.text(st.sampled_from(list("#-=*_>`~[]()<>!|.:&\\'\"{}%@ \n\t1ab守")), max_size=60)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=HOSTILE, chapter=HOSTILE, text=HOSTILE)
def test_nothing_in_a_title_or_a_text_becomes_structure(
    store: Store, title: str, chapter: str, text: str
) -> None:
    story = store.library.create_story(Brief(language=title), title)
    branch = store.library.main_branch(story.id).id
    write(store, branch, text, chapter)
    document = markdown_of(store, branch)
    shown = " ".join(story.title.split()) or "Untitled story"
    if not set(shown) & MARKS:
        assert frontmatter.loads(document).metadata["title"] == shown
    named = store.manuscript.versions(branch)[0].title
    assert headings(document) == [shown, f"1. {' '.join(named.split())}"]
    allowed = {"heading_open", "inline", "paragraph_open", "hr"}
    assert set(blocks(document)) <= allowed


@pytest.mark.parametrize("text", ["A *quiet* night.", "“Who’s there?”", "1999 was cold.", "C-3 #1"])
def test_plain_prose_is_left_as_it_is(store: Store, branch: Branch, text: str) -> None:
    write(store, branch.id, text)
    assert f"\n\n{text}\n" in markdown_of(store, branch.id)


def test_a_title_reads_the_same_as_plain_text(store: Store, branch: Branch) -> None:
    write(store, branch.id, "Once.", title="The Handing-Back (at last!)")

    assert "## 1. The Handing-Back (at last!)\n" in markdown_of(store, branch.id)


def test_title_that_pandoc_would_read_as_markup_is_in_the_heading_alone(store: Store) -> None:
    story = store.library.create_story(Brief(language="![x](y)"), "The ![Lamp](http://a.example)")
    document = markdown_of(store, store.library.main_branch(story.id).id)

    assert {"title", "language"}.isdisjoint(frontmatter.loads(document).metadata)
    assert document.endswith("\n# The !\\[Lamp\\](`http://a.example`)\n")


def test_a_break_between_scenes_stays_a_break(store: Store, branch: Branch) -> None:
    write(store, branch.id, "Night.\n***\nDay.\n---\nNight.")
    assert blocks(markdown_of(store, branch.id)).count("hr") == 2


def test_the_lines_of_a_screenplay_stay_lines(store: Store, branch: Branch) -> None:
    write(store, branch.id, "INT. LAMP ROOM\n\nMARA\nIt is locked.", form=Form.SCREENPLAY)
    assert "MARA  \nIt is locked." in markdown_of(store, branch.id)


def test_chapter_that_was_taken_back_is_left_out(store: Store, branch: Branch) -> None:
    write(store, branch.id, "The door was locked.", "The door")
    write(store, branch.id, "Nobody came.", "Dawn")
    store.prototype.undo(branch.id)
    assert headings(markdown_of(store, branch.id)) == ["The Lamp Room", "1. The door"]
    store.prototype.redo(branch.id)
    assert len(headings(markdown_of(store, branch.id))) == 3


def test_a_branch_that_is_not_there(store: Store, story: Story) -> None:
    assert story.title
    with pytest.raises(NotFound):
        markdown_of(store, "none")
