"""What the Evaluate page says."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pages.components.words import counted
from pages.components.words.speaking import speaks
from store.models.desk.evaluation import Indicator, LengthReading


class Part(StrEnum):
    """The parts of the page, one of which is shown."""

    CHAPTERS = "chapters"
    CONTRADICTIONS = "contradictions"
    NUMBERS = "numbers"
    COUNTS = "counts"
    READERS = "readers"
    OTHERS = "others"


TITLE = "Evaluate"
PARTS: Mapping[Part, str] = {
    Part.CHAPTERS: "Chapters",
    Part.CONTRADICTIONS: "Contradictions",
    Part.NUMBERS: "Scores",
    Part.COUNTS: "Counts",
    Part.READERS: "Readers",
    Part.OTHERS: "Other texts",
}
PARTS_LABEL = "What to look at"
NO_TEXT = "There is nothing to evaluate yet"
NO_TEXT_ADVICE = "Write a chapter, or import a book; then a model can say how good it is."
TO_WRITE = "Go to Write"

NOISE = (
    "Quality is out of 10. Length comes from words and chapters alone, so a short book scores low however good it is. "
    "The score of a single text is mostly noise: readers seldom agree, and models that judge often err. "
    "Look at where the curve dips, and at what is said of that chapter, rather than at the number."
)
EVALUATE = "Evaluate the text"
EVALUATE_AGAIN = "Evaluate the text as it is now"
EVALUATE_ANEW = "Evaluate the text anew"
GO_ON = "Go on evaluating"
HOW = "How often it looks at the whole"
EVERY = "Chapters between two looks at the whole book"
EVERY_HELP = "10 in the published method. With another number, the text has to be judged anew."
STOP = "Stop"
CHANGED = "The text has changed since it was judged."
TEST = "Test the judge"
TEST_HELP = (
    "Before it scores your text, it reads three short stories of ours, each as it should be and spoiled in several ways. "
    "This is done once for each model."
)
NOT_TESTED = (
    "This model has not been tested as a judge yet, so nobody knows what its scores are worth."
)
PASSED = "It has passed the test of judges."
FAILED = "It has failed the test of judges, so its scores are worth nothing:"
WORTH_NOTHING = (
    "These scores are worth nothing: the model that gave them has failed the test of judges. "
    "To know more, connect a larger model in Settings, or ask readers."
)
WORTH_UNKNOWN = "Nobody knows what these scores are worth: the model that gave them has not been tested as a judge."
TESTED = "What the test found"
TESTED_NOTE = (
    "Each figure is a mean over the trials. Where nothing is needed, no figure is right or wrong: it shows how one "
    "judge differs from another."
)
TEST_COLUMN, FOUND, NEEDED, TRIALS = "Tested", "Found", "Needed", "Trials"
TESTS: Mapping[str, str] = {
    "answers that can be used": "Answers that can be used",
    "accuracy on spoiled texts": "Spoiled texts that it scores lower",
    "shift by what must not matter": "How far typos, synonyms and punctuation move a score, in points",
    "same choice in both orders": "The same choice between two texts in both orders",
    "accuracy in pairs": "The whole text chosen over the spoiled one",
    "shift on a second reading": "How far a second reading differs, in points",
    "spread of scores": "How widely its scores are spread, in points",
    "pull of length": "What twice the length adds or takes, in points",
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
OF_INTERVAL = "Recent chapters"
OF_WHOLE = "A look at the whole"
THE_WHOLE = "Whole"
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
S_Q_HELP = "0 to 10: the seven indicators, each by its weight (S_q). How it comes about stands under “Scores”."
S_L_HELP = "From words and chapters alone (S_l). It has no upper end, and says nothing of quality."
QLS_HELP = "The mean of quality and length (QLS), for comparing with the published table."
THIS_TEXT = "This text"
BESIDE_NOTE = (
    "Programs that write stories, and one long novel by its author. Their figures are from the CreAgentive paper and "
    "were given by other judges, so small differences mean nothing. Where the paper gives no single figure, none is shown."
)

MADE_OF = "How the scores come about"
COUNTED_AS = "Counted as"
WEIGHT = "Weight"
ADDS = "Adds"
WORDS = "Words"
BY_CHAPTER = "The scores of every chapter"
BY_CHAPTER_NOTE = "What each of them rests on stands under “Chapters”."
LOOKS = "The looks at the whole"
UP_TO = "Which look"
LOOK_NOTE = "For a look at the whole, the judge reads its notes on the chapters, not their text. This is what it kept of them."
WEIGHTS = "What each indicator counts"
WEIGHTS_PUBLISHED = (
    "In percent; these are the published weights. Changing them asks no model again."
)
WEIGHTS_CHANGED = "In percent; these are not the published weights."
WEIGHTS_NONE = "At least one indicator must count."
WEIGHTS_USED = "The scores are now made with these."
LENGTH_BY = "Length goes by"
LENGTHS: Mapping[LengthReading, str] = {
    LengthReading.PER_CHAPTER: "words a chapter",
    LengthReading.TOTAL: "words in all",
}
LENGTH_BY_HELP = (
    "The paper says words in all, but its own table only comes out with words a chapter."
)
USE_WEIGHTS = "Use these"
USE_PUBLISHED = "Back to the published weights"
FITTED = "Weights that follow a reader’s own ratings"
FITTED_NONE = "Once a reader has given overall scores, weights that follow them are offered here."
FITTED_TO = "Whose ratings"
FITTED_HEAD = "Fitted"
PUBLISHED = "Published"
FITTING = "Fitting …"
FITS_BETTER = "So these weights come closer to this reader."
FITS_WORSE = "So the published weights come closer, even to this reader."
FITTED_USED = "The scores are made with these."
USE_FITTED = "Use the fitted weights"

WHICH = "Chapter"
FEATURES: tuple[str, str, str, str] = ("Things", "Relationships", "Places", "Still to do")
HIGHLIGHTS = "What the scores rest on"
SHOW_TEXT = "Read the chapter as it was judged"
SHOW_PARTS = "Read the beginning of the chapter as it was judged"
HELD = "Scored higher, but held at 8, because the judge showed nothing in the text for it:"
ADDRESSED = "Speaks to the judge, and was left out of what it read:"
UNFOUND = "Quotes left out, because they are not in the text:"
TO_CHAPTER = "Open in Write"
COUNTS_ABOUT = "What can be counted in the text as it is now. No model is asked."
COUNTING = "Counting …"
ALONG = "Which number to draw along the chapters"
MEASURES: Mapping[str, str] = {
    "words": "Words",
    "to_target": "Share of the wanted length",
    "repeated_within": "Repeats itself",
    "repeated_before": "Repeats earlier chapters",
    "distinct": "Different pairs of words",
    "variety": "Variety of words",
    "worn": "Worn-out phrases",
    "overused": "Unlike your own pages",
    "dialogue": "Dialogue",
    "pace": "Pace",
    "naming": "People and places named",
    "open_threads": "Open threads",
    "thread_age": "Age of threads",
}
MEANT: Mapping[str, str] = {
    "words": "Words; characters where words have no spaces between them.",
    "to_target": "Its length, as a share of the one that a chapter was to have.",
    "repeated_within": "The share of its stretches of six words that it has more than once.",
    "repeated_before": "The share of its stretches of six words that an earlier chapter has too.",
    "distinct": "The share of its pairs of words that are different ones (distinct-2).",
    "variety": "Different words in any hundred in a row, on average (MATTR).",
    "worn": "Turns of phrase that models have worn out, in 10,000 words. The list is English.",
    "overused": "Phrases that it has and your own pages hardly have, in 10,000 words.",
    "dialogue": "The share that is said aloud, as far as quotation marks tell.",
    "pace": "Sentences in a hundred words: the more there are, the quicker it reads.",
    "naming": "Of the people and places that its events involve, the share that its text names.",
    "open_threads": "Threads that, at its end, are planted and neither paid off nor dropped.",
    "thread_age": "Chapters since these threads were planted, on average.",
}
OWN = "Phrases unlike your own pages"
OWN_NONE = "None."
PHRASE, TIMES = "Phrase", "Times"
HERE, IN_OWN = "In 10,000 words here", "In yours"
OF_ONE = "What the numbers of a chapter rest on"
REPEATED_HERE = "What it repeats"
WORN_HERE = "Worn-out phrases"
OVERUSED_HERE = "Phrases unlike your own pages"
NAMED_HERE = "People and places"
NAMED = "Its events involve them, and its text names them:"
MISSING = "Its events involve them, but its text does not name them:"
BESIDES = "Its text names them, though no event of it involves them:"
NOBODY = "none"
THREADS_HERE = "Threads open at its end"
NOTHING_HERE = "None."

READERS_ABOUT = (
    "Scores from people who have read the text. Together they count as much as the judge’s. How far readers agree with "
    "one another is the most that can be asked of any judge."
)
READER = "Reader’s name"
WHOLE_BOOK = "The whole book"
WHAT = "What was read"
READER_HEAD = "Reader"
OVERALL = "Overall (optional)"
OVERALL_HEAD = "Overall"
OVERALL_HELP = (
    "What it is worth to you as a whole, 0 to 10, not the mean of the others. Several of these show how much each "
    "indicator counts for you."
)
SAVE = "Keep these scores"
SAVED = "Kept."
ONE_READER = "Once a second reader has given scores, you see here how far they agree."
AGREEING = "Comparing the readers …"

COMPARE_ABOUT = (
    "Each text is cut into the same number of passages, and the judge sees each pair of passages twice, in both orders. "
    "Which of two texts is the better can be trusted more than any score."
)
COMPARE = "Compare them"
COMPARING = "Comparing, in both orders …"
COMPARE_SAME = "Two of these texts are the same."
STRENGTH, LOW, HIGH = "Strength", "Low", "High"
INTERVAL = "95% interval"
PREFERRED, EVEN, NOT_PREFERRED = "Preferred", "Even", "Not preferred"
STANDINGS_NOTE = (
    "The further to the right, the more often a text was preferred; 0 is the mean of these texts. Where two intervals "
    "overlap, it is open which text is the better. No interval is shown while too little is known: with fewer than five "
    "verdicts, or when all of them say the same. (Bradley and Terry’s strength, in log-odds; intervals by bootstrap.)"
)
WHO = "Who compared"
PASSAGES = "Passages"
CONSISTENT = "Same in both orders"
LIKE_READERS = "Same choice as readers"
CEILING_OF_PAIRS = (
    "No judge can be asked to choose as readers do more often than readers choose alike."
)
EVEN_HERE = "no difference"
TURNED = "chose the other text when the order was turned, so neither"

BLIND = "Judge blind yourself"
BLIND_ABOUT = (
    "You see passages of two of these texts side by side, without being told which is which. Your word counts as much "
    "as one judge’s."
)
BLIND_READER = "Your name"
BLIND_NAME = "Say who you are to begin; your choices are kept under that name."
BLIND_NONE = (
    "There is no other text to compare it with yet. Import one in the Library, write another story, or start a branch "
    "or another telling of this one."
)
BLIND_OTHER = "Compare with"
BLIND_DONE = "You have judged all passages. How the texts stand by everybody’s word is shown above."
LEFT, RIGHT = "Left", "Right"
RANKING = "Counting …"
UNNAMED = "Untitled story"

SAVE_AS = "Save as a file"
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


def bounds(least: str, most: str) -> str:
    """Say what is needed; what is empty is no bound."""
    said = [f"at least {least}"] if least else []
    return " and ".join(said + ([f"at most {most}"] if most else []))


def missed(test: str, value: str, needed: str) -> str:
    """Say what a judge was found to do, and what is needed."""
    return f"{test}: {value} ({needed} is needed)"


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


def judged_by(model: str) -> str:
    """Say which model judges; `model` is Markdown."""
    return f"Judged by **{model}**."


def calls(chapters: int, interval: int, *, with_contradictions: bool = False) -> str:
    """Say how many calls an evaluation takes."""
    each = 2 if with_contradictions else 1
    number = each * chapters + -(-chapters // interval)
    of_each = "two a chapter" if with_contradictions else "one a chapter"
    return f"About {counted(number, 'call', 'calls')} to the model: {of_each}, and some for looks at the whole."


def progress(done: int, chapters: int) -> str:
    """Say how far an evaluation is."""
    return f"{done:,} of {counted(chapters, 'chapter', 'chapters')}"


def numbered(place: int, title: str) -> str:
    """Return a chapter's place and title."""
    return f"{place}. {title}"


