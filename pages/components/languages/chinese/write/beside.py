"""What the writer reads beside the text of a chapter, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_flow.views import PersonHere, SceneTie, ThreadHere
from pages.components.languages.chinese.words import DRAFT_STATES
from pages.components.languages.chinese.write.page import THREAD_MOVES, quoted
from store.models.form import Narration, Tense
from store.models.manuscript import (
    DraftState,
    VersionFacts,
)
from store.models.story import SAMPLE_LIMIT

# A chapter

TAB_HERE = "此处"
TAB_PLAN = "计划"
TAB_VERSIONS = "版本"
TAB_STYLE = "文风"
TAB_FIND = "全书"


# What belongs to a paragraph

NOTHING_HERE = "这里显示故事对当前这段文字所知道的：发生了什么、谁在场、有哪些未回收的伏笔。这段文字在情节中还没有对应内容。"
HERE_HAPPENS = "这里发生了什么"
HERE_PEOPLE = "谁在场"
HERE_THREADS = "未回收的伏笔"
SHOW_IN_GRAPHS = "在图谱中查看"


def person_here(person: PersonHere) -> list[str]:
    """Return what a writer wants to know of somebody in a passage, a line each."""
    return [
        f"{label}：{words}"
        for label, words in (
            ("想要", person.wants),
            ("隐瞒", person.hides),
            ("说话方式", person.voice),
            ("记得", "；".join(person.remembers)),
        )
        if words
    ]


def thread_here(thread: ThreadHere) -> list[str]:
    """Return what the plan does with a thread in a passage, if anything."""
    if thread.move is None:
        return []
    return ["：".join(filter(None, (THREAD_MOVES[thread.move], thread.how)))]


# How it is to be written

WORDS_A_DAY = "每日字数"
WORDS_A_DAY_ABOUT = "给自己定的目标，显示在正文下方。0 表示不设目标。"
STYLE_NOTES_EXAMPLE = "短句。不用比喻。叙述克制。"
STYLE_SAMPLE = "你自己的一段文字"
STYLE_SAMPLE_TAKE = "取自本章"
STYLE_SAMPLE_ABOUT = "能力较强的模型写作时会学习它的笔法，不会照搬其中的内容。"
STYLE_SAMPLE_CUT = f"只保留前 {SAMPLE_LIMIT:,} 个字符。"
TENSE = "时态"
TENSES: Mapping[Tense, str] = {
    Tense.ANY: "不限",
    Tense.PAST: "过去时",
    Tense.PRESENT: "现在时",
}
NARRATION = "叙述人称"
NARRATIONS: Mapping[Narration, str] = {
    Narration.ANY: "视情况而定",
    Narration.FIRST: "第一人称",
    Narration.CLOSE: "第三人称限知",
    Narration.DISTANT: "第三人称客观",
    Narration.OMNISCIENT: "第三人称全知",
    Narration.SECOND: "第二人称",
}
WORDS_TO_AVOID = "避免使用的词语"
WORDS_TO_AVOID_EXAMPLE = "每行一个。星号代表任意词尾：whisper*"
AVOIDS_WORN = "语言模型的套话"
VOICES = "口吻"
VOICE_OF = "谁的口吻"
VOICE = "说话方式，附一句台词"
VOICE_EXAMPLE = "句子短，从不说“请”。“你问潮水去。”"
VOICE_ABOUT = "截至本章的口吻。它属于故事，与“图谱”中相同。"


def avoids_worn_about(phrases: Sequence[str]) -> str:
    """Say what is avoided besides the writer's own words."""
    some = "、".join(f"“{one}”" for one in phrases[:3])
    return f"同时避免这 {len(phrases)} 个英文套话：{some}…"


def avoided_word(word: str, count: int) -> str:
    """Return a word that stands in the text though it is to be avoided. `word` is Markdown."""
    return f"“{word}”" if count == 1 else f"“{word}”{count:,} 次"


def avoided_words(listed: Sequence[str], more: int) -> str:
    """Return those that stand in the text, as Markdown."""
    rest = f"，另有 {more:,} 个" if more > 0 else ""
    return f"正文中出现了要避免的词语：{'、'.join(listed)}{rest}"


REVIEWS = "每章审读并修订几次"
REVIEWS_ABOUT = "由能力较强的模型在成稿前进行。每次修订都可以撤销。"
REVIEW_COUNTS: Mapping[int, str] = {0: "不审读", 1: "一次", 2: "两次"}


def style_sample_read(read: int, given: int) -> str:
    """Say how much of the writer's prose is read, in characters."""
    if read >= given:
        return "每章写作时都会读完全文。"
    return f"共 {given:,} 个字符，每章写作时约读 {read:,} 个：取自开头、中间和结尾的段落。"


