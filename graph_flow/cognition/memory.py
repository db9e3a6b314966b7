"""Budgeted context: what goes into a prompt from a story, and what is left out. Pure.

A past event scores higher the more words it shares with the present matter, the more of the people
at hand took part in it, the closer the links between events bring it to what happens now, the more
it has to do with an open thread, the later it was told, and the more other events depend on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from math import fsum, log
from typing import Generic, TypeVar, overload

from graph_flow.cognition.knowledge import Knowledge, Memory, named_in
from graph_flow.cognition.omniscient import years_words
from graph_flow.llm.tokens import estimate_tokens
from store.database.word_index import terms_of, word_sequence
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.plot import Event, EventLink, Part, Participation
from store.models.prototype import Snapshot
from store.open import Store
from store.prototype.excerpts import OPEN_THREADS, Query
from store.text import clip, own_names, sentences_of, without_middle

T = TypeVar("T")

_LONGEST_WORD = 24
"""Characters: what is longer stands in a script that puts no spaces between words."""
_WORDS, _PEOPLE, _LINKS, _THREADS, _LATE, _WEIGHT = 1.0, 0.6, 0.6, 0.5, 1.0, 0.3
"""The most that each kind of relevance counts for."""
_OWN, _LAST, _NEAREST = 1.0, 0.8, 10.0
"""What it counts that somebody did a thing themselves, and that it was in the chapter before."""
_HALF_LIFE = 6
"""Chapters after which an event's recency counts for half as much."""
_MANY_LINKS = 4
_NEEDED, _NOW = 0.5, 0.65
"""The most that what has to be remembered takes of the room for memories; of what is left, the newest chapter."""
_BEFORE, _STILL_BEFORE = 0.6, 0.35
"""The most of the room then left that what came before the story takes, at first and once much has happened."""
_SHARE_AT_LENGTH = 0.5
"""How much of the room for earlier chapters is for what is remembered at length, if there is not room for all:
the rest is for the outcomes of the others."""
_OUTCOME = 130
"""Characters of an outcome."""
_ROOTED, _REMEMBERED, _IN_SHORT, _BRIEF = 420, 220, 110, 300
"""Characters of what happened in a memory, in later ones if there is not room for all, and in those of
what came before the story that are not among the best; and those below which it is left out how it felt and
what came of it for others."""
_SAID = 1.6
"""How much longer what was said may be than what was seen: it is what has to be answered."""
_CLIPPED = (10_000, 500, 380, 300, 240, 180, 130, 100)
"""Characters of what happened, was said and was thought in an event of the newest chapter, tried one
after the other until all of its events fit."""
_ANSWERED = 420
"""The least of these that the last of them has."""
_ENDS = ".!?…。！？”\"'’)"
_PLANTED = 0.7
"""How much an event counts for an open thread when its chapter planted the thread."""


@dataclass(frozen=True)
class PromptBudget:
    """How much of something a prompt may hold, in tokens and lines."""

    tokens: int
    lines: int = 1_000

    def share(self, part: float) -> PromptBudget:
        """Return a part of its tokens, and as many lines."""
        return PromptBudget(int(self.tokens * part), self.lines)


class BudgetedLines(Sequence[str]):
    """Lines that go into a prompt, and how many more of their kind were left out."""

    def __init__(self, lines: Iterable[str], left_out: int = 0) -> None:
        self._lines = tuple(lines)
        self.left_out = left_out

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        return self._lines[place]

    def __len__(self) -> int:
        return len(self._lines)


@dataclass(frozen=True)
class Selection(Generic[T]):
    """The items chosen, in their original order, with a line for each."""

    items: tuple[T, ...]
    lines: BudgetedLines

    @property
    def tokens(self) -> int:
        """What its lines take in a prompt."""
        return sum(map(estimate_tokens, self.lines))

    def in_order_of(self, items: Sequence[T]) -> Selection[T]:
        """Return the same, in another order."""
        told = sorted(
            zip(self.items, self.lines, strict=True), key=lambda pair: items.index(pair[0])
        )
        lines = BudgetedLines((line for _, line in told), self.lines.left_out)
        return Selection(tuple(item for item, _ in told), lines)

    def followed_by(self, other: Selection[T]) -> Selection[T]:
        """Return both as one."""
        left_out = self.lines.left_out + other.lines.left_out
        lines = BudgetedLines((*self.lines, *other.lines), left_out)
        return Selection((*self.items, *other.items), lines)

    def followed_by_others(self, others: Selection[T]) -> Selection[T]:
        """Return both as one, where the others were chosen from what this leaves out."""
        lines = BudgetedLines((*self.lines, *others.lines), others.lines.left_out)
        return Selection((*self.items, *others.items), lines)


