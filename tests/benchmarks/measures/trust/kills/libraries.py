"""Kills while a library is imported into, backed up, restored, migrated and salvaged."""

from __future__ import annotations

import gzip
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from store.errors import StoreError
from store.formats.bundle import export_bundle
from store.models.story import Brief
from store.open import Store
from store.upkeep.backups import make_backup
from store.upkeep.files import moment_of
from tests.benchmarks.measures.trust.kills.children import Child, Work, bring_in, command
from tests.benchmarks.measures.trust.kills.findings import (
    Findings,
    is_sound,
    kept_in,
    opened,
    titles_in,
    wrong_since,
)
from tests.benchmarks.measures.trust.kills.moments import Moment

FORMER = Path(__file__).parents[4] / "graph_flow" / "workbench" / "former" / "library.db.gz"
"""A library that the first version made."""

_MIDDLE = 0.5
_HURT = 24_576
"""Bytes of a library that are overwritten so that it has to be salvaged."""


class Upkeep(ABC):
    """One thing done with a library, killed and done again."""

    name = ""
    works = "the command line"
    work: Work = staticmethod(command)

    def __init__(self, folder: Path, prepared: Path) -> None:
        self.folder = folder
        self._prepared = prepared
        self._count = 0
        self.place = folder

    def close(self) -> None:
        """Remove what was laid out."""
        shutil.rmtree(self.folder)

    def rehearse(self) -> Mapping[str, float]:
        """Do it without a kill; return how many boundaries there were."""
        self._lay_out()
        child = self._child(None)
        child.end()
        return child.boundaries

    def kill(self, moment: Moment) -> tuple[bool, Findings]:
        """Do it until the moment, look, do it again, and look again."""
        self._lay_out()
        was_killed = self._child(moment).end()
        found = self.look()
        found.add(self._again())
        return was_killed, found

    def finish(self) -> Findings:
        """Do it to its end."""
        self._lay_out()
        return self._again()

    def _again(self) -> Findings:
        child = self._child(None)
        child.end()
        found = self.look()
        if not self.is_done(child.code):
            log = child.log.read_text("utf-8")[-300:]
            found.stuck.append(f"{self.name}, done again, ended with {child.code}: {log}")
        return found

    def _lay_out(self) -> None:
        self._count += 1
        self.place = self.folder / str(self._count)
        self.place.mkdir(parents=True)
        shutil.copy(self._prepared, self.library)
        self.lay_out()

    def _child(self, moment: Moment | None) -> Child:
        variables = {"TELLWRIGHT_LIBRARY": str(self.library)}
        return Child(self.place, self.work, self.arguments(), variables, moment)

    @property
    def library(self) -> Path:
        """The library that it is done with."""
        return self.place / "library.db"

    @abstractmethod
    def lay_out(self) -> None:
        """Put what it takes beside the library."""

    @abstractmethod
    def arguments(self) -> Sequence[str]:
        """Return what the process is told."""

    @abstractmethod
    def look(self) -> Findings:
        """Return what is wrong now, whether or not it came to its end."""

    def is_done(self, code: int | None) -> bool:
        """Return whether it has come to its end, by the code of the process."""
        return code == 0

    def untouched(self) -> Findings:
        """Return what is missing in the library of what it held before."""
        if not self.library.exists():
            return Findings(lost=[f"{self.name}: there is no library any more"])
        return wrong_since(kept_in(self._prepared), kept_in(self.library))


class Importing(Upkeep):
    """A story file is imported into a library that has a story already."""

    name = "import"
    works = "the workbench, in a process of its own"
    work: Work = staticmethod(bring_in)

    def lay_out(self) -> None:
        """Write the story file."""
        with opened(self.library) as store:
            story = store.library.stories()[0].story.id
            (self.place / "story.json").write_text(export_bundle(store, story), "utf-8")

    def arguments(self) -> Sequence[str]:
        """Return the story file."""
        return [str(self.place / "story.json")]

    def look(self) -> Findings:
        """Each story that is listed is whole; what is left of others is swept up."""
        found = self.untouched()
        with opened(self.library) as store:
            sizes = {
                (
                    len(store.prototype.commits(branch)),
                    len(store.manuscript.versions(branch)),
                    len(store.proposals.all_goals(branch)),
                )
                for card in store.library.stories()
                for branch in [store.library.main_branch(card.story.id).id]
            }
            listed = len(store.library.stories())
        if len(sizes) > 1:
            found.half.append(f"a story is listed that is imported in part: {sizes}")
        if listed > 2:
            found.doubled.append(f"{listed} stories are listed")
        found.half += [f"{one.name} was left" for one in self.place.glob("tellwright-import-*")]
        return found

    def _again(self) -> Findings:
        if len(titles_in(self.library)) == 2:
            return Findings()  # the kill came after the end, and nobody imports it again
        found = super()._again()
        if len(titles_in(self.library)) != 2:
            found.lost.append("the story that was imported again is not listed")
        return found


