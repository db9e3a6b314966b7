"""Stage 2: score all candidates of a round in one comparing call, and by the continuity check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from graph_flow.cognition.continuity.check import check_nearby
from graph_flow.cognition.continuity.finding import Finding
from graph_flow.cognition.memory import event_line
from graph_flow.llm.errors import UnusableAnswer
from graph_flow.prompting.length import (
    StoryLength,
    is_near_end,
    length_of,
    may_open,
    place_words,
)
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.spine import spine_words
from graph_flow.prompting.text import cut_inside, shortened
from graph_flow.runtime.context import Job, StoryContext
from graph_flow.runtime.state import StoryState
from graph_flow.scoring.agents import SCORER
from graph_flow.scoring.answers import (
    CardScores,
    ScoringRequest,
    salvaged,
    scores_of,
    scores_schema,
)
from graph_flow.scoring.comparison import Comparison, Entrant, line_up
from graph_flow.scoring.scores import ScoringBasis, asked_rules, reason_unasked, scores_by
from store.models.endpoint import ModelStrength
from store.models.proposals import Candidate, CandidateState
from store.prototype.excerpts import OPEN_THREADS
from store.prototype.neighbourhood import Vicinity

_WINDOW_FOR_REASONS = 8_000
"""Tokens. A model with a smaller window gives one reason per candidate, not one per rule."""

_TOKENS_OF_WHOLE, _TOKENS_WITH_REASON, _TOKENS_ALONE = 110, 60, 25
_HISTORY, _THREADS, _MOST_THREADS = 200, 120, 8
"""Tokens of what happened last, and of open threads, and the most of them, that an able model reads."""
_CANDIDATES_AND_SPINE = {
    StoryLength.SHORT: (9_000, 2_600),
    StoryLength.MIDDLE: (3_600, 900),
    StoryLength.LONG: (2_250, 400),
}
"""Tokens of all candidates, and of the spine."""
_SHARE = 0.4
"""The share of the window for what happens in all candidates together."""
_EVENTS_BEFORE = 5

_AS_TOLD = "Readers preferred the story as it was told, so its chapter is not compared with others."
_UNSCORED = "The scorer gave no usable answer, so this is not scored."
_PARTLY = "The scorer’s answer was usable for only some of the rules."


def score_candidates(state: StoryState, runtime: Runtime[StoryContext]) -> StoryState:
    """Score the round's candidates by the rules that count, and save the scores.

    Without a usable answer from the scorer, they have only the score of the continuity check, and so has
    a chapter that stands alone because readers have chosen the whole story as it was told.
    """
    context = runtime.context
    woven = context.store.proposals.candidates(context.branch, state["chapter"], state["round"])
    finished = [one for one in woven if one.state is not CandidateState.GIVEN_UP]
    if not finished:
        return {}
    seed = f"{context.branch}/{state['chapter']}/{state['round']}"
    entrants = line_up(finished, seed, _told(context, finished))
    near = context.store.vicinity.of(context.branch, [one.candidate.delta for one in entrants])
    rules = context.settings.rules
    comparison = Comparison(
        entrants,
        asked_rules(rules),
        near.snapshot,
        with_reasons=context.window(SCORER) >= _WINDOW_FOR_REASONS,
    )
    cards = _compare(state, context, comparison)
    for entrant, findings in zip(entrants, _findings(context, near, entrants), strict=True):
        card = cards[entrant.label]
        basis = ScoringBasis(entrant.candidate.delta, entrant.events, card.rules, findings)
        scores = scores_by(rules, basis)
        context.store.proposals.save_scores(entrant.candidate.id, scores, card.reason)
    return {}


def _told(context: StoryContext, candidates: Sequence[Candidate]) -> dict[str, str]:
    """Return the texts of candidates that were told before they were plotted, by the candidate's id."""
    goals = {
        one.id: context.store.proposals.goal(one.goal) for one in candidates if one.is_sketched
    }
    return {id_: goal.sketch.text for id_, goal in goals.items() if goal.sketch}


def _compare(
    state: StoryState, context: StoryContext, comparison: Comparison
) -> dict[str, CardScores]:
    """Return what the scorer says of each candidate; of an unusable answer, what can be used."""
    asked = comparison.asked
    if not asked.tops:
        return dict.fromkeys(asked.events, CardScores(reason_unasked(context.settings.rules)))
    if all(one.candidate.is_sketched and not one.told for one in comparison.entrants):
        return dict.fromkeys(asked.events, CardScores(_AS_TOLD))
    if context.strength(SCORER, _step(state)) is ModelStrength.SMALL:
        return _compare_in_part(state, context, comparison, {})
    whole = replace(comparison, with_reasons=True, is_whole=True)
    job, found = _job(state, context, whole), dict[str, CardScores]()
    try:
        answer = context.ask_whole_or_fail(job, scores_schema(whole.asked))
        if answer is not None:
            return scores_of(answer, whole.asked)
    except UnusableAnswer as error:
        found = salvaged(error.partial, whole.asked)
    return _compare_in_part(state, context, comparison, found)


