"""Where a story goes, as they are told it who decide what happens in a chapter: most of what is near. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

from graph_flow.cognition.omniscient import spine_lines
from graph_flow.llm.tokens import estimate_tokens
from graph_flow.prompting.length import is_last
from graph_flow.prompting.text import cut, shortened
from store.models.plot import Spine
from store.models.story import StorySettings

_OF_THE_WAY, _OF_THE_END = ("inciting", "turns", "holds"), ("ending", "crisis", "last_image")
"""What of a spine is shortened last on the way to the end, and what at the end."""
_SHARE_OF_THE_WAY, _SHARE_OF_TURNS = 0.8, 0.35
"""How much of the room the way takes at most, and its turns at least: somebody knows the end as well."""
_IN_SHORT = ((480, 480, 240), (240, 480, 120), (240, 320, 80))
"""Characters in which are told, if there is no room for them or for that, the turn that a chapter comes out of,
the one after that which it is in or leads to, and those that are later."""

_BETWEEN_TURNS = re.compile(r"\s*(?:\n|\|\|)\s*")
_IS_OF_CHAPTERS = re.compile(r"\D{0,16}?(\d+)(?:[^\d:.,(：。，（]{1,4}(\d+))?")
"""How a turn begins that says where it comes: "Chapter 8 to 12: …"."""


def spine_words(spine: Spine, chapter: int, settings: StorySettings, tokens: int) -> list[str]:
    """Say where a story goes in about so many tokens, for whoever decides what happens in a chapter.

    What the chapter turns on is shortened last: how the story ends if it is the last, or else the
    turns that are near, and what must hold. What has set the story off is left out once it is behind it.
    """
    is_end = is_last(chapter, settings)
    wanted = _OF_THE_END if is_end else _OF_THE_WAY
    most = tokens if is_end else int(tokens * _SHARE_OF_THE_WAY)
    ahead = spine.model_copy(update={"inciting": "" if chapter > 1 else spine.inciting})
    beside = estimate_tokens(f"{ahead.inciting} {ahead.holds}")
    room = max(tokens * _SHARE_OF_TURNS, most - beside)
    near = turns_near(spine.turns, chapter, lambda text: estimate_tokens(text) <= room)
    [near] = shortened([near], int(room))
    lines = spine_lines(ahead.model_copy(update={"turns": near}))
    first = [name for name in wanted if name in lines]
    rest = [name for name in lines if name not in first]
    told = dict(zip(first, shortened([lines[name] for name in first], most), strict=True))
    left = tokens - sum(map(estimate_tokens, told.values()))
    told |= zip(rest, shortened([lines[name] for name in rest], left), strict=True)
    return [told[name] for name in lines]


def turns_near(turns: str, chapter: int, fits: Callable[[str], bool]) -> str:
    """Return the turns of a story, most of the one that a chapter is in or leads to, as they do not all fit.

    The oldest of those behind it go first; the newest of those stays, since the chapter comes out of it.
    Then the others are told in short. Turns stand on a line each, or between "||"; those that do not
    begin by saying in which chapter they come are taken to be near.
    """
    told = [one for one in _BETWEEN_TURNS.split(turns) if one]
    while len(told) > 1 and _is_over(told[1], chapter) and not fits(" ".join(told)):
        del told[0]
    behind = sum(_is_over(one, chapter) for one in told)
    for in_short in _IN_SHORT:
        if fits(" ".join(told)):
            break
        told = [
            one if at == behind else _in_short(one, in_short[min(2, max(0, at - behind))])
            for at, one in enumerate(told)
        ]
    return " ".join(told)


def turns_ahead(turns: str, chapter: int) -> str:
    """Return the turns of a story that were not over before a chapter."""
    told = (one for one in _BETWEEN_TURNS.split(turns) if one)
    return "\n".join(one for one in told if not _is_over(one, chapter))


def merged_turns(before: str, said: str) -> str:
    """Return the turns of a story with those that are said anew in place of what stood for their chapters.

    One that is nothing but its chapter takes out what stood there. Where some do not say in which chapter
    they come, those that are said are all there are.
    """
    old, new = ([one for one in _BETWEEN_TURNS.split(text) if one] for text in (before, said))
    places = {one: _IS_OF_CHAPTERS.match(one) for one in (*old, *new)}
    spans = {one: _span(place) for one, place in places.items() if place is not None}
    if len(spans) < len(places):
        return said
    anew = [spans[one] for one in new]
    kept = [one for one in old if not any(_overlap(spans[one], span) for span in anew)]
    told = [one for one in new if (place := places[one]) and not _is_bare(one[place.end() :])]
    return "\n\n".join(sorted([*kept, *told], key=lambda one: spans[one]))


def _is_bare(rest: str) -> bool:
    """Return whether no turn is told behind its chapter, for which some languages have one more letter."""
    return len(rest.strip(" :.：。–-")) <= 1


def _span(place: re.Match[str]) -> tuple[int, int]:
    return int(place[1]), int(place[2] or place[1])


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _in_short(turn: str, length: int) -> str:
    return cut(turn, length) if _IS_OF_CHAPTERS.match(turn) else turn


def _is_over(turn: str, chapter: int) -> bool:
    found = _IS_OF_CHAPTERS.match(turn)
    return found is not None and int(found[2] or found[1]) < chapter
