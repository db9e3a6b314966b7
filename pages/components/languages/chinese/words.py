"""The words that pages use for a writer, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import ValidationError

from graph_flow.views import RunEstimate
from pages.components.words import plain
from pages.components.words.messages import said
from store.models.base import Entity
from store.models.cast import Awareness, Life, Relationship, RelationshipKind
from store.models.desk.contents import BookLength
from store.models.manuscript import DraftState
from store.models.plot import LinkKind, Part, ThreadState
from store.models.story import StoryCard
from store.text import Unit

UNTITLED = "未命名的故事"

DRAFT_STATES: Mapping[DraftState | None, str] = {
    None: "未写",
    DraftState.WRITING: "正在写",
    DraftState.DRAFTED: "已成稿",
    DraftState.REVISED: "已修订",
    DraftState.EDITED: "已编辑",
    DraftState.APPROVED: "已定稿",
}

RELATIONSHIP_WORDS: Mapping[RelationshipKind, tuple[str, str]] = {
    RelationshipKind.KINSHIP: ("亲属", "互为亲属"),
    RelationshipKind.MARRIAGE: ("配偶", "是夫妻"),
    RelationshipKind.ROMANCE: ("爱着", "彼此相爱"),
    RelationshipKind.FRIENDSHIP: ("朋友", "是朋友"),
    RelationshipKind.ALLIANCE: ("盟友", "是盟友"),
    RelationshipKind.MENTORSHIP: ("指导", "互相指导"),
    RelationshipKind.SERVICE: ("效力于", "互相效力"),
    RelationshipKind.RIVALRY: ("竞争", "互相竞争"),
    RelationshipKind.DISTRUST: ("不信任", "互不信任"),
    RelationshipKind.ENMITY: ("敌视", "互相敌视"),
    RelationshipKind.DEBT: ("亏欠", "互相亏欠"),
}
"""What a relationship is called one way, as the choices show it, and how it reads both ways."""

_ONE_WAY: Mapping[RelationshipKind, str] = {
    RelationshipKind.KINSHIP: "{source} 是 {target} 的亲属",
    RelationshipKind.MARRIAGE: "{source} 是 {target} 的配偶",
    RelationshipKind.ROMANCE: "{source} 爱着 {target}",
    RelationshipKind.FRIENDSHIP: "{source} 把 {target} 当朋友",
    RelationshipKind.ALLIANCE: "{source} 是 {target} 的盟友",
    RelationshipKind.MENTORSHIP: "{source} 指导 {target}",
    RelationshipKind.SERVICE: "{source} 效力于 {target}",
    RelationshipKind.RIVALRY: "{source} 与 {target} 竞争",
    RelationshipKind.DISTRUST: "{source} 不信任 {target}",
    RelationshipKind.ENMITY: "{source} 敌视 {target}",
    RelationshipKind.DEBT: "{source} 亏欠 {target}",
}

AWARENESS: Mapping[Awareness, str] = {
    Awareness.MUTUAL: "双方都知道",
    Awareness.ONE_SIDED: "对方不知道",
    Awareness.HIDDEN: "对所有人保密",
}


LIVES: Mapping[Life, str] = {
    Life.LIVING: "在世",
    Life.MISSING: "失踪",
    Life.DEAD: "已故",
}

PARTS: Mapping[Part, str] = {
    Part.ACTS: "行动",
    Part.IS_AFFECTED: "受影响",
    Part.WITNESSES: "目睹",
    Part.IS_TOLD: "听说",
}

LINKS: Mapping[LinkKind, tuple[str, str]] = {
    LinkKind.CAUSES: ("导致", "起因于"),
    LinkKind.ENABLES: ("促成", "得益于"),
    LinkKind.FORESHADOWS: ("预示", "预示于"),
    LinkKind.PAYS_OFF: ("回应", "回应于"),
    LinkKind.CONTRADICTS: ("矛盾于", "矛盾于"),
    LinkKind.PARALLELS: ("呼应", "呼应"),
    LinkKind.BEFORE: ("先于", "后于"),
}
"""How a link between events reads forwards, and backwards."""

THREAD_STATES: Mapping[ThreadState, str] = {
    ThreadState.PLANNED: "计划中",
    ThreadState.PLANTED: "已埋下",
    ThreadState.PAID_OFF: "已回收",
    ThreadState.DROPPED: "已放弃",
}


def link_words(link: LinkKind) -> str:
    """Return how a link reads from its first event to its second."""
    return LINKS[link][0]


def relationship_sentence(relationship: Relationship, names: Mapping[str, str]) -> str:
    """Return a relationship as a sentence: "Mara distrusts Hale, 7 of 10, Hale does not know"."""
    source, target = (
        plain(names.get(relationship.source, "?")),
        plain(names.get(relationship.target, "?")),
    )
    tie = relationship.tie
    sentence = (
        f"**{source}** 与 **{target}** {RELATIONSHIP_WORDS[tie][1]}"
        if relationship.is_mutual
        else _ONE_WAY[tie].format(source=f"**{source}**", target=f"**{target}**")
    )
    knows = f"，{said}" if (said := unknown_to(relationship, source, target)) else ""
    reason = f" —— {plain(relationship.reason)}" if relationship.reason else ""
    named = f"（“{plain(relationship.called)}”）" if relationship.called else ""
    return f"{sentence}{named}，强度 {relationship.strength}/10{knows}{reason}"


def unknown_to(relationship: Relationship, source: str, target: str) -> str:
    """Say who does not know of a relationship; empty if both do."""
    match relationship.awareness:
        case Awareness.MUTUAL:
            return ""
        case Awareness.ONE_SIDED:
            return f"{target}不知道"
        case Awareness.HIDDEN:
            return "双方都保密" if relationship.is_mutual else f"{source}对此保密"


def mark(entity: Entity, field: str) -> str:
    """Return the mark that says who wrote a field; empty for an empty field."""
    if not getattr(entity, field):
        return ""
    return " :orange-badge[补充的]" if field in entity.invented else " :gray-badge[你写的]"


def marks(entity: Entity, fields: Sequence[str]) -> dict[str, str]:
    """Return the marks of fields shown together; if all are alike, only the first has one."""
    each = {field: mark(entity, field) for field in fields}
    if len({one for one in each.values() if one}) > 1:
        return each
    return {field: each[field] if field == fields[0] else "" for field in fields}


def touched(when: datetime, now: datetime) -> str:
    """Say when a story was last worked on."""
    minutes = int((now - when).total_seconds() // 60)
    if minutes < 2:
        return "刚刚"
    if minutes < 60:
        return f"{minutes} 分钟前"
    if minutes < 24 * 60:
        return f"{minutes // 60} 小时前"
    days = minutes // (24 * 60)
    if days == 1:
        return "昨天"
    return f"{days} 天前" if days < 31 else f"{when.year} 年 {when.month} 月 {when.day} 日"


def card_facts(card: StoryCard, length: BookLength, now: datetime) -> str:
    """Return a story's form, length and age in one line."""
    facts = [said(card.story.brief.form.spec.label)]
    if length.chapters:
        facts.append(f"{length.chapters:,} 章")
    if length.words:
        facts.append(length_counted(length.words, card.story.brief.unit))
    return " · ".join([*facts, touched(card.story.touched, now)])