def agree(alpha: float, readers: int) -> str:
    """Say how far readers agree."""
    return (
        f"{readers} readers agree to **{alpha:.2f}** (Krippendorff’s alpha), where 1 is full agreement and 0 is chance. "
        "In published studies of stories, readers come to between 0.05 and 0.27."
    )


def ceiling(readers: int, among: float | None, judge: float | None) -> str:
    """Say how far readers agree with one another, and the judge with them (alpha)."""
    if among is None:
        people = "Only one reader so far, so it is not known how far readers agree."
    else:
        people = (
            f"{readers} readers agree to {among:.2f}, where 1 is full agreement and 0 is chance; "
            "no judge can be asked for more."
        )
    return people if judge is None else f"{people} The judge agrees with readers to {judge:.2f}."


def scored_by(model: str) -> str:
    """Say that another model gave the scores that are shown; `model` is Markdown."""
    return f"The scores below were given by **{model}**."


def quality_is(s_q: float) -> str:
    """Say how quality comes about."""
    return f"Quality is the sum of what the indicators add: **{s_q:.2f}**."


def length_is(s_l: float, words: int, chapters: int, usual: int, *, is_total: bool) -> str:
    """Say how the score of length comes about."""
    what = "words in all" if is_total else "words a chapter"
    return (
        f"Length is ½ (ln(1 + {words:,} / 1,000) + min(1, {chapters:,} / {usual:,})), from {words:,} {what} "
        f"and {counted(chapters, 'chapter', 'chapters')}: **{s_l:.2f}**."
    )


