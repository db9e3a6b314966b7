"""The words of the Write page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_flow.views import ChapterCard
from pages.components.languages.chinese.words import DRAFT_STATES, length_counted
from store.models.manuscript import (
    DraftState,
    RemarkKind,
    ReviewRemark,
    SceneMode,
    Structure,
    ThreadMove,
)
from store.text import Unit

TITLE = "写作"


# A story without chapters

NOTHING_TO_WRITE = "还没有可写的章节"
NOTHING_TO_WRITE_ADVICE = "先构想一章，再让模型来写或自己写。也可以从空白页开始。"
GO_TO_PREMISE = "从正文读出故事"
TYPED_BY_HAND = "这一章由你手写，情节中还没有它的内容。"


def type_chapter(chapter: int) -> str:
    """Return the button that begins a chapter without a plot."""
    return f"手写第 {chapter} 章"


GO_TO_PLOT = "前往情节"


# The list of chapters

CHAPTERS = "章节"
EARLIER_CHAPTER = "上一章"
LATER_CHAPTER = "下一章"


def of_the_plot(card: ChapterCard) -> list[str]:
    """Say which chapter of the plot it is, if that is not its place in the book."""
    is_other = card.is_plotted and card.number != card.place
    return [f"情节第 {card.number:,} 章"] if is_other else []


def chapter_of(place: int, count: int, title: str) -> str:
    """Return the label of the list of chapters. `title` is Markdown."""
    return f"{place}/{count:,} · {title}"


# What can be done with them

ARRANGE = "章节"
CHAPTER_TITLE = "本章标题"
ADD_CHAPTER = "在本章后添加一章"
SPLIT_CHAPTER = "在此拆分"
SPLIT_WHERE = "请先把光标放到新一章开头的段落里。"
MERGE_CHAPTER = "与下一章合并"
APART_ABOUT = "合并进来的正文将按现在的样子重新独立成章。"
BACK_ABOUT = "这里已找不到它的正文，将恢复它原有的正文。"
MOVE_UP = "上移"
MOVE_DOWN = "下移"
MOVE_ABOUT = "这会改变书中的顺序，不影响情节。"
REMOVE_CHAPTER = "移除这个空章节"
CHAPTER_GONE = "这里打开的章节已在另一个窗口中合并或移除。此后输入的内容保存在它的版本中，拆开合并的章节时会恢复。"


def split_about(beginning: str) -> str:
    """Say what splitting does. `beginning` is that of the first paragraph behind it, Markdown."""
    return f"从“{beginning}”起，正文将独立为下一章，批注随之移动。"


def merge_about(title: str) -> str:
    """Say what merging does. `title` is Markdown."""
    return f"“{title}”的正文将接在本章末尾，以场景分隔符隔开。之后可以再拆开。"


def take_apart(title: str) -> str:
    """Return the button that takes two merged chapters apart. `title` is Markdown."""
    return f"拆开：“{title}”"


def bring_back(title: str) -> str:
    """Return the button that brings a merged chapter back. `title` is Markdown."""
    return f"恢复“{title}”"


def go_to_chapter(last: int) -> str:
    """Return the label of the field for a chapter number."""
    return f"跳到第几章（1–{last:,}）"


def chapter_state(state: DraftState | None, words: int, unit: Unit) -> str:
    """Say how far a chapter is, and how long if it has text."""
    length = f" · {length_counted(words, unit)}" if words else ""
    return f"{DRAFT_STATES[state]}{length}"


# A chapter

FORM = "体裁"
WRITE_CHAPTER = "写这一章"
REWRITE_CHAPTER = "重写这一章"
OVER_OWN_WORDS = "这份正文中有你写的内容。重写后，你的正文仍保存在“版本”中，随时可以恢复。"
DO_REWRITE = "重写"
KEEP_MY_TEXT = "保留我的正文"
EXPORT_STORY = "导出故事"
PLOT_NEXT = "构想下一章"
FEEDBACK = "希望有什么不同？"


def go_on_to(chapter: int) -> str:
    """Return the button that leads on to the next chapter without text."""
    return f"继续写第 {chapter} 章"


def chapter_waits(chapter: int) -> str:
    """Return the button that leads to a chapter with a question for the writer."""
    return f"第 {chapter} 章在等你决定"


# Several chapters

WATCH_TELLING = "前往正在写的讲述版本"
WRITE_SEVERAL = "连续写多章"
WRITE_SEVERAL_ABOUT = (
    "还没有正文的章节将逐章计划、写作，不再询问你。每写完一章即可阅读和编辑，也可以随时停止。"
)
UP_TO = "写到第几章"


def write_chapters(chapters: Sequence[int]) -> str:
    """Return the button that writes some chapters."""
    first, last = chapters[0], chapters[-1]
    if last - first + 1 == len(chapters):
        return f"写第 {first:,}–{last:,} 章"
    return f"写第 {first:,}–{last:,} 章中的 {len(chapters):,} 章"


def watch_chapter(chapter: int) -> str:
    """Return the button that leads to the chapter that is being written."""
    return f"看第 {chapter:,} 章的写作"


# Its text

TEXT = "正文"
TEXT_PLACEHOLDER = "开始写吧。"
TEXT_EMPTY = "这一页还是空白。"
APPROVE_TEXT = "定稿"
APPROVE_TEXT_QUESTION = "这一章满意吗？可以先编辑，你的修改会保留。"
WRITE_AGAIN = "重写一遍"


# What agents suggest for it

OF_SUGGESTIONS: Mapping[str, str] = {
    "rewrite": "改写",
    "expand": "扩写",
    "shorten": "缩写",
    "dialogue": "增加对话",
    "show": "多描写，少交代",
    "voice": "换种口吻",
    "as asked": "按我的要求",
    "as planned": "按现在的写作计划",
    "go on": "续写",
    "options": "接下来写什么？",
    "whose_voice": "谁的口吻，或想要怎样的语感",
    "ask": "提交",
    "take": "采用",
    "leave": "放弃",
    "copy": "复制",
    "stop": "停止",
    "again": "再来一次",
    "again_note": "希望有什么不同？（可不填）",
    "write_this": "就写这个",
    "changed": "提交之后你改过这段文字。如果采用建议，将替换现在的这段文字。",
    "lost": "这条建议所针对的文字已不在正文中。",
    "not_saved": "正文尚未保存，请稍后再提交。",
}
SUGGESTION_READING = "正在阅读正文"
SUGGESTION_WRITING = "正在写"
SUGGESTION_UNANSWERED = "还没有得到回答，请再试一次。"


# Its review

REVIEW_HEADING = "审读意见"
REVISION_HEADING = "审读后的修订"
REVISION_ABOUT = "正文已按审读意见在此修订，原来的正文保存为一个版本。"
REFUSE_REVISION = "撤销修订"
REVISION_REFUSED = "正文已恢复原样，修订稿保存为一个版本。"
REMARK_KINDS: Mapping[RemarkKind, str] = {
    RemarkKind.MISSING: "缺漏",
    RemarkKind.CONTRADICTS: "矛盾",
    RemarkKind.UNCLEAR: "不清楚",
    RemarkKind.UNLIKELY: "不合情理",
    RemarkKind.REPEATED: "重复",
    RemarkKind.FLAT: "平淡",
}


def quoted(words: str) -> str:
    """Return words of the text in quotation marks."""
    return f"“{words}”"


def remark_words(remark: ReviewRemark) -> str:
    """Return what the reviewer remarks, with the words it is about."""
    quote = f" — “{remark.quote}”" if remark.quote else ""
    return f"{REMARK_KINDS[remark.kind]}{quote}：{remark.remark} {remark.remedy}".rstrip()


# The story as a whole

READ_STORY_HEADING = "通读全书"
READ_STORY = "开始通读"
READ_STORY_ABOUT = (
    "所有章节都已写完。现在可以请一位只读过正文的读者逐章通读，指出读不顺的地方，并在那里修订。"
    "短篇则会整体重写，成为第二稿；读者对第二稿的意见列在正文旁，由你决定。"
    "你自己写的或改过的内容也会读到，但不会改动。每处修订都可以撤销。"
)
READING_STORY = "这需要几分钟。修订完成之前，各章保持原样。"


# A story that is made directly

DIRECT_ABOUT = (
    "这个故事采用直接写作：每一章都根据构思、你的要求和已有正文一次写成。可在“设置”的“略去”中更改。"
)
DIRECT_READ = "阅读和编辑章节"
DIRECT_WATCH = "正在写一章"


def direct_next(number: int) -> str:
    """Return the label of the button that writes a chapter."""
    return "写第一章" if number == 1 else f"写第 {number:,} 章"


def direct_ended(chapters: int) -> str:
    """Say that the story has all the chapters it can have."""
    if chapters == 1:
        return "故事仅有的一章已写完。"
    return f"故事的 {chapters:,} 章已全部写完。"


# How it is to be written

STYLE_NOTES = "想要怎样的文风"


# Its plan, beside it

TEXT_CHANGED = "你手动改过这个场景的正文。"


# Its versions

NO_DIFFERENCE = "两份正文完全相同。"
SHOW_MORE_CHANGES = "显示更多修改"
LINE_BREAK = "¶"
SPACE = "·"


def paragraphs_changed(count: int) -> str:
    """Say how much of a text has changed."""
    return f"{count:,} 段有修改"


def paragraphs_unchanged(count: int) -> str:
    """Say how much between two changes has not changed."""
    return f"{count:,} 段未修改"


# Its plan

APPROVE_PLAN = "就这样写"
PLAN_AGAIN = "重新计划"
PLAN_BACK = "恢复上一份计划"
PLAN_GOAL = "本章的用意"
PLAN_STRUCTURE = "结构"
PLAN_WORDS = "大约字数"
PLAN_REVEAL = "读者得知什么"
PLAN_RECALL_HEADING = "需要回顾"
PLAN_THREADS_HEADING = "涉及的伏笔"
PLAN_REVEAL_HEADING = "读者得知"
PLAN_LEAVE_OUT = "去掉"
PLAN_WITHHELD = "还不能让读者知道什么"
PLAN_WITHHELD_HEADING = "还不能让读者知道"
UNTOLD_HEADING = "读者尚不知道"
UNTOLD_ABOUT = "本章开始时，正文还没有讲过这些。每份写作计划会从中选取。"
STRUCTURES: Mapping[Structure, str] = {
    Structure.LINEAR: "顺叙",
    Structure.FLASHBACK: "倒叙",
    Structure.FLASH_FORWARD: "预叙",
    Structure.FRAME: "框架叙事",
    Structure.PARALLEL: "多线并行",
}
THREAD_MOVES: Mapping[ThreadMove, str] = {
    ThreadMove.PLANT: "埋下",
    ThreadMove.KEEP: "维持",
    ThreadMove.PAY_OFF: "回收",
}


def plan_facts(structure: Structure, words: int) -> str:
    """Return the structure and length of a plan in one line."""
    return f"{STRUCTURES[structure]} · 约 {words:,} 字"


def recollection(event: str, why: str) -> str:
    """Return an event to recall, and why."""
    return f"{event}：{why}" if why else event


def thread_cue(move: ThreadMove, thread: str, how: str) -> str:
    """Return what the chapter does with a thread, and how if it is said."""
    cue = f"{THREAD_MOVES[move]}：{thread}"
    return f"{cue} — {how}" if how else cue


# A scene of the plan

SCENE_SOMEWHERE = "地点未定"
SCENE_EYES = "视角"
SCENE_NO_EYES = "不限于某人"
SCENE_BEAT = "这个场景要完成什么"
SCENE_MODE = "讲述方式"
SCENE_MODES: Mapping[SceneMode, str] = {
    SceneMode.SCENE: "场景",
    SceneMode.SUMMARY: "概述",
}
SCENE_WORDS = "这里大约多少字"
SCENE_EARLIER = "提前讲述"
SCENE_LATER = "推后讲述"
REMOVED = "已移除的内容"


def scene_length(mode: SceneMode, words: int) -> str:
    """Say how a scene is told, and at what length."""
    return f"{SCENE_MODES[mode]}，约 {words:,} 字"


def learned(fact: str, people: Sequence[str] = ()) -> str:
    """Return what the reader learns in a scene, and who learns it with them."""
    together = f"与{'、'.join(people)}一同" if people else ""
    return f"读者{together}得知：{fact}"


def seen_by(place: str, person: str) -> str:
    """Say where a scene happens, and through whose eyes it is seen."""
    return f"{place}，视角：{person}"
