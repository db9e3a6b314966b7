"""Stage 3: a story is read as a whole, and revised where somebody who knows only its text stumbles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import reduce

from langgraph.runtime import Runtime

from graph_flow.cognition.omniscient import author_line
from graph_flow.founding.following import sketch_of
from graph_flow.founding.reading import margin_of
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.headings import divided, heading
from graph_flow.prompting.length import form_words, is_short, words_wanted
from graph_flow.prompting.sample import sample_read
from graph_flow.prompting.style import style_for
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import FIRST_READER, LAST_REVISION, SECOND_DRAFT
from graph_flow.telling.answers import (
    MOST_REMARKS,
    READING_SCHEMA,
    REVISION_WITHOUT_FACTS,
    ReadingAnswer,
    Replacement,
)
from graph_flow.telling.discourse.in_one_piece import LONGEST_ANSWER
from graph_flow.telling.material.chapter import began
from graph_flow.telling.material.lines import PREMISE, WHOLE_PREMISE, WORLD, cut
from graph_flow.telling.revising import (
    remark_line,
    remarks_by_part,
    remarks_on,
    revised,
    within_one,
)
from graph_flow.telling.scenes import TOKENS_PER_WORD, with_breaks
from store.models.cast import Character
from store.models.endpoint import ModelStrength
from store.models.manuscript import Draft, DraftState, RemarkKind, ReviewRemark
from store.models.prototype import Snapshot
from store.prototype.excerpts import joined
from store.text import count_words
from store.texts.tellings import BookText

_REMARKS, _REMARKS_OF_CHAPTER = 4, 1
"""How many remarks are asked for: of any story, and besides for each of its chapters."""
_LEAST_ANSWER, _SHARE_REVISED = 4_000, 0.7
"""Tokens of a revision: at least, and for each token of the story."""
_TRUTH, _VOICE, _VOICES, _PEOPLE = 1_200, 200, 8, 12
_DRIVEN_BY = ("history", "motivation", "fear", "misbelief", "secrets", "arc")
"""Fields of a person that only their author knows."""
_LEAST_KEPT, _ENOUGH = 0.5, 0.8
"""How much of a chapter's length its second draft has at least, and of the story's to be complete."""
_MOST_DOUBTS = 4
"""The gravest of them: whoever has to meet more mends the story in place of telling it."""
_DOUBTS = frozenset(
    {RemarkKind.UNCLEAR, RemarkKind.UNLIKELY, RemarkKind.CONTRADICTS, RemarkKind.MISSING}
)
"""What whoever tells the story anew hears of it: the other remarks are about a text that they put away."""
_NOT_PREFERRED = (
    "A second draft was written. Readers of both preferred the text as it was, so it stays; "
    "the second draft is among the versions of each chapter."
)
_READING = "Reading the whole story for the first time"
_READING_AGAIN = "Reading the second draft"
_TOO_LITTLE = "The second draft was too short, so passages of the first are revised in its place."
_UNREAD = "The story was not read as a whole: the model gave no answer that could be used."
_UNREAD_AGAIN = "The second draft was not read: the model gave no answer that could be used."
_TOO_LONG = "The story was not read as a whole: it is too long for the reader’s model."


@dataclass(frozen=True)
class _Whole:
    """The newest text of each chapter of the book, in order. Of those `by_hand` nothing is to change.

    `planned` is how many words they were to have in all, and `plotted` how far the plot goes.
    """

    texts: Sequence[BookText]
    by_hand: Set[int]
    planned: int
    plotted: int

    @property
    def drafts(self) -> Sequence[Draft]:
        """The texts without their places in the book."""
        return [one.draft for one in self.texts]

    @property
    def open_drafts(self) -> Sequence[Draft]:
        """Those that may change."""
        return [draft for draft in self.drafts if draft.chapter not in self.by_hand]

    @property
    def text(self) -> str:
        """All of it, with a heading for each chapter."""
        parts = (f"## {at}. {draft.title}\n\n{draft.text}" for at, draft in self.texts)
        return "\n\n".join(parts)

    @property
    def words(self) -> int:
        """How many words it has."""
        return sum(draft.words for draft in self.drafts)


@dataclass(frozen=True)
class _Reading:
    """What somebody has understood of a story and liked in it, and their remarks on each chapter."""

    answer: ReadingAnswer
    remarks: Mapping[int, Sequence[ReviewRemark]]

    @property
    def doubts(self) -> list[ReviewRemark]:
        """The gravest remarks on what happens, in the order in which they were made."""
        said = {one.remark: at for at, one in enumerate(self.answer.remarks)}
        found = [one for some in self.remarks.values() for one in some if one.kind in _DOUBTS]
        return sorted(found, key=lambda one: said.get(one.remark, len(said)))[:_MOST_DOUBTS]

    def remarks_of(self, drafts: Sequence[Draft]) -> list[ReviewRemark]:
        """Return the remarks on some chapters."""
        chapters = {draft.chapter for draft in drafts}
        return [one for at, found in self.remarks.items() if at in chapters for one in found]


def read_story(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save what a first reader remarks on each chapter, and the chapters as that revises them.

    A short story is written anew after its first reader. The second draft is the text from then on if
    readers of both prefer it; it is read once more, and what is remarked then is kept for the writer:
    nothing is changed for it, since patches show. Only able models are asked. A
    chapter that the writer has changed by hand is read, and left as it is. A story that takes more than a
    third of a model's window is not read.
    """
    context, is_approved = runtime.context, state.get("is_autopilot", False)
    whole = _whole(context)
    is_drafted_again = _is_drafted_again(context, whole)
    context.progress.begin_step("Reading the whole story", 5 if is_drafted_again else 2)
    agents = (FIRST_READER, LAST_REVISION)
    if any(context.strength(agent) is ModelStrength.SMALL for agent in agents):
        return {}
    if estimate_tokens(whole.text) > min(map(context.window, agents)) // 3:
        context.store.runs.add_note(context.run, _TOO_LONG)
        return {}
    reading = _read(context, whole)
    if reading is None:
        context.store.runs.add_note(context.run, _UNREAD)
    elif reading.remarks_of(whole.open_drafts):
        second = _second_draft(context, whole, reading) if is_drafted_again else []
        if not second:
            _revise(context, whole, reading, is_approved=is_approved)
        elif _is_preferred(context, whole, second):
            for draft, after in zip(whole.drafts, second, strict=True):
                _keep(context, draft, after, is_approved=is_approved)
            _read_again(context)
        else:
            _set_aside(context, whole, second)
    return {}


