"""The words of the Settings and Scoring rules pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.endpoint import ModelStrength
from store.models.story import Gate

# The Settings page

TITLE = "Settings"
MODEL = "Model"
INTERFACE = "Interface"
STORY = "This story"
STORY_MISSING = "Open a story to set when it asks you and how long it gets."
COST = "Cost"


def settings_belong_to(title: str) -> str:
    """Say which story the settings belong to."""
    return f"These settings belong to “{title}”."


# The interface

LANGUAGE = "Language"
LANGUAGE_ABOUT = "Of the pages. The language of a story is set on Premise; the two have nothing to do with each other."

# Which model writes

SOURCE = "Where is your model?"
SOURCE_SAMPLE = "The sample model"
SOURCE_SAMPLE_ABOUT = (
    "Comes with Tellwright, works offline, costs nothing, and is very small: good for "
    "trying things out. A larger model writes far better."
)
SOURCE_ENVIRONMENT = "The model named in the environment"


def source_environment_about(model: str) -> str:
    """Say which model the environment names. Markdown."""
    return f"{model}: the variable TELLWRIGHT_MODEL was set when Tellwright was started."


SOURCE_FILE = "A model file on this computer"
SOURCE_FILE_ABOUT = (
    "Any GGUF file; Tellwright runs it for you. A model of a few gigabytes writes much "
    "better, but more slowly."
)
SOURCE_OWN = "A model of my own"
SOURCE_OWN_ABOUT = (
    "Anything that speaks the OpenAI protocol: OpenAI, DeepSeek, OpenRouter, Ollama, "
    "LM Studio, vLLM, llama.cpp."
)
SITE_SOURCE = "Which model writes?"
SITE_NO_MODELS = "This site offers no model yet. Please tell whoever runs it."
SITE_OWN = "A model with a key of my own"
SITE_ADDRESS = "Service"
SITE_KEY = "Your key"
SITE_KEY_KNOWN = "Leave it empty to go on with the key that you gave"
SITE_KEY_HELP = (
    "It is kept in the memory of this site, never in a file, sent to this service only, and forgotten "
    "when the site is restarted."
)
SITE_KEY_MISSING = "Give your key for this service."


def site_model_about(model: str) -> str:
    """Say what one of the site's models is."""
    return f"{model}. The site pays for it, within what it grants each writer."


def site_own_about(hosts: Sequence[str]) -> str:
    """Say where a key of one's own can be used."""
    return f"You pay the service yourself: {', '.join(hosts)}."


MODEL_SAVE = "Save"
MODEL_SAVED = "Saved. The next call goes to this model."
MODEL_UNSAVED = "Save this choice first, then test it."
MODEL_FILE_MISSING = "There is no file at this path. Give the full path of a GGUF file."
MODEL_FILE_UNSUITABLE = "This is not a GGUF file, the only kind that Tellwright can run."
MODELS_IN_USE = "In use now:"
OTHER_AGENTS = "all other agents"


def model_in_use(label: str) -> str:
    """Say which model writes, if it is the only one."""
    return f"In use now: **{label}**"


def model_used_by(label: str, agents: str) -> str:
    """Say which agents use a model."""
    return f"**{label}**: {agents}"


STRENGTH = "What can it be asked for?"
STRENGTHS: Mapping[ModelStrength, str] = {
    ModelStrength.ABLE: "Able: whole answers",
    ModelStrength.SMALL: "Small: little at a time, with examples",
}
STRENGTHS_ABOUT: Mapping[ModelStrength, str] = {
    ModelStrength.ABLE: (
        "Knows the length of the story and where it leads, and answers as fully as it needs to. "
        "Right for every large model."
    ),
    ModelStrength.SMALL: (
        "Right for a model of a few billion parameters or fewer, whose answers are often cut "
        "short or cannot be used."
    ),
}


# The fields of a model


class Line(NamedTuple):
    """A field for a line of text: what it is called, an example, and how long it can be."""

    label: str
    example: str
    help: str = ""
    most: int | None = None


NAME_LIMIT = 80
LINES: Mapping[str, Line] = {
    "url": Line("Address", "https://api.deepseek.com/v1"),
    "name": Line("Model", "deepseek-chat"),
    "key-variable": Line(
        "Name of the variable that holds the key",
        "OPENAI_API_KEY",
        "Not the key itself. Tellwright reads the key from the environment, or from Streamlit’s "
        "secrets, when it calls the model. Leave it empty if no key is needed.",
    ),
    "called": Line("Your name for it", "The provider’s name for it", most=NAME_LIMIT),
    "file": Line("Path of the GGUF file", "~/models/a-larger-model.gguf"),
}
"""By the end of the field’s key."""


