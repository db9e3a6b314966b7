"""What the embedded model took and could not answer, as tables to read and as one object for a program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median

from tests.benchmarks.measures.embedded.stories import AgentCalls, ToldStory
from tests.benchmarks.table import line, told

MOST_UNUSABLE, MOST_SECONDS = 0.12, 300.0
"""The bars: the share of answers that cannot be used, and the seconds of three written chapters."""

_CHAPTERS_OF_THE_BAR = 3


@dataclass(frozen=True)
class EmbeddedFigures:
    """Figures of some stories together."""

    chapters: int
    seconds: tuple[float, ...]
    words: tuple[int, ...]
    agents: tuple[AgentCalls, ...]
    unusable_share: float

    @classmethod
    def of(cls, stories: Sequence[ToldStory], chapters: int) -> EmbeddedFigures:
        """Put the figures of some stories together."""
        names = sorted({one.agent for story in stories for one in story.agents})
        agents = tuple(
            AgentCalls(
                name,
                sum(one.calls for story in stories for one in story.agents if one.agent == name),
                sum(one.unusable for story in stories for one in story.agents if one.agent == name),
            )
            for name in names
        )
        calls = sum(one.calls for one in agents)
        return cls(
            chapters=chapters,
            seconds=tuple(story.seconds for story in stories),
            words=tuple(story.words for story in stories),
            agents=agents,
            unusable_share=sum(one.unusable for one in agents) / max(1, calls),
        )

    def as_json(self) -> str:
        """Return the figures as one JSON object on one line."""
        return json.dumps(asdict(self))

    def as_table(self) -> str:
        """Return the figures as Markdown tables."""
        calls, unusable = (
            sum(one.calls for one in self.agents),
            sum(one.unusable for one in self.agents),
        )
        rows = [
            line("agent", ("calls", "answers that cannot be used", "share")),
            line("---", ("---:", "---:", "---:")),
            *(
                line(one.agent, (f"{one.calls}", f"{one.unusable}", _share(one)))
                for one in self.agents
            ),
            line("all", (f"{calls}", f"{unusable}", f"{self.unusable_share:.1%}")),
            line("not to be reached", ("", "", f"{MOST_UNUSABLE:.0%}")),
            "",
            line(f"{self.chapters} written chapters", ("seconds", "words")),
            line("---", ("---:", "---:")),
            *(
                line(f"story {number}", (told(seconds), f"{words:,}"))
                for number, (seconds, words) in enumerate(
                    zip(self.seconds, self.words, strict=True), start=1
                )
            ),
            line("median", (told(median(self.seconds)), f"{round(median(self.words)):,}")),
            *(
                [line("not to be reached", (told(MOST_SECONDS), ""))]
                if self.chapters == _CHAPTERS_OF_THE_BAR
                else []
            ),
        ]
        return "\n".join(rows)


def _share(one: AgentCalls) -> str:
    return f"{one.unusable / one.calls:.1%}"