def _whole(context: StoryContext) -> _Whole:
    head = context.store.prototype.head(context.branch)
    plotted = head.chapter if head else 0
    texts = [one for one in context.store.contents.texts(context.branch) if _is_whole(one.draft)]
    by_hand = {one.draft.chapter for one in texts if _is_by_hand(context, one.draft)}
    planned = sum(_words_wanted(context, one.draft, plotted) for one in texts)
    return _Whole(texts, by_hand, planned, plotted)


def _is_whole(draft: Draft) -> bool:
    return draft.state is not DraftState.WRITING and bool(draft.text.strip())


def _words_wanted(context: StoryContext, draft: Draft, plotted: int) -> int:
    """Return how many words a chapter was to have; one that no plot asked for, as many as it has."""
    is_plotted = draft.chapter <= plotted
    return (
        words_wanted(draft.chapter, context.settings, context.unit) if is_plotted else draft.words
    )


def _is_by_hand(context: StoryContext, draft: Draft) -> bool:
    """Return whether the writer has changed a text since an agent wrote it."""
    for version in context.store.manuscript.versions(context.branch, draft.chapter):
        if version.state is DraftState.DRAFTED:
            return False
        if version.state is DraftState.EDITED:
            return True
    return False


def _read(context: StoryContext, whole: _Whole, *, is_again: bool = False) -> _Reading | None:
    """Save what the first reader says, and return it; None if nothing of it can be used."""
    most = min(_REMARKS + _REMARKS_OF_CHAPTER * len(whole.drafts), MOST_REMARKS)
    job = Job(
        agent=FIRST_READER,
        step=_step(context, whole, "reader/2" if is_again else "reader"),
        words=_READING_AGAIN if is_again else _READING,
        variables={
            "premise": cut(context.brief.premise, PREMISE),
            "style": style_for(context.settings, whole.drafts[0].form),
            "most_remarks": most,
            **_text_of(whole),
        },
        turn=len(whole.drafts),
    )
    answer = context.ask_whole(job, READING_SCHEMA)
    if answer is None:
        return None
    texts = [draft.text for draft in whole.drafts]
    by_chapter = remarks_by_part(texts, remarks_on(whole.text, answer.remarks))
    for draft, remarks in zip(whole.drafts, by_chapter, strict=True):
        context.store.manuscript.save_review(draft.id, draft.told, remarks, draft.echoes)
    numbers = (draft.chapter for draft in whole.drafts)
    return _Reading(answer, dict(zip(numbers, by_chapter, strict=True)))


