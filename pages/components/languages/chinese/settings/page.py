"""The words of the Settings and Scoring rules pages, in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages.components.settings.strings import NAME_LIMIT, Line
from store.models.endpoint import ModelStrength
from store.models.story import Gate

# The Settings page

TITLE = "设置"
MODEL = "模型"
INTERFACE = "界面"
STORY = "当前故事"
STORY_MISSING = "打开一个故事，就可以设置它何时征询你，以及篇幅。"
COST = "用量与费用"


def settings_belong_to(title: str) -> str:
    """Say which story the settings belong to."""
    return f"以下设置属于“{title}”。"


# The interface

LANGUAGE = "语言"
LANGUAGE_ABOUT = "页面所用的语言。故事的语言在“构思”页设置，两者互不影响。"

# Which model writes

SOURCE = "模型在哪里？"
SOURCE_SAMPLE = "示例模型"
SOURCE_SAMPLE_ABOUT = (
    "随 Tellwright 附带，可离线使用，不花钱，但非常小：适合试用。更大的模型写得好得多。"
)
SOURCE_ENVIRONMENT = "环境变量指定的模型"


def source_environment_about(model: str) -> str:
    """Say which model the environment names. Markdown."""
    return f"{model}：启动 Tellwright 时设置了变量 TELLWRIGHT_MODEL。"


SOURCE_FILE = "这台电脑上的模型文件"
SOURCE_FILE_ABOUT = "任何 GGUF 文件，由 Tellwright 替你运行。几 GB 的模型写得好得多，但也更慢。"
SOURCE_OWN = "自己的模型"
SOURCE_OWN_ABOUT = "凡是兼容 OpenAI 协议的都可以：OpenAI、DeepSeek、OpenRouter、Ollama、LM Studio、vLLM、llama.cpp。"
SITE_SOURCE = "由哪个模型来写？"
SITE_NO_MODELS = "本站还没有提供模型，请告知站点管理者。"
SITE_OWN = "用自己密钥的模型"
SITE_ADDRESS = "服务"
SITE_KEY = "你的密钥"
SITE_KEY_KNOWN = "留空则继续使用你已提供的密钥"
SITE_KEY_HELP = "密钥只保存在本站的内存里，从不写入文件，只发送给这个服务；站点重启后即被忘记。"
SITE_KEY_MISSING = "请填写这个服务的密钥。"


def site_model_about(model: str) -> str:
    """Say what one of the site's models is."""
    return f"{model}。费用由本站承担，以每位作者的额度为限。"


def site_own_about(hosts: Sequence[str]) -> str:
    """Say where a key of one's own can be used."""
    return f"由你自己向服务付费：{'、'.join(hosts)}。"


MODEL_SAVE = "保存"
MODEL_SAVED = "已保存。下一次调用就用这个模型。"
MODEL_UNSAVED = "请先保存这项选择，再测试。"
MODEL_FILE_MISSING = "这个路径下没有文件。请填写 GGUF 文件的完整路径。"
MODEL_FILE_UNSUITABLE = "这不是 GGUF 文件，而 Tellwright 只能运行 GGUF。"
MODELS_IN_USE = "正在使用："
OTHER_AGENTS = "其余所有智能体"


def model_in_use(label: str) -> str:
    """Say which model writes, if it is the only one."""
    return f"正在使用：**{label}**"


def model_used_by(label: str, agents: str) -> str:
    """Say which agents use a model."""
    return f"**{label}**：{agents}"


STRENGTH = "它能胜任多少？"
STRENGTHS: Mapping[ModelStrength, str] = {
    ModelStrength.ABLE: "强：完整作答",
    ModelStrength.SMALL: "小：一次一点，附范例",
}
STRENGTHS_ABOUT: Mapping[ModelStrength, str] = {
    ModelStrength.ABLE: "知道故事的篇幅和走向，需要多详细就答多详细。适合所有大模型。",
    ModelStrength.SMALL: "适合参数量只有几十亿或更少的模型，它们的回答常被截断或无法使用。",
}

LINES: Mapping[str, Line] = {
    "url": Line("地址", "https://api.deepseek.com/v1"),
    "name": Line("模型", "deepseek-chat"),
    "key-variable": Line(
        "存放密钥的变量名",
        "OPENAI_API_KEY",
        "不是密钥本身。Tellwright 调用模型时，从环境变量或 Streamlit 的 secrets 中读取密钥。不需要密钥则留空。",
    ),
    "called": Line("你对它的称呼", "服务商所用的名称", most=NAME_LIMIT),
    "file": Line("GGUF 文件的路径", "~/models/a-larger-model.gguf"),
}
"""By the end of the field’s key."""


