"""The words around the comparison of a text with its story, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Sequence

COMPARE = "与故事对照"
READ_IN = "把这一章读入故事"
READ_IN_ABOUT = "情节中还没有这一章。可以把它读入故事：有哪些人物，发生了什么。保留什么由你选择，之后就能构想下一章。"
COMPARE_AGAIN = "重新对照"
STOP = "停止"
INTERRUPTED = "对照被中断。已完成的部分不会重复计费。"

FOUND = "你的修改对故事意味着什么"
FOUND_PLOT = "这一章发生了什么"
FOUND_ABOUT = "选择哪些内容写入故事。正文保持不变。"
NOTHING_FOUND = "故事本身没有变化，只是文字不同。"
NOTHING_TO_READ = "正文中没有找到可以成为本章情节的内容。"
OUTDATED = "对照之后，你又改过正文。"
TAKE = "写入故事"
REFUSE = "故事保持原样"
DONE = "好"


def changed(passages: int) -> str:
    """Say that the story may not know of what was typed."""
    return f"你手动修改了 {passages:,} 段文字，故事可能还不知道。"


def quoted(quote: str, lacking: Sequence[int]) -> str:
    """Return the words of the text that a line rests on, and which lines it cannot do without.

    `quote` is Markdown; lines are counted from 1.
    """
    words = f"“{quote}”"
    if not lacking:
        return words
    return f"{words} · 须与第 {'、'.join(map(str, lacking))} 条一起采用"


def numbered(number: int, words: str) -> str:
    """Return a line with its number. `words` is Markdown."""
    return f"{number}\\. {words}"


def kept(names: Sequence[str]) -> str:
    """Say what stays as it is, because the writer has locked it."""
    return f"已锁定，保持原样：{'；'.join(names)}。"


def unknown(names: Sequence[str]) -> str:
    """Say which names mean nobody and nothing in the story."""
    return f"已略去，故事中没有这样的名称：{'、'.join(names)}。"


def unsupported(count: int) -> str:
    """Say how many lines were left out, because the text does not say so."""
    return f"已略去 {count:,} 条，因为所依据的文字不在正文中。"


def taken(count: int) -> str:
    """Say how much was put into the story."""
    return f"已将 {count:,} 条写入故事。"


LEFT = "故事保持原样。"

READ_BOOK = "把书读入故事"
READ_BOOK_ABOUT = (
    "逐章找出有谁、发生什么、彼此有何纠葛。你看过全部内容之前，什么都不会写入故事；自相矛盾之处由你决定。"
    "可以随时停止，以后再继续。"
)
READ_BOOK_LIMITS = "限制用量"
BOOK_READING = "找到的内容会在这里等你。其间正文可以照常阅读和修改。"
BOOK_FOUND_ABOUT = "不想写入故事的，请取消勾选。正文保持不变，以后都可以在“构思”页和“图谱”页修改。"


def read_book_heading(chapters: int) -> str:
    """Say how many chapters the plot does not know."""
    return f"情节中还没有 {chapters:,} 章的内容"


def book_found(chapters: int) -> str:
    """Say in how many chapters something was found."""
    return f"{chapters:,} 章中发生了什么"


def to_decide(lines: int) -> str:
    """Say how many lines are not taken unless the writer ticks them."""
    return f"有 {lines} 条由你决定：不勾选就略去。"


def chapter_found(chapter: int, lines: int, doubtful: int) -> str:
    """Say how much was found in a chapter."""
    words = f"第 {chapter} 章 · {lines:,} 条"
    return f"{words} · {doubtful} 条待决定" if doubtful else words


def take_book(chapters: int) -> str:
    """Return the label of the button that takes all that is ticked."""
    return f"将 {chapters:,} 章写入故事"


def book_taken(chapters: int, lines: int, lost: int) -> str:
    """Say how much of a book is part of the story now."""
    words = f"已将 {chapters:,} 章的 {lines:,} 条写入故事。"
    return f"{words}另有 {lost:,} 条因依赖你没有采用的内容而略去。" if lost else words