def _read_again(context: StoryContext) -> None:
    """Save what a reader says of the second draft."""
    if _read(context, _whole(context), is_again=True) is None:
        context.store.runs.add_note(context.run, _UNREAD_AGAIN)


def _revise(context: StoryContext, whole: _Whole, reading: _Reading, *, is_approved: bool) -> None:
    """Save the chapters with the passages that change after what their reader said."""
    drafts = whole.open_drafts
    found = within_one(_passages(context, whole, reading), [draft.text for draft in drafts])
    for draft in drafts:
        _keep(context, draft, revised(draft.text, found), is_approved=is_approved)


def _passages(context: StoryContext, whole: _Whole, reading: _Reading) -> Sequence[Replacement]:
    """Return what changes in the story."""
    snapshot = context.store.excerpts.of_telling(context.branch, whole.plotted)
    kept = [str(at) for at, draft in whole.texts if draft.chapter in whole.by_hand]
    job = Job(
        agent=LAST_REVISION,
        step=_step(context, whole, "revision"),
        words="Revising the story after its first reader",
        variables={
            "tone": snapshot.foundation.tone,
            "background": cut(snapshot.foundation.background, WORLD),
            "truth": cut(snapshot.foundation.truth, _TRUTH),
            "voices": _voices(snapshot),
            "style": style_for(context.settings, whole.drafts[0].form),
            "understood": reading.answer.understood,
            "best": list(filter(None, reading.answer.best)),
            "remarks": [remark_line(one) for one in reading.remarks_of(whole.open_drafts)],
            "kept": ", ".join(kept),
            **_text_of(whole),
        },
        turn=len(whole.drafts),
        tokens=max(_LEAST_ANSWER, int(estimate_tokens(whole.text) * _SHARE_REVISED)),
    )
    answer = context.ask_whole(job, REVISION_WITHOUT_FACTS)
    return answer.passages if answer else ()