def key_typed(labels: Sequence[str]) -> str:
    """Say that a key was typed where these fields ask for something else."""
    fields = "和".join(f"“{label}”" for label in labels)
    return (
        f"在{fields}中输入的内容像是密钥。Tellwright 从不保存密钥：请把它放进环境变量，例如 OPENAI_API_KEY，"
        f"再把变量名填入“{LINES['key-variable'].label}”。该栏已清空，没有保存任何内容。"
    )


ENDPOINT_WINDOW = "一次能读多少（token）"
ENDPOINT_CONCURRENCY = "同时调用数"
ENDPOINT_TIMEOUT = "等待秒数"
ENDPOINT_TIMEOUT_HELP = (
    "模型可以沉默多久：超过后会再请求一次，仍无回应则任务暂停。如果它表明自己还在（有些服务在模型思考时会这样），"
    "下一段文字可以晚五倍的时间才到；整个回答可以用十倍的时间。"
)
ENDPOINT_PRICE_IN = "每百万输入 token 的价格"
ENDPOINT_PRICE_OUT = "每百万输出 token 的价格"
ENDPOINT_IS_KEY = (
    "这像是密钥本身。Tellwright 从不保存密钥：请把它放进环境变量，例如 OPENAI_API_KEY，在这里填变量名。"
    "该栏已清空，没有保存任何内容。"
)
ENDPOINT_NOT_VARIABLE = "变量名只能由字母、数字和下划线组成，且不能以数字开头。"
ENDPOINT_NO_MODEL = "请按服务商的叫法填写模型名称。"
ENDPOINT_NO_ADDRESS = "这不是有效的地址。"
ENDPOINT_INCOMPLETE_ADDRESS = "地址必须以 http:// 或 https:// 开头，并写明主机。"
ENDPOINT_KEY_IN_ADDRESS = "地址中不能有密码或密钥。请把密钥放进环境变量，在这里填变量名。"
CONNECTION_TEST = "测试连接"
CONNECTION_TESTING = "正在向模型提两个简短的问题 …"

# Which agent uses which model

AGENTS = "智能体"
AGENTS_ABOUT = "每个智能体都用上面的模型，除非你另行指定：比如简单任务用快的，正文用最好的。"
AGENT_MODEL_USUAL = "上面的模型"

# The other models that agents can be given

OTHER_MODELS = "其他模型"
OTHER_ADD = "添加模型"
OTHER_EDIT = "编辑"
OTHER_REMOVE = "移除"
OTHER_REMOVE_SURE = "移除"
OTHER_KEEP = "保留"
OTHER_NAME_TAKEN = "已有模型用了这个名称，请换一个。"
OTHER_SAVE = "保存"
OTHER_CANCEL = "取消"


def model_at(model: str, host: str) -> str:
    """Say where a model is reached."""
    return f"{model}，位于 {host}"


def other_remove_asked(name: str, agents: str) -> str:
    """Ask whether to remove a model, which `agents` use; they are empty if none does."""
    asked = f"移除“{name}”？"
    if not agents:
        return asked
    return f"{asked}这些智能体将改回上面的模型：{agents}"


def other_removed(name: str) -> str:
    """Say that a model was removed."""
    return f"“{name}”已移除。"


def other_saved(name: str) -> str:
    """Say that a model was saved."""
    return f"“{name}”已保存，现在可以指定给智能体。"


# Whose prompts are kept

PROMPTS = "提示词"
PROMPTS_KEEP = "保留智能体收到的提示词与回答"
PROMPTS_ALL = "所有章节"
PROMPTS_ABOUT = "更早的只保留费用。停下的任务继续所需的内容从不删除，故事、情节和正文也不会删除。"


def prompts_of(chapters: int) -> str:
    """Say of how many chapters prompts are kept."""
    return f"每个分支最近写作的 {chapters} 章"


def prompts_kept(calls: int, size: int) -> str:
    """Say how many calls are kept, and what they take, in bytes."""
    return f"{calls:,} 次调用，共 {size / 1_000_000:,.1f} MB。"


# The settings of the open story

