"""What the agents of a mystery are asked, and what is kept of their answers.

The booklet writer is given one part of one booklet and nothing else, so its request can hold nothing
that its person cannot know. The solver is given what lies on the table. Only the other two know all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from graph_flow.cognition.memory import PromptBudget, event_line, relationship_line, within
from graph_flow.cognition.omniscient import author_line
from graph_flow.prompting.labels import Labels, label_said
from graph_flow.prompting.prompt import Variables
from graph_flow.prompting.text import cut
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.telling.mystery.agents import BOOKLET_WRITER, CASE_MAKER, GUIDE_WRITER, SOLVER
from graph_flow.telling.mystery.answers import (
    CASE_PART,
    CASE_SCHEMA,
    GUIDE_PART,
    GUIDE_SCHEMA,
    MOST_CLUES,
    VERDICT_SCHEMA,
    CaseAnswer,
    GuideAnswer,
    VerdictAnswer,
    WholeClue,
    verdict_part,
    widened_case,
    widened_guide,
    widened_verdict,
)
from graph_flow.telling.mystery.booklets import HERE, RULES, Booklet, round_title
from graph_flow.telling.mystery.case import Case, names
from graph_flow.telling.mystery.clues import deduction_of
from graph_flow.telling.mystery.guide import clue_lines, timeline, truth_lines
from graph_flow.telling.mystery.kit import Kit, known_lines
from store.models.base import new_id
from store.models.cast import Character, Relationship
from store.models.desk.mystery import TEXT_LIMIT, Clue, ClueKind, GuidePart, Point, Trial
from store.models.endpoint import ModelStrength
from store.models.plot import Event, Participation
from store.models.prototype import AnyEntity
from store.text import clip, fold

_EVENTS, _PEOPLE, _CLUES, _KNOWN = 0.3, 0.15, 0.25, 0.5
"""Shares of the model's window."""
_MOST_EVENTS, _MOST_PEOPLE, _MOST_TIES, _MOST_CARDS, _MOST_KNOWN = 120, 20, 40, 60, 400
_LARGEST = 24_000
"""Tokens of what one person knows, at most."""
_WORLD = 1_500
_WORDS, _WORDS_LATER, _SMALL_WORDS = 500, 180, 80
_ENOUGH = 30
"""Words after which a booklet that was cut off may end."""


def ask_case(context: StoryContext, kit: Kit, step: str) -> CaseAnswer:
    """Return the case that an agent makes of a story.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    labels = Labels()
    variables = _case_variables(context, kit.case, labels)
    forms = AnswerForms(CASE_SCHEMA, CASE_PART, widened_case)
    job = Job(CASE_MAKER, step, "Making the case", variables, shows="false_trails")
    answer = context.ask_in_form(job, forms)
    return answer.model_copy(update={"clues": _labelled(answer.clues, labels.named)})


def clues_from(answer: CaseAnswer, case: Case) -> tuple[Clue, ...]:
    """Return the clues of a case that an agent has made; names and labels that mean nothing are left out.

    The events of its clues are ids.
    """
    return tuple(_clue(one, case) for one in answer.clues)


def ask_booklet(context: StoryContext, booklet: Booklet, number: int, step: str) -> str:
    """Return the text of a part of a booklet, from that part alone.

    Raises:
        ModelError: if the endpoint fails, or no text comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    part, person = booklet.parts[number], booklet.person
    is_small = context.strength(BOOKLET_WRITER) is ModelStrength.SMALL
    words = _WORDS if number == 0 else _WORDS_LATER
    budget = PromptBudget(min(int(context.window(BOOKLET_WRITER) * _KNOWN), _LARGEST), _MOST_KNOWN)
    # A small model takes a list of who is there for what happens.
    shown = [one for one in part.sections if not (is_small and one.heading == HERE)]
    variables: Variables = {
        "name": person.name,
        "part": part.title,
        "is_first": number == 0,
        "known": within(known_lines(replace(part, sections=tuple(shown))), budget),
        "words": _SMALL_WORDS if is_small else words,
    }
    said = f"Writing the booklet of {person.name}: {part.title}"
    text = context.write_text(Job(BOOKLET_WRITER, step, said, variables, enough=_ENOUGH))
    return cut(text.strip(), TEXT_LIMIT)


