"""The words of the Writers page."""

from __future__ import annotations

from collections.abc import Mapping

from pages.components.words.speaking import speaks
from store.hosting.records import AuditEvent

TITLE = "Writers"
NOT_YOURS = "This page is for whoever looks after the site"
NOT_YOURS_ADVICE = "If that is you, have your e-mail address added to the site’s settings."
NOBODY = "Nobody has signed in yet."
ABOUT = (
    "What each writer has used, and how their library is. Nobody’s stories can be read here. A day ends at "
    "midnight, UTC."
)

NAME = "Writer"
EMAIL = "E-mail"
SEEN = "Last seen"
STORIES = "Stories"
SIZE = "Library, MB"
CALLS = "Calls today"
TOKENS = "Tokens today"
MONEY = "Money this month"
SOUND = "Library sound"
BACKED_UP = "Last backup"
ADMITTED = "May sign in"
SOUND_YES = "yes"
SOUND_NO = "no: damaged"
SOUND_UNKNOWN = "not checked yet"
YES = "yes"
NO = "no"

CLOSE_TO = "Shut a writer out"
CLOSE_TO_ABOUT = "They are refused from now on and what is being made for them stops. Their library stays as it is."
CHOOSE = "Writer"
SHUT_OUT = "Shut them out"
LET_IN = "Let them in again"

SERVER = "This process"
AUDIT = "What was done"
AUDIT_ABOUT = "The newest first. It says who and when, never what is in a story."
WHEN = "When"
WHAT = "What"
ABOUT_WHAT = "About"
EVENTS: Mapping[AuditEvent, str] = {
    AuditEvent.SIGN_IN: "signed in",
    AuditEvent.REFUSED: "was refused",
    AuditEvent.SIGN_OUT: "signed out",
    AuditEvent.EXPORT: "saved a file",
    AuditEvent.IMPORT: "imported a story",
    AuditEvent.RESTORE: "restored a backup",
    AuditEvent.SHUT_OUT: "was shut out",
    AuditEvent.LET_IN: "was let in again",
}


def shut_out(name: str) -> str:
    """Say that a writer is shut out."""
    return f"{name} is shut out."


def let_in(name: str) -> str:
    """Say that a writer may sign in again."""
    return f"{name} may sign in again."


def server(libraries: int, windows: int, megabytes: float) -> str:
    """Say what the process that shows this page has open. Markdown."""
    return (
        f"Open libraries: **{libraries:,}** · writers with a window open: **{windows:,}** · "
        f"memory: **{megabytes:,.0f} MB**"
    )


speaks(__name__)
