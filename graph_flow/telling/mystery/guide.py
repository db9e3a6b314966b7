"""The host guide: the truth, the secrets, the clues with what they prove, and how to run the evening. Pure.

It is put together from the story; its opening, its truth, its false trails and its solution may be
written instead (`store.models.desk.mystery.GuidePart`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from graph_flow.cognition.omniscient import years_words
from graph_flow.telling.mystery.booklets import Section, public_people, round_title
from graph_flow.telling.mystery.case import Case, names
from graph_flow.telling.mystery.checks import Sufficiency
from store.models.cast import Character, Life, Relationship
from store.models.desk.mystery import Clue, GuidePart, Mystery
from store.models.plot import Event, Part, Participation, moment
from store.text import capital

_MOST_EVENTS = 80

OVERVIEW, TIMELINE, SECRETS, CLUES, EVENING, QUESTIONS, CHECKS = (
    "Overview",
    "What happened, in order",
    "What each of them hides",
    "Clues, round by round",
    "How to run the evening",
    "Questions to vote on",
    "What is still missing",
)
GUIDE_TITLES: Mapping[GuidePart, str] = {
    GuidePart.OPENING: "To read aloud as the evening begins",
    GuidePart.TRUTH: "The truth",
    GuidePart.FALSE_TRAILS: "False trails",
    GuidePart.SOLUTION: "The solution, to read aloud at the end",
}
_EVENING = (
    "Give everybody their booklet some days before, or at the door: each reads only the part before the "
    "evening. Nobody reads another’s.",
    "Read the opening aloud. Let everybody say who they are, in a sentence or two.",
    "In each round, let all of them turn to the page of that round, then lay its clue cards on the table, or "
    "give a card to whoever brings it. Leave twenty to thirty minutes to talk, in the open and in corners.",
    "Nobody shows their booklet. Who is asked may evade, and lie about what they hide; what a card proves has "
    "to be admitted.",
    "After the last round, put the questions below to everybody, each writing down their answers. Then read the "
    "solution aloud.",
)
_QUESTIONS = (
    "Who did it?",
    "How was it done?",
    "Why was it done?",
    "How could they do it without being seen?",
    "Which clue settled it for you?",
    "Who played their part best?",
)


def guide_sections(
    case: Case, kept: Mystery | None, clues: Sequence[Clue], checked: Sufficiency
) -> list[Section]:
    """Return the host guide of a case, in order."""
    written = {part: _written(case, kept, clues, part) for part in GuidePart}
    told = [
        (OVERVIEW, _overview(case)),
        *((GUIDE_TITLES[one], written[one]) for one in (GuidePart.OPENING, GuidePart.TRUTH)),
        (TIMELINE, timeline(case, clues)),
        (SECRETS, [_secret(case, one) for one in case.players]),
        (CLUES, clue_lines(case, clues)),
        (GUIDE_TITLES[GuidePart.FALSE_TRAILS], written[GuidePart.FALSE_TRAILS]),
        (EVENING, list(_EVENING)),
        (QUESTIONS, list(_QUESTIONS)),
        (GUIDE_TITLES[GuidePart.SOLUTION], written[GuidePart.SOLUTION]),
        (CHECKS, list(checked.lacking)),
    ]
    found = [(heading, tuple(filter(None, lines))) for heading, lines in told]
    return [Section(heading, lines) for heading, lines in found if lines]


def guide_text(case: Case, clues: Sequence[Clue], kept: Mystery | None, part: GuidePart) -> str:
    """Return a part of the guide as it stands: as it was written, or else as the story has it."""
    return "\n\n".join(filter(None, _written(case, kept, clues, part)))


def _written(case: Case, kept: Mystery | None, clues: Sequence[Clue], part: GuidePart) -> list[str]:
    text = kept.texts.get(part) if kept else None
    if text and text.text:
        return text.text.split("\n\n")
    match part:
        case GuidePart.OPENING:
            return list(_opening(case))
        case GuidePart.TRUTH:
            return list(truth_lines(case, kept))
        case GuidePart.FALSE_TRAILS:
            return [
                f"{one.title}: {one.text}" for one in clues if not one.supports and not one.clears
            ]
        case GuidePart.SOLUTION:
            return list(_solution(case, kept, clues))


def _overview(case: Case) -> list[str]:
    return [
        f"A mystery for {len(case.players)} people and a host, in {len(case.rounds)} rounds.",
        f"They play {names(case.players)}.",
        f"The crime: {case.crime.title}." if case.crime else "",
        f"The victim: {case.victim.name}." if case.victim else "",
        f"Who did it: {names(case.culprits)}." if case.culprits else "",
    ]


def _opening(case: Case) -> Iterator[str]:
    if case.victim is None:
        return
    who = case.victim.name
    work = f", {case.victim.occupation}," if case.victim.occupation else ""
    if case.victim.life is Life.DEAD:
        yield f"{who}{work} is dead. Somebody in this room knows why."
    else:
        yield f"Something was done to {who}{work} and somebody in this room knows what."
    there = [one for one in public_people(case) if one.id != case.victim.id]
    seen = [f"{one.name} ({one.occupation})" if one.occupation else one.name for one in there]
    yield f"Here are {', '.join(seen)}."
    yield "Nobody leaves before it is known who did it, how, and why."


def truth_lines(case: Case, kept: Mystery | None) -> Iterator[str]:
    """Yield what happened, how, why and by which chance, as the writer has it or else as the story does."""
    if case.crime is None:
        return
    yield case.crime.summary or case.crime.title
    yield case.crime.consequences
    for one in case.culprits:
        thoughts = _part_of(case, one)
        yield f"{one.name}: {thoughts.inner}" if thoughts and thoughts.inner else ""
    for label, text in _account(case, kept).items():
        yield f"{label}: {text}" if text else ""
    yield case.story.foundation.truth


def _account(case: Case, kept: Mystery | None) -> dict[str, str]:
    """Return how, why and when it could be done, as the writer has it or else as the story does."""
    scene = case.story.scene_of(case.crime.id) if case.crime else None
    where = ", ".join(filter(None, (scene.name, scene.place, scene.time))) if scene else ""
    return {
        "How": kept.means if kept else "",
        "Why": (kept.motive if kept else "") or " ".join(_motives(case)),
        "The chance": (kept.opportunity if kept else "") or where,
    }


def _motives(case: Case) -> Iterator[str]:
    victim = case.victim.id if case.victim else ""
    for tie in case.story.of(Relationship):
        if tie.source in case.culprit_ids and tie.target == victim and tie.reason:
            yield _ended(tie.reason)
    for one in case.culprits:
        if one.motivation:
            yield f"{one.name} wants {_ended(one.motivation)}"


def _solution(case: Case, kept: Mystery | None, clues: Sequence[Clue]) -> Iterator[str]:
    if not case.culprits or case.crime is None:
        return
    yield f"It was {names(case.culprits)}."
    yield from (line for line in truth_lines(case, kept) if line != case.story.foundation.truth)
    proofs = [one for one in clues if one.supports]
    if proofs:
        yield "You could have known it:"
        yield from (f"{round_title(one.round)}, “{one.title}”. {one.deduction}" for one in proofs)


def timeline(case: Case, clues: Sequence[Clue]) -> list[str]:
    """Return the past, the crime, its chapter, and what the clues rest on, as it happened."""
    rests = {id_ for one in clues for id_ in one.events}
    story, crime = case.story, case.crime
    near = {0, story.first_chapter_of(crime.id)} if crime else {0}
    chosen = [
        one for one in story.events if one.id in rests or story.first_chapter_of(one.id) in near
    ]
    chosen.sort(key=lambda one: moment(one, story.first_chapter_of(one.id)))
    return [_event_words(case, one) for one in chosen[:_MOST_EVENTS]]


def _event_words(case: Case, event: Event) -> str:
    chapter, order = case.story.first_chapter_of(event.id), event.story_order
    when = event.story_date
    if not when and order is not None and order < 0:
        when = f"{years_words(-order)} before"
    told = f"{event.title}: {event.summary}" if event.summary else event.title
    is_crime = case.crime is not None and event.id == case.crime.id
    place = when or ("before" if chapter == 0 else f"chapter {chapter}")
    return f"{capital(place)}{' (the crime)' if is_crime else ''}. {_ended(told)}"


def _secret(case: Case, person: Character) -> str:
    told = {
        "hides": person.secrets,
        "wants": person.motivation,
        "fears": person.fear,
        "wrongly believes": person.misbelief,
    }
    said = [f"{word}: {text}" for word, text in told.items() if text]
    did_it = " (did it)" if person.id in case.culprit_ids else ""
    return f"{person.name}{did_it}. {' '.join(_ended(one) for one in said)}".strip()


def clue_lines(case: Case, clues: Sequence[Clue]) -> list[str]:
    """Return the clues by round, each with what it proves."""
    people = {one.id: one.name for one in case.story.characters}
    return [
        f"{round_title(one.round)}, “{one.title}”"
        + (f", from {people[one.finder]}" if one.finder in people else "")
        + f": {_ended(one.text)} {one.deduction}"
        for one in sorted(clues, key=lambda one: one.round)
    ]


def _part_of(case: Case, person: Character) -> Participation | None:
    if case.crime is None:
        return None
    parts = case.story.participations_in(case.crime.id)
    return next(
        (one for one in parts if one.character == person.id and one.part is Part.ACTS), None
    )


def _ended(text: str) -> str:
    return text if text[-1:] in ".!?…。！？”\"'’" else f"{text}."
