"""The bounds of a story file that is imported: what is beyond them is refused before it is built.

The largest honest story that is known, of 2,770 chapters with three candidates each, takes 90
million bytes, with 30,000 records and 4.5 million values.
"""

from __future__ import annotations

FILE_BYTES = 200_000_000
"""The most bytes of a story file."""

HEAD_BYTES = 8_000_000
"""The most bytes of what is no record: titles, premise, settings, the list of branches."""

HEAD_VALUES = 100_000
"""The most values of what is no record."""

RECORDS = 1_000_000
"""The most records: commits, goals, candidates, plans, texts."""

RECORD_BYTES = 32_000_000
"""The most bytes of one record. A merge of two long branches is one."""

RECORD_VALUES = 2_000_000
"""The most values of one record, so that building it takes a few hundred megabytes at most."""

DEPTH = 40
"""The most values within values, counted in the file and in each record; a Delta has six."""
