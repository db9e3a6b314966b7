"""The plan of a chapter beside its text: a scene that changes marks the passage that tells it, and no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from graph_flow.views import SceneTie
from pages.components.fields import autosave
from pages.components.fields.autosave import Box
from pages.components.notices import attempt
from pages.components.words import plain
from pages.components.write import plan as plans
from pages.components.write import strings as of_page
from pages.components.write.beside import strings
from pages.serving.services import workbench
from store.models.manuscript import FactKey, PlannedScene, WritingPlan
from store.models.prototype import Snapshot

Rewrite = Callable[[Sequence[str]], None]
"""Has some paragraphs, by their ids, written anew."""


def notice(ties: Sequence[SceneTie]) -> None:
    """Say which passages were written before their plan changed."""
    for tie in ties:
        if tie.is_plan_changed and tie.paragraphs:
            st.markdown(f":orange[:material/sync_problem:] :small[{strings.passage_changed(tie)}]")


def show(
    plan: WritingPlan,
    ties: Sequence[SceneTie],
    snapshot: Snapshot,
    branch: str,
    rewrite: Rewrite,
) -> None:
    """Show a plan, each scene to change and with what has become of its passage."""

    def show_scene(position: int, scene: PlannedScene) -> None:
        tie = ties[position]
        _fields(plan, scene, tie, branch, snapshot)
        others = scene.model_copy(update={"reveals": ()})
        for line in plans.scene_aims(others, snapshot):
            st.markdown(plain(line))
        if tie.is_text_changed:
            st.caption(of_page.TEXT_CHANGED)
        if tie.is_plan_changed:
            _changed(plan, tie, branch, rewrite)

    plans.read(plan, snapshot, show_scene)


def _fields(
    plan: WritingPlan, scene: PlannedScene, tie: SceneTie, branch: str, snapshot: Snapshot
) -> None:
    at = tie.position
    key = f"tied-{branch}-{plan.id}-{at}-{'-'.join(scene.events)}"

    def save(**values: object) -> None:
        workbench().desk.change_scene(
            branch, plan.chapter, lambda now: plans.with_scene(now, at, **values)
        )

    autosave.text_box(
        Box(f"{key}-beat", of_page.SCENE_BEAT, height=100),
        scene.beat,
        lambda text: save(beat=text),
    )
    for number, fact in enumerate(dict.fromkeys([*tie.told_reveals, *scene.reveals])):
        label = plain(of_page.learned(plans.fact_words(fact, snapshot)))
        box = Box(f"{key}-reveals-{number}", label)

        def reveal(is_on: bool, fact: FactKey = fact) -> None:
            kept = (one for one in scene.reveals if one != fact)
            save(reveals=(*kept, fact) if is_on else tuple(kept))

        autosave.toggle_box(box, fact in scene.reveals, reveal)


def _changed(plan: WritingPlan, tie: SceneTie, branch: str, rewrite: Rewrite) -> None:
    said = strings.passage_changed(tie) if tie.paragraphs else strings.NO_PASSAGE
    st.markdown(f":orange[:material/sync_problem:] :small[{said}]")
    if tie.begins:
        st.caption(strings.passage_begins(plain(tie.begins)))
    if tie.paragraphs:
        st.button(
            strings.REWRITE_PASSAGE,
            key=f"rewrite-{plan.id}-{tie.position}",
            icon=":material/edit_note:",
            on_click=rewrite,
            args=(tie.paragraphs,),
        )

    def fits() -> None:
        attempt(lambda: workbench().desk.scene_fits(branch, plan.chapter, tie.position))

    st.button(
        strings.PASSAGE_FITS,
        key=f"fits-{plan.id}-{tie.position}",
        icon=":material/check:",
        type="tertiary",
        on_click=fits,
    )