def _compare_in_part(
    state: StoryState,
    context: StoryContext,
    comparison: Comparison,
    found: Mapping[str, CardScores],
) -> dict[str, CardScores]:
    """Return what a scorer that is asked for less says; what it leaves out may be found already."""
    asked, job = comparison.asked, _job(state, context, comparison)
    try:
        return scores_of(context.ask(job, scores_schema(asked)), asked)
    except UnusableAnswer as error:
        # An answer that repeats the worked example has not judged these candidates at all.
        leaks = context.prompt(SCORER).leaks(context.variables_of(job), job.turn)
        is_repeated = any(leak.casefold() in error.partial.casefold() for leak in leaks)
        cards = {} if is_repeated else salvaged(error.partial, asked)
    return _in_part(asked, cards, found)


def _in_part(
    asked: ScoringRequest, cards: Mapping[str, CardScores], others: Mapping[str, CardScores]
) -> dict[str, CardScores]:
    """Return what can be used of the small form's answer and, for what that leaves out, of another."""
    said = {}
    for label in asked.events:
        first, second = (found.get(label, CardScores()) for found in (cards, others))
        rules = {**second.rules, **first.rules}
        reason = first.reason or second.reason or _PARTLY
        said[label] = CardScores(reason, rules) if rules else CardScores(_UNSCORED)
    return said


def _findings(
    context: StoryContext, near: Vicinity, entrants: Sequence[Entrant]
) -> list[list[Finding]]:
    """Return what each candidate would break, except what the writer intends."""
    found = check_nearby(near, [entrant.candidate.delta for entrant in entrants])
    if not any(found):
        return found
    intended = context.store.intended.reasons(context.story.id)
    return [[one for one in findings if one.key not in intended] for findings in found]


def _step(state: StoryState) -> str:
    return f"{state['chapter']}/{state['round']}/score"


def _job(state: StoryState, context: StoryContext, comparison: Comparison) -> Job:
    tokens_a_score = _TOKENS_WITH_REASON if comparison.with_reasons else _TOKENS_ALONE
    if comparison.is_whole:
        tokens_a_score = _TOKENS_OF_WHOLE
    return Job(
        agent=SCORER,
        step=_step(state),
        words="Comparing the candidates"
        if len(comparison.entrants) > 1
        else "Judging the candidate",
        variables=_variables(state, context, comparison),
        turn=comparison.with_reasons,
        tokens=len(comparison.entrants) * len(comparison.rules) * tokens_a_score,
    )


def _variables(state: StoryState, context: StoryContext, comparison: Comparison) -> Variables:
    """Return what the scorer reads; of the story, one with a small window reads only the goal."""
    if comparison.is_whole:
        return _whole_variables(state, context, comparison)
    budget = context.memory_budget(SCORER, _SHARE, _EVENTS_BEFORE).tokens
    store, before = context.store, []
    if comparison.with_reasons:
        newest = store.excerpts.newest(context.branch, None, _EVENTS_BEFORE)
        before = [event_line(newest, event) for event in newest.events]
    return {
        "long_term_goal": store.excerpts.foundation(context.branch).foundation.long_term_goal,
        "people": comparison.people() if comparison.with_reasons else [],
        "history": before,
        "rules": comparison.rule_lines(),
        "with_reasons": comparison.with_reasons,
        "candidates": comparison.candidate_lines(budget),
    }


def _whole_variables(state: StoryState, context: StoryContext, comparison: Comparison) -> Variables:
    """Return what an able scorer reads: also where the story goes, and what is still open."""
    chapter, settings, excerpts = state["chapter"], context.settings, context.store.excerpts
    newest = excerpts.newest(context.branch, None, _EVENTS_BEFORE)
    threads = excerpts.of_threads(context.branch, chapter, "").threads
    waiting = [one.title for one in threads if one.state in OPEN_THREADS]
    candidates, spine = _CANDIDATES_AND_SPINE[length_of(settings, chapter)]
    return {
        "long_term_goal": newest.foundation.long_term_goal,
        "spine": spine_words(newest.spine, chapter, settings, spine),
        "place": place_words(chapter, settings),
        "is_near_end": is_near_end(chapter, settings),
        "may_open": may_open(chapter, settings),
        "people": comparison.people(),
        "history": shortened(
            [event_line(newest, event) for event in newest.events], _HISTORY, shorten=cut_inside
        ),
        "threads": shortened(waiting[-_MOST_THREADS:], _THREADS),
        "rules": comparison.rule_lines(),
        "with_reasons": True,
        "candidates": comparison.candidate_lines(candidates),
    }
