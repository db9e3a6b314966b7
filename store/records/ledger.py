"""What calls used, summed up: by run, by branch, by agent, by chapter."""

from __future__ import annotations

from store.database.database import Database
from store.database.rows import from_row
from store.models.run import AgentSpending, ChapterSpending, LineSpending, Spending, Totals
from store.prototype.lineage import LINE, bounds

TOTALS = """
SELECT count(*) AS calls, coalesce(sum(tokens_in), 0) AS tokens_in,
       coalesce(sum(tokens_out), 0) AS tokens_out, coalesce(sum(cost), 0.0) AS cost,
       coalesce(sum(milliseconds), 0) AS milliseconds
FROM calls WHERE
"""
_SUMS = """
count(*) AS calls, coalesce(sum(calls.tokens_in), 0) AS tokens_in,
coalesce(sum(calls.tokens_out), 0) AS tokens_out, coalesce(sum(calls.cost), 0.0) AS cost,
coalesce(sum(calls.milliseconds), 0) AS milliseconds,
coalesce(sum(calls.outcome = 'failed'), 0) AS failed,
coalesce(sum(calls.outcome IN ('truncated', 'unusable')), 0) AS repeated
"""
_CHAPTER = "CAST(calls.step AS INTEGER)"
"""A step begins with its chapter ("7/2/role/0/1"); one without it counts as before the first."""

_ALONG = f"""
FROM line CROSS JOIN calls
  ON calls.branch = line.branch_id AND {_CHAPTER} <= line.last_chapter
"""

BY_AGENT = f"""{LINE}
SELECT calls.agent, {_SUMS} {_ALONG}
GROUP BY calls.agent ORDER BY sum(calls.tokens_in + calls.tokens_out) DESC, calls.agent
"""
BY_CHAPTER = f"""{LINE}
SELECT {_CHAPTER} AS chapter, {_SUMS} {_ALONG} GROUP BY chapter ORDER BY chapter
"""
OF_STORY = f"""
SELECT {_SUMS} FROM branches CROSS JOIN calls ON calls.branch = branches.id
WHERE branches.story = :story
"""


class Ledger:
    """Sums what calls used. Failed calls count too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def totals(self, *, run: str | None = None, branch: str | None = None) -> Totals:
        """Return what a run, or else a branch, has used so far."""
        place, value = ("run", run) if run is not None else ("branch", branch)
        row = self._database.row(f"{TOTALS} {place} = :value", {"value": value})
        return from_row(Totals, row or {})

    def of_line(self, branch: str) -> LineSpending:
        """Return what a branch used along its line."""
        rows = self._database.rows(BY_CHAPTER, bounds(branch))
        return LineSpending(
            agents=tuple(self.by_agent(branch)),
            chapters=tuple(from_row(ChapterSpending, row) for row in rows),
        )

    def by_agent(self, branch: str) -> list[AgentSpending]:
        """Return what each agent used along a branch's line, the most first."""
        rows = self._database.rows(BY_AGENT, bounds(branch))
        return [from_row(AgentSpending, row) for row in rows]

    def of_story(self, story: str) -> Spending:
        """Return what a story used on all of its branches."""
        return from_row(Spending, self._database.row(OF_STORY, {"story": story}) or {})
