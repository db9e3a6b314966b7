"""The story of a bridge, plotted over some chapters, for an able model to tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graph_flow.workbench.workbench import Workbench
from store.models.cast import Character, Relationship, RelationshipKind
from store.models.manuscript import Draft, WritingPlan
from store.models.plot import (
    Event,
    Foundation,
    Occurrence,
    Part,
    Participation,
    Scene,
    Spine,
    Thread,
    ThreadState,
)
from store.models.prototype import FOUNDATION_ID, SPINE_ID, AnyEntity
from store.models.run import RunState, WriteChapter
from store.models.story import Gate, GateMode, Story, StorySettings
from store.open import Store
from tests.desk import Desk
from tests.fakes.scripted_server import Reply, Sent, say, say_json
from tests.graph_flow.scripting import Say, asked, request_of, saying
from tests.store.builders import adding, altered, begin, go_on

AMOS = Character(
    id="amos",
    name="Amos Vale",
    occupation="retired inspector",
    motivation="to see the span and not to sign it",
    history="He has kept the page in a tin box for nineteen years.",
    secrets="he tore the page out of the log",
    voice="Short. “It holds.”",
    arc="He learns whom his silence served.",
)
RUTH = Character(
    id="ruth",
    name="Ruth Vale",
    occupation="engineer",
    motivation="his signature",
    secrets="she has found a crack of her own",
)
OPAL = Character(id="opal", name="Opal Dray", history="Her son drove over the bridge that night.")
FALL = Event(
    id="fall", title="The fall", summary="The bridge falls at shift change.", story_order=-19
)
FACTS = ("secret:amos", "secret:ruth", "event:fall", "history:amos", "history:opal")

_BEGINNING: tuple[AnyEntity, ...] = (
    Foundation(
        id=FOUNDATION_ID,
        background="A river town.",
        long_term_goal="Amos signs or refuses.",
        themes="guilt",
        tone="dry",
    ),
    Spine(
        id=SPINE_ID,
        turns="Ruth finds the stub.",
        holds="Nobody reads the page before the end.",
        ending="Amos reads the page aloud.",
    ),
    *(AMOS, RUTH, OPAL),
    Relationship(
        id="kin", source="ruth", target="amos", tie=RelationshipKind.KINSHIP, reason="he raised her"
    ),
    Relationship(
        id="owes", source="amos", target="opal", tie=RelationshipKind.DEBT, reason="her son is dead"
    ),
    FALL,
    Participation(id="fall-opal", character="opal", event="fall", part=Part.IS_AFFECTED),
    Scene(id="span", name="The span", place="over the river", time="dawn"),
    Scene(id="office", name="The office", place="a trailer", time="night"),
    Thread(id="page", title="the missing page", state=ThreadState.PLANTED, planted_in=0),
)


def events_of(chapter: int, more: str = "") -> list[AnyEntity]:
    """Return what happens in a chapter: one event on the span, one there too, one in the office.

    `more` is said of each, if the story is to be one of many words.
    """
    ids = [f"c{chapter}e{number}" for number in range(3)]
    told = (
        ("Amos climbs the ladder and stops at the pin.", "span", "amos", "I know this pin."),
        ("Ruth calls up to him that the wind is rising.", "span", "ruth", "He is hiding it."),
        ("Ruth lays the log open on the table.", "office", "ruth", "There is a stub."),
    )
    entities: list[AnyEntity] = []
    for position, (id_, (summary, place, person, inner)) in enumerate(zip(ids, told, strict=True)):
        entities += [
            Event(
                id=id_,
                title=f"{summary.split()[0]} {chapter}.{position}",
                summary=summary + more,
                spoken="Ruth: “Come down.”" + more if position == 1 else "",
                consequences=f"nothing is settled in chapter {chapter}",
                position=position,
            ),
            Occurrence(id=f"{id_}-at", event=id_, scene=place),
            Participation(
                id=f"{id_}-by",
                character=person,
                event=id_,
                emotion="dread",
                inner=f"“{inner}”{more}",
            ),
        ]
    return entities


def plotted(
    desk: Desk, store: Store, chapters: int = 1, *, more: str = "", **settings: Any
) -> Story:
    """Tell the story up to some chapters, and say how it is to be written."""
    story = desk.story(premise="An inspector is asked to sign off one last bridge.")
    branch = desk.branch(story)
    begin(store, branch, adding(*(_wordy(one, more) for one in _BEGINNING)))
    for chapter in range(1, chapters + 1):
        go_on(store, branch, adding(*events_of(chapter, more)), f"Part {chapter}")
    wanted = {"gates": {gate: GateMode.GO_ON for gate in Gate}, "chapter_cap": 3, **settings}
    desk.workbench.library.change_settings(story.id, lambda _: StorySettings.model_validate(wanted))
    return desk.workbench.library.story(story.id)


def _wordy(entity: AnyEntity, more: str) -> AnyEntity:
    if isinstance(entity, Character):
        fields = ("motivation", "secrets", "history", "voice", "personality", "fear", "misbelief")
        return altered(entity, **{name: f"{getattr(entity, name)}{more}" for name in fields})
    return entity


TEXT = """Amos stopped at the pin. He put his thumb to it, and took it away.

