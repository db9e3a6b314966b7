"""The words of the History page and of what an edit has made stale, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from store.models.edits.staleness import TargetKind

TITLE = "历史"
NEVER_MIND = "取消"


def chapter(number: int) -> str:
    """Return how a chapter is called."""
    return f"第 {number} 章"


def starting_point(chapter: int) -> str:
    """Return how the end of a chapter is called in a sentence; 0 is the beginning."""
    return f"第 {chapter} 章" if chapter else "开篇"


# A story that has not begun

NOT_BEGUN = "故事还没有历史"
NOT_BEGUN_ADVICE = "确认人物表和故事设定后，历史由此开始。"

# Undo and redo

Direction = Literal["undo", "redo"]

STEP_BUTTONS: Mapping[Direction, str] = {"undo": "撤销", "redo": "重做"}
NO_STEP: Mapping[Direction, str] = {"undo": "没有可撤销的操作。", "redo": "没有可重做的操作。"}
NOTHING_IS_LOST = "这里什么都不会丢：撤销的可以重做，撤销的章节会保留候选情节和正文，回退掉的内容仍在原来的分支上。"


def step_done(direction: Direction, what: str) -> str:
    """Say what was undone or redone."""
    return f"已撤销：{what}。" if direction == "undo" else f"已重做：{what}。"


# The steps of a branch

STEPS = "操作记录"
STEP_UNDONE = "已撤销"
NO_STEPS = "还没有操作。章节和修改会显示在这里。"


def no_steps_on_branch(branch: str) -> str:
    """Say that nothing has been done on a branch since it began."""
    return f"“{branch}”上还没有操作。分支开始前的内容与原分支共用，它自己的章节和修改会显示在这里。"


def show_earlier_steps(count: int) -> str:
    """Return the button that shows the older steps too."""
    return f"显示更早的 {count:,} 步"


def more_changes(count: int) -> str:
    """Return the label of the changes that are folded."""
    return f"另有 {count:,} 处"


def changes_left_out(count: int) -> str:
    """Say how many changes are not shown at all."""
    return f"…另有 {count:,} 处。"


# What can begin at a chapter

START = "从某一章重新开始"
WHAT_IF = "从这里换个走向…"
REWIND = "回退到这里"
WHAT_IF_NAME = "假如…？"
WHAT_IF_EXAMPLE = "玛拉上了那条船"
WHAT_IF_BEGIN = "建立分支"
REWIND_STAY = "留在这里"


def start_chapter(plotted: int) -> str:
    """Return the label of the field for the chapter to start from."""
    return f"从第几章末尾开始（0–{plotted:,}，0 为开篇）"


def what_if_shares(chapter: int, branch: str) -> str:
    """Say what a new branch shares with the one that it leaves."""
    where = f"{starting_point(chapter)}末尾" if chapter else "开篇"
    return (
        f"新分支从“{branch}”的{where}开始，此前的内容共用，此后的留在原分支。"
        "新分支第一章的目标会让这个假设成真。"
    )


def branch_begun(name: str, chapter: int) -> str:
    """Say that a branch has begun and is open."""
    return f"当前分支：“{name}”，从{starting_point(chapter)}开始。"


def rewind_keeps(chapter: int, later: int, branch: str) -> str:
    """Say what rewinding to a chapter does, and what becomes of the later ones."""
    return (
        f"将在新分支上从{starting_point(chapter)}继续。什么都不会丢：之后的 {later:,} 章留在"
        f"“{branch}”上，随时可以回去。"
    )


def rewind_to(chapter: int) -> str:
    """Return the button that rewinds to a chapter."""
    return f"回退到{starting_point(chapter)}"


def rewound(now: str, before: str) -> str:
    """Say which branch is open after rewinding, and that the other is unchanged."""
    return f"当前分支：“{now}”。“{before}”保持不变。"


# The branches of the story

BRANCHES = "分支"
ONLY_BRANCH = (
    f"目前只有一个分支。在任意一章点“{WHAT_IF}”可以另建分支，尝试别的可能；之后可以比较、合并。"
)
BRANCH_OPEN = "当前"
BRANCH_SWITCH = "切换"
BRANCH_COMPARE = "比较"
BRANCH_BRING = "合并到…"
BRANCH_PUT_AWAY = "归档"
BRANCHES_PUT_AWAY = "已归档的分支"
BRANCH_BRING_BACK = "恢复"


def branch_put_away(name: str) -> str:
    """Say that a branch was put away."""
    return f"已归档“{name}”。内容不会丢失，可在下方恢复。"


def branch_brought_back(name: str) -> str:
    """Say that a branch is listed again."""
    return f"已恢复“{name}”。"


BRANCH_RENAME = "重命名"
BRANCH_NAME = "名称"
BRANCH_SAVE_NAME = "保存名称"

# One branch brought into another

MERGE_INTO = "合并到"
MERGE_OK = "好"
MERGE_ONLY_DECISIONS = "只有你在这里决定的内容。"
MERGE_DECIDED = "已全部决定。"


def merge_heading(source: str) -> str:
    """Return the heading of the panel in which a branch is brought into another."""
    return f"将“{source}”合并到其他分支"


def merge_brings_nothing(source: str, target: str) -> str:
    """Say that there is nothing to bring."""
    return f"“{source}”的内容“{target}”都已有。"


def merge_is_straight(target: str) -> str:
    """Say that the other branch has not moved on, so nothing has to be decided."""
    return f"“{target}”此后没有改动，各章将原样加入。"


def merge_changes(target: str) -> str:
    """Return the heading of what would change."""
    return f"“{target}”将有的变化"


def merge_can_be_undone(source: str, target: str) -> str:
    """Say what bringing a branch into another leaves as it is."""
    return f"“{source}”保持不变，合并可在“{target}”上撤销。"


def merge_as_on(branch: str) -> str:
    """Say which branch an answer to a question keeps."""
    return f"— 按 {branch}"


def merge_before(value: str) -> str:
    """Say what both branches had before they changed it."""
    return f"原为：{value}"


def merge_questions_left(count: int) -> str:
    """Say how much is left to decide."""
    if not count:
        return MERGE_DECIDED
    return f"还有 {count:,} 个问题待决定。"


def merge_do(target: str) -> str:
    """Return the button that brings the branch into the other."""
    return f"合并到“{target}”"


def merged(source: str, target: str) -> str:
    """Say that a branch was brought into another, which is now open."""
    return f"当前分支：“{target}”，已包含“{source}”的全部情节。"


# What is stale

STALE = "待复查"
STALE_WHAT = "你的修改可能影响以下章节。它们会保持原样，由你决定是否处理。"
STALE_FITS = "仍然适用"
STALE_GO_TO_TEXT = "前往正文"
STALE_LOOK_AT_EVENT = "查看"
STALE_ALL_FIT = "全部仍然适用…"
STALE_DO_ALL_FIT = "仍然适用"
STALE_KEEP_MARKS = "保留标记"
STALE_PARTS: Mapping[TargetKind, str] = {
    "event": "情节",
    "plan": "写作计划",
    "draft": "正文",
}


def stale_parts(kinds: Collection[TargetKind]) -> str:
    """Say what of a chapter is stale: "what happens, the text"."""
    return "、".join(STALE_PARTS[kind] for kind in kinds)


def stale_parts_label(kinds: Collection[TargetKind]) -> str:
    """Say the same as the label of an icon."""
    return stale_parts(kinds)


def stale_reason(reason: str, more: int) -> str:
    """Return the first reason why something is stale, with how many more there are."""
    return f"{reason} …另有 {more} 处" if more else reason


def stale_more_reasons(count: int) -> str:
    """Say how many reasons are not shown."""
    return f"…另有 {count:,} 个原因。"


def stale_more_changes(count: int) -> str:
    """Say how many older changes made something stale."""
    return f"…此前另有 {count:,} 处修改。"


def stale_more_chapters(count: int) -> str:
    """Say how many more chapters a change made stale."""
    return f"…后面另有 {count:,} 章。"


def stale_clear_all(chapters: int) -> str:
    """Say what it does to call all chapters fitting."""
    return f"这会清除 {chapters:,} 章的标记，各章保持原样。"
