"""How far a story follows what was told of it before its plot was worked out.

A sketch was told before anything else and chosen by those who read it. As long as nobody has led the story
away from it, its chapters are the plot, and its words the text: of a short story all of them, of a longer one
the first. A later chapter of a longer one may have been told by itself, as one of its candidates.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from graph_flow.founding.cast import held
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.headings import told_chapters
from graph_flow.prompting.length import is_short, words_together, words_wanted
from store.errors import NotFound
from store.models.base import dump_json
from store.models.proposals import Candidate, Sketch
from store.models.story import Commit, Story
from store.open import Store
from store.text import count_words

_SHORTEST, _LONGEST = 0.7, 1.5
"""How long a sketch is, of what the story is to be by now, for its words to be the story's."""
_MOST_READ, _MOST_UNWRITTEN = 30, 2
"""The most chapters that are read of a story so far, and the most among them without a text."""
_OF_TEXT = {
    "style_notes",
    "tense",
    "narration",
    "words_to_avoid",
    "avoids_worn",
    "style_sample",
}
"""The settings that say how a text is to sound."""
_OF_SPINE = "-spine-"
_BY_WRITER = frozenset({"edit", "import", "merge"})
_PLOTTED = frozenset({"chapter", "retell"})


class SketchedChapter(NamedTuple):
    """A chapter as the sketch tells it; `before` is what it tells before that."""

    title: str
    text: str
    before: str = ""


class ChaptersRead(NamedTuple):
    """So many chapters, as they are read one after the other."""

    chapters: int
    text: str


def sketch_of(store: Store, branch_id: str) -> Sketch | None:
    """Return the sketch from which the story on a branch is worked out; None if there is none.

    A branch that asks "what if" leads away from it, and so does every branch of that.
    """
    branch = store.library.branch(branch_id)
    while branch.parent is not None and not branch.what_if:
        branch = store.library.branch(branch.parent)
    configuration = store.proposals.configuration(branch_id)
    if configuration is None or branch.what_if:
        return None
    return configuration.sketch_of(configuration.idea)


def wishes_for(story: Story) -> str:
    """Return the SHA-256, in hexadecimal, of what the writer asks of a text besides its length and form."""
    brief, settings = story.brief, story.settings
    asked = settings.model_dump(mode="json", include=_OF_TEXT)
    content = dump_json([brief.premise, brief.wishes, brief.language, asked])
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def spine_origin(run: str, chapter: int) -> str:
    """Return the origin of the change by which an agent brings the spine up to date."""
    return f"{run}{_OF_SPINE}{chapter}"


def sketched_chapter(store: Store, branch: str, chapter: int) -> SketchedChapter | None:
    """Return a chapter as the sketch tells it, if the story follows its sketch up to there.

    It does if the chapters before are plotted as the sketch tells them, the writer has changed nothing of
    the story since, and the story is still to have as many chapters and about as many words.
    """
    told = _chapters(store, branch)
    if not 1 <= chapter <= len(told) or not _is_followed(store, branch, chapter - 1):
        return None
    before = "\n\n".join(one.text for one in told[: chapter - 1])
    return told[chapter - 1]._replace(before=before)


def follows(store: Store, branch: str, last: int) -> bool:
    """Return whether a story of which `last` chapters are plotted follows its sketch in all of them."""
    told = _chapters(store, branch)
    return bool(told) and last <= len(told) and _is_followed(store, branch, last)


def goes_on_following(store: Store, branch: str, told: int, count: int) -> bool:
    """Return whether the sketch tells what is to happen in the next `count` chapters after the last that is told."""
    planned = store.library.story_of(branch).settings.planned
    last = told + count if planned is None else min(told + count, planned)
    return last <= len(_chapters(store, branch)) and _is_followed(store, branch, told)


def sketched_text(store: Store, branch: str, last: int) -> list[SketchedChapter]:
    """Return the first `last` chapters as the sketch tells them, if that is what happens in them.

    There are none if the writer has asked for something else since it was told: another style, say.
    """
    told, sketch = _chapters(store, branch), sketch_of(store, branch)
    if sketch is None or sketch.wishes != wishes_for(store.library.story_of(branch)):
        return []
    is_told = 1 <= last <= len(told) and _is_followed(store, branch, last)
    return told[:last] if is_told else []