def together_is(qls: float) -> str:
    """Say how both come together."""
    return f"Together is the mean of both: **{qls:.2f}**."


def up_to(place: int) -> str:
    """Name a look at the whole by the chapter that it goes up to."""
    return f"Chapters 1 to {place:,}" if place > 1 else "Chapter 1"


def published_weight(percent: float) -> str:
    """Say what an indicator counts in the published weights."""
    return f"{percent:.0f}% as published. What counts is its share of all seven."


def too_few(ratings: int) -> str:
    """Say that a reader has given too few overall scores."""
    return f"{counted(ratings, 'overall score', 'overall scores')} so far; it takes five."


def fits(ratings: int, error: float, published: float) -> str:
    """Say how well weights fit a reader's ratings, in points."""
    return (
        f"Of {ratings:,} ratings, each was predicted from the others: these weights miss it by **{error:.2f}** points on "
        f"average, the published ones by **{published:.2f}**."
    )


def cut_after(characters: int) -> str:
    """Say that a long chapter is shown in part."""
    return f"These are the first {characters:,} characters. Findings further on open above."


def own_unknown(words: int, least: int) -> str:
    """Say that the writer's own pages are too few to tell."""
    return (
        f"This cannot be told yet: there are {words:,} words of your own in this language, and it takes {least:,}. "
        "Your own are the chapters that you typed or imported, in any story of the library."
    )


