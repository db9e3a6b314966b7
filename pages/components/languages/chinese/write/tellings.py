"""The words of the Tellings page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.telling.discourse.coverage import TextOf
from pages.components.write.tellings.strings import Part
from store.models.desk.telling import Arrangement
from store.models.manuscript import PartTime

TITLE = "讲述版本"
ABOUT = (
    "发生的事不变。一个讲述版本换一种顺序、一种体裁，或两者都换，并在书的正文之外另有自己的正文。"
)
NOTHING = "还没有可讲的"
NOTHING_ADVICE = "请先构想一章，之后其中的事就可以用不止一种方式讲述。"
GO_TO_PLOT = "前往情节"

# Making one

NEW = "新建讲述版本"
NAME = "名称"
NAME_EXAMPLE = "银幕版"
ORDER = "顺序"
FORM = "体裁"
MAKE = "建立这个版本"
MAKE_ABOUT = "目前只作编排。写作之前，你能看到每章讲什么。"
ORDERS: Mapping[Arrangement, str] = {
    Arrangement.LINEAR: "按故事顺序",
    Arrangement.IN_MEDIAS_RES: "从中间讲起",
    Arrangement.FLASHBACKS: "穿插闪回",
    Arrangement.FLASH_FORWARD: "先露一眼结局",
    Arrangement.FRAME: "框架叙事：有人回忆往事",
    Arrangement.PARALLEL: "双线交替",
}


def made(name: str) -> str:
    """Say that a telling was made."""
    return f"“{name}”已编排好，还没有写。"


# The chosen one

CHOOSE = "讲述版本"
RENAME = "重命名"
NEW_NAME = "新名称"
DO_RENAME = "使用这个名称"
PUT_AWAY = "收起"
PUT_BACK = "放回"
AWAY = "已收起的讲述版本"
STILL_FITS = "全部仍然相符"
WHOLE = "已全部写好，与故事现状一致。"
LIMITS = "上限"
NEVER_MIND = "取消"


def put_away(name: str) -> str:
    """Say that a telling is no longer listed."""
    return f"“{name}”已连同正文收起，在本页底部可以找到。"


def facts(order: str, form: str, chapters: int) -> str:
    """Return what a telling is, in a line."""
    return f"{order} · {form} · {chapters:,} 章"


def write(chapters: int) -> str:
    """Return the button that writes what a telling lacks."""
    return f"写 {chapters:,} 章"


def go_on(chapters: int) -> str:
    """Return the button that adds what was plotted since."""
    return f"为新构想的情节添加 {chapters:,} 章"


PARTS: Mapping[Part, str] = {
    Part.CHAPTERS: "章节",
    Part.READER: "读者知道什么",
    Part.EVENTS: "事件与正文",
}
PARTS_LABEL = "查看什么"

# A chapter, and what it shows

CHAPTER = "章"
CHAPTER_TITLE = "本章标题"
CHAPTER_STATES: Mapping[TextOf, str] = {
    TextOf.CURRENT: "已写",
    TextOf.STALE: "之后有改动",
    TextOf.MISSING: "未写",
    TextOf.NOT_SHOWN: "还没有内容",
}
SHOWS_NOTHING = "这一章还没有内容。请选择其中发生什么。"
SHOWS = "讲述的内容，按此顺序"
SHOWS_ABOUT = "选择的顺序就是讲述的顺序。要移动一个事件，请先取出再重新选择。"
CHANGE = "修改讲述的内容"
KEEP = "保存"
WHEN = "时间"
EYES = "视角"
EYES_AS_PLANNED = "与故事的计划相同"
EARLIER, LATER = "上移", "下移"
ADD_CHAPTER = "在其后添加一章"
TAKE_OUT = "取出"
PUT_IN = "放回一章"
NOT_WRITTEN = "这一章还没有写。"
TIMES: Mapping[PartTime, str] = {
    PartTime.PRESENT: "顺叙",
    PartTime.FLASHBACK: "闪回",
    PartTime.FLASH_FORWARD: "预叙",
    PartTime.FRAME: "框架",
}
_FROM: Mapping[PartTime, str] = {
    PartTime.PRESENT: "出自",
    PartTime.FLASHBACK: "闪回到",
    PartTime.FLASH_FORWARD: "预叙",
    PartTime.FRAME: "框架，出自",
}


def chapter(place: int, title: str, state: str) -> str:
    """Return a chapter of a telling in a list. Not Markdown."""
    return f"{place}. {title} · {state}"


def heading(place: int, title: str) -> str:
    """Return the heading of a chapter. Markdown."""
    return f"{place}\\. {title}"


def part(time: PartTime, number: int, seen_by: str) -> str:
    """Say when a part of a chapter happens, and through whose eyes it is seen if that is set."""
    when = f"第 {number:,} 章" if number else "故事开始前"
    return f"{_FROM[time]}{when}" + (f"，{seen_by}的视角" if seen_by else "")


def event(title: str, number: int) -> str:
    """Return an event in a list of all. Not Markdown."""
    return f"{title}（{f'第 {number:,} 章' if number else '故事开始前'}）"


def taken_out(title: str) -> str:
    """Say that a chapter was taken out."""
    return f"“{title}”已取出。正文保留，可以放回。"


def put_in(title: str) -> str:
    """Return the button that puts a chapter back. Markdown."""
    return f"将“{title}”放回末尾"


# What the reader knows

KNOWLEDGE_ABOUT = "到每章末，读者看到了多少事件。讲述跑在书的前面，读者便早早知道别人后来才发现的事，形成悬念；落在后面，则成谜团。"
THE_BOOK = "书"
PLACE, KNOWN, AHEAD, BEHIND = "章", "已看到的事件", "只有读者知道", "读者还不知道"
AHEAD_HELP = "读者已看到，而该章最后一个场景里无人知道"
BEHIND_HELP = "该章最后一个场景里有人知道，而读者还没有看到"
WHO_FIRST = "谁先知道什么"
WHO_FIRST_ABOUT = "本讲述中读者在哪一章看到一个事件，每个人物又到哪一章知道它。横线表示从未。"
READER = "读者"
EVENT = "事件"
NEVER = "–"

# The table of events

EVENTS_ABOUT = "每份正文有每个事件的哪些内容。只有含改动或缺失内容的章节会重写。"
STATES: Mapping[TextOf, str] = {
    TextOf.CURRENT: "已写",
    TextOf.STALE: "之后有改动",
    TextOf.MISSING: "未写",
    TextOf.NOT_SHOWN: "–",
}
IN_CHAPTER = "章"
BEFORE = "之前"


def column(name: str, form: str) -> str:
    """Return the heading of a telling in the table."""
    return f"{name or THE_BOOK}（{form}）"
