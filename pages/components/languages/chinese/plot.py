"""The words of the Plot page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_flow.views import PlotStep
from pages.components.languages.chinese import pictures
from store.models.cast import Relationship
from store.models.proposals import Chooser

# The page

TITLE = "情节"
NOT_BEGUN = "故事还没有开始"
NOT_BEGUN_ADVICE = "请先确认人物表和故事设定。"
CHOOSE_AGAIN = "这一章已被撤销。可以在候选情节中重新选择，也可以在“历史”页点“重做”恢复原样。"


def chapter_heading(number: int) -> str:
    """Return the heading of the chapter that is being plotted."""
    return f"第 {number} 章"


# The steps of plotting a chapter

STEPS: Mapping[PlotStep, str] = {
    "Goals": "目标",
    "Weave": "编织",
    "Score": "评分",
    "Choose": "选择",
}
CANDIDATE_READ = "看看发生了什么"
CANDIDATE_GIVEN_UP = "作出回应的人物太少，无法完成这个候选情节。"
_NO_ANSWER = "没有得到可用的回应。"


def relay_round(number: int) -> str:
    """Return the heading of a round of turns, or of candidates."""
    return f"第 {number} 轮"


def turn_skipped(name: str, why: str) -> str:
    """Say that somebody contributed no turn, and why if that is known."""
    return f"**{name}** 没有参与。{why or _NO_ANSWER}"


# Goals

GOALS_HELP = (
    "每个目标会发展成本章的一个候选情节。你可以随意修改、舍弃或添加；换一批目标时，已固定的会保留。"
)
GOALS_APPROVE = "按这些目标编织"
GOALS_ASK_AGAIN = "换一批目标"
GOALS_BACK = "恢复上一批目标"
ASK_AGAIN_PROMPT = "希望有什么不同？"
GOAL_TITLE = "标题"
GOAL_TEXT = "本章的走向"
GOAL_MOVES = "推进什么"
GOAL_MOVES_NOTHING = "不作限定"
GOAL_ROLES = "出场人物（按先后顺序）"
GOAL_ROLES_ANYONE = "由合适的人物出场"
GOAL_PIN = "固定"
GOAL_PIN_HELP = "换一批目标时保留这个目标。"
GOAL_PINNED = "已固定"
GOAL_PINNED_HELP = "取消固定。"
GOAL_DROP = "舍弃"
GOAL_RESTORE = "恢复"
GOAL_NEW = "添加自己的目标"
GOAL_ADD = "添加"


def goal_dropped(title: str) -> str:
    """Name a goal that the writer has dropped."""
    return f"已舍弃：{title}"


GOAL_SKETCHED = (
    "这一章最初的写法。情节直接取自那里；如果改动上面的文字，就和其他目标一样由人物来编织。"
)

GOAL_TOLD = "下一章，已完整写出。情节直接取自这段文字；选定它，这段文字就是这一章的初稿。"
READ_TOLD = "阅读这一章"


def goal_parts(parts: str) -> str:
    """Say what the outline has planned that a goal is to tell."""
    return f"来自大纲：{parts}"


# Candidates

ASK_AGAIN = "换一批"
CHOOSE = "选定"
BADGE_BEST = "最佳"
BADGE_BY_WRITER = "你写的"
BADGE_SKETCHED = "最初写法"
BADGE_TOLD = "已写全"
NOT_SCORED = "未评分。"
SCORE_REASONS = "评分理由"
HAPPENINGS = "发生了什么"
PEOPLE = "谁有变化"
THREADS = "伏笔"


def unfinished(title: str) -> str:
    """Name a candidate that could not be finished."""
    return f"未能完成：{title}"


def earlier_candidates(count: int) -> str:
    """Return the label of the candidates of earlier rounds."""
    return f"之前的候选情节（{count}）"


def total_score(score: float) -> str:
    """Return the score of a candidate."""
    return f"**{score:.1f}** / 5 分"


def rule_score(rule: str, value: int, top: int, reason: str) -> str:
    """Return how a candidate does by one rule, with the reason if there is one."""
    because = f"：{reason}" if reason else ""
    return f"{rule} **{value}** / {top}{because}"


def score_evidence(titles: Sequence[str]) -> str:
    """Name the events that a score is based on."""
    return f"依据：{'、'.join(f'“{title}”' for title in titles)}"


def more_lines(count: int) -> str:
    """Return the label of the lines of a section that are folded away."""
    return f"另有 {count} 条"


def more_changes(count: int) -> str:
    """Return the label of the changes that belong to no section."""
    return f"另有 {count:,} 处修改"


def others_involved(count: int) -> str:
    """Say how many people the picture leaves out."""
    return f"另有 {count:,} 个人物参与其中。"


# A candidate kept as a branch

KEEP = "保留为分支"
KEEP_NAME = "分支名称"
KEEP_SUBMIT = "保留"
KEEP_CANCEL = "取消"


def keep_help(title: str, chapter: int) -> str:
    """Say what keeping a candidate as a branch does."""
    return f"“{title}”将成为新分支的第 {chapter} 章，当前分支不受影响。"


def kept(name: str) -> str:
    """Say that a branch was made, and where to find it."""
    return f"已建立分支“{name}”，可在侧栏顶部切换。"


# Before and after, as pictures

BEFORE = "之前"
AFTER = "之后"


def picture(people: Sequence[str], before: Sequence[str], after: Sequence[str]) -> str:
    """Describe both pictures: who is in them, and the relationships before and after."""
    return f"{'、'.join(people)}。之前：{_listed(before)}。之后：{_listed(after)}。"


def picture_relationship(source: str, target: str, relationship: Relationship) -> str:
    """Describe one relationship: "Mara towards Hale, distrust 7"."""
    kind = pictures.relationship_kind(relationship)
    people = f"{source}与{target}" if relationship.is_mutual else f"{source}对{target}"
    return f"{people}：{kind} {relationship.strength}"


def _listed(relationships: Sequence[str]) -> str:
    return "；".join(relationships) or "没有关系"


# Editing a candidate

EDIT = "编辑"
EDIT_TITLE = "本章标题"
EDIT_REST = "更多"
EDIT_SAVE = "存为我的候选情节"
EDIT_CANCEL = "取消"
STRIKE_OUT = "划掉"
PUT_BACK = "放回"


def field_problem(label: str, problem: str) -> str:
    """Say what is wrong with a field of a line."""
    return f"{label}：{problem}"


def title_problem(problem: str) -> str:
    """Say what is wrong with the title of the chapter."""
    return f"本章标题：{problem}"


# Combining parts of candidates

PARTS_TAKE = "组合多个候选情节"
PARTS_TAKE_HELP = "从不同的候选情节中勾选内容，组合成一个新的。"
PARTS_TAKEN = "已选内容"
PARTS_TITLE = "标题"
PARTS_COMBINE = "组合成候选情节"
PARTS_CLEAR = "清空"


def parts_count(lines: int, candidates: int) -> str:
    """Say how much has been taken from the candidates."""
    return f"已从 **{candidates:,} 个候选情节** 中选取 **{lines:,} 条内容**"


def parts_combined(title: str) -> str:
    """Say that a candidate was made of the parts."""
    return f"“{title}”已加入候选情节。"


# The story so far

CHAPTER_CHANGES = "各章带来的变化"
CHAPTER = "章节"


def review_earlier(count: int) -> str:
    """Return the label of the link to the earlier chapters that are stale."""
    return f"复查前面的 {count:,} 章"


# Candidates that were not chosen

NOT_CHOSEN = "各章的其他可能"
NOT_CHOSEN_NONE = "这一章没有过候选情节。"
CHOSEN: Mapping[Chooser | None, str] = {
    Chooser.WRITER: "由你选定",
    Chooser.SCORES: "按评分选定",
    None: "已选定",
}

# The next chapter

PLOT_HELP = "每一章都有几种走向供你选择，并列出各自带来的变化。"
PLOT_FIRST = "构想第一章"
PLOT_NEXT = "构想下一章"
PLOT_ANEW = "重新构想这一章"
OUTLINE_FIRST = "先列大纲"
ENDED_EVIDENCE = "依据："
ENDED_WRITE = "写作各章"
ENDED_PLOT_MORE = "仍再构想一章"


def write_chapter(chapter: int) -> str:
    """Return the button that has the newest chapter written."""
    return f"写第 {chapter:,} 章"


def goal_reached(reason: str) -> str:
    """Say that the story is at its end, with the reason if there is one."""
    return f"故事已达成长期目标。{reason}"


def last_reached(chapters: int) -> str:
    """Say that the story has all the chapters it can have."""
    if chapters == 1:
        return "故事仅有的一章已构想完毕。"
    return f"故事的 {chapters:,} 章已全部构想完毕。"


# Several chapters on autopilot

AUTOPILOT = "自动推进多章"
AUTOPILOT_HELP = "每次自动选定最佳的候选情节，不再询问你。你可以随时停止。"
WRITE_SEVERAL = "连续写多章"
WRITE_SEVERAL_HELP = "逐章写作。你可以随时停止。"
EXTENT = "推进到哪里"
EXTENT_SOME = "若干章"
EXTENT_END = "直到结局"
CHAPTERS = "章数"
STOP_AT_GOAL = "达成长期目标后停止"


def extent_end_help(cap: int) -> str:
    """Say where plotting to the end stops."""
    return f"直到故事达成长期目标，最多到第 {cap:,} 章。章数可在“构思”页修改。"


def write_chapters(count: int) -> str:
    """Return the label of the button that writes some chapters directly."""
    return f"写 {count:,} 章"


def plot_chapters(count: int) -> str:
    """Return the label of the button that plots some chapters."""
    return f"构想 {count:,} 章"
