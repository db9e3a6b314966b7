"""The words around every page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from store.models.run import RunState

PRODUCT = "Tellwright"


def damaged(problem: str) -> str:
    """Say that a story is damaged, and where help is: after a whole sentence that says how."""
    return f"{problem}可以怎么做，见“书库”页的“检查与备份”。"


def window_title(page: str) -> str:
    """Return what the browser calls the window."""
    return f"{page} · {PRODUCT}"


# Signing in, on a site for several writers

SIGN_IN = "登录"
SIGN_IN_ABOUT = "与智能体一起写长篇故事。你的故事保存在自己的书库里，本站其他作者看不到。"
SIGN_OUT = "退出登录"
WRITERS = "作者"

# The open story

GO_TO_PREMISE = "前往构思"
STORY_UNKNOWN = "这个书库里没有网址所指的故事。"
STORY_NOT_OPEN = "没有打开的故事"
STORY_NOT_OPEN_ADVICE = "请在书库中打开一个，或新建一个。"
GO_TO_LIBRARY = "前往书库"


def story_deleted(title: str) -> str:
    """Say that the story in the address is deleted."""
    return f"“{title}”已删除，可以在书库中恢复。"


# Links to the pages

LIBRARY = "书库"
PREMISE = "构思"
OUTLINE = "大纲"
GRAPHS = "图谱"
HISTORY = "历史"
TALK = "对话"
EVALUATE = "评价"
TELLINGS = "讲述版本"
ASK = "提问"
ASK_HELP = "就此向故事提问，或说明想改什么"
EXPORT = "导出"
COST = "用量与费用"
SETTINGS = "设置"


def plot(plotted: int, most: int | None) -> str:
    """Return the link to the Plot page; None for `most` if no number of chapters is planned."""
    if most is not None:
        return f"情节 {plotted}/{most}"
    return f"情节 {plotted}" if plotted else "情节"


def write(written: int, plotted: int) -> str:
    """Return the link to the Write page, with how many of the plotted chapters are written."""
    return f"写作 {written}/{plotted}" if plotted else "写作"


# Branches

BRANCH = "分支"
BRANCH_UNKNOWN = "这个故事里没有网址所指的分支，已显示当前打开的分支。"
BRANCH_PARENT_UNKNOWN = "另一分支"


def branch_start(chapter: int | None, parent: str) -> str:
    """Say where a branch leaves its parent; 0 and None are the beginning."""
    return f"始于“{parent}”第 {chapter} 章" if chapter else f"始于“{parent}”开篇"


# The run chip

RUN_AT_WORK = "运行中"
RUN_ON_THIS_PAGE = "正在运行，进度见本页。"
RUN_STOP = "停止"
RUN_CONTINUE = "继续"
RUN_ALLOW_MORE = "追加同等额度"
RUN_CAPPED = "已达上限"
RUN_HALTED: Mapping[RunState, str] = {
    RunState.STOPPED: "已停止",
    RunState.FAILED: "出了问题",
    RunState.INTERRUPTED: "运行期间应用被关闭",
}
CHOICE_WAITS = "有一项等你选择"
CHOICE_WAITS_HERE = "本页有一项等你选择。"

# The time cursor

PLAYER = "逐章浏览"
PLAYER_EARLIER = "前一章"
PLAYER_PLAY = "播放"
PLAYER_PAUSE = "暂停"
PLAYER_LATER = "后一章"


def as_of(chapter: int, plotted: int) -> str:
    """Say where the time cursor is."""
    return f"截至第 {chapter} 章，共 {plotted} 章" if chapter else "截至开篇"


# What Streamlit says by itself in a field for files

CHOOSE_FILE = "选择文件"

# The language of the pages

LANGUAGE = "页面语言"
