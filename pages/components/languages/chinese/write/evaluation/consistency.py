"""What the Evaluate page says of contradictions, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.telling.evaluation.consistency.beside_story import Untellable, Untold
from store.models.desk.consistency import ContradictionKind

TITLE = "矛盾"
ABOUT = "不能同时为真的两处文字。只有评判者逐字引出两处、且都在正文中的，才计入。它们是否真的矛盾，仍由你来看。"
ALSO = "同时查找矛盾"
LOOK = "查找矛盾"
GO_ON = "继续查找矛盾"
SMALL = "正在使用的模型太小，无法查找矛盾。请在设置中选择更大的模型。"
NONE = "评判者没有发现能在正文中举出的矛盾。"
FOUND = "发现"
ALONG = "在书中的位置"
CHAPTERS = "章节"
KIND = "种类"
ERRORS = "每一万字"
OPEN = "在写作页打开"
MORE = "显示更多"
NOT_COUNTED = "不计入的"
UNFOUND = "引文不在正文中："
SAME = "两处引文是同样的文字："
NO_QUOTE = "没有引文"

BESIDE = "正文与故事"
BESIDE_ABOUT = (
    "故事里有、正文似乎没有讲的，以及反过来的。这里不询问模型，只比较用词，所以改动之前请先看一看。"
)
SET_BESIDE = "把正文与故事并排"
COMPARING = "正在比较 …"
NOT_IN_TEXT = "故事里有，正文里没有"
NOT_IN_STORY = "正文里有，故事里没有"
CONTINUITY = "连贯性检查在故事中发现的"
NOTHING = "没有。"
ALSO_FOUND = "评判者在这些章节的正文中也有发现。"

KINDS: Mapping[ContradictionKind, str] = {
    ContradictionKind.TIME: "时间",
    ContradictionKind.PLACE: "地点",
    ContradictionKind.PERSON: "人物",
    ContradictionKind.KNOWLEDGE: "所知",
    ContradictionKind.EVENT: "发生的事",
    ContradictionKind.OBJECT: "物件",
    ContradictionKind.RULE: "世界规则",
    ContradictionKind.NAME: "名称",
    ContradictionKind.NUMBER: "数目",
    ContradictionKind.OTHER: "其他",
}
UNTOLD: Mapping[Untold, str] = {
    Untold.NO_PASSAGE: "没有一处文字讲到它",
    Untold.FEW_WORDS: "这一章里几乎没有它的用词",
    Untold.NOT_REVEALED: "读者本该在这里得知，却没有",
}
UNTELLABLE: Mapping[Untellable, str] = {
    Untellable.COMPARED: "比较正文与故事时发现",
    Untellable.NOBODY: "关于故事里没有名字的人或物",
    Untellable.NEW: "故事在这里几乎没有提到",
}


def read(words: int, chapters: int, of: int, model: str) -> str:
    """Say what was read; `model` is Markdown."""
    return f"共 {of:,} 章，已读 {chapters:,} 章、{words:,} 字，评判者：{model}"


def density(per_10k: float) -> str:
    """Say how many contradictions that makes in 10,000 words."""
    return f"每一万字 {per_10k:.2f} 处"


def more_calls(chapters: int) -> str:
    """Say how many more calls it takes to look for contradictions."""
    return f"约多 {chapters:,} 次调用：每章一次。"


def unread(chapters: int) -> str:
    """Say of how many chapters the judge gave no usable answer."""
    return f"有 {chapters:,} 章未能读完或未能读到：没有可用的回答。"


def between(before: int, place: int) -> str:
    """Say in which chapters two passages stand."""
    return f"第 {place} 章之内" if before == place else f"第 {before} 章与第 {place} 章"


def heading(kind: str, where: str, why: str) -> str:
    """Head a contradiction with its kind, its chapters and why it is one; `why` is Markdown."""
    return f"**{kind}**，{where}：{why}"


def in_chapter(place: int) -> str:
    """Name a chapter by its place."""
    return f"第 {place} 章"


def chapters(first: int, last: int) -> str:
    """Name a stretch of chapters."""
    return str(first) if first == last else f"{first}–{last}"


def not_counted(unfound: int, same: int) -> str:
    """Say how many findings do not count, and why."""
    parts = [
        f"{unfound:,} 处的引文不在正文中" if unfound else "",
        f"{same:,} 处的两段引文相同" if same else "",
    ]
    return f"未计入：{'，'.join(filter(None, parts))}。"


def line(place: int, said: str, why: str) -> str:
    """Say what one side has and the other has not; `said` is Markdown."""
    return f"第 {place} 章：{said}（{why}）"


def compared(chapters: int) -> str:
    """Say how many chapters were compared."""
    return f"已比较 {chapters:,} 章，其正文与评价时相同。"


def shown_of(shown: int, of: int) -> str:
    """Say how many of a list are shown."""
    return f"共 {of:,} 项，显示 {shown:,} 项。"
