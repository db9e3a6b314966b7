"""The words of the Talk page, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Sequence

TITLE = "对话"
MODE = "与谁对话"
WITH_STORY = "故事"
WITH_PERSON = "人物"
PERSON = "人物"
CHAPTER = "截至哪一章末"
CHAPTER_OF_STORY = "查看的章"
START_AGAIN = "重新开始"

NOT_BEGUN = "还没有可以对话的人物"
NOT_BEGUN_ADVICE = "请先确认构思，之后就可以向故事提问，也可以与人物对话。"
NOBODY_THERE = "截至这一章，故事中还没有人物。请选择后面的章。"

STORY_EMPTY = "向故事提问"
STORY_EMPTY_ADVICE = "问发生了什么、谁知道什么、还有什么未了，并看到出处。或说明哪里该改：你会得到一份提议，采用之前什么都不会变。"
ASK_STORY = "向故事提问，或说明该改什么"
ANSWERING = "正在回答"
THINKING = "正在阅读所需内容"
STOP = "停止"
ASK_AGAIN = "再问一次"
NO_ANSWER = "还没有回答。"
NOT_SENT = "这个问题没有发出。"

CHANGE = "提议的修改"
TAKE_CHANGE = "采用修改"
CHANGE_TAKEN = "你已采用这处修改，可在“历史”页撤销。"
CHANGED = "故事已修改。"
GOAL = "提议的下一章目标"
TAKE_GOAL = "加入目标"
GOAL_TAKEN = "已在下一章的目标之中。"
GOAL_ADDED = "已加入下一章的目标。"
REFUSE = "不用了"
REFUSED = "你没有采用。"


def person_empty(name: str) -> str:
    """Head an empty conversation with a person."""
    return f"与{name}对话"


def person_empty_advice(name: str, chapter: int) -> str:
    """Say what a person of the story knows."""
    when = f"第 {chapter} 章末" if chapter else "第一章之前"
    return f"{name}用自己的口吻回答，只知道{when}时可能知道的事。这里说的话都不会进入故事。"


def say_to(name: str) -> str:
    """Invite the writer to say something."""
    return f"对{name}说点什么"


def story_examples(names: Sequence[str]) -> list[str]:
    """Return three questions to begin with."""
    first = names[0] if names else "主角"
    return [
        "故事提出了哪些问题，还没有回答？",
        f"{first}知道什么别人不知道的事？",
        f"应该让{first}有更多可失去的。你会改什么？",
    ]


def person_examples() -> list[str]:
    """Return three questions to begin with."""
    return [
        "你最想要什么？",
        "你信任谁，不信任谁？",
        "有什么事你没告诉过任何人？",
    ]


def chapter_link(chapter: int) -> str:
    """Name a chapter that an answer rests on."""
    return f"第 {chapter} 章"


def event_link(title: str, chapter: int) -> str:
    """Name an event that an answer rests on."""
    return f"{title} · 第 {chapter} 章" if chapter else f"{title} · 故事开始前"
