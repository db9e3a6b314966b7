"""Texts against each other: which of two passages somebody prefers, and by how much."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from store.models.base import Id, Line, Record

Fingerprint = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""The SHA-256 of a text, in hexadecimal."""

READER = "reader: "
"""How the judge of a trial is called that is no model but a person, whose name follows."""


class PairTrial(Record):
    """One passage of a text against the same stretch of another, as one judge sees them.

    `margin` is above 0 if the first is the better, -3 to 3; a judge that chooses otherwise when the
    order is turned has chosen neither, and is not consistent. `judge` names a model, or a reader who
    knew nothing of where the texts came from.
    """

    id: Id
    first: Fingerprint
    second: Fingerprint
    at: Annotated[int, Field(ge=0)]
    of: Annotated[int, Field(ge=1)]
    judge: Line
    margin: Annotated[float, Field(ge=-3, le=3)]
    is_consistent: bool = True
    reason: Line = ""
    created: datetime