def within(lines: Iterable[str], budget: PromptBudget) -> BudgetedLines:
    """Return the first lines that fit."""
    every = list(lines)
    left = budget.tokens
    kept: list[str] = []
    for line in every[: budget.lines]:
        left -= estimate_tokens(line)
        if left < 0:
            break
        kept.append(line)
    return BudgetedLines(kept, len(every) - len(kept))


def select(
    items: Sequence[T],
    *,
    score: Callable[[T], float],
    line: Callable[[T], str],
    budget: PromptBudget,
) -> Selection[T]:
    """Return the highest-scored items whose lines fit, in the order of `items`."""
    ranked = sorted(range(len(items)), key=lambda at: score(items[at]), reverse=True)
    lines: dict[int, str] = {}
    left = budget.tokens
    for at in ranked:
        if len(lines) == budget.lines:
            break
        told = line(items[at])
        cost = estimate_tokens(told)
        if cost <= left:
            left -= cost
            lines[at] = told
    kept = sorted(lines)
    return Selection(
        tuple(items[at] for at in kept),
        BudgetedLines((lines[at] for at in kept), len(items) - len(kept)),
    )


def relevance(snapshot: Snapshot, query: Query) -> Callable[[Event], float]:
    """Return a function that scores a snapshot's events by their relevance to a query."""
    words = _Words(snapshot, query.text)
    present = set(query.people)
    shared = Counter(part.event for part in snapshot.of(Participation) if part.character in present)
    distance = _distances(snapshot, query.events)
    threads = _Threads(snapshot)
    links = Counter(end for link in snapshot.of(EventLink) for end in (link.source, link.target))

    def score(event: Event) -> float:
        age = max(0, snapshot.chapter - snapshot.first_chapter_of(event.id))
        return (
            _WORDS * words.shared_with(event)
            + _PEOPLE * shared[event.id] / max(1, len(present))
            + _LINKS / max(1.0, distance.get(event.id, float("inf")))
            + _THREADS * threads.are_touched_by(event, snapshot.first_chapter_of(event.id))
            + _LATE * float(0.5 ** (age / _HALF_LIFE))
            + _WEIGHT * min(1.0, links[event.id] / _MANY_LINKS)
        )

    return score


class _Words:
    """How many words of a text an event shares; rare words count for more."""

    def __init__(self, snapshot: Snapshot, text: str) -> None:
        wanted = frozenset(terms_of(text))
        told = [wanted.intersection(_event_words(event)) for event in snapshot.of(Event)]
        said = Counter(chain.from_iterable(told))
        self._worth = {term: log(1 + len(told) / count) for term, count in said.items()}
        self._whole = fsum(self._worth.values())

    def shared_with(self, event: Event) -> float:
        """Return a share from 0 to 1."""
        if not self._whole:
            return 0.0
        shared = self._worth.keys() & _event_words(event)
        return fsum(self._worth[term] for term in shared) / self._whole


class _Threads:
    """The open threads: the chapters that planted them, and their words."""

    def __init__(self, snapshot: Snapshot) -> None:
        threads = [thread for thread in snapshot.threads if thread.state in OPEN_THREADS]
        self._planted = {thread.planted_in for thread in threads}
        self._told = [set(terms_of(f"{one.title} {one.description}")) for one in threads]

    def are_touched_by(self, event: Event, chapter: int) -> float:
        """Return how much an event has to do with an open thread, from 0 to 1."""
        words = _event_words(event)
        nearest = max(
            (len(told.intersection(words)) / len(told) for told in self._told if told), default=0.0
        )
        return max(nearest, _PLANTED if chapter in self._planted else 0.0)


def _event_words(event: Event) -> tuple[str, ...]:
    return word_sequence(f"{event.title} {event.summary} {event.consequences}")


def _distances(snapshot: Snapshot, events: Iterable[str]) -> Mapping[str, int]:
    """Return each event's distance in links from the nearest of the given events, by id."""
    neighbours: dict[str, set[str]] = {}
    for link in snapshot.of(EventLink):
        neighbours.setdefault(link.source, set()).add(link.target)
        neighbours.setdefault(link.target, set()).add(link.source)
    found = dict.fromkeys(events, 0)
    frontier = list(found)
    while frontier:
        near = frontier.pop(0)
        for event in neighbours.get(near, set()) - found.keys():
            found[event] = found[near] + 1
            frontier.append(event)
    return found