def key_typed(labels: Sequence[str]) -> str:
    """Say that a key was typed where these fields ask for something else."""
    fields = " and ".join(f"“{label}”" for label in labels)
    return (
        f"What was typed for {fields} looks like a key. Tellwright never stores a key: put it in an "
        "environment variable, such as OPENAI_API_KEY, and write the name of that variable in "
        f"“{LINES['key-variable'].label}”. The field was cleared and nothing was saved."
    )


ENDPOINT_WINDOW = "How much it reads at once (tokens)"
ENDPOINT_CONCURRENCY = "Calls at a time"
ENDPOINT_TIMEOUT = "Seconds to wait"
ENDPOINT_TIMEOUT_HELP = (
    "How long the model may be silent before it is asked once more, and after that the run pauses. "
    "If it shows that it is still there, as some services do while a model thinks, it may take five "
    "times as long before the next words come. A whole answer may take ten times as long."
)
ENDPOINT_PRICE_IN = "Price of a million tokens in"
ENDPOINT_PRICE_OUT = "Price of a million tokens out"
ENDPOINT_IS_KEY = (
    "This looks like the key itself. Tellwright never stores a key: put it in an environment variable, "
    "such as OPENAI_API_KEY, and write the name of that variable here. The field was cleared "
    "and nothing was saved."
)
ENDPOINT_NOT_VARIABLE = (
    "The name of a variable has letters, digits and underscores only, and does not begin "
    "with a digit."
)
ENDPOINT_NO_MODEL = "Name the model as its provider does."
ENDPOINT_NO_ADDRESS = "This is not a valid address."
ENDPOINT_INCOMPLETE_ADDRESS = "The address must begin with http:// or https:// and name a computer."
ENDPOINT_KEY_IN_ADDRESS = (
    "The address must not contain a password or key. Put the key in an environment variable "
    "and name that variable here."
)
CONNECTION_TEST = "Test connection"
CONNECTION_TESTING = "Asking the model two short questions …"

# Which agent uses which model

AGENTS = "Agents"
AGENTS_ABOUT = (
    "Every agent uses the model above unless you give it another: a quick one for simple "
    "tasks, say, or the best you have for the text."
)
AGENT_MODEL_USUAL = "The model above"

# The other models that agents can be given

OTHER_MODELS = "Other models"
OTHER_ADD = "Add a model"
OTHER_EDIT = "Edit"
OTHER_REMOVE = "Remove"
OTHER_REMOVE_SURE = "Remove it"
OTHER_KEEP = "Keep it"
OTHER_NAME_TAKEN = "Another kind of model already has this name. Choose a different one."
OTHER_SAVE = "Save"
OTHER_CANCEL = "Cancel"


def model_at(model: str, host: str) -> str:
    """Say where a model is reached."""
    return f"{model} at {host}"


def other_remove_asked(name: str, agents: str) -> str:
    """Ask whether to remove a model, which `agents` use; they are empty if none does."""
    asked = f"Remove “{name}”?"
    if not agents:
        return asked
    return f"{asked} These agents will go back to the model above: {agents}"


def other_removed(name: str) -> str:
    """Say that a model was removed."""
    return f"“{name}” was removed."


def other_saved(name: str) -> str:
    """Say that a model was saved."""
    return f"“{name}” is saved. You can now give it to agents."


# Whose prompts are kept

PROMPTS = "Prompts"
PROMPTS_KEEP = "Keep what agents were given and answered"
PROMPTS_ALL = "for all chapters"
PROMPTS_ABOUT = (
    "Of older ones, what they cost stays. What a stopped run needs to go on is never removed, and no "
    "story, plot or text is."
)


def prompts_of(chapters: int) -> str:
    """Say of how many chapters prompts are kept."""
    return f"for the {chapters} chapters of each branch that were worked on last"


def prompts_kept(calls: int, size: int) -> str:
    """Say how many calls are kept, and what they take, in bytes."""
    return f"{counted(calls, 'call', 'calls')} in {size / 1_000_000:,.1f} MB."


# The settings of the open story