def _is_drafted_again(context: StoryContext, whole: _Whole) -> bool:
    """Return whether a story is short enough for a second draft, and nobody has changed it by hand."""
    room = min(LONGEST_ANSWER, context.window(SECOND_DRAFT) // 3)
    return (
        is_short(context.settings)
        and not whole.by_hand
        and context.strength(SECOND_DRAFT) is ModelStrength.ABLE
        and whole.planned * TOKENS_PER_WORD <= room
    )


def _second_draft(context: StoryContext, whole: _Whole, reading: _Reading) -> list[str]:
    """Return each chapter as its author writes it anew; none if that does not come to enough."""
    text = context.write_text(_drafting(context, whole, reading))
    form = whole.drafts[0].form
    words = [_words_wanted(context, draft, whole.plotted) for draft in whole.drafts]
    texts = [with_breaks(one, form) for one in divided(text, words)]
    is_whole = all(
        count_words(after) >= _LEAST_KEPT * draft.words
        for after, draft in zip(texts, whole.drafts, strict=True)
    )
    if not is_whole:
        context.store.runs.add_note(context.run, _TOO_LITTLE)
        return []
    return texts


def _is_preferred(context: StoryContext, whole: _Whole, second: Sequence[str]) -> bool:
    """Return whether readers prefer the second draft, who read it before and after the first.

    If nothing that they say is of use, it is taken for the better one, as it was meant to be.
    """
    drafts = [
        draft.model_copy(update={"text": text})
        for draft, text in zip(whole.drafts, second, strict=True)
    ]
    texts = [one._replace(draft=draft) for one, draft in zip(whole.texts, drafts, strict=True)]
    after, before = replace(whole, texts=texts).text, whole.text
    margins = [
        margin_of(context, _step(context, whole, "beside/1"), after, before),
        margin_of(context, _step(context, whole, "beside/2"), before, after),
    ]
    signed = [sign * one for sign, one in zip((1, -1), margins, strict=True) if one is not None]
    return not signed or sum(signed) > 0


def _set_aside(context: StoryContext, whole: _Whole, second: Sequence[str]) -> None:
    """Keep the second draft among the versions of each chapter, whose text stays as it is."""
    manuscript = context.store.manuscript
    with context.store.database.write():
        for draft, after in zip(whole.drafts, second, strict=True):
            newest = manuscript.require(context.branch, draft.chapter)
            if newest.id == draft.id and after != newest.text:
                manuscript.save_revision(newest, after)
                manuscript.add_version(newest)
    context.store.runs.add_note(context.run, _NOT_PREFERRED)


def _drafting(context: StoryContext, whole: _Whole, reading: _Reading) -> Job:
    now = context.store.excerpts.of_telling(context.branch, whole.plotted)
    foundation, form = now.foundation, whole.drafts[0].form
    # Whoever comes in only later is as they are then; the others, as the story finds them.
    told = [
        began(context, draft.chapter) for draft in whole.drafts if draft.chapter <= whole.plotted
    ]
    people = reduce(joined, told, Snapshot()).characters[:_PEOPLE]
    lengths = [_words_wanted(context, draft, whole.plotted) for draft in whole.drafts]
    text, remarks = _text_and_remarks(context, whole, reading)
    return Job(
        agent=SECOND_DRAFT,
        step=_step(context, whole, "second_draft"),
        words="Writing the second draft",
        variables={
            "premise": cut(context.brief.premise, WHOLE_PREMISE),
            "wishes": context.brief.wishes,
            "form": form_words(form, context.settings),
            "is_prose": form.spec.is_prose,
            "tone": foundation.tone,
            "background": foundation.background,
            "idea": foundation.idea,
            "people": [author_line(_as_seen(one) if foundation.idea else one) for one in people],
            "truth": foundation.truth,
            **_outcome(now),
            "style": style_for(context.settings, form),
            "sample": sample_read(context.settings.style_sample),
            "text": text,
            "understood": reading.answer.understood,
            "best": list(filter(None, reading.answer.best)),
            "remarks": remarks,
            "chapters": [
                heading(one.place, one.draft.title)
                + ("" if text else f"\n(about {words} {context.unit})")
                for one, words in zip(whole.texts, lengths, strict=True)
            ],
            "planned": whole.planned,
            "words": whole.words,
        },
        turn=len(whole.drafts),
        tokens=max(_LEAST_ANSWER, int(max(whole.planned, whole.words) * TOKENS_PER_WORD)),
        enough=int(whole.planned * _ENOUGH),
    )


def _text_and_remarks(
    context: StoryContext, whole: _Whole, reading: _Reading
) -> tuple[str, list[str]]:
    """Return the text that whoever writes the second draft has before them, and the remarks on it.

    Of a story that was chosen for how it was told, that is its text, to be improved. Any other is told
    again from what its reader remembers; only their doubts are remarked then.
    """
    sketch = sketch_of(context.store, context.branch)
    if sketch is None or not sketch.is_whole or whole.drafts[0].form is not context.brief.form:
        doubts = (f"{one.remark} {one.remedy}".strip() for one in reading.doubts)
        return "", [f"- {one}" for one in doubts]
    return whole.text, [remark_line(one) for one in reading.remarks_of(whole.drafts)]


def _as_seen(person: Character) -> Character:
    """Return a person without what drives them: where the story stands in short, that says it."""
    return person.model_copy(update=dict.fromkeys(_DRIVEN_BY, ""))


def _outcome(now: Snapshot) -> dict[str, str]:
    """Return how a story comes out, if that does not stand in the story in short."""
    if now.foundation.idea:
        return {"ending": "", "cost": "", "last_image": ""}
    return {
        "ending": now.spine.ending or now.foundation.long_term_goal,
        "cost": now.spine.cost,
        "last_image": now.spine.last_image,
    }


def _voices(snapshot: Snapshot) -> list[str]:
    spoken = [person for person in snapshot.characters if person.voice][:_VOICES]
    return [f"{person.name}: {cut(person.voice, _VOICE)}" for person in spoken]


def _text_of(whole: _Whole) -> dict[str, str | int]:
    return {"text": whole.text, "planned": whole.planned, "words": whole.words}


def _step(context: StoryContext, whole: _Whole, part: str) -> str:
    """Return the name of a call, which counts among those for the text of the last plotted chapter."""
    return f"{whole.plotted}/text/whole/{context.run}/{part}"


def _keep(context: StoryContext, draft: Draft, text: str, *, is_approved: bool) -> None:
    """Save a chapter as it is revised, if it is; on autopilot, what was approved stays so."""
    if text == draft.text:
        return
    manuscript = context.store.manuscript
    saved = manuscript.save_revision(draft, text)
    if is_approved and draft.state is DraftState.APPROVED and saved.text == text:
        manuscript.approve_draft(context.branch, draft.chapter)