def ask_guide(context: StoryContext, kit: Kit, step: str) -> dict[GuidePart, str]:
    """Return what an agent writes of the host guide; parts without a word are left out.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    case = kit.case
    variables: Variables = {
        "background": cut(case.story.foundation.background, _WORLD),
        "victim": case.victim.name if case.victim else "",
        "culprits": names(case.culprits),
        "account": list(truth_lines(case, kit.kept)),
        "people": _people(context, case),
        "timeline": within(
            timeline(case, kit.clues), context.memory_budget(GUIDE_WRITER, _EVENTS, _MOST_EVENTS)
        ),
        "clues": within(
            clue_lines(case, kit.clues), context.memory_budget(GUIDE_WRITER, _CLUES, _MOST_CARDS)
        ),
    }
    job = Job(GUIDE_WRITER, step, "Writing the host guide", variables, shows="opening")
    answer: GuideAnswer = context.ask_in_form(
        job, AnswerForms(GUIDE_SCHEMA, GUIDE_PART, widened_guide)
    )
    found = {
        GuidePart.OPENING: answer.opening,
        GuidePart.TRUTH: answer.truth,
        GuidePart.FALSE_TRAILS: answer.false_trails,
        GuidePart.SOLUTION: answer.solution,
    }
    return {part: text for part, text in found.items() if text}


def ask_trial(context: StoryContext, kit: Kit, reader: Booklet | None, step: str) -> Trial:
    """Return whom an agent takes for the culprit that has only what lies on the table, and why.

    `reader` is whose booklet it reads besides.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    case = kit.case
    suspects = [one.name for one in case.players]
    variables: Variables = {
        "victim": case.victim.name if case.victim else "",
        "suspects": suspects,
        "reader": reader.person.name if reader else "",
        "opening": kit.guide_text(GuidePart.OPENING),
        "clues": within(table_lines(kit), context.memory_budget(SOLVER, _CLUES, _MOST_CARDS)),
        "booklet": within(
            reader_lines(kit, reader) if reader else [],
            context.memory_budget(SOLVER, _KNOWN, _MOST_KNOWN),
        ),
    }
    job = Job(SOLVER, step, "Trying to solve the case", variables, shows="reasons")
    forms = AnswerForms[VerdictAnswer](VERDICT_SCHEMA, verdict_part(suspects), widened_verdict)
    answer = context.ask_in_form(job, forms)
    accused = _named(answer.culprit, case.players)
    return Trial(
        reader=reader.person.id if reader else None,
        culprit=accused.id if accused else None,
        reasons=answer.reasons,
        missing=answer.missing,
        clues=table_mark(kit),
    )


def table_lines(kit: Kit) -> list[str]:
    """Return what lies on the table by the last round: the cards, without what the host knows of them."""
    played = [one for one in kit.clues if one.round <= len(kit.case.rounds)]
    return [
        f"{round_title(one.round)}, “{one.title}”: {one.text}"
        for one in sorted(played, key=lambda one: one.round)
    ]


def table_mark(kit: Kit) -> str:
    """Return a hash of what lies on the table, by which a verdict of other clues is known."""
    said = "\n".join((kit.guide_text(GuidePart.OPENING), *table_lines(kit)))
    return f"{crc32(said.encode('utf-8', 'replace')):x}"


def reader_lines(kit: Kit, booklet: Booklet) -> list[str]:
    """Return all parts of a booklet as its player reads them."""
    return [
        f"{part.title}: {line}"
        for number, part in enumerate(booklet.parts)
        for one in kit.sections_of(booklet, number)
        if one.heading not in {HERE, RULES}
        for line in one.lines
    ]


def _case_variables(context: StoryContext, case: Case, labels: Labels) -> Variables:
    story, crime = case.story, case.crime
    involved = {one.id for one in case.players} | ({case.victim.id} if case.victim else set())
    ties = [
        relationship_line(story, one)
        for one in story.of(Relationship)
        if {one.source, one.target} <= involved
    ]
    budget = context.memory_budget(CASE_MAKER, _EVENTS, _MOST_EVENTS)
    return {
        "background": cut(story.foundation.background, _WORLD),
        "truth": cut(story.foundation.truth, _WORLD),
        "crime": event_line(story, crime) if crime else "",
        "victim": case.victim.name if case.victim else "",
        "culprits": names(case.culprits),
        "people": _people(context, case),
        "ties": ties[:_MOST_TIES],
        "events": within(
            labels.of("E", _nearest(case), lambda event: event_line(story, event)), budget
        ),
        "rounds": len(case.rounds),
        "most_clues": MOST_CLUES,
    }


def _nearest(case: Case) -> list[Event]:
    """Return the events that a clue could rest on, those of the crime's own people first."""
    involved = case.culprit_ids | ({case.victim.id} if case.victim else set())
    parts = case.story.of(Participation)
    touched = {part.event for part in parts if part.character in involved}
    return sorted(case.story.events, key=lambda one: one.id not in touched)


def _people(context: StoryContext, case: Case) -> Sequence[str]:
    return within(
        [author_line(one) for one in case.players],
        context.memory_budget(CASE_MAKER, _PEOPLE, _MOST_PEOPLE),
    )


def _labelled(clues: Iterable[WholeClue], named: Mapping[str, AnyEntity]) -> tuple[WholeClue, ...]:
    """Return clues whose events are ids, in place of labels."""
    return tuple(
        one.model_copy(
            update={
                "events": tuple(
                    found.id for label in one.events if (found := named.get(label_said(label)))
                )
            }
        )
        for one in clues
    )


def _clue(said: WholeClue, case: Case) -> Clue:
    supports = tuple(
        point for point in Point if any(point.value in fold(one) for one in said.supports)
    )
    cleared = [_named(one, case.suspects) for one in said.clears]
    clears = tuple(dict.fromkeys(one.id for one in cleared if one))
    finder = _named(said.finder, case.players)
    return Clue(
        id=new_id(),
        round=min(said.round, len(case.rounds)),
        title=clip(said.title, 80),
        text=said.text,
        kind=ClueKind.TESTIMONY if finder else ClueKind.TRACE,
        finder=finder.id if finder else None,
        events=tuple(dict.fromkeys(said.events)),
        supports=supports,
        clears=clears,
        deduction=said.deduction or deduction_of(case, supports, clears),
    )


def _named(said: str, people: Iterable[Character]) -> Character | None:
    """Return who is meant by a name, or by a part of it that only one of them has."""
    wanted = fold(said).strip(" .")
    listed = list(people)
    exact = [one for one in listed if wanted in {fold(name) for name in (one.name, *one.aliases)}]
    partly = [one for one in listed if wanted and wanted in fold(one.name).split()]
    found = exact or partly
    return found[0] if len(found) == 1 else None
