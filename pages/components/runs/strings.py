"""The words of runs, of what the agents were given, and of the Cost page."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.views import Stage
from pages.components.words import counted
from store.models.run import (
    ChooseAgain,
    DraftOutline,
    Outcome,
    PlotChapters,
    ReadBook,
    ReadStory,
    RunState,
    Task,
    WriteChapter,
)

# A run on the page that it works for

PREPARING = "Getting ready"
STOP = "Stop"
STOP_AFTER = "Stop after this chapter"
STOPS_AFTER = "It stops once this chapter is done."
HALTED: Mapping[RunState, str] = {
    RunState.STOPPED: "Stopped, as you asked.",
    RunState.FAILED: "Something went wrong.",
    RunState.INTERRUPTED: "The app was closed while this was running.",
}
HALTED_BY_CAP = "It has reached the limit that you set."
HALTED_KEPT = "What was finished is kept and will not be paid for again."
CONTINUE = "Continue"
CONTINUE_PAST_CAP = "Allow as much again"
_BUSY: Mapping[str, str] = {
    "initialize": "The cast is being drafted.",
    "outline": "The outline is being drafted.",
    "plot": "A chapter is being plotted.",
    "choose": "A chapter is being plotted.",
    "write": "A chapter is being written.",
    "read": "The whole story is being read.",
    "book": "The book is being read into the story.",
}
"""What a run does, by the kind of its task."""


def busy(kind: str) -> str:
    """Say that a page has to wait for a run."""
    return f"{_BUSY.get(kind, _BUSY['write'])} You can go on here once that is done or stopped."


def steps_done(done: int, expected: int) -> str:
    """Say how far a run is in its current step."""
    return f"{done} of about {expected} steps"


def time_left(clock: str) -> str:
    """Say how long the current step will take."""
    return f"about {clock} left"


NO_TIME_YET = "how long they take can be said once the first is done"
NO_TIME_SINCE = "how long the others take can be said once the next is done"


def chapters_done(done: int, of: int, *, may_end_early: bool) -> str:
    """Say how many chapters of several a run has done."""
    return f"{done:,} of {'at most ' if may_end_early else ''}{of:,} chapters done"


def all_time_left(clock: str) -> str:
    """Say how long the chapters that are left will take together."""
    return f"about {clock} left for all of them"


def cost_so_far(used: str) -> str:
    """Say what a run has used."""
    return f"Cost so far: {used}"


# What a run may use

COST = "Cost"
CAP_CALLS = "Maximum calls"
CAP_TOKENS = "Maximum tokens"
CAP_COST = "Maximum cost"
CAP_COST_HELP = "At the prices of your model in Settings."
CAP_NONE = "no limit"
CAP_HELP = "It stops before exceeding a limit; you can then allow the same amount again."


# What calls used

USED_NOTHING = "Nothing has been used yet."
BEFORE_FIRST_CHAPTER = "Before the first chapter"


def chapter_name(chapter: int) -> str:
    """Return the name of a chapter."""
    return f"Chapter {chapter:,}"


def tokens_used(tokens_in: int, tokens_out: int) -> str:
    """Say how many tokens went in and came out."""
    return f"{tokens_in:,} tokens in, {tokens_out:,} out"


def calls_made(calls: int) -> str:
    """Say how many calls were made."""
    return counted(calls, "call", "calls")


def model_time(clock: str) -> str:
    """Say how long the model worked."""
    return f"{clock} of model time"


def at_your_prices(money: str) -> str:
    """Say what calls cost."""
    return f"{money} at your prices"


def calls_out_of(calls: int, most: int | None) -> str:
    """Say how many calls a run has made, and how many it may make if that is limited."""
    return f"{calls:,} of {most:,} calls" if most else f"{calls:,} calls"


def tokens_out_of(tokens: int, most: int | None) -> str:
    """Say how many tokens a run has used, and how many it may use if that is limited."""
    return f"{tokens:,} of {most:,} tokens" if most else f"{tokens:,} tokens"


def money_out_of(money: str, most: str) -> str:
    """Say what a run has cost, and what it may cost; `most` is empty if that is not limited."""
    return f"{money} of {most} at your prices" if most else at_your_prices(money)


def tokens_expected(tokens_in: int, tokens_out: int) -> str:
    """Say how many tokens a run is likely to take."""
    return f"About {tokens_in:,} tokens in and {tokens_out:,} out."


def trouble(failed: int, repeated: int) -> str:
    """Say how many calls failed or had to be repeated; empty if all went well."""
    said = []
    if failed:
        said.append(f"{counted(failed, 'call', 'calls')} got no answer")
    if repeated:
        said.append(
            f"{counted(repeated, 'answer', 'answers')} could not be used "
            "and had to be asked for again"
        )
    return f"{' and '.join(said)}. What they used is counted." if said else ""


# What the agents were given

CALLS_NONE = "Nothing yet. After an agent’s first call, you can read here what it was given."
CALL = "Call"
GIVEN = "What it was given"
ANSWERED = "What it answered"
ANSWERED_NOTHING = "Nothing."
SOURCES = "What went in"
CALL_COST = "Cost"
WORD_FOR_WORD = "Word for word, with the instructions and the worked example"
PROMPT = "The prompt"
ANSWER = "The answer"
ANSWER_NONE = "(none)"
SOURCE_NAME = "From"
SOURCE_LINES = "Lines"
SOURCE_LEFT_OUT = "Left out"
SOURCE_TOKENS = "Cost in tokens"
YES = "yes"
NO = "no"
OUTCOMES: Mapping[Outcome, str] = {
    Outcome.TRUNCATED: "The answer was cut off.",
    Outcome.UNUSABLE: "The answer could not be used.",
    Outcome.FAILED: "No answer came.",
}


def calls_summed_up(calls: int) -> str:
    """Say that some calls for a chapter are not kept any more."""
    return (
        f"{counted(calls, 'call', 'calls')} for this chapter: what was given and answered is no longer "
        "kept, only what it cost. Settings says how long prompts are kept."
    )


def calls_heading(part: str = "") -> str:
    """Return the heading of what the agents were given; `part` says for what, if given."""
    return f"{part}: what the agents were given" if part else "What the agents were given"


def call_repeated(name: str, time: int) -> str:
    """Return the name of the second or a later call of the same name."""
    return f"{name} · time {time}"


def call_tokens(tokens_in: int, tokens_out: int) -> str:
    """Say how many tokens a call took."""
    return f"{counted(tokens_in, 'token', 'tokens')} in, {tokens_out:,} out"


# The Cost page

COST_TITLE = "Cost"
COST_NONE = "Nothing has been used yet"
COST_NONE_ADVICE = "After its first call, what each agent uses appears here."
TOTAL_CALLS = "Calls to the model"
TOTAL_TIME = "Model time"
TOTAL_MONEY = "At your prices"
BY_AGENT = "By agent"
BY_CHAPTER = "By chapter"
BY_CALL = "Call by call"
AGENT = "Agent"
CALLS = "Calls"
# The chart has columns of these names, too; Vega would take a dot or a bracket in one for a path.
CHAPTER = "Chapter"
TOKENS = "Tokens"
TOKENS_IN = "Tokens in"
TOKENS_OUT = "Tokens out"
KIND = "Kind"
"""Whether tokens went in or came out."""
TIME = "Time"
MONEY = "Money"
WASTED = "Wasted"
BEFORE = "Before"
"""Stands for the number of a chapter, for what came before the first."""
PARTS: Mapping[Stage, str] = {"plot": "Its plot", "write": "Its text"}
"""What a chapter is made of."""
PARTS_BEFORE: Mapping[Stage, str] = {"plot": "The beginning", "outline": "The outline"}
"""What comes before the first chapter."""


NOTES = "Notes on the runs"


def run_name(task: Task) -> str:
    """Say what a run does."""
    match task:
        case PlotChapters():
            return f"Plotting {counted(task.chapters, 'chapter', 'chapters')}"
        case ChooseAgain():
            return f"Choosing the plot of chapter {task.chapter:,} again"
        case WriteChapter():
            return _writing(task)
        case ReadStory():
            return "Reading the whole story"
        case ReadBook():
            return f"Reading {counted(len(task.chapters), 'chapter', 'chapters')} into the story"
        case DraftOutline():
            return "Drafting the outline"
        case _:
            return "Drafting the cast"


def _writing(task: WriteChapter) -> str:
    chapters = counted(len(task.chapters), "chapter", "chapters")
    if task.is_of_telling:
        return f"Writing {chapters} of another telling"
    return f"Writing {chapters}" if task.then else f"Writing chapter {task.chapter:,}"


def story_used(facts: str) -> str:
    """Say what the story has used with all its branches."""
    return f"The story with all its branches: {facts}."


def table_part(parts: int) -> str:
    """Return the label of the field that turns to a part of a long table."""
    return f"Part of the table, of {parts}"


def chapters_in_bar(chapters: int) -> str:
    """Say how many chapters share a bar of the chart."""
    return f"Each bar is {chapters} chapters."


def calls_wasted(failed: int, repeated: int) -> str:
    """Say how many calls failed or had to be repeated, in a cell of a table; empty if none."""
    said = [f"{failed:,} failed"] if failed else []
    said += [f"{repeated:,} repeated"] if repeated else []
    return ", ".join(said)
