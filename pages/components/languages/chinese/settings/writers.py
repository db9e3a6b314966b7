"""The words of the Writers page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from store.hosting.records import AuditEvent

TITLE = "作者"
NOT_YOURS = "本页供站点管理者使用"
NOT_YOURS_ADVICE = "如果你就是，请把你的电子邮箱加入站点设置。"
NOBODY = "还没有人登录过。"
ABOUT = "每位作者的用量，以及书库状况。这里看不到任何人的故事。一天到 UTC 午夜为止。"

NAME = "作者"
EMAIL = "电子邮箱"
SEEN = "最近访问"
STORIES = "故事"
SIZE = "书库（MB）"
CALLS = "今日调用"
TOKENS = "今日 token"
MONEY = "本月费用"
SOUND = "书库完好"
BACKED_UP = "最近备份"
ADMITTED = "可登录"
SOUND_YES = "是"
SOUND_NO = "否：已损坏"
SOUND_UNKNOWN = "尚未检查"
YES = "是"
NO = "否"

CLOSE_TO = "禁止某位作者登录"
CLOSE_TO_ABOUT = "从现在起拒绝其访问，正在为其生成的内容会停止。其书库保持不变。"
CHOOSE = "作者"
SHUT_OUT = "禁止登录"
LET_IN = "重新允许登录"

SERVER = "本进程"
AUDIT = "操作记录"
AUDIT_ABOUT = "最新的在最前。只记录谁在何时做了什么，不涉及故事内容。"
WHEN = "时间"
WHAT = "操作"
ABOUT_WHAT = "对象"
EVENTS: Mapping[AuditEvent, str] = {
    AuditEvent.SIGN_IN: "登录",
    AuditEvent.REFUSED: "被拒绝",
    AuditEvent.SIGN_OUT: "退出登录",
    AuditEvent.EXPORT: "保存了文件",
    AuditEvent.IMPORT: "导入了故事",
    AuditEvent.RESTORE: "恢复了备份",
    AuditEvent.SHUT_OUT: "被禁止登录",
    AuditEvent.LET_IN: "重新获准登录",
}


def shut_out(name: str) -> str:
    """Say that a writer is shut out."""
    return f"{name}已被禁止登录。"


def let_in(name: str) -> str:
    """Say that a writer may sign in again."""
    return f"{name}可以重新登录。"


def server(libraries: int, windows: int, megabytes: float) -> str:
    """Say what the process that shows this page has open. Markdown."""
    return f"打开的书库：**{libraries:,}** · 有窗口打开的作者：**{windows:,}** · 内存：**{megabytes:,.0f} MB**"