class BackingUp(Upkeep):
    """The library is backed up."""

    name = "backup"

    def lay_out(self) -> None:
        """It takes nothing."""

    def arguments(self) -> Sequence[str]:
        """Return the command."""
        return ["backup"]

    def look(self) -> Findings:
        """The library is as it was, and whatever has the name of a backup is one."""
        found = self.untouched()
        for file in (self.place / "backups").glob("*"):
            if moment_of(file, "library.db") is None:
                continue
            if not is_sound(file) or titles_in(file) != titles_in(self._prepared):
                found.half.append(f"{file.name} is no whole backup")
        return found


class Restoring(Upkeep):
    """A backup takes the place of the library."""

    name = "restore"

    def lay_out(self) -> None:
        """Back the library up, and go on writing."""
        with closing(Store.open(self.library)) as store:
            self._backup = make_backup(store).path
            store.library.create_story(Brief(premise="Begun after the backup."), "Later")
        self._old, self._new = titles_in(self._backup), titles_in(self.library)

    def arguments(self) -> Sequence[str]:
        """Return the command."""
        return ["restore", str(self._backup)]

    def look(self) -> Findings:
        """The library is the one from before or the one of the backup, and neither is lost."""
        found = self.untouched()
        if found.lost:
            return found
        now = titles_in(self.library)
        if now not in (self._old, self._new):
            found.half.append(f"the library holds {now}")
        aside = [one for one in self.place.glob("library set aside*.db")]
        if now == self._old and self._new not in [titles_in(one) for one in aside]:
            found.lost.append("the library from before was not set aside")
        return found

    def _again(self) -> Findings:
        found = super()._again()
        if titles_in(self.library) != self._old:
            found.stuck.append("the backup did not take the library's place")
        return found


class Migrating(Upkeep):
    """A library of the first version is opened for the first time."""

    name = "migration"

    def lay_out(self) -> None:
        """Put the library of the first version in the place of the library."""
        self.library.write_bytes(gzip.decompress(FORMER.read_bytes()))

    def arguments(self) -> Sequence[str]:
        """Return the command: looking is enough."""
        return ["verify"]

    def look(self) -> Findings:
        """Everything is there and sound, at whatever version the library is."""
        found = Findings()
        try:
            now = kept_in(self.library)
        except StoreError as problem:
            return Findings(lost=[f"the older library cannot be opened: {problem}"])
        if not hasattr(self, "_whole"):
            self._whole = now
        found.add(wrong_since(self._whole, now))
        return found

    def rehearse(self) -> Mapping[str, float]:
        """Migrate it once, to see what it holds."""
        found = super().rehearse()
        self._whole = kept_in(self.library)
        return found


class Salvaging(Upkeep):
    """What can be read of a damaged library is saved into a new one."""

    name = "salvage"

    @property
    def target(self) -> Path:
        """The new library."""
        return self.place / "new.db"

    def lay_out(self) -> None:
        """Damage the library in its middle."""
        with self.library.open("r+b") as file:
            file.seek(int(self.library.stat().st_size * _MIDDLE))
            file.write(b"\xaa" * _HURT)

    def arguments(self) -> Sequence[str]:
        """Return the command."""
        return ["salvage", str(self.library), "--to", str(self.target)]

    def look(self) -> Findings:
        """The new library is whole or not there; so is the file of its texts."""
        found = Findings()
        wanted = getattr(self, "_whole", None)
        if self.target.exists() and wanted is not None:
            if not is_sound(self.target):
                found.half.append("the new library is not sound")
            elif self._saved() != wanted:
                found.half.append(f"the new library holds {self._saved()}, not {wanted}")
        texts = self.place / "new texts.md"
        if texts.exists() and wanted is not None and texts.read_text("utf-8") != self._texts:
            found.half.append("the file of texts is not whole")
        return found

    def is_done(self, code: int | None) -> bool:
        """Something is gone of a damaged library, which is no failure."""
        return code in {0, 3}

    def rehearse(self) -> Mapping[str, float]:
        """Salvage it once, to see what can be saved."""
        found = super().rehearse()
        self._whole = self._saved()
        self._texts = (self.place / "new texts.md").read_text("utf-8")
        return found

    def _again(self) -> Findings:
        if self.target.exists():
            return Findings()  # whole, as was seen; nobody salvages it again
        return super()._again()

    def _saved(self) -> list[tuple[str, int, int]]:
        with opened(self.target) as store:
            return sorted(
                (
                    card.story.title,
                    len(store.prototype.commits(branch)),
                    len(store.manuscript.versions(branch)),
                )
                for card in store.library.stories()
                for branch in [store.library.main_branch(card.story.id).id]
            )
