"""What calls to models took, summed for reading."""

from __future__ import annotations

from store.models.base import Record
from store.models.run import Totals


class Spending(Totals):
    """What some calls took together. Tokens are counts, `milliseconds` the model's time.

    Of the calls, `failed` brought no answer, and the answers of `repeated` could not be used as
    they were: they broke off, or had not the form that was asked for, so another call followed.
    """

    failed: int = 0
    repeated: int = 0


class AgentSpending(Spending):
    """What the calls to one agent took."""

    agent: str


class ChapterSpending(Spending):
    """What one chapter took, its plot and its text; 0 is what came before the first."""

    chapter: int


class LineSpending(Record):
    """What led to a branch as it stands: its own calls, and its parents' up to where it left them.

    Agents stand by what they took, the most first; chapters in order.
    """

    agents: tuple[AgentSpending, ...] = ()
    chapters: tuple[ChapterSpending, ...] = ()

    @property
    def total(self) -> Spending:
        """What all of it took together."""
        return Spending(
            calls=sum(one.calls for one in self.agents),
            tokens_in=sum(one.tokens_in for one in self.agents),
            tokens_out=sum(one.tokens_out for one in self.agents),
            cost=sum(one.cost for one in self.agents),
            milliseconds=sum(one.milliseconds for one in self.agents),
            failed=sum(one.failed for one in self.agents),
            repeated=sum(one.repeated for one in self.agents),
        )