# Its plan, beside it

NO_PASSAGE = "正文写成后这个场景有过改动，没有对应的段落。"
REWRITE_PASSAGE = "改写这段文字"
PASSAGE_FITS = "正文仍然适用"


def passage_changed(tie: SceneTie) -> str:
    """Say which paragraphs were written before their scene of the plan changed."""
    if tie.first == tie.last:
        return f"第 {tie.first:,} 段写成后，它的写作计划有过改动。"
    return f"第 {tie.first:,}–{tie.last:,} 段写成后，它们的写作计划有过改动。"


def passage_begins(sentence: str) -> str:
    """Return how a passage begins. `sentence` is Markdown."""
    return f"开头是：“{sentence}”"


# Its versions

VERSION = "版本"
NO_VERSIONS = "还没有正文。"
RESTORE_VERSION = "恢复这个版本"
ONE_VERSION = "这一章只有现在这份正文。"
VERSION_NAME = "版本名称"
VERSION_NAME_EXAMPLE = "删掉暴风雨之前"
COMPARED_WITH = "与之比较"
WAY_TO_SEE = "显示内容"
SEE_CHANGES = "修改之处"
SEE_TEXT = "全文"
READ_ON = "继续阅读"


def version_facts(version: VersionFacts, state: DraftState | None) -> str:
    """Return what tells a version from the others in one line; None is the current text."""
    now = DRAFT_STATES[state] if state else "当前"
    name = f" · {version.name}" if version.name else ""
    made = version.created
    day = f"{made.month} 月 {made.day} 日 {made:%H:%M}"
    return f"{version.version}{name} · {now} · {version.words:,} 字 · {day}"


def changes_from(first: int, second: int) -> str:
    """Say which versions are compared."""
    return f"从版本 {first} 到版本 {second}：~~删去~~，:green-background[加入]。"


def version_restored(version: int) -> str:
    """Say that an older version is the current text again."""
    return f"已恢复版本 {version}，被替换的正文保存为一个版本。"


# Notes in the margin

NOTE = "批注"
NOTES_HERE = "你在此处的批注"
NO_NOTES = "选中正文中的文字，按 Ctrl+Alt+M 或点下方的“批注”，即可在旁边作批注。"
NOTE_DONE = "完成"
NOTE_OPEN_AGAIN = "重新打开"
NOTE_REMOVE = "移除"
NOTE_REMOVED = "已移除批注。"


def all_notes(count: int, done: int) -> str:
    """Return the heading of the notes of a chapter."""
    closed = f"，{done:,} 条已完成" if done else ""
    return f"本章有 {count:,} 条未完成的批注{closed}"


def note_place(paragraph: int | None, words: str) -> str:
    """Say where a note stands: beside which paragraph, from 0, or that this is gone."""
    where = "所在段落已删去" if paragraph is None else f"第 {paragraph + 1:,} 段"
    return f"{where}：{quoted(words)}" if words else where


# Words in the whole book

FIND_WORDS = "在全书中查找"
FIND_ABOUT = "按输入的原样在各章最新的正文中查找。按 Ctrl+F 只查找本章。"
FIND_CASE = "区分大小写"
FIND_WHOLE = "全词匹配"
FIND_PUT = "替换为"
GO_THERE = "跳到这一章"


def places_found(count: int, chapters: int) -> str:
    """Say how often words were found, and in how many chapters."""
    if not count:
        return "没有找到。"
    return f"在 {chapters:,} 章中找到 {count:,} 处"


def places_not_shown(count: int) -> str:
    """Say how many places are not in the list."""
    return f"另有 {count:,} 处未显示。"


def also_hidden(count: int) -> str:
    """Return the label of the box that takes in the places that are not shown."""
    return f"包括未显示的 {count:,} 处"


def replace_places(count: int) -> str:
    """Return the button that replaces words in all chosen places."""
    return f"替换 {count:,} 处"


def places_replaced(count: int, chapters: int) -> str:
    """Say what was replaced, and that it can be taken back."""
    return f"已替换 {chapters:,} 章中的 {count:,} 处。替换前的正文保存为版本。"


def changed_meanwhile(chapters: Sequence[int]) -> str:
    """Say which chapters were left as they are."""
    numbers = "、".join(f"{one:,}" for one in chapters)
    return f"以下章节在此期间有改动，未作替换：第 {numbers} 章。"


def chapter_found(chapter: int, title: str) -> str:
    """Return the heading of the places in a chapter. `title` is Markdown."""
    return f"{chapter:,}\\. {title}"


# Its plan

NO_PLAN = "写作计划会在写这一章时拟定。"
