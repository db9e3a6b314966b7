"""What the Evaluate page says."""

from __future__ import annotations

from collections.abc import Mapping

from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.desk.evaluation import Indicator

TITLE = "Evaluate"
NO_TEXT = "There is nothing to evaluate yet"
NO_TEXT_ADVICE = "Write a chapter, or import a book; then a model can say how good it is."
TO_WRITE = "Go to Write"

NOISE = (
    "The score of a single text is mostly noise: readers agree little, and models that judge err often. "
    "Look at where a chapter falls, and at what is said of it, rather than at the number."
)
EVALUATE = "Evaluate the text"
EVALUATE_AGAIN = "Evaluate the text as it is now"
GO_ON = "Go on evaluating"
STOP = "Stop"
CHANGED = "The text has changed since."
TEST = "Test the judge"
TEST_HELP = (
    "It reads three short stories of ours, whole and spoiled, before it scores yours. "
    "That is done once for each model."
)
NOT_TESTED = "This model was not tested as a judge yet, so nobody knows what its scores are worth."
PASSED = "It has passed the test of judges."
FAILED = "It fails the test of judges, so its scores are worth nothing:"
WORTH_NOTHING = (
    "These scores are worth nothing: the model that gave them fails the test of judges. "
    "To know more, connect a larger model in Settings, or ask readers."
)
WORTH_UNKNOWN = (
    "Nobody knows what these scores are worth: the model that gave them was not tested as a judge."
)
TESTED = "What the test found"
TESTED_NOTE = "Each is a mean over so many trials. Without a bound, nobody knows what is right: see how two judges differ."
TEST_COLUMN, FOUND, NEEDED, TRIALS = "Tested", "Found", "Needed", "Trials"
TESTS: Mapping[str, str] = {
    "answers that can be used": "Answers that can be used",
    "accuracy on spoiled texts": "Spoiled texts that it scores lower",
    "shift by what must not matter": "Points by which typos, synonyms and punctuation move a score",
    "same choice in both orders": "The same choice between two texts in both orders",
    "accuracy in pairs": "The whole text chosen over the spoiled one",
    "shift on a second reading": "Points by which a second reading differs",
    "spread of scores": "Spread of its scores, in points",
    "pull of length": "Points that twice the length adds or takes",
    "quotes that are in the text": "Quotes that are in the text",
    "liking for its own texts": "Its own text chosen over ours",
    "notices paragraphs shuffled": "Notices shuffled paragraphs",
    "notices names swapped": "Notices swapped names",
    "notices facts contradicted": "Notices contradicted facts",
    "notices passages repeated": "Notices repeated passages",
    "notices ending cut off": "Notices that the ending is missing",
}

CURVE = "Quality along the chapters"
CHAPTER = "Chapter"
QUALITY = "Quality"
OF_CHAPTER = "The chapter"
OF_WHOLE = "A look at the whole"
OF_BOOK = "The book so far"
OF_READERS = "Readers"
OF_JUDGE = "Judge"
KIND = "What"
INDICATORS = "The seven indicators"
INDICATOR = "Indicator"
SCORE = "Score"
BESIDE = "Beside published systems"
SYSTEM = "Text"
WORDS_PER_CHAPTER = "Words a chapter"
CHAPTERS = "Chapters"
S_Q, S_L, QLS = "Quality", "Length", "Together"
THIS_TEXT = "This text"
BESIDE_NOTE = (
    "Their figures are those of the CreAgentive paper, by other judges; where it gives no single figure, "
    "none is shown. Length rises with words a chapter and with chapters, and says nothing of quality."
)

FINDINGS = "What was said of each chapter"
WHICH = "Chapter"
HIGHLIGHTS = "Shown in the text"
SHOW_TEXT = "Read the chapter as it was judged"
HELD = "Scored higher, and held at 8, because nothing in the text was shown for it:"
ADDRESSED = "Speaks to the judge, and was left out of what it read:"
UNFOUND = "Quotes that are not in the text:"
TO_CHAPTER = "Open it where it is written"
MEASURED = "Counted without a model"
COUNT = "Count repetition, dialogue, pace and the like in each chapter"
MEASURES: Mapping[str, str] = {
    "words": "Words",
    "repeated_within": "Repeats itself",
    "repeated_before": "Repeats earlier chapters",
    "variety": "Variety of words",
    "worn": "Worn-out phrases in 10,000 words",
    "dialogue": "Dialogue",
    "pace": "Sentences in 100 words",
}

