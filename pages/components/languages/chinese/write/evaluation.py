"""What the Evaluate page says, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from store.models.desk.evaluation import Indicator

TITLE = "评价"
NO_TEXT = "还没有可以评价的正文"
NO_TEXT_ADVICE = "先写一章，或导入一本书；之后模型就能说出它写得如何。"
TO_WRITE = "去写作"

NOISE = (
    "单独一篇的分数大半是噪声：读者之间很少一致，作评判的模型也常出错。"
    "与其看数字，不如看哪一章走低，以及对它说了些什么。"
)
EVALUATE = "评价正文"
EVALUATE_AGAIN = "评价现在的正文"
GO_ON = "继续评价"
STOP = "停止"
CHANGED = "评价之后，正文有改动。"
TEST = "检验评判者"
TEST_HELP = "在给你的正文打分之前，它先读我们的三篇短故事，有完整的，也有弄坏的。每个模型只做一次。"
NOT_TESTED = "这个模型还没有作为评判者检验过，所以没人知道它的分数有多大价值。"
PASSED = "它通过了评判者检验。"
FAILED = "它没有通过评判者检验，所以它的分数毫无参考价值："
WORTH_NOTHING = (
    "这些分数毫无参考价值：给出它们的模型没有通过评判者检验。"
    "想知道更多，请在设置中连接更大的模型，或请读者来评。"
)
WORTH_UNKNOWN = "没人知道这些分数有多大价值：给出它们的模型还没有作为评判者检验过。"
TESTED = "检验的结果"
TESTED_NOTE = (
    "每一项都是若干次试验的平均。没有界限的项，没人知道怎样才对：看看不同的评判者有何差别。"
)
TEST_COLUMN, FOUND, NEEDED, TRIALS = "检验项目", "结果", "要求", "试验次数"
TESTS: Mapping[str, str] = {
    "answers that can be used": "可用的回答",
    "accuracy on spoiled texts": "弄坏的文本得分更低的比例",
    "shift by what must not matter": "错字、同义词和标点使分数变动多少",
    "same choice in both orders": "两种顺序下选择相同",
    "accuracy in pairs": "选完整的文本而不选弄坏的",
    "shift on a second reading": "再读一遍分数相差多少",
    "spread of scores": "分数的离散程度",
    "pull of length": "长度加倍使分数增减多少",
    "quotes that are in the text": "引文确在正文中",
    "liking for its own texts": "选自己写的而不选我们的",
    "notices paragraphs shuffled": "看出段落被打乱",
    "notices names swapped": "看出人名被调换",
    "notices facts contradicted": "看出事实矛盾",
    "notices passages repeated": "看出段落重复",
    "notices ending cut off": "看出缺了结尾",
}

CURVE = "各章质量"
CHAPTER = "章节"
QUALITY = "质量"
OF_CHAPTER = "单章"
OF_WHOLE = "通观全书"
OF_BOOK = "到此为止的全书"
OF_READERS = "读者"
OF_JUDGE = "评判者"
KIND = "对象"
INDICATORS = "七项指标"
INDICATOR = "指标"
SCORE = "分数"
BESIDE = "与已发表的系统并列"
SYSTEM = "文本"
WORDS_PER_CHAPTER = "每章字数"
CHAPTERS = "章数"
S_Q, S_L, QLS = "质量", "长度", "合计"
THIS_TEXT = "这份正文"
BESIDE_NOTE = (
    "它们的数字出自 CreAgentive 论文，由别的评判者给出；论文没有给出单项数字的，这里不显示。"
    "长度随每章字数和章数上升，与质量无关。"
)

FINDINGS = "对每一章的评语"
WHICH = "章节"
HIGHLIGHTS = "文中可见"
SHOW_TEXT = "查看评价时的这一章"
HELD = "打分更高，但文中没有举出依据，因此按 8 分计："
ADDRESSED = "对评判者说的话，评判时已略去："
UNFOUND = "引文不在正文中："
TO_CHAPTER = "到写作处打开"
MEASURED = "不用模型的统计"
COUNT = "统计每章的重复、对白、节奏等"
MEASURES: Mapping[str, str] = {
    "words": "字数",
    "repeated_within": "章内重复",
    "repeated_before": "重复前文",
    "variety": "用词丰富度",
    "worn": "每一万字的套话",
    "dialogue": "对白",
    "pace": "每百字句数",
}

READERS = "读者"
READERS_ABOUT = (
    "读过的人给出的分数。它们与评判者的分数同样计入；一致程度说明对任何评判者能要求多少。"
)
READER = "谁读的"
WHOLE_BOOK = "全书"
WHAT = "读了什么"
SAVE = "保存这些分数"
SAVED = "已保存。"
ONE_READER = "有了第二位读者，这里会显示他们有多一致。"
AGREEING = "正在比较读者 …"

BLIND = "盲评比较"
BLIND_ABOUT = "这份正文与另一份的片段并排，不说明谁是谁。你偏好哪一边，算作一位评判者的意见。"
BLIND_NONE = "没有可以比较的另一份正文：没有分支，没有别的讲述版本，也没有别的故事。"
BLIND_OTHER = "与之比较"
BLIND_DONE = "所有片段都评完了。到目前为止大家的意见："
RANKING = "正在统计 …"
UNNAMED = "无标题的故事"

SAVE_AS = "保存评价"
AS_CSV, AS_JSON, AS_MARKDOWN = "CSV", "JSON", "Markdown"

NAMES: Mapping[Indicator, str] = {
    Indicator.RELEVANCE: "切题",
    Indicator.COHERENCE: "连贯",
    Indicator.CREATIVITY: "创意",
    Indicator.EMPATHY: "共情",
    Indicator.SURPRISE: "意外",
    Indicator.COMPLEXITY: "复杂",
    Indicator.IMMERSION: "沉浸",
}
MEANINGS: Mapping[Indicator, str] = {
    Indicator.RELEVANCE: "忠于故事要讲的内容",
    Indicator.COHERENCE: "环环相扣，没有矛盾",
    Indicator.CREATIVITY: "别的书所没有的东西",
    Indicator.EMPATHY: "人物可信，让人感同身受",
    Indicator.SURPRISE: "出人意料，又有铺垫",
    Indicator.COMPLEXITY: "多条线索与关系彼此作用",
    Indicator.IMMERSION: "细节让人身临其境",
}


def bounds(least: float | None, most: float | None) -> str:
    """Say what is needed."""
    said = [f"至少 {least:.2f}"] if least is not None else []
    return "，".join(said + ([f"至多 {most:.2f}"] if most is not None else []))


def missed(test: str, value: float, needed: str) -> str:
    """Say what a judge was found to do, and what is needed."""
    return f"{test}：{value:.2f}（要求{needed}）"


def preferences() -> list[tuple[str, int]]:
    """Return what can be said of two passages, and what it counts for the left one."""
    return [
        ("左边，明显更好", 2),
        ("左边，略好", 1),
        ("不分高下", 0),
        ("右边，略好", -1),
        ("右边，明显更好", -2),
    ]


def branch_named(name: str) -> str:
    """Name a branch of the same story."""
    return f"分支：{name}"


def telling_named(name: str) -> str:
    """Name a telling of the same story."""
    return f"讲述版本：{name}"


def won(wins: int, draws: int, losses: int) -> str:
    """Say how often a text was preferred."""
    return f"胜 {wins}，平 {draws}，负 {losses}"


def judged_by(model: str) -> str:
    """Say which model judges; `model` is Markdown."""
    return f"评判者：**{model}**。"


def calls(chapters: int, interval: int) -> str:
    """Say how many calls an evaluation takes."""
    number = chapters + -(-chapters // interval)
    return f"约 {number:,} 次调用，可能略多：每章一次，并不时通观全书。"


def progress(done: int, chapters: int) -> str:
    """Say how far an evaluation is."""
    return f"已完成 {done:,} / {chapters:,} 章"


def numbered(place: int, title: str) -> str:
    """Return a chapter's place and title."""
    return f"{place}. {title}"


def agree(alpha: float, readers: int) -> str:
    """Say how far readers agree."""
    return (
        f"{readers} 位读者；一致程度（Krippendorff α）为 {alpha:.2f}，1 为完全一致，0 为随机。"
        "在已发表的故事研究中，它在 0.05 到 0.27 之间。"
    )
