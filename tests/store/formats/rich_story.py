"""A story that has some of everything, and the golden files that are made from it.

`python -m tests.store.formats.rich_story` writes the files anew; look at what changed in them.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from store.formats.exports import DATA, TABLES
from store.formats.extract import Extract
from store.models.cast import Awareness, Life, Trait
from store.models.plot import Event, LinkKind, Part, Spine, ThreadState
from store.models.prototype import SPINE_ID, AnyEntity, Snapshot
from tests.store.builders import (
    AFTER,
    CAST,
    CAUSE,
    DISTRUST,
    HALE,
    IN_LAMP_ROOM,
    LAMP_ROOM,
    LOCKED,
    MARA,
    MARA_LOCKED,
    THREAD,
    adding,
    altered,
    fold,
)

GOLDEN = Path(__file__).parent / "golden"

NAME = 'Zoë "the Ice" <O’Brien> & Söhne\n灯塔 🔦 مارا'
"""A name with what is markup or structure in one format or another; the line break is text too."""


def rich_story() -> Snapshot:
    """Return a snapshot of two chapters with every kind of thing and every field of it."""
    mara = altered(
        MARA,
        name="Mara",
        aliases=("The Keeper", "M."),
        life=Life.MISSING,
        traits=(Trait(name="rank", value="captain"), Trait(name="magic")),
        history="She lit the lamp on the night of the wreck.\n\nNobody asked her since.",
        fear="The dark below the stairs",
        misbelief="That the wreck was her fault",
        voice="Short and dry: “It burns or it does not.”",
        arc="She must put out the lamp, and finds that she can.",
    )
    zoe = altered(HALE, id="zoe", name=NAME, secrets="=HYPERLINK(1)", status="-3 and falling")
    sisters = altered(
        DISTRUST,
        id="sisters",
        target="zoe",
        tie="kinship",
        is_mutual=True,
        awareness=Awareness.HIDDEN,
        reason="one mother",
        called="my “little” sister",
    )
    spine = Spine(
        id=SPINE_ID,
        inciting="The lamp goes out.",
        turns="The door is locked.\n\nThe sister returns.",
        holds="Nobody climbs the stair before the ship comes.",
        crisis="Light the lamp, or let the ship pass.",
        ending="The lamp stays dark.",
        cost="=Everybody’s trust",
        last_image="A door, open.",
    )
    wreck = Event(id="wreck", title="The wreck", summary="A ship is lost.", story_order=-19.0)
    saw_wreck = altered(
        MARA_LOCKED,
        id="mara-wreck",
        event="wreck",
        part=Part.WITNESSES,
        learned="The lamp failed by itself.",
    )
    first: list[AnyEntity] = [
        LAMP_ROOM,
        altered(LOCKED, spoken="Mara: “Not tonight.”"),
        altered(AFTER, story_order=-1.5, story_date="3rd of Frost", consequences="Dark."),
        altered(MARA_LOCKED, inner="He must not see the oil."),
        altered(
            MARA_LOCKED,
            id="zoe-after",
            character="zoe",
            event="after",
            part=Part.IS_TOLD,
            impact="@home",
        ),
        IN_LAMP_ROOM,
        CAUSE,
        altered(CAUSE, id="pays", source="after", target="locked", link=LinkKind.PAYS_OFF),
        altered(THREAD, state=ThreadState.PLANTED, planted_in=1, paid_off_in=9),
    ]
    cast = [mara if entity is MARA else entity for entity in CAST]
    return fold([adding(*cast, zoe, sisters, spine, wreck, saw_wreck), adding(*first)])


def rich_extract() -> Extract:
    """Return the story with its name."""
    return Extract("0123456789abcdef", "The Lamp & the <Door>", "What if", rich_story())


def encoded(content: str | bytes) -> bytes:
    """Return the bytes of a file."""
    return content.encode() if isinstance(content, str) else content


def golden_files() -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each golden file as it is made now; tables one by one."""
    for form in DATA:
        content = encoded(form.write(rich_extract()))
        if form is not TABLES:
            yield f"lamp{form.suffix}", content
            continue
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist())


if __name__ == "__main__":
    for name, content in golden_files():
        (GOLDEN / name).write_bytes(content)
