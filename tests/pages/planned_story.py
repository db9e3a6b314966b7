"""An outline of four storylines over eight chapters, put straight into a library."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from store.models.delta import Delta
from store.models.outline import (
    Outline,
    OutlineEvent,
    OutlineLink,
    OutlineState,
    Remark,
    SubEvent,
)
from store.models.plot import LinkKind
from store.models.proposals import Candidate, Goal, Telling
from store.open import Store

_EVENTS = (
    OutlineEvent(
        id="flood",
        title="The flood",
        line="The harbour",
        setting="the lower town, before dawn",
        characters=("Mara", "Ida"),
        action="The sea wall gives way and takes the market with it.",
        conflict="Nobody will open the gates of the upper town.",
        twist="The wall was weakened from inside.",
    ),
    OutlineEvent(
        id="inquest",
        title="The inquest",
        line="The harbour",
        setting="the customs house",
        characters=("Hale",),
        action="Hale asks who had the keys of the pump house.",
        conflict="Those who know have most to lose.",
    ),
    OutlineEvent(
        id="auction",
        title="The auction",
        line="The house of Lenz",
        characters=("Mara",),
        action="What the water left is sold, piece by piece.",
        twist="The buyer is her own brother.",
    ),
    OutlineEvent(
        id="letters",
        title="The letters",
        line="The house of Lenz",
        action="Mara finds what her father wrote and never sent.",
    ),
    OutlineEvent(
        id="apprentice",
        title="Tobin goes to sea",
        line="Tobin",
        characters=("Tobin", "Ida"),
        action="He signs on with the first ship that asks no questions.",
    ),
    OutlineEvent(
        id="strike",
        title="The strike",
        line="The lamp keepers",
        action="For three nights no lamp is lit along the coast.",
        conflict="The keepers need the money more than the town needs the light.",
    ),
)

_PARTS: tuple[tuple[str, str, int | None], ...] = (
    ("flood", "The wall cracks while the market is being set up.", 1),
    ("flood", "Mara and Ida hold a door shut until the water falls.", 1),
    ("inquest", "Hale takes rooms at the customs house and begins to ask.", 2),
    ("auction", "The bailiff makes his list, and leaves one thing off it.", 2),
    ("apprentice", "Tobin counts what he has, and it is not enough.", 3),
    ("flood", "What was in the wall comes to light in the mud.", 3),
    ("strike", "The keepers meet in the chapel, and nobody writes it down.", 4),
    ("auction", "The bidding opens; a stranger buys everything for one coin more.", 4),
    ("inquest", "The pump man gives a name, then takes it back.", 5),
    ("letters", "Behind the desk that nobody bought there is a bundle.", 5),
    ("strike", "The first dark night. A ship turns away at the last moment.", 6),
    ("apprentice", "He signs with a thumbprint, so that no one can read his name.", 6),
    ("inquest", "Hale reads the report aloud and leaves out a page.", 7),
    ("letters", "She reads the last letter on the quay and lets it go.", 8),
    ("apprentice", "From the deck Tobin sees one lamp where there should be none.", 8),
    ("strike", "Somebody breaks the strike, and it is not for money.", None),
)

_LINKS = (
    OutlineLink(source="flood", target="auction", link=LinkKind.CAUSES),
    OutlineLink(source="flood", target="inquest", link=LinkKind.CAUSES),
    OutlineLink(source="strike", target="apprentice", link=LinkKind.ENABLES),
)


def outline_for(branch: str, *, is_accepted: bool = False) -> Outline:
    """Return the outline for a branch: parts p1 to p16, the last one in no chapter."""
    return Outline(
        id="plan",
        branch=branch,
        events=_EVENTS,
        links=_LINKS,
        sub_events=tuple(
            SubEvent(id=f"p{number}", event=event, text=text, chapter=chapter)
            for number, (event, text, chapter) in enumerate(_PARTS, start=1)
        ),
        state=OutlineState.ACCEPTED if is_accepted else OutlineState.DRAFT,
        review="The four lines meet too late: let the strike touch the inquest before chapter 6.",
        remarks=(Remark(event="letters", text="Who hid them, and from whom?"),),
        created=datetime(2026, 5, 1, tzinfo=UTC),
    )


def plan(store: Store, branch: str, *, is_accepted: bool = False) -> Outline:
    """Keep the outline on a branch."""
    return store.outlines.save(outline_for(branch, is_accepted=is_accepted))


def plan_into(path: Path, story_id: str, *, told: tuple[str, ...] = ()) -> Outline:
    """Keep the outline in a library file; chapter 1 of the story told these parts."""
    store = Store.open(path)
    try:
        branch = store.library.main_branch(story_id).id
        if told:
            _tell_of(store, branch, told)
        return plan(store, branch)
    finally:
        store.close()


def _tell_of(store: Store, branch: str, parts: tuple[str, ...]) -> None:
    """Let chapter 1, as `tests.store.builders.go_on` commits it, have told some parts."""
    goal = Goal(
        id="goal", branch=branch, chapter=1, round=1, position=0, title="Water", text="It comes."
    )
    store.proposals.save_goals([goal])
    store.proposals.save_candidate(
        Candidate(
            id="1",  # The origin of the chapter, "chapter-1", ends with it.
            branch=branch,
            chapter=1,
            round=1,
            goal=goal.id,
            title="Water",
            delta=Delta(),
            tells=tuple(Telling(part=part, event="arrival") for part in parts),
        )
    )
