"""What a data set consists of: examples and pairs, each with where it comes from."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Kind(StrEnum):
    """What an example shows, or where a pair comes from."""

    CHAPTER = "chapter"
    """A chapter's text, asked for by what happens in it."""
    CALL = "call"
    """A call to an agent that was answered: prompt and answer as they were."""
    CANDIDATES = "candidates"
    """The plot that was chosen for a chapter, and one that was passed over."""
    REVISION = "revision"
    """A passage as the revising agent left it, and as it was drafted."""
    EDIT = "edit"
    """A passage as the writer left it, and as an agent wrote it."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True)


class Provenance(_Value):
    """Where something comes from. `group` stands for the premise: nothing of one group is in two splits.

    `chapter_hash` is that of the chapter in the story's chain, and `prompt_hash` that of the call; both
    are empty where there is none.
    """

    story: str
    title: str
    group: str
    chapter: int
    chapter_hash: str = ""
    text_fingerprint: str = ""
    agent: str = ""
    model: str = ""
    prompt_hash: str = ""


class Example(_Value):
    """A prompt and what is to be said to it. `quality` is a judge's score of the story, if it has one."""

    kind: Kind
    prompt: str
    completion: str
    provenance: Provenance
    quality: float | None = None
    has_contradiction: bool = False
    """Whether a reviewer found a contradiction in it that was not mended."""

    @property
    def said(self) -> str:
        """What two examples are compared by."""
        return self.completion


class Pair(_Value):
    """A prompt, what was preferred and what was not, with their scores if they have any."""

    kind: Kind
    prompt: str
    chosen: str
    rejected: str
    provenance: Provenance
    chosen_score: float | None = None
    rejected_score: float | None = None

    @property
    def said(self) -> str:
        """What two pairs are compared by."""
        return f"{self.chosen}\n{self.rejected}"


class Gathered(_Value):
    """What was found in some stories, and what of them is not in it, in a sentence each."""

    examples: tuple[Example, ...] = ()
    pairs: tuple[Pair, ...] = ()
    left_out: tuple[str, ...] = ()