GATES_HEADING = "Ask me about"
GATES: Mapping[Gate, str] = {
    Gate.CONFIGURATION: "The cast and the foundation, before the story begins",
    Gate.OUTLINE: "The outline, when it has been drafted",
    Gate.GOALS: "The goals of a chapter, before it is plotted",
    Gate.CANDIDATES: "Which candidate becomes the chapter",
    Gate.PLAN: "The writing plan of a chapter, before it is written",
    Gate.DRAFT: "The text of a chapter, when it has been written",
}
GATES_ABOUT = "Whatever is off goes on without asking; you can still change it afterwards."
NUMBERS: Mapping[str, tuple[str, str]] = {
    "goals": ("Goals per chapter", "Each goal becomes a candidate to choose from."),
    "roles": (
        "People who act in each",
        "Each of them adds a turn to every candidate. An able model may give two of the turns to one.",
    ),
    "rounds": ("Rounds", "How many turns each of them takes before a plot is complete."),
    "words_per_scene": ("Words per scene", "Approximate; the text may be shorter or longer."),
}
"""The label and the help of each number, by its field of `StorySettings`."""
LEAVE_OUT = "Leave out (to compare)"
LEAVE_OUT_ABOUT = (
    "To see what a part of the method is good for, plot or write without it. "
    "With one goal per chapter there are no alternatives to choose from."
)
LEFT_OUT: Mapping[str, tuple[str, str]] = {
    "is_sketched": (
        "No sketches",
        "An able model founds the story on the idea it likes best, and its people weave every chapter. Otherwise "
        "it tells five stories, short ones whole and of longer ones the opening, chooses by reading them two at a "
        "time, and follows the one it has chosen; of a longer one, each later chapter is told in two ways as well, "
        "beside what its people weave.",
    ),
    "is_woven": (
        "One agent writes the plot",
        "Instead of its people, who take turns to shape it, each from what they know.",
    ),
    "recalls": (
        "No recall and no threads before writing",
        "A chapter is written without first looking for what it should recall and set up.",
    ),
}
"""The label and the help of each switch that is on while a field of `StorySettings` is off."""
DIRECT = "One prompt per chapter (direct)"
DIRECT_ABOUT = (
    "Without cast, plots and graphs: each chapter is written at once from the premise, your wishes and "
    "the text so far. A text to compare with."
)

# The Scoring rules page

RULES_TITLE = "Scoring rules"
RULES = "What counts"
CHOICES = "Your choices"
RULES_FILE = "As a file"


def rules_belong_to(title: str) -> str:
    """Say what the rules are for, and which story they belong to."""
    return (
        f"A chapter’s candidates are compared by these rules. They belong to "
        f"“{title}”; scores already given stay as they are."
    )


# The rules

RULES_ABOUT = (
    "Beside each rule are its weight and its share of the total. A weight of 0 switches it off."
)
RULES_ALL_OFF = "All rules are switched off: candidates are not scored."
RULES_RESTORE = "Restore the general rules"
RULES_RESTORED = "The general rules are restored."
RULES_UNDO = "Undo"
RULE_IS_OWN = ":gray-badge[yours]"
RULE_OFF = "off"
RULE_EDIT = "Edit"
RULE_CLOSE = "Close"
RULE_NAME = "Name"
RULE_QUESTION = "The question asked about each candidate"
RULE_TOP = "Highest score"
RULE_REMOVE = "Remove"
RULE_NEW = "A rule of your own"
RULE_NEW_EXAMPLE = "Humour"
RULE_ADD = "Add"


def share(part: float) -> str:
    """Return a rule’s part of the total, from 0 to 1, as a percentage."""
    return f"{100 * part:.0f}\N{NO-BREAK SPACE}%"


def rule_edit_help(name: str) -> str:
    """Say what can be edited of a rule."""
    return f"What “{name}” asks, and its scale"


def rule_weight(name: str) -> str:
    """Return the label of a rule’s weight."""
    return f"Weight of {name}"


def rule_score_means(score: int) -> str:
    """Return the label of what a score means."""
    return f"What {score} means"


def rule_removed(name: str) -> str:
    """Say that a rule was removed."""
    return f"The rule “{name}” was removed."


# The rules as a file

RULES_DOWNLOAD = "Download these rules"
RULES_FILE_NAME = "scoring-rules.json"
RULES_IMPORT = "Replace these with the rules in a file"
RULES_IMPORTED = "The rules from the file are in use."

# The choices that the writer made

CHOICES_MISSING = (
    "Once you have chosen among a chapter’s candidates, this shows how your choices compare "
    "with the scores, and which weights would fit them better."
)
CHOICES_GO_TO_PLOT = "Go to the plot"
CHOICES_RULE = "Rule"
CHOICES_NOW = "Now"
CHOICES_SUGGESTED = "Suggested"
CHOICES_DIFFERENCE = "Your choices"
CHOICES_DIFFERENCE_ABOUT = (
    f"“{CHOICES_DIFFERENCE}”: how many points out of five your choice is above the one that the "
    "scores preferred, averaged over the chapters in which the two differ."
)
WEIGHTS_FIT = "No weights close to the current ones would fit more of your choices."
WEIGHTS_USE = "Use these weights"
WEIGHTS_USED = "The suggested weights are in use."


def choices_agreed(agreed: int, chapters: int) -> str:
    """Say how often the writer chose what the scores preferred."""
    return (
        f"You agreed with the scores in **{agreed}** of {counted(chapters, 'chapter', 'chapters')}."
    )


def weights_later(chapters: int) -> str:
    """Say after how many chapters weights will be suggested."""
    return f"After {chapters} chapters, weights that fit your choices will be suggested."


def weights_suggested(agreed: int, agreed_now: int) -> str:
    """Say how much better the suggested weights fit the writer’s choices."""
    return (
        f"The suggested weights agree with **{agreed}** of your choices, "
        f"the current ones with {agreed_now}."
    )


speaks(__name__)