def remember(snapshot: Snapshot, query: Query, budget: PromptBudget) -> Selection[Event]:
    """Return a snapshot's events that are most relevant to a query, in the order of the telling."""
    return select(
        snapshot.events,
        score=relevance(snapshot, query),
        line=lambda event: event_line(snapshot, event),
        budget=budget,
    )


def recollect(
    known: Knowledge, snapshot: Snapshot, query: Query, budget: PromptBudget
) -> Selection[Memory]:
    """Return a character's memories that are most relevant to a query, in the order of the telling."""
    score = relevance(snapshot, query)
    return select(
        known.memories, score=lambda memory: score(memory.event), line=memory_line, budget=budget
    )


def recollect_wholly(
    known: Knowledge,
    snapshot: Snapshot,
    query: Query,
    budget: PromptBudget,
    needed: Collection[str] = (),
) -> tuple[Selection[Memory], Selection[Memory]]:
    """Return a character's memories in full: those of earlier chapters, and of the newest one.

    Of earlier chapters they are those of the events that are `needed` (ids), what they did and saw last,
    then the most relevant to a query, own deeds before others, with room kept for what came before the
    story; of the newest, the last, which may take more than half.
    """
    past = [memory for memory in known.memories if memory.chapter < snapshot.chapter]
    recalled = _recalled(past, needed, int(budget.tokens * _NEEDED))
    left = budget.tokens - recalled.tokens
    lately = _lately(
        [memory for memory in known.memories if memory.chapter == snapshot.chapter],
        PromptBudget(int(left * _NOW), budget.lines),
    )
    left -= lately.tokens
    relevant, nearest = relevance(snapshot, query), _nearest(past)

    def score(memory: Memory) -> float:
        is_own, is_last = memory.part.part is Part.ACTS, memory.chapter == snapshot.chapter - 1 > 0
        is_near = memory.event.id in nearest
        return relevant(memory.event) + _OWN * is_own + _LAST * is_last + _NEAREST * is_near

    others = [memory for memory in past if memory not in recalled.items]
    before = [memory for memory in others if memory.chapter == 0]
    since = [memory for memory in others if memory.chapter > 0]
    share = max(_STILL_BEFORE, min(_BEFORE, len(before) / len(others))) if since else 1
    room = PromptBudget(int(left * share), max(1, int(budget.lines * share)))
    first = _some_at_length(before, score, room, partial(whole_memory_line, most=_IN_SHORT))
    room = PromptBudget(left - first.tokens, budget.lines - len(first.items))
    rest = _some_at_length(since, score, room, outcome_line)
    return recalled.followed_by(first).followed_by(rest).in_order_of(past), lately


def _at_length(
    memories: Sequence[Memory],
    score: Callable[[Memory], float],
    budget: PromptBudget,
    lengths: Sequence[int],
) -> Selection[Memory]:
    """Return memories with as many of these characters each as leave room for all, or the best of them."""
    for most in lengths:
        line = partial(whole_memory_line, most=most)
        chosen = select(memories, score=score, line=line, budget=budget)
        if not chosen.lines.left_out:
            break
    return chosen


def _some_at_length(
    memories: Sequence[Memory],
    score: Callable[[Memory], float],
    budget: PromptBudget,
    short_line: Callable[[Memory], str],
) -> Selection[Memory]:
    """Return memories at length, or, if there is not room for all, the best so and others in a short line."""
    chosen = _at_length(memories, score, budget, (_ROOTED, _REMEMBERED))
    if not chosen.lines.left_out:
        return chosen
    chosen = _at_length(memories, score, budget.share(_SHARE_AT_LENGTH), (_REMEMBERED,))
    left = PromptBudget(budget.tokens - chosen.tokens, budget.lines - len(chosen.items))
    others = [memory for memory in memories if memory not in chosen.items]
    return chosen.followed_by_others(select(others, score=score, line=short_line, budget=left))


def _nearest(past: Sequence[Memory]) -> set[str]:
    """Return the events that were the last, and the last deed of one's own, of the chapters so far."""
    told = [memory for memory in past if memory.chapter > 0]
    own = [memory for memory in told if memory.part.part is Part.ACTS]
    return {memory.event.id for memory in (*told[-1:], *own[-1:])}


def _recalled(past: Sequence[Memory], needed: Collection[str], tokens: int) -> Selection[Memory]:
    """Return the memories of some events, all of them: if need be, each in fewer words."""
    memories = [memory for memory in past if memory.event.id in needed]
    return Selection(tuple(memories), BudgetedLines(_clipped_to(memories, tokens)))


