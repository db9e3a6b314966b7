"""A site's writers, what they used, and the audit of what they did. No text of a story is here."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from store.models.base import Id, Record

_Said = Annotated[str, StringConstraints(strip_whitespace=True, max_length=300)]
"""What an identity provider says of somebody, on one line."""


class Identity(Record):
    """Whom an identity provider says that somebody is.

    `issuer` and `subject` are the provider's own address and its name for the person, which never
    changes; `email` is empty unless the provider has verified it.
    """

    issuer: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    subject: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    name: _Said = ""
    email: _Said = ""

    @property
    def writer(self) -> str:
        """The id of the writer, and the name of the folder with their library."""
        said = f"{len(self.issuer)}:{self.issuer}{self.subject}"
        return hashlib.sha256(said.encode()).hexdigest()[:32]


class Writer(Record):
    """Somebody who has signed in. `signed_in` is when, `seen` when a page was last shown."""

    id: Id
    issuer: str
    subject: str
    name: str = ""
    email: str = ""
    since: datetime
    signed_in: datetime
    seen: datetime
    is_shut_out: bool = False

    @property
    def called(self) -> str:
        """What to call them."""
        return self.name or self.email or self.subject


class AuditEvent(StrEnum):
    """What is written down, with the writer and the moment."""

    SIGN_IN = "sign-in"
    REFUSED = "sign-in refused"
    SIGN_OUT = "sign-out"
    EXPORT = "export"
    IMPORT = "import"
    RESTORE = "restore"
    SHUT_OUT = "shut out"
    LET_IN = "let in"


class AuditLine(Record):
    """One thing that a writer did. `about` is an id or the name of a format, never a text."""

    moment: datetime
    writer: str
    event: AuditEvent
    about: Annotated[str, StringConstraints(max_length=300)] = ""


class Use(Record):
    """What a writer used: calls to models, tokens in and out together, and the site's money."""

    calls: Annotated[int, Field(ge=0)] = 0
    tokens: Annotated[int, Field(ge=0)] = 0
    cost: Annotated[float, Field(ge=0)] = 0.0


class LibraryState(Record):
    """How a writer's library was when the site last looked: its size in bytes, stories, safety."""

    looked: datetime
    size: int = 0
    stories: int = 0
    is_sound: bool | None = None
    """None: never checked."""
    backed_up: datetime | None = None
