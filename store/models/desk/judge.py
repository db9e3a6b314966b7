"""What is known of a judge: how it does on texts of which the answer is known."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from store.models.base import Id, Line, Record
from store.models.desk.evaluation import JudgeName


class CardTest(Record):
    """One thing that a judge was tested for: what was found, and what is needed.

    `least` and `most` are the bounds within which `value` passes; `of` is how many trials it rests on.
    A test without trials says nothing, and passes.
    """

    name: Line
    value: float
    least: float | None = None
    most: float | None = None
    of: Annotated[int, Field(ge=0)]

    @property
    def is_passed(self) -> bool:
        """Whether the judge passes."""
        if not self.of:
            return True
        above = self.least is None or self.value >= self.least
        return above and (self.most is None or self.value <= self.most)

    @property
    def why(self) -> str:
        """What was found and what is needed, in a few words."""
        bounds = []
        if self.least is not None:
            bounds.append(f"at least {self.least:.2f}")
        if self.most is not None:
            bounds.append(f"at most {self.most:.2f}")
        return f"{self.name} {self.value:.2f} ({' and '.join(bounds)} is needed)"


class JudgeCard(Record):
    """A judge's card. `version` is that of the tests: a card of an older one counts no longer.

    `spoiled` is how often it noticed each way in which a text was spoiled.
    """

    id: Id
    judge: JudgeName
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
    version: int
    tests: tuple[CardTest, ...]
    spoiled: tuple[CardTest, ...] = ()
    created: datetime

    @property
    def is_passed(self) -> bool:
        """Whether the judge passes all tests."""
        return all(one.is_passed for one in self.tests)

    @property
    def says(self) -> str:
        """Whether the judge passes, and if not, why."""
        if self.is_passed:
            return "passed"
        return "failed: " + "; ".join(one.why for one in self.tests if not one.is_passed)
