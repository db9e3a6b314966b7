"""The words of fields that save what is typed, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

# What could not be saved


def not_saved(problem: str) -> str:
    """Say that what was typed is not saved, and why: a whole sentence."""
    return f"尚未保存。{problem}"


def saved_later(reason: str) -> str:
    """Say why a text cannot be saved now, a whole sentence, and that it will be."""
    return f"{reason}你输入的内容留在这里，问题一解决就会保存。"


# What the browser found that was not saved. {field} is the label of the field

PUT_BACK = "已恢复你在“{field}”中输入的内容。"
FOUND_UNSAVED = "你在“{field}”中输入过以下内容，但没有保存："
PUT_IT_BACK = "恢复"
DISCARD_IT = "丢弃"

# A text that another window has changed too

CHANGED_ELSEWHERE = "你写作期间，另一个窗口改动了这里。上面是你的内容，尚未保存。"
THEIRS = "另一个窗口的内容"
EMPTY = "空"
KEEP_MINE = "保存我的"
TAKE_THEIRS = "采用另一份"
NOTHING_IS_LOST = "无论选哪一份，两份都会留在版本记录里。"

# The editor of a chapter. {count} and {target} are numbers of words

OF_THE_EDITOR: Mapping[str, str] = {
    "chapter": "{count} 词",
    "characters": "{count} 字",
    "today": "今天 {count}",
    "book": "全书 {count}",
    "of": " / {target}",
    "kept": "已保存",
    "saving": "正在保存 …",
    "alone": "只看正文",
    "together": "返回页面",
    "too_long": "内容超出了一章的上限。要带入整本书，请在“书库”页导入。",
    "find": "查找",
    "find_find": "在本章中查找",
    "find_with": "替换为",
    "find_previous": "上一处",
    "find_next": "下一处",
    "find_case": "区分大小写",
    "find_whole": "全词匹配",
    "find_replace": "替换",
    "find_all": "全部替换",
    "find_close": "关闭",
    "find_count": "第 {at} 处，共 {count} 处",
    "find_none": "未找到",
    "find_replaced": "已替换 {count} 处",
    "note": "批注",
    "note_about": "给这一段或选中的文字加批注（Ctrl+Alt+M）",
    "note_placeholder": "只给你自己看：智能体不读，导出也不含。",
    "note_keep": "保存批注",
    "note_drop": "取消",
    "not_loaded": "编辑器未能加载，正文暂时只能阅读。重新加载页面可再试。",
}

# The fields of an entity

INVENTED = "补充的"
CHAPTER_OPEN = "未定"


def separated_by_commas(label: str) -> str:
    """Return the label of a field that takes several names."""
    return f"{label}（用逗号分隔）"


# Locks

LOCKED_HELP = "已锁定：智能体不会改动。点击解锁。"
LOCKED_AS_A_WHOLE_HELP = "已整体锁定：智能体不会改动。"
LOCK_HELP = "锁定后，智能体不会改动。"
LOCK_WHOLE_HELP = "整体锁定后，智能体不会改动。"

# A note for the agent that tries again

NOTE_OPTIONAL = "可不填"