“Come down,” said Ruth. “The wind is rising.”

***

She laid the log open. There was a stub where a page had been, and she closed the log again."""

PLAN: dict[str, Any] = {
    "structure": "linear",
    "scenes": [
        {
            "events": ["C1"],
            "mode": "scene",
            "where": "The span",
            "point_of_view": "Amos",
            "beat": "He wants to be left alone with the pin. He rubs his thumb.",
            "reveals": ["F1"],
            "recalls": [],
            "threads": [{"thread": "T1", "move": "plant", "how": "chalk on a thumb"}],
            "weight": 7,
        },
        {
            "events": ["C3"],
            "mode": "summary",
            "where": "The office",
            "point_of_view": "Ruth Vale",
            "beat": "She closes the log.",
            "reveals": [],
            "weight": 3,
        },
    ],
    "withheld": "what Ruth has found",
}
REVIEW: dict[str, Any] = {
    "told": ["F1"],
    "echoes": ["chalk on a thumb", "“Come down.”"],
    "remarks": [
        {
            "kind": "flat",
            "quote": "he put his thumb to it, and took it away".capitalize(),
            "remark": "It says too little.",
            "remedy": "Let the chalk come off.",
        },
        {"kind": "unclear", "quote": "words that nobody wrote", "remark": "Who is this?"},
    ],
}
REVISION: dict[str, Any] = {
    "passages": [
        {
            "old": "He put his thumb to it,\n and took it away.",
            "new": "He put his thumb to it, and it came away white.",
        },
        {"old": "words that nobody wrote", "new": "nonsense"},
    ]
}
REVISED = TEXT.replace("and took it away", "and it came away white").replace("***", "* * *")


def telling(**others: Reply | Callable[[Sent], Reply | None]) -> Say:
    """Return what an able model says when it tells a chapter; `others` differ."""
    said: dict[str, Any] = {
        "plan": say_json(PLAN),
        "writer_novel": say(TEXT),
        "review": say_json(REVIEW),
        "revise": say_json(REVISION),
    }
    return saying(**{**said, **others})


def write(desk: Desk, story: Story, chapter: int = 1) -> None:
    """Have a chapter written, to the end."""
    assert desk.do(story, WriteChapter(chapter=chapter)).state is RunState.DONE


def text_of(workbench: Workbench, branch: str, chapter: int = 1) -> Draft:
    """Return the text of a chapter."""
    found = workbench.manuscript.draft(branch, chapter)
    assert found is not None
    return found


def plan_of(desk: Desk, story: Story) -> WritingPlan:
    """Return the plan of the first chapter."""
    found = desk.workbench.manuscript.plan(desk.branch(story), 1)
    assert found is not None
    return found


def request(desk: Desk, agent: str) -> str:
    """Return the only request that an agent got."""
    [sent] = asked(desk.server, agent)
    return request_of(sent)
