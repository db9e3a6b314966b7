"""What the Evaluate page says, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from pages.components.write.evaluation.strings import Part
from store.models.desk.evaluation import Indicator, LengthReading

TITLE = "评价"
PARTS: Mapping[Part, str] = {
    Part.CHAPTERS: "各章评语",
    Part.CONTRADICTIONS: "矛盾",
    Part.NUMBERS: "分数",
    Part.COUNTS: "统计",
    Part.READERS: "读者",
    Part.OTHERS: "别的正文",
}
PARTS_LABEL = "查看什么"
NO_TEXT = "还没有可以评价的正文"
NO_TEXT_ADVICE = "先写一章，或导入一本书；之后模型就能说出它写得如何。"
TO_WRITE = "去写作"

NOISE = (
    "质量满分为 10。长度只看字数和章数，所以短的书再好，这一项也低。"
    "单独一篇的分数大半是噪声：读者之间很少一致，作评判的模型也常出错。"
    "与其看数字，不如看曲线在哪一章走低，以及对那一章说了些什么。"
)
EVALUATE = "评价正文"
EVALUATE_AGAIN = "评价现在的正文"
EVALUATE_ANEW = "重新评价正文"
GO_ON = "继续评价"
HOW = "多久通观一次全书"
EVERY = "每隔多少章通观一次全书"
EVERY_HELP = "已发表的方法是 10。换一个数字，正文就要重新评判。"
STOP = "停止"
CHANGED = "评价之后，正文有改动。"
TEST = "检验评判者"
TEST_HELP = "在给你的正文打分之前，它先读我们的三篇短故事，每篇既有原样的，也有用几种办法弄坏的。每个模型只做一次。"
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
    "每一项都是若干次试验的平均。没有要求的项无所谓对错，只显示这位评判者与别的评判者有何不同。"
)
TEST_COLUMN, FOUND, NEEDED, TRIALS = "检验项目", "结果", "要求", "试验次数"
TESTS: Mapping[str, str] = {
    "answers that can be used": "可用的回答",
    "accuracy on spoiled texts": "弄坏的文本得分更低的比例",
    "shift by what must not matter": "错字、同义词和标点使分数变动多少（分）",
    "same choice in both orders": "两种顺序下选择相同",
    "accuracy in pairs": "选完整的文本而不选弄坏的",
    "shift on a second reading": "再读一遍分数相差多少（分）",
    "spread of scores": "分数的离散程度（分）",
    "pull of length": "长度加倍使分数增减多少（分）",
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
OF_INTERVAL = "近几章平均"
OF_WHOLE = "通观全书"
THE_WHOLE = "全书"
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
S_Q_HELP = "0 到 10：七项指标按权重相加（S_q）。如何得出见“分数”。"
S_L_HELP = "只看字数和章数（S_l）。没有上限，与质量无关。"
QLS_HELP = "质量与长度的平均（QLS），用来与已发表的表格比较。"
THIS_TEXT = "这份正文"
BESIDE_NOTE = (
    "写故事的程序，以及一部由作者本人写的长篇小说。它们的数字出自 CreAgentive 论文，由别的评判者给出，"
    "所以小的差别不说明什么。论文没有给出单项数字的，这里不显示。"
)

MADE_OF = "分数如何得出"
COUNTED_AS = "计为"
WEIGHT = "权重"
ADDS = "贡献"
WORDS = "字数"
BY_CHAPTER = "每一章的分数"
BY_CHAPTER_NOTE = "每个分数的依据在“各章评语”中。"
LOOKS = "历次通观全书"
UP_TO = "哪一次"
LOOK_NOTE = "通观全书时，评判者读的是自己对各章的摘记，不是正文。这是它记下的内容。"
WEIGHTS = "每项指标占多少"
WEIGHTS_PUBLISHED = "以百分比计，这是已发表的权重。改动权重不会再次询问模型。"
WEIGHTS_CHANGED = "以百分比计，这不是已发表的权重。"
WEIGHTS_NONE = "至少要有一项指标计入。"
WEIGHTS_USED = "分数现在按这些计算。"
LENGTH_BY = "长度按什么算"
LENGTHS: Mapping[LengthReading, str] = {
    LengthReading.PER_CHAPTER: "每章字数",
    LengthReading.TOTAL: "总字数",
}
LENGTH_BY_HELP = "论文的文字说是总字数，但它的表格只有按每章字数才算得出来。"
USE_WEIGHTS = "采用这些"
USE_PUBLISHED = "回到已发表的权重"
FITTED = "按某位读者自己的评分得出的权重"
FITTED_NONE = "有读者给出总体分数之后，这里会提供与之相符的权重。"
FITTED_TO = "谁的评分"
FITTED_HEAD = "拟合"
PUBLISHED = "已发表"
FITTING = "正在拟合 …"
FITS_BETTER = "所以这组权重更接近这位读者。"
FITS_WORSE = "所以即使对这位读者，也是已发表的权重更接近。"
FITTED_USED = "分数正按这些计算。"
USE_FITTED = "采用拟合的权重"

WHICH = "章节"
FEATURES: tuple[str, str, str, str] = ("物件", "关系", "地点", "未了之事")
HIGHLIGHTS = "分数的依据"
SHOW_TEXT = "查看评价时的这一章"
SHOW_PARTS = "查看评价时这一章的开头"
HELD = "打分更高，但文中没有举出依据，因此按 8 分计："
ADDRESSED = "对评判者说的话，评判时已略去："
UNFOUND = "不在正文中、因此略去的引文："
TO_CHAPTER = "在写作页打开"
COUNTS_ABOUT = "现在的正文中可以数出来的。不询问任何模型。"
COUNTING = "正在统计 …"
ALONG = "沿各章画出哪一项"
MEASURES: Mapping[str, str] = {
    "words": "字数",
    "to_target": "占期望长度",
    "repeated_within": "章内重复",
    "repeated_before": "重复前文",
    "distinct": "不同的词对",
    "variety": "用词丰富度",
    "worn": "套话",
    "overused": "不像你自己的文字",
    "dialogue": "对白",
    "pace": "节奏",
    "naming": "提到的人物与地点",
    "open_threads": "未了的伏笔",
    "thread_age": "伏笔的年龄",
}
MEANT: Mapping[str, str] = {
    "words": "词数；词间没有空格的文字按字计算。",
    "to_target": "本章长度与期望长度之比。",
    "repeated_within": "在本章出现不止一次的六词片段（无空格的文字为十二字）所占的比例。",
    "repeated_before": "前面的章节也有的六词片段（无空格的文字为十二字）所占的比例。",
    "distinct": "词对中彼此不同的比例（distinct-2）。",
    "variety": "任意连续一百个词中不同的词，取平均（MATTR）。",
    "worn": "模型用滥的说法，每一万字。词表是英文的。",
    "overused": "本章有、而你自己的文字里几乎没有的说法，每一万字。",
    "dialogue": "说出口的部分所占的比例，以引号能看出的为准。",
    "pace": "每一百字的句数：越多，读起来越快。",
    "naming": "在本章事件涉及的人物与地点中，正文提到名字的比例。",
    "open_threads": "到本章末已经埋下、既没有收回也没有放弃的伏笔。",
    "thread_age": "这些伏笔埋下以来的章数，取平均。",
}
OWN = "不像你自己文字的说法"
OWN_NONE = "没有。"
PHRASE, TIMES = "说法", "次数"
HERE, IN_OWN = "这里每一万字", "你的文字"
OF_ONE = "某一章的数字有什么依据"
REPEATED_HERE = "重复了什么"
WORN_HERE = "套话"
OVERUSED_HERE = "不像你自己文字的说法"
NAMED_HERE = "人物与地点"
NAMED = "事件涉及，正文也提到："
MISSING = "事件涉及，正文没有提到："
BESIDES = "正文提到，但没有事件涉及："
NOBODY = "无"
THREADS_HERE = "到本章末未了的伏笔"
NOTHING_HERE = "没有。"

READERS_ABOUT = "读过正文的人给出的分数。它们合起来与评判者的分数同样计入。读者之间有多一致，就是对任何评判者所能要求的上限。"
READER = "读者的名字"
WHOLE_BOOK = "全书"
WHAT = "读了什么"
READER_HEAD = "读者"
OVERALL = "总体（可不填）"
OVERALL_HEAD = "总体"
OVERALL_HELP = "它整体上对你值多少，0 到 10：不是其他各项的平均。有了几个这样的分数，就能看出每项指标对你占多少。"
SAVE = "保存这些分数"
SAVED = "已保存。"
ONE_READER = "有了第二位读者，这里会显示他们有多一致。"
AGREEING = "正在比较读者 …"

COMPARE_ABOUT = "每份正文切成同样多的片段，每一对片段都以两种先后顺序给评判者看。两份正文哪份更好，比任何分数都更可信。"
COMPARE = "让评判者比较"
COMPARING = "正在以两种顺序比较 …"
COMPARE_SAME = "其中有两份正文相同。"
STRENGTH, LOW, HIGH = "强度", "下限", "上限"
INTERVAL = "95% 区间"
PREFERRED, EVEN, NOT_PREFERRED = "胜", "平", "负"
STANDINGS_NOTE = (
    "越靠右，被选中的次数越多；0 是这些正文的平均。两个区间重叠时，哪份更好尚无定论。"
    "知道得太少时不显示区间：判断不足五个，或者所有判断相同。（Bradley–Terry 强度，对数胜率；区间由自助抽样得出。）"
)
WHO = "谁作的比较"
PASSAGES = "片段"
CONSISTENT = "两种顺序一致"
LIKE_READERS = "与读者选择相同"
CEILING_OF_PAIRS = "读者之间选择相同的比例，就是评判者与读者选择相同的上限。"
EVEN_HERE = "不分高下"
TURNED = "调换顺序后选了另一份，因此都不算"

BLIND = "自己盲评"
BLIND_ABOUT = "你会看到其中两份正文的片段并排，不说明哪份是哪份。你的意见与一位评判者的同样计入。"
BLIND_READER = "你的名字"
BLIND_NAME = "先写下你是谁；你的选择会记在这个名字下。"
BLIND_NONE = "还没有可以比较的另一份正文。可以在书库导入一份，另写一个故事，或为这个故事开一个分支或另一个讲述版本。"
BLIND_OTHER = "与之比较"
BLIND_DONE = "你已评完所有片段。按大家的意见，各份正文的高下见上。"
LEFT, RIGHT = "左边", "右边"
RANKING = "正在统计 …"
UNNAMED = "无标题的故事"

SAVE_AS = "存为文件"
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


def bounds(least: str, most: str) -> str:
    """Say what is needed; what is empty is no bound."""
    said = [f"至少 {least}"] if least else []
    return "，".join(said + ([f"至多 {most}"] if most else []))


def missed(test: str, value: str, needed: str) -> str:
    """Say what a judge was found to do, and what is needed."""
    return f"{test}：{value}（要求{needed}）"


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


def judged_by(model: str) -> str:
    """Say which model judges; `model` is Markdown."""
    return f"评判者：**{model}**。"


def calls(chapters: int, interval: int, *, with_contradictions: bool = False) -> str:
    """Say how many calls an evaluation takes."""
    each = 2 if with_contradictions else 1
    number = each * chapters + -(-chapters // interval)
    of_each = "每章两次" if with_contradictions else "每章一次"
    return f"约 {number:,} 次模型调用：{of_each}，另有几次通观全书。"


def progress(done: int, chapters: int) -> str:
    """Say how far an evaluation is."""
    return f"已完成 {done:,} / {chapters:,} 章"


def numbered(place: int, title: str) -> str:
    """Return a chapter's place and title."""
    return f"{place}. {title}"


