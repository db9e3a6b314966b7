"""The words of the Outline page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages.components.languages.chinese.words import link_words
from store.models.plot import LinkKind
from store.models.story import OutlineUse

# The page

TITLE = "大纲"
NOT_BEGUN = "故事还没有开始"
NOT_BEGUN_ADVICE = "请先确认人物表和故事设定。"
OUTLINE_GONE = "这份大纲已不存在，可能已在其他窗口丢弃。"

# Before there is an outline, and while it is drafted

EMPTY = "你习惯先规划再动笔吗？"
EMPTY_ADVICE = "大纲列出各条故事线和其中的事件，并分配到各章。没有大纲，故事就逐章生长。"
DRAFT = "草拟大纲"
DRAFT_ANEW = "重新草拟大纲"
WRITE_OWN = "自己写"


def draft_extent(chapters: int) -> str:
    """Say how much of the story a drafted outline covers."""
    return f"大纲涵盖故事余下的 {chapters:,} 章。章数可在“构思”页修改。"


# Approving, using and discarding an outline

APPROVE = "确认大纲"
ASK_AGAIN = "重新草拟"
ASK_AGAIN_PROMPT = "希望有什么不同？"
PLOT_FIRST = "构想第一章"
PLOT_NEXT = "构想下一章"
ACCEPT = "采用这份大纲"
ACCEPT_HELP = "此后将按它构想各章，在这里所作的修改立即生效。"
DISCARD_OFFER = "丢弃大纲…"
DISCARD_HELP = "大纲将被丢弃，故事和各章保持不变。"
DISCARD = "丢弃"
DISCARD_CANCEL = "保留"
DISCARDED = "已丢弃大纲。"
RESTORE = "恢复"


def review(remarks: str) -> str:
    """Return the reviewer's remarks under their heading."""
    return f"**审读意见** {remarks}"


def not_usable(problems: Sequence[str]) -> str:
    """Say why an outline cannot be used yet."""
    return f"这份大纲还不能采用。{''.join(problems)}"


# How the outline is used

USE = "构想章节时如何对待大纲"
USES: Mapping[OutlineUse, str] = {
    OutlineUse.IGNORE: "忽略",
    OutlineUse.GUIDE: "参考",
    OutlineUse.FOLLOW: "遵循",
}
USES_HELP: Mapping[OutlineUse, str] = {
    OutlineUse.IGNORE: "故事由人物带动，不看大纲。",
    OutlineUse.GUIDE: "设定本章目标时，会参考大纲的安排。",
    OutlineUse.FOLLOW: "本章目标就是大纲的安排，怎样实现由人物决定。",
}

# The two views

VIEW = "视图"
VIEW_LINES = "故事线"
VIEW_BOARD = "看板"

# What is added to an outline until the writer words it

NEW_LINE = "新故事线"
NEW_EVENT = "发生一件事"
NEW_PART = "事件的一个片段"

# Storylines

LINE_ADD = "添加故事线"
LINE_NAME = "故事线"
LINE_DONE = "完成"
LINE_REMOVE_OFFER = "移除故事线…"
LINE_REMOVE = "移除"
LINE_REMOVE_CANCEL = "保留"


def line_change(line: str) -> str:
    """Return the label of the button that changes a storyline."""
    return f"修改“{line}”"


def line_add_event(line: str) -> str:
    """Return the label of the button that adds an event to a storyline."""
    return f"为“{line}”添加事件"


def line_more_events(count: int) -> str:
    """Return the label of the button that shows more events of a storyline."""
    return f"再显示 {count:,} 个事件"


def line_remove_help(line: str, events: int) -> str:
    """Say what goes when a storyline is removed."""
    return f"“{line}”将从大纲中移除，其中的 {events:,} 个事件也会一并移除。"


# Events

