"""The writer's desk: what belongs to the paragraph that is being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from graph_flow.cognition.knowledge import knowledge_of
from graph_flow.errors import WorkbenchError
from graph_flow.telling.passages import events_by_paragraph
from graph_flow.telling.scenes import people_in
from graph_flow.telling.ties import ties_of, with_scene_told
from graph_flow.views import ChapterCard, EventHere, ParagraphView, PersonHere, SceneTie, ThreadHere
from graph_flow.workbench.reading import chapter_cards
from store.models.cast import Character
from store.models.desk.contents import BookLength
from store.models.manuscript import (
    Draft,
    DraftState,
    PlannedScene,
    ThreadCue,
    WritingPlan,
    told_scenes,
)
from store.models.plot import Event, Thread
from store.models.prototype import Snapshot
from store.open import Store
from store.prototype.excerpts import OPEN_THREADS

_REMEMBERED = 4
"""How many of a person's memories are named: the newest."""
_THREADS = 8


class DeskService:
    """What the story holds for a place in its text."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def chapters(self, branch_id: str) -> list[ChapterCard]:
        """Return the chapters of a branch in the order of the book: plotted ones, and others."""
        plotted = {card.number: card for card in chapter_cards(self._store, branch_id)}
        cards: list[ChapterCard] = []
        for one in self._store.contents.chapters(branch_id):
            card = plotted.get(one.chapter) or self._typed(branch_id, one.chapter)
            named = {"title": one.title} if one.title else {}
            place = {"place": len(cards) + 1, "as_of": one.as_of}
            cards.append(card.model_copy(update=named | place))
        return cards

    def _typed(self, branch_id: str, chapter: int) -> ChapterCard:
        draft = self._store.manuscript.require(branch_id, chapter)
        return ChapterCard(
            number=chapter,
            title=draft.title,
            line="",
            draft=draft.state,
            words=draft.words,
            is_plotted=False,
        )

    def begin_chapter(self, branch_id: str, chapter: int) -> Draft:
        """Begin a chapter that the writer types by hand, after all others.

        Raises:
            WorkbenchError: if there is such a chapter, or it would not be the next one.
        """
        with self._store.database.write():
            if chapter != self._store.contents.next_typed(branch_id):
                raise WorkbenchError(
                    "There is such a chapter already, perhaps from another window."
                )
            form = self._store.library.story_of(branch_id).brief.form
            return self._store.manuscript.begin_by_hand(branch_id, chapter, form)

    def next_typed(self, branch_id: str) -> int:
        """Return the number of the chapter that is typed by hand next, behind all others."""
        return self._store.contents.next_typed(branch_id)

    def as_of(self, branch_id: str, chapter: int) -> int:
        """Return the plotted chapter at whose end a chapter of the book is told; 0 if there is none."""
        return self._store.contents.as_of(branch_id, chapter)

    def length(self, branch_id: str) -> BookLength:
        """Return how long the book is: its chapters and its words."""
        return self._store.contents.length(branch_id)

    def ties(self, branch_id: str, chapter: int) -> list[SceneTie]:
        """Return which passage tells each scene of a chapter's plan, and whether either has changed."""
        manuscript = self._store.manuscript
        plan, draft = manuscript.plan(branch_id, chapter), manuscript.draft(branch_id, chapter)
        if plan is None or draft is None or draft.state is DraftState.WRITING:
            return []
        return ties_of(plan, draft, manuscript.by_agent(branch_id, chapter))

    def change_scene(
        self, branch_id: str, chapter: int, change: Callable[[WritingPlan], WritingPlan]
    ) -> WritingPlan:
        """Change a plan from which the text has been written; the text keeps what it told until now.

        Raises:
            WorkbenchError: if the chapter has no plan.
            NotFound: if it has no text.
        """
        manuscript = self._store.manuscript
        with self._store.database.write():
            plan, draft = manuscript.plan(branch_id, chapter), manuscript.draft(branch_id, chapter)
            if plan is None:
                raise WorkbenchError(f"Chapter {chapter} has no plan any more.")
            told = draft.scenes if draft is not None and draft.scenes else told_scenes(plan)
            if plan.branch != branch_id:  # the branch that it came from keeps its own
                plan = manuscript.save_plan(plan.model_copy(update={"branch": branch_id}))
            own = [one.model_copy(update={"plan": plan.id}) for one in told]
            if draft is None or list(draft.scenes) != own:
                manuscript.save_scenes(branch_id, chapter, own)
            return manuscript.change_plan(plan, change)

    def scene_fits(self, branch_id: str, chapter: int, position: int) -> None:
        """Note that the text tells a scene as the plan has it now."""
        manuscript = self._store.manuscript
        with self._store.database.write():
            plan, draft = manuscript.plan(branch_id, chapter), manuscript.draft(branch_id, chapter)
            if plan is not None and draft is not None:
                told = with_scene_told(plan, draft, position)
                manuscript.save_scenes(branch_id, chapter, told)

    def here(self, branch_id: str, chapter: int, paragraph: int) -> ParagraphView:
        """Return what belongs to a paragraph of a chapter, counted from 0; the first if there is none."""
        head = self._store.prototype.head(branch_id)
        if head is None:
            return ParagraphView()
        as_of = self._store.contents.as_of(branch_id, chapter)
        snapshot = self._store.prototype.snapshot(branch_id, as_of)
        plan = self._store.manuscript.plan(branch_id, chapter)
        draft = self._store.manuscript.draft(branch_id, chapter)
        events = _events(draft, plan, snapshot, chapter, paragraph)
        scene = _scene_of(plan, events)
        return ParagraphView(
            events=[EventHere(id=one.id, title=one.title, summary=one.summary) for one in events],
            people=[_person(one, snapshot, chapter) for one in people_in(snapshot, events)],
            threads=list(_threads(plan, scene, snapshot)),
            beat=scene.beat if scene else "",
        )