def _lately(memories: Sequence[Memory], budget: PromptBudget) -> Selection[Memory]:
    """Return what has just happened to somebody, to the last event.

    If need be, each is told in fewer words; the last, which is to be answered, in more of them.
    """
    now = memories[-budget.lines :]
    lines = _clipped_to(now, budget.tokens, least_of_last=_ANSWERED)
    return Selection(tuple(now), BudgetedLines(lines, len(memories) - len(now)))


def _clipped_to(memories: Sequence[Memory], tokens: int, least_of_last: int = 0) -> list[str]:
    """Return a line for each of some memories: if need be, all in fewer words."""
    for most in _CLIPPED:
        lengths = [most] * (len(memories) - 1) + [max(most, least_of_last)]
        lines = [
            whole_memory_line(memory, length)
            for memory, length in zip(memories, lengths, strict=False)
        ]
        if sum(map(estimate_tokens, lines)) <= tokens:
            break
    return lines


def event_line(snapshot: Snapshot, event: Event, *, with_spoken: bool = False) -> str:
    """Return an event as one line: chapter, what happens, what is said if asked, what comes of it."""
    said = f" {event.spoken}" if with_spoken and event.spoken else ""
    outcome = f" ({event.consequences})" if event.consequences else ""
    return f"Chapter {snapshot.first_chapter_of(event.id)}: {event.summary}{said}{outcome}"


def memory_line(memory: Memory) -> str:
    """Return an event as one person remembers it: what happened, and how they felt."""
    if not memory.is_lived:
        return f"(chapter {memory.chapter}) You were told: {memory.event.summary}"
    felt = f" You felt {memory.part.emotion}." if memory.part.emotion else ""
    return f"(chapter {memory.chapter}): {memory.event.summary}{felt}"


def whole_memory_line(memory: Memory, most: int = 10_000) -> str:
    """Return an event as one person remembers it, with what was said and what it was to them.

    What happened, was said and was thought is cut to about `most` characters each; where that is
    little, what came of it and how it felt is left out.
    """
    event, own = memory.event, memory.part
    if not memory.is_lived:
        return f"{_when(memory)} You were told: {_clipped(event.summary, most)}"
    happened = _happened(memory, most)
    seen = event.consequences if event.consequences != own.impact else ""
    told = {
        "": f"{happened} {without_middle(event.spoken, int(_SAID * most))}".strip(),
        "Then:": seen,
        "You felt:": own.emotion,
        "You thought:": _clipped(own.inner, most),
        "For you:": own.impact,
        "You came to believe:": _clipped(own.learned, most),
    }
    if most < _BRIEF:
        told |= dict.fromkeys(("Then:", "You felt:"), "")
    if most < _REMEMBERED:
        told["For you:"] = ""
    said = (f"{word} {text}".strip() for word, text in told.items() if text)
    return f"{_when(memory)} {' '.join(map(_ended, said))}"


def _happened(memory: Memory, most: int) -> str:
    """Return what happened, from where the one who remembers it does something if there is no room for all."""
    summary = memory.event.summary
    if len(summary) <= most or not memory.name:
        return _clipped(summary, most)
    name = own_names(memory.name)[0]
    sentences = sentences_of(summary)
    at = next((at for at, sentence in enumerate(sentences) if name in sentence), 0)
    before = sum(map(len, sentences[:at]))
    if before + len(sentences[at]) <= most:
        return _clipped(summary, most)
    return f"… {_clipped(summary[before:], most)}"


def outcome_line(memory: Memory) -> str:
    """Return what came of an event for whoever remembers it, in a sentence or two."""
    event, own = memory.event, memory.part
    if not memory.is_lived:
        return f"{_when(memory)} You were told: {_clipped(event.summary, _OUTCOME)}"
    learned = f"You came to believe: {own.learned}" if own.learned else ""
    outcome = event.consequences or own.impact or learned or event.summary
    return f"{_when(memory)} {_ended(_clipped(outcome, _OUTCOME))}"


def _when(memory: Memory) -> str:
    order = memory.event.story_order
    if order is not None and order < 0:
        return f"({years_words(-order)} before the story)"
    return f"(chapter {memory.chapter})"


def _ended(text: str) -> str:
    return text if text[-1] in _ENDS else f"{text}."


def _clipped(text: str, most: int) -> str:
    """Return a text on one line of at most so many characters, up to a whole word where words are apart."""
    line = clip(text, most)
    head, _, part = line.rpartition(" ")
    is_cut_in_word = line.endswith("…") and 0 < len(part) < _LONGEST_WORD < len(head)
    return f"{head.rstrip(' ,;:-')}…" if is_cut_in_word else line