EVENT_PARTS = "事件的片段，每个片段在一章中讲述"
EVENT_PARTS_NONE = "还没有可供各章讲述的片段。"
EVENT_ADD_PART = "添加片段"
EVENT_DONE = "完成"
EVENT_EARLIER = "前移"
EVENT_LATER = "后移"
EVENT_REMOVE_OFFER = "移除这个事件…"
EVENT_REMOVE = "移除"
EVENT_REMOVE_CANCEL = "保留"


def event_edit(title: str) -> str:
    """Return the label of the button that edits an event."""
    return f"编辑“{title}”"


def event_people(names: Sequence[str]) -> str:
    """Say who is in an event."""
    return f":gray[人物] {'、'.join(names)}"


def event_chapters(numbers: Sequence[int]) -> str:
    """Name the chapters that tell an event."""
    return f"第 {'、'.join(str(number) for number in numbers)} 章"


def event_parts_unplaced(count: int) -> str:
    """Say how many parts of an event have no chapter."""
    return f"{count:,} 个片段未安排"


def event_remove_help(title: str, parts: int) -> str:
    """Say what goes when an event is removed."""
    along = f"，其中的 {parts:,} 个片段也会一并移除" if parts else ""
    return f"“{title}”将从大纲中移除{along}。"


# Links between events

LINKS = "事件的关联"
LINKS_NONE = "再添加一个事件，就可以说明事件之间的关联。"
LINK_ADD = "添加关联"
LINK_REMOVE = "移除这个关联"


def link(source: str, kind: LinkKind, target: str) -> str:
    """Return a link as a sentence: "The flood causes The auction"."""
    return f"{source} :gray[{link_words(kind)}] {target}"


# Parts

PART_CHAPTER_NONE = "未安排"
PART_POSITION = "章内位置"
PART_REMOVE = "移除这个片段"


def part_told(chapter: int) -> str:
    """Say which chapter told a part."""
    return f"已在第 {chapter} 章讲述。"


def part_late(chapter: int) -> str:
    """Say that the chapter of a part did not tell it, and what to do."""
    return f"第 {chapter} 章没有讲述它，请安排到更后的章节。"


def part_chapter(number: int) -> str:
    """Name a chapter that could tell a part."""
    return f"第 {number:,} 章"


def part_position(place: int, following: str) -> str:
    """Name the position in a chapter before another part."""
    return f"{place}. 在此之前：{following}"


def part_position_last(place: int) -> str:
    """Name the last position in a chapter."""
    return f"{place}. 末尾"


# The board

BOARD_EARLIER = "前面的章节"
BOARD_LATER = "后面的章节"
BOARD_FROM = "起始章"
BOARD_BEYOND_LAST = "最后一章之后"
BOARD: Mapping[str, str] = {
    "by_mouse": "拖动卡片或用方向键移动，点击打开。",
    "by_finger": "按住卡片上的圆点拖动，轻点打开。",
    "unplaced": "未安排",
    "chapter": "第 {chapter} 章",
    "position": "第 {chapter} 章，第 {place} 个，共 {count} 个",
    "late": "第 {chapter} 章遗留",
    "told": "已讲述",
}
"""What the board says in the browser, which fills in what is in braces."""


def board_chapters(first: int, final: int, last: int) -> str:
    """Say which chapters of the story the board shows."""
    return f"第 {first:,}–{final:,} 章，共 {last:,} 章"


def board_hidden(count: int) -> str:
    """Say how many unplaced parts are too many to show."""
    return f"另有 {count:,} 个片段未安排。"


# Beside the board

CARD_DONE = "完成"
CARD_OPEN_EVENT = "打开事件"


def events_off_board(count: int, titles: Sequence[str]) -> str:
    """Say how many events are not on the board, and name the first of them."""
    more = "等" if count > len(titles) else ""
    return f"有 {count:,} 个事件不在看板上：{'、'.join(titles)}{more}。"


def put_on_board(count: int) -> str:
    """Return the label of the button that puts those events on the board."""
    return "放上看板" if count == 1 else "全部放上看板"