def _events(
    draft: Draft | None, plan: WritingPlan | None, snapshot: Snapshot, chapter: int, paragraph: int
) -> list[Event]:
    """Return the events that a paragraph tells; where that is not known, those of its chapter."""
    told: Sequence[Sequence[str]] = [one.events for one in draft.paragraphs] if draft else []
    if draft is not None and plan is not None and not any(told):
        told = events_by_paragraph(draft.text, plan, snapshot)
    if not any(told):
        return snapshot.events_of(chapter)
    at = told[min(paragraph, len(told) - 1)]
    found = [snapshot.entities.get(one) for one in at]
    return [one for one in found if isinstance(one, Event)]


def _scene_of(plan: WritingPlan | None, events: Iterable[Event]) -> PlannedScene | None:
    wanted = {event.id for event in events}
    scenes = plan.scenes if plan else ()
    return next((one for one in scenes if wanted & set(one.events)), None)


def _person(person: Character, snapshot: Snapshot, chapter: int) -> PersonHere:
    known = knowledge_of(snapshot, person.id)
    before = [one.event.title for one in known.memories if one.chapter < chapter]
    return PersonHere(
        id=person.id,
        name=person.name,
        wants=person.motivation,
        hides=person.secrets,
        voice=person.voice,
        remembers=before[-_REMEMBERED:],
    )


def _threads(
    plan: WritingPlan | None, scene: PlannedScene | None, snapshot: Snapshot
) -> Iterable[ThreadHere]:
    """Yield what a scene does with threads, and then the other threads that are open."""
    cues: list[ThreadCue] = [*(scene.threads if scene else ()), *(plan.threads if plan else ())]
    said = set()
    for cue in cues:
        thread = snapshot.entities.get(cue.thread)
        if isinstance(thread, Thread) and thread.id not in said:
            said.add(thread.id)
            yield ThreadHere(id=thread.id, title=thread.title, move=cue.move, how=cue.how)
    rest = [one for one in snapshot.of(Thread) if one.id not in said and one.state in OPEN_THREADS]
    for thread in rest[:_THREADS]:
        yield ThreadHere(id=thread.id, title=thread.title)