GATES_HEADING = "这些事先问我"
GATES: Mapping[Gate, str] = {
    Gate.CONFIGURATION: "故事开始前，人物表与故事设定",
    Gate.OUTLINE: "大纲草拟好后",
    Gate.GOALS: "构想一章之前，它的目标",
    Gate.CANDIDATES: "选定哪个候选情节成为这一章",
    Gate.PLAN: "写一章之前，它的写作计划",
    Gate.DRAFT: "一章写好后，它的正文",
}
GATES_ABOUT = "关闭的项目不再询问，直接继续；事后仍可修改。"
NUMBERS: Mapping[str, tuple[str, str]] = {
    "goals": ("每章目标数", "每个目标形成一个候选情节，供你选定。"),
    "roles": (
        "每个候选中行动的人物数",
        "每人都会给每个候选情节增加一次轮次。强模型可以让一人占两次。",
    ),
    "rounds": ("轮数", "每人行动几次，情节才算完整。"),
    "words_per_scene": ("每个场景字数", "大致如此，正文可长可短。"),
}
"""The label and the help of each number, by its field of `StorySettings`."""
LEAVE_OUT = "略去（用于对比）"
LEAVE_OUT_ABOUT = (
    "想知道方法中某一环有什么用，可以略去它再构想或写作。每章只有一个目标时，没有别的候选情节可选。"
)
LEFT_OUT: Mapping[str, tuple[str, str]] = {
    "is_sketched": (
        "不先试写",
        "能力强的模型直接按它最喜欢的想法来规划，每一章都由人物编织；否则会先写出五个故事（短篇写全，长篇只写开头），两个两个地比较着读，从中挑选一个，并照它写下去；长篇以后的每一章也会先写出两种，与人物编织的情节并列。",
    ),
    "is_woven": ("由一个智能体写情节", "代替由人物轮流编织：每个人物都从自己所知出发。"),
    "recalls": ("写作前不回想、不找伏笔", "写一章时，不先找它该呼应什么、铺垫什么。"),
}
"""The label and the help of each switch that is on while a field of `StorySettings` is off."""
DIRECT = "每章一次提示（直接写作）"
DIRECT_ABOUT = "没有人物表、情节和图谱：每章直接根据构思、你的要求和已有正文写成，用来对比。"

# The Scoring rules page

RULES_TITLE = "评分规则"
RULES = "看重什么"
CHOICES = "你的选择"
RULES_FILE = "作为文件"


def rules_belong_to(title: str) -> str:
    """Say what the rules are for, and which story they belong to."""
    return f"各章的候选情节按这些规则比较。规则属于“{title}”；已有的评分保持不变。"


# The rules

RULES_ABOUT = "每条规则旁是权重和它在总分中的占比。权重为 0 即关闭。"
RULES_ALL_OFF = "所有规则都已关闭：候选情节不评分。"
RULES_RESTORE = "恢复通用规则"
RULES_RESTORED = "已恢复通用规则。"
RULES_UNDO = "撤销"
RULE_IS_OWN = ":gray-badge[你写的]"
RULE_OFF = "关闭"
RULE_EDIT = "编辑"
RULE_CLOSE = "收起"
RULE_NAME = "名称"
RULE_QUESTION = "对每个候选情节提出的问题"
RULE_TOP = "最高分"
RULE_REMOVE = "移除"
RULE_NEW = "自己的规则"
RULE_NEW_EXAMPLE = "幽默"
RULE_ADD = "添加"


def share(part: float) -> str:
    """Return a rule’s part of the total, from 0 to 1, as a percentage."""
    return f"{100 * part:.0f}%"


def rule_edit_help(name: str) -> str:
    """Say what can be edited of a rule."""
    return f"“{name}”问什么，以及分数范围"


def rule_weight(name: str) -> str:
    """Return the label of a rule’s weight."""
    return f"“{name}”的权重"


def rule_score_means(score: int) -> str:
    """Return the label of what a score means."""
    return f"{score} 分的含义"


def rule_removed(name: str) -> str:
    """Say that a rule was removed."""
    return f"规则“{name}”已移除。"


# The rules as a file

RULES_DOWNLOAD = "下载这些规则"
RULES_FILE_NAME = "scoring-rules.json"
RULES_IMPORT = "用文件中的规则替换"
RULES_IMPORTED = "已采用文件中的规则。"

# The choices that the writer made

CHOICES_MISSING = (
    "你选定过候选情节之后，这里会显示你的选择与评分的异同，以及怎样的权重更符合你的选择。"
)
CHOICES_GO_TO_PLOT = "前往情节"
CHOICES_RULE = "规则"
CHOICES_NOW = "当前"
CHOICES_SUGGESTED = "建议"
CHOICES_DIFFERENCE = "你的选择"
CHOICES_DIFFERENCE_ABOUT = (
    f"“{CHOICES_DIFFERENCE}”：满分五分，你选定的比评分最高的高出多少，取两者不同的各章的平均值。"
)
WEIGHTS_FIT = "当前权重附近没有更符合你的选择的权重。"
WEIGHTS_USE = "采用这些权重"
WEIGHTS_USED = "已采用建议的权重。"


def choices_agreed(agreed: int, chapters: int) -> str:
    """Say how often the writer chose what the scores preferred."""
    return f"{chapters:,} 章中，你有 **{agreed}** 章与评分一致。"


def weights_later(chapters: int) -> str:
    """Say after how many chapters weights will be suggested."""
    return f"满 {chapters} 章后，会建议符合你的选择的权重。"


def weights_suggested(agreed: int, agreed_now: int) -> str:
    """Say how much better the suggested weights fit the writer’s choices."""
    return f"建议的权重与你的 **{agreed}** 次选择一致，当前权重为 {agreed_now} 次。"
