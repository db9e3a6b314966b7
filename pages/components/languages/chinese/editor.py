"""The words of the editor of one story element, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from store.models.prototype import EntityKind

# What is edited, and the buttons below it

ADDING: Mapping[EntityKind, str] = {
    "character": "添加人物",
    "relationship": "添加关系",
    "scene": "添加地点",
    "event": "添加事件",
    "participation": "添加参与",
    "event_link": "添加关联",
    "thread": "添加伏笔",
}
EDITING: Mapping[EntityKind, str] = {
    "character": "编辑人物",
    "relationship": "编辑关系",
    "scene": "编辑地点",
    "event": "编辑事件",
    "participation": "编辑参与",
    "event_link": "编辑关联",
    "thread": "编辑伏笔",
}
NOT_IN_CHAPTER = "截至本章，故事中没有它。"
SAVE = "保存"
DISCARD = "放弃修改"


def changes_the_past(chapter: int, newest: int) -> str:
    """Say that what is edited is an earlier state of the story."""
    when = f"第 {chapter} 章" if chapter else "开篇"
    return f"你正在修改{when}；除非后面的章节改过同一处，修改会一直沿用到第 {newest} 章。"


# What can be added

ADD = "添加"
ADDITIONS: Mapping[str, str] = {
    "person": "人物",
    "tie": "关系",
    "event": "事件",
    "link": "事件之间的关联",
    "scene": "地点",
    "thread": "伏笔",
}
NEW_PERSON = "新人物"
NEW_EVENT = "新事件"
NEW_PLACE = "新地点"
NEW_THREAD = "新伏笔"
NO_PLACE = "不指定地点"

# A person

TRAITS_HELP = "按题材需要填写：官职、法力、悬赏金额…"
TRAIT_ADD = "添加一行"
TRAIT_REMOVE = "移除这一行"
NEW_TRAIT = "其他"

# A relationship

RELATIONSHIP_SWAP = "对调双方"

# An event

OFFERED_AROUND = "列出哪一章前后的地点和事件"
PARTS = "谁参与"
PARTS_NOBODY = "还没有可以参与的人物。"
PART_ADD = "添加人物"
PART_REMOVE = "移除此人"
LINKS = "事件的关联"
LINKS_NO_OTHER = "再添加一个事件，就可以说明事件之间的关联。"
LINK_ADD = "添加关联"
LINK_REMOVE = "移除这个关联"
SIDES: Mapping[str, str] = {
    "told": "讲述之时",
    "before": "紧接在另一事件之前",
    "after": "紧接在另一事件之后",
}
"""When an event happens, by `editor.event.Side`; the last two are followed by another event."""


def happens(side: str, other: str) -> str:
    """Say when an event happens; `other` is the title of the event before or after it."""
    return SIDES[side].replace("另一事件", f"“{other}”") if other else SIDES[side]


def event_of(title: str, chapter: int) -> str:
    """Return an event with the chapter that tells it; chapter 0 is what came before the story."""
    return f"{chapter or '故事开始前'} · {title}"


def bearing(link: str) -> str:
    """Return how the event bears on another; `link` is a verb: "this causes"."""
    return f"此事件{link}"


def link_heading(event: str) -> str:
    """Return the heading of a link that is edited on its own."""
    return f"“{event}”与其他事件的关联"


# What became of a draft

UNSAVED_FIELD = "有一栏无法保存，请看该栏下方的说明。"
REMOVED_MEANWHILE = "它已在此期间从故事中移除。你输入的内容还在这里。"
UNDONE = "已撤销。"
NOT_UNDONE = "此后又有别的操作，无法单独撤销这一步。可以在“历史”页逐步撤销。"


def changed_meanwhile(fields: Iterable[str]) -> str:
    """Say which of the edited fields have changed in the story since."""
    return (
        f"故事已有改动，可能来自其他窗口（{'；'.join(fields)}）。你输入的内容还在这里："
        "再次保存将覆盖这些改动。"
    )


def field_of(entity: str, field: str) -> str:
    """Return a field with what it belongs to."""
    return f"{entity}：{field}"
