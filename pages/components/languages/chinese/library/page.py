"""The words of the Library and Export pages, in Simplified Chinese."""

from __future__ import annotations

from datetime import datetime

# The Library page

TITLE = "书库"
IMPORT = "导入"
NEW_STORY = "新故事"

# The stories

PREMISE_MISSING = "还没有构思"
STORY_OPEN = "打开"
STORY_TITLE = "标题"
STORY_RENAME_HELP = "重命名"
STORY_RENAMED = "完成"
STORY_DUPLICATE_HELP = "复制这个故事"
STORY_DUPLICATING = "正在复制故事 …"
STORY_DELETE_HELP = "删除这个故事"
STORY_DELETE = "删除"
STORY_RESTORE = "恢复"


SEARCH = "搜索故事"
SEARCH_PLACEHOLDER = "按标题、构思或人物搜索"
SEARCH_NOTHING = "没有哪个故事的标题、构思或人物名包含所有这些词。"


def copy_title(title: str) -> str:
    """Return the title of the copy of a story."""
    return f"{title}（副本）"


def story_duplicated(title: str) -> str:
    """Say that a story was copied, by the title of the copy."""
    return f"“{title}”已存入书库。"


def story_delete_asked(title: str) -> str:
    """Ask whether to delete a story."""
    return f"删除“{title}”？之后可以恢复。"


def story_deleted(title: str) -> str:
    """Say that a story was deleted."""
    return f"“{title}”已删除。"


def story_restored(title: str) -> str:
    """Say that a deleted story is back."""
    return f"“{title}”已恢复。"


# Models and keys, explained at the first start and in Settings

SETUP = "由哪个模型来写？"
SETUP_ABOUT = "与你一起写作的智能体由语言模型扮演。用哪个模型由你决定，随时可以更换。"
SETUP_PARTS: tuple[tuple[str, str, str], ...] = (
    (
        ":material/memory:",
        "示例模型",
        "随 Tellwright 附带，不花钱，也不需要网络。它非常小：可以看清各项功能怎么用，但写不出好文章。",
    ),
    (
        ":material/cable:",
        "自己的模型",
        "更大的模型写得好得多。OpenAI、DeepSeek、OpenRouter 等服务替你运行模型；Ollama、LM Studio 等程序在你自己的电脑上"
        "运行。在*设置*中选择*自己的模型*，填写地址和名称；*测试连接*会告诉你它是否应答。",
    ),
    (
        ":material/key:",
        "密钥",
        "服务凭密钥识别你，那是在服务网站上取得的一长串密码。Tellwright 从不把密钥写入文件。启动 Tellwright 之前，把它放进"
        "环境变量，例如 `OPENAI_API_KEY`；在*设置*中只填变量名。自己电脑上的模型通常不需要密钥。",
    ),
    (
        ":material/payments:",
        "费用",
        "服务按读写的文字收费，价格因模型而异。在*设置*中填写价格，Tellwright 就会在每一步开始前预估费用，并在*用量与费用*"
        "中显示已花多少。可以设置上限。自己电脑上的模型不收费。",
    ),
)
"""For each part an icon, a headline and what there is to say. Markdown."""
SETUP_CONNECT = "连接模型"
SETUP_SKIP = "先用示例模型"
SETUP_AGAIN = "模型、密钥与费用说明"

# The sample premises

FIRST_VISIT = "从自己的想法开始，或从下面选一个。"
SAMPLES = "从示例构思开始"
SAMPLE_START = "用这个开始"

# The library from before the app was renamed

FORMER_LIBRARY = "**你在 Fabula 中的故事还在**。那是 Tellwright 以前的名字。那个书库里的一切都可以复制到这里，旧文件保持不变。"
FORMER_LIBRARY_COPY = "复制我的故事"
FORMER_LIBRARY_COPIED = "故事已复制。"

# Importing a story

IMPORT_ABOUT = (
    "带入在别处动笔的书：Word 文件（DOCX）、EPUB、Markdown、网页或纯文本，一个或多个文件。每章原文逐字保留，你从那里"
    "接着写。从 Tellwright 导出的故事（JSON）会作为新故事打开。"
)
IMPORT_FILE = "一本书的文件，或一个故事文件"
IMPORTING = "正在导入故事 …"
IMPORTING_BOOK = "正在读取书稿 …"
IMPORT_MIXED = "故事文件（JSON）须单独导入：请把它移出，或移出其他文件。"
IMPORT_NOT_TEXT = "这不是文本文件，不可能是 Tellwright 的故事。什么都没有改动。"


def import_book(files: int) -> str:
    """Offer to import files as a book."""
    return "导入这本书" if files == 1 else f"将这 {files} 个文件作为一本书导入"


# The safety of the library