READERS = "Readers"
READERS_ABOUT = (
    "What people who have read it give. Their scores count as much as the judge’s; agreement says how much "
    "can be asked of any judge."
)
READER = "Who has read it"
WHOLE_BOOK = "The whole book"
WHAT = "What was read"
SAVE = "Keep these scores"
SAVED = "Kept."
ONE_READER = "With a second reader, it is said here how far they agree."
AGREEING = "Comparing the readers …"

BLIND = "Compare blind"
BLIND_ABOUT = (
    "Passages of this text and of another, side by side, without saying which is whose. What you prefer counts as one "
    "judge’s word."
)
BLIND_NONE = (
    "There is no other text to compare it with: no branch, no other telling, no other story."
)
BLIND_OTHER = "Compare with"
BLIND_DONE = "All passages are judged. By everybody’s word so far:"
RANKING = "Counting …"
UNNAMED = "Untitled story"

SAVE_AS = "Save the evaluation"
AS_CSV, AS_JSON, AS_MARKDOWN = "CSV", "JSON", "Markdown"

NAMES: Mapping[Indicator, str] = {
    Indicator.RELEVANCE: "Relevance",
    Indicator.COHERENCE: "Coherence",
    Indicator.CREATIVITY: "Creativity",
    Indicator.EMPATHY: "Empathy",
    Indicator.SURPRISE: "Surprise",
    Indicator.COMPLEXITY: "Complexity",
    Indicator.IMMERSION: "Immersion",
}
MEANINGS: Mapping[Indicator, str] = {
    Indicator.RELEVANCE: "True to what the story is about",
    Indicator.COHERENCE: "Everything follows, without contradictions",
    Indicator.CREATIVITY: "Something that no other book has",
    Indicator.EMPATHY: "People one believes, and feels with",
    Indicator.SURPRISE: "Turns that are unexpected, and prepared",
    Indicator.COMPLEXITY: "Lines and relationships that work on one another",
    Indicator.IMMERSION: "Details by which one is there",
}


def bounds(least: float | None, most: float | None) -> str:
    """Say what is needed."""
    said = [f"at least {least:.2f}"] if least is not None else []
    return " and ".join(said + ([f"at most {most:.2f}"] if most is not None else []))


def missed(test: str, value: float, needed: str) -> str:
    """Say what a judge was found to do, and what is needed."""
    return f"{test}: {value:.2f} ({needed} is needed)"


def preferences() -> list[tuple[str, int]]:
    """Return what can be said of two passages, and what it counts for the left one."""
    return [
        ("Left, clearly", 2),
        ("Left, a little", 1),
        ("No difference", 0),
        ("Right, a little", -1),
        ("Right, clearly", -2),
    ]


def branch_named(name: str) -> str:
    """Name a branch of the same story."""
    return f"Branch: {name}"


def telling_named(name: str) -> str:
    """Name a telling of the same story."""
    return f"Telling: {name}"


def won(wins: int, draws: int, losses: int) -> str:
    """Say how often a text was preferred."""
    return f"preferred {wins}, even {draws}, not preferred {losses}"


def judged_by(model: str) -> str:
    """Say which model judges; `model` is Markdown."""
    return f"Judged by **{model}**."


def calls(chapters: int, interval: int) -> str:
    """Say how many calls an evaluation takes."""
    number = chapters + -(-chapters // interval)
    return f"{counted(number, 'call', 'calls')} or a few more: one a chapter, and a look at the whole now and then."


def progress(done: int, chapters: int) -> str:
    """Say how far an evaluation is."""
    return f"{done:,} of {counted(chapters, 'chapter', 'chapters')}"


def numbered(place: int, title: str) -> str:
    """Return a chapter's place and title."""
    return f"{place}. {title}"


def agree(alpha: float, readers: int) -> str:
    """Say how far readers agree."""
    return (
        f"{readers} readers; agreement (Krippendorff’s alpha) {alpha:.2f}, where 1 is full and 0 is chance. "
        "In published studies of stories it is 0.05 to 0.27."
    )


speaks(__name__)
