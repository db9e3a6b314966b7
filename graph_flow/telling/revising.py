"""Changing a text where its reviewer says so, and nowhere else. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from graph_flow.llm.tokens import estimate_tokens
from graph_flow.telling.answers import Replacement, WholeRemark
from store.models.manuscript import RemarkKind, ReviewRemark

_SINGLE, _DOUBLE, _DASHES = "'’‘‚`´", '"“”„«»', "-–—‑"
_CLASSES = {
    character: f"[{re.escape(same)}]" for same in (_SINGLE, _DOUBLE, _DASHES) for character in same
}
_BREAKS = re.compile(r"\n{3,}")
_PARAGRAPH = re.compile(r"(?<=\n)(?=\S)")
_LEAST_SHARE = 0.5
"""The least share of a text's length that a revision leaves; less is no revision."""

_RUN, _LONGEST, _PHRASES = 5, 12, 8
"""Words of a phrase, at least and at most; and how many phrases are named."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def find_once(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote occurs in a text; None if nowhere, or more than once: see `places_of`."""
    found = places_of(quote, text)
    return found[0] if len(found) == 1 else None


def places_of(quote: str, text: str) -> list[tuple[int, int]]:
    """Return everywhere a quote occurs in a text: where it begins, and where it ends.

    Spaces and line breaks, kinds of quotation marks, and kinds of dashes count as alike; so do capitals, if
    the quote is found nowhere with its own.
    """
    words = quote.split()
    if not words:
        return []
    pattern = r"\s+".join(
        "".join(_CLASSES.get(character) or re.escape(character) for character in word)
        for word in words
    )
    # A model that quotes the middle of a sentence likes to begin it with a capital.
    exact = [match.span() for match in re.finditer(pattern, text)]
    return exact or [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def revised(text: str, passages: Iterable[Replacement]) -> str:
    """Return a text with those passages replaced that occur in it exactly once.

    Of two that overlap the first counts. A revision that leaves hardly anything is none.
    """
    spans: list[tuple[int, int, str]] = []
    for passage in passages:
        at = find_once(passage.old, text)
        if at is None or any(at[0] < end and start < at[1] for start, end, _ in spans):
            continue
        start, end = at
        new = passage.new.strip()
        spans.append((start, end if new else _past_spaces(text, end), new))
    after = text
    for start, end, new in sorted(spans, reverse=True):
        after = after[:start] + new + after[end:]
    if after == text or len(after) < _LEAST_SHARE * len(text):
        return text
    return _BREAKS.sub("\n\n", after).strip()


def _past_spaces(text: str, at: int) -> int:
    """Return the place after the spaces that follow what is deleted."""
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def within_one(passages: Iterable[Replacement], texts: Sequence[str]) -> list[Replacement]:
    """Return those passages that occur exactly once in all of some texts."""
    return [
        passage for passage in passages if find_once(passage.old, "\n\n".join(texts)) is not None
    ]


def parts_of(text: str, tokens: int, scene_break: str) -> list[str]:
    """Return a text in as few parts of at most so many tokens as whole scenes allow.

    A scene that is too long itself is taken apart between its paragraphs. A part that consists of
    one endless paragraph is longer than that. Joined, the parts are the text.
    """
    if estimate_tokens(text) <= tokens:
        return [text]
    scenes = re.split(f"(?<={re.escape(scene_break)})", text)
    pieces = [
        piece
        for scene in scenes
        for piece in ([scene] if estimate_tokens(scene) <= tokens else _PARAGRAPH.split(scene))
    ]
    parts: list[str] = []
    part: list[str] = []
    counted = 0
    for piece in pieces:
        counted += estimate_tokens(piece)
        if part and counted > tokens:
            # What pieces count by themselves is a little more than what they count together.
            counted = estimate_tokens("".join([*part, piece]))
            if counted > tokens:
                parts.append("".join(part))
                part, counted = [], estimate_tokens(piece)
        part.append(piece)
    return [*parts, "".join(part)]


def revised_part(part: str, passages: Iterable[Replacement]) -> str:
    """Return a part of a text as `revised` does, with the space after it."""
    text = part.rstrip()
    return revised(text, passages) + part[len(text) :]


def remarks_by_part(
    parts: Sequence[str], remarks: Iterable[ReviewRemark]
) -> list[list[ReviewRemark]]:
    """Return the remarks on each part: on the one that they quote, or else on the last."""
    found: list[list[ReviewRemark]] = [[] for _ in parts]
    for remark in remarks:
        quoting = (at for at, part in enumerate(parts) if _is_about(remark, part))
        found[next(quoting, -1)].append(remark)
    return found


def remarks_on(text: str, answered: Iterable[WholeRemark]) -> list[ReviewRemark]:
    """Return the remarks that are about a text: what they quote is in it, unless it is missing.

    It stands there once; only what is repeated may do so more often.
    """
    remarks = []
    for one in answered:
        is_there = _is_about(one, text)
        if is_there or one.kind is RemarkKind.MISSING:
            remarks.append(
                ReviewRemark(
                    kind=one.kind,
                    quote=one.quote if is_there else "",
                    remark=one.remark,
                    remedy=one.remedy,
                )
            )
    return remarks


def _is_about(remark: WholeRemark | ReviewRemark, text: str) -> bool:
    count = len(places_of(remark.quote, text))
    return count == 1 or (count > 1 and remark.kind is RemarkKind.REPEATED)


def remark_line(remark: ReviewRemark) -> str:
    """Return a remark as whoever revises the text reads it."""
    where = f' at "{remark.quote}"' if remark.quote else ""
    return f"- {remark.kind.value}{where}: {remark.remark} {remark.remedy}".rstrip()


def phrases_again(text: str, earlier: Sequence[str]) -> list[str]:
    """Return phrases of a text that it repeats, from itself or from the texts before it."""
    runs = _runs(text)
    before = set().union(*(set(_runs(other)) for other in earlier)) if earlier else set()
    again = {run for run, count in Counter(runs).items() if count > 1 or run in before}
    phrases: list[str] = []
    last = ""
    for run in runs:
        if run in again and run not in phrases:
            goes_on = bool(last) and last.split()[1:] == run.split()[:-1]
            if goes_on and len(phrases[-1].split()) < _LONGEST:
                phrases[-1] += f" {run.split()[-1]}"
            elif not goes_on:
                phrases.append(run)
            last = run
            again.discard(run)
    return phrases[:_PHRASES]


def _runs(text: str) -> list[str]:
    """Return every run of five words of a text that is more than small words."""
    words = [word.casefold() for word in _WORD.findall(text)]
    runs = (words[at : at + _RUN] for at in range(len(words) - _RUN + 1))
    return [" ".join(run) for run in runs if sum(map(len, run)) >= 4 * _RUN]
