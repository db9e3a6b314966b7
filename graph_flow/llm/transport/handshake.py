"""What the app and the embedded model's server process send each other."""

from __future__ import annotations

from pydantic import BaseModel


class ServerSettings(BaseModel):
    """What the parent sends the child, by pipe, since any user can read command-line arguments."""

    model_file: str
    model_name: str
    key: str
    context: int
    """Tokens that each slot can hold."""
    slots: int
    threads: int


class ServerAddress(BaseModel):
    """The child's answer once the model is loaded."""

    url: str