def estimate_sentence(estimate: RunEstimate) -> str:
    """Say what a run is likely to take, and which models it asks, as Markdown."""
    cost = f"，按你的价格约 {estimate.cost:,.2f}" if estimate.cost else ""
    time = f"，约需 {duration(estimate.seconds)}" if estimate.seconds else ""
    models = plain("、".join(map(said, estimate.models))) or "模型"
    return f"约调用 {estimate.calls:,} 次：{models}{cost}{time}。"


def estimate_words(estimate: RunEstimate) -> str:
    """Say the same of one call, as plain text."""
    cost = f"，按你的价格约 {estimate.cost:,.2f}" if estimate.cost else ""
    return f"调用一次：{'、'.join(map(said, estimate.models)) or '模型'}{cost}"


def length_counted(length: int, unit: Unit) -> str:
    """Return the length of a text with what it counts: "1,200 words", "2,000 characters"."""
    return f"{length:,} 字" if unit == "characters" else f"{length:,} 词"


def duration(seconds: float) -> str:
    """Return a length of time in words: "a minute", "25 minutes", "3 hours"."""
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{max(1, minutes)} 分钟"
    return f"{round(minutes / 60):,} 小时"


_MESSAGES = {
    "string_too_short": "这里不能为空。",
    "string_too_long": "太长了：最多 {max_length:,} 个字符。",
    "less_than_equal": "太大了：最大为 {le}。",
    "greater_than_equal": "太小了：最小为 {ge}。",
}


def problem_of(error: ValidationError) -> str:
    """Say in one sentence why a value was refused."""
    first = error.errors(include_input=False, include_url=False)[0]
    words = _MESSAGES.get(first["type"])
    if words is not None:
        return words.format(**first.get("ctx", {}))
    return f"无法照此保存：{said(first['msg'].removeprefix('Value error, '))}。"
