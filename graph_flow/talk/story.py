"""Asking the story: an answer with evidence, and what it proposes. Nothing changes by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from graph_flow.prompting.changes import WholeChange, field_of, fits, with_value
from graph_flow.prompting.labels import label_said
from graph_flow.prompting.text import end_whole, tidy
from graph_flow.runtime.context import AnswerForms, Job, StoryContext
from graph_flow.talk.agents import STORY_TALK
from graph_flow.talk.answers import TALK_SCHEMA, TalkAnswer, part_schema, widened
from graph_flow.talk.material import Material, material_for
from store.deltas.delta import diff
from store.deltas.locks import is_locked
from store.models.delta import Delta
from store.models.desk.talk import ProposedChange, ProposedGoal, TalkTurn
from store.models.plot import Event
from store.models.prototype import AnyEntity, Snapshot

_LABEL = r"[EPRTSC]\d+"
_LABELS = re.compile(rf"\s*[\[(]\s*{_LABEL}(?:\s*(?:,|;|and)\s*{_LABEL})*\s*[\])]")
_CHAPTER = re.compile(r"(?:c|chapter\s*)(\d{1,5})", re.IGNORECASE)
_MOST_EVIDENCE = 8
_GOAL_TITLE = 60


def answer_story(
    context: StoryContext, turn: TalkTurn, before: Sequence[TalkTurn], step: str
) -> TalkTurn:
    """Return a question with the answer of an agent that knows the story, and what it proposes.

    Raises:
        ModelError: if the endpoint fails, or no usable answer comes within the bound.
        RunStopped: if the work was asked to stop.
    """
    material = material_for(context, STORY_TALK, turn, before)
    labels = [label for label, one in material.named.items() if isinstance(one, Event)]
    forms = AnswerForms(TALK_SCHEMA, part_schema(labels), widened)
    job = Job(
        STORY_TALK,
        step,
        "The story answers your question",
        material.variables,
        shows="answer",
    )
    answer = context.ask_in_form(job, forms)
    # Only what is to be changed has to fit the whole story.
    story = context.snapshot() if answer.changes else Snapshot()
    return read_answer(answer, turn, material, story)


def read_answer(
    answer: TalkAnswer, turn: TalkTurn, material: Material, story: Snapshot
) -> TalkTurn:
    """Return a question with its answer; what names nothing that exists is left out. Pure."""
    said = _LABELS.findall(answer.answer)
    cited = [*answer.evidence, *re.findall(_LABEL, " ".join(said))]
    delta = changes_of(answer.changes, material.named, story)
    text = answer.goal or answer.goal_title
    return turn.model_copy(
        update={
            "answer": _LABELS.sub("", answer.answer).strip() or answer.answer.strip(),
            "events": tuple(_events(cited, material.named)),
            "chapters": tuple(_chapters(cited, material.plotted)),
            "change": None if delta.is_empty else ProposedChange(delta=delta),
            "goal": ProposedGoal(title=_titled(answer), text=text) if text else None,
        }
    )


def changes_of(
    changes: Iterable[WholeChange], named: Mapping[str, AnyEntity], story: Snapshot
) -> Delta:
    """Return the changes that fit the story, and touch nothing that the writer has locked. Pure."""
    entities = dict(story.entities)
    for change in changes:
        about = named.get(label_said(change.of))
        standing = entities.get(about.id) if about else None
        changed = _changed(standing, change) if standing else None
        if changed is not None and fits(story, entities | {changed.id: changed}):
            entities[changed.id] = changed
    return diff(story, story.model_copy(update={"entities": entities}))


def _changed(standing: AnyEntity, change: WholeChange) -> AnyEntity | None:
    """Return an entity with a field changed; None if there is no such field, or it is locked."""
    field = field_of(standing, change.field)
    if field is None or is_locked(standing, field):
        return None
    return with_value(standing, field, change.value)


def _events(cited: Iterable[str], named: Mapping[str, AnyEntity]) -> Iterator[str]:
    """Yield the ids of the events that are named, each once."""
    found = (named.get(label_said(one)) for one in cited)
    yield from list(dict.fromkeys(one.id for one in found if isinstance(one, Event)))[
        :_MOST_EVIDENCE
    ]


def _chapters(cited: Iterable[str], plotted: int) -> Iterator[int]:
    """Yield the chapters that are named and exist, each once."""
    found = (_CHAPTER.fullmatch(one.strip(" .[]()")) for one in cited)
    numbers = dict.fromkeys(int(one.group(1)) for one in found if one)
    yield from [number for number in numbers if 1 <= number <= plotted][:_MOST_EVIDENCE]


def _titled(answer: TalkAnswer) -> str:
    title = answer.goal_title or answer.goal
    return tidy(end_whole(title[:_GOAL_TITLE], _GOAL_TITLE)).strip(" .") or "A goal from your talk"