def told_text(store: Store, branch: str, chapter: int) -> SketchedChapter | None:
    """Return a plotted chapter as it was told before its plot, if that is what happens in it.

    It is as the sketch of the story tells it, or as the candidate does that was chosen. There is none if the
    writer has changed the story since, or has asked for something else: another style or length, say.
    """
    opening = sketched_text(store, branch, chapter)
    if opening:
        return opening[-1]
    commits = store.prototype.commits_from(branch, chapter)
    made = [one for one in commits if one.chapter == chapter and one.kind in _PLOTTED]
    if not made or any(one.id > made[-1].id and _is_by_writer(one) for one in commits):
        return None
    chosen = _chosen(store, made[-1])
    goal = store.proposals.goal(chosen.goal) if chosen and chosen.is_sketched else None
    if goal is None or goal.sketch is None:
        return None
    story, told = store.library.story_of(branch), goal.sketch
    length = words_wanted(chapter, story.settings, story.brief.unit)
    is_fitting = _SHORTEST <= count_words(told.text) / length <= _LONGEST
    return (
        SketchedChapter(goal.title, told.text)
        if is_fitting and told.wishes == wishes_for(story)
        else None
    )


def newest_read(store: Store, branch: str, chapter: int, tokens: int) -> ChaptersRead:
    """Return the chapters just before one as they are read, as many as take so many tokens, at least the last.

    What is not written yet stands as it was told. Nothing is returned if the last has not been told either.
    """
    texts, room = list[str](), tokens
    for at in range(chapter - 1, 0, -1):
        text = _read(store, branch, at)
        room -= estimate_tokens(text)
        if not text or (texts and room < 0):
            break
        texts.append(text)
    return ChaptersRead(len(texts), "\n\n".join(reversed(texts)))


def _read(store: Store, branch: str, chapter: int) -> str:
    """Return a chapter as it is read, under its title; empty if it has no text and was not told."""
    draft = store.manuscript.draft(branch, chapter)
    if draft is not None and draft.text.strip():
        return f"## {draft.title}\n\n{draft.text.strip()}"
    told = told_text(store, branch, chapter)
    return f"## {told.title}\n\n{told.text}" if told else ""


def read_so_far(store: Store, branch: str, chapter: int, tokens: int) -> str:
    """Return the chapters before one as they are read; empty if they take more than so many tokens.

    What is not written yet stands as it was told. A chapter or two may have no text at all and are left out; if
    more have none, nothing is returned.
    """
    if chapter > _MOST_READ:
        return ""  # so many are too much in any case
    texts = list(filter(None, (_read(store, branch, at) for at in range(1, chapter))))
    text = "\n\n".join(texts)
    is_enough = chapter - 1 - len(texts) <= _MOST_UNWRITTEN
    return text if is_enough and estimate_tokens(text) <= tokens else ""


def _chapters(store: Store, branch: str) -> list[SketchedChapter]:
    """Return the chapters of the sketch, if they are those that the story is to have, or to begin with."""
    sketch, story = sketch_of(store, branch), store.library.story_of(branch)
    if sketch is None or sketch.is_whole is not is_short(story.settings):
        return []
    settings, unit, planned = story.settings, story.brief.unit, story.settings.planned
    told = [SketchedChapter(title, text) for title, text in told_chapters(sketch.text)]
    is_as_many = len(told) == planned if sketch.is_whole else planned is None or len(told) < planned
    length = words_together(range(1, len(told) + 1), settings, unit)
    share = sum(count_words(one.text) for one in told) / max(1, length)
    is_fitting = _SHORTEST <= share <= _LONGEST and all(one.text for one in told)
    return told if is_as_many and is_fitting else []


def _is_followed(store: Store, branch: str, last: int) -> bool:
    """Return whether the first `last` chapters are what the sketch tells, and all else as it was founded."""
    prototype, premise = store.prototype, store.library.story_of(branch).brief.premise
    commits = prototype.commits(branch)
    if any(map(_is_by_writer, commits)):
        return False
    told = [one for one in prototype.chapters(branch, last) if one.chapter > 0]
    return (
        len(told) == last
        and all(_is_sketched(store, one) for one in told)
        and not held(prototype.snapshot(branch, 0), premise).entities
    )


def _is_by_writer(commit: Commit) -> bool:
    return commit.kind in _BY_WRITER and _OF_SPINE not in commit.origin


def _is_sketched(store: Store, commit: Commit) -> bool:
    """Return whether a chapter is what the sketch tells of it, as nobody has changed it."""
    chosen = _chosen(store, commit)
    return chosen is not None and chosen.is_sketched


def _chosen(store: Store, commit: Commit) -> Candidate | None:
    """Return the candidate that a chapter was made of; None if it was made another way."""
    try:
        # A chapter's origin ends with its candidate.
        return store.proposals.candidate(commit.origin.rpartition("-")[2])
    except NotFound:
        return None
