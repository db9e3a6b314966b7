"""The words of runs, of what the agents were given, and of the Cost page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.views import Stage
from store.models.run import (
    ChooseAgain,
    DraftOutline,
    Outcome,
    PlotChapters,
    ReadBook,
    ReadStory,
    RunState,
    Task,
    WriteChapter,
)

# A run on the page that it works for

PREPARING = "正在准备"
STOP = "停止"
STOP_AFTER = "写完这一章后停止"
STOPS_AFTER = "这一章完成后就会停止。"
HALTED: Mapping[RunState, str] = {
    RunState.STOPPED: "已按你的要求停止。",
    RunState.FAILED: "出了问题。",
    RunState.INTERRUPTED: "运行期间应用被关闭。",
}
HALTED_BY_CAP = "已达到你设置的上限。"
HALTED_KEPT = "已完成的内容会保留，不会再次付费。"
CONTINUE = "继续"
CONTINUE_PAST_CAP = "追加同等额度"
_BUSY: Mapping[str, str] = {
    "initialize": "正在草拟人物表。",
    "outline": "正在草拟大纲。",
    "plot": "正在构想一章的情节。",
    "choose": "正在构想一章的情节。",
    "write": "正在写一章。",
    "read": "正在通读整个故事。",
    "book": "正在把书读入故事。",
}
"""What a run does, by the kind of its task."""


def busy(kind: str) -> str:
    """Say that a page has to wait for a run."""
    return f"{_BUSY.get(kind, _BUSY['write'])}完成或停止后，这里就可以继续。"


def steps_done(done: int, expected: int) -> str:
    """Say how far a run is in its current step."""
    return f"第 {done} 步，约 {expected} 步"


def time_left(clock: str) -> str:
    """Say how long the current step will take."""
    return f"约剩 {clock}"


NO_TIME_YET = "完成第一章后才能估计所需时间"
NO_TIME_SINCE = "完成下一章后才能估计其余所需时间"


def chapters_done(done: int, of: int, *, may_end_early: bool) -> str:
    """Say how many chapters of several a run has done."""
    return f"已完成 {done:,} 章，{'最多' if may_end_early else '共'} {of:,} 章"


def all_time_left(clock: str) -> str:
    """Say how long the chapters that are left will take together."""
    return f"全部完成约剩 {clock}"


def cost_so_far(used: str) -> str:
    """Say what a run has used."""
    return f"目前用量：{used}"


# What a run may use

COST = "费用"
CAP_CALLS = "调用次数上限"
CAP_TOKENS = "token 上限"
CAP_COST = "费用上限"
CAP_COST_HELP = "按“设置”中模型的价格计算。"
CAP_NONE = "不限"
CAP_HELP = "到达上限前会停止；之后可以追加同等额度。"


# What calls used

USED_NOTHING = "还没有用量。"
BEFORE_FIRST_CHAPTER = "第一章之前"


def chapter_name(chapter: int) -> str:
    """Return the name of a chapter."""
    return f"第 {chapter:,} 章"


def tokens_used(tokens_in: int, tokens_out: int) -> str:
    """Say how many tokens went in and came out."""
    return f"输入 {tokens_in:,} token，输出 {tokens_out:,}"


def calls_made(calls: int) -> str:
    """Say how many calls were made."""
    return f"{calls:,} 次调用"


def model_time(clock: str) -> str:
    """Say how long the model worked."""
    return f"模型用时 {clock}"


def at_your_prices(money: str) -> str:
    """Say what calls cost."""
    return f"按你的价格为 {money}"


def calls_out_of(calls: int, most: int | None) -> str:
    """Say how many calls a run has made, and how many it may make if that is limited."""
    return f"{calls:,}/{most:,} 次调用" if most else f"{calls:,} 次调用"


def tokens_out_of(tokens: int, most: int | None) -> str:
    """Say how many tokens a run has used, and how many it may use if that is limited."""
    return f"{tokens:,}/{most:,} 个 token" if most else f"{tokens:,} 个 token"


def money_out_of(money: str, most: str) -> str:
    """Say what a run has cost, and what it may cost; `most` is empty if that is not limited."""
    return f"按你的价格为 {money}，上限 {most}" if most else at_your_prices(money)


def tokens_expected(tokens_in: int, tokens_out: int) -> str:
    """Say how many tokens a run is likely to take."""
    return f"约输入 {tokens_in:,} token，输出 {tokens_out:,}。"


def trouble(failed: int, repeated: int) -> str:
    """Say how many calls failed or had to be repeated; empty if all went well."""
    said = []
    if failed:
        said.append(f"{failed:,} 次调用没有回答")
    if repeated:
        said.append(f"{repeated:,} 个回答无法使用，重新请求了")
    return f"{'，'.join(said)}。所用的都计算在内。" if said else ""


# What the agents were given

CALLS_NONE = "还没有内容。智能体第一次被调用后，可以在这里看到它收到了什么。"
CALL = "调用"
GIVEN = "它收到的"
ANSWERED = "它的回答"
ANSWERED_NOTHING = "没有内容。"
SOURCES = "包含哪些内容"
CALL_COST = "用量"
WORD_FOR_WORD = "逐字显示，连同指令与范例"
PROMPT = "提示词"
ANSWER = "回答"
ANSWER_NONE = "（无）"
SOURCE_NAME = "来源"
SOURCE_LINES = "行数"
SOURCE_LEFT_OUT = "省去"
SOURCE_TOKENS = "token 用量"
YES = "是"
NO = "否"
OUTCOMES: Mapping[Outcome, str] = {
    Outcome.TRUNCATED: "回答被截断。",
    Outcome.UNUSABLE: "回答无法使用。",
    Outcome.FAILED: "没有得到回答。",
}


def calls_summed_up(calls: int) -> str:
    """Say that some calls for a chapter are not kept any more."""
    return f"这一章有 {calls:,} 次调用的提示词与回答不再保留，只留下费用。保留多久见“设置”。"


def calls_heading(part: str = "") -> str:
    """Return the heading of what the agents were given; `part` says for what, if given."""
    return f"{part}：智能体收到了什么" if part else "智能体收到了什么"


def call_repeated(name: str, time: int) -> str:
    """Return the name of the second or a later call of the same name."""
    return f"{name} · 第 {time} 次"


def call_tokens(tokens_in: int, tokens_out: int) -> str:
    """Say how many tokens a call took."""
    return f"输入 {tokens_in:,} token，输出 {tokens_out:,}"


# The Cost page

COST_TITLE = "用量与费用"
COST_NONE = "还没有用量"
COST_NONE_ADVICE = "第一次调用后，这里会显示每个智能体的用量。"
TOTAL_CALLS = "模型调用"
TOTAL_TIME = "模型用时"
TOTAL_MONEY = "按你的价格"
BY_AGENT = "按智能体"
BY_CHAPTER = "按章"
BY_CALL = "逐次调用"
AGENT = "智能体"
CALLS = "调用"
# The chart has columns of these names, too; Vega would take a dot or a bracket in one for a path.
CHAPTER = "章"
TOKENS = "token 数"
TOKENS_IN = "输入 token"
TOKENS_OUT = "输出 token"
KIND = "类别"
"""Whether tokens went in or came out."""
TIME = "用时"
MONEY = "费用"
WASTED = "浪费"
BEFORE = "之前"
"""Stands for the number of a chapter, for what came before the first."""
PARTS: Mapping[Stage, str] = {"plot": "情节", "write": "正文"}
"""What a chapter is made of."""
PARTS_BEFORE: Mapping[Stage, str] = {"plot": "开篇", "outline": "大纲"}
"""What comes before the first chapter."""


NOTES = "运行备注"


def run_name(task: Task) -> str:
    """Say what a run does."""
    match task:
        case PlotChapters():
            return f"构想 {task.chapters:,} 章情节"
        case ChooseAgain():
            return f"重新选定第 {task.chapter:,} 章的情节"
        case WriteChapter():
            return _writing(task)
        case ReadBook():
            return f"把 {len(task.chapters):,} 章读入故事"
        case ReadStory():
            return "通读整个故事"
        case DraftOutline():
            return "草拟大纲"
        case _:
            return "草拟人物表"


def _writing(task: WriteChapter) -> str:
    chapters = len(task.chapters)
    if task.is_of_telling:
        return f"写另一讲述版本的 {chapters:,} 章"
    return f"写 {chapters:,} 章" if task.then else f"写第 {task.chapter:,} 章"


def story_used(facts: str) -> str:
    """Say what the story has used with all its branches."""
    return f"整个故事（含所有分支）：{facts}。"


def table_part(parts: int) -> str:
    """Return the label of the field that turns to a part of a long table."""
    return f"表格分页，共 {parts} 页"


def chapters_in_bar(chapters: int) -> str:
    """Say how many chapters share a bar of the chart."""
    return f"每根柱代表 {chapters} 章。"


def calls_wasted(failed: int, repeated: int) -> str:
    """Say how many calls failed or had to be repeated, in a cell of a table; empty if none."""
    said = [f"{failed:,} 次失败"] if failed else []
    said += [f"{repeated:,} 次重复"] if repeated else []
    return "，".join(said)
