"""What ties a chapter's text to its plan: which paragraphs tell which scene, and which of both changed. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from graph_flow.telling.comparing.passages import changed_passages, first_sentence
from graph_flow.views import SceneTie
from store.models.manuscript import (
    PARAGRAPH_BREAK,
    Draft,
    PlannedScene,
    TextParagraph,
    ToldScene,
    WritingPlan,
    told_scenes,
)


def ties_of(plan: WritingPlan, draft: Draft, written: Draft | None) -> list[SceneTie]:
    """Return, for each scene of a plan, the paragraphs that tell it, and whether either has changed.

    `written` is the text as an agent wrote it last. There are none if the text was written from another
    plan, or it is not known what its paragraphs tell.
    """
    texts = draft.text.split(PARAGRAPH_BREAK)
    is_known = len(draft.paragraphs) == len(texts) and any(one.events for one in draft.paragraphs)
    if not is_known or any(one.plan != plan.id for one in draft.scenes):
        return []
    by_hand = _events_changed(draft, written)
    told = list(_matched(plan.scenes, draft.scenes or told_scenes(plan)))
    return [
        _tie(at, scene, known, draft.paragraphs, texts).model_copy(
            update={"is_text_changed": not by_hand.isdisjoint(scene.events)}
        )
        for at, (scene, known) in enumerate(zip(plan.scenes, told, strict=True))
    ]


def with_scene_told(plan: WritingPlan, draft: Draft, position: int) -> tuple[ToldScene, ...]:
    """Return what a text tells, if it tells one scene as the plan has it now."""
    now = told_scenes(plan)
    matched = _matched(plan.scenes, draft.scenes or now)
    return tuple(
        now[at] if at == position or known is None else known for at, known in enumerate(matched)
    )


def _tie(
    position: int,
    scene: PlannedScene,
    told: ToldScene | None,
    paragraphs: Sequence[TextParagraph],
    texts: Sequence[str],
) -> SceneTie:
    places = [
        at for at, one in enumerate(paragraphs) if not set(scene.events).isdisjoint(one.events)
    ]
    is_same = told is not None and (told.beat, told.reveals) == (scene.beat, scene.reveals)
    return SceneTie(
        position=position,
        paragraphs=tuple(paragraphs[at].id for at in places),
        first=places[0] + 1 if places else 0,
        last=places[-1] + 1 if places else 0,
        begins=first_sentence(texts[places[0]]) if places else "",
        told_reveals=told.reveals if told else (),
        is_plan_changed=not is_same,
    )


def _matched(
    scenes: Sequence[PlannedScene], told: Sequence[ToldScene]
) -> Iterator[ToldScene | None]:
    """Yield what is told of each scene: scenes are known by their events, wherever they were moved."""
    seen: Counter[tuple[str, ...]] = Counter()
    for scene in scenes:
        same = [one for one in told if one.events == scene.events]
        at = seen[scene.events]
        seen[scene.events] += 1
        yield same[at] if at < len(same) else None


def _events_changed(draft: Draft, written: Draft | None) -> set[str]:
    """Return the events of the paragraphs that were changed since an agent wrote the text."""
    if written is None:
        return set()
    passages = changed_passages(written.text, draft, written.paragraphs)
    return {event for one in passages for event in one.events}
