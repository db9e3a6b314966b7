"""What calls used, summed: those that are kept, and those of which only sums are."""

from __future__ import annotations

from store.database.database import Database
from store.database.rows import from_row
from store.models.run import AgentSpending, ChapterSpending, LineSpending, Spending, Totals
from store.prototype.lineage import LINE, bounds

_CHAPTER = "CAST(calls.step AS INTEGER)"
"""A step begins with its chapter ("7/2/role/0/1"); one without it counts as before the first."""

_ALL = """
coalesce(sum(calls), 0) AS calls, coalesce(sum(tokens_in), 0) AS tokens_in,
coalesce(sum(tokens_out), 0) AS tokens_out, coalesce(sum(cost), 0.0) AS cost,
coalesce(sum(milliseconds), 0) AS milliseconds
"""
_WASTED = """
coalesce(sum(failed), 0) AS failed, coalesce(sum(repeated), 0) AS repeated
"""
_KEPT = """
count(*) AS calls, sum(calls.tokens_in) AS tokens_in, sum(calls.tokens_out) AS tokens_out,
sum(calls.cost) AS cost, sum(calls.milliseconds) AS milliseconds
"""
_SUMMED = """
sum(spent.calls), sum(spent.tokens_in), sum(spent.tokens_out), sum(spent.cost),
sum(spent.milliseconds)
"""
_KEPT_WASTED = """
sum(calls.outcome = 'failed') AS failed,
sum(calls.outcome IN ('truncated', 'unusable')) AS repeated
"""
_SUMMED_WASTED = """
sum(spent.calls * (spent.outcome = 'failed')),
sum(spent.calls * (spent.outcome IN ('truncated', 'unusable')))
"""


def _along(of_call: str, of_sum: str) -> str:
    """Return what was used along a line, as a table by some key."""
    return f"""
    SELECT {of_call} AS key, {_KEPT}, {_KEPT_WASTED} FROM line CROSS JOIN calls
      ON calls.branch = line.branch_id AND {_CHAPTER} <= line.last_chapter GROUP BY key
    UNION ALL
    SELECT {of_sum} AS key, {_SUMMED}, {_SUMMED_WASTED} FROM line CROSS JOIN spent
      ON spent.branch = line.branch_id AND spent.chapter <= line.last_chapter GROUP BY key
    """


BY_AGENT = f"""{LINE}
SELECT key AS agent, {_ALL}, {_WASTED} FROM ({_along("calls.agent", "spent.agent")})
GROUP BY key ORDER BY sum(tokens_in + tokens_out) DESC, key
"""
BY_CHAPTER = f"""{LINE}
SELECT key AS chapter, {_ALL}, {_WASTED} FROM ({_along(_CHAPTER, "spent.chapter")})
GROUP BY key ORDER BY key
"""
OF_STORY = f"""
SELECT {_ALL}, {_WASTED} FROM (
    SELECT {_KEPT}, {_KEPT_WASTED} FROM branches CROSS JOIN calls ON calls.branch = branches.id
    WHERE branches.story = :story
    UNION ALL
    SELECT {_SUMMED}, {_SUMMED_WASTED} FROM branches CROSS JOIN spent ON spent.branch = branches.id
    WHERE branches.story = :story
)
"""
OF_BRANCH = f"""
SELECT {_ALL} FROM (
    SELECT {_KEPT} FROM calls WHERE branch = :value
    UNION ALL SELECT {_SUMMED} FROM spent WHERE branch = :value
)
"""
OF_RUN = f"""
SELECT {_ALL} FROM (
    SELECT {_KEPT} FROM calls WHERE run = :value
    UNION ALL
    SELECT {_SUMMED} FROM spent
    WHERE run = :value AND branch = (SELECT branch FROM runs WHERE id = :value)
)
"""
_SUMMED_UP = f"""{LINE}
SELECT coalesce(sum(spent.calls), 0) AS calls FROM line JOIN spent
  ON spent.branch = line.branch_id AND spent.chapter = :of AND line.last_chapter >= :of
"""


class Ledger:
    """Sums what calls used. Failed calls count too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def totals(self, *, run: str | None = None, branch: str | None = None) -> Totals:
        """Return what a run, or else a branch, has used so far."""
        sql, value = (OF_RUN, run) if run is not None else (OF_BRANCH, branch)
        return from_row(Totals, self._database.row(sql, {"value": value}) or {})

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

    def summed_up(self, branch: str, chapter: int) -> int:
        """Return how many calls of a chapter, along a line, are kept as sums only."""
        row = self._database.row(_SUMMED_UP, bounds(branch) | {"of": chapter})
        return int(row["calls"]) if row else 0
