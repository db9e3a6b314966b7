"""The words of the pictures, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from pages.components.languages.chinese.words import PARTS, unknown_to
from store.models.cast import Relationship, RelationshipKind
from store.models.plot import Event, Participation

# What is drawn in the Role Graph

RELATIONSHIPS: Mapping[RelationshipKind, str] = {
    RelationshipKind.KINSHIP: "亲属",
    RelationshipKind.MARRIAGE: "婚姻",
    RelationshipKind.ROMANCE: "恋情",
    RelationshipKind.FRIENDSHIP: "友谊",
    RelationshipKind.ALLIANCE: "同盟",
    RelationshipKind.MENTORSHIP: "师徒",
    RelationshipKind.SERVICE: "效力",
    RelationshipKind.RIVALRY: "竞争",
    RelationshipKind.DISTRUST: "猜疑",
    RelationshipKind.ENMITY: "敌对",
    RelationshipKind.DEBT: "亏欠",
}
"""What each kind of relationship is called."""


def relationship_kind(relationship: Relationship) -> str:
    """Return what a relationship is called: its kind, with the writer's own name for it."""
    kind = RELATIONSHIPS[relationship.tie]
    return f"{kind}（“{relationship.called}”）" if relationship.called else kind


def relationship_sentence(relationship: Relationship, source: str, target: str) -> str:
    """Return a relationship in words: "Mara: distrust towards Hale, 7 of 10"."""
    kind = relationship_kind(relationship)
    people = f"{source}与{target}" if relationship.is_mutual else f"{source}对{target}"
    knows = f"；{said}" if (said := unknown_to(relationship, source, target)) else ""
    return f"{people}：{kind}，强度 {relationship.strength}/10{knows}"


def relationship_ended(sentence: str) -> str:
    """Return the sentence of a relationship that the chapter ended."""
    return f"{sentence}；已结束"


# What is drawn in the Plot Graph and the timeline

OCCURRENCE = "发生在此"
OTHERS_LANE = "其他人物"


def chapter_heading(chapter: int) -> str:
    """Return the heading of a chapter, including chapter 0."""
    return f"第 {chapter} 章" if chapter else "故事开始前"


def participation(part: Participation) -> str:
    """Say how somebody takes part in an event, and what they feel."""
    words = PARTS[part.part]
    return f"{words}，{part.emotion}" if part.emotion else words


def event_tooltip(event: Event, part: Participation | None) -> str:
    """Say in up to three lines what happens, how somebody takes part in it, and when it is."""
    lines = (event.title, participation(part) if part else "", event.story_date)
    return "\n".join(line for line in lines if line)


# Legends

STRENGTH = "线越粗，关系越强"
NOT_MUTUAL = "仅单方面"
DEAD = "已故"
MISSING = "失踪"
PERSON = "人物"
EVENT = "事件"
PLACE = "地点"
TAKES_PART = "参与"
WITNESSES = "目睹或听说"
TAKES_PLACE = "发生在此地"
TOLD_OUT_OF_ORDER = "打乱时序讲述"
TOLD_NOW = "本章讲述"
ONE_SIDE_ONLY = "仅这一侧有"
DIFFERS = "有差异"
NEW = "本章新增"
CHANGED = "本章改变"
ENDED = "本章结束"

# The buttons of a picture

ZOOM_OUT = "缩小"
ZOOM_IN = "放大"
FIT = "适应窗口"
SAVE_PNG = "存为 PNG"
SAVE_SVG = "存为 SVG"
NOT_DRAWN = "无法绘制图片：请重新加载页面再试。"

# The strip of the whole story

OVERVIEW = "当前在故事中的位置"
OVERVIEW_EARLIER = "前面的章节"
OVERVIEW_LATER = "后面的章节"
OVERVIEW_CHAPTERS = "第 {first}–{last} 章，共 {newest} 章"
"""The browser puts the numbers in, as it shows where a click leads before the page runs again."""