SAFETY = "检查与备份"
HEALTH = "检查"
NEVER_CHECKED = (
    "还没有检查过。Tellwright 每天在无人写作时检查整个书库，每次打开故事时检查其最新章节。"
)
CHECK_NOW = "立即检查"
CHECKING = "正在检查所有故事 …"
CHECKED_SOUND = "一切完好。"
SALVAGE = (
    "可以恢复损坏之前的备份；或关闭 Tellwright 后运行 `tellwright salvage`，它会把还能读取的内容存入新书库，"
    "首先是各章正文。"
)
BACKUPS = "备份"
BACKUP_FOLDER = "备份文件夹"
BACK_UP_NOW = "立即备份"
BACKING_UP = "正在复制书库 …"
BACKED_UP = "书库已备份，副本检查无误。"
BACKUPS_ABOUT = "凡是写作过的日子，Tellwright 当天之后也会自动备份。最近一天的备份全部保留，之后一个月每天保留一份，再往前每月一份。"
BACKUP = "备份"
RESTORE = "恢复这个备份"
RESTORE_ASKED = "所有故事都会回到当时的样子。现在的书库会保留在旁边，不会删除任何内容。"
RESTORE_SURE = "恢复"
RESTORE_NOT = "保持现在的书库"
PUT_AWAY = "已删除的故事"
PUT_AWAY_STORY = "故事"
BRING_BACK = "恢复故事"


def found_sound(when: str) -> str:
    """Say when everything was last found as it was written."""
    return f"一切完好，{when}检查过。"


def backup_made(made: datetime, ago: str) -> str:
    """Return the label of a backup: when it was made, here, and how long ago that is."""
    return f"{made.year} 年 {made.month} 月 {made.day} 日 {made:%H:%M}（{ago}）"


def restored(aside: str) -> str:
    """Say that a backup was restored, and where the library from before is."""
    kept = f"之前的书库保存为 {aside}。" if aside else ""
    return f"已恢复备份。{kept}"


# The Export page

EXPORT_TITLE = "导出"
EXPORT_FORMAT = "导出格式"
MANUSCRIPT = "书稿"
MANUSCRIPT_EMPTY = "还没有写好的章节，没有可导出的内容。"
MANUSCRIPT_WRITE = "写一章"
MANUSCRIPT_DOWNLOAD = "下载书稿"
AUTHOR = "作者"
AUTHOR_HELP = "扉页上的署名"
MAKING = "正在排版 …… 长篇小说需要几秒。"
WHICH_TEXT = "正文"
THE_BOOK = "书"
TELLING_EMPTY = "这个讲述版本还没有写好的章节，没有可导出的内容。"
TELLING_WRITE = "前往讲述版本"
INTERACTIVE = "互动小说"
INTERACTIVE_ABOUT = "连同未走之路的故事：一章有过几个目标，或有*假设*分支从那里开始，读者就在那里选择，走过你没有走的路再回来。"
INTERACTIVE_EMPTY = (
    "还没有未走之路。需要某章在构想时有过别的候选情节，或有一个*假设*分支，可在*历史*页开始。"
)
INTERACTIVE_TEXT = "要让一条路有自己的正文，请在它的分支上写出那一章；候选情节须先在*情节*页的*各章的其他可能*下保留为分支。"
INTERACTIVE_DOWNLOAD = "下载互动小说"
STORY_CURRENT = "始终是最新的。"
STORY_PREMISE_ONLY = "目前只有构思。"
STORY_DOWNLOAD = "下载整个故事"
DATA = "故事数据"
DATA_ABOUT = "用于统计、绘图或查询：人物、关系、事件和伏笔，不含正文，截至时间轴所在的章。"
DATA_EMPTY = "故事还没有人物表，没有可导出的内容。"
DATA_SAVE = "数据格式"
DATA_DOWNLOAD = "下载数据"


def file_of_telling(title: str, telling: str) -> str:
    """Return what the file of another telling is called by."""
    return f"{title}，{telling}"


def ways_not_taken(number: int, written: int) -> str:
    """Say how many ways were not taken, and how many of them have text."""
    has = f"{number:,} 条未走之路"
    if written == number:
        return f"{has}，都有自己的正文。"
    if not written:
        return f"{has}，用情节中的几句话讲述。"
    return f"{has}：{written:,} 条有自己的正文，其余用情节中的几句话讲述。"


def chapters_written(written: int, missing: int) -> str:
    """Say how many chapters the manuscript has, and how many plotted ones are missing from it."""
    return f"{written:,} 章；另有 {missing:,} 章未写。" if missing else f"{written:,} 章。"


def make_file(label: str) -> str:
    """Say that a file is made now, to be downloaded then."""
    return f"生成{label}"


def data_as_of(when: str, branch: str) -> str:
    """Say of which chapter and branch the data is."""
    return f"{when}，分支“{branch}”。"
