"""Stage 3: what a reader would stumble over in a text, and what it has told them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from langgraph.runtime import Runtime

from graph_flow.cognition.memory import PromptBudget
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.length import (
    StoryLength,
    is_last,
    is_long,
    is_short,
    length_of,
    place_words,
    scaled,
)
from graph_flow.prompting.style import found_lines, style_for
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.telling.agents import REVIEW
from graph_flow.telling.answers import (
    MOST_ECHOES,
    MOST_REMARKS,
    REVIEW_OF_THE_END,
    REVIEW_SCHEMA,
)
from graph_flow.telling.discourse.in_one_piece import told_before
from graph_flow.telling.discourse.standing import standing
from graph_flow.telling.material.chapter import findings_of, story_so_far, told_from
from graph_flow.telling.material.earlier import drafts_before, fitting, text_before
from graph_flow.telling.material.facts import Fact, facts_untold
from graph_flow.telling.material.lines import (
    Detail,
    SceneMaterial,
    fact_lines,
    known_of,
    labelled,
    locked_lines,
    people_lines,
    people_told,
    scene_blocks,
    tie_lines,
)
from graph_flow.telling.planning import meant_facts
from graph_flow.telling.revising import parts_of, phrases_again, remarks_on
from graph_flow.telling.scenes import tail
from store.models.endpoint import ModelStrength
from store.models.manuscript import Draft, FactKey, ReviewRemark, WritingPlan
from store.text import count_words

_FACTS, _FACT_LINES = 300, 30
"""Tokens and lines of the facts that the reader does not know."""
_FACTS_TOGETHER = 1_050
"""Characters of all facts, as far as possible."""
_SHORT_STORY_FACTS = 5
"""How many times as much of the facts is shown in a short story, which hangs on each of them."""
_TEXT_BEFORE = {
    StoryLength.SHORT: 5_200,
    StoryLength.MIDDLE: 1_000,
    StoryLength.LONG: 420,
}
"""Tokens of the chapters before one that its reviewer reads again; of a short story, which has to hold
together as a whole, about 2,700 words."""
_REMARKS, _TOKENS_AROUND, _TOKENS_OF_REMARK = 6, 880, 220
"""How many remarks are asked for; tokens of an answer, and of each remark in it."""
_AFTER = 6_000
"""Tokens of the chapters after one that its reviewer reads, where they are written already."""
_PEOPLE, _TIES = 900, 4
"""Characters in which the people of the chapter are described, and how many ties are told."""
_LONG_HISTORY = PromptBudget(tokens=220, lines=6)
_CHAPTERS_BEFORE = 2
_END_WORDS = 35


def review_chapter(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Save what the text tells its reader, and what its reviewer would change.

    Only an able model is asked, of a text that an agent has just written. A sketch has had its readers: of a
    short story nobody reads it again, and of a longer one's chapters it is only kept what they tell. A chapter that takes more than a third of the model's window is read in parts.
    """
    context, chapter = runtime.context, state["chapter"]
    number = state.get("reviews", 0) + 1
    draft = context.store.manuscript.draft(context.branch, chapter)
    is_wanted = number <= context.settings.reviews
    if draft is None or not is_wanted or context.strength(REVIEW) is ModelStrength.SMALL:
        return {"reviews": number}
    plan = context.plan(chapter)
    is_sketched = draft.text == told_before(context, plan)
    if is_sketched and is_short(context.settings):
        return {"reviews": number}
    facts = _with_promised_first(plan, facts_untold(context.store, context.branch, chapter))
    reading = _Reading(plan, draft, facts, number)
    parts = parts_of(draft.text, context.window(REVIEW) // 3, plan.form.spec.scene_break)
    read = [_read(context, reading, part) for part in _numbered(parts)]
    if is_sketched:
        read = [one and one._replace(remarks=[]) for one in read]
    _keep(context, reading, read)
    return {"reviews": number}


def _keep(context: StoryContext, reading: _Reading, read: Sequence[_Review | None]) -> None:
    """Save what was said of each part, if anything was."""
    said = [one for one in read if one is not None]
    if not said:
        return
    # What a part that could not be read should tell the reader, it probably does.
    told = chain(*(one.told for one in said), reading.plan.reveals if None in read else ())
    in_turn = chain(*zip_longest(*(one.echoes for one in said), fillvalue=""))
    context.store.manuscript.save_review(
        reading.draft.id,
        tuple(dict.fromkeys(told)),
        [remark for one in said for remark in one.remarks],
        list(filter(None, in_turn))[:MOST_ECHOES],
    )


@dataclass(frozen=True)
class _Reading:
    """What is reviewed, for which time, and what the reader did not know before."""

    plan: WritingPlan
    draft: Draft
    facts: Sequence[Fact]
    number: int


class _Part(NamedTuple):
    """A part of a chapter. `place` says which, and is empty for a whole chapter."""

    text: str
    place: str = ""

    @property
    def step(self) -> str:
        """The end of the name of a step that is about it."""
        return f"/{self.place.partition(' ')[0]}" if self.place else ""


class _Review(NamedTuple):
    """What a reviewer says of a text."""

    told: tuple[FactKey, ...]
    remarks: list[ReviewRemark]
    echoes: tuple[str, ...]


def _numbered(parts: Sequence[str]) -> list[_Part]:
    if len(parts) == 1:
        return [_Part(parts[0])]
    return [_Part(text, f"{at} of {len(parts)}") for at, text in enumerate(parts, start=1)]


def _read(context: StoryContext, reading: _Reading, part: _Part) -> _Review | None:
    """Return what the reviewer says of a part; None if it cannot say anything."""
    room = context.window(REVIEW) // 3
    chapter = reading.plan.chapter
    at = standing(context, chapter)
    if estimate_tokens(part.text) > room:
        context.store.runs.add_note(context.run, _unread(at.words, part.place))
        return None
    most_remarks = min(scaled(_REMARKS, count_words(part.text)), MOST_REMARKS)
    piece = f"part {part.place} of " if part.place else ""
    job = Job(
        agent=REVIEW,
        step=f"{chapter}/text/{reading.plan.attempt}/review/{reading.number}{part.step}",
        words=f"Reading {piece}{at.words} as its editor",
        variables={
            **_about_plan(context, reading.plan, reading.facts),
            **_about_text(context, reading.draft),
            "text": part.text.strip(),
            "part": part.place,
            "most_remarks": most_remarks,
        },
        turn=chapter,
        tokens=_TOKENS_AROUND + most_remarks * _TOKENS_OF_REMARK,
    )
    is_end = is_last(at.number, at.settings)
    answer = context.ask_whole(job, REVIEW_OF_THE_END if is_end else REVIEW_SCHEMA)
    if answer is None:
        return None
    remarks = remarks_on(part.text, answer.remarks)
    return _Review(
        meant_facts(answer.told, reading.facts),
        # Whatever is missing from a part may stand in another.
        [one for one in remarks if one.quote] if part.place else remarks,
        tuple(filter(None, answer.echoes)),
    )


def _unread(chapter: str, place: str) -> str:
    what = f"Part {place} of {chapter}" if place else f"{chapter[0].upper()}{chapter[1:]}"
    return f"{what} was not reviewed: it is too long for the reviewer’s model."


def _with_promised_first(plan: WritingPlan, facts: Sequence[Fact]) -> list[Fact]:
    return sorted(facts, key=lambda fact: fact.key not in plan.reveals)


def _about_plan(
    context: StoryContext, plan: WritingPlan, facts: Sequence[Fact]
) -> dict[str, str | int | Sequence[str]]:
    snapshot, at = told_from(context, plan), standing(context, plan.chapter)
    promised = sum(fact.key in plan.reveals for fact in facts)
    wanted = _TEXT_BEFORE[length_of(context.settings, plan.chapter)]
    most = min(scaled(wanted, plan.words), context.window(REVIEW) // 5)
    before = text_before(context, plan.chapter, most)
    share = _SHORT_STORY_FACTS if is_short(context.settings) else 1
    together = scaled(_FACTS_TOGETHER, plan.words) * share
    room = PromptBudget(scaled(_FACTS, plan.words) * share, scaled(_FACT_LINES, plan.words))
    people = people_told(plan, snapshot)
    return {
        "people": people_lines(
            list(known_of(people, [fact.key for fact in facts])), (), scaled(_PEOPLE, plan.words)
        ),
        "ties": list(tie_lines(snapshot, {person.id for person in people}))[:_TIES],
        "kept": locked_lines(snapshot),
        "tone": snapshot.foundation.tone,
        "after": _text_after(context, plan),
        "place": place_words(at.number, at.settings),
        "is_last": is_last(at.number, at.settings),
        "history": story_so_far(
            context,
            plan,
            snapshot,
            before.since,
            _LONG_HISTORY if is_long(context.settings, plan.chapter) else None,
        ),
        "before": before.text,
        "scenes": scene_blocks(plan, SceneMaterial(snapshot, facts, detail=Detail.BRIEF)),
        "withheld": plan.withheld,
        "facts": labelled("F", fact_lines(facts, together), room),
        "promised": [f"F{at}" for at in range(1, promised + 1)],
        "findings": findings_of(context, plan.chapter),
        "style": style_for(context.settings, plan.form),
        "planned": plan.words,
    }


def _text_after(context: StoryContext, plan: WritingPlan) -> str:
    """Return the chapters after one that was written together with them; empty if it was not."""
    if not is_short(context.settings) or standing(context, plan.chapter).told is not None:
        return ""
    drafts = [
        context.store.manuscript.draft(context.branch, chapter)
        for chapter in range(plan.chapter + 1, (context.settings.planned or 0) + 1)
    ]
    texts = [f"## {one.title}\n\n{one.text.strip()}" for one in drafts if one and one.text]
    return fitting(texts, min(_AFTER, context.window(REVIEW) // 5))


def _about_text(context: StoryContext, draft: Draft) -> dict[str, str | int | Sequence[str]]:
    """Return how long the text is, and what it may repeat."""
    texts = [one.text for one in drafts_before(context, draft.chapter, _CHAPTERS_BEFORE)]
    return {
        "words": draft.words,
        "phrases": phrases_again(draft.text, texts),
        "avoided": found_lines(draft.text, context.settings),
        "endings": [tail(text, _END_WORDS) for text in texts],
    }
