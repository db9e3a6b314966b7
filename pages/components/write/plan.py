"""The writing plan of a chapter: to read, or to edit when the writer is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from graph_flow.telling.material.facts import Fact, facts_of, learners_of
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.fields.editing import with_fields
from pages.components.fields.gate_buttons import Look, ask_again, decide, take_back
from pages.components.fields.keeping import show_problem
from pages.components.notices import act
from pages.components.words import plain
from pages.components.write import strings
from pages.serving.services import workbench
from store.models.manuscript import (
    FactKey,
    PlannedScene,
    Recollection,
    SceneMode,
    Structure,
    ThreadCue,
    WritingPlan,
)
from store.models.plot import Event, Scene, Thread
from store.models.prototype import Snapshot
from store.models.run import Question

Edit = Callable[[WritingPlan], WritingPlan]


def read(
    plan: WritingPlan,
    snapshot: Snapshot,
    show_scene: Callable[[int, PlannedScene], None] | None = None,
) -> None:
    """Show a plan to read; `show_scene` shows what a scene does, if not as text."""
    if plan.goal:
        st.markdown(plain(plan.goal))
    st.caption(strings.plan_facts(plan.structure, plan.words))
    for position, scene in enumerate(plan.scenes):
        st.markdown(f"**{position + 1}\\. {_scene_line(scene, snapshot)}**")
        st.caption(strings.scene_length(scene.mode, plan.words_of(scene)))
        if show_scene is not None:
            show_scene(position, scene)
            continue
        st.markdown(plain(scene.beat))
        for line in scene_aims(scene, snapshot):
            st.markdown(plain(line))
    for heading, lines in _aims(plan, snapshot):
        st.markdown(f"**{heading}**")
        for line in lines:
            st.markdown(plain(line))


def edit(question: Question, plan: WritingPlan, snapshot: Snapshot) -> None:
    """Show a plan to edit and approve; each change is saved at once."""
    with st.container(horizontal=True):
        decide(question, Look(strings.APPROVE_PLAN, "approve-plan"))
        ask_again(question, strings.PLAN_AGAIN, strings.FEEDBACK)
        take_back(
            question,
            strings.PLAN_BACK,
            lambda: workbench().manuscript.take_back_plan(question.branch, question.chapter),
        )
    key = f"plan-{plan.id}"
    autosave.text_box(
        Box(f"{key}-goal", strings.PLAN_GOAL, height=80),
        plan.goal,
        lambda text: _save(plan, lambda now: with_fields(now, goal=text)),
    )
    _shape(plan, key)
    for position, scene in enumerate(plan.scenes):
        with st.container(border=True, key=f"{key}-scene-{position}"):
            _scene(plan, position, scene, snapshot)
    _recollections(plan, snapshot)
    _cues(plan, snapshot)
    autosave.text_box(
        Box(f"{key}-reveal", strings.PLAN_REVEAL),
        plan.reveal,
        lambda text: _save(plan, lambda now: with_fields(now, reveal=text)),
    )
    autosave.text_box(
        Box(f"{key}-withheld", strings.PLAN_WITHHELD),
        plan.withheld,
        lambda text: _save(plan, lambda now: with_fields(now, withheld=text)),
    )


def untold(facts: Sequence[Fact]) -> None:
    """Show, folded, what the reader does not know yet."""
    if facts:
        with st.expander(strings.UNTOLD_HEADING):
            st.caption(strings.UNTOLD_ABOUT)
            for fact in facts:
                st.markdown(plain(fact.text))


def _shape(plan: WritingPlan, key: str) -> None:
    left, right = st.columns(2)
    with left:
        autosave.choice_box(
            Box(f"{key}-structure", strings.PLAN_STRUCTURE),
            {structure: strings.STRUCTURES[structure] for structure in Structure},
            plan.structure,
            lambda value: _save(plan, lambda now: with_fields(now, structure=value)),
        )
    with right:
        words = autosave.bind(f"{key}-words", plan.words)
        st.number_input(
            strings.PLAN_WORDS,
            50,
            None,
            words.value,
            50,
            key=words.key,
            on_change=autosave.saver(
                f"{key}-words",
                words,
                lambda value: _save(plan, lambda now: with_fields(now, words=value)),
            ),
        )
        show_problem(f"{key}-words")


def _scene(plan: WritingPlan, position: int, scene: PlannedScene, snapshot: Snapshot) -> None:
    key = f"plan-{plan.id}-{position}-{'-'.join(scene.events)}"
    st.markdown(f"**{position + 1}\\. {_scene_line(scene, snapshot, has_eyes=False)}**")
    names = {person.id: person.name for person in snapshot.characters}
    autosave.choice_box(
        Box(f"{key}-eyes", strings.SCENE_EYES),
        {None: strings.SCENE_NO_EYES, **names},
        scene.point_of_view,
        lambda value: _save(plan, lambda now: with_scene(now, position, point_of_view=value)),
    )
    autosave.text_box(
        Box(f"{key}-beat", strings.SCENE_BEAT, height=90),
        scene.beat,
        lambda text: _save(plan, lambda now: with_scene(now, position, beat=text)),
    )
    _scene_shape(plan, position, scene, key)
    _left_out_of_scene(plan, position, scene, snapshot)
    with st.container(horizontal=True):
        _mover(plan, position, -1, strings.SCENE_EARLIER, is_off=position == 0)
        _mover(plan, position, 1, strings.SCENE_LATER, is_off=position == len(plan.scenes) - 1)


def _scene_shape(plan: WritingPlan, position: int, scene: PlannedScene, key: str) -> None:
    left, right = st.columns(2)
    with left:
        autosave.choice_box(
            Box(f"{key}-mode", strings.SCENE_MODE),
            {mode: strings.SCENE_MODES[mode] for mode in SceneMode},
            scene.mode,
            lambda value: _save(plan, lambda now: with_scene(now, position, mode=value)),
        )
    with right:
        words = autosave.bind(f"{key}-words", plan.words_of(scene))
        st.number_input(
            strings.SCENE_WORDS,
            10,
            None,
            words.value,
            10,
            key=words.key,
            on_change=autosave.saver(
                f"{key}-words",
                words,
                lambda value: _save(plan, lambda now: with_scene(now, position, words=value)),
            ),
        )
        show_problem(f"{key}-words")


def _left_out_of_scene(
    plan: WritingPlan, position: int, scene: PlannedScene, snapshot: Snapshot
) -> None:
    """Show what a scene tells, recalls and touches, each with a button that leaves it out."""
    lines = {
        "reveals": [_learned(scene, key, snapshot) for key in scene.reveals],
        "recall": [_recollection(item, snapshot) for item in scene.recall],
        "threads": [_cue_line(cue, snapshot) for cue in scene.threads],
    }
    for field, shown in lines.items():
        for at, line in enumerate(shown):
            if _line_with_drop(line, f"{field}-{plan.id}-{position}-{at}-{line}"):
                edit = partial(without_aim, position=position, field=field, at=at)
                act(partial(_save, plan, edit))


def scene_aims(scene: PlannedScene, snapshot: Snapshot) -> list[str]:
    """Return what a scene reveals, recalls and touches, a line each."""
    return [
        *(_learned(scene, key, snapshot) for key in scene.reveals),
        *(_recollection(item, snapshot) for item in scene.recall),
        *(_cue_line(cue, snapshot) for cue in scene.threads),
    ]


def _learned(scene: PlannedScene, key: FactKey, snapshot: Snapshot) -> str:
    return strings.learned(fact_words(key, snapshot), learners_of(snapshot, scene, key))


def fact_words(key: FactKey, snapshot: Snapshot) -> str:
    """Return something that the reader is to learn, in words."""
    texts = {fact.key: fact.text for fact in facts_of(snapshot)}
    return texts.get(key, strings.REMOVED)


def _mover(plan: WritingPlan, position: int, by: int, label: str, *, is_off: bool) -> None:
    if st.button(label, key=f"move-{plan.id}-{position}-{by}", type="tertiary", disabled=is_off):
        act(lambda: _save(plan, lambda now: with_scene_moved(now, position, by)))


def _recollections(plan: WritingPlan, snapshot: Snapshot) -> None:
    if plan.recall:
        st.markdown(f"**{strings.PLAN_RECALL_HEADING}**")
    for position, item in enumerate(plan.recall):
        line = _recollection(item, snapshot)
        if _line_with_drop(line, f"recall-{plan.id}-{position}-{item.event}"):
            edit = partial(without_recollection, position=position)
            act(partial(_save, plan, edit))


def _cues(plan: WritingPlan, snapshot: Snapshot) -> None:
    if plan.threads:
        st.markdown(f"**{strings.PLAN_THREADS_HEADING}**")
    for position, cue in enumerate(plan.threads):
        if _line_with_drop(_cue_line(cue, snapshot), f"cue-{plan.id}-{position}-{cue.thread}"):
            edit = partial(without_cue, position=position)
            act(partial(_save, plan, edit))


def _recollection(item: Recollection, snapshot: Snapshot) -> str:
    return strings.recollection(_label(item.event, snapshot), item.why)


def _cue_line(cue: ThreadCue, snapshot: Snapshot) -> str:
    return strings.thread_cue(cue.move, _label(cue.thread, snapshot), cue.how)


def _line_with_drop(line: str, key: str) -> bool:
    text, button = st.columns([6, 1], vertical_alignment="center")
    text.markdown(plain(line))
    with button:
        return st.button(strings.PLAN_LEAVE_OUT, key=key, type="tertiary", icon=":material/close:")


def _save(plan: WritingPlan, edit: Edit) -> None:
    """Apply an edit to the plan as it is stored now."""
    workbench().manuscript.change_plan(plan, edit)


def _scene_line(scene: PlannedScene, snapshot: Snapshot, *, has_eyes: bool = True) -> str:
    there = _label(scene.scene, snapshot) if scene.scene else strings.SCENE_SOMEWHERE
    place = scene.where or there
    eyes = scene.point_of_view if has_eyes else None
    return plain(strings.seen_by(place, _label(eyes, snapshot)) if eyes else place)


def _label(entity_id: str | None, snapshot: Snapshot) -> str:
    match snapshot.entities.get(entity_id or ""):
        case Scene(name=name):
            return name
        case Event(title=title) | Thread(title=title):
            return title
        case None:
            return strings.REMOVED
        case other:
            return str(getattr(other, "name", ""))


def _aims(plan: WritingPlan, snapshot: Snapshot) -> list[tuple[str, list[str]]]:
    recall = [_recollection(item, snapshot) for item in plan.recall]
    cues = [_cue_line(cue, snapshot) for cue in plan.threads]
    aims = [
        (strings.PLAN_RECALL_HEADING, recall),
        (strings.PLAN_THREADS_HEADING, cues),
        (strings.PLAN_REVEAL_HEADING, [plan.reveal]),
        (strings.PLAN_WITHHELD_HEADING, [plan.withheld]),
    ]
    return [(heading, lines) for heading, lines in aims if any(lines)]


def with_scene(plan: WritingPlan, position: int, **values: object) -> WritingPlan:
    """Return the plan with fields of one scene replaced."""
    scenes = list(plan.scenes)
    scenes[position] = with_fields(scenes[position], **values)
    return with_fields(plan, scenes=tuple(scenes))


def with_scene_moved(plan: WritingPlan, position: int, by: int) -> WritingPlan:
    """Return the plan with one scene moved earlier (`by` < 0) or later, within bounds."""
    scenes: list[PlannedScene] = list(plan.scenes)
    scene = scenes.pop(position)
    scenes.insert(max(0, min(len(scenes), position + by)), scene)
    return with_fields(plan, scenes=tuple(scenes))


def without_aim(plan: WritingPlan, position: int, field: str, at: int) -> WritingPlan:
    """Return the plan without one of the things that a scene reveals, recalls or touches."""
    kept = getattr(plan.scenes[position], field)
    return with_scene(plan, position, **{field: kept[:at] + kept[at + 1 :]})


def without_recollection(plan: WritingPlan, position: int) -> WritingPlan:
    """Return the plan without one of the things to recall."""
    return with_fields(plan, recall=plan.recall[:position] + plan.recall[position + 1 :])


def without_cue(plan: WritingPlan, position: int) -> WritingPlan:
    """Return the plan without one of the threads to touch."""
    return with_fields(plan, threads=plan.threads[:position] + plan.threads[position + 1 :])