def agree(alpha: float, readers: int) -> str:
    """Say how far readers agree."""
    return (
        f"{readers} 位读者的一致程度为 **{alpha:.2f}**（Krippendorff α），1 为完全一致，0 为随机。"
        "在已发表的故事研究中，它在 0.05 到 0.27 之间。"
    )


def ceiling(readers: int, among: float | None, judge: float | None) -> str:
    """Say how far readers agree with one another, and the judge with them (alpha)."""
    if among is None:
        people = "目前只有一位读者，所以还不知道读者之间有多一致。"
    else:
        people = f"{readers} 位读者之间的一致程度为 {among:.2f}，1 为完全一致，0 为随机；对评判者不能要求更多。"
    return people if judge is None else f"{people}评判者与读者的一致程度为 {judge:.2f}。"


def scored_by(model: str) -> str:
    """Say that another model gave the scores that are shown; `model` is Markdown."""
    return f"下面的分数由 **{model}** 给出。"


def quality_is(s_q: float) -> str:
    """Say how quality comes about."""
    return f"质量是各项指标贡献之和：**{s_q:.2f}**。"


def length_is(s_l: float, words: int, chapters: int, usual: int, *, is_total: bool) -> str:
    """Say how the score of length comes about."""
    what = "总字数" if is_total else "每章字数"
    return (
        f"长度是 ½ (ln(1 + {words:,} / 1,000) + min(1, {chapters:,} / {usual:,}))，{what}为 {words:,}，"
        f"共 {chapters:,} 章：**{s_l:.2f}**。"
    )


