"""The words of the Premise page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from store.models.plot import Part

# The page

TITLE = "构思"
DRAFT_CAST = "草拟人物表"
CARDS = "人物卡"
CARD_FILE = "从人物卡添加人物（JSON 或 PNG）"
CARD_OF = "将人物存为人物卡"
CARD_ABOUT = "其他写作与聊天程序可以读取。卡中包含你所知的一切，连秘密在内。"
CARD_JSON = "存为 JSON"
CARD_PNG = "存为 PNG"
FROM_BOOK_ABOUT = (
    "你的书有正文，还没有构思。可以在下面自己写，也可以根据正文草拟：这本书讲什么，有哪些人物，"
    "写到了哪里。每个字都可以改。人物表定下后，在*写作*页把各章逐一读入故事，保留什么由你决定。"
)
FROM_BOOK = "根据正文草拟构思"
FROM_BOOK_STOP = "停止"
FOUNDATION = "故事设定"
CAST = "人物表"
RELATIONSHIPS = "关系"

# What the writer types

PREMISE = "你的故事讲什么？"
PREMISE_PLACEHOLDER = "一句话就够，写上两页也好，语言不限。"
WISHES_FOLD = "体裁、语言、必须有与不能有的内容"
FORM = "体裁"
LANGUAGE = "语言"
LANGUAGE_PLACEHOLDER = "与构思相同"
CHAPTERS = "章数"
OPEN_ENDED = "不设结尾"
OPEN_ENDED_HELP = "连载，不预定结尾：想写多久就写多久。"
WORDS = "每章词数"
CHARACTERS = "每章字数"
WORDS_EMPTY = "由模型决定"
OPENS_LATE = "结尾仍可埋新伏笔"
OPENS_LATE_HELP = (
    "让最后几章也能埋下新伏笔，适合还有续篇的故事。否则最后十分之一的章节只回收已有的伏笔。"
)
WISHES = "必须有什么？不能有什么？"
WISHES_EXAMPLE = "狗要有好结局。不要魔法。"
RECALLED = "你的构思"
RECALLED_NONE = "没有输入内容。"


def wishes_recalled(wishes: str) -> str:
    """Return the wishes that the story began from."""
    return f"**要求**：{wishes}"


def premise_too_long(characters: int, limit: int) -> str:
    """Say that the model cannot read all of the premise, and what can be done."""
    return (
        f"构思有 {characters:,} 个字符，当前模型能读 {limit:,} 个。你输入的内容原样保留：可以缩短，"
        "在“设置”中连接更大的模型，或只用开头部分继续。"
    )


def premise_shorten(characters: int) -> str:
    """Return the label of the button that keeps only the beginning of the premise."""
    return f"只用前 {characters:,} 个字符"


# While the cast awaits approval, and after it

APPROVAL = "这是起点，想改哪里都可以。带 :orange-badge[补充的] 标记的内容不是出自你的构思。每次改动都会立即保存。"
APPROVE = "确认并开始"
APPROVE_NO_CAST = "故事至少要有一个人物：请先添加，再继续。"
DRAFT_AGAIN = "重新草拟"
DRAFT_BACK = "回到上一稿"
DRAFT_AGAIN_NOTE = "哪里需要不同？"
START_OVER = "重新草拟人物表"
OTHER_IDEAS_ABOUT = (
    "改拟其中一个，需要四到五次调用。你输入或锁定的内容会保留，之后也可以回到这一稿。"
)
IDEA_TAKE = "改拟这一个"
SKETCH = "这个故事最初的样子"
SKETCH_ABOUT = "这个故事在规划之前先完整写了一遍。世界、人物和情节都取自这里；只要你不作改动，各章的正文也用这里的文字。你在下面改动或锁定的内容优先。"
OPENING_ABOUT = "这个故事在规划之前先写了开头。世界、人物和情节都取自这里；只要你不作改动，开头几章的正文也用这里的文字。你在下面改动或锁定的内容优先。"
SKETCH_ROAD = "故事的走向"
SKETCH_READ = "读一读"
SKETCHES_SO_FAR = (
    "这个构思可能成为的几个故事，这里是已经写好的。由几位读者挑选其中一个，之后你也可以改选。"
)


def sketch_named(place: int, title: str) -> str:
    """Name a story by its place among those that were told, for two may have one title, and by that."""
    return f"故事 {place}：{title}" if title else f"故事 {place}"


def sketch_remark(remark: str) -> str:
    """Return what the reader of the sketches said of one."""
    return f"读者说：{remark}"


def other_ideas(count: int) -> str:
    """Return the label of the stories that the premise could become besides the one that is drafted."""
    return f"还可以变成的其他故事（{count} 个）"


PLOT_FIRST = "构想第一章的情节"

# The foundation

STORY_TITLE = "标题"

# Where the story goes

SPINE = "故事走向"
SPINE_ABOUT = "作者知道这些，故事中的人物都不知道。"
SPINE_FOLD = "主线"

# What happened before

PAST = "前情"
PAST_ADD = "添加事件"
PAST_NEW_TITLE = "发生了一件事"
PAST_YEARS = "故事开始前多少年"
PAST_YEARS_HELP = "0.5 是半年，0.01 是几天。"
PAST_NOBODY = "无人"
PAST_DONE = "完成"
PAST_REMOVE = "移除这个事件"
PAST_PARTS: Mapping[Part, str] = {
    Part.ACTS: "谁做的",
    Part.IS_AFFECTED: "谁受其影响",
    Part.WITNESSES: "谁看见了",
    Part.IS_TOLD: "谁听说了",
}
"""Who knows of an event, by their part in it; nobody else does."""


def past_edit(title: str) -> str:
    """Return the label of the button that opens an event that happened before the story."""
    return f"编辑“{title}”"


def years_before(years: float) -> str:
    """Say how long before the story something happened."""
    if years >= 1:
        return f"{round(years):,} 年前"
    return "几个月前" if years > 0.1 else "几天前"


# The cast

PERSON_NEW_NAME = "新人物"
PERSON_ADD = "添加人物"
PERSON_MORE = "更多资料"
PERSON_DONE = "完成"
PERSON_REMOVE = "移除"
PERSON_KEEP = "保留"


def person_more_about(name: str) -> str:
    """Return the label of what else is known of somebody."""
    return f"{name}的更多资料"


def person_edit(name: str) -> str:
    """Return the label of the button that opens a person’s card."""
    return f"编辑{name}"


def person_remove_ask(name: str) -> str:
    """Return the label of the button that asks whether to remove a person."""
    return f"移除{name} …"


def person_leaves(name: str, relationships: int) -> str:
    """Say what removing a person takes from the story."""
    if not relationships:
        return f"{name}将离开故事。"
    return f"{name}将离开故事，连同 {relationships:,} 段关系。"


def person_removed(name: str) -> str:
    """Say that a person was removed."""
    return f"{name}已从故事中移除。"


# The relationships

RELATIONSHIP_ADD = "添加关系"
RELATIONSHIP_TOO_FEW = "有了两个人物，就可以添加他们之间的关系。"
RELATIONSHIP_EDIT = "编辑"
RELATIONSHIP_DONE = "完成"
RELATIONSHIP_REMOVE = "移除"
RELATIONSHIP_REMOVED = "已移除这段关系。"

# Saving


HOLDS_FROM_NOW_ON = (
    "从现在起生效：影响以后的章节，基调影响此后写的所有正文。已有的情节和正文保持不变。"
)


def saved(changes: Sequence[str], more: int) -> str:
    """Say what was saved: some changes, and how many more there are."""
    listed = f"已保存：{'；'.join(changes)}"
    return f"{listed} …… 另有 {more:,} 处。" if more > 0 else listed


def card_taken(name: str) -> str:
    """Say that somebody was added from a card."""
    return f"{name}已加入人物表。"
