"""The words of the Mystery game page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_flow.telling.mystery.leaks import LeakKind
from store.models.desk.mystery import GuidePart, Point

TITLE = "推理游戏"
ABOUT = "把你的故事变成朋友们的一晚游戏：主持人手册、每位玩家一本手册（只写这个人物可能知道的事），以及每轮的线索卡。"
NOT_BEGUN = "还没有可玩的故事"
NOT_BEGUN_ADVICE = "推理游戏需要受害者、凶手和至少另外三个人物。请先确认构思。"
LACKING = "推理游戏需要受害者、凶手和至少另外三个人物"
TO_GRAPHS = "前往图谱"

# The case

CASE = "案件"
CRIME = "罪行"
VICTIM = "受害者"
CULPRITS = "凶手"
PLAYERS = "扮演的人物"
ROUNDS = "轮数"
UNTIL = "截至哪一章末"
AS_STORY = "依照故事"
MEANS = "如何作案"
MOTIVE = "为何作案"
OPPORTUNITY = "如何有机会"
ACCOUNT = "手法与动机"
ACCOUNT_HELP = "留空：依照故事。"


def crime_option(title: str, chapter: int, *, is_likely: bool) -> str:
    """Name an event that could be the crime."""
    when = f"第 {chapter} 章" if chapter else "故事开始前"
    return f"{title}（{when}，很可能）" if is_likely else f"{title}（{when}）"


def victim_as_story(name: str) -> str:
    """Name the victim that the story has."""
    return f"{name}（依照故事）" if name else AS_STORY


# The checks

CHECKS = "行得通吗？"
CLUES_SUFFICE = "线索足够：每个问题两条，另有两条排除其他所有人。"
NOTHING_LEAKS = "没有文字泄露读者不该知道的事。"
NOBODY_SPOILT = "没有人一开始就知道答案。"
DOWNLOAD = "下载游戏"
SUSPECTED = "措辞可疑"


def leaks_found(count: int) -> str:
    """Say in how many texts something is given away."""
    return f"{count:,} 份文字有所泄露：见下文。"


LEAKS: Mapping[LeakKind, str] = {
    LeakKind.NAME: "这个人物没听说过的名字",
    LeakKind.QUOTE: "这个人物不可能知道之事的原话",
    LeakKind.WORDS: "这个人物不可能知道之事的字词",
}


def leak(kind: LeakKind, words: str, sentence: str) -> str:
    """Say what gives something away, and where."""
    about = LEAKS[kind] if kind is LeakKind.QUOTE else f"{LEAKS[kind]}（{words}）"
    return f"{about}：“{sentence}”"


# Somebody tries to solve it

TRY = "让人试着破案"
READER = "知道什么"
NOBODY = "只知道桌上的线索"


def reader(name: str) -> str:
    """Say whose booklet the one who tries to solve it has read."""
    return f"桌上的线索，以及{name}的手册"


def verdict(reader: str, accused: str, *, is_right: bool, is_old: bool) -> str:
    """Say whom somebody took for the culprit, and whether that is so."""
    who = f"凭{reader}的手册" if reader else "只凭线索"
    named = f"指认了{accused}" if accused else "没有指认任何人"
    right = "正确" if is_right else "错误"
    old = "此后线索有改动。" if is_old else ""
    return f"{who}{named}：{right}。{old}"


def missing(words: str) -> str:
    """Say what was still missing."""
    return f"还缺：{words}"


# The texts

PARTS: Mapping[str, str] = {"guide": "主持人手册", "booklets": "玩家手册", "clues": "线索"}
PART = "查看什么"
PERSON = "谁的手册"
GUIDE: Mapping[GuidePart, str] = {
    GuidePart.OPENING: "开场时朗读",
    GuidePart.TRUTH: "真相",
    GuidePart.FALSE_TRAILS: "误导线索",
    GuidePart.SOLUTION: "谜底，结束时朗读",
}
NOTHING_THERE = "故事中没有提到这些。可以自己写，或请智能体写。"
REST_OF_GUIDE = "手册的其余部分"
WRITE_GUIDE = "请智能体写主持人手册"
WRITE_BOOKLETS = "请智能体写玩家手册"
WRITE_BOOKLET = "重写这本手册"
MAKE_CASE = "请智能体设计案件和线索"
BRING_BACK = "恢复先前的文字"
STORY_S_OWN = "用故事自己的句子"
OUTDATED = "写成之后，这个人物所知的事有了变化。"
KNOWS_BESIDE = "此外，手册还写明在场的人，以及可以说什么。"
NO_NEWS = "这一轮没有新内容。"

# The clues

ADD_CLUE = "添加线索"
NEW_CLUE, NEW_CLUE_TEXT = "新线索", "卡片上写什么。"
EDIT_CLUE, CLOSE_CLUE, REMOVE_CLUE = "编辑", "收起", "移除这条线索"
STORY_S_CLUES = "用故事自己的线索"
CLUES_BACK = "恢复先前的线索"
NO_CLUES = "还没有线索。请添加，或请智能体设计案件。"
CLUE_TITLE, CLUE_TEXT, CLUE_ROUND = "标题", "卡片上写什么", "轮次"
CLUE_FINDER, CLUE_SHOWS, CLUE_CLEARS = "由谁带来", "有助于说明什么", "排除谁"
CLUE_EVENTS, CLUE_DEDUCTION = "依据什么", "给主持人：它证明什么"
ON_THE_TABLE = "放在桌上"
RESTS_ON_NOTHING = "没有事件为依据，因此不计。"
POINTS: Mapping[Point, str] = {
    Point.CULPRIT: "凶手",
    Point.MEANS: "手法",
    Point.MOTIVE: "动机",
    Point.OPPORTUNITY: "机会",
}


def clue_round(number: int) -> str:
    """Name a round."""
    return f"第 {number} 轮"


def clue_shows(points: Sequence[Point], cleared: Sequence[str]) -> str:
    """Say what a clue helps to show, and whom it rules out."""
    shown = [POINTS[one] for one in points]
    said = [f"说明{'、'.join(shown)}"] if shown else []
    said += [f"排除{'、'.join(cleared)}"] if cleared else []
    return "，".join(said) or "误导"


# Work

STOP = "停止"

# The card on the Export page

CARD_ABOUT = "把你的故事变成一晚的推理游戏：谁扮演谁，每人知道什么，以及线索。"
CARD_OPEN = "制作推理游戏"
