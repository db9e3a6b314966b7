"""Kills of the command line while it plays a story, and while it writes the story's files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from graph_flow.llm.request import Message, as_text
from store.formats.exports import MARKDOWN, Source
from store.models.endpoint import ModelStrength
from tests.benchmarks.measures.trust.kills.children import Child, command
from tests.benchmarks.measures.trust.kills.findings import (
    Findings,
    Kept,
    kept_in,
    opened,
    paid_again,
    wrong_since,
    wrong_with_story,
)
from tests.benchmarks.measures.trust.kills.moments import Moment
from tests.desk import PREMISE, going_on
from tests.fakes.scripted_server import ScriptedServer, Sent

CHAPTERS = 2
LATENCY = 0.02
"""Seconds that the model takes for an answer: some of the kills come while it thinks."""


class Playing:
    """A library, a model, and the command that plays one story there, killed again and again."""

    works = "the command line"

    def __init__(self, folder: Path, strength: ModelStrength) -> None:
        self.folder = folder
        self._strength = strength
        self._count = 0
        self._server = ScriptedServer(answer=going_on, latency=LATENCY).start()
        self._library = self._fresh()
        self._before = kept_in(self._library)
        self._heard = 0

    def close(self) -> None:
        """End the model."""
        self._server.stop()

    def rehearse(self) -> Mapping[str, float]:
        """Play a story without a kill; return how many boundaries there were."""
        child = self._child(None)
        child.end()
        found = child.boundaries
        self._library = self._fresh()
        # Cut into pieces: each kill comes somewhere in the next third of the story.
        return {kind: most / 3 for kind, most in found.items()}

    def kill(self, moment: Moment) -> tuple[bool, Findings]:
        """Play on until the moment; return whether there was a kill, and what is wrong."""
        self._before, self._heard = kept_in(self._library), self._server.asked
        child = self._child(moment)
        was_killed = child.end()
        found = self._compared()
        if not was_killed:
            found.add(self._at_the_end(child))
            self._library = self._fresh()
        return was_killed, found

    def finish(self) -> Findings:
        """Play on to the end, and look at the whole."""
        self._before, self._heard = kept_in(self._library), self._server.asked
        child = self._child(None)
        child.end()
        found = self._compared()
        found.add(self._at_the_end(child))
        return found

    def _compared(self) -> Findings:
        after = kept_in(self._library)
        found = wrong_since(self._before, after)
        asked = [as_kept(sent) for sent in self._server.history[self._heard :]]
        found.add(paid_again(self._before.paid, asked))
        if len(self._stories(after)) > 1:
            found.doubled.append("there are two stories")
        return found

    def _at_the_end(self, child: Child) -> Findings:
        found = Findings()
        if child.code != 0:
            found.stuck.append(f"it ended with {child.code}: {child.log.read_text('utf-8')[-300:]}")
            return found
        with opened(self._library) as store:
            for card in store.library.stories():
                found.add(wrong_with_story(store, card.story, CHAPTERS, is_written=True))
        found.add(wrong_with_files(self._library, self._out))
        return found

    def _child(self, moment: Moment | None) -> Child:
        stories = self._stories(kept_in(self._library))
        which = ["--story", stories[0]] if stories else ["--premise", f"{PREMISE} ({self._count})"]
        what = ["--chapters", str(CHAPTERS), "--write", "--out", str(self._out)]
        return Child(
            self.folder,
            command,
            ["run", *which, *what],
            environment(self._library, self._server.url, self._strength),
            moment,
        )

    def _stories(self, kept: Kept) -> list[str]:
        return [one.removeprefix("story ") for one in kept.things if one.startswith("story ")]

    @property
    def _out(self) -> Path:
        return self._library.parent / "out"

    def _fresh(self) -> Path:
        self._count += 1
        place = self.folder / str(self._count)
        place.mkdir(parents=True)
        return place / "library.db"


class Filing:
    """The command that writes the files of a story that is done."""

    works = "the command line"

    def __init__(self, folder: Path, prepared: Path, chapters: int) -> None:
        self.folder = folder
        self._library = folder / "library.db"
        self._chapters = chapters
        shutil.copy(prepared, self._library)
        self._server = ScriptedServer(answer=going_on).start()

    def close(self) -> None:
        """End the model."""
        self._server.stop()

    def rehearse(self) -> Mapping[str, float]:
        """Write the files without a kill; return how many boundaries there were."""
        child = self._child(None)
        child.end()
        # Before the files come the boundaries of opening the library, with nothing to do.
        return {"file": child.boundaries["file"], "seconds": child.boundaries["seconds"]}

    def kill(self, moment: Moment) -> tuple[bool, Findings]:
        """Write the files until the moment."""
        before = kept_in(self._library)
        was_killed = self._child(moment).end()
        found = wrong_with_files(self._library, self.folder / "out")
        found.add(wrong_since(before, kept_in(self._library)))
        found.paid_twice += [f"asked for {self._server.asked} answers"] * bool(self._server.asked)
        return was_killed, found

    def finish(self) -> Findings:
        """Write the files."""
        child = self._child(None)
        child.end()
        found = wrong_with_files(self._library, self.folder / "out")
        if child.code or not (self.folder / "out" / "story.json").exists():
            found.stuck.append(f"writing files ended with {child.code}")
        return found

    def _child(self, moment: Moment | None) -> Child:
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        with opened(self._library) as store:
            story = store.library.stories()[0].story.id
        what = ["--chapters", str(self._chapters), "--write", "--out", str(self.folder / "out")]
        return Child(
            self.folder,
            command,
            ["run", "--story", story, *what],
            environment(self._library, self._server.url, ModelStrength.ABLE),
            moment,
        )


def as_kept(sent: Sent) -> str:
    """Return a prompt as the ledger keeps it."""
    return as_text([Message(one["role"], one["content"]) for one in sent.messages])  # type: ignore[arg-type] # as it came


def environment(library: Path, model: str, strength: ModelStrength) -> dict[str, str]:
    """Return the variables that name a library and a model."""
    return {
        "TELLWRIGHT_LIBRARY": str(library),
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": strength.value,
        "OPENAI_BASE_URL": model,
    }


def wrong_with_files(library: Path, folder: Path) -> Findings:
    """Return which files of a story's export have their name and are not whole."""
    found = Findings()
    if not folder.exists():
        return found
    with opened(library) as store:
        branch = store.library.main_branch(store.library.stories()[0].story.id).id
        whole = {f"story{MARKDOWN.suffix}": MARKDOWN.export(Source(store, branch))}
    for file in folder.iterdir():
        content = file.read_bytes()
        if file.name in whole and content != whole[file.name]:
            found.half.append(f"{file.name} is not the whole text")
        if file.suffix == ".json" and not _is_json(content):
            found.half.append(f"{file.name} is no JSON")
    return found


def _is_json(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except ValueError:
        return False