def cast_lines(
    snapshot: Snapshot,
    text: str,
    budget: PromptBudget,
    line: Callable[[Character], str] | None = None,
) -> BudgetedLines:
    """Return one line per person, as an author sees them, for the people who matter most now.

    Those are the people named in a text, then those who appeared most recently. The lines are in
    the order of appearance.
    """
    named = named_in(text, snapshot.characters)
    last: dict[str, int] = {}
    for part in snapshot.of(Participation):
        told = snapshot.first_chapter_of(part.event)
        last[part.character] = max(last.get(part.character, 0), told)
    return select(
        snapshot.characters,
        score=lambda person: (
            (person.id in named) * (snapshot.chapter + 1) + last.get(person.id, -1)
        ),
        line=line or person_line,
        budget=budget,
    ).lines


def person_line(person: Character) -> str:
    """Return one line about who a person is and what they want."""
    facts = [person.occupation, person.personality]
    if person.status:
        facts.append(person.status)
    wants = f"; wants: {person.motivation}" if person.motivation else ""
    return f"{person.name}: {', '.join(fact for fact in facts if fact)}{wants}"


def relationship_line(
    snapshot: Snapshot, relationship: Relationship, *, with_reason: bool = True
) -> str:
    """Return a relationship as one line; its reason is for whoever holds it, and for the author."""
    source, target = (
        snapshot.get(Character, relationship.source),
        snapshot.get(Character, relationship.target),
    )
    reason = f" ({relationship.reason})" if relationship.reason and with_reason else ""
    return (
        f"{source.name} {_feels(relationship, target.name)}, {relationship.strength} of 10{reason}"
    )


def _feels(relationship: Relationship, toward: str) -> str:
    """Say what somebody is to another, with the writer's own name for it."""
    named = f" (“{relationship.called}”)" if relationship.called else ""
    if relationship.tie is RelationshipKind.MARRIAGE:
        return f"is married to {toward}{named}"
    return f"feels {relationship.tie} toward {toward}{named}"


def known_relationships(
    known: Knowledge, snapshot: Snapshot, company: Collection[str], budget: PromptBudget
) -> BudgetedLines:
    """Return a character's known relationships: those to the company first, then the strongest."""
    relationships = [*known.toward, *known.known_of_others]
    return select(
        relationships,
        score=lambda relationship: (
            10 * bool({relationship.source, relationship.target} & set(company))
            + relationship.strength
        ),
        line=lambda relationship: relationship_line(snapshot, relationship),
        budget=budget,
    ).lines


def own_ties(
    known: Knowledge, snapshot: Snapshot, company: Collection[str], budget: PromptBudget
) -> BudgetedLines:
    """Return a character's relationships for itself, with their reasons, then others' towards it.

    Those to the company come first, then the strongest. What has come to be besides an older tie to the
    same person says so.
    """
    names = {one.id: one.name for one in snapshot.characters}
    first = {tie.target: tie.id for tie in reversed(known.toward)}

    def score(tie: Relationship) -> float:
        return 10 * bool({tie.source, tie.target} & set(company)) + tie.strength

    def own(tie: Relationship) -> str:
        reason = f" ({tie.reason})" if tie.reason else ""
        by_now = "" if first[tie.target] == tie.id else "by now also "
        return f"{names[tie.target]}: {by_now}{tie.words}, {tie.strength} of 10{reason}"

    of_others = sorted(known.known_of_others, key=score, reverse=True)[: budget.lines]
    toward = ", ".join(f"{tie.words} of {names[tie.source]} ({tie.strength})" for tie in of_others)
    others = [f"Toward you, as far as you see: {toward}"] if toward else []
    left = budget.tokens - sum(map(estimate_tokens, others))
    mine = select(known.toward, score=score, line=own, budget=PromptBudget(left, budget.lines))
    return BudgetedLines((*mine.lines, *others), mine.lines.left_out)


@dataclass(frozen=True)
class Retrieved:
    """The events most relevant to a query, in the order of the telling, each with its line."""

    snapshot: Snapshot
    events: tuple[Event, ...]
    lines: BudgetedLines


def retrieve(
    store: Store, branch: str, chapter: int | None, query: Query, budget: PromptBudget
) -> Retrieved:
    """Return the events up to a chapter (None: the newest) that are most relevant to a query."""
    snapshot = store.excerpts.of_past(branch, chapter, query)
    chosen = remember(snapshot, query, budget)
    return Retrieved(snapshot, chosen.items, chosen.lines)
