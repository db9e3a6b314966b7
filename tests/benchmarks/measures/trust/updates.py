"""Several programs change one library at once: which changes are lost without a word."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from graph_flow.workbench.workbench import Workbench
from store.errors import ChangedElsewhere
from store.models.story import Story
from tests.benchmarks.measures.trust.kills.children import Child

Change = Callable[[Workbench, Story, int, str], None]


def _tell_style(workbench: Workbench, story: Story, _number: int, words: str) -> None:
    workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update={"style_notes": words})
    )


def _plan(workbench: Workbench, story: Story, number: int, _words: str) -> None:
    workbench.library.change_settings(
        story.id, lambda now: now.model_copy(update={"chapter_cap": 20 + number})
    )


def _tell_premise(workbench: Workbench, story: Story, _number: int, words: str) -> None:
    workbench.library.change_brief(story.id, lambda now: now.model_copy(update={"premise": words}))


def _wish(workbench: Workbench, story: Story, _number: int, words: str) -> None:
    workbench.library.change_brief(story.id, lambda now: now.model_copy(update={"wishes": words}))


def _change_rule(workbench: Workbench, story: Story, number: int, words: str) -> None:
    key = workbench.scoring.rules(story.id)[number % 3].key
    workbench.scoring.change_rule(
        story.id, key, lambda rule: rule.model_copy(update={"question": words})
    )


def _choose_model(workbench: Workbench, _story: Story, _number: int, words: str) -> None:
    workbench.models.change_settings(lambda now: now.model_copy(update={"model_file": words}))


def _write(workbench: Workbench, story: Story, _number: int, words: str) -> None:
    branch = workbench.library.main_branch(story.id).id
    draft = workbench.manuscript.draft(branch, 1)
    assert draft is not None
    workbench.manuscript.replace_text(branch, 1, draft.text, f"{draft.text}\n\n{words}")


CHANGES: Mapping[str, Change] = {
    "style": _tell_style,
    "length": _plan,
    "premise": _tell_premise,
    "wishes": _wish,
    "rule": _change_rule,
    "model": _choose_model,
    "text": _write,
    "text again": _write,
}
"""What each of the programs changes. Two write in the same text, and only these can meet."""


@dataclass(frozen=True)
class Updates:
    """How many changes were made, how many of them a program was told it could not make, and lost."""

    made: int
    refused: int
    lost: tuple[str, ...]


def change(arguments: Sequence[str]) -> int:
    """Change one thing of a library again and again; write down what was kept and what refused."""
    name, times, report = arguments
    workbench = assemble(terms=Terms(OwnModels(lambda _name: None)))
    kept: list[str] = []
    refused = 0
    with closing(workbench):
        story = workbench.library.stories()[0].story
        for number in range(int(times)):
            words = f"{name} {number}."
            try:
                CHANGES[name](workbench, story, number, words)
                kept.append(words)
            except ChangedElsewhere:
                refused += 1
    Path(report).write_text(json.dumps({"kept": kept, "refused": refused}), "utf-8")
    return 0


def measure(folder: Path, prepared: Path, times: int) -> Updates:
    """Let all programs make their changes at once, each so many, and look for them afterwards."""
    library = folder / "library.db"
    shutil.copy(prepared, library)
    reports = {name: folder / f"{name}.json" for name in CHANGES}
    children = []
    for name, report in reports.items():
        (folder / name).mkdir()
        variables = {"TELLWRIGHT_LIBRARY": str(library)}
        children.append(Child(folder / name, change, [name, str(times), str(report)], variables))
    for child in children:
        child.end()
    said = {name: json.loads(report.read_text("utf-8")) for name, report in reports.items()}
    return Updates(
        made=sum(len(one["kept"]) for one in said.values()),
        refused=sum(one["refused"] for one in said.values()),
        lost=tuple(_lost(library, said, times)),
    )


def _lost(library: Path, said: Mapping[str, Any], times: int) -> list[str]:
    """Return the changes that are not there, though nobody was told; the last one of each counts."""
    with closing(assemble(library, Terms(OwnModels(lambda _name: None)))) as workbench:
        story = workbench.library.stories()[0].story
        branch = workbench.library.main_branch(story.id).id
        draft = workbench.manuscript.draft(branch, 1)
        text = draft.text.split("\n\n") if draft else []
        now = {
            "style": story.settings.style_notes,
            "length": f"length {story.settings.chapter_cap - 20}.",
            "premise": story.brief.premise,
            "wishes": story.brief.wishes,
            "rule": story.settings.rules[(times - 1) % 3].question,
            "model": workbench.models.settings().model_file,
        }
    lost = [name for name, found in now.items() if said[name]["kept"][-1] != found]
    for name in ("text", "text again"):
        lost += [words for words in said[name]["kept"] if words not in text]
    return lost
