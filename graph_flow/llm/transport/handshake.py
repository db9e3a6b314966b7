"""What the app and the process that serves the embedded model say to each other."""

from __future__ import annotations

from pydantic import BaseModel


class ServerSettings(BaseModel):
    """What the parent tells the child; by pipe, for arguments can be read by every user."""

    model_file: str
    model_name: str
    key: str
    context: int
    """Tokens that each slot can hold."""
    slots: int
    threads: int


class ServerAddress(BaseModel):
    """What the child answers once the model is loaded."""

    url: str
