"""The examples and pairs that a story holds. Nothing is taken from any other story."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from graph_flow.command_line.datasets.examples import Example, Gathered, Kind, Pair, Provenance
from store.deltas.sentences import describe
from store.models.delta import Delta
from store.models.manuscript import PARAGRAPH_BREAK, Draft, DraftState, RemarkKind
from store.models.proposals import Candidate, CandidateState
from store.models.prototype import Snapshot
from store.models.run import Call, Outcome
from store.models.story import Story
from store.open import Store

_MOST_CALLS = 10_000
_BEFORE = 1_500
"""Characters of the text before a passage that its prompt shows."""
_SHORTEST = 40
"""Characters that a passage of a pair has at least: below, the difference is a matter of spelling."""


def gather(store: Store, story: Story, quality: float | None = None) -> Gathered:
    """Return what the main branch of a story holds. `quality` is a judge's score of it."""
    return _Gathering(store, story, quality).all()


@dataclass
class _Gathering:
    store: Store
    story: Story
    quality: float | None
    unkept: list[int] = field(default_factory=list)

    def all(self) -> Gathered:
        """Return all of it."""
        texts = list(self.store.contents.texts(self.branch))
        examples = [self._chapter(one.draft) for one in texts]
        examples += [one for chapter in self._chapters() for one in self._calls(chapter)]
        pairs = [one for chapter in self._chapters() for one in self._candidates(chapter)]
        pairs += [one for text in texts for one in self._passages(text.draft)]
        return Gathered(
            examples=tuple(examples), pairs=tuple(pairs), left_out=tuple(self._left_out(len(texts)))
        )

    @cached_property
    def branch(self) -> str:
        """The main branch of the story."""
        return self.store.library.main_branch(self.story.id).id

    @cached_property
    def _hashes(self) -> dict[int, str]:
        return {one.chapter: one.hash for one in self.store.prototype.chapters(self.branch)}

    def _chapters(self) -> Sequence[int]:
        return [chapter for chapter in self._hashes if chapter > 0]

    def _left_out(self, written: int) -> Iterator[str]:
        title = self.story.title or self.story.id
        if self.unkept:
            yield (
                f"“{title}”: of {len(self.unkept)} chapters the prompts and answers are no longer kept, "
                "so they give no examples of calls."
            )
        if not written:
            yield f"“{title}” has no written chapter."
        others = len(self.store.library.branches(self.story.id)) - 1
        if others:
            yield f"“{title}”: its {others} other branches."

    def _chapter(self, draft: Draft) -> Example:
        contradicts = any(one.kind is RemarkKind.CONTRADICTS for one in draft.remarks)
        return Example(
            kind=Kind.CHAPTER,
            prompt=self._asked(draft.chapter, f"Write chapter {draft.chapter}, “{draft.title}”."),
            completion=draft.text.strip(),
            provenance=self._from_text(draft),
            quality=self.quality,
            has_contradiction=contradicts and draft.revises is None,
        )

    def _calls(self, chapter: int) -> Iterator[Example]:
        calls = [
            call
            for is_text in (False, True)
            for call in self.store.calls.of_chapter(
                self.branch, chapter, _MOST_CALLS, is_text=is_text
            )
        ]
        if not calls and self.store.ledger.summed_up(self.branch, chapter):
            self.unkept.append(chapter)
        for call in reversed(calls):
            if call.outcome is Outcome.OK and call.prompt and call.answer:
                yield Example(
                    kind=Kind.CALL,
                    prompt=call.prompt,
                    completion=call.answer,
                    provenance=self._from_call(chapter, call),
                    quality=self.quality,
                )

    def _candidates(self, chapter: int) -> Iterator[Pair]:
        every = self.store.proposals.candidates(self.branch, chapter)
        chosen = next((one for one in every if one.state is CandidateState.CHOSEN), None)
        if chosen is None:
            return
        before = self.store.prototype.snapshot(self.branch, chapter - 1)
        prompt = self._asked(chapter - 1, f"What happens in chapter {chapter}?")
        good = _in_words(chosen, before)
        for other in every:
            bad = _in_words(other, before)
            if other.state is CandidateState.PASSED_OVER and bad and bad != good:
                yield Pair(
                    kind=Kind.CANDIDATES,
                    prompt=prompt,
                    chosen=good,
                    rejected=bad,
                    chosen_score=chosen.total,
                    rejected_score=other.total,
                    provenance=self._of_chapter(chapter),
                )

    def _passages(self, newest: Draft) -> Iterator[Pair]:
        """Yield the passages that a revision or the writer changed, from each version to the next."""
        versions = self.store.manuscript.versions(self.branch, newest.chapter)
        by_number = {one.version: one for one in versions}
        for version in versions:
            if version.revises in by_number and version.state is not DraftState.EDITED:
                yield from self._changed(Kind.REVISION, by_number[version.revises], version)
        by_agent = self.store.manuscript.by_agent(self.branch, newest.chapter)
        if newest.state is DraftState.EDITED and by_agent is not None:
            yield from self._changed(Kind.EDIT, by_agent, newest)

    def _changed(self, kind: Kind, before: Draft, after: Draft) -> Iterator[Pair]:
        old, new = before.text.split(PARAGRAPH_BREAK), after.text.split(PARAGRAPH_BREAK)
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        for change, old_from, old_to, new_from, new_to in matcher.get_opcodes():
            rejected = PARAGRAPH_BREAK.join(old[old_from:old_to]).strip()
            chosen = PARAGRAPH_BREAK.join(new[new_from:new_to]).strip()
            if change != "replace" or min(len(rejected), len(chosen)) < _SHORTEST:
                continue
            so_far = PARAGRAPH_BREAK.join(new[:new_from])[-_BEFORE:]
            asked = f"The chapter so far:\n\n{so_far}\n\nGo on." if so_far else "Begin the chapter."
            yield Pair(
                kind=kind,
                prompt=self._asked(after.chapter, asked),
                chosen=chosen,
                rejected=rejected,
                provenance=self._from_text(after),
            )

    def _asked(self, chapter: int, task: str) -> str:
        """Return a prompt of what the story is about, what happens in a chapter, and the task."""
        brief = self.story.brief
        parts = [f"A {brief.form.value.replace('_', ' ')}. Premise: {brief.premise.strip()}"]
        parts += [f"Wishes: {brief.wishes}"] if brief.wishes else []
        happens = self._happens(chapter)
        parts += [f"What happens in chapter {chapter}:\n{happens}"] if happens else []
        return "\n\n".join([*parts, task])

    def _happens(self, chapter: int) -> str:
        delta = self._deltas.get(chapter)
        if delta is None:
            return ""
        before = self.store.prototype.snapshot(self.branch, chapter - 1)
        return _lines(delta, before)

    @cached_property
    def _deltas(self) -> dict[int, Delta]:
        """What was chosen for each chapter."""
        return {
            one.chapter: one.delta
            for chapter in self._chapters()
            for one in self.store.proposals.candidates(self.branch, chapter)
            if one.state is CandidateState.CHOSEN
        }

    def _of_chapter(self, chapter: int) -> Provenance:
        premise = self.story.brief.premise.strip() or self.story.id
        return Provenance(
            story=self.story.id,
            title=self.story.title,
            group=hashlib.sha256(premise.encode("utf-8", "replace")).hexdigest()[:16],
            chapter=chapter,
            chapter_hash=self._hashes.get(chapter, ""),
        )

    def _from_text(self, draft: Draft) -> Provenance:
        calls = self.store.calls.of_chapter(self.branch, draft.chapter, _MOST_CALLS, is_text=True)
        models = sorted({one.model for one in calls if one.outcome is Outcome.OK})
        return self._of_chapter(draft.chapter).model_copy(
            update={"text_fingerprint": draft.fingerprint, "model": ", ".join(models)}
        )

    def _from_call(self, chapter: int, call: Call) -> Provenance:
        return self._of_chapter(chapter).model_copy(
            update={"agent": call.agent, "model": call.model, "prompt_hash": call.prompt_hash}
        )


def _in_words(candidate: Candidate, before: Snapshot) -> str:
    lines = _lines(candidate.delta, before)
    return f"{candidate.title}\n{lines}" if lines else ""


def _lines(delta: Delta, before: Snapshot) -> str:
    return "\n".join(f"- {one.text}" for one in describe(delta, before))
