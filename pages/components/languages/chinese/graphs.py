"""The words of the Graphs page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pages.components.languages.chinese import pictures
from pages.components.languages.chinese.words import PARTS, link_words
from store.models.cast import Relationship
from store.models.plot import LinkKind, Part, ThreadState
from store.models.prototype import EntityKind

# The page

PAGE_TITLE = "图谱"
NOBODY = "还没有可以绘制的人物"
NOBODY_ADVICE = "图谱从人物表开始：先写下故事讲什么，再确认人物表。"
VIEW = "视图"
VIEWS: Mapping[str, str] = {
    "roles": "人物图",
    "plot": "情节图",
    "timeline": "时间线",
    "compare": "比较",
    "continuity": "连贯性",
}
"""By `navigation.GraphName`."""

# The toolbar: filters, chapters shown, order, search

FILTER_PEOPLE = "人物"
FILTER_PEOPLE_ALL = "所有人物"
FILTER_RELATIONSHIPS = "关系"
FILTER_LINKS = "事件的关联"
FILTER_PARTS = "参与方式"
FILTER_THREAD = "伏笔"
FILTER_THREAD_ANY = "不限"
FILTER_NONE = "显示全部"
SPAN = "显示多少章"
ORDER = "顺序"
ORDERS: Mapping[str, str] = {"telling": "按讲述顺序", "story": "按发生顺序"}
"""By `timeline.Order`."""
SEARCH = "搜索"
SEARCH_PLACEHOLDER = "在故事中查找"
SEARCH_EMPTY = "截至本章没有找到。试试减少关键词，或换到更后的章节。"


def filter_label(count: int) -> str:
    """Return the label of the filters, with how many of them are set."""
    return f"筛选 · {count}" if count else "筛选"


def span(chapters: int) -> str:
    """Return how many chapters are shown at once; 0 means all of them."""
    return f"{chapters:,} 章" if chapters else "全部"


def hit(label: str, chapter: int) -> str:
    """Return something found, with the chapter in which it enters the story."""
    return f"{label} :gray[· {f'第 {chapter} 章' if chapter else '开篇'}]"


# The picture and what can be looked at in it

LOOK_AT = "查看"
LOOK_AT_PLACEHOLDER = "点击图中元素，或在此选择"
NO_MATCH = "没有符合筛选条件的内容。"
NO_EVENTS = "还没有事件：构想第一章后，事件会显示在这里。"
_IN_ORDER: Mapping[str, str] = {"telling": "按讲述顺序", "story": "按发生顺序"}


def roles_description(people: int, relationships: int) -> str:
    """Describe a Role Graph for those who cannot see it."""
    return f"人物图：{people:,} 个人物，{relationships:,} 段关系"


def plot_description(events: int, people: int, places: int) -> str:
    """Describe a Plot Graph for those who cannot see it."""
    return f"情节图：{events:,} 个事件，{people:,} 个人物，{places:,} 个地点"


def timeline_description(events: int, people: int, order: str) -> str:
    """Describe a timeline for those who cannot see it; `order` is a `timeline.Order`."""
    return f"时间线：{people:,} 个人物的 {events:,} 个事件，{_IN_ORDER[order]}"


# The panel beside the picture

HISTORY = "历史"
GO_TO_CHAPTER = "跳到这一章"
EDIT = "编辑"
NO_CHANGES = "没有变化。"
THREADS = "伏笔"
UNDO = "撤销"
CLOSE = "关闭"
UNSAVED = "尚未保存"
UNSAVED_ELSEWHERE = "本章没有的内容"
UNSAVED_NEW: Mapping[EntityKind, str] = {
    "relationship": "新的关系",
    "participation": "新的参与",
    "event_link": "新的关联",
}
"""What a draft is called that adds something without a name."""


def show_all(count: int) -> str:
    """Return the label of the button that shows the rest of a list."""
    return f"显示全部 {count:,} 项"


def show_all_chapters(count: int) -> str:
    """Return the label of the button that shows the rest of a history."""
    return f"显示全部 {count:,} 章"


def chapter_changes(chapter: int) -> str:
    """Return the heading of what a chapter changed."""
    return f"第 {chapter} 章带来的变化" if chapter else "开篇"


def saved_in(chapter: int) -> str:
    """Say where the last edit was saved."""
    return f"已保存到第 {chapter} 章" if chapter else "已保存到开篇"


def continue_with(name: str) -> str:
    """Return the label of the button that leads back to an unsaved edit."""
    return f"继续编辑{name}"


# The details of one element of the story

PERSON = "人物"
PERSON_ENTERS = "出场"
PERSON_RELATIONSHIPS = "关系"
RELATIONSHIP = "关系"
ENDS = "双方"
BEGINS = "开始"
EVENT_LINKS = "事件的关联"
PLACE = "地点"
PART_MENTIONS = "谁参与了什么"
LINK = "关联"
LINK_TOLD = "讲述"
THREAD = "伏笔"
THREAD_PLANTED = "埋下"
THREAD_TO_PLANT = "计划埋下"
THREAD_TO_PAY_OFF = "计划回收"
THREAD_PAYOFFS: Mapping[ThreadState, str] = {
    ThreadState.PAID_OFF: "回收",
    ThreadState.DROPPED: "原计划回收",
}


def told_in(chapter: int) -> str:
    """Return the chapter that tells something; chapter 0 is what came before the story."""
    return f"第 {chapter} 章" if chapter else "故事开始前"


def event_sort(chapter: int) -> str:
    """Return what stands above an event: what it is, and the chapter that tells it."""
    return f"事件 · {told_in(chapter)}"


def part_sort(chapter: int) -> str:
    """Return what stands above a part in an event, and the chapter that tells the event."""
    return f"参与 · {told_in(chapter)}"


def part_sentence(person: str, part: Part) -> str:
    """Say how somebody takes part in an event."""
    return f"{person}：{PARTS[part]}。"


def part_in(event: str, part: str) -> str:
    """Return an event with how somebody takes part in it."""
    return f"{event}：{part}"


def occasion(number: int) -> str:
    """Return the heading of a chapter in a history; chapter 0 is the beginning."""
    return f"第 {number} 章" if number else "开篇"


def in_chapter(name: str, number: int) -> str:
    """Return something with the chapter that tells it; chapter 0 is what came before the story."""
    return f"{name}（{told_in(number)}）"


def relationship_name(relationship: Relationship, source: str, target: str) -> str:
    """Return what a relationship is called in a list."""
    people = f"{source}与{target}" if relationship.is_mutual else f"{source}对{target}"
    return f"{people}：{pictures.relationship_kind(relationship)}"


def part_name(person: str, event: str) -> str:
    """Return what somebody's part in an event is called in a list."""
    return f"“{event}”中的{person}"