def own_about(words: int) -> str:
    """Say what the writer's own pages are."""
    return (
        f"Phrases that this text uses several times as often as your own pages do, beyond chance: {words:,} words "
        "that you typed or imported, in any story of the library. What the story is about is left out."
    )


def repeated(count: int, earlier: int | None) -> str:
    """Say how often a stretch stands in a chapter, and where it stood before."""
    here = f"{count:,} times here" if count > 1 else "once here"
    return f"{here}, and in chapter {earlier:,}" if earlier else here


def times(count: int) -> str:
    """Say how often."""
    return counted(count, "time", "times")


def age(chapters: int) -> str:
    """Say for how long a thread has been open."""
    ago = f"planted {counted(chapters, 'chapter', 'chapters')} ago" if chapters else "planted here"
    return f"({ago})"


def and_more(count: int) -> str:
    """Say that there are more."""
    return f"And {count:,} more."


def compare_calls(calls: int, model: str) -> str:
    """Say how many calls it takes to compare; `model` is Markdown."""
    return f"{counted(calls, 'call', 'calls')} to {model}."


def between(low: float, high: float) -> str:
    """Say an interval."""
    return f"{signed(low)} to {signed(high)}"


def signed(value: float) -> str:
    """Say a number that may be on either side of 0."""
    return f"{value:+.2f}".replace("-", "−")


def reader_named(name: str) -> str:
    """Name a reader among judges."""
    return f"Reader: {name}"


def trials(count: int) -> str:
    """Name what a comparison rests on."""
    return f"What it rests on: {counted(count, 'verdict', 'verdicts')}"


def versus(first: str, second: str) -> str:
    """Name two texts; both are Markdown."""
    return f"{first} and {second}"


def passage(number: int, of: int) -> str:
    """Name a stretch of two texts."""
    return f"Passage {number} of {of}"


def preferred(name: str) -> str:
    """Say which text was preferred; `name` is Markdown."""
    return f"**{name}** is the better"


speaks(__name__)