def together_is(qls: float) -> str:
    """Say how both come together."""
    return f"合计是两者的平均：**{qls:.2f}**。"


def up_to(place: int) -> str:
    """Name a look at the whole by the chapter that it goes up to."""
    return f"第 1 至 {place:,} 章" if place > 1 else "第 1 章"


def published_weight(percent: float) -> str:
    """Say what an indicator counts in the published weights."""
    return f"已发表的是 {percent:.0f}%。计入的是它在七项中的份额。"


def too_few(ratings: int) -> str:
    """Say that a reader has given too few overall scores."""
    return f"目前有 {ratings:,} 个总体分数，需要五个。"


def fits(ratings: int, error: float, published: float) -> str:
    """Say how well weights fit a reader's ratings, in points."""
    return (
        f"共 {ratings:,} 个评分，依次用其余评分来预测每一个：这组权重平均相差 **{error:.2f}** 分，"
        f"已发表的权重相差 **{published:.2f}** 分。"
    )


def cut_after(characters: int) -> str:
    """Say that a long chapter is shown in part."""
    return f"这是前 {characters:,} 个字符。后面的依据在上方打开。"


def own_unknown(words: int, least: int) -> str:
    """Say that the writer's own pages are too few to tell."""
    return (
        f"现在还说不出来：你自己用这种语言写的有 {words:,} 字，需要 {least:,} 字。"
        "你自己的文字，是书库各个故事中由你键入或导入的章节。"
    )


