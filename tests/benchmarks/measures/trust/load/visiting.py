"""A site with many scripted writers: who they are, what is in their libraries, how they sign in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urljoin

import httpx2

from pages.components.frame.strings import SIGN_IN
from pages.serving.site import LIBRARY, WRITERS
from store.hosting.records import Identity
from store.open import Store
from tests.benchmarks.measures.trust.window import Window
from tests.desk import PREMISE
from tests.e2e.site.running_site import RunningSite, running_provider

ROOT = Path(__file__).parents[5]

MODEL = """
[[models]]
name = "The site's model"
base_url = "{url}"
model = "scripted"
"""


PLANNED = 60
"""Chapters that the prepared story is planned to have."""


def subjects(count: int) -> tuple[str, ...]:
    """Return the names by which the provider knows so many writers."""
    return tuple(f"writer-{number}" for number in range(1, count + 1))


@contextmanager
def site_for(folder: Path, people: Sequence[str], model: str) -> Iterator[tuple[RunningSite, str]]:
    """Run a site to which some people may come, with one model; yield it and who vouches for them."""
    users = [
        {"sub": one, "email": f"{one}@school.example", "email_verified": True} for one in people
    ]
    with (
        running_provider(folder.parent, users) as provider,
        RunningSite(folder, provider, MODEL.format(url=model)) as site,
    ):
        yield site, provider


def library_of(site: RunningSite, provider: str, subject: str) -> Path:
    """Return where the library of a writer is."""
    return site.folder / WRITERS / Identity(issuer=provider, subject=subject).writer / LIBRARY


def put_story(library: Path, prepared: Path) -> None:
    """Put a library with a story in the place of one that was never opened."""
    library.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(prepared, library)


def prepare(library: Path, model: str, chapters: int) -> str:
    """Make a library with one story of some chapters, plotted and written by an able model.

    The story is planned to be longer, so that its writer can go on. Returns its id.

    Raises:
        CalledProcessError: if the command line cannot.
    """
    environment = os.environ | {
        "TELLWRIGHT_LIBRARY": str(library),
        "TELLWRIGHT_MODEL": "scripted",
        "TELLWRIGHT_STRENGTH": "able",
        "OPENAI_BASE_URL": model,
    }
    environment.pop("OPENAI_API_KEY", None)
    command = ["run", "--premise", PREMISE, "--chapters", str(chapters), "--write"]
    subprocess.run(
        [sys.executable, "-m", "graph_flow.command_line", *command],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
    )
    with closing(Store.open(library)) as store:
        [card] = store.library.stories()
        store.library.change_settings(
            card.story.id, lambda now: now.model_copy(update={"chapter_cap": PLANNED})
        )
        return card.story.id


def sign_in(site: RunningSite, subject: str) -> httpx2.Client:
    """Sign in as somebody by the provider's own form; return a client with the cookies of it."""
    client = httpx2.Client(follow_redirects=True, timeout=60)
    with Window(site.url, client) as window:
        window.open()
        window.press(SIGN_IN)
        asked = client.get(urljoin(site.url, window.redirect)).raise_for_status()
    client.post(str(asked.url), data={"sub": subject}).raise_for_status()
    return client