def link_name(link: LinkKind, source: str, target: str) -> str:
    """Return what a link between two events is called in a list."""
    return f"“{source}”{link_words(link)}“{target}”"


# The removal of an element

REMOVE_ASK = "移除…"
REMOVE = "移除"
REMOVE_NOT = "保留"
_REMOVED_ALONG: Mapping[EntityKind, Mapping[EntityKind, str]] = {
    "character": {"relationship": "{} 段关系", "participation": "{} 处事件参与"},
    "event": {"participation": "{} 处参与", "event_link": "{} 个与其他事件的关联"},
    "scene": {"occurrence": "{} 个事件的地点"},
}
"""What else is removed with each kind of element, as far as a writer would miss it."""


def removed_along(kind: EntityKind, gone: Mapping[EntityKind, int]) -> list[str]:
    """Return what a writer would miss of what is removed along with an element.

    `gone` is how many elements of each kind are removed.
    """
    missed = _REMOVED_ALONG.get(kind, {})
    return [words.format(f"{gone[one]:,}") for one, words in missed.items() if gone.get(one)]


def removal(name: str, chapter: int, along: Sequence[str]) -> str:
    """Say what will be removed, from which chapter on, and what along with it."""
    since = f"从第 {chapter} 章起" if chapter else "从开篇起"
    also = f"同时移除：{'、'.join(along)}。" if along else ""
    return f"{name}将{since}从故事中移除。{also}"


# The comparison of two states of the story

LEFT = "左侧"
RIGHT = "右侧"
COMPARED = "比较内容"
COMPARISONS: Mapping[str, str] = {"roles": "人物与关系", "plot": "事件"}
"""By `compare.Drawn`."""
COMPARISON_NO_EVENTS = "这些章节没有事件。"
NO_DIFFERENCES = "没有差异。"


def differences_heading(left: str, right: str) -> str:
    """Return the heading of the differences between two states."""
    return f"从{left}到{right}"


def state(chapter: int) -> str:
    """Return one of the two states, if both are of the same branch."""
    return f"第 {chapter} 章" if chapter else "开篇"


def state_of(chapter: int, branch: str) -> str:
    """Return one of the two states, with its branch."""
    return f"“{branch}”的{state(chapter)}"


def more_differences(count: int) -> str:
    """Return the label of the fold with the rest of the differences."""
    return f"另有 {count:,} 处"


def unlisted_differences(count: int) -> str:
    """Say how many differences are not listed."""
    return f"另有 {count:,} 处差异，数量太多，未列出。"


# The findings of the continuity check

NO_FINDINGS = "故事前后没有矛盾。"
INTEND = "有意为之…"
INTEND_WHY = "为什么有意这样写？"
INTEND_WHY_PLACEHOLDER = "这只是她的梦"
INTEND_MARK = "标为有意为之"
INTEND_CANCEL = "取消"
INTEND_WITHDRAW = "撤回"


def continuity(findings: int) -> str:
    """Return the label of a tab or a fold with the findings."""
    return f"连贯性（{findings:,}）" if findings else "连贯性"


def findings_to_review(count: int) -> str:
    """Say how many findings the writer has not marked as intended."""
    return f"故事有 {count:,} 处前后矛盾。"


def more_findings(count: int) -> str:
    """Return the label of the button that shows more findings."""
    return f"再显示 {count} 处"


def intended_findings(count: int) -> str:
    """Return the label of the fold with the findings that are intended."""
    return f"有意为之（{count:,}）"


def intended(reason: str) -> str:
    """Say why a finding is intended."""
    return f"有意为之：{reason}"


def evidence_help(chapter: int) -> str:
    """Say where the evidence for a finding is."""
    return f"第 {chapter} 章" if chapter else "开篇"


def evidence(items: Iterable[tuple[str, int]]) -> str:
    """Return the evidence for a finding in one line; each item has its chapter, 0 for none."""
    return " · ".join(in_chapter(label, chapter) if chapter else label for label, chapter in items)


def open_threads(count: int) -> str:
    """Return the label of the fold with the threads that are not paid off."""
    return f"未回收的伏笔（{count:,}）"


def open_thread(title: str, planted: int | None) -> str:
    """Return a thread with the chapter in which it was planted, if it was."""
    return title if planted is None else f"{title} :gray[第 {planted} 章埋下]"