def own_about(words: int) -> str:
    """Say what the writer's own pages are."""
    return (
        f"这份正文使用这些说法的频率是你自己文字的几倍，并非偶然。比较的是书库各个故事中由你键入或导入的 {words:,} 字。"
        "故事题材本身的词语不计在内。"
    )


def repeated(count: int, earlier: int | None) -> str:
    """Say how often a stretch stands in a chapter, and where it stood before."""
    here = f"本章 {count:,} 次" if count > 1 else "本章一次"
    return f"{here}，第 {earlier:,} 章也有" if earlier else here


def times(count: int) -> str:
    """Say how often."""
    return f"{count:,} 次"


def age(chapters: int) -> str:
    """Say for how long a thread has been open."""
    ago = f"{chapters:,} 章之前埋下" if chapters else "在本章埋下"
    return f"（{ago}）"


def and_more(count: int) -> str:
    """Say that there are more."""
    return f"还有 {count:,} 条。"


def compare_calls(calls: int, model: str) -> str:
    """Say how many calls it takes to compare; `model` is Markdown."""
    return f"向 {model} 调用 {calls:,} 次。"


def between(low: float, high: float) -> str:
    """Say an interval."""
    return f"{signed(low)} 至 {signed(high)}"


def signed(value: float) -> str:
    """Say a number that may be on either side of 0."""
    return f"{value:+.2f}".replace("-", "−")


def reader_named(name: str) -> str:
    """Name a reader among judges."""
    return f"读者：{name}"


def trials(count: int) -> str:
    """Name what a comparison rests on."""
    return f"依据：{count:,} 个判断"


def versus(first: str, second: str) -> str:
    """Name two texts; both are Markdown."""
    return f"{first} 与 {second}"


def passage(number: int, of: int) -> str:
    """Name a stretch of two texts."""
    return f"第 {number} 段，共 {of} 段"


def preferred(name: str) -> str:
    """Say which text was preferred; `name` is Markdown."""
    return f"**{name}** 更好"
