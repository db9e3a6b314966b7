"""What was found in a text that contradicts the story, or may be in it already: the writer decides. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graph_flow.cognition.continuity.check import check_delta
from graph_flow.cognition.continuity.chronicle import Chronicle
from graph_flow.cognition.continuity.finding import Finding, Rule, Severity
from graph_flow.telling.comparing.reading import merged
from store.models.edits.comparison import FoundLine
from store.models.plot import Event, Participation
from store.models.prototype import AnyEntity, Snapshot
from store.text import clip, likeness

_DOUBT = 400
_ALIKE, _ALIKE_BY_NAME = 0.8, 0.4
"""From which likeness on two summaries are taken for one event; of two of the same title and with
the same people, less is enough."""
_DECIDED_BY_WRITER = frozenset({Rule.DEAD, Rule.TWO_PLACES})
"""What no text can mean in earnest. Who knows what, and how ties grow, a text that stands may leave open."""


@dataclass(frozen=True)
class _Told:
    """An event with the ids of those who are in it, and the chapter that tells it."""

    event: Event
    people: frozenset[str]
    chapter: int

    def is_same(self, other: _Told) -> bool:
        """Return whether two events seem to be one that is told twice."""
        alike = likeness(self.event.summary, other.event.summary)
        by_name = self.people == other.people and _is_same_title(self.event, other.event)
        return alike >= (_ALIKE_BY_NAME if by_name else _ALIKE)


def with_doubts(
    lines: Sequence[FoundLine], before: Chronicle, story: Snapshot, chapter: int
) -> tuple[FoundLine, ...]:
    """Return the lines of a chapter, each that the writer has to decide on with the reason.

    `before` and `story` are the story without the lines. Of what is told twice, the first stays.
    """
    known = [
        _told(one, story.entities.values(), story.first_chapter_of(one.id)) for one in story.events
    ]
    doubted: list[FoundLine] = []
    for line in lines:
        told = _told_by(line, chapter)
        same = next((one for one in known if told is not None and one.is_same(told)), None)
        doubted.append(_doubted(line, _twice(same) if same is not None else ""))
        known += [told] if told is not None else []
    delta = merged(story, [line.delta for line in lines])
    findings = [one for one in check_delta(before, delta, chapter) if _is_for_writer(one)]
    return tuple(_doubted(line, _contradicted(line, findings)) for line in doubted)


def _doubted(line: FoundLine, why: str) -> FoundLine:
    return line if line.doubt or not why else line.model_copy(update={"doubt": clip(why, _DOUBT)})


def _told(event: Event, entities: Iterable[AnyEntity], chapter: int) -> _Told:
    parts = (one for one in entities if isinstance(one, Participation))
    return _Told(event, frozenset(one.character for one in parts if one.event == event.id), chapter)


def _told_by(line: FoundLine, chapter: int) -> _Told | None:
    """Return the event that a line adds; None if it adds none."""
    added = line.delta.additions()
    event = next((one for one in added if isinstance(one, Event)), None)
    return _told(event, added, chapter) if event is not None else None


def _is_same_title(one: Event, other: Event) -> bool:
    return likeness(one.title, other.title) == 1.0


def _twice(same: _Told) -> str:
    where = f"chapter {same.chapter}" if same.chapter else "what came before the story"
    return f"This may be “{same.event.title}” of {where} already, told again."


def _is_for_writer(finding: Finding) -> bool:
    return finding.severity is Severity.CONTRADICTION and finding.rule in _DECIDED_BY_WRITER


def _contradicted(line: FoundLine, findings: Iterable[Finding]) -> str:
    """Return what an event that a line adds contradicts."""
    events = {one.id for one in line.delta.additions() if isinstance(one, Event)}
    found = (one for one in findings if events & {evidence.id for evidence in one.evidence})
    return next((one.sentence for one in found), "")
